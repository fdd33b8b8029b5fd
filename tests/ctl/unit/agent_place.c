// SPDX-License-Identifier: GPL-2.0
/*
 * An agent's directory and chain for tests: see agent_place.h.
 */
#include "agent_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_profile.h"
#include "profile/identity.h"

void place_start_agent(struct place *place)
{
	struct error error = { "" };

	place->spool.limits = (struct spool_limits)SPOOL_LIMITS_DEFAULT;
	place->chain = (struct chain){
		.spool = &place->spool, .source = world_source(place->world),
		.boot = WORLD_BOOT,
	};
	assert_int_equal(spool_open(&place->spool, place->directory, true, &error) ?:
			 spool_own(&place->spool, &error), 0);
}

void place_end_agent(struct place *place)
{
	chain_deinit(&place->chain);
	spool_close(&place->spool);
}

int place_make(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	place->directory = world_directory();
	place->world = world_create();
	place_start_agent(place);
	*state = place;
	return 0;
}

int place_remove(void **state)
{
	struct place *place = *state;

	place_end_agent(place);
	world_clear(place->directory);
	world_destroy(place->world);
	free(place->directory);
	free(place);
	return 0;
}

void place_step(struct place *place)
{
	struct error error = { "" };

	if (chain_step(&place->chain, &error))
		fail_msg("%s", error.text);
}

struct window place_window(struct place *place, size_t index)
{
	struct spool_list list = { .nr = 0 };
	struct window window = { .first = 0 };
	struct error error;

	assert_int_equal(spool_list(&place->spool, &list, &error), 0);
	if (index < list.nr)
		window = list.entries[index].window;
	free(list.entries);
	return window;
}

void place_expect_window(struct place *place, size_t index, uint64_t begin, uint64_t end,
			  uint64_t from)
{
	struct window found = place_window(place, index);

	assert_int_equal(found.first, index + 1);
	assert_int_equal(found.begin_ns, begin);
	assert_int_equal(found.end_ns, end * SEC);
	assert_int_equal(found.periods, world_sum(from, end));
}

struct profile *place_next_profile(struct place *place)
{
	struct profile_identity identity;
	struct spool_sending sending;
	struct error error = { "" };

	assert_int_equal(spool_next(&place->spool, world_targets[0], &sending, &error), 1);
	assert_int_equal(spool_done(&place->spool, world_targets[0], &sending.window,
				    SPOOL_TAKEN, 1, &error), 0);
	assert_int_equal(profile_identify(sending.profile, &identity, &error), 0);
	assert_string_equal(identity.boot_id, "a boot");
	assert_int_equal(identity.epoch, sending.window.epoch);
	assert_int_equal(identity.begin_ns, sending.window.begin_ns);
	assert_int_equal(identity.end_ns, sending.window.end_ns);
	assert_int_equal(identity.time_ns, 1700000000 * (int64_t)SEC +
			 (int64_t)sending.window.begin_ns);
	return sending.profile;
}

const struct ledger *place_ledger(struct place *place)
{
	place_window(place, 0);
	return &place->spool.ledger;
}
