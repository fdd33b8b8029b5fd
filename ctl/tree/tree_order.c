// SPDX-License-Identifier: GPL-2.0
/*
 * Sort children by weight: see tree_order.h.
 */
#include "tree/tree_order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right, void *context)
{
	const struct tree *tree = context;
	const struct tree_node *a = &tree->nodes[*(const uint32_t *)left];
	const struct tree_node *b = &tree->nodes[*(const uint32_t *)right];
	int order;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	order = strcmp(a->name, b->name);
	/* two siblings may have the same name but different kinds */
	return order ?: (a->kind > b->kind) - (a->kind < b->kind);
}

int tree_order_children(struct tree_order *order, const struct tree *tree,
			uint32_t node)
{
	order->nr = 0;
	for (uint32_t i = tree->nodes[node].child; i;
	     i = tree->nodes[i].sibling) {
		if (order->nr == order->max) {
			uint32_t max = order->max ? 2 * order->max : 16;
			uint32_t *nodes = reallocarray(order->nodes, max,
						       sizeof(*nodes));

			if (!nodes)
				return -ENOMEM;
			order->nodes = nodes;
			order->max = max;
		}
		order->nodes[order->nr++] = i;
	}
	if (order->nr)
		qsort_r(order->nodes, order->nr, sizeof(*order->nodes), compare,
			(void *)tree);
	return 0;
}

void tree_order_deinit(struct tree_order *order)
{
	free(order->nodes);
	memset(order, 0, sizeof(*order));
}
