// SPDX-License-Identifier: GPL-2.0
/*
 * The call tree: nodes in one array, found by (parent, name, kind) through a trie;
 * names are interned and numbered.
 *
 * Other tools' stacks may be thousands of frames deep, and folded files may
 * hold hundreds of thousands of stacks. So nothing here recurses, and adding a
 * frame costs one look-up of its name and one of its node.
 */
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/trie.h"
#include "base/vec.h"
#include "tree/tree.h"

struct tree_index {
	struct intern names;
	struct trie trie;	/* not searched in an ordered tree */
	size_t nodes_room;
};

#define KIND_BITS	4
#define NAMES_MAX	(1U << (32 - KIND_BITS))

static uint32_t label_of(uint32_t name, enum tree_kind kind)
{
	static_assert(TREE_MARK < 1 << KIND_BITS, "a kind fits into its bits");

	return name << KIND_BITS | kind;
}

int tree_name(struct tree *tree, const char *text, size_t length,
	      uint32_t *name)
{
	int err = intern_add(&tree->index->names, text, length, name);

	return !err && *name >= NAMES_MAX ? -EOVERFLOW : err;
}

uint32_t tree_find(const struct tree *tree, uint32_t parent, const char *text,
		   size_t length)
{
	const struct trie_node *nodes = tree->index->trie.nodes;
	uint32_t child = nodes[parent].child;

	if (nodes[parent].nr_children > TRIE_LISTED)
		return 0;
	while (child && !intern_is(&tree->index->names,
				   nodes[child].label >> KIND_BITS, text, length))
		child = tree->ordered ? 0 : nodes[child].sibling;
	return child;
}

/* Add the root, or a child of @parent. Not inlined, so that finding is short. */
__attribute__((noinline))
static int append(struct tree *tree, uint32_t parent, uint32_t name,
		  enum tree_kind kind, uint32_t *id)
{
	struct tree_index *index = tree->index;
	uint32_t nr = tree->nr_nodes;
	int err;

	if (nr == TREE_NODES_MAX)
		return -EOVERFLOW;
	err = vec_reserve(tree->nodes, index->nodes_room, nr + 1U) ?:
	      trie_append(&index->trie, parent, label_of(name, kind));
	if (err)
		return err;
	tree->nodes[nr] = (struct tree_node) {
		.name = intern_text(&index->names, name), .kind = kind,
		.parent = parent,
	};
	if (nr) {
		tree->nodes[nr].sibling = tree->nodes[parent].child;
		tree->nodes[parent].child = nr;
	}
	tree->nr_nodes++;
	*id = nr;
	return 0;
}

struct tree *tree_create(void)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	uint32_t all, root;

	if (!tree)
		return NULL;
	tree->index = calloc(1, sizeof(*tree->index));
	if (!tree->index || tree_name(tree, "all", strlen("all"), &all) ||
	    append(tree, 0, all, TREE_ROOT, &root)) {
		tree_destroy(tree);
		return NULL;
	}
	return tree;
}

void tree_destroy(struct tree *tree)
{
	if (!tree)
		return;
	if (tree->index) {
		intern_deinit(&tree->index->names);
		trie_deinit(&tree->index->trie);
		free(tree->index);
	}
	free(tree->nodes);
	free(tree);
}

static int add_ordered(struct tree *tree, uint32_t parent, uint32_t name,
		       enum tree_kind kind, uint32_t *id)
{
	uint32_t latest = tree->nodes[parent].child;

	*id = latest;
	if (latest &&
	    tree->index->trie.nodes[latest].label == label_of(name, kind))
		return 0;
	tree->index->trie.unsearched = true;
	return append(tree, parent, name, kind, id);
}

int tree_add_named(struct tree *tree, uint32_t parent, uint32_t name,
		   enum tree_kind kind, uint32_t *id)
{
	if (tree->ordered)
		return add_ordered(tree, parent, name, kind, id);
	*id = trie_find(&tree->index->trie, parent, label_of(name, kind));
	return *id ? 0 : append(tree, parent, name, kind, id);
}

int tree_add(struct tree *tree, uint32_t parent, const char *name,
	     enum tree_kind kind, uint32_t *id)
{
	uint32_t number;

	return tree_name(tree, name, strlen(name), &number) ?:
	       tree_add_named(tree, parent, number, kind, id);
}

static uint32_t siblings_turn(struct tree_node *nodes, uint32_t first)
{
	uint32_t turned = 0;

	while (first) {
		uint32_t next = nodes[first].sibling;

		nodes[first].sibling = turned;
		turned = first;
		first = next;
	}
	return turned;
}

static bool node_precedes(const struct tree_node *a, const struct tree_node *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order < 0 : a->kind < b->kind;
}

/* Merge two sorted lists of siblings. Return: the first. */
static uint32_t siblings_merge(struct tree_node *nodes, uint32_t a, uint32_t b)
{
	uint32_t first = 0, *link = &first;

	while (a && b) {
		uint32_t *next = node_precedes(&nodes[b], &nodes[a]) ? &b : &a;

		*link = *next;
		link = &nodes[*next].sibling;
		*next = *link;
	}
	*link = a ? a : b;
	return first;
}

/*
 * Bottom-up merge sort of a list: runs[i] is empty or a sorted list of 2^i
 * siblings.
 */
static uint32_t siblings_sort(struct tree_node *nodes, uint32_t first)
{
	uint32_t runs[33], sorted = 0;
	unsigned int nr_runs = 0, i;

	while (first) {
		uint32_t run = first;

		first = nodes[first].sibling;
		nodes[run].sibling = 0;
		for (i = 0; i < nr_runs && runs[i]; i++) {
			run = siblings_merge(nodes, runs[i], run);
			runs[i] = 0;
		}
		runs[i] = run;
		if (i == nr_runs)
			nr_runs++;
	}

	for (i = 0; i < nr_runs; i++)
		sorted = siblings_merge(nodes, runs[i], sorted);
	return sorted;
}

void tree_sum(struct tree *tree)
{
	struct tree_node *nodes = tree->nodes;

	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		uint32_t child = nodes[i].child;

		nodes[i].total = nodes[i].self;
		if (child && nodes[child].sibling)
			nodes[i].child = tree->ordered ?
					 siblings_turn(nodes, child) :
					 siblings_sort(nodes, child);
	}

	/* backwards: children have higher numbers than their parents */
	for (uint32_t i = tree->nr_nodes; i-- > 1;)
		nodes[nodes[i].parent].total =
			tree_weight_add(nodes[nodes[i].parent].total,
					nodes[i].total);
}

uint32_t tree_number_names(const struct tree *tree, uint32_t *numbers)
{
	for (uint32_t i = 0; i < tree->nr_nodes; i++)
		numbers[i] = tree->index->trie.nodes[i].label >> KIND_BITS;
	return tree->index->names.nr;
}
