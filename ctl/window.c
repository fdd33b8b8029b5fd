// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of a profile, and whether it adds up: the difference of two instants,
 * some processes only, the check of the books.
 */
#include "profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "books.h"
#include "profile_records.h"

static const char *const lost_names[__FLAMEMOD_LOST_MAX] = {
	[FLAMEMOD_LOST_TABLE_FULL] = "table-full",
	[FLAMEMOD_LOST_AGGREGATE_FULL] = "aggregate-full",
	[FLAMEMOD_LOST_OVERLOAD] = "overload",
	[FLAMEMOD_LOST_NO_REGS] = "no-regs",
	[FLAMEMOD_LOST_STOPPED] = "stopped",
};

static const char *const context_names[__FLAMEMOD_CONTEXT_MAX] = {
	[FLAMEMOD_CONTEXT_USER] = "user",
	[FLAMEMOD_CONTEXT_TASK] = "task",
	[FLAMEMOD_CONTEXT_SOFTIRQ] = "softirq",
	[FLAMEMOD_CONTEXT_HARDIRQ] = "hardirq",
	[FLAMEMOD_CONTEXT_IDLE] = "idle",
};

static const char *const state_names[__FLAMEMOD_STATE_MAX] = {
	[FLAMEMOD_STATE_STOPPED] = "stopped",
	[FLAMEMOD_STATE_RUNNING] = "running",
	[FLAMEMOD_STATE_BROKEN] = "broken",
};

const char *profile_lost_name(enum flamemod_lost reason)
{
	return lost_names[reason];
}

const char *profile_context_name(enum flamemod_context context)
{
	return context_names[context];
}

const char *profile_state_name(enum flamemod_state state)
{
	return state_names[state];
}

const char *profile_unit(const struct profile_meta *meta)
{
	if (!strcmp(meta->weight_unit, "count") && *meta->weight_type)
		return meta->weight_type;
	if (*meta->weight_unit)
		return meta->weight_unit;
	/* no timer has such a period: it is time that was summed */
	if (meta->period_ns == 1)
		return "nanoseconds";
	return meta->period_ns ? "periods" : "samples";
}

uint64_t profile_lost(const struct profile_books *books)
{
	uint64_t lost = 0;
	unsigned int i;

	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		lost += books->lost[i];
	return lost;
}

uint64_t profile_sampled_ns(const struct profile *profile)
{
	uint64_t longest = 0;
	uint32_t i;

	for (i = 0; i < profile->nr_cpus; i++)
		if (profile->cpus[i].sampled_ns > longest)
			longest = profile->cpus[i].sampled_ns;
	return longest;
}

struct profile_cpu *profile_find_cpu(const struct profile *profile, uint32_t cpu)
{
	uint32_t low = 0, high = profile->nr_cpus;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (profile->cpus[middle].cpu == cpu)
			return &profile->cpus[middle];
		if (profile->cpus[middle].cpu < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* The later profile's numbers for the earlier one's nodes and tasks. */
struct translation {
	uint32_t *frames, *nodes, *tasks;
};

static void translation_deinit(struct translation *translation)
{
	free(translation->frames);
	free(translation->nodes);
	free(translation->tasks);
}

/* Interning finds what is there; the little it may add does no harm. */
static int translate(struct translation *to, struct profile *later,
		     const struct profile *earlier)
{
	uint32_t i;
	int err = 0;

	to->frames = calloc(earlier->nr_frames + 1, sizeof(uint32_t));
	to->nodes = calloc(earlier->nr_nodes + 1, sizeof(uint32_t));
	to->tasks = calloc(earlier->nr_tasks + 1, sizeof(uint32_t));
	if (!to->frames || !to->nodes || !to->tasks)
		return -ENOMEM;
	for (i = 0; i < earlier->nr_frames && !err; i++)
		err = profile_add_frame(later, earlier->frames[i].name,
					earlier->frames[i].kind, &to->frames[i]);
	for (i = 1; i < earlier->nr_nodes && !err; i++)
		err = profile_add_node(later,
				       to->nodes[earlier->nodes[i].parent],
				       to->frames[earlier->nodes[i].frame],
				       &to->nodes[i]);
	for (i = 0; i < earlier->nr_tasks && !err; i++)
		err = profile_add_task_of(later, earlier->tasks[i].host,
					  earlier->tasks[i].pid,
					  earlier->tasks[i].tid,
					  earlier->tasks[i].comm,
					  &to->tasks[i]);
	return err;
}

/*
 * @left: a copy of later's records, from which earlier's are taken.
 */
static int subtract_records(struct profile_record *left,
			    const struct profile *later,
			    const struct profile *earlier,
			    const struct translation *to)
{
	struct profile_record record;
	uint32_t i, found;

	for (i = 0; i < earlier->nr_records; i++) {
		record = earlier->records[i];
		record.node = to->nodes[record.node];
		record.task = to->tasks[record.task];
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

static int subtract_cpus(struct profile_cpu *left, const struct profile *later,
			 const struct profile *earlier)
{
	const struct profile_cpu *cpu, *found;
	struct profile_cpu *at;
	uint32_t i;

	for (i = 0; i < earlier->nr_cpus; i++) {
		cpu = &earlier->cpus[i];
		found = profile_find_cpu(later, cpu->cpu);
		if (!found)
			return -ERANGE;
		at = &left[found - later->cpus];
		if (at->sampled_ns < cpu->sampled_ns ||
		    books_subtract(&at->books, &cpu->books))
			return -ERANGE;
		at->sampled_ns -= cpu->sampled_ns;
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
				 ": a reset lies between them",
				 from->epoch, to->epoch);
	if (to->instant_ns < from->instant_ns)
		return error_set(error, -ERANGE,
				 "the profile to subtract is the later one");
	if (to->period_ns != from->period_ns && earlier->nr_records)
		return error_set(error, -ERANGE, "the profiles have periods of %"
				 PRIu64 " and %" PRIu64 " ns",
				 from->period_ns, to->period_ns);
	return 0;
}

/* Take over the differences, now that nothing can fail. */
static void replace(struct profile *later, const struct profile_record *records,
		    const struct profile_cpu *cpus,
		    const struct profile_books *books)
{
	uint32_t i, kept = 0;

	for (i = 0; i < later->nr_records; i++)
		if (records[i].count || records[i].periods || records[i].late_us)
			later->records[kept++] = records[i];
	later->nr_records = kept;
	profile_index_records(later);
	if (later->nr_cpus)
		memcpy(later->cpus, cpus, later->nr_cpus * sizeof(*cpus));
	later->books = *books;
}

/* A copy of @nr elements, never NULL for want of elements. */
static void *copy(const void *elements, size_t nr, size_t size)
{
	void *copied = calloc(nr + 1, size);

	if (copied && nr)
		memcpy(copied, elements, nr * size);
	return copied;
}

int profile_subtract(struct profile *later, const struct profile *earlier,
		     struct error *error)
{
	struct translation to = { 0 };
	struct profile_meta *meta = &later->meta;
	struct profile_books books = later->books;
	struct profile_record *records;
	struct profile_cpu *cpus;
	int err;

	err = same_epoch(later, earlier, error);
	if (err)
		return err;
	records = copy(later->records, later->nr_records, sizeof(*records));
	cpus = copy(later->cpus, later->nr_cpus, sizeof(*cpus));
	err = records && cpus ? translate(&to, later, earlier) : -ENOMEM;
	if (!err)
		err = subtract_records(records, later, earlier, &to) ?:
		      subtract_cpus(cpus, later, earlier) ?:
		      books_subtract(&books, &earlier->books);
	if (err == -ERANGE)
		error_set(error, err,
			  "the later profile holds less than the earlier one");
	else if (err)
		error_set(error, err, "%s", strerror(-err));
	else
		replace(later, records, cpus, &books);
	translation_deinit(&to);
	free(records);
	free(cpus);
	if (err)
		return err;

	if (meta->time_ns)
		meta->time_ns += earlier->meta.instant_ns - meta->since_ns;
	meta->duration_ns = profile_sampled_ns(later) ?:
			    meta->instant_ns - earlier->meta.instant_ns;
	return 0;
}

/* What is kept of a profile. */
struct keeping {
	bool followed;			/* what is marked so, else the pids */
	const uint32_t *pids;
	unsigned int nr_pids;
};

static bool is_kept(const struct profile *profile,
		    const struct profile_record *record,
		    const struct keeping *keeping)
{
	const struct profile_task *task = &profile->tasks[record->task];
	unsigned int i;

	if (keeping->followed)
		return record->followed;
	for (i = 0; i < keeping->nr_pids; i++)
		if (task->pid == keeping->pids[i] ||
		    task->tid == keeping->pids[i])
			return true;
	return false;
}

bool profile_record_truncated(const struct profile *profile,
			      const struct profile_record *record)
{
	const struct profile_frame *frame;
	uint32_t node = record->node;

	if (!node)
		return false;
	while (profile->nodes[node].parent)
		node = profile->nodes[node].parent;
	frame = &profile->frames[profile->nodes[node].frame];
	return frame->kind == FLAMEMOD_FRAME_MARK &&
	       !strcmp(frame->name, "[truncated]");
}

static int filter_cpus(const struct profile *profile, struct profile_cpu *cpus,
		       struct profile_books *books,
		       const struct keeping *keeping)
{
	const struct profile_record *record;
	const struct profile_cpu *cpu;
	uint64_t truncated;
	uint32_t i;

	for (i = 0; i < profile->nr_records; i++) {
		record = &profile->records[i];
		if (is_kept(profile, record, keeping))
			continue;
		truncated = profile_record_truncated(profile, record) ?
			    record->count : 0;
		cpu = profile_find_cpu(profile, record->cpu);
		if (!cpu || books_filter(books, record->periods, truncated) ||
		    books_filter(&cpus[cpu - profile->cpus].books,
				 record->periods, truncated))
			return -EBADMSG;
	}
	return 0;
}

static int keep(struct profile *profile, const struct keeping *keeping,
		struct error *error)
{
	struct profile_books books = profile->books;
	struct profile_record *records;
	struct profile_cpu *cpus;
	uint32_t i;
	int err = -ENOMEM;

	records = copy(profile->records, profile->nr_records, sizeof(*records));
	cpus = copy(profile->cpus, profile->nr_cpus, sizeof(*cpus));
	if (records && cpus)
		err = filter_cpus(profile, cpus, &books, keeping);
	if (!err) {
		for (i = 0; i < profile->nr_records; i++) {
			if (!is_kept(profile, &records[i], keeping))
				memset(&records[i], 0, sizeof(records[i]));
			else if (keeping->followed)
				records[i].followed = false;
		}
		replace(profile, records, cpus, &books);
	}
	free(records);
	free(cpus);
	if (err == -EBADMSG)
		return error_set(error, err,
				 "the records sum to more than the books");
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

int profile_keep_pids(struct profile *profile, const uint32_t *pids,
		      unsigned int nr_pids, struct error *error)
{
	const struct keeping keeping = { .pids = pids, .nr_pids = nr_pids };

	return keep(profile, &keeping, error);
}

int profile_keep_followed(struct profile *profile, struct error *error)
{
	const struct keeping keeping = { .followed = true };

	return keep(profile, &keeping, error);
}

static int check_sides(const struct profile_books *books, const char *of,
		       struct error *error)
{
	uint64_t came, went;

	if (books_sides(books, &came, &went))
		return error_set(error, -EBADMSG, "the books of %s hold figures past 2^64",
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

/* @sums: by place in profile->cpus */
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
			err = error_set(error, -EBADMSG, "the books hold figures past 2^64");
	}
	if (!err && !books_equal(&total, &profile->books))
		err = error_set(error, -EBADMSG,
				"the books of the CPUs do not sum to the total's");
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
