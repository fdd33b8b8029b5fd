/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of a profile is wanted: by frames, tasks, CPUs and contexts. It is
 * taken before anything is made of a profile, so that every view and every
 * file shows the same.
 *
 * A stack is what views show: a record without frames is the one frame
 * fold_bare() says, and lost periods are the one frame "[lost: reason]" on
 * their CPU, without process or context. So a selection by CPU or of frames to
 * leave out keeps what was lost, and one by frames, processes or contexts leaves
 * it out, for nobody knows whose it was.
 *
 * What is left out is not forgotten: its periods move to the books' filtered,
 * so that a selected profile balances, and sums to its books, as any other.
 * A range of time is another matter: its books are those of that time.
 */
#ifndef FLAMECTL_SELECT_H
#define FLAMECTL_SELECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option.h"
#include "profile/profile.h"
#include "profile/slices.h"
#include "tree/tree.h"

/* What can be asked for, in the order of select_options. */
enum select_option {
	SELECT_INCLUDE,		/* stacks with a frame that matches one of these */
	SELECT_EXCLUDE,		/* stacks without a frame that matches one */
	SELECT_PATH,		/* stacks that match one of these as a whole */
	SELECT_FOCUS,		/* stacks through one of these, from there on */
	SELECT_CUT,		/* what these call is their own */
	SELECT_NO_IRQS_OFF,	/* so is time with interrupts off */
	SELECT_COMM,
	SELECT_PID,
	SELECT_CPU,
	SELECT_CONTEXT,
	SELECT_NO_IDLE,
	SELECT_MERGE_THREADS,	/* a thread is its process */
	SELECT_MERGE_KTHREADS,	/* kernel threads of a kind are one */
	SELECT_RANGE,		/* what was sampled in this time, taken first */
	SELECT_OPTIONS,
};

/* The options of every command that takes a selection: its shared ones. */
extern const struct command_option select_options[SELECT_OPTIONS + 1];

/* More than anybody types; scripts can join expressions and lists. */
#define SELECT_TERMS_MAX	256

/* What was asked for, as it was said; zeroed, it is everything. */
struct selection {
	struct select_term {
		enum select_option option;
		const char *text;
	} terms[SELECT_TERMS_MAX];
	unsigned int nr_terms;
	bool sliced;			/* a profile that is cut by time is to stay so */
};

/**
 * select_add() - ask for something; more of the same kind widens it, except
 * for --exclude, and each kind narrows what the others leave.
 * @text: the option's value, kept, not copied; NULL for one that has none.
 *
 * Return: 0, or with nothing changed -EINVAL with @error naming option, value
 * and limits, -E2BIG for too many, or -ENOMEM.
 */
int select_add(struct selection *selection, enum select_option option,
	       const char *text, struct error *error);

/**
 * select_of_profiles() - the name of an option that was given and that folded
 * text cannot obey, or NULL.
 */
const char *select_of_profiles(const struct selection *selection);

/**
 * select_take_range() - take the last range of time out of a selection.
 *
 * Return: whether there was one; else @range is unchanged.
 */
bool select_take_range(struct selection *selection, struct slices_range *range);

/**
 * select_profile() - leave out of @profile what is not selected.
 * @profile: replaced, unless everything is selected. Its books must balance.
 * @left_out: set to the periods that were left out.
 *
 * Return: 0, or with nothing changed -ENOMEM, -EOVERFLOW for a sum past 2^64,
 * -EBADMSG where the books hold less than the records, or -ENODATA where
 * nothing is in the range of time. A range alone may have been taken.
 */
int select_profile(const struct selection *selection, struct profile **profile,
		   uint64_t *left_out, struct error *error);

/**
 * select_tree() - the same for folded text, of which only frames are known;
 * comms and other groups are frames there like any other.
 * @tree: summed, before and afterwards.
 *
 * Return: 0, or -ENOMEM and nothing changed.
 */
int select_tree(const struct selection *selection, struct tree **tree,
		uint64_t *left_out, struct error *error);

#endif /* FLAMECTL_SELECT_H */
