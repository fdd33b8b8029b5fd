// SPDX-License-Identifier: GPL-2.0
/*
 * Keep a profile's records by time: see slices.h. A slice has its own records
 * and books (the counts of what became of each timer period); it shares stacks
 * and tasks with the profile.
 */
#include "profile/slices.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/books.h"
#include "profile/join.h"
#include "profile/records.h"
#include "profile/slice_list.h"

#define NSEC_PER_SEC	UINT64_C(1000000000)

static int compare_records(const void *left, const void *right)
{
	const struct profile_record *a = left, *b = right;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->context < b->context ? -1 : a->context > b->context;
}

/*
 * Sort the records and merge those of the same key. No overflow: the sums are
 * at most those of the profile.
 */
static void merge_records(struct slice *slice)
{
	struct profile_record *records = slice->records;
	uint32_t kept = 0;

	if (!slice->nr_records)
		return;
	qsort(records, slice->nr_records, sizeof(*records), compare_records);
	for (uint32_t i = 1; i < slice->nr_records; i++) {
		if (compare_records(&records[kept], &records[i])) {
			records[++kept] = records[i];
			continue;
		}
		records[kept].count += records[i].count;
		records[kept].periods += records[i].periods;
		records[kept].late_us += records[i].late_us;
	}
	slice->nr_records = kept + 1;
	/* shrink the array: it is kept for long */
	records = reallocarray(records, slice->nr_records, sizeof(*records));
	if (!records)
		return;
	slice->records = records;
	slice->max_records = slice->nr_records;
}

static int join_cpus(struct slice *slice, const struct slice *next)
{
	struct slice joined = { 0 };
	uint32_t i = 0, j = 0;
	int err = 0;

	while ((i < slice->nr_cpus || j < next->nr_cpus) && !err) {
		struct profile_cpu cpu;

		if (j == next->nr_cpus || (i < slice->nr_cpus &&
		    slice->cpus[i].cpu < next->cpus[j].cpu)) {
			cpu = slice->cpus[i++];
		} else if (i == slice->nr_cpus ||
			   slice->cpus[i].cpu > next->cpus[j].cpu) {
			cpu = next->cpus[j++];
		} else {
			cpu = slice->cpus[i++];
			cpu.sampled_ns += next->cpus[j].sampled_ns;
			cpu.sampling |= next->cpus[j].sampling;
			err = books_add(&cpu.books, &next->cpus[j++].books);
		}
		err = err ?: slice_add_cpu(&joined, &cpu);
	}
	if (err) {
		free(joined.cpus);
		return err;
	}
	free(slice->cpus);
	slice->cpus = joined.cpus;
	slice->nr_cpus = joined.nr_cpus;
	slice->max_cpus = joined.max_cpus;
	return 0;
}

static int join_slice(struct slice *slice, struct slice *next)
{
	int err = slice_reserve_records(slice, next->nr_records) ?:
		  join_cpus(slice, next);

	if (err)
		return err;
	if (next->nr_records)
		memcpy(slice->records + slice->nr_records, next->records,
		       next->nr_records * sizeof(*next->records));
	slice->nr_records += next->nr_records;
	merge_records(slice);
	slice->end_ns = next->end_ns;
	slice_deinit(next);
	memset(next, 0, sizeof(*next));
	return 0;
}

static bool too_many(const struct slices *slices)
{
	uint64_t records = 0, books = 0;

	for (uint32_t i = 0; i < slices->nr; i++) {
		records += slices->list[i].nr_records;
		books += slices->list[i].nr_cpus;
	}
	return slices->nr == SLICES_MAX || records > SLICES_RECORDS_MAX ||
	       books > SLICES_BOOKS_MAX;
}

static int join_pairs(struct slices *slices)
{
	uint32_t kept = 0;
	int err;

	for (uint32_t i = 0; i < slices->nr; i += 2) {
		if (i + 1 < slices->nr) {
			err = join_slice(&slices->list[i], &slices->list[i + 1]);
			if (err)
				return err;
		}
		slices->list[kept++] = slices->list[i];
		if (kept <= i)
			memset(&slices->list[i], 0, sizeof(struct slice));
	}
	slices->nr = kept;
	slices->nr_joined++;
	return 0;
}

/* Add the books of all CPUs except those on which nothing was sampled. */
static int add_books(struct slice *slice, const struct profile *part)
{
	int err = 0;

	for (uint32_t i = 0; i < part->nr_cpus && !err; i++) {
		const struct profile_cpu *cpu = &part->cpus[i];
		struct profile_books none = { 0 };

		if (cpu->sampled_ns || !books_equal(&cpu->books, &none))
			err = slice_add_cpu(slice, cpu);
	}
	return err;
}

int slices_add(struct profile *profile, const struct profile *part,
	       uint64_t begin_ns, uint64_t end_ns)
{
	struct slice *slice;
	int err = slices_begin(profile, begin_ns, end_ns);

	if (err)
		return err;
	slice = &profile->slices->list[profile->slices->nr - 1];
	err = slice_reserve_records(slice, part->nr_records) ?:
	      profile_join(profile, part, slice->records);
	if (err)
		return err;
	slice->nr_records = part->nr_records;
	merge_records(slice);
	err = add_books(slice, part);
	while (!err && profile->slices->nr > 1 && too_many(profile->slices))
		err = join_pairs(profile->slices);
	return err;
}

void slices_pack(struct profile *profile)
{
	struct slices *slices = profile->slices;

	for (uint32_t i = 0; slices && i < slices->nr; i++)
		merge_records(&slices->list[i]);
}

int slices_finish(struct profile *profile, struct error *error)
{
	struct slices *slices = profile->slices;
	struct slice *last;
	int err;

	if (!slices || slices->nr < 2)
		return 0;
	last = &slices->list[slices->nr - 1];
	if (last->end_ns - last->begin_ns >=
	    (last[-1].end_ns - last[-1].begin_ns + 1) / 2)
		return 0;
	err = join_slice(&last[-1], last);
	if (err)
		return error_set(error, err, "cannot join slices: %s", strerror(-err));
	slices->nr--;
	return 0;
}

/* ---- checking ---- */

static int check_slice(const struct profile *profile, const struct slice *slice,
		       struct error *error)
{
	/*
	 * a profile of this slice alone, as far as profile_check() looks at it
	 */
	struct profile one = *profile;
	struct error inner;
	int err;

	one.records = slice->records;
	one.nr_records = slice->nr_records;
	one.cpus = slice->cpus;
	one.nr_cpus = slice->nr_cpus;
	memset(&one.books, 0, sizeof(one.books));
	for (uint32_t i = 0; i < slice->nr_cpus; i++)
		if (books_add(&one.books, &slice->cpus[i].books))
			return error_set(error, -EBADMSG, "the books of a slice contain numbers above 2^64");
	err = profile_check(&one, &inner);
	if (err)
		return error_set(error, err, "in the slice at %" PRIu64 ".%03" PRIu64 " s: %.300s",
				 slice->begin_ns / NSEC_PER_SEC,
				 slice->begin_ns / 1000000 % 1000, inner.text);
	return 0;
}

/*
 * Subtract a slice from @left, the CPUs' books that no slice accounted for yet.
 */
static int take_slice(const struct profile *profile, struct profile_cpu *left,
		      const struct slice *slice)
{
	for (uint32_t i = 0; i < slice->nr_cpus; i++) {
		const struct profile_cpu *cpu = &slice->cpus[i];
		const struct profile_cpu *found =
			profile_find_cpu(profile, cpu->cpu);
		struct profile_cpu *at;

		if (!found)
			return -ERANGE;
		at = &left[found - profile->cpus];
		if (at->sampled_ns < cpu->sampled_ns ||
		    books_subtract(&at->books, &cpu->books))
			return -ERANGE;
		at->sampled_ns -= cpu->sampled_ns;
	}
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
		      take_slice(profile, left, &slices->list[i]);
	for (uint32_t i = 0; i < profile->nr_cpus && !err; i++)
		if (!books_equal(&left[i].books, &none) || left[i].sampled_ns)
			err = -ERANGE;
	free(left);
	if (err == -ERANGE)
		return error_set(error, -EBADMSG, "its slices do not sum to its books");
	return err;
}
