// SPDX-License-Identifier: GPL-2.0
/*
 * A spool for tests: see spool_place.h.
 */
#include "spool_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_profile.h"

int spool_place_make(void **state)
{
	struct spool_place *place = calloc(1, sizeof(*place));
	struct error error;

	place->directory = world_directory();
	place->spool.limits = (struct spool_limits)SPOOL_LIMITS_DEFAULT;
	*state = place;
	return spool_open(&place->spool, place->directory, true, &error) ?:
	       spool_own(&place->spool, &error);
}

int spool_place_remove(void **state)
{
	struct spool_place *place = *state;

	spool_close(&place->spool);
	world_clear(place->directory);
	free(place->directory);
	free(place);
	return 0;
}

static void add(struct spool *spool, const char *boot, uint32_t epoch, uint64_t second,
		unsigned int slower)
{
	char stack[32];
	struct profile *profile;
	struct window window = {
		.epoch = epoch, .begin_ns = (second - 1) * SEC, .end_ns = second * SEC,
	};
	struct spool_addition addition = { .window = &window, .boot = boot };
	struct error error = { "" };

	snprintf(stack, sizeof(stack), "entry;f%lu", second % 3);
	profile = part_of(stack, "comm", 0, second);
	profile->meta.period_ns *= slower;
	profile->meta.epoch = epoch;
	strcpy(window.boot, boot);
	addition.profile = addition.last = profile;
	assert_int_equal(spool_add(spool, &addition, &error), 0);
	assert_int_equal(window.periods, second);
	profile_destroy(profile);
}

void spool_place_add(struct spool *spool, const char *boot, uint32_t epoch, uint64_t second)
{
	add(spool, boot, epoch, second, 1);
}

void spool_place_add_slower(struct spool *spool, uint32_t epoch, uint64_t second)
{
	add(spool, WORLD_BOOT, epoch, second, 2);
}

void spool_place_add_all(struct spool *spool, uint64_t from, uint64_t to)
{
	for (; from <= to; from++)
		spool_place_add(spool, WORLD_BOOT, 1, from);
}

int spool_place_tidy(struct spool *spool, uint64_t second, size_t nr_targets)
{
	const struct spool_now now = {
		.boot = WORLD_BOOT, .monotonic_ns = second * SEC,
		/* a clock that is far ahead ages nothing of this boot */
		.real_ns = INT64_MAX,
	};
	struct error error;

	return spool_tidy(spool, world_targets, nr_targets, &now, &error);
}

struct spool_list spool_place_list(struct spool *spool)
{
	struct spool_list list = { .nr = 0 };
	struct error error;

	assert_int_equal(spool_list(spool, &list, &error), 0);
	return list;
}

void spool_place_expect(struct spool *spool, const char *expected)
{
	struct spool_list list = spool_place_list(spool);
	char text[512] = "";
	size_t used = 0;

	for (size_t i = 0; i < list.nr; i++) {
		const struct window *window = &list.entries[i].window;

		used += (size_t)sprintf(text + used, "%s%lu", i ? " " : "", window->first);
		if (window->last != window->first)
			used += (size_t)sprintf(text + used, "-%lu", window->last);
	}
	assert_string_equal(text, expected);
	free(list.entries);
}

uint64_t spool_place_next(struct spool *spool, unsigned int target,
		     struct spool_sending *sending)
{
	struct error error = { "" };
	int found = spool_next(spool, world_targets[target], sending, &error);

	assert_true(found >= 0);
	if (found)
		profile_destroy(sending->profile);
	return found ? sending->window.first : 0;
}

void spool_place_send(struct spool *spool, unsigned int target, enum spool_outcome outcome)
{
	struct spool_sending sending;
	struct error error;

	assert_true(spool_place_next(spool, target, &sending) > 0);
	assert_int_equal(spool_done(spool, world_targets[target], &sending.window, outcome,
				    77, &error), 0);
}

struct cursor spool_place_cursor(const struct spool *spool, unsigned int target)
{
	struct cursor cursor;
	struct error error;

	assert_int_equal(cursor_read(spool->state, world_targets[target], &cursor, &error),
			 0);
	return cursor;
}

void spool_place_limit(struct spool *spool)
{
	struct spool_list list = spool_place_list(spool);

	spool->limits.bytes_max = list.bytes - 1;
	free(list.entries);
}
