// SPDX-License-Identifier: GPL-2.0
/*
 * Draw lots for small rows: see threshold.h.
 */
#include "profile/threshold.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "profile/preorder.h"
#include "profile/profile_map.h"

/* Sums of periods times numbers of parts are above 2^64. */
__extension__ typedef unsigned __int128 uint128_t;

struct lots {
	uint64_t state;			/* of the generator */
	uint64_t threshold;
	uint64_t all, parts;		/* of the small rows of one CPU */
	uint64_t part;			/* the one whose lot is next */
	uint64_t lot;			/* the period that it falls on, from 0 */
	uint64_t passed;		/* periods of rows before */
};

/* xorshift64*, Vigna 2016. Return: a number below @limit. */
static uint64_t draw(struct lots *lots, uint64_t limit)
{
	lots->state ^= lots->state >> 12;
	lots->state ^= lots->state << 25;
	lots->state ^= lots->state >> 27;
	return (uint64_t)((uint128_t)(lots->state * 0x2545f4914f6cdd1dULL) * limit >> 64);
}

/* Where a part begins. */
static uint64_t part_begin(const struct lots *lots, uint64_t part)
{
	return (uint64_t)((uint128_t)lots->all * part / lots->parts);
}

static uint64_t part_length(const struct lots *lots, uint64_t part)
{
	return part_begin(lots, part + 1) - part_begin(lots, part);
}

static void next_lot(struct lots *lots)
{
	if (lots->part < lots->parts)
		lots->lot = part_begin(lots, lots->part) +
			    draw(lots, part_length(lots, lots->part));
}

static void begin(struct lots *lots, uint64_t all)
{
	lots->all = all;
	lots->parts = all / lots->threshold;
	if (all && !lots->parts)
		lots->parts = 1;
	lots->part = lots->passed = 0;
	next_lot(lots);
}

/* Scale a figure as the row's periods are; what remains is rounded by lot. */
static uint64_t scale(struct lots *lots, uint64_t figure, uint64_t periods, uint64_t of)
{
	return (uint64_t)(((uint128_t)figure * periods + draw(lots, of)) / of);
}

static bool is_small(const struct lots *lots, const struct profile_record *record)
{
	return record->periods && record->periods < lots->threshold;
}

/* Give a small row the parts whose lots fall on it. Its periods are 0 if there are none. */
static struct profile_record drawn_record(struct lots *lots, struct profile_record record)
{
	uint64_t own = record.periods, end = lots->passed + own;

	record.periods = 0;
	while (lots->part < lots->parts && lots->lot < end) {
		record.periods += part_length(lots, lots->part++);
		next_lot(lots);
	}
	lots->passed = end;
	if (record.periods) {
		record.count = scale(lots, record.count, record.periods, own);
		record.late_us = scale(lots, record.late_us, record.periods, own);
	}
	return record;
}

static uint64_t sum_small(const struct lots *lots, const struct profile *profile,
			  uint32_t cpu)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < profile->nr_records; i++)
		if (profile->records[i].cpu == cpu && is_small(lots, &profile->records[i]))
			sum += profile->records[i].periods;
	return sum;
}

/* Each CPU's records sum to its books. */
static int draw_cpu(struct lots *lots, const struct profile *profile,
		    const uint32_t *order, uint32_t cpu, struct profile_map *map)
{
	struct profile_record record;
	int err = 0;

	begin(lots, sum_small(lots, profile, cpu));
	for (uint32_t i = 0; i < profile->nr_records && !err; i++) {
		record = profile->records[order[i]];
		if (record.cpu != cpu)
			continue;
		if (is_small(lots, &record)) {
			record = drawn_record(lots, record);
			if (!record.periods)
				continue;
		}
		err = profile_map_record(map, &record) ?:
		      profile_add_record(map->to, &record);
	}
	return err;
}

static int draw_all(struct lots *lots, const struct profile *profile,
		    struct profile_map *map)
{
	uint32_t *ranks = preorder_ranks(profile);
	uint32_t *order = ranks ? preorder_records(ranks, profile->records,
						   profile->nr_records) : NULL;
	int err = order ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < profile->nr_cpus && !err; i++)
		err = draw_cpu(lots, profile, order, profile->cpus[i].cpu, map) ?:
		      profile_add_cpu(map->to, &profile->cpus[i]);
	free(order);
	free(ranks);
	return err;
}

/* SplitMix64, Steele 2014: seeds that are close give states that are not. */
static uint64_t first_state(uint64_t seed)
{
	seed += 0x9e3779b97f4a7c15ULL;
	seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ULL;
	seed = (seed ^ seed >> 27) * 0x94d049bb133111ebULL;
	/* xorshift stays at 0 */
	return (seed ^ seed >> 31) ?: 1;
}

int threshold_draw(const struct profile *profile, uint64_t threshold, uint64_t seed,
		   struct profile **drawn)
{
	struct lots lots = { .state = first_state(seed), .threshold = threshold };
	struct profile *to = profile_create();
	struct profile_map map;
	int err;

	if (!to)
		return -ENOMEM;
	err = profile_map_init(&map, to, profile) ?: draw_all(&lots, profile, &map);
	profile_map_deinit(&map);
	if (err) {
		profile_destroy(to);
		return err;
	}
	to->meta = profile->meta;
	if (to->meta.threshold < threshold)
		to->meta.threshold = threshold;
	*drawn = to;
	return 0;
}

const char *threshold_fact(char text[THRESHOLD_FACT], const struct profile_meta *meta)
{
	*text = '\0';
	if (meta->threshold)
		snprintf(text, THRESHOLD_FACT, "estimate: of stacks below %" PRIu64
			 " %s lots kept some, in place of all", meta->threshold,
			 profile_unit(meta));
	return text;
}
