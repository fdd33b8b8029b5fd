// SPDX-License-Identifier: GPL-2.0
/*
 * Add nodes to a trie: see trie.h.
 */
#include "base/trie.h"

#include <errno.h>
#include <stdlib.h>

#include "base/vec.h"

/* Put the children of a node that has TRIE_LISTED into the hash table. */
static void put_children(struct trie *trie, uint32_t parent)
{
	uint32_t child = trie->nodes[parent].child;

	for (; child; child = trie->nodes[child].sibling)
		map_put(&trie->wide, map_pair(parent, trie->nodes[child].label),
			child);
}

/* Put a new child of a node that has many into the hash table. */
static int put_child(struct trie *trie, uint32_t parent, uint32_t label)
{
	int err = map_reserve(&trie->wide, TRIE_LISTED + 1);

	if (err)
		return err;
	if (trie->nodes[parent].nr_children == TRIE_LISTED)
		put_children(trie, parent);
	map_put(&trie->wide, map_pair(parent, label), trie->nr);
	return 0;
}

int trie_make_room(struct trie *trie, uint32_t parent, uint32_t label)
{
	int err = vec_reserve(trie->nodes, trie->room, (size_t)trie->nr + 1);

	if (err || !trie->nr || trie_has_room(trie, parent))
		return err;
	return put_child(trie, parent, label);
}

void trie_deinit(struct trie *trie)
{
	free(trie->nodes);
	map_deinit(&trie->wide);
	*trie = (struct trie){ 0 };
}
