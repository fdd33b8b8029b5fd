// SPDX-License-Identifier: GPL-2.0
/*
 * A pause of the agent: it is kept in a file that is checked, its time is in no window, and
 * it always ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "agent/disk.h"
#include "agent_place.h"
#include "made_profile.h"

static struct pause_now at(uint64_t second)
{
	return (struct pause_now){ .boot = WORLD_BOOT, .boot_ns = second * SEC };
}

static struct pause read_it(struct place *place)
{
	struct pause pause;
	struct error error;

	assert_int_equal(spool_pause(&place->spool, &pause, &error), 0);
	return pause;
}

static struct pause ask(struct place *place, uint64_t second, uint64_t seconds)
{
	const struct pause_now now = at(second);
	struct pause pause;
	struct error error;

	assert_int_equal(spool_pause_ask(&place->spool, &now, seconds * SEC, &pause, &error),
			 0);
	return pause;
}

static void begin(struct place *place, bool resets)
{
	struct pause pause = read_it(place);
	struct error error;

	pause.begun = 1;
	pause.hz = 997;
	assert_int_equal(chain_pause(&place->chain, resets, &pause, &error), 0);
}

static void go_on(struct place *place)
{
	struct pause pause = read_it(place);
	struct error error;

	pause.over = 1;
	assert_int_equal(chain_resume(&place->chain, &pause, &error), 0);
}

static uint64_t left_at(const struct pause *pause, uint64_t second)
{
	const struct pause_now now = at(second);

	return pause_left_ns(pause, &now) / SEC;
}

/* Others sample meanwhile, the agent is killed, and the next one ends the pause. */
static void the_time_of_a_pause_is_in_no_window(void **state)
{
	struct place *place = *state;

	place_step(place);
	ask(place, 100, 600);
	begin(place, true);
	/* the last windows are up to the pause, and what came until the reset */
	place_expect_window(place, 1, 11 * SEC, 12, 11);
	place_expect_window(place, 2, 12 * SEC, 13, 12);
	assert_int_equal(place->world->epoch, 2);
	assert_int_equal(place_ledger(place)->pauses, 1);
	assert_int_equal(place_ledger(place)->paused_ns, 0);
	place_end_agent(place);
	place->world->seconds += 100;
	world_reset(place->world);
	place->world->seconds += 7;
	place_start_agent(place);
	go_on(place);
	/* at 122; the pause began with the reset, at 13 */
	place_step(place);
	place_expect_window(place, 3, 122 * SEC, 123, 122);
	assert_int_equal(place_window(place, 4).first, 0);
	assert_int_equal(place_ledger(place)->pauses, 1);
	assert_int_equal(place_ledger(place)->paused_ns, (122 - 13) * SEC);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_MODULE], 0);
	assert_int_equal(place_ledger(place)->gap_ns, 0);
	assert_int_equal(read_it(place).over, 1);
}

/* What others had started goes on, and is not reset. */
static void sampling_of_others_is_not_reset(void **state)
{
	struct place *place = *state;

	place_step(place);
	ask(place, 100, 600);
	begin(place, false);
	assert_int_equal(place->world->epoch, 1);
	place->world->seconds += 50;
	go_on(place);
	place_step(place);
	place_expect_window(place, 1, 11 * SEC, 12, 11);
	place_expect_window(place, 2, 63 * SEC, 64, 63);
	assert_int_equal(place_ledger(place)->paused_ns, (63 - 12) * SEC);
}

static const struct world *world_of_step;

static int be_full_after_a_reset(void)
{
	return world_of_step->epoch > 1 ? -ENOSPC : 0;
}

/* The disk is full when the pause is noted: it has not begun, and nothing is lost. */
static void a_pause_that_cannot_be_noted_begins_later(void **state)
{
	struct place *place = *state;
	struct pause pause = ask(place, 100, 600);
	struct error error;

	pause.begun = 1;
	world_of_step = place->world;
	disk_step = be_full_after_a_reset;
	assert_int_equal(chain_pause(&place->chain, true, &pause, &error), -ENOSPC);
	disk_step = NULL;
	assert_int_equal(read_it(place).begun, 0);
	assert_int_equal(place_ledger(place)->pauses, 0);
	begin(place, true);
	assert_int_equal(read_it(place).begun, 1);
	assert_int_equal(place_ledger(place)->pauses, 1);
	assert_int_equal(place_ledger(place)->made_periods,
			 world_sum(10, place->world->seconds));
	assert_int_equal(place_ledger(place)->gap_ns, 0);
}

static int fail_to_dump(void *context, uint32_t epoch, bool reset, struct profile **profile,
			struct error *error)
{
	(void)context;
	(void)epoch;
	(void)reset;
	(void)profile;
	return error_set(error, -ENODEV, "the module is not loaded");
}

static void without_the_module_a_pause_begins(void **state)
{
	struct place *place = *state;

	place_step(place);
	ask(place, 100, 600);
	place->chain.source.dump = fail_to_dump;
	begin(place, true);
	assert_int_equal(read_it(place).begun, 1);
	assert_int_equal(place_ledger(place)->pauses, 1);
}

static void a_pause_has_an_end(void **state)
{
	struct place *place = *state;
	struct pause pause = ask(place, 100, 600);
	const struct pause_now later = at(700), earlier = at(99);
	struct pause_now other = at(150);

	assert_int_equal(pause.number, 1);
	assert_int_equal(left_at(&pause, 100), 600);
	assert_int_equal(left_at(&pause, 699), 1);
	assert_int_equal(left_at(&pause, 700), 0);
	/* another run of the kernel; and a clock that is behind is another one's, too */
	other.boot = "ffffffffffffffffffffffffffffffff";
	assert_int_equal(pause_left_ns(&pause, &other), 0);
	assert_int_equal(pause_left_ns(&pause, &earlier), 0);
	assert_false(pause_is_held(&pause, &later));
	begin(place, true);
	pause = read_it(place);
	assert_true(pause_is_held(&pause, &later));
	assert_false(pause_is_held(&pause, &other));
	assert_int_equal(pause.hz, 997);
}

static void a_pause_is_made_longer_or_ended(void **state)
{
	struct place *place = *state;
	const struct pause_now now = at(300);
	struct pause pause, over;
	struct error error;

	ask(place, 100, 600);
	begin(place, true);
	/* by the agent's next look it is the same one */
	pause = ask(place, 200, 1200);
	assert_int_equal(pause.number, 1);
	assert_int_equal(pause.begun, 1);
	assert_int_equal(left_at(&pause, 200), 1200);
	over = pause;
	over.over = 1;
	/* made longer at the moment when the agent goes on: it does not end it */
	ask(place, 250, 3600);
	assert_int_equal(chain_resume(&place->chain, &over, &error), 0);
	assert_int_equal(read_it(place).over, 0);
	assert_int_equal(spool_pause_end(&place->spool, &now, &pause, &error), 0);
	assert_true(pause_is_held(&pause, &now));
	assert_int_equal(pause_left_ns(&pause, &now), 0);
	go_on(place);
	pause = read_it(place);
	assert_false(pause_is_held(&pause, &now));
	/* one that no agent has begun is just over */
	pause = ask(place, 300, 60);
	assert_int_equal(pause.number, 2);
	assert_int_equal(pause.begun, 0);
	assert_int_equal(spool_pause_end(&place->spool, &now, &pause, &error), 0);
	assert_int_equal(pause.over, 1);
}

static void a_damaged_pause_is_none(void **state)
{
	struct place *place = *state;
	static const char *const wrong[] = {
		"", "number=1\n", "number=1\nuntil-ns=5\nend=1\n",
		"number=1\nboot=" WORLD_BOOT "\nasked-ns=2\nuntil-ns=1\nend=1\n",
		"number=1\nboot=" WORLD_BOOT "\nbegun=2\nend=1\n",
		/* longer than a day */
		"number=1\nboot=" WORLD_BOOT "\nuntil-ns=86400000000001\nend=1\n",
	};
	const struct pause_now now = at(100);
	struct error error = { "" };
	struct pause pause;
	int fd;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		fd = openat(place->spool.state, PAUSE_FILE, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		assert_int_equal(write(fd, wrong[i], strlen(wrong[i])), strlen(wrong[i]));
		close(fd);
		if (read_it(place).number)
			fail_msg("%s", wrong[i]);
		/* whoever asks for something sets it aside */
		assert_int_equal(spool_pause_end(&place->spool, &now, &pause, &error), 0);
		assert_int_equal(pause.number, 0);
		assert_int_equal(faccessat(place->spool.state, PAUSE_FILE, F_OK, 0), -1);
	}
}

#define place_test(name)	cmocka_unit_test_setup_teardown(name, place_make, place_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		place_test(the_time_of_a_pause_is_in_no_window),
		place_test(sampling_of_others_is_not_reset),
		place_test(a_pause_that_cannot_be_noted_begins_later),
		place_test(without_the_module_a_pause_begins),
		place_test(a_pause_has_an_end),
		place_test(a_pause_is_made_longer_or_ended),
		place_test(a_damaged_pause_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
