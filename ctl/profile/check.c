// SPDX-License-Identifier: GPL-2.0
/*
 * Check a profile: its books (the counts of what became of each timer period)
 * balance, its records sum to them, and its CPUs sum to the whole.
 */
#include "profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/books.h"
#include "profile/records.h"

static int check_sides(const struct profile_books *books, const char *of,
		       struct error *error)
{
	uint64_t came, went;

	if (books_sides(books, &came, &went))
		return error_set(error, -EBADMSG, "the books of %s contain numbers above 2^64",
				 of);
	if (came != went)
		return error_set(error, -EBADMSG, "the books of %s do not balance: "
				 "fires %" PRIu64 " + missed %" PRIu64
				 ", but stored %" PRIu64 " + filtered %" PRIu64
				 " + lost %" PRIu64, of, books->fires,
				 books->missed, books->stored, books->filtered,
				 profile_lost(books));
	return 0;
}

/* @sums: one per entry of profile->cpus */
static int sum_records(const struct profile *profile, uint64_t *sums,
		       struct error *error)
{
	const struct profile_record *record;
	const struct profile_cpu *cpu;
	uint64_t *sum;
	uint32_t i;

	for (i = 0; i < profile->nr_records; i++) {
		record = &profile->records[i];
		cpu = profile_find_cpu(profile, record->cpu);
		if (!cpu)
			return error_set(error, -EBADMSG,
					 "CPU %" PRIu32 " has records, but no books",
					 record->cpu);
		sum = &sums[cpu - profile->cpus];
		if (__builtin_add_overflow(*sum, record->periods, sum))
			return error_set(error, -EBADMSG,
					 "the records of CPU %" PRIu32
					 " sum to more than 2^64", record->cpu);
	}
	return 0;
}

static int check_cpus(const struct profile *profile, uint64_t *sums,
		      struct error *error)
{
	struct profile_books total = { 0 };
	const struct profile_cpu *cpu;
	char of[32];
	uint32_t i;
	int err;

	err = sum_records(profile, sums, error);
	for (i = 0; i < profile->nr_cpus && !err; i++) {
		cpu = &profile->cpus[i];
		snprintf(of, sizeof(of), "CPU %" PRIu32, cpu->cpu);
		err = check_sides(&cpu->books, of, error);
		if (!err && sums[i] != cpu->books.stored)
			err = error_set(error, -EBADMSG, "the records of %s "
					"sum to %" PRIu64 " periods, its books say %"
					PRIu64, of, sums[i], cpu->books.stored);
		if (!err && books_add(&total, &cpu->books))
			err = error_set(error, -EBADMSG, "the books contain numbers above 2^64");
	}
	if (!err && !books_equal(&total, &profile->books))
		err = error_set(error, -EBADMSG,
				"the books of the CPUs do not sum to the total's");
	if (!err && profile->meta.intervals.known && !intervals_check(profile))
		err = error_set(error, -EBADMSG,
				"the records have more intervals than were seen");
	return err ?: check_sides(&profile->books, "all CPUs", error);
}

int profile_check(const struct profile *profile, struct error *error)
{
	uint64_t *sums = calloc(profile->nr_cpus + 1, sizeof(*sums));
	int err;

	if (!sums)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	err = check_cpus(profile, sums, error);
	free(sums);
	return err;
}
