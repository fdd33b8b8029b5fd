/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Export of profiles to the formats of other programs' viewers: one file per
 * format, and what they share.
 *
 * Every format keeps the books: the counts of what became of each timer
 * period (fires + missed = stored + filtered + lost). Lost periods become
 * stacks "[lost: reason]", and a record without frames becomes a stack
 * "[user]" or another context's name, so that the weights of a file sum to
 * the books.
 */
#ifndef FLAMECTL_EXPORT_H
#define FLAMECTL_EXPORT_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "profile/profile.h"
#include "tree/tree.h"

/*
 * A writer. @fold says what to group by; the viewers' own formats support only
 * one of FOLD_CPU and FOLD_TID, or none.
 *
 * Return: 0, -ENOMEM, -EOVERFLOW if weights do not fit, or -errno of the
 * stream; @error is filled in.
 */
typedef int (*export_fn)(const struct profile *profile,
			 const struct fold_options *fold, FILE *out,
			 struct error *error);

/** export_speedscope() - write JSON for speedscope: one profile per group. */
int export_speedscope(const struct profile *profile,
		      const struct fold_options *fold, FILE *out,
		      struct error *error);

/**
 * export_firefox() - write JSON for the Firefox Profiler: a thread per group.
 */
int export_firefox(const struct profile *profile,
		   const struct fold_options *fold, FILE *out,
		   struct error *error);

/** export_callgrind() - write for callgrind_annotate and KCachegrind. */
int export_callgrind(const struct profile *profile,
		     const struct fold_options *fold, FILE *out,
		     struct error *error);

/** export_jsonl() - write one JSON object per line: header, records, losses. */
int export_jsonl(const struct profile *profile,
		 const struct fold_options *fold, FILE *out,
		 struct error *error);

/* Records that a viewer shows as one profile or thread. */
struct export_group {
	uint32_t first, nr;		/* range in groups->records */
	uint32_t cpu;			/* from its first record or its books */
	uint32_t task;
	const struct profile_books *lost;	/* its losses, or NULL */
	char *name;
};

struct export_groups {
	uint32_t *records;		/* record numbers, sorted by group */
	struct export_group *groups;
	uint32_t nr;
};

/**
 * export_groups_init() - group the records by CPU, by task, or all as one.
 *
 * Lost periods belong to a CPU, not to a task: when grouping by task, they
 * form a last group of their own, without records.
 *
 * Return: 0 or -ENOMEM; call export_groups_deinit() in either case.
 */
int export_groups_init(struct export_groups *groups,
		       const struct profile *profile,
		       const struct fold_options *fold);

/** export_groups_deinit() - free what @groups holds. */
void export_groups_deinit(struct export_groups *groups);

/**
 * export_check() - check that all weights fit: in nanoseconds if the period is
 * known, else in periods. Return: 0 or -EOVERFLOW with @error.
 */
int export_check(const struct profile *profile, struct error *error);

/** export_weight() - convert periods to nanoseconds if the period is known. */
uint64_t export_weight(const struct profile *profile, uint64_t periods);

/** export_group_weight() - sum up a group's weights, including lost ones. */
uint64_t export_group_weight(const struct profile *profile,
			     const struct export_groups *groups,
			     const struct export_group *group);

/** export_failed() - return the stream's -errno or 0; call it after writing. */
int export_failed(FILE *out);

#endif /* FLAMECTL_EXPORT_H */
