// SPDX-License-Identifier: GPL-2.0
/*
 * Make a call tree of a profile: grouping levels, then the stack of each
 * record, then lost periods, so that the tree's weights sum to the profile's
 * books (the counts of what became of each timer period).
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/fold_level.h"
#include "base/wording.h"
#include "tree/tree.h"

/* The tree node that a node of the profile was folded to last. */
struct place {
	uint32_t below;		/* below_key(), 0: not folded yet */
	uint32_t at;
};

/* The state of one fold. */
struct folding {
	const struct profile *profile;
	const struct fold_options *options;
	struct tree *tree;
	uint32_t *names;	/* by frame: number of its name, plus one */
	struct place *places;	/* by node of the profile */
	bool has_comms;		/* the comm of at least one task is known */
	uint32_t *path;		/* room for the deepest stack */
	bool by_hits;		/* what was lost of an event is counted, not weighed */
};

/*
 * Allocate room for the deepest stack. Depths are computed in one pass: a
 * parent's number is less than those of its children.
 */
static uint32_t *path_alloc(const struct profile *profile)
{
	uint32_t *depths = calloc((size_t)profile->nr_nodes + 1,
				  sizeof(*depths));
	uint32_t deepest = 0, *path;

	if (!depths)
		return NULL;
	for (uint32_t i = 1; i < profile->nr_nodes; i++) {
		depths[i] = depths[profile->nodes[i].parent] + 1;
		if (depths[i] > deepest)
			deepest = depths[i];
	}
	path = realloc(depths, ((size_t)deepest + 1) * sizeof(*path));
	return path ? path : depths;
}

static int add_level(struct folding *folding, enum fold_level level,
		     const struct profile_record *record, uint32_t *at)
{
	char text[FOLD_LEVEL_TEXT];
	const char *name;
	uint32_t number;
	size_t length;

	/* no comm is known: leave out a level that would be the same for all */
	if (level == FOLD_COMM && !folding->has_comms &&
	    folding->options->nr_by == 1)
		return 0;
	name = fold_level_text(folding->profile, record, level, text, &length);
	return tree_name(folding->tree, name, length, &number) ?:
	       tree_add_named(folding->tree, *at, number, TREE_TASK, at);
}

static enum tree_kind frame_kind(const struct profile_frame *frame,
				 enum flamemod_context context)
{
	switch (frame->kind) {
	case FLAMEMOD_FRAME_MARK:
		return TREE_MARK;
	case FLAMEMOD_FRAME_USER:
		return TREE_USER;
	case FLAMEMOD_FRAME_MODULE:
		return context == FLAMEMOD_CONTEXT_IDLE ? TREE_IDLE : TREE_MODULE;
	default:
		return context == FLAMEMOD_CONTEXT_IDLE ? TREE_IDLE : TREE_KERNEL;
	}
}

static int add_frame(struct folding *folding, uint32_t frame,
		     enum flamemod_context context, uint32_t *at)
{
	const struct profile_frame *added = &folding->profile->frames[frame];
	const char *text = added->name[0] ? added->name : "[unknown]";
	uint32_t name = folding->names[frame] - 1;

	if (!folding->names[frame]) {
		int err = tree_name(folding->tree, text, strlen(text), &name);

		if (err)
			return err;
		folding->names[frame] = name + 1;
	}
	return tree_add_named(folding->tree, *at, name,
			      frame_kind(added, context), at);
}

/*
 * Combine the node that a stack is put below and whether its frames are idle.
 */
static uint32_t below_key(uint32_t at, enum flamemod_context context)
{
	static_assert(TREE_NODES_MAX <= UINT32_MAX / 4, "the key has a bit and a 0 more");

	return 2 * at + (context == FLAMEMOD_CONTEXT_IDLE) + 1;
}

/*
 * Callers that were folded below the same node before are not looked up again.
 */
static int add_stack(struct folding *folding,
		     const struct profile_record *record, uint32_t *at)
{
	const struct profile_node *nodes = folding->profile->nodes;
	uint32_t below = below_key(*at, record->context);
	uint32_t depth = 0, node = record->node;
	int err = 0;

	if (!node)
		return tree_add(folding->tree, *at, fold_bare(record->context),
				fold_bare_kind(record->context), at);

	for (; node && folding->places[node].below != below; node = nodes[node].parent)
		folding->path[depth++] = node;
	if (node)
		*at = folding->places[node].at;
	while (!err && depth--) {
		node = folding->path[depth];
		err = add_frame(folding, nodes[node].frame, record->context, at);
		folding->places[node] = (struct place){ below, *at };
	}
	return err;
}

static void add_weight(struct tree *tree, uint32_t node, uint64_t weight)
{
	tree->nodes[node].self = tree_weight_add(tree->nodes[node].self, weight);
}

static int fold_record(struct folding *folding,
		       const struct profile_record *record)
{
	const struct fold_options *options = folding->options;
	uint64_t weight = options->by_count ? record->count : record->periods;
	uint32_t at = 0;
	int err = 0;

	if (!weight)
		return 0;

	for (unsigned int i = 0; !err && i < options->nr_by; i++)
		err = add_level(folding, options->by[i], record, &at);
	if (!err && !options->groups_only)
		err = add_stack(folding, record, &at);
	if (!err)
		add_weight(folding->tree, at, weight);
	return err;
}

static int fold_lost(struct folding *folding, const uint64_t *lost,
		     const char *level)
{
	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++) {
		char name[64];
		uint32_t at = 0;
		int err = 0;

		if (!lost[i])
			continue;
		snprintf(name, sizeof(name), "[lost: %s]", profile_lost_name(i));
		if (level)
			err = tree_add(folding->tree, at, level, TREE_TASK, &at);
		if (!err)
			err = tree_add(folding->tree, at, name, TREE_LOST, &at);
		if (err)
			return err;
		add_weight(folding->tree, at, lost[i]);
	}
	return 0;
}

/* Get what is lost in books, in what the tree counts. An event has the books of one CPU. */
static void find_lost(const struct folding *folding, const struct profile_books *books,
		      uint64_t lost[PROFILE_LOST_MAX])
{
	if (folding->by_hits)
		intervals_lost(&folding->profile->meta.intervals, books, lost);
	else
		memcpy(lost, books->lost, sizeof(books->lost));
}

/*
 * Put each CPU's lost periods below it, and those of no known CPU at the root.
 */
static int fold_lost_by_cpu(struct folding *folding)
{
	const struct profile *profile = folding->profile;
	uint64_t rest[PROFILE_LOST_MAX], lost[PROFILE_LOST_MAX];

	find_lost(folding, &profile->books, rest);
	for (uint32_t i = 0; i < profile->nr_cpus; i++) {
		const struct profile_cpu *cpu = &profile->cpus[i];
		char level[FOLD_LEVEL_TEXT];
		int err;

		snprintf(level, sizeof(level), "cpu %u", cpu->cpu);
		find_lost(folding, &cpu->books, lost);
		err = fold_lost(folding, lost, level);
		if (err)
			return err;
		for (unsigned int j = 0; j < PROFILE_LOST_MAX; j++)
			rest[j] -= rest[j] < lost[j] ? rest[j] : lost[j];
	}
	return fold_lost(folding, rest, NULL);
}

static bool is_grouped_by_cpu(const struct fold_options *options)
{
	for (unsigned int i = 0; i < options->nr_by; i++)
		if (options->by[i] == FOLD_CPU)
			return true;
	return false;
}

static int fold_all(struct folding *folding)
{
	const struct profile *profile = folding->profile;
	uint64_t lost[PROFILE_LOST_MAX];

	for (uint32_t i = 0; i < profile->nr_records; i++) {
		int err = fold_record(folding, &profile->records[i]);

		if (err)
			return err;
	}
	if (is_grouped_by_cpu(folding->options))
		return fold_lost_by_cpu(folding);
	find_lost(folding, &profile->books, lost);
	return fold_lost(folding, lost, NULL);
}

/* Other programs' profiles may have weights only and no counts. */
static bool counts_samples(const struct profile *profile)
{
	uint32_t i;

	for (i = 0; i < profile->nr_records; i++)
		if (profile->records[i].count)
			return true;
	return !profile->nr_records || profile->meta.intervals.known;
}

int fold_check(const struct profile *profile, const struct fold_options *options,
	       struct error *error)
{
	if (!options->by_count || counts_samples(profile))
		return 0;
	return error_set(error, -ENODATA, "it does not contain numbers of samples: %s",
			 WORDING(NO_COUNT));
}

bool fold_has_comms(const struct profile *profile)
{
	uint32_t i;

	for (i = 0; i < profile->nr_tasks; i++)
		if (*profile->tasks[i].comm)
			return true;
	return false;
}

struct tree *fold_profile(const struct profile *profile,
			  const struct fold_options *options,
			  struct error *error)
{
	struct folding folding = {
		.profile = profile,
		.options = options,
		.tree = tree_create(),
		.names = calloc((size_t)profile->nr_frames + 1, sizeof(uint32_t)),
		.places = calloc(profile->nr_nodes, sizeof(struct place)),
		.path = path_alloc(profile),
		.has_comms = fold_has_comms(profile),
		.by_hits = options->by_count && profile->meta.intervals.known,
	};
	bool is_ready = folding.tree && folding.names && folding.places &&
			folding.path;
	int err = -ENOMEM;

	if (is_ready)
		err = fold_all(&folding);
	free(folding.names);
	free(folding.places);
	free(folding.path);
	if (!err) {
		tree_sum(folding.tree);
		return folding.tree;
	}
	tree_destroy(folding.tree);
	error_set(error, err, err == -ENOMEM ? "memory is short" :
		  "its stacks together have more than %u frames", TREE_NODES_MAX);
	return NULL;
}
