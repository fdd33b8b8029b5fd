// SPDX-License-Identifier: GPL-2.0
/*
 * What the viewers' formats share: grouping of records, and weights.
 */
#include "format/export/export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A record and the key of its group. */
struct keyed {
	uint32_t key, record;
};

static int compare_keyed(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->record > b->record) - (a->record < b->record);
}

static bool is_by(const struct fold_options *fold, enum fold_level level)
{
	return fold->nr_by && fold->by[0] == level;
}

static uint32_t key_of(const struct profile_record *record,
		       const struct fold_options *fold)
{
	if (is_by(fold, FOLD_CPU))
		return record->cpu;
	return is_by(fold, FOLD_TID) ? record->task : 0;
}

static struct keyed *sorted_records(const struct profile *profile,
				    const struct fold_options *fold)
{
	struct keyed *keyed = calloc((size_t)profile->nr_records + 1,
				     sizeof(*keyed));
	uint32_t i;

	if (!keyed)
		return NULL;
	for (i = 0; i < profile->nr_records; i++) {
		keyed[i].key = key_of(&profile->records[i], fold);
		keyed[i].record = i;
	}
	qsort(keyed, profile->nr_records, sizeof(*keyed), compare_keyed);
	return keyed;
}

static int task_name(const struct profile *profile,
		     const struct profile_task *task, char **name)
{
	const char *host = profile_host(profile, task);
	bool elsewhere = strcmp(host, profile->meta.host);

	return asprintf(name, "%s (pid %" PRIu32 ", tid %" PRIu32 "%s%s)",
			task->comm[0] ? task->comm : "[unknown]", task->pid,
			task->tid, elsewhere ? ", host " : "",
			elsewhere ? host : "");
}

static char *group_name(const struct profile *profile,
			const struct fold_options *fold,
			const struct export_group *group)
{
	char *name = NULL;
	int length;

	if (is_by(fold, FOLD_CPU)) {
		length = asprintf(&name, "cpu %" PRIu32, group->cpu);
	} else if (is_by(fold, FOLD_TID) && group->nr) {
		length = task_name(profile, &profile->tasks[group->task], &name);
	} else {
		length = asprintf(&name, "%s",
				  is_by(fold, FOLD_TID) ? "lost" : "all");
	}
	return length < 0 ? NULL : name;
}

/* Start a group of the records from @first on that have the same key. */
static void begin_group(struct export_groups *groups,
			const struct profile *profile, uint32_t first)
{
	struct export_group *group = &groups->groups[groups->nr++];
	const struct profile_record *record =
		&profile->records[groups->records[first]];

	group->first = first;
	group->cpu = record->cpu;
	group->task = record->task;
}

/* CPUs and groups are in ascending order; a CPU may have no records. */
static void make_cpu_groups(struct export_groups *groups,
			    const struct profile *profile,
			    const struct keyed *keyed)
{
	uint32_t at = 0, cpu = 0;

	while (at < profile->nr_records || cpu < profile->nr_cpus) {
		struct export_group *group = &groups->groups[groups->nr++];

		group->first = at;
		if (at < profile->nr_records && (cpu == profile->nr_cpus ||
		    keyed[at].key <= profile->cpus[cpu].cpu))
			group->cpu = keyed[at].key;
		else
			group->cpu = profile->cpus[cpu].cpu;
		if (cpu < profile->nr_cpus &&
		    profile->cpus[cpu].cpu == group->cpu)
			group->lost = &profile->cpus[cpu++].books;
		while (at < profile->nr_records && keyed[at].key == group->cpu)
			at++;
		group->nr = at - group->first;
	}
}

static void make_other_groups(struct export_groups *groups,
			      const struct profile *profile,
			      const struct keyed *keyed,
			      const struct fold_options *fold)
{
	struct export_group *last;
	uint32_t i;

	for (i = 0; i < profile->nr_records; i++) {
		if (!i || keyed[i].key != keyed[i - 1].key)
			begin_group(groups, profile, i);
		groups->groups[groups->nr - 1].nr++;
	}
	if (!groups->nr || (is_by(fold, FOLD_TID) &&
			    profile_lost(&profile->books)))
		groups->groups[groups->nr++].first = profile->nr_records;
	last = &groups->groups[groups->nr - 1];
	if (!is_by(fold, FOLD_TID) || !last->nr)
		last->lost = &profile->books;
}

int export_groups_init(struct export_groups *groups,
		       const struct profile *profile,
		       const struct fold_options *fold)
{
	struct keyed *keyed = sorted_records(profile, fold);
	uint32_t i;

	memset(groups, 0, sizeof(*groups));
	groups->records = calloc((size_t)profile->nr_records + 1,
				 sizeof(*groups->records));
	groups->groups = calloc((size_t)profile->nr_records + profile->nr_cpus +
				1, sizeof(*groups->groups));
	if (!keyed || !groups->records || !groups->groups) {
		free(keyed);
		return -ENOMEM;
	}
	for (i = 0; i < profile->nr_records; i++)
		groups->records[i] = keyed[i].record;
	if (is_by(fold, FOLD_CPU))
		make_cpu_groups(groups, profile, keyed);
	else
		make_other_groups(groups, profile, keyed, fold);
	free(keyed);
	for (i = 0; i < groups->nr; i++) {
		groups->groups[i].name = group_name(profile, fold,
						    &groups->groups[i]);
		if (!groups->groups[i].name)
			return -ENOMEM;
	}
	return 0;
}

void export_groups_deinit(struct export_groups *groups)
{
	uint32_t i;

	for (i = 0; i < groups->nr; i++)
		free(groups->groups[i].name);
	free(groups->groups);
	free(groups->records);
}

int export_check(const struct profile *profile, struct error *error)
{
	uint64_t sum = profile_lost(&profile->books);
	bool over = false;
	uint32_t i;

	for (i = 0; i < profile->nr_records; i++)
		over |= __builtin_add_overflow(sum, profile->records[i].periods,
					       &sum);
	over |= __builtin_mul_overflow(sum, profile->meta.period_ns ?: 1, &sum);
	if (!over && sum <= INT64_MAX)
		return 0;
	return error_set(error, -EOVERFLOW, profile->meta.period_ns ?
			 "its weights sum to more than 2^63 ns" :
			 "its weights sum to more than 2^63");
}

uint64_t export_weight(const struct profile *profile, uint64_t periods)
{
	return periods * (profile->meta.period_ns ?: 1);
}

uint64_t export_group_weight(const struct profile *profile,
			     const struct export_groups *groups,
			     const struct export_group *group)
{
	uint64_t sum = group->lost ? profile_lost(group->lost) : 0;
	uint32_t i;

	for (i = group->first; i < group->first + group->nr; i++)
		sum += profile->records[groups->records[i]].periods;
	return export_weight(profile, sum);
}

int export_failed(FILE *out)
{
	return ferror(out) ? -(errno ?: EIO) : 0;
}
