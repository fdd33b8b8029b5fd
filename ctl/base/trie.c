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

int trie_append(struct trie *trie, uint32_t parent, uint32_t label)
{
	struct trie_node *above;
	uint32_t id = trie->nr;
	int err = vec_reserve(trie->nodes, trie->room, (size_t)id + 1);

	if (err)
		return err;
	trie->nodes[id] = (struct trie_node){ .label = label };
	if (id) {
		above = &trie->nodes[parent];
		if (above->nr_children >= TRIE_LISTED && !trie->unsearched) {
			err = map_reserve(&trie->wide, TRIE_LISTED + 1);
			if (err)
				return err;
			if (above->nr_children == TRIE_LISTED)
				put_children(trie, parent);
			map_put(&trie->wide, map_pair(parent, label), id);
		}
		trie->nodes[id].sibling = above->child;
		above->child = id;
		above->nr_children++;
	}
	trie->nr++;
	return 0;
}

void trie_deinit(struct trie *trie)
{
	free(trie->nodes);
	map_deinit(&trie->wide);
	*trie = (struct trie){ 0 };
}
