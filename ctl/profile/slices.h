/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile's records by time: slices one after the other, in bounded memory.
 *
 * Where there are more than the bound, neighbours are joined two by two, so
 * that each covers twice the time, and who adds is to add twice as much from
 * then on. However long it was, slices cover all of it and sum to the profile.
 */
#ifndef FLAMECTL_SLICES_H
#define FLAMECTL_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"

/* More than any picture shows: 17 minutes by the second. */
#define SLICES_MAX		1024
/* Of all slices together: 192 MiB of records, 13 MiB of books. */
#define SLICES_RECORDS_MAX	(1U << 22)
#define SLICES_BOOKS_MAX	(1U << 17)

/* Times are since the profile's begin. */
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

/** slices_destroy() - NULL is fine. */
void slices_destroy(struct slices *slices);

/**
 * slices_add() - add what was sampled from one instant to another to a profile,
 * and as its last slice.
 * @profile: empty, or made by this.
 * @part: untouched; of the same period.
 * @begin_ns: not before the end of the last slice.
 *
 * Return: 0, or as profile_join(); then @profile is good for nothing but
 * profile_destroy().
 */
int slices_add(struct profile *profile, const struct profile *part,
	       uint64_t begin_ns, uint64_t end_ns);

/**
 * slices_finish() - join the last slice to the one before where it is less than
 * half as long, as the rest of a time is.
 *
 * Return: 0 or -ENOMEM.
 */
int slices_finish(struct profile *profile, struct error *error);

/*
 * What the reader of saved profiles makes slices with: begun in their order,
 * then given books and records, whose totals the profile has already.
 */

/**
 * slices_begin() - the next slice.
 *
 * Return: 0, -ENOMEM, -E2BIG past SLICES_MAX, or -EINVAL for times that are
 * not behind the last one's.
 */
int slices_begin(struct profile *profile, uint64_t begin_ns, uint64_t end_ns);

/** slices_add_cpu() - to the last slice, CPUs rising. Return: as above. */
int slices_add_cpu(struct profile *profile, const struct profile_cpu *cpu);

/**
 * slices_add_record() - to the slice that begins at @begin_ns.
 *
 * Return: 0, -ENOMEM, or -ENOENT where none does.
 */
int slices_add_record(struct profile *profile, uint64_t begin_ns,
		      const struct profile_record *record);

/**
 * slices_check() - does each slice balance, and do they sum to the profile?
 *
 * Return: 0, -ENOMEM, or -EBADMSG with @error saying what does not.
 */
int slices_check(const struct profile *profile, struct error *error);

/**
 * slices_pack() - put together a slice's records of the same key, which adders
 * leave apart.
 */
void slices_pack(struct profile *profile);

/* A range of time; to_ns is UINT64_MAX for the end. */
struct slices_range {
	uint64_t from_ns, to_ns;
};

/**
 * slices_parse_range() - "2,5", "500ms,1.5s", "2,", ",5".
 *
 * Return: 0, or -EINVAL with @error saying what it is to be.
 */
int slices_parse_range(const char *text, struct slices_range *range,
		       struct error *error);

/**
 * slices_find() - the slices that lie in a range of time, be it in part:
 * @first to before @end.
 *
 * Return: 0, or -ENODATA with @error where there are no slices, or none there.
 */
int slices_find(const struct profile *profile, const struct slices_range *range,
		uint32_t *first, uint32_t *end, struct error *error);

/**
 * slices_cut() - the profile of a range of time.
 * @profile: replaced.
 * @sliced: by one that has those slices; else it has none.
 *
 * Return: 0, -ENOMEM, or as slices_find().
 */
int slices_cut(struct profile **profile, const struct slices_range *range,
	       bool sliced, struct error *error);

/**
 * slices_profile() - slices @first to before @end as a profile of their own.
 *
 * Return: to be destroyed, or NULL when memory is short.
 */
struct profile *slices_profile(const struct profile *profile, uint32_t first,
			       uint32_t end);

#endif /* FLAMECTL_SLICES_H */
