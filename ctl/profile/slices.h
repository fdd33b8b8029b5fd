/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile's records by time: consecutive slices, in bounded memory.
 *
 * If there are more slices than the bound, neighbours are joined in pairs. Each
 * slice then covers twice the time, and the caller must add slices of twice the
 * length from then on. However long the recording is, its slices cover all of
 * it and sum to the profile.
 *
 * Events that are recorded together, such as samples and latency:vfs_read, have the same
 * slices: they are cut at the same times, and the bound is that of all of them.
 */
#ifndef FLAMECTL_SLICES_H
#define FLAMECTL_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"

/* More than any picture shows: 17 minutes of one-second slices. */
#define SLICES_MAX		1024
/* For all slices together: 192 MiB of records, 13 MiB of books. */
#define SLICES_RECORDS_MAX	(1U << 22)
#define SLICES_BOOKS_MAX	(1U << 17)

/* Times are relative to the profile's start. */
struct slice {
	uint64_t begin_ns, end_ns;
	struct profile_record *records;	/* numbers are the profile's */
	struct profile_cpu *cpus;	/* in rising order of cpu */
	uint32_t nr_records, nr_cpus, max_records, max_cpus;
	struct profile_intervals intervals;	/* of an event other than samples */
};

struct slices {
	struct slice *list;		/* in the order of time */
	uint32_t nr;
	uint32_t nr_joined;		/* how often neighbours were joined */
};

/** slices_destroy() - free @slices; NULL is fine. */
void slices_destroy(struct slices *slices);

/**
 * slices_add() - add what was sampled between two instants to a profile, and
 * append it as the last slice.
 * @profile: empty, or made by this function.
 * @part: not changed; has the same sampling period.
 * @begin_ns: not before the end of the last slice.
 *
 * Return: 0, or as profile_join(); on an error @profile can only be passed to
 * profile_destroy().
 */
int slices_add(struct profile *profile, const struct profile *part,
	       uint64_t begin_ns, uint64_t end_ns);

/**
 * slices_append() - do the same, whatever the bound is: slices_bound() comes next.
 */
int slices_append(struct profile *profile, const struct profile *part,
		  uint64_t begin_ns, uint64_t end_ns);

/**
 * slices_bound() - join neighbours in pairs while there are too many.
 * @profiles: events that have the same slices: they still have afterwards.
 *
 * Return: 0, -ENOMEM or -EOVERFLOW.
 */
int slices_bound(struct profile *const *profiles, unsigned int nr);

/**
 * slices_finish() - join the last slice to the one before if it is less than
 * half as long, as the remainder at the end of a recording may be. Then set the
 * profile's number of intervals or hits to the sum of all slices'.
 *
 * Return: 0, -ENOMEM or -EOVERFLOW.
 */
int slices_finish(struct profile *profile, struct error *error);

/* Room for slices_joined_fact(), and a NUL. */
#define SLICES_JOINED_FACT	160

/**
 * slices_joined_fact() - write how long slices are if neighbours were joined: "slices are about
 * 2.00 s long, not 1.00 s: ...".
 * @slice_ns: how long they were to be.
 *
 * Return: @text, "" if none were joined since the recording began.
 */
const char *slices_joined_fact(char text[SLICES_JOINED_FACT], const struct profile *profile,
			       uint64_t slice_ns);

/**
 * slices_sum_intervals() - sum the numbers of intervals or hits of the slices @first to
 * @end - 1. Their powers of two are known if those of all these slices are.
 * @sum: set; may be the profile's own. What is not counted, such as the minimum, is the
 *	 profile's.
 *
 * Return: 0 or -EOVERFLOW.
 */
int slices_sum_intervals(const struct profile *profile, uint32_t first, uint32_t end,
			 struct profile_intervals *sum);

/** slices_same_times() - report whether two profiles are cut at the same times, or both not. */
bool slices_same_times(const struct profile *a, const struct profile *b);

/*
 * The reader of saved profiles makes slices with the functions below: it starts
 * them in order, then adds books and records, whose totals the profile has
 * already.
 */

/**
 * slices_begin() - start the next slice.
 *
 * Return: 0, -ENOMEM, -E2BIG for more than SLICES_MAX, or -EINVAL for times
 * that are not after those of the last slice.
 */
int slices_begin(struct profile *profile, uint64_t begin_ns, uint64_t end_ns);

/**
 * slices_add_cpu() - add books to the last slice, CPUs rising.
 *
 * Return: as above.
 */
int slices_add_cpu(struct profile *profile, const struct profile_cpu *cpu);

/**
 * slices_add_record() - add a record to the slice that starts at @begin_ns.
 *
 * Return: 0, -ENOMEM, or -ENOENT if there is no such slice.
 */
int slices_add_record(struct profile *profile, uint64_t begin_ns,
		      const struct profile_record *record);

/** slices_last() - return the last slice. @profile: has at least one. */
static inline struct slice *slices_last(struct profile *profile)
{
	return &profile->slices->list[profile->slices->nr - 1];
}

/**
 * slices_find_begin() - find the slice that starts at @begin_ns.
 *
 * Return: NULL if there is none.
 */
struct slice *slices_find_begin(const struct profile *profile, uint64_t begin_ns);

/**
 * slices_move() - move the slices of a profile to another, with the numbers of its stacks
 * and tasks.
 * @to: has all stacks and tasks of @from's records, or gets them.
 *
 * Return: 0, or as profile_map_record(); @from can then only be destroyed.
 */
int slices_move(struct profile *to, struct profile *from);

/**
 * slices_check() - check that the books of each slice balance and that slices
 * sum to the profile, and so do the numbers of intervals or hits.
 *
 * Return: 0, -ENOMEM, or -EBADMSG with @error saying what is wrong.
 */
int slices_check(const struct profile *profile, struct error *error);

/**
 * slices_pack() - merge each slice's records of the same key, which
 * slices_add_record() leaves separate.
 */
void slices_pack(struct profile *profile);

/* A range of time; to_ns is UINT64_MAX for the end. */
struct slices_range {
	uint64_t from_ns, to_ns;
};

/**
 * slices_parse_range() - parse "2,5", "500ms,1.5s", "2," or ",5".
 *
 * Return: 0, or -EINVAL with @error saying what is expected.
 */
int slices_parse_range(const char *text, struct slices_range *range,
		       struct error *error);

/**
 * slices_find() - find the slices that lie, at least in part, in a time range.
 * @first: set to the first of them.
 * @end: set to the number after the last.
 *
 * Return: 0, or -ENODATA with @error if there are no slices at all, or none
 * there.
 */
int slices_find(const struct profile *profile, const struct slices_range *range,
		uint32_t *first, uint32_t *end, struct error *error);

/**
 * slices_cut() - reduce a profile to a range of time.
 * @profile: replaced.
 * @sliced: keep those slices; else the new profile has none.
 *
 * Return: 0, -ENOMEM, or as slices_find().
 */
int slices_cut(struct profile **profile, const struct slices_range *range,
	       bool sliced, struct error *error);

/**
 * slices_profile() - make a profile of the slices @first to @end - 1.
 *
 * Return: the profile, which the caller destroys, or NULL when memory is short.
 */
struct profile *slices_profile(const struct profile *profile, uint32_t first,
			       uint32_t end);

#endif /* FLAMECTL_SLICES_H */
