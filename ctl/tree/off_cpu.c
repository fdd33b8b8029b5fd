// SPDX-License-Identifier: GPL-2.0
/*
 * Time off the CPU in a call tree: see off_cpu.h.
 *
 * A node's parent has a lower number, so two passes are enough: one from the root, since
 * all that is above a mark in a reversed stack is off the CPU, and one from the leaves,
 * to add up how much of each node's time is. The graph's page does the same in
 * view/html/model.js.
 */
#include "tree/off_cpu.h"

#include <stdlib.h>

#include "profile/task_state.h"

bool *off_cpu_nodes(const struct tree *tree)
{
	const struct tree_node *nodes = tree->nodes;
	bool *off = calloc(tree->nr_nodes, sizeof(*off));
	uint64_t *on_weights = calloc(tree->nr_nodes, sizeof(*on_weights));

	for (uint32_t i = 1; off && on_weights && i < tree->nr_nodes; i++)
		off[i] = off[nodes[i].parent] || (nodes[i].kind == TREE_MARK &&
						  task_state_is_leaf(nodes[i].name));
	for (uint32_t i = tree->nr_nodes; off && on_weights && i-- > 0;) {
		if (!off[i])
			on_weights[i] = tree_weight_add(on_weights[i], nodes[i].self);
		off[i] = on_weights[i] < nodes[i].total - on_weights[i];
		if (i)
			on_weights[nodes[i].parent] =
				tree_weight_add(on_weights[nodes[i].parent],
						on_weights[i]);
	}
	free(on_weights);
	if (on_weights)
		return off;
	free(off);
	return NULL;
}
