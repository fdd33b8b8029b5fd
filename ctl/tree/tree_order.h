/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Children of a call tree's nodes in the order in which rows show them: what
 * weighs most first, then by name.
 */
#ifndef FLAMECTL_TREE_ORDER_H
#define FLAMECTL_TREE_ORDER_H

#include "tree/tree.h"

/* Zeroed, it is empty. */
struct tree_order {
	uint32_t *nodes;
	uint32_t nr, max;
};

/**
 * tree_order_children() - the children of @node, in place of what it held.
 * Return: 0 or -ENOMEM.
 */
int tree_order_children(struct tree_order *order, const struct tree *tree,
			uint32_t node);

/** tree_order_deinit() - free it; fine after zeroing. */
void tree_order_deinit(struct tree_order *order);

#endif /* FLAMECTL_TREE_ORDER_H */
