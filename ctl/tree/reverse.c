// SPDX-License-Identifier: GPL-2.0
/*
 * Reverse a call tree: start from the leaves, so that it shows the callers of
 * each function over all tasks.
 */
#include <errno.h>

#include "tree/tree.h"

/* Add the stack that ends in @leaf, from @leaf to the root. */
static int add_reversed(struct tree *to, const struct tree *from, uint32_t leaf)
{
	const struct tree_node *nodes = from->nodes;
	uint32_t at = 0;
	int err = 0;

	for (uint32_t id = leaf; id && !err; id = nodes[id].parent)
		err = tree_add(to, at, nodes[id].name, nodes[id].kind, &at);
	if (!err)
		to->nodes[at].self = tree_weight_add(to->nodes[at].self,
						     nodes[leaf].self);
	return err;
}

int tree_reverse(struct tree **reversed, const struct tree *tree)
{
	struct tree *to = tree_create();
	int err = to ? 0 : -ENOMEM;

	if (to)
		to->ordered = tree->ordered;
	for (uint32_t id = 0; id < tree->nr_nodes && !err; id++)
		if (tree->nodes[id].self)
			err = add_reversed(to, tree, id);
	if (err) {
		tree_destroy(to);
		return err;
	}
	tree_sum(to);
	*reversed = to;
	return 0;
}
