// SPDX-License-Identifier: GPL-2.0
/*
 * Find out what a selection matched: see select/met.h. Each value of each term
 * is looked for separately, as a selection of its own, until it is found.
 */
#include "select/met.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "select/private.h"
#include "tree/half.h"

#define VALUES_MAX	64

/*
 * Report whether the option's value is a list, each element of which must
 * match.
 */
static bool is_list(enum select_option option)
{
	return option == SELECT_COMM || option == SELECT_PID ||
	       option == SELECT_CONTEXT;
}

static bool can_miss(enum select_option option)
{
	switch (option) {
	case SELECT_INCLUDE:
	case SELECT_EXCLUDE:
	case SELECT_PATH:
	case SELECT_FOCUS:
	case SELECT_CUT:
	case SELECT_USER:
	case SELECT_KERNEL:
	case SELECT_COMM:
	case SELECT_PID:
	case SELECT_CGROUP:
	case SELECT_CPU:
	case SELECT_CONTEXT:
		return true;
	default:
		return false;
	}
}

/* Get the value at @index of a term. Return: its length, 0 after the last. */
static size_t value_at(const struct select_term *term, unsigned int index,
		       const char **value)
{
	const char *at = term->text;

	/* these have no value: it is said what they select */
	if (term->option == SELECT_USER)
		at = "user frames";
	else if (term->option == SELECT_KERNEL)
		at = "kernel frames";
	if (!is_list(term->option)) {
		*value = at;
		return index ? 0 : strlen(at);
	}
	for (; index; index--) {
		at += strcspn(at, ",");
		if (!*at++)
			return 0;
	}
	*value = at;
	return strcspn(at, ",");
}

/* ---- what a frame, a stack or a task can meet ---- */

static bool name_meets(const struct criteria *criteria, const char *name)
{
	return select_matches(criteria, name);
}

static int frames_meet(const struct criteria *criteria,
		       const struct profile *profile, bool *met)
{
	char name[64];

	for (uint32_t i = 0; i < profile->nr_frames && !*met; i++)
		*met = name_meets(criteria, select_shown(profile->frames[i].name));
	for (uint32_t i = 0; i < profile->nr_records && !*met; i++)
		*met = !profile->records[i].node &&
		       name_meets(criteria, fold_bare(profile->records[i].context));
	for (unsigned int i = 0; i < PROFILE_LOST_MAX && !*met; i++) {
		snprintf(name, sizeof(name), "[lost: %s]", profile_lost_name(i));
		*met = profile->books.lost[i] && name_meets(criteria, name);
	}
	return 0;
}

static int paths_meet(const struct criteria *criteria,
		      const struct profile *profile, bool *met)
{
	uint8_t *paths;
	int err = select_paths_of_profile(criteria, profile, &paths);

	for (uint32_t i = 0; !err && i < profile->nr_records && !*met; i++)
		*met = select_path_kept(criteria, paths, &profile->records[i]);
	free(paths);
	return err;
}

static bool tasks_meet(const struct criteria *criteria,
		       const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_tasks; i++)
		if (select_task_kept(criteria, &profile->tasks[i],
				     profile->tasks[i].comm))
			return true;
	return false;
}

static bool records_meet(const struct criteria *criteria,
			 const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_records; i++)
		if (criteria->contexts & 1U << profile->records[i].context)
			return true;
	return false;
}

static bool cpus_meet(const struct criteria *criteria,
		      const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_cpus; i++)
		if (cpulist_has(&criteria->cpus, profile->cpus[i].cpu))
			return true;
	return false;
}

static int profile_meets(enum select_option option,
			 const struct criteria *criteria,
			 const struct profile *profile, bool *met)
{
	switch (option) {
	case SELECT_COMM:
	case SELECT_PID:
	case SELECT_CGROUP:
		*met = tasks_meet(criteria, profile);
		return 0;
	case SELECT_CPU:
		*met = cpus_meet(criteria, profile);
		return 0;
	case SELECT_CONTEXT:
		*met = records_meet(criteria, profile);
		return 0;
	case SELECT_PATH:
		return paths_meet(criteria, profile, met);
	case SELECT_USER:
	case SELECT_KERNEL:
		*met = half_in_profile(profile, select_half(criteria));
		return 0;
	default:
		return frames_meet(criteria, profile, met);
	}
}

static int tree_meets(enum select_option option, const struct criteria *criteria,
		      const struct tree *tree, bool *met)
{
	uint8_t *paths;
	int err;

	if (option == SELECT_USER || option == SELECT_KERNEL) {
		*met = half_in_tree(tree, select_half(criteria));
		return 0;
	}
	if (option != SELECT_PATH) {
		for (uint32_t i = 1; i < tree->nr_nodes && !*met; i++)
			*met = name_meets(criteria, tree->nodes[i].name);
		return 0;
	}
	err = select_paths_of_tree(criteria, tree, &paths);
	for (uint32_t i = 1; !err && i < tree->nr_nodes && !*met; i++)
		*met = tree->nodes[i].self && paths[i];
	free(paths);
	return err;
}

/* ---- all terms ---- */

/* Either @profile or @tree is NULL. */
static int meet_value(enum select_option option, const char *value, size_t length,
		      const struct profile *profile, const struct tree *tree,
		      bool *met)
{
	char *text = strndup(value, length);
	struct selection one = { .terms = { { option, text } }, .nr_terms = 1 };
	struct criteria criteria = { 0 };
	int err = text ? criteria_init(&criteria, &one, NULL) : -ENOMEM;

	*met = false;
	if (!err)
		err = profile ? profile_meets(option, &criteria, profile, met) :
				tree_meets(option, &criteria, tree, met);
	criteria_deinit(&criteria);
	free(text);
	return err;
}

static int meet(const struct selection *selection, const struct profile *profile,
		const struct tree *tree, struct select_met *all)
{
	for (unsigned int i = 0; i < selection->nr_terms; i++) {
		const struct select_term *term = &selection->terms[i];
		const char *value;
		size_t length;

		if (!can_miss(term->option))
			continue;
		for (unsigned int j = 0; j < VALUES_MAX &&
		     (length = value_at(term, j, &value)); j++) {
			bool met = all->bits[i] >> j & 1;
			int err = met ? 0 : meet_value(term->option, value, length,
						       profile, tree, &met);

			if (err)
				return err;
			all->bits[i] |= (uint64_t)met << j;
		}
	}
	return 0;
}

int select_meet_profile(const struct selection *selection,
			const struct profile *profile, struct select_met *met)
{
	met->nr_profiles++;
	met->nr_nameless += profile_is_imported(&profile->meta) &&
			    !fold_has_comms(profile);
	return meet(selection, profile, NULL, met);
}

int select_meet_tree(const struct selection *selection, const struct tree *tree,
		     struct select_met *met)
{
	return meet(selection, NULL, tree, met);
}

bool select_next_miss(const struct selection *selection,
			const struct select_met *met, struct select_miss *at)
{
	for (; at->term < selection->nr_terms; at->term++, at->index = 0) {
		const struct select_term *term = &selection->terms[at->term];
		unsigned int index;

		if (!can_miss(term->option))
			continue;
		while (at->index < VALUES_MAX &&
		       (at->length = value_at(term, at->index, &at->value))) {
			index = at->index++;
			if (met->bits[at->term] >> index & 1)
				continue;
			at->option = term->option;
			return true;
		}
	}
	return false;
}

bool select_only_nameless(const struct select_met *met)
{
	return met->nr_profiles && met->nr_profiles == met->nr_nameless;
}
