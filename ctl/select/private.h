/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A selection in its parsed form, ready to be applied to profiles and trees.
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
	unsigned int asked;		/* 1 << option, for each one given */
	struct select_patterns include, exclude, paths;
	struct select_words focus, cut, comms, cgroups;
	uint32_t *pids;
	unsigned int nr_pids;
	struct cpulist cpus;
	unsigned int contexts;		/* 1 << context, for each */
	unsigned int not_contexts;
	struct slices_range range;
};

/*
 * What is known about a stack at one of its frames, from those above and
 * itself.
 */
enum {
	SELECT_INCLUDED = 1 << 0,	/* --include is satisfied */
	SELECT_EXCLUDED = 1 << 1,
	SELECT_FOCUSED = 1 << 2,	/* this frame is the focus or below */
	SELECT_BELOW_CUT = 1 << 3,	/* frames below are not shown */
	SELECT_SHOWN = 1 << 4,		/* this frame is shown */
	SELECT_USED = 1 << 5,		/* a kept stack uses this frame */
	SELECT_HIDDEN = 1 << 6,		/* shown as its caller's own time */
	SELECT_NO_PATH = 1 << 7,	/* --path rejects the stack to here */
};

/**
 * criteria_init() - parse a selection, which was checked when it was made. Call
 * criteria_deinit() afterwards, also on an error. Return: 0 or -ENOMEM.
 */
int criteria_init(struct criteria *criteria, const struct selection *selection,
		  struct error *error);

/** criteria_deinit() - free the memory of @criteria. */
void criteria_deinit(struct criteria *criteria);

/** select_asked() - report whether @option was given. */
bool select_asked(const struct criteria *criteria, enum select_option option);

/** select_half() - return the half of stacks that is asked for (tree/half.h). */
uint8_t select_half(const struct criteria *criteria);

/**
 * select_matches() - compute what a frame's name matches, for select_step().
 */
uint8_t select_matches(const struct criteria *criteria, const char *name);

/**
 * select_shown() - return a frame's name or comm as shown, even if it is empty.
 */
const char *select_shown(const char *name);

/** select_path_matches() - report whether --path matches root;...;leaf. */
bool select_path_matches(const struct criteria *criteria, const char *path);

/**
 * select_paths_of_profile() - match the stacks of all records against --path.
 * @paths: set, by node, for select_path_kept(); the caller frees it, also on an
 *         error.
 *
 * Return: 0 or -ENOMEM.
 */
int select_paths_of_profile(const struct criteria *criteria,
			    const struct profile *profile, uint8_t **paths);

/**
 * select_path_kept() - report whether --path is not given or keeps the record.
 */
bool select_path_kept(const struct criteria *criteria, const uint8_t *paths,
		      const struct profile_record *record);

/**
 * select_paths_of_tree() - match folded text; @paths: set to nonzero at
 * matching nodes.
 */
int select_paths_of_tree(const struct criteria *criteria,
			 const struct tree *tree, uint8_t **paths);

/**
 * select_task_kept() - report whether --comm, --pid and --cgroup keep a task.
 * @comm: the comm to compare, its own or its process's.
 */
bool select_task_kept(const struct criteria *criteria,
		      const struct profile_task *task, const char *comm);

/* The number of a task that is left out. */
#define SELECT_LEFT_OUT	UINT32_MAX

/**
 * select_tasks() - add the tasks to @to that a selection of @from keeps.
 * @tasks: set, by task, to its number in @to or SELECT_LEFT_OUT; the caller frees
 *         it, also on an error.
 *
 * Return: 0 or -ENOMEM.
 */
int select_tasks(const struct criteria *criteria, const struct profile *from,
		 struct profile *to, uint32_t **tasks);

/** select_begin() - return the state of a stack before its first frame. */
uint8_t select_begin(const struct criteria *criteria);

/** select_step() - compute the state at a frame from the state @above it. */
uint8_t select_step(uint8_t above, uint8_t matches);

/** select_keeps() - report whether a stack that ends here is kept. */
bool select_keeps(uint8_t state);

#endif /* FLAMECTL_SELECT_PRIVATE_H */
