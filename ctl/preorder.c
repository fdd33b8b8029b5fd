// SPDX-License-Identifier: GPL-2.0
/*
 * Ranks of a call tree's nodes, without recursion: see preorder.h. A node
 * follows its caller at once, or the subtree of the sibling before it.
 */
#include "preorder.h"

#include <stdlib.h>

uint32_t *preorder_ranks(const struct profile *profile)
{
	const struct profile_node *nodes = profile->nodes;
	uint32_t *ranks = malloc(profile->nr_nodes * sizeof(*ranks));
	/* of a node's subtree its nodes, then the rank of its next child */
	uint32_t *next = malloc(profile->nr_nodes * sizeof(*next));

	if (!ranks || !next) {
		free(ranks);
		free(next);
		return NULL;
	}

	/* callers have lower numbers than what they call */
	for (uint32_t i = 0; i < profile->nr_nodes; i++)
		next[i] = 1;
	for (uint32_t i = profile->nr_nodes; i-- > 1;)
		next[nodes[i].parent] += next[i];

	ranks[0] = 0;
	next[0] = 1;
	for (uint32_t i = 1; i < profile->nr_nodes; i++) {
		ranks[i] = next[nodes[i].parent];
		next[nodes[i].parent] += next[i];
		next[i] = ranks[i] + 1;
	}
	free(next);
	return ranks;
}

struct place {
	uint32_t rank, number;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

uint32_t *preorder_records(const uint32_t *ranks,
			   const struct profile_record *records, uint32_t nr)
{
	struct place *places = malloc(((size_t)nr + 1) * sizeof(*places));
	uint32_t *numbers = malloc(((size_t)nr + 1) * sizeof(*numbers));

	if (!places || !numbers) {
		free(places);
		free(numbers);
		return NULL;
	}
	for (uint32_t i = 0; i < nr; i++)
		places[i] = (struct place){ ranks[records[i].node], i };
	qsort(places, nr, sizeof(*places), compare_places);
	for (uint32_t i = 0; i < nr; i++)
		numbers[i] = places[i].number;
	free(places);
	return numbers;
}
