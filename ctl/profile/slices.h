/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile's records by time: consecutive slices, in bounded memory.
 *
 * If there are more slices than the bound, neighbours are joined in pairs. Each
 * slice then covers twice the time, and the caller must add slices of twice the
 * length from then on. However long the recording is, its slices cover all of
 * it and sum to the profile.
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
 * slices_finish() - join the last slice to the one before if it is less than
 * half as long, as the remainder at the end of a recording may be.
 *
 * Return: 0 or -ENOMEM.
 */
int slices_finish(struct profile *profile, struct error *error);

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

/**
 * slices_check() - check that the books of each slice balance and that slices
 * sum to the profile.
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
