// SPDX-License-Identifier: GPL-2.0
/*
 * Two hours without a server, in no time: the disk stays bounded, windows are merged before
 * any is dropped, and all that is lost is counted. After it, a server that takes an hour
 * refuses what is older, and nothing is tried for ever.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "agent_place.h"
#include "cmd/agent_attempt.h"
#include "cmd/server.h"
#include "fleet/send.h"
#include "made_profile.h"

#define MINUTES		120

static const char server_url[] = "pyroscope://127.0.0.1:1";

/* A window a minute, up to now. Each window of the made-up module ends a second later. */
static void let_pass(struct place *place)
{
	place->world->seconds += 59;
	place_step(place);
}

static uint64_t bytes_of(struct place *place)
{
	struct spool_list list = { .nr = 0 };
	struct error error;

	assert_int_equal(spool_list(&place->spool, &list, &error), 0);
	free(list.entries);
	return list.bytes;
}

static void tidy(struct place *place, uint64_t bytes_max)
{
	const char *const targets[] = { world_targets[0], server_url };
	const struct spool_now now = {
		.boot = WORLD_BOOT, .monotonic_ns = place->world->seconds * SEC,
	};
	struct error error;

	place->spool.limits.bytes_max = bytes_max;
	assert_int_equal(spool_tidy(&place->spool, targets, 2, &now, &error), 0);
}

/* Both servers are asked in vain, and neither has a window. */
static void fail_to_send(struct place *place, const char *target)
{
	struct spool_sending sending;
	struct error error;

	assert_int_equal(spool_next(&place->spool, target, &sending, &error), 1);
	profile_destroy(sending.profile);
	assert_int_equal(spool_failed(&place->spool, target, "no route", false, &error), 0);
}

static uint64_t periods_on_disk(struct place *place)
{
	uint64_t sum = 0;
	struct window found;

	for (size_t i = 0; (found = place_window(place, i)).last; i++)
		sum += found.periods;
	return sum;
}

/* The windows end now: the last minute of the outage is this one. */
static void set_clock(struct place *place)
{
	uint64_t end = place->world->seconds + MINUTES * 60;

	/* the module has room, so that each minute is one window */
	place->world->limit_bytes = 1 << 30;
	place->world->clock_ns = ((int64_t)time(NULL) - 1700000000 - (int64_t)end) *
				 (int64_t)SEC;
}

static void the_disk_stays_bounded_and_windows_are_merged(void **state)
{
	struct place *place = *state;
	const struct ledger *ledger;
	uint64_t bytes_max = 0;

	set_clock(place);
	for (int minute = 1; minute <= MINUTES; minute++) {
		let_pass(place);
		fail_to_send(place, world_targets[0]);
		fail_to_send(place, server_url);
		/* room for ten of the largest windows by then */
		if (minute == 10)
			bytes_max = bytes_of(place);
		if (!bytes_max)
			continue;
		tidy(place, bytes_max);
		assert_true(bytes_of(place) <= bytes_max);
	}
	ledger = place_ledger(place);
	assert_int_equal(ledger->made, MINUTES);
	assert_true(ledger->merged > MINUTES / 2);
	assert_int_equal(ledger->made_periods, world_sum(10, place->world->seconds));
	/* hours are merged to hours: nothing had to be dropped */
	assert_int_equal(ledger->dropped[LEDGER_DROP_FULL], 0);
	assert_int_equal(periods_on_disk(place), ledger->made_periods);
	/* with hardly any room, what is lost is counted */
	tidy(place, 1000);
	ledger = place_ledger(place);
	assert_true(ledger->dropped[LEDGER_DROP_FULL] > 0);
	assert_int_equal(periods_on_disk(place) + ledger->dropped_periods[LEDGER_DROP_FULL],
			 ledger->made_periods);
	assert_true(bytes_of(place) <= 1000);
}

/* Send all to a server that takes windows of the last hour, and cannot be reached now. */
static void send_all(struct place *place, struct server *server, unsigned int *attempts)
{
	const struct labels labels = { .nr = 0 };
	struct spool_sending sending;
	struct error error = { "" };
	struct attempt attempt;
	bool settled;

	do {
		assert_true(++*attempts <= MINUTES);
		if (spool_next(&place->spool, server_url, &sending, &error) != 1)
			fail_msg("%s", error.text);
		attempt_make(server, &labels, &sending, 1, &attempt);
		settled = attempt_is_settled(&attempt);
		assert_int_equal(attempt_note(&place->spool, server_url, &sending, 1, &attempt,
					      &error), 0);
		profile_destroy(sending.profile);
	} while (settled);
}

static void what_is_too_old_for_a_server_is_counted_and_passed_over(void **state)
{
	struct place *place = *state;
	const struct server_request request = { .values = { NULL } };
	struct send_policy policy = SEND_POLICY_DEFAULT;
	struct cursor cursor;
	struct server server;
	unsigned int attempts = 0;
	uint64_t old = 0;
	struct error error;

	set_clock(place);
	for (int minute = 1; minute <= MINUTES; minute++)
		let_pass(place);
	policy.attempts = 1;
	assert_int_equal(server_open(&server, server_url, &request, policy, &error), 0);
	send_all(place, &server, &attempts);
	assert_int_equal(cursor_read(place->spool.state, server_url, &cursor, &error), 0);
	/* half of it, give or take the window at the edge */
	assert_in_range(cursor.too_old, MINUTES / 2, MINUTES / 2 + 1);
	assert_int_equal(cursor.done, cursor.too_old);
	for (size_t i = 0; i < cursor.too_old; i++)
		old += place_window(place, i).periods;
	assert_int_equal(cursor.too_old_periods, old);
	assert_int_equal(cursor.refused, 0);
	/* each once; and the first that it would take waits for it */
	assert_int_equal(attempts, cursor.too_old + 1);
	assert_int_equal(cursor.failures, 1);
	server_close(&server);
}

/* An answer was missed. That the next attempt finds no server says nothing about the first. */
static void a_doubt_stays_while_a_server_is_away(void **state)
{
	struct place *place = *state;
	const struct server_request request = { .values = { NULL } };
	const struct labels labels = { .nr = 0 };
	struct send_policy policy = SEND_POLICY_DEFAULT;
	struct spool_sending sending;
	struct attempt attempt;
	struct server server;
	struct error error;

	policy.attempts = 1;
	set_clock(place);
	/* the window is new, not two hours old */
	place->world->clock_ns += (int64_t)MINUTES * 60 * (int64_t)SEC;
	let_pass(place);
	assert_int_equal(server_open(&server, server_url, &request, policy, &error), 0);
	assert_int_equal(spool_next(&place->spool, server_url, &sending, &error), 1);
	attempt_make(&server, &labels, &sending, 1, &attempt);
	assert_false(attempt_is_settled(&attempt));
	assert_false(attempt.is_doubtful);
	sending.is_doubtful = true;
	attempt_make(&server, &labels, &sending, 1, &attempt);
	assert_false(attempt_is_settled(&attempt));
	assert_true(attempt.is_doubtful);
	profile_destroy(sending.profile);
	server_close(&server);
}

#define place_test(name)	cmocka_unit_test_setup_teardown(name, place_make, place_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		place_test(the_disk_stays_bounded_and_windows_are_merged),
		place_test(what_is_too_old_for_a_server_is_counted_and_passed_over),
		place_test(a_doubt_stays_while_a_server_is_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
