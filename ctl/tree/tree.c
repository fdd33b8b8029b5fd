// SPDX-License-Identifier: GPL-2.0
/*
 * The call tree: nodes in one array, found by a hash of (parent, name, kind);
 * names are interned and numbered.
 *
 * Other tools' stacks may be thousands of frames deep, and folded files may
 * hold hundreds of thousands of stacks. So nothing here recurses, and adding a
 * frame costs one look-up of its name and one of its node.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "tree/tree.h"

#define ARENA_CHUNK 65536
#define FIRST_NODES 64
#define FIRST_SLOTS 128		/* a power of two, twice FIRST_NODES */

/* Names are stored in chunks that never move, so nodes can point into them. */
struct chunk {
	struct chunk *next;
	char text[];
};

struct name {
	const char *text;
	size_t length;
	uint64_t hash;
};

/* A node's look-up key, stored apart so that a look-up touches few nodes. */
struct node_key {
	uint32_t hash;
	uint32_t name;
};

/* Open addressing; a slot holds a number plus one, or 0 if it is free. */
struct slots {
	uint32_t *slot;
	size_t nr;		/* a power of two, at least twice the entries */
};

struct tree_index {
	struct slots by_name;
	struct slots by_node;
	struct name *names;
	uint32_t nr_names, max_names;
	struct node_key *keys;	/* by node */
	uint32_t max_nodes;
	struct chunk *chunks;
	char *free;		/* in the newest chunk */
	size_t nr_free;
};

static int slots_init(struct slots *slots)
{
	slots->nr = FIRST_SLOTS;
	slots->slot = calloc(slots->nr, sizeof(*slots->slot));
	return slots->slot ? 0 : -ENOMEM;
}

static void slots_put(struct slots *slots, uint64_t hash, uint32_t number)
{
	size_t at = hash & (slots->nr - 1);

	while (slots->slot[at])
		at = (at + 1) & (slots->nr - 1);
	slots->slot[at] = number + 1;
}

/* Grow @slots so that @held numbers and one more fill at most half of it. */
static int slots_grow(struct slots *slots, uint32_t held,
		      uint64_t (*hash)(const struct tree_index *, uint32_t),
		      const struct tree_index *index)
{
	struct slots bigger = { .nr = slots->nr * 2 };

	if ((size_t)held + 1 <= slots->nr / 2)
		return 0;

	bigger.slot = calloc(bigger.nr, sizeof(*bigger.slot));
	if (!bigger.slot)
		return -ENOMEM;

	for (uint32_t i = 0; i < held; i++)
		slots_put(&bigger, hash(index, i), i);
	free(slots->slot);
	*slots = bigger;
	return 0;
}

static uint64_t name_hash_of(const struct tree_index *index, uint32_t name)
{
	return index->names[name].hash;
}

static uint64_t node_hash_of(const struct tree_index *index, uint32_t node)
{
	return index->keys[node].hash;
}

static char *arena_take(struct tree_index *index, size_t size)
{
	char *taken;

	if (index->nr_free < size) {
		size_t room = size > ARENA_CHUNK ? size : ARENA_CHUNK;
		struct chunk *chunk = malloc(sizeof(*chunk) + room);

		if (!chunk)
			return NULL;
		chunk->next = index->chunks;
		index->chunks = chunk;
		index->free = chunk->text;
		index->nr_free = room;
	}

	taken = index->free;
	index->free += size;
	index->nr_free -= size;
	return taken;
}

static int names_reserve(struct tree_index *index)
{
	uint32_t max = index->max_names ? index->max_names * 2 : FIRST_NODES;
	struct name *names;

	if (index->nr_names < index->max_names)
		return 0;
	if (index->max_names > UINT32_MAX / 2)
		return -EOVERFLOW;

	names = realloc(index->names, max * sizeof(*names));
	if (!names)
		return -ENOMEM;
	index->names = names;
	index->max_names = max;
	return 0;
}

static int name_append(struct tree_index *index, const char *text,
		       size_t length, uint64_t hash)
{
	char *copy;
	int err = names_reserve(index);

	if (!err)
		err = slots_grow(&index->by_name, index->nr_names,
				 name_hash_of, index);
	if (err)
		return err;
	copy = arena_take(index, length + 1);
	if (!copy)
		return -ENOMEM;

	memcpy(copy, text, length);
	copy[length] = '\0';
	index->names[index->nr_names] = (struct name){ copy, length, hash };
	slots_put(&index->by_name, hash, index->nr_names++);
	return 0;
}

int tree_name(struct tree *tree, const char *text, size_t length,
	      uint32_t *name)
{
	struct tree_index *index = tree->index;
	const struct slots *slots = &index->by_name;
	uint64_t hash = hash_bytes(text, length);
	int err;

	for (size_t at = hash & (slots->nr - 1); slots->slot[at];
	     at = (at + 1) & (slots->nr - 1)) {
		const struct name *held = &index->names[slots->slot[at] - 1];

		if (held->hash == hash && held->length == length &&
		    !memcmp(held->text, text, length)) {
			*name = slots->slot[at] - 1;
			return 0;
		}
	}

	err = name_append(index, text, length, hash);
	if (!err)
		*name = index->nr_names - 1;
	return err;
}

static int nodes_reserve(struct tree *tree)
{
	struct tree_index *index = tree->index;
	uint32_t max = index->max_nodes ? index->max_nodes * 2 : FIRST_NODES;
	struct tree_node *nodes;
	struct node_key *keys;

	if (tree->nr_nodes < index->max_nodes)
		return 0;
	if (index->max_nodes >= TREE_NODES_MAX)
		return -EOVERFLOW;

	nodes = realloc(tree->nodes, max * sizeof(*nodes));
	if (!nodes)
		return -ENOMEM;
	tree->nodes = nodes;
	keys = realloc(index->keys, max * sizeof(*keys));
	if (!keys)
		return -ENOMEM;
	index->keys = keys;
	index->max_nodes = max;
	return 0;
}

static int node_append(struct tree *tree, uint32_t parent, uint32_t name,
		       enum tree_kind kind, uint32_t hash)
{
	struct tree_index *index = tree->index;
	uint32_t id = tree->nr_nodes;
	int err = nodes_reserve(tree);

	if (!err)
		err = slots_grow(&index->by_node, id, node_hash_of, index);
	if (err)
		return err;

	tree->nodes[id] = (struct tree_node) {
		.name = index->names[name].text, .kind = kind, .parent = parent,
	};
	index->keys[id] = (struct node_key){ hash, name };
	slots_put(&index->by_node, hash, id);
	tree->nr_nodes++;
	return 0;
}

struct tree *tree_create(void)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	uint32_t all;

	if (!tree)
		return NULL;
	tree->index = calloc(1, sizeof(*tree->index));
	if (!tree->index || slots_init(&tree->index->by_name) ||
	    slots_init(&tree->index->by_node) ||
	    tree_name(tree, "all", strlen("all"), &all) ||
	    node_append(tree, 0, all, TREE_ROOT, 0)) {
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
		struct chunk *chunk = tree->index->chunks;

		while (chunk) {
			struct chunk *next = chunk->next;

			free(chunk);
			chunk = next;
		}
		free(tree->index->by_name.slot);
		free(tree->index->by_node.slot);
		free(tree->index->names);
		free(tree->index->keys);
		free(tree->index);
	}
	free(tree->nodes);
	free(tree);
}

static void link_child(struct tree *tree, uint32_t parent, uint32_t child)
{
	tree->nodes[child].sibling = tree->nodes[parent].child;
	tree->nodes[parent].child = child;
}

/* Hash a node by its number: siblings of the same name would share a hash. */
static int add_ordered(struct tree *tree, uint32_t parent, uint32_t name,
		       enum tree_kind kind, uint32_t *id)
{
	uint32_t latest = tree->nodes[parent].child;
	int err;

	*id = latest;
	if (latest && tree->nodes[latest].kind == kind &&
	    tree->index->keys[latest].name == name)
		return 0;
	*id = tree->nr_nodes;
	err = node_append(tree, parent, name, kind,
			  (uint32_t)hash_numbers(*id, 0, 0, 0));
	if (!err)
		link_child(tree, parent, *id);
	return err;
}

int tree_add_named(struct tree *tree, uint32_t parent, uint32_t name,
		   enum tree_kind kind, uint32_t *id)
{
	const struct tree_index *index = tree->index;
	const struct slots *slots = &index->by_node;
	uint32_t hash = (uint32_t)hash_numbers(parent, name, kind, 0);
	int err;

	if (tree->ordered)
		return add_ordered(tree, parent, name, kind, id);
	for (size_t at = hash & (slots->nr - 1); slots->slot[at];
	     at = (at + 1) & (slots->nr - 1)) {
		uint32_t found = slots->slot[at] - 1;

		/* never return the root as its own child, whatever the name */
		if (found && index->keys[found].hash == hash &&
		    index->keys[found].name == name &&
		    tree->nodes[found].parent == parent &&
		    tree->nodes[found].kind == kind) {
			*id = found;
			return 0;
		}
	}

	err = node_append(tree, parent, name, kind, hash);
	if (err)
		return err;
	*id = tree->nr_nodes - 1;
	link_child(tree, parent, *id);
	return 0;
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
		numbers[i] = tree->index->keys[i].name;
	return tree->index->nr_names;
}
