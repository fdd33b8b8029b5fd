// SPDX-License-Identifier: GPL-2.0
/*
 * Apply a selection to folded text: see select.h. Folded text has a tree only,
 * no profile.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "select/private.h"
#include "tree/half.h"

/* @matches: set for each node; each name is matched only once */
static int match_names(const struct criteria *criteria,
		       const struct tree *tree, uint8_t *matches)
{
	uint32_t *numbers = calloc(tree->nr_nodes, sizeof(*numbers));
	uint8_t *known = numbers ?
			 calloc(tree_number_names(tree, numbers), 1) : NULL;
	int err = known ? 0 : -ENOMEM;

	/*
	 * known[] has SELECT_USED added, so that it is not 0 once it is known
	 */
	for (uint32_t i = 0; known && i < tree->nr_nodes; i++) {
		uint8_t *match = &known[numbers[i]];

		if (!*match)
			*match = select_matches(criteria, tree->nodes[i].name) |
				 SELECT_USED;
		matches[i] = *match & ~SELECT_USED;
	}
	free(known);
	free(numbers);
	return err;
}

/*
 * @states: by node: in, what its name matches; out, its state
 * @paths: by node: whether --path matches; NULL if --path was not given
 */
static void step_nodes(const struct criteria *criteria,
		       const struct tree *tree, uint8_t *states,
		       const uint8_t *paths)
{
	const struct tree_node *nodes = tree->nodes;
	uint32_t i;

	states[0] = select_begin(criteria);
	for (i = 1; i < tree->nr_nodes; i++) {
		states[i] = select_step(states[nodes[i].parent], states[i]);
		if (paths && !paths[i])
			states[i] |= SELECT_NO_PATH;
		if (nodes[i].self && select_keeps(states[i]))
			states[i] |= SELECT_USED;
	}
	for (i = tree->nr_nodes; i-- > 1;)
		if (states[i] & SELECT_USED)
			states[nodes[i].parent] |= SELECT_USED;
}

/*
 * Add what stands for the half that is left out, where it is all of a stack.
 * @at: the level that the stack is below.
 */
static int add_other_half(const struct tree *from, struct tree *to, uint32_t node,
			  uint8_t wanted, uint32_t at, uint32_t *added)
{
	if (wanted == HALF_KERNEL)
		return tree_add(to, at, "[user]", TREE_USER, added);
	if (from->nodes[node].kind == TREE_IDLE)
		return tree_add(to, at, "[idle]", TREE_IDLE, added);
	return tree_add(to, at, HALF_KERNEL_NAME, TREE_MARK, added);
}

/*
 * @halves: by node; only @wanted is copied. Of both, if NULL.
 * @images: by node: in @to.
 */
static int copy_nodes(const struct tree *from, struct tree *to,
		      const uint8_t *states, const uint8_t *halves,
		      uint8_t wanted, uint32_t *images)
{
	for (uint32_t i = 1; i < from->nr_nodes; i++) {
		const struct tree_node *node = &from->nodes[i];
		uint32_t at = images[node->parent];
		int err = 0;

		images[i] = at;
		if (!(states[i] & SELECT_USED))
			continue;
		if (states[i] & SELECT_SHOWN && (!halves || halves[i] & wanted))
			err = tree_add(to, at, node->name, node->kind, &images[i]);
		at = images[i];
		if (!err && node->self && select_keeps(states[i])) {
			if (halves && halves[i] != HALF_BOTH &&
			    (to->nodes[at].kind == TREE_TASK || !at))
				err = add_other_half(from, to, i, wanted, at, &at);
			if (!err)
				to->nodes[at].self += node->self;
		}
		if (err)
			return err;
	}
	return 0;
}

static int replace(struct tree **tree, const struct criteria *criteria)
{
	uint32_t nr = (*tree)->nr_nodes;
	struct tree *selected = tree_create();
	uint32_t *images = calloc(nr, sizeof(*images));
	uint8_t *states = calloc(nr, sizeof(*states)), *paths = NULL;
	uint8_t *halves = NULL, wanted = select_half(criteria);
	int err = -ENOMEM;

	if (selected && images && states) {
		selected->ordered = (*tree)->ordered;
		err = match_names(criteria, *tree, states);
	}
	if (!err && wanted != HALF_BOTH) {
		half_of_tree(*tree, &halves);
		err = halves ? 0 : -ENOMEM;
	}
	if (!err && select_asked(criteria, SELECT_PATH))
		err = select_paths_of_tree(criteria, *tree, &paths);
	if (!err) {
		step_nodes(criteria, *tree, states, paths);
		err = copy_nodes(*tree, selected, states, halves, wanted, images);
	}
	free(halves);
	free(images);
	free(paths);
	free(states);
	if (err) {
		tree_destroy(selected);
		return err;
	}
	tree_sum(selected);
	tree_destroy(*tree);
	*tree = selected;
	return 0;
}

int select_tree(const struct selection *selection, struct tree **tree,
		uint64_t *left_out, struct error *error)
{
	uint64_t before = (*tree)->nodes[0].total;
	struct criteria criteria;
	int err;

	*left_out = 0;
	if (!selection->nr_terms)
		return 0;
	err = criteria_init(&criteria, selection, error) ?:
	      replace(tree, &criteria);
	criteria_deinit(&criteria);
	if (err)
		return error_set(error, err, "%s", strerror(-err));
	*left_out = before - (*tree)->nodes[0].total;
	return 0;
}
