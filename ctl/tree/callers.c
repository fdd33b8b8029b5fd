// SPDX-License-Identifier: GPL-2.0
/*
 * Make the reversed tree's nodes on demand: see callers.h.
 *
 * A node stands for a set of nodes of the original tree, each with the weight
 * of the leaves that led to it. Its children are the parents of that set, so
 * the set is all that is needed to make them.
 */
#include "tree/callers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	uint32_t at;			/* a node of the original tree */
	uint64_t weight;
};

struct set {
	struct entry *entries;		/* NULL once the children are made */
	uint32_t nr, max;
};

struct callers {
	const struct tree *of;
	struct tree *tree;
	struct set *sets;		/* by node of ->tree */
	uint32_t max_sets;
	uint32_t *numbers;		/* by node of ->of: its name's number */
	uint32_t *names;		/* by that: number in ->tree plus one */
};

static int name_of(struct callers *callers, uint32_t at, uint32_t *name)
{
	uint32_t *known = &callers->names[callers->numbers[at]];
	const char *text = callers->of->nodes[at].name;
	int err = 0;

	if (!*known) {
		err = tree_name(callers->tree, text, strlen(text), name);
		*known = err ? 0 : *name + 1;
	}
	*name = *known - 1;
	return err;
}

static int reserve_set(struct callers *callers, uint32_t node)
{
	uint32_t max = callers->max_sets ?: 256;
	struct set *sets;

	while (max <= node)
		max *= 2;
	if (max == callers->max_sets)
		return 0;
	sets = reallocarray(callers->sets, max, sizeof(*sets));
	if (!sets)
		return -ENOMEM;
	memset(sets + callers->max_sets, 0,
	       (max - callers->max_sets) * sizeof(*sets));
	callers->sets = sets;
	callers->max_sets = max;
	return 0;
}

static int append(struct set *set, uint32_t at, uint64_t weight)
{
	if (set->nr == set->max) {
		uint32_t max = set->max ? 2 * set->max : 2;
		struct entry *entries = reallocarray(set->entries, max,
						     sizeof(*entries));

		if (!entries)
			return -ENOMEM;
		set->entries = entries;
		set->max = max;
	}
	set->entries[set->nr++] = (struct entry) { at, weight };
	return 0;
}

/* Add the original node @at to the child of @parent that stands for it. */
static int add(struct callers *callers, uint32_t parent, uint32_t at,
	       uint64_t weight)
{
	const struct tree_node *from = &callers->of->nodes[at];
	struct tree_node *to;
	uint32_t name, node;
	int err;

	err = name_of(callers, at, &name) ?:
	      tree_add_named(callers->tree, parent, name, from->kind, &node) ?:
	      reserve_set(callers, node);
	if (err)
		return err;
	to = &callers->tree->nodes[node];
	to->total = tree_weight_add(to->total, weight);
	if (from->parent)
		return append(&callers->sets[node], at, weight);
	to->self = tree_weight_add(to->self, weight);
	return 0;
}

int callers_create(struct callers **callers, const struct tree *of)
{
	struct callers *made = calloc(1, sizeof(*made));
	int err = 0;

	if (!made)
		return -ENOMEM;
	made->of = of;
	made->tree = tree_create();
	made->numbers = calloc(of->nr_nodes, sizeof(*made->numbers));
	if (made->numbers)
		made->names = calloc(tree_number_names(of, made->numbers),
				     sizeof(*made->names));
	if (!made->tree || !made->names)
		err = -ENOMEM;
	if (!err)
		made->tree->nodes[0].total = of->nodes[0].total;
	for (uint32_t i = 1; i < of->nr_nodes && !err; i++)
		if (of->nodes[i].self)
			err = add(made, 0, i, of->nodes[i].self);
	if (err) {
		callers_destroy(made);
		return err;
	}
	*callers = made;
	return 0;
}

void callers_destroy(struct callers *callers)
{
	if (!callers)
		return;
	for (uint32_t i = 0; i < callers->max_sets; i++)
		free(callers->sets[i].entries);
	free(callers->sets);
	free(callers->numbers);
	free(callers->names);
	tree_destroy(callers->tree);
	free(callers);
}

const struct tree *callers_tree(const struct callers *callers)
{
	return callers->tree;
}

int callers_grow(void *context, uint32_t node)
{
	struct callers *callers = context;
	struct set set = { 0 };
	int err = 0;

	/* the root has no set, nor have nodes without callers */
	if (node < callers->max_sets) {
		set = callers->sets[node];
		callers->sets[node] = (struct set) { 0 };
	}
	for (uint32_t i = 0; i < set.nr && !err; i++) {
		uint32_t above = callers->of->nodes[set.entries[i].at].parent;

		err = add(callers, node, above, set.entries[i].weight);
	}
	free(set.entries);
	return err;
}
