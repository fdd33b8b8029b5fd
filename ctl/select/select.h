/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Select a part of a profile: by frames, tasks, CPUs and contexts. The
 * selection is applied before anything is made of the profile, so every view
 * and every file shows the same part.
 *
 * Selections apply to stacks as views show them: a record without frames is the
 * single frame that fold_bare() returns; lost periods are the single frame
 * "[lost: reason]" on their CPU, without process or context. So a selection by
 * CPU or of frames to leave out keeps lost periods. A selection by frames,
 * processes or contexts leaves them out, because it is not known whose they
 * were.
 *
 * One half of each stack can be selected. All other selections look at whole stacks,
 * so that code of programs can be selected by what it makes the kernel do. A record of
 * which nothing is left stays, as "[user]", "[kernel]" or "[idle]".
 *
 * The books are the counts of what became of each timer period: fires + missed
 * = stored + filtered + lost. Periods that are left out move from stored to
 * filtered, so a selected profile balances and sums to its books like any
 * other. A range of time is different: its books are those of that time.
 */
#ifndef FLAMECTL_SELECT_H
#define FLAMECTL_SELECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"
#include "profile/slices.h"
#include "tree/tree.h"

/* What can be selected by; the command layer has an option for each. */
enum select_option {
	SELECT_INCLUDE,		/* stacks with a frame that matches one of these */
	SELECT_EXCLUDE,		/* stacks without a frame that matches one */
	SELECT_PATH,		/* stacks that match one of these as a whole */
	SELECT_FOCUS,		/* stacks through one of these, from there on */
	SELECT_CUT,		/* their callees' time becomes their own */
	SELECT_NO_IRQS_OFF,	/* the same for time with interrupts off */
	SELECT_USER,		/* of each stack what is of user mode: see half.h */
	SELECT_KERNEL,		/* the other half */
	SELECT_COMM,
	SELECT_PID,
	SELECT_CGROUP,		/* cgroups in one of these subtrees */
	SELECT_CPU,
	SELECT_CONTEXT,
	SELECT_NO_IDLE,
	SELECT_DROP_LATE,	/* no period that a late fire was counted for */
	SELECT_MERGE_THREADS,	/* a thread counts as its process */
	SELECT_MERGE_KTHREADS,	/* kernel threads of a kind become one */
	SELECT_RANGE,		/* a range of time, applied first */
	SELECT_OPTIONS,
};

/* More than users type; scripts can join expressions and lists. */
#define SELECT_TERMS_MAX	256

/* The selection as the user gave it; all zero selects everything. */
struct selection {
	struct select_term {
		enum select_option option;
		const char *text;
	} terms[SELECT_TERMS_MAX];
	unsigned int nr_terms;
	bool sliced;			/* keep the slices of a profile */
};

/**
 * select_add() - add an option to a selection. Several options of the same kind
 * widen it, except SELECT_EXCLUDE; different kinds narrow it.
 * @text: the option's value, kept, not copied; NULL if it takes none.
 *
 * Return: 0, or with nothing changed -EINVAL, -E2BIG for too many, or -ENOMEM,
 * with @error: "VALUE: what is wrong and the limits", or ": what is wrong", or a
 * sentence without its subject, which is the option.
 */
int select_add(struct selection *selection, enum select_option option,
	       const char *text, struct error *error);

/**
 * select_of_profiles() - find a given option that does not work on folded text.
 *
 * Return: an enum select_option, or -1 if there is none.
 */
int select_of_profiles(const struct selection *selection);

/**
 * select_restricts() - report whether a selection leaves out anything but idle time and
 * what is outside a range of time. Merged threads are all kept.
 */
bool select_restricts(const struct selection *selection);

/**
 * select_take_range() - remove the last range of time from a selection.
 *
 * Return: whether there was one; if not, @range is unchanged.
 */
bool select_take_range(struct selection *selection, struct slices_range *range);

/**
 * select_profile() - remove from @profile what is not selected.
 * @profile: replaced, unless everything is selected. Its books must balance.
 * @left_out: set to the periods that were left out.
 *
 * Return: 0, -ENOMEM, -EOVERFLOW for a sum above 2^64, -EBADMSG if the books
 * hold less than the records, -EINVAL if the profile does not say what is asked for, or
 * -ENODATA if nothing is in the range of time.
 * On an error nothing has changed, except that the range may have been applied.
 */
int select_profile(const struct selection *selection, struct profile **profile,
		   uint64_t *left_out, struct error *error);

/**
 * select_check_cpus() - refuse to tell CPUs apart in a profile that has them as one sum:
 * of an event, or of a window of an agent (profile/coarse.h).
 * @asked: the option that needs CPUs.
 *
 * Return: 0 or -EINVAL.
 */
int select_check_cpus(const struct profile_meta *meta, const char *asked,
		      struct error *error);

/**
 * select_tree() - do the same for folded text, which has only frames; comms and
 * other groups are ordinary frames there.
 * @tree: summed, before and afterwards.
 *
 * Return: 0, or -ENOMEM with nothing changed.
 */
int select_tree(const struct selection *selection, struct tree **tree,
		uint64_t *left_out, struct error *error);

#endif /* FLAMECTL_SELECT_H */
