// SPDX-License-Identifier: GPL-2.0
/*
 * Each target gets each window of the spool once, in order, and what became of it is counted.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_profile.h"
#include "spool_place.h"

static void each_target_gets_each_window_once(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	struct cursor cursor;

	spool_place_add_all(spool, 1, 3);
	spool_place_send(spool, 0, SPOOL_TAKEN);
	spool_place_send(spool, 0, SPOOL_REFUSED);
	spool_place_send(spool, 0, SPOOL_DOUBTFUL);
	assert_int_equal(spool_place_next(spool, 0, &sending), 0);
	cursor = spool_place_cursor(spool, 0);
	assert_int_equal(cursor.taken_periods, 1);
	assert_int_equal(cursor.refused_periods, 2);
	assert_int_equal(cursor.doubtful_periods, 3);
	assert_int_equal(cursor.success, 77);
	/* the other target has none yet, and so all stay */
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "1 2 3");
	spool_place_send(spool, 1, SPOOL_TAKEN);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "2 3");
	/* without a target nothing is done */
	assert_int_equal(spool_place_tidy(spool, 10, 0), 0);
	spool_place_expect(spool, "2 3");
	assert_int_equal(spool_place_tidy(spool, 10, 1), 0);
	spool_place_expect(spool, "");
	/* numbers go on */
	spool_place_add_all(spool, 4, 4);
	spool_place_expect(spool, "4");
}

static void a_failed_window_is_sent_again(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	struct error error;

	spool_place_add_all(spool, 1, 2);
	assert_int_equal(spool_place_next(spool, 0, &sending), 1);
	assert_false(sending.is_doubtful);
	/* an agent that ended here leaves a doubt */
	assert_int_equal(spool_place_next(spool, 0, &sending), 1);
	assert_true(sending.is_doubtful);
	assert_int_equal(spool_failed(spool, world_targets[0], "busy\n", false, &error), 0);
	assert_string_equal(spool_place_cursor(spool, 0).error, "busy ");
	assert_int_equal(spool_place_next(spool, 0, &sending), 1);
	assert_false(sending.is_doubtful);
	assert_int_equal(spool_failed(spool, world_targets[0], "cut", true, &error), 0);
	assert_int_equal(spool_place_next(spool, 0, &sending), 1);
	assert_true(sending.is_doubtful);
	assert_int_equal(spool_place_cursor(spool, 0).failures, 2);
	spool_place_send(spool, 0, SPOOL_TAKEN);
	assert_int_equal(spool_place_cursor(spool, 0).failures, 0);
	assert_string_equal(spool_place_cursor(spool, 0).error, "");
}

static void what_a_target_has_in_part_is_not_merged(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	struct error error;

	spool_place_add_all(spool, 1, 4);
	spool_place_send(spool, 0, SPOOL_TAKEN);
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "1 2-3 4");
	/* it may have 2-3: then 4 stays apart, and 1 is the target's that has none */
	assert_int_equal(spool_place_next(spool, 0, &sending), 2);
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "2-3 4");
	assert_int_equal(spool_failed(spool, world_targets[0], "no", false, &error), 0);
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "2-4");
	/* the other one never got 1, which it is new enough not to miss */
	spool_place_send(spool, 1, SPOOL_TAKEN);
	assert_int_equal(spool_place_cursor(spool, 1).missed, 0);
	assert_int_equal(spool_place_cursor(spool, 1).taken, 3);
}

/* Two processes send at the same time as a third adds and merges. */
static void processes_may_use_it_at_once(void **state)
{
	struct spool_place *place = *state;
	struct world *world = world_create();
	pid_t pids[WORLD_TARGETS];
	uint64_t got;
	int status;

	for (unsigned int i = 0; i < WORLD_TARGETS; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			struct spool spool = { .limits = SPOOL_LIMITS_DEFAULT };
			struct error error;

			alarm(60);
			if (spool_open(&spool, place->directory, false, &error))
				_exit(1);
			while (!world->nr_sent[i] ||
			       world->sent[i][world->nr_sent[i] - 1].window.last < 60)
				world_send(world, &spool, i);
			_exit(0);
		}
	}
	for (uint64_t second = 1; second <= 60; second++) {
		spool_place_add(&place->spool, WORLD_BOOT, 1, second);
		place->spool.limits.bytes_max = 1500;
		assert_int_equal(spool_place_tidy(&place->spool, second, 2), 0);
	}
	for (unsigned int i = 0; i < WORLD_TARGETS; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
		got = 0;
		for (unsigned int j = 0; j < world->nr_sent[i]; j++)
			got += world->sent[i][j].periods;
		assert_true(got <= 60 * 61 / 2);
		assert_true(got + place->spool.ledger.dropped_periods[LEDGER_DROP_FULL] >=
			    60 * 61 / 2);
	}
	world_destroy(world);
}

static size_t next_batch(struct spool *spool, const struct spool_batch *batch,
			 struct spool_sending *sending)
{
	struct error error = { "" };
	int nr = spool_next_batch(spool, world_targets[0], batch, sending, &error);

	assert_true(nr >= 0);
	for (int i = 0; i < nr; i++)
		profile_destroy(sending[i].profile);
	return (size_t)nr;
}

static void a_batch_has_the_oldest_windows_within_its_limits(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_batch batch = { .windows = 4, .bytes = UINT64_MAX };
	struct spool_sending sending[8];
	struct spool_list list;
	struct error error;

	spool_place_add_all(spool, 1, 6);
	assert_int_equal(next_batch(spool, &batch, sending), 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(sending[i].window.first, i + 1);
		assert_false(sending[i].is_doubtful);
	}
	/* none of them is merged or dropped meanwhile */
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "1 2 3 4 5-6");
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "1 2 3 4");
	assert_int_equal(spool_done_batch(spool, world_targets[0], sending, 4, SPOOL_TAKEN, 7,
					  &error), 0);
	assert_int_equal(spool_place_cursor(spool, 0).taken_periods, 1 + 2 + 3 + 4);
	assert_int_equal(spool_place_cursor(spool, 0).trying, 4);
	/* by size; one is always sent */
	spool_place_add_all(spool, 7, 9);
	list = spool_place_list(spool);
	batch.bytes = list.entries[list.nr - 3].bytes + list.entries[list.nr - 2].bytes;
	free(list.entries);
	assert_int_equal(next_batch(spool, &batch, sending), 2);
	batch.bytes = 0;
	assert_int_equal(spool_failed(spool, world_targets[0], NULL, false, &error), 0);
	assert_int_equal(next_batch(spool, &batch, sending), 1);
	assert_int_equal(spool_place_cursor(spool, 0).failures, 0);
}

/* An agent was killed in the middle of a batch: some of it is noted, and some is in doubt. */
static void a_batch_that_is_cut_is_sent_again(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_batch batch = { .windows = 3, .bytes = UINT64_MAX };
	struct spool_sending sending[8];
	struct error error;

	spool_place_add_all(spool, 1, 5);
	assert_int_equal(next_batch(spool, &batch, sending), 3);
	assert_int_equal(spool_done(spool, world_targets[0], &sending[0].window, SPOOL_TAKEN, 7,
				    &error), 0);
	/* what is in doubt is not sent together with what is not */
	batch.windows = 8;
	assert_int_equal(next_batch(spool, &batch, sending), 2);
	assert_int_equal(sending[0].window.first, 2);
	assert_true(sending[0].is_doubtful && sending[1].is_doubtful);
	/* nor merged with it, nor with another one */
	assert_int_equal(spool_place_cursor(spool, 0).trying, 3);
	/* a smaller one leaves the doubt of the others */
	batch.windows = 1;
	assert_int_equal(next_batch(spool, &batch, sending), 1);
	assert_int_equal(spool_done(spool, world_targets[0], &sending[0].window, SPOOL_TAKEN, 7,
				    &error), 0);
	batch.windows = 8;
	assert_int_equal(next_batch(spool, &batch, sending), 1);
	assert_int_equal(sending[0].window.first, 3);
	assert_true(sending[0].is_doubtful);
	assert_int_equal(spool_done(spool, world_targets[0], &sending[0].window, SPOOL_TAKEN, 7,
				    &error), 0);
	assert_int_equal(next_batch(spool, &batch, sending), 2);
	assert_false(sending[0].is_doubtful);
	assert_int_equal(spool_place_cursor(spool, 0).taken_periods, 1 + 2 + 3);
}

#define spool_test(name) \
	cmocka_unit_test_setup_teardown(name, spool_place_make, spool_place_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		spool_test(each_target_gets_each_window_once),
		spool_test(a_failed_window_is_sent_again),
		spool_test(what_a_target_has_in_part_is_not_merged),
		spool_test(a_batch_has_the_oldest_windows_within_its_limits),
		spool_test(a_batch_that_is_cut_is_sent_again),
		spool_test(processes_may_use_it_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
