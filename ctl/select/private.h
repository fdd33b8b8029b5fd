/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A selection in the form that it is applied in, to profiles and to trees.
 */
#ifndef FLAMECTL_SELECT_PRIVATE_H
#define FLAMECTL_SELECT_PRIVATE_H

#include <regex.h>
#include <stdbool.h>

#include "base/cpulist.h"
#include "select/select.h"

struct select_patterns {
	regex_t **patterns;
	unsigned int nr;
};

struct select_words {
	char **words;
	unsigned int nr;
};

/* A selection that is ready for use. */
struct criteria {
	unsigned int asked;		/* 1 << of each option given */
	struct select_patterns include, exclude, paths;
	struct select_words focus, cut, comms;
	uint32_t *pids;
	unsigned int nr_pids;
	struct cpulist cpus;
	unsigned int contexts;		/* 1 << of each */
	unsigned int not_contexts;
	struct slices_range range;
};

/* What is known of a stack at one of its frames, from the root down to it. */
enum {
	SELECT_INCLUDED = 1 << 0,	/* as far as --include goes */
	SELECT_EXCLUDED = 1 << 1,
	SELECT_FOCUSED = 1 << 2,	/* this frame is the focus or below */
	SELECT_BELOW_CUT = 1 << 3,	/* what comes below is not shown */
	SELECT_SHOWN = 1 << 4,		/* this frame is */
	SELECT_USED = 1 << 5,		/* by a stack that is kept */
	SELECT_HIDDEN = 1 << 6,		/* this frame is its caller's own time */
	SELECT_NO_PATH = 1 << 7,	/* the stack that ends here is not --path's */
};

/**
 * criteria_init() - make a selection ready. Return: 0, or -ENOMEM; it was
 * checked when it was made. To be followed by criteria_deinit() either way.
 */
int criteria_init(struct criteria *criteria, const struct selection *selection,
		  struct error *error);

/** criteria_deinit() - free what it holds. */
void criteria_deinit(struct criteria *criteria);

/** select_asked() - was @option given? */
bool select_asked(const struct criteria *criteria, enum select_option option);

/** select_matches() - what the name of a frame matches, for select_step(). */
uint8_t select_matches(const struct criteria *criteria, const char *name);

/** select_shown() - a frame's name or a comm, as it is shown where it is empty. */
const char *select_shown(const char *name);

/** select_path_matches() - is it one of --path's, root;...;leaf? */
bool select_path_matches(const struct criteria *criteria, const char *path);

/**
 * select_paths_of_profile() - match the stacks of all records.
 * @paths: by node, for select_path_kept(); to be freed whatever is returned.
 *
 * Return: 0 or -ENOMEM.
 */
int select_paths_of_profile(const struct criteria *criteria,
			    const struct profile *profile, uint8_t **paths);

/** select_path_kept() - does --path, if it was given, keep the record's stack? */
bool select_path_kept(const struct criteria *criteria, const uint8_t *paths,
		      const struct profile_record *record);

/** select_paths_of_tree() - the same of folded text; @paths: not 0 where it matches. */
int select_paths_of_tree(const struct criteria *criteria,
			 const struct tree *tree, uint8_t **paths);

/**
 * select_task_kept() - do --comm and --pid keep it?
 * @comm: what it goes by, its own or its process's.
 */
bool select_task_kept(const struct criteria *criteria,
		      const struct profile_task *task, const char *comm);

/** select_begin() - what is known of a stack before its first frame. */
uint8_t select_begin(const struct criteria *criteria);

/** select_step() - what is known at a frame, from what is known @above it. */
uint8_t select_step(uint8_t above, uint8_t matches);

/** select_keeps() - is a stack that ends here kept? */
bool select_keeps(uint8_t state);

#endif /* FLAMECTL_SELECT_PRIVATE_H */
