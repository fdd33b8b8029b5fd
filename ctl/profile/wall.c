// SPDX-License-Identifier: GPL-2.0
/*
 * All time of tasks in one profile: see wall.h.
 */
#include "profile/wall.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/join.h"
#include "profile/profile_map.h"

/* A task's time on a CPU, and the periods that it is spread over. */
struct share {
	uint64_t ran_ns;
	uint64_t periods;		/* of all its samples */
	uint64_t done;			/* of those that got their part */
};

struct spreading {
	struct profile *wall;
	struct share *shares;		/* by task of @wall */
	struct profile_record *samples;	/* with the numbers of @wall */
	uint32_t nr_samples;
};

/* Give samples the numbers of @wall, and add their stacks and tasks to it. */
static int map_samples(struct spreading *s, const struct profile *sampled)
{
	struct profile_map map;
	int err = profile_map_init(&map, s->wall, sampled);

	for (uint32_t i = 0; i < sampled->nr_records && !err; i++) {
		s->samples[i] = sampled->records[i];
		err = profile_map_record(&map, &s->samples[i]);
	}
	s->nr_samples = sampled->nr_records;
	profile_map_deinit(&map);
	return err;
}

/* Give the tasks of @ran their numbers in @wall; sum what they ran. */
static int sum_ran(struct spreading *s, const struct profile *ran, uint32_t *tasks)
{
	struct profile_map map;
	int err = profile_map_init(&map, s->wall, ran);

	for (uint32_t i = 0; i < ran->nr_records && !err; i++) {
		struct profile_record record = ran->records[i];

		err = profile_map_record(&map, &record);
		tasks[i] = record.task;
	}
	profile_map_deinit(&map);
	if (err)
		return err;
	s->shares = calloc((size_t)s->wall->nr_tasks + 1, sizeof(*s->shares));
	if (!s->shares)
		return -ENOMEM;
	for (uint32_t i = 0; i < ran->nr_records; i++)
		if (__builtin_add_overflow(s->shares[tasks[i]].ran_ns, ran->records[i].periods,
					   &s->shares[tasks[i]].ran_ns))
			return -EOVERFLOW;
	for (uint32_t i = 0; i < s->nr_samples; i++) {
		struct share *share = &s->shares[s->samples[i].task];

		if (__builtin_add_overflow(share->periods, s->samples[i].periods,
					   &share->periods))
			return -EOVERFLOW;
	}
	return 0;
}

/* Return: the part of the first @periods of all of a task's periods, rounded down. */
static uint64_t part_of(const struct share *share, uint64_t periods)
{
	return (uint64_t)((unsigned __int128)share->ran_ns * periods / share->periods);
}

static int spread(struct spreading *s)
{
	int err = 0;

	for (uint32_t i = 0; i < s->nr_samples && !err; i++) {
		struct profile_record record = s->samples[i];
		struct share *share = &s->shares[record.task];
		uint64_t before;

		if (!share->ran_ns || !record.periods)
			continue;
		before = part_of(share, share->done);
		share->done += record.periods;
		record.periods = part_of(share, share->done) - before;
		record.cpu = s->wall->cpus[0].cpu;
		record.count = record.late_us = 0;
		record.followed = false;
		if (record.periods)
			err = profile_add_record(s->wall, &record);
	}
	return err;
}

/* Add the time of tasks that no sample met. */
static int add_unsampled(struct spreading *s)
{
	struct profile_record record = {
		.cpu = s->wall->cpus[0].cpu, .context = FLAMEMOD_CONTEXT_TASK,
	};
	uint32_t frame;
	int err;

	err = profile_add_frame(s->wall, WALL_ON_CPU, FLAMEMOD_FRAME_MARK, &frame) ?:
	      profile_add_node(s->wall, 0, frame, &record.node);
	for (uint32_t task = 0; task < s->wall->nr_tasks && !err; task++) {
		if (s->shares[task].periods || !s->shares[task].ran_ns)
			continue;
		record.task = task;
		record.periods = s->shares[task].ran_ns;
		err = profile_add_record(s->wall, &record);
	}
	return err;
}

/* The books are those of both events; intervals are only those off the CPU. */
static int add_books(struct profile *wall, const struct profile *ran)
{
	struct profile_cpu cpu = { .cpu = wall->cpus[0].cpu, .books = ran->books };

	return profile_add_cpu(wall, &cpu);
}

static int make(struct spreading *s, const struct profile *sampled,
		const struct profile *off, const struct profile *ran)
{
	uint32_t *tasks = calloc((size_t)ran->nr_records + 1, sizeof(*tasks));
	int err;

	s->samples = calloc((size_t)sampled->nr_records + 1, sizeof(*s->samples));
	err = tasks && s->samples ? profile_join(s->wall, off, NULL) : -ENOMEM;
	if (!err && s->wall->nr_cpus != 1)
		err = -EINVAL;
	err = err ?: map_samples(s, sampled) ?: sum_ran(s, ran, tasks) ?:
	      spread(s) ?: add_unsampled(s) ?: add_books(s->wall, ran);
	free(tasks);
	free(s->samples);
	free(s->shares);
	return err;
}

int wall_make(const struct profile *sampled, const struct profile *off,
	      const struct profile *ran, struct profile **wall)
{
	struct spreading s = { .wall = profile_create() };
	int err;

	if (!s.wall)
		return -ENOMEM;
	err = make(&s, sampled, off, ran);
	if (err) {
		profile_destroy(s.wall);
		return err;
	}
	s.wall->meta = off->meta;
	snprintf(s.wall->meta.weight_type, sizeof(s.wall->meta.weight_type), "wall");
	*wall = s.wall;
	return 0;
}
