// SPDX-License-Identifier: GPL-2.0
/*
 * Check that slices balance and sum to their profile: see slices.h. Files come from
 * anywhere, and another program may have changed a part of them.
 */
#include "profile/slices.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/books.h"
#include "profile/records.h"

#define NSEC_PER_SEC	UINT64_C(1000000000)

static int check_slice(const struct profile *profile, const struct slice *slice,
		       struct error *error)
{
	/*
	 * a profile of this slice alone, as far as profile_check() looks at it
	 */
	struct profile one = *profile;
	struct error inner;
	int err;

	one.meta.intervals = slice->intervals;
	one.records = slice->records;
	one.nr_records = slice->nr_records;
	one.cpus = slice->cpus;
	one.nr_cpus = slice->nr_cpus;
	memset(&one.books, 0, sizeof(one.books));
	for (uint32_t i = 0; i < slice->nr_cpus; i++)
		if (books_add(&one.books, &slice->cpus[i].books))
			return error_set(error, -EBADMSG, "the books of a slice contain numbers above 2^64");
	err = profile_check(&one, &inner);
	if (!err && !intervals_powers_fit(&slice->intervals, slice->records,
					  slice->nr_records))
		err = error_set(&inner, -EBADMSG, "the powers of two do not sum to its hits");
	if (err)
		return error_set(error, err, "in the slice at %" PRIu64 ".%03" PRIu64 " s: %.300s",
				 slice->begin_ns / NSEC_PER_SEC,
				 slice->begin_ns / 1000000 % 1000, inner.text);
	return 0;
}

/* Check the numbers of intervals or hits, which slices have if the profile has them. */
static int check_intervals(const struct profile *profile, struct error *error)
{
	const struct slices *slices = profile->slices;
	struct profile_intervals sum;

	for (uint32_t i = 0; i < slices->nr; i++)
		if (slices->list[i].intervals.known != profile->meta.intervals.known)
			return error_set(error, -EBADMSG, "the number of intervals of a slice is missing, or it has one too many");
	if (slices_sum_intervals(profile, 0, slices->nr, &sum) ||
	    !intervals_same_counts(&sum, &profile->meta.intervals))
		return error_set(error, -EBADMSG, "the intervals of its slices do not sum to its own");
	return 0;
}

int slices_check(const struct profile *profile, struct error *error)
{
	const struct slices *slices = profile->slices;
	struct profile_books none = { 0 };
	struct profile_cpu *left;
	int err = 0;

	if (!slices)
		return 0;
	left = calloc((size_t)profile->nr_cpus + 1, sizeof(*left));
	if (!left)
		return -ENOMEM;
	if (profile->nr_cpus)
		memcpy(left, profile->cpus, profile->nr_cpus * sizeof(*left));
	for (uint32_t i = 0; i < slices->nr && !err; i++)
		err = check_slice(profile, &slices->list[i], error) ?:
		      profile_subtract_cpus(left, profile, slices->list[i].cpus,
					    slices->list[i].nr_cpus);
	for (uint32_t i = 0; i < profile->nr_cpus && !err; i++)
		if (!books_equal(&left[i].books, &none) || left[i].sampled_ns)
			err = -ERANGE;
	free(left);
	if (err == -ERANGE)
		return error_set(error, -EBADMSG, "its slices do not sum to its books");
	return err ?: check_intervals(profile, error);
}
