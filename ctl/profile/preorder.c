// SPDX-License-Identifier: GPL-2.0
/*
 * Rank a call tree's nodes, without recursion: see preorder.h. Callees of one
 * caller are ordered by their frames' numbers, which a saved profile keeps, so
 * a profile that is read and saved again becomes the same file.
 */
#include "profile/preorder.h"

#include <stdlib.h>

/* For each node its first callee and its caller's next callee; 0 for none. */
struct links {
	uint32_t *callee, *next;
};

/*
 * Sort the numbers of all nodes but the root by frame. Return: NULL without
 * memory.
 */
static uint32_t *nodes_by_frame(const struct profile *profile)
{
	uint32_t *places = calloc((size_t)profile->nr_frames + 1, sizeof(*places));
	uint32_t *nodes = malloc(profile->nr_nodes * sizeof(*nodes));

	if (!places || !nodes) {
		free(places);
		free(nodes);
		return NULL;
	}
	for (uint32_t i = 1; i < profile->nr_nodes; i++)
		places[profile->nodes[i].frame + 1]++;
	for (uint32_t i = 1; i <= profile->nr_frames; i++)
		places[i] += places[i - 1];
	for (uint32_t i = 1; i < profile->nr_nodes; i++)
		nodes[places[profile->nodes[i].frame]++] = i;
	free(places);
	return nodes;
}

static void link_nodes(const struct profile *profile, const uint32_t *by_frame,
		       struct links *links)
{
	for (uint32_t i = profile->nr_nodes - 1; i-- > 0;) {
		uint32_t node = by_frame[i];
		uint32_t *callee = &links->callee[profile->nodes[node].parent];

		links->next[node] = *callee;
		*callee = node;
	}
}

static void walk(const struct profile *profile, const struct links *links,
		 uint32_t *ranks)
{
	uint32_t rank = 0, node = 0;

	for (;;) {
		ranks[node] = rank++;
		if (links->callee[node]) {
			node = links->callee[node];
			continue;
		}
		while (node && !links->next[node])
			node = profile->nodes[node].parent;
		if (!node)
			return;
		node = links->next[node];
	}
}

uint32_t *preorder_ranks(const struct profile *profile)
{
	struct links links = {
		.callee = calloc(profile->nr_nodes, sizeof(uint32_t)),
		.next = calloc(profile->nr_nodes, sizeof(uint32_t)),
	};
	uint32_t *ranks = malloc(profile->nr_nodes * sizeof(*ranks));
	uint32_t *by_frame = nodes_by_frame(profile);

	if (links.callee && links.next && ranks && by_frame) {
		link_nodes(profile, by_frame, &links);
		walk(profile, &links, ranks);
	} else {
		free(ranks);
		ranks = NULL;
	}
	free(links.callee);
	free(links.next);
	free(by_frame);
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
