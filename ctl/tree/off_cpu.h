/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time off the CPU in a call tree: stacks that have a mark such as "[waiting]" (see
 * profile/task_state.h). All else is time on a CPU.
 */
#ifndef FLAMECTL_TREE_OFF_CPU_H
#define FLAMECTL_TREE_OFF_CPU_H

#include <stdbool.h>

#include "tree/tree.h"

/**
 * off_cpu_nodes() - find the nodes most of whose time was spent off the CPU: blocked, or
 * waiting for a CPU. A few samples in the scheduler do not hide that a stack waits.
 * @tree: summed; stacks may start at their leaves.
 *
 * Return: an array by node, to be freed; NULL if memory is short.
 */
bool *off_cpu_nodes(const struct tree *tree);

#endif /* FLAMECTL_TREE_OFF_CPU_H */
