/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trie: numbered nodes, each found by its parent and a label. Stacks that start
 * with the same frames share the nodes of these.
 *
 * The children of a node are a list while they are few, as is usual for call
 * trees, and are in a hash table as well once they are more than TRIE_LISTED. So
 * most look-ups need no hash, and adding below a node that is new finds all that
 * it needs in the processor's cache.
 */
#ifndef FLAMECTL_TRIE_H
#define FLAMECTL_TRIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

#define TRIE_LISTED	8

struct trie_node {
	uint32_t label;
	uint32_t child;			/* the child added last, or 0 */
	uint32_t sibling;		/* the one added before, or 0 */
	uint32_t nr_children;
};

/* Empty if all is 0. Node 0 is the root, and the first to be appended. */
struct trie {
	struct trie_node *nodes;
	uint32_t nr;
	size_t room;
	struct map wide;		/* children of nodes that have many */
	/* nobody will call trie_find(): siblings may have the same label */
	bool unsearched;
};

/** trie_find() - return the child of @parent with this label, or 0. */
static inline uint32_t trie_find(const struct trie *trie, uint32_t parent,
				 uint32_t label)
{
	const struct trie_node *nodes = trie->nodes;
	uint32_t child;

	if (nodes[parent].nr_children > TRIE_LISTED) {
		child = map_find(&trie->wide, map_pair(parent, label));
		return child == MAP_NONE ? 0 : child;
	}
	child = nodes[parent].child;
	while (child && nodes[child].label != label)
		child = nodes[child].sibling;
	return child;
}

/*
 * Make room for a node below @parent, also in the hash table if that is where the
 * node belongs. Return: 0 or -ENOMEM.
 */
int trie_make_room(struct trie *trie, uint32_t parent, uint32_t label);

/* Report whether a node can be added below @parent without trie_make_room(). */
static inline bool trie_has_room(const struct trie *trie, uint32_t parent)
{
	return trie->nr < trie->room &&
	       (trie->nodes[parent].nr_children < TRIE_LISTED || trie->unsearched);
}

/**
 * trie_append() - add a child of @parent; trie_find() must have found none, or
 * trie->unsearched is set.
 *
 * Return: 0 or -ENOMEM. The new node has the number trie->nr - 1; there may be
 * 2^32 - 1 of them.
 */
static inline int trie_append(struct trie *trie, uint32_t parent, uint32_t label)
{
	struct trie_node *above;
	uint32_t id = trie->nr;
	int err = trie_has_room(trie, parent) ? 0 :
		  trie_make_room(trie, parent, label);

	if (err)
		return err;
	trie->nodes[id] = (struct trie_node){ .label = label };
	if (id) {
		above = &trie->nodes[parent];
		trie->nodes[id].sibling = above->child;
		above->child = id;
		above->nr_children++;
	}
	trie->nr++;
	return 0;
}

/** trie_deinit() - free all nodes; @trie is then empty. */
void trie_deinit(struct trie *trie);

#endif /* FLAMECTL_TRIE_H */
