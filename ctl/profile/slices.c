// SPDX-License-Identifier: GPL-2.0
/*
 * Keep a profile's records by time: see slices.h. A slice has its own records
 * and books (the counts of what became of each timer period); it shares stacks
 * and tasks with the profile.
 */
#include "profile/slices.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/weight.h"
#include "profile/books.h"
#include "profile/join.h"
#include "profile/profile_map.h"
#include "profile/records.h"
#include "profile/slice_list.h"

static int compare_records(const void *left, const void *right)
{
	return profile_compare_records(left, right);
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

static bool knows_powers(const struct slice *slice)
{
	return intervals_know_powers(&slice->intervals, slice->records, slice->nr_records);
}

static int join_intervals(struct slice *slice, const struct slice *next)
{
	bool known = knows_powers(slice) && knows_powers(next);
	int err = intervals_add(&slice->intervals, &next->intervals);

	slice->intervals.known |= next->intervals.known;
	if (!known)
		memset(slice->intervals.powers, 0, sizeof(slice->intervals.powers));
	return err;
}

static int join_slice(struct slice *slice, struct slice *next)
{
	int err = slice_reserve_records(slice, next->nr_records) ?:
		  join_intervals(slice, next) ?: join_cpus(slice, next);

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

static bool too_many(struct profile *const *profiles, unsigned int nr)
{
	uint64_t records = 0, books = 0;

	for (unsigned int i = 0; i < nr; i++) {
		const struct slices *slices = profiles[i]->slices;

		for (uint32_t j = 0; j < slices->nr; j++) {
			records += slices->list[j].nr_records;
			books += slices->list[j].nr_cpus;
		}
	}
	return profiles[0]->slices->nr == SLICES_MAX || records > SLICES_RECORDS_MAX ||
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

/*
 * Add the books of all CPUs except those on which nothing was sampled. Hits of an event may
 * have no weight, and are in its books nevertheless.
 */
static int add_books(struct slice *slice, const struct profile *part)
{
	int err = 0;

	for (uint32_t i = 0; i < part->nr_cpus && !err; i++) {
		const struct profile_cpu *cpu = &part->cpus[i];
		struct profile_books none = { 0 };

		if (cpu->sampled_ns || part->meta.intervals.known ||
		    !books_equal(&cpu->books, &none))
			err = slice_add_cpu(slice, cpu);
	}
	return err;
}

int slices_append(struct profile *profile, const struct profile *part,
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
	slice->intervals = part->meta.intervals;
	return add_books(slice, part);
}

int slices_bound(struct profile *const *profiles, unsigned int nr)
{
	int err = 0;

	while (!err && profiles[0]->slices->nr > 1 && too_many(profiles, nr))
		for (unsigned int i = 0; i < nr && !err; i++)
			err = join_pairs(profiles[i]->slices);
	return err;
}

int slices_add(struct profile *profile, const struct profile *part,
	       uint64_t begin_ns, uint64_t end_ns)
{
	return slices_append(profile, part, begin_ns, end_ns) ?:
	       slices_bound(&profile, 1);
}

const char *slices_joined_fact(char text[SLICES_JOINED_FACT], const struct profile *profile,
			       uint64_t slice_ns)
{
	uint32_t nr_joined = profile->slices ? profile->slices->nr_joined : 0;
	char now[WEIGHT_TEXT], asked[WEIGHT_TEXT];

	*text = '\0';
	if (nr_joined)
		snprintf(text, SLICES_JOINED_FACT,
			 "slices are about %s long, not %s: neighbours were joined, as a file has at most %d slices, or fewer large ones",
			 weight_text(now, slice_ns << nr_joined, "nanoseconds"),
			 weight_text(asked, slice_ns, "nanoseconds"), SLICES_MAX);
	return text;
}

int slices_sum_intervals(const struct profile *profile, uint32_t first, uint32_t end,
			 struct profile_intervals *sum)
{
	const struct profile_intervals whole = profile->meta.intervals;
	bool known = true;
	int err = 0;

	*sum = (struct profile_intervals){
		.known = whole.known, .no_waiting = whole.no_waiting,
		.of_hits = whole.of_hits, .min_ns = whole.min_ns,
	};
	for (uint32_t i = first; i < end && !err; i++) {
		known &= knows_powers(&profile->slices->list[i]);
		err = intervals_add(sum, &profile->slices->list[i].intervals);
	}
	if (!known)
		memset(sum->powers, 0, sizeof(sum->powers));
	return err;
}

void slices_pack(struct profile *profile)
{
	struct slices *slices = profile->slices;

	for (uint32_t i = 0; slices && i < slices->nr; i++)
		merge_records(&slices->list[i]);
}

static int join_rest(struct slices *slices)
{
	struct slice *last = slices->nr ? &slices->list[slices->nr - 1] : NULL;
	int err;

	if (slices->nr < 2 || last->end_ns - last->begin_ns >=
	    (last[-1].end_ns - last[-1].begin_ns + 1) / 2)
		return 0;
	err = join_slice(&last[-1], last);
	if (!err)
		slices->nr--;
	return err;
}

int slices_finish(struct profile *profile, struct error *error)
{
	int err = profile->slices ? join_rest(profile->slices) : 0;

	if (!err && profile->slices)
		err = slices_sum_intervals(profile, 0, profile->slices->nr,
					   &profile->meta.intervals);
	return err ? error_set(error, err, "cannot join slices: %s", strerror(-err)) : 0;
}

bool slices_same_times(const struct profile *a, const struct profile *b)
{
	const struct slices *left = a->slices, *right = b->slices;

	if (!left || !right)
		return left == right;
	for (uint32_t i = 0; i < left->nr && left->nr == right->nr; i++)
		if (left->list[i].begin_ns != right->list[i].begin_ns ||
		    left->list[i].end_ns != right->list[i].end_ns)
			return false;
	return left->nr == right->nr;
}

int slices_move(struct profile *to, struct profile *from)
{
	struct slices *slices = from->slices;
	struct profile_map map;
	int err = profile_map_init(&map, to, from);

	for (uint32_t i = 0; slices && i < slices->nr; i++)
		for (uint32_t j = 0; j < slices->list[i].nr_records && !err; j++)
			err = profile_map_record(&map, &slices->list[i].records[j]);
	profile_map_deinit(&map);
	if (err)
		return err;
	to->slices = slices;
	from->slices = NULL;
	return 0;
}
