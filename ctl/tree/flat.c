// SPDX-License-Identifier: GPL-2.0
/*
 * Sum a call tree by function: see flat.h. A recursive function is on a stack
 * more than once; its total counts that stack once, at its frame nearest to the
 * root.
 */
#include "tree/flat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct listing {
	const struct tree_node *nodes;
	const uint32_t *names;		/* by node */
	struct flat_function *functions;	/* by name */
	uint32_t *above;		/* by name: frames on the path here */
	bool groups;			/* list groups, too */
};

static bool is_listed(const struct listing *listing, uint32_t node)
{
	return listing->groups || listing->nodes[node].kind != TREE_TASK;
}

/*
 * Losses must be seen as such. A function that idle CPUs run too is no idle one; else
 * the first kind that was met counts.
 */
static enum tree_kind kind_of_both(enum tree_kind met, enum tree_kind kind)
{
	return kind == TREE_LOST || met == TREE_IDLE ? kind : met;
}

static void enter(struct listing *listing, uint32_t node)
{
	uint32_t name = listing->names[node];
	struct flat_function *function = &listing->functions[name];

	if (!is_listed(listing, node))
		return;
	function->kind = function->name ?
			 kind_of_both(function->kind, listing->nodes[node].kind) :
			 listing->nodes[node].kind;
	function->name = listing->nodes[node].name;
	function->self = tree_weight_add(function->self,
					 listing->nodes[node].self);
	if (!listing->above[name]++)
		function->total = tree_weight_add(function->total,
						  listing->nodes[node].total);
}

static void leave(struct listing *listing, uint32_t node)
{
	if (is_listed(listing, node))
		listing->above[listing->names[node]]--;
}

/*
 * Walk depth first: to the child, else the sibling, else up until one exists.
 */
static void list(struct listing *listing)
{
	const struct tree_node *nodes = listing->nodes;
	uint32_t at = nodes[0].child;

	while (at) {
		enter(listing, at);
		if (nodes[at].child) {
			at = nodes[at].child;
			continue;
		}
		while (at && !nodes[at].sibling) {
			leave(listing, at);
			at = nodes[at].parent;
		}
		if (at) {
			leave(listing, at);
			at = nodes[at].sibling;
		}
	}
}

static int compare_functions(const void *left, const void *right)
{
	const struct flat_function *a = left, *b = right;

	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	return strcmp(a->name, b->name);
}

/*
 * Drop names that no frame has: the root's, unless a function has the same
 * name.
 */
static void drop_unmet(struct flat *flat, uint32_t nr_names)
{
	for (uint32_t i = 0; i < nr_names; i++)
		if (flat->functions[i].name)
			flat->functions[flat->nr_functions++] =
				flat->functions[i];
	if (flat->nr_functions)
		qsort(flat->functions, flat->nr_functions,
		      sizeof(*flat->functions), compare_functions);
}

static int create(struct flat **flat, const struct tree *tree, bool groups)
{
	struct flat *listed = calloc(1, sizeof(*listed));
	uint32_t *names = calloc(tree->nr_nodes, sizeof(*names)), nr_names = 0;
	struct listing listing = {
		.nodes = tree->nodes, .names = names, .groups = groups,
	};
	int err = listed && names ? 0 : -ENOMEM;

	if (!err) {
		nr_names = tree_number_names(tree, names);
		listing.functions = calloc(nr_names, sizeof(*listing.functions));
		listing.above = calloc(nr_names, sizeof(*listing.above));
		listed->functions = listing.functions;
		err = listing.functions && listing.above ? 0 : -ENOMEM;
	}
	if (!err) {
		list(&listing);
		listed->total = tree->nodes[0].total;
		drop_unmet(listed, nr_names);
		*flat = listed;
	}
	free(names);
	free(listing.above);
	if (err)
		flat_destroy(listed);
	return err;
}

int flat_create(struct flat **flat, const struct tree *tree)
{
	return create(flat, tree, true);
}

int flat_create_functions(struct flat **flat, const struct tree *tree)
{
	return create(flat, tree, false);
}

void flat_destroy(struct flat *flat)
{
	if (!flat)
		return;
	free(flat->functions);
	free(flat);
}
