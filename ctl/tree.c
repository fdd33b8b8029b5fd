// SPDX-License-Identifier: GPL-2.0
/*
 * The call tree: nodes in one array, found by a hash of (parent, name, kind),
 * their names interned.
 *
 * Stacks of other tools may be thousands of frames deep and folded files hold
 * hundreds of thousands of them, so nothing here recurses and adding a frame
 * costs one look-up of its name and one of its node.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "tree.h"

#define ARENA_CHUNK 65536
#define FIRST_NODES 64
#define FIRST_SLOTS 128		/* a power of two, twice FIRST_NODES */

/* Names lie in chunks that never move, so that nodes may point into them. */
struct chunk {
	struct chunk *next;
	char text[];
};

struct name {
	const char *text;
	uint64_t hash;
};

/* Open addressing; a slot holds a number plus one, 0 where it is free. */
struct slots {
	uint32_t *slot;
	size_t nr;		/* a power of two, at least twice what is held */
};

struct tree_index {
	struct slots by_name;
	struct slots by_node;
	struct name *names;
	uint32_t nr_names, max_names;
	uint64_t *node_hash;	/* by node */
	uint32_t max_nodes;
	struct chunk *chunks;
	char *free;		/* in the newest chunk */
	size_t nr_free;
};

static uint64_t hash_node(uint32_t parent, uint64_t name_hash,
			  enum tree_kind kind)
{
	return hash_numbers(parent, (uint32_t)name_hash,
			    (uint32_t)(name_hash >> 32), kind);
}

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

/* Keep @slots at most half full with @held numbers and one more. */
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
	return index->node_hash[node];
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

/* Find or make the one copy of @text. */
static int name_intern(struct tree_index *index, const char *text,
		       struct name *name)
{
	const struct slots *slots = &index->by_name;
	size_t length = strlen(text), at;
	char *copy;
	int err;

	name->hash = hash_bytes(text, length);
	for (at = name->hash & (slots->nr - 1); slots->slot[at];
	     at = (at + 1) & (slots->nr - 1)) {
		const struct name *held = &index->names[slots->slot[at] - 1];

		if (held->hash == name->hash && !strcmp(held->text, text)) {
			name->text = held->text;
			return 0;
		}
	}

	err = names_reserve(index);
	if (!err)
		err = slots_grow(&index->by_name, index->nr_names,
				 name_hash_of, index);
	if (err)
		return err;
	copy = arena_take(index, length + 1);
	if (!copy)
		return -ENOMEM;

	name->text = memcpy(copy, text, length + 1);
	index->names[index->nr_names] = *name;
	slots_put(&index->by_name, name->hash, index->nr_names++);
	return 0;
}

static int nodes_reserve(struct tree *tree)
{
	struct tree_index *index = tree->index;
	uint32_t max = index->max_nodes ? index->max_nodes * 2 : FIRST_NODES;
	struct tree_node *nodes;
	uint64_t *hashes;

	if (tree->nr_nodes < index->max_nodes)
		return 0;
	if (index->max_nodes >= TREE_NODES_MAX)
		return -EOVERFLOW;

	nodes = realloc(tree->nodes, max * sizeof(*nodes));
	if (!nodes)
		return -ENOMEM;
	tree->nodes = nodes;
	hashes = realloc(index->node_hash, max * sizeof(*hashes));
	if (!hashes)
		return -ENOMEM;
	index->node_hash = hashes;
	index->max_nodes = max;
	return 0;
}

static int node_append(struct tree *tree, uint32_t parent, const char *name,
		       enum tree_kind kind, uint64_t hash)
{
	struct tree_index *index = tree->index;
	uint32_t id = tree->nr_nodes;
	int err = nodes_reserve(tree);

	if (!err)
		err = slots_grow(&index->by_node, id, node_hash_of, index);
	if (err)
		return err;

	tree->nodes[id] = (struct tree_node) {
		.name = name, .kind = kind, .parent = parent,
	};
	index->node_hash[id] = hash;
	slots_put(&index->by_node, hash, id);
	tree->nr_nodes++;
	return 0;
}

struct tree *tree_create(void)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	struct name all;

	if (!tree)
		return NULL;
	tree->index = calloc(1, sizeof(*tree->index));
	if (!tree->index || slots_init(&tree->index->by_name) ||
	    slots_init(&tree->index->by_node) ||
	    name_intern(tree->index, "all", &all) ||
	    node_append(tree, 0, all.text, TREE_ROOT,
			hash_node(0, all.hash, TREE_ROOT))) {
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
		free(tree->index->node_hash);
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

/* Siblings of one name would share a hash: theirs is of their number. */
static int add_ordered(struct tree *tree, uint32_t parent, const char *name,
		       enum tree_kind kind, uint32_t *id)
{
	const struct tree_node *latest = &tree->nodes[tree->nodes[parent].child];
	int err;

	*id = tree->nodes[parent].child;
	if (*id && latest->kind == kind && latest->name == name)
		return 0;
	*id = tree->nr_nodes;
	err = node_append(tree, parent, name, kind, hash_numbers(*id, 0, 0, 0));
	if (!err)
		link_child(tree, parent, *id);
	return err;
}

int tree_add(struct tree *tree, uint32_t parent, const char *name,
	     enum tree_kind kind, uint32_t *id)
{
	struct tree_index *index = tree->index;
	const struct slots *slots = &index->by_node;
	struct name interned;
	uint64_t hash;
	int err;

	err = name_intern(index, name, &interned);
	if (err)
		return err;

	if (tree->ordered)
		return add_ordered(tree, parent, interned.text, kind, id);
	hash = hash_node(parent, interned.hash, kind);
	for (size_t at = hash & (slots->nr - 1); slots->slot[at];
	     at = (at + 1) & (slots->nr - 1)) {
		uint32_t found = slots->slot[at] - 1;
		const struct tree_node *node = &tree->nodes[found];

		/* the root is not its own child, whatever a frame is called */
		if (found && node->parent == parent && node->kind == kind &&
		    node->name == interned.text) {
			*id = found;
			return 0;
		}
	}

	err = node_append(tree, parent, interned.text, kind, hash);
	if (err)
		return err;
	*id = tree->nr_nodes - 1;
	link_child(tree, parent, *id);
	return 0;
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
	uint32_t runs[33] = { 0 }, sorted = 0;

	while (first) {
		uint32_t run = first;
		unsigned int i;

		first = nodes[first].sibling;
		nodes[run].sibling = 0;
		for (i = 0; runs[i]; i++) {
			run = siblings_merge(nodes, runs[i], run);
			runs[i] = 0;
		}
		runs[i] = run;
	}

	for (unsigned int i = 0; i < 33; i++)
		sorted = siblings_merge(nodes, runs[i], sorted);
	return sorted;
}

void tree_sum(struct tree *tree)
{
	struct tree_node *nodes = tree->nodes;

	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		nodes[i].total = nodes[i].self;
		nodes[i].child = tree->ordered ?
				 siblings_turn(nodes, nodes[i].child) :
				 siblings_sort(nodes, nodes[i].child);
	}

	/* children have higher numbers than their parents */
	for (uint32_t i = tree->nr_nodes; i-- > 1;)
		nodes[nodes[i].parent].total =
			tree_weight_add(nodes[nodes[i].parent].total,
					nodes[i].total);
}

struct named {
	const char *name;
	uint32_t node;
};

/* Names are interned: the same name is the same pointer. */
static int compare_names(const void *left, const void *right)
{
	const struct named *a = left, *b = right;

	return a->name < b->name ? -1 : a->name > b->name;
}

int tree_number_names(const struct tree *tree, uint32_t *numbers,
		      uint32_t *nr_names)
{
	struct named *named = calloc(tree->nr_nodes, sizeof(*named));
	uint32_t nr = 0;

	if (!named)
		return -ENOMEM;
	for (uint32_t i = 0; i < tree->nr_nodes; i++)
		named[i] = (struct named){ tree->nodes[i].name, i };
	qsort(named, tree->nr_nodes, sizeof(*named), compare_names);
	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		if (i && named[i].name != named[i - 1].name)
			nr++;
		numbers[named[i].node] = nr;
	}
	*nr_names = nr + 1;
	free(named);
	return 0;
}
