// SPDX-License-Identifier: GPL-2.0
/*
 * Values of the last intervals by name: see history.h. Names are interned as
 * the frames of a profile; a frame's number is its ring's index.
 */
#include "view/terminal/history.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

/* Number of names from which on forgotten ones are removed. */
#define SWEEP_FIRST	4096

struct ring {
	uint64_t last;			/* interval of the newest value */
	uint16_t values[HISTORY_INTERVALS];	/* at interval modulo size */
};

struct history {
	struct profile *names;
	struct ring *rings;
	uint32_t max_rings;
	uint32_t sweep_at;		/* number of names */
	uint64_t interval;		/* the current one, from 1 */
};

struct history *history_create(void)
{
	struct history *history = calloc(1, sizeof(*history));

	if (!history)
		return NULL;
	history->sweep_at = SWEEP_FIRST;
	history->names = profile_create();
	if (history->names)
		return history;
	free(history);
	return NULL;
}

void history_destroy(struct history *history)
{
	if (!history)
		return;
	profile_destroy(history->names);
	free(history->rings);
	free(history);
}

static int find(struct profile *names, const char *name, uint32_t *number)
{
	return profile_add_frame(names, name, FLAMEMOD_FRAME_MARK, number);
}

static bool is_forgotten(const struct history *history, const struct ring *ring)
{
	return ring->last + HISTORY_INTERVALS <= history->interval;
}

/* Remove forgotten names; if out of memory, keep all. */
static void sweep(struct history *history)
{
	struct profile *names = profile_create();
	uint32_t kept = 0, number;

	if (!names)
		return;
	for (uint32_t i = 0; i < history->names->nr_frames; i++)
		if (!is_forgotten(history, &history->rings[i]) &&
		    find(names, history->names->frames[i].name, &number)) {
			profile_destroy(names);
			return;
		}
	for (uint32_t i = 0; i < history->names->nr_frames; i++)
		if (!is_forgotten(history, &history->rings[i]))
			history->rings[kept++] = history->rings[i];
	profile_destroy(history->names);
	history->names = names;
	history->sweep_at = 2 * kept > SWEEP_FIRST ? 2 * kept : SWEEP_FIRST;
}

void history_begin(struct history *history)
{
	history->interval++;
	if (history->names->nr_frames > history->sweep_at)
		sweep(history);
}

static int reserve(struct history *history)
{
	uint32_t room = history->max_rings ? 2 * history->max_rings : 256;
	struct ring *rings;

	if (history->names->nr_frames < history->max_rings)
		return 0;
	rings = reallocarray(history->rings, room, sizeof(*rings));
	if (!rings)
		return -ENOMEM;
	memset(rings + history->max_rings, 0,
	       (room - history->max_rings) * sizeof(*rings));
	history->rings = rings;
	history->max_rings = room;
	return 0;
}

/* Return the ring of @name, up to date, or NULL if out of memory. */
static struct ring *ring_of(struct history *history, const char *name, int *err)
{
	uint32_t before = history->names->nr_frames, number;
	struct ring *ring;

	*err = reserve(history) ?: find(history->names, name, &number);
	if (*err)
		return NULL;
	ring = &history->rings[number];
	if (number == before || is_forgotten(history, ring)) {
		memset(ring, 0, sizeof(*ring));
		ring->last = history->interval;
	}
	while (ring->last < history->interval)
		ring->values[++ring->last % HISTORY_INTERVALS] = 0;
	return ring;
}

int history_set(struct history *history, const char *name, uint16_t value)
{
	struct ring *ring;
	int err;

	ring = ring_of(history, name, &err);
	if (ring)
		ring->values[history->interval % HISTORY_INTERVALS] = value;
	return err;
}

int history_get(struct history *history, const char *name,
		uint16_t values[HISTORY_INTERVALS])
{
	const struct ring *ring;
	int err;

	memset(values, 0, HISTORY_INTERVALS * sizeof(*values));
	ring = ring_of(history, name, &err);
	for (uint64_t i = 0; ring && i < HISTORY_INTERVALS; i++)
		values[i] = ring->values[(history->interval + 1 + i) %
					 HISTORY_INTERVALS];
	return err;
}

uint32_t history_nr_names(const struct history *history)
{
	return history->names->nr_frames;
}
