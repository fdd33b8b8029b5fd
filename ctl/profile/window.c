// SPDX-License-Identifier: GPL-2.0
/*
 * Compute what was sampled between two instants: the difference of two
 * profiles.
 */
#include "profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "profile/books.h"
#include "profile/draft.h"
#include "profile/profile_map.h"
#include "profile/records.h"

/*
 * Subtract the earlier records from @left, a copy of the later records.
 */
static int subtract_records(struct profile_record *left,
			    const struct profile *later,
			    const struct profile *earlier,
			    struct profile_map *map)
{
	struct profile_record record;
	uint32_t i, found;
	int err;

	for (i = 0; i < earlier->nr_records; i++) {
		record = earlier->records[i];
		err = profile_map_record(map, &record);
		if (err)
			return err;
		found = profile_find_record(later, &record);
		if (found == UINT32_MAX) {
			if (!record.count && !record.periods && !record.late_us)
				continue;
			return -ERANGE;
		}
		if (left[found].count < record.count ||
		    left[found].periods < record.periods ||
		    left[found].late_us < record.late_us)
			return -ERANGE;
		left[found].count -= record.count;
		left[found].periods -= record.periods;
		left[found].late_us -= record.late_us;
	}
	return 0;
}

int profile_subtract_cpus(struct profile_cpu *left, const struct profile *whole,
			  const struct profile_cpu *cpus, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		const struct profile_cpu *found = profile_find_cpu(whole, cpus[i].cpu);
		struct profile_cpu *at;

		if (!found)
			return -ERANGE;
		at = &left[found - whole->cpus];
		if (at->sampled_ns < cpus[i].sampled_ns ||
		    books_subtract(&at->books, &cpus[i].books))
			return -ERANGE;
		at->sampled_ns -= cpus[i].sampled_ns;
	}
	return 0;
}

static int same_epoch(const struct profile *later,
		      const struct profile *earlier, struct error *error)
{
	const struct profile_meta *to = &later->meta, *from = &earlier->meta;

	if (to->epoch != from->epoch)
		return error_set(error, -ERANGE, "the profiles are of epochs %"
				 PRIu32 " and %" PRIu32
				 ": there was a reset between them",
				 from->epoch, to->epoch);
	if (to->instant_ns < from->instant_ns)
		return error_set(error, -ERANGE,
				 "the profile to subtract is later than the other");
	if (to->period_ns != from->period_ns && earlier->nr_records)
		return error_set(error, -ERANGE, "the profiles have periods of %"
				 PRIu64 " and %" PRIu64 " ns",
				 from->period_ns, to->period_ns);
	return 0;
}

/* Compute what is left of @later in @draft. */
static int subtract(struct profile *later, const struct profile *earlier,
		    struct profile_draft *draft, struct profile_intervals *intervals,
		    struct error *error)
{
	struct profile_map map;
	int err = same_epoch(later, earlier, error);

	if (err)
		return err;
	/* what is mapped exists; a few entries that it may add do no harm */
	err = profile_map_init(&map, later, earlier) ?:
	      profile_draft_init(draft, later) ?:
	      profile_map_all(&map) ?:
	      subtract_records(draft->records, later, earlier, &map) ?:
	      profile_subtract_cpus(draft->cpus, later, earlier->cpus,
				    earlier->nr_cpus) ?:
	      books_subtract(&draft->books, &earlier->books) ?:
	      intervals_subtract(intervals, &earlier->meta.intervals);
	if (err == -ERANGE)
		error_set(error, err,
			  "the later profile contains less than the earlier one");
	else if (err)
		error_set(error, err, "%s", strerror(-err));
	profile_map_deinit(&map);
	return err;
}

static void set_times(struct profile *left, const struct profile *earlier)
{
	struct profile_meta *meta = &left->meta;

	meta->begin_ns = earlier->meta.instant_ns;
	if (meta->time_ns)
		meta->time_ns += earlier->meta.instant_ns - meta->since_ns;
	meta->duration_ns = profile_sampled_ns(left) ?:
			    meta->instant_ns - earlier->meta.instant_ns;
}

int profile_subtract(struct profile *later, const struct profile *earlier,
		     struct error *error)
{
	struct profile_draft draft = { .records = NULL };
	struct profile_intervals intervals = later->meta.intervals;
	int err = subtract(later, earlier, &draft, &intervals, error);

	if (!err) {
		profile_draft_apply(&draft, later);
		later->meta.intervals = intervals;
		set_times(later, earlier);
	}
	profile_draft_deinit(&draft);
	return err;
}

/* Copy what is left, with the stacks and commands that it has. */
static int copy_left(const struct profile *later, const struct profile_draft *draft,
		     struct profile *left)
{
	struct profile_map map;
	int err = profile_map_init(&map, left, later);

	for (uint32_t i = 0; i < later->nr_records && !err; i++) {
		struct profile_record record = draft->records[i];

		if (record.count || record.periods || record.late_us)
			err = profile_map_record(&map, &record) ?:
			      profile_add_record(left, &record);
	}
	for (uint32_t i = 0; i < later->nr_cpus && !err; i++)
		err = profile_add_cpu(left, &draft->cpus[i]);
	profile_map_deinit(&map);
	return err;
}

int profile_difference(struct profile *later, const struct profile *earlier,
		       struct profile **difference, struct error *error)
{
	struct profile_draft draft = { .records = NULL };
	struct profile_intervals intervals = later->meta.intervals;
	struct profile *left = NULL;
	int err = subtract(later, earlier, &draft, &intervals, error);

	if (!err) {
		left = profile_create();
		err = left ? copy_left(later, &draft, left) : -ENOMEM;
		if (err)
			error_set(error, err, "%s", strerror(-err));
	}
	profile_draft_deinit(&draft);
	if (err) {
		profile_destroy(left);
		return err;
	}
	left->meta = later->meta;
	left->meta.intervals = intervals;
	set_times(left, earlier);
	*difference = left;
	return 0;
}
