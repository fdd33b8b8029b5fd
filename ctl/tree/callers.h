/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The same tree that tree_reverse() makes, but built while the user opens
 * nodes. Callers of nodes that are never opened are not made: all callers
 * together would be many times as large as a large tree.
 */
#ifndef FLAMECTL_CALLERS_H
#define FLAMECTL_CALLERS_H

#include "tree/tree.h"

struct callers;

/**
 * callers_create() - start with the functions that have time of their own;
 * their callers are not made yet.
 * @callers: set on success, to be freed by callers_destroy().
 * @of: the original tree, summed; must live as long as @callers.
 *
 * Return: 0, -ENOMEM, or -EOVERFLOW for more than TREE_NODES_MAX nodes.
 */
int callers_create(struct callers **callers, const struct tree *of);

/** callers_destroy() - free @callers; NULL is fine. */
void callers_destroy(struct callers *callers);

/**
 * callers_tree() - return the tree made so far, with totals. It grows later.
 * Children are in no particular order.
 */
const struct tree *callers_tree(const struct callers *callers);

/**
 * callers_grow() - make the children of @node, unless that was done already.
 * @callers: a struct callers; void for the grow() of struct tree_rows.
 *
 * Return: as callers_create().
 */
int callers_grow(void *callers, uint32_t node);

#endif /* FLAMECTL_CALLERS_H */
