/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Profiles in the formats of other programs' viewers: one file a format, and
 * what they share.
 *
 * In each of them lost periods are stacks "[lost: reason]" and a record
 * without frames is a stack "[user]" or of its other context, so that the
 * weights of a file sum to the books.
 */
#ifndef FLAMECTL_EXPORT_H
#define FLAMECTL_EXPORT_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "profile/profile.h"
#include "tree/tree.h"

/*
 * The writers. @fold says what to group by; the viewers' own formats know
 * nothing but one of FOLD_CPU and FOLD_TID, or none.
 *
 * Return: 0, -ENOMEM, -EOVERFLOW where weights do not fit, or -errno of the
 * stream; @error is filled in.
 */
typedef int (*export_fn)(const struct profile *profile,
			 const struct fold_options *fold, FILE *out,
			 struct error *error);

/** export_speedscope() - JSON for speedscope, one of its profiles a group. */
int export_speedscope(const struct profile *profile,
		      const struct fold_options *fold, FILE *out,
		      struct error *error);

/** export_firefox() - JSON for the Firefox Profiler, one thread a group. */
int export_firefox(const struct profile *profile,
		   const struct fold_options *fold, FILE *out,
		   struct error *error);

/** export_callgrind() - for callgrind_annotate and KCachegrind. */
int export_callgrind(const struct profile *profile,
		     const struct fold_options *fold, FILE *out,
		     struct error *error);

/** export_jsonl() - a JSON object a line: a header, records, what was lost. */
int export_jsonl(const struct profile *profile,
		 const struct fold_options *fold, FILE *out,
		 struct error *error);

/* Records that a viewer shows apart. */
struct export_group {
	uint32_t first, nr;		/* of groups->records */
	uint32_t cpu;			/* of its first record or its books */
	uint32_t task;
	const struct profile_books *lost;	/* to be shown with it, or NULL */
	char *name;
};

struct export_groups {
	uint32_t *records;		/* their numbers, group by group */
	struct export_group *groups;
	uint32_t nr;
};

/**
 * export_groups_init() - one group a CPU, a task, or one of all.
 *
 * Lost periods belong to a CPU, and to no task: by tasks they are a group of
 * their own, the last, without records.
 *
 * Return: 0 or -ENOMEM; deinit either way.
 */
int export_groups_init(struct export_groups *groups,
		       const struct profile *profile,
		       const struct fold_options *fold);

/** export_groups_deinit() - free what @groups holds. */
void export_groups_deinit(struct export_groups *groups);

/**
 * export_check() - do all weights fit, in nanoseconds where the period is
 * known? Return: 0 or -EOVERFLOW with @error.
 */
int export_check(const struct profile *profile, struct error *error);

/** export_weight() - periods in nanoseconds, or as they are. */
uint64_t export_weight(const struct profile *profile, uint64_t periods);

/** export_group_weight() - the sum of a group's weights, lost ones included. */
uint64_t export_group_weight(const struct profile *profile,
			     const struct export_groups *groups,
			     const struct export_group *group);

/** export_failed() - the stream's -errno, or 0: to be asked after writing. */
int export_failed(FILE *out);

#endif /* FLAMECTL_EXPORT_H */
