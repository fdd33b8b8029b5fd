// SPDX-License-Identifier: GPL-2.0
/*
 * How many user stacks are whole: see profile_user_fact().
 */
#include "profile/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/percent.h"

/* What a stack has, from its outermost frame to a node. */
enum { HAS_FRAME = 1, HAS_END = 2 };

/* Return: HAS_FRAME, HAS_END or 0. "[user]" is no stack: user stacks were off. */
static uint8_t frame_has(const struct profile_frame *frame)
{
	if (frame->kind != FLAMEMOD_FRAME_USER || !strcmp(frame->name, "[user]"))
		return 0;
	return strncmp(frame->name, "[user: ", 7) ? HAS_FRAME : HAS_END;
}

/* Return: what the stacks of all nodes have, for the caller to free; or NULL. */
static uint8_t *nodes_have(const struct profile *profile)
{
	uint8_t *have = calloc(profile->nr_nodes, sizeof(*have));

	/* a parent comes before its children */
	for (uint32_t i = 1; have && i < profile->nr_nodes; i++)
		have[i] = have[profile->nodes[i].parent] |
			  frame_has(&profile->frames[profile->nodes[i].frame]);
	return have;
}

const char *profile_user_fact(const struct profile *profile,
			      char text[PROFILE_USER_FACT])
{
	uint8_t *have = nodes_have(profile);
	uint64_t all = 0, cut = 0;
	char share[PERCENT_TEXT];

	for (uint32_t i = 0; have && i < profile->nr_records; i++) {
		const struct profile_record *record = &profile->records[i];

		all += have[record->node] ? record->periods : 0;
		cut += have[record->node] & HAS_END ? record->periods : 0;
	}
	free(have);
	if (!cut)
		return NULL;
	snprintf(text, PROFILE_USER_FACT, "%s %% of user stacks are not whole",
		 percent_text(share, cut, all));
	return text;
}
