/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sort the children of a call tree's node as rows show them: the largest weight
 * first, then by name.
 */
#ifndef FLAMECTL_TREE_ORDER_H
#define FLAMECTL_TREE_ORDER_H

#include "tree/tree.h"

/* Empty when all zero. */
struct tree_order {
	uint32_t *nodes;
	uint32_t nr, max;
};

/**
 * tree_order_children() - set @order to the sorted children of @node.
 * Return: 0 or -ENOMEM.
 */
int tree_order_children(struct tree_order *order, const struct tree *tree,
			uint32_t node);

/** tree_order_deinit() - free the memory of @order; fine if all zero. */
void tree_order_deinit(struct tree_order *order);

#endif /* FLAMECTL_TREE_ORDER_H */
