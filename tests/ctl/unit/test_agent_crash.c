// SPDX-License-Identifier: GPL-2.0
/*
 * The agent ends, or the disk is full, at each of its steps in turn: what targets get is
 * what the module counted, without a gap, and nothing twice.
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

#include "agent/chain.h"
#include "agent/disk.h"
#include "agent/spool.h"
#include "agent_world.h"
#include "made_profile.h"

#define ROUNDS		3
#define KILLED		99

static uint64_t steps, bad_step, nr_bad;

static int end_here(void)
{
	if (++steps == bad_step)
		_exit(KILLED);
	return 0;
}

static int be_full(void)
{
	steps++;
	return steps >= bad_step && steps < bad_step + nr_bad ? -ENOSPC : 0;
}

static void tidy(struct spool *spool, const struct world *world)
{
	const struct spool_now now = {
		.boot = WORLD_BOOT, .monotonic_ns = world->seconds * SEC,
	};
	struct error error;

	spool_tidy(spool, world_targets, WORLD_TARGETS, &now, &error);
}

/* One life of an agent. The second target is not there until the last rounds. */
static void live(struct world *world, const char *directory, bool ends_well)
{
	struct spool spool = { .limits = SPOOL_LIMITS_DEFAULT };
	struct chain chain = {
		.spool = &spool, .source = world_source(world), .boot = WORLD_BOOT,
	};
	struct error error = { "" };
	int err;

	/* two windows of this world do not fit; those of two epochs cannot be merged */
	spool.limits.bytes_max = world->limit_bytes < 1000 ? 1 << 20 : 1500;
	err = spool_open(&spool, directory, true, &error) ?: spool_own(&spool, &error);
	for (int i = 0; !err && i < ROUNDS; i++) {
		chain_step(&chain, &error);
		world_send(world, &spool, 0);
		tidy(&spool, world);
	}
	if (ends_well) {
		assert_int_equal(err, 0);
		assert_int_equal(chain_step(&chain, &error), 0);
		for (unsigned int i = 0; i < WORLD_TARGETS; i++)
			world_send(world, &spool, i);
		tidy(&spool, world);
	}
	chain_deinit(&chain);
	spool_close(&spool);
}

/* Return: the exit code. */
static int live_in_child(struct world *world, const char *directory)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (!pid) {
		disk_step = end_here;
		live(world, directory, false);
		/* no leak check: the parent's memory is not this process's */
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int compare(const void *left, const void *right)
{
	const struct world_sent *a = left, *b = right;

	return a->window.first < b->window.first ? -1 : 1;
}

/* Return: the periods that a target got. @missing: set to the windows that it did not. */
static uint64_t check_chain(struct world *world, unsigned int target, bool resets,
			    uint64_t *missing)
{
	struct world_sent *sent = world->sent[target];
	unsigned int nr = world->nr_sent[target];
	uint64_t sum = 0, number = 0, end_ns = 10 * SEC;

	qsort(sent, nr, sizeof(*sent), compare);
	*missing = 0;
	for (unsigned int i = 0; i < nr; i++) {
		assert_true(sent[i].window.first > number);
		assert_int_equal(sent[i].periods, sent[i].window.periods);
		*missing += sent[i].window.first - 1 - number;
		if (!resets && sent[i].window.first == number + 1)
			assert_int_equal(sent[i].window.begin_ns, end_ns);
		number = sent[i].window.last;
		end_ns = sent[i].window.end_ns;
		sum += sent[i].periods;
	}
	assert_int_equal(end_ns, world->seconds * SEC);
	return sum;
}

static void read_ledger(const char *directory, struct ledger *ledger)
{
	struct spool spool = { .limits = SPOOL_LIMITS_DEFAULT };
	struct spool_list list = { .nr = 0 };
	struct error error;

	assert_int_equal(spool_open(&spool, directory, false, &error), 0);
	assert_int_equal(spool_list(&spool, &list, &error), 0);
	/* all targets have all */
	assert_int_equal(list.nr, 0);
	*ledger = spool.ledger;
	free(list.entries);
	spool_close(&spool);
}

static void check(struct world *world, const char *directory, bool resets,
		  struct ledger *ledger)
{
	uint64_t all = world_sum(10, world->seconds), missing[WORLD_TARGETS];

	read_ledger(directory, ledger);
	/* the first target is sent each window at once */
	assert_int_equal(check_chain(world, 0, resets, &missing[0]), ledger->made_periods);
	assert_int_equal(missing[0], 0);
	assert_int_equal(check_chain(world, 1, resets, &missing[1]) +
			 ledger->dropped_periods[LEDGER_DROP_FULL], ledger->made_periods);
	assert_int_equal(missing[1], ledger->dropped[LEDGER_DROP_FULL]);
	assert_int_equal(ledger->dropped[LEDGER_DROP_DAMAGED], 0);
	assert_int_equal(ledger->lost_cursors, 0);
	/* only what was sampled between a reset and the death that followed is missing */
	if (!resets || !ledger->breaks[LEDGER_BREAK_MODULE])
		assert_int_equal(ledger->made_periods, all);
	else
		assert_true(ledger->made_periods < all && ledger->gap_ns > 0);
}

/* Return: whether the agent got as far as @at. */
static bool die_at(uint64_t at, uint64_t limit_bytes, struct ledger *ledger,
		   unsigned int *nr_again)
{
	struct world *world = world_create();
	char *directory = world_directory();
	int code;

	world->limit_bytes = limit_bytes;
	bad_step = at;
	steps = 0;
	disk_step = NULL;
	code = live_in_child(world, directory);
	assert_true(!code || code == KILLED);
	live(world, directory, true);
	check(world, directory, limit_bytes < 1000, ledger);
	*nr_again += world->nr_again[0] + world->nr_again[1];
	world_clear(directory);
	free(directory);
	world_destroy(world);
	return code == KILLED;
}

static void an_agent_that_ends_at_any_step_loses_nothing(void **state)
{
	unsigned int nr_again = 0;
	struct ledger ledger;
	uint64_t at = 1;

	(void)state;
	while (die_at(at, 1 << 20, &ledger, &nr_again))
		at++;
	/* it did all that it can do */
	assert_true(at > 100);
	assert_true(ledger.merged > 0);
	assert_int_equal(ledger.dropped[LEDGER_DROP_FULL], 0);
	assert_true(nr_again > 0);
	assert_int_equal(ledger.breaks[LEDGER_BREAK_FIRST], 1);
}

static void what_a_reset_costs_is_counted(void **state)
{
	unsigned int nr_again = 0, nr_lost = 0;
	struct ledger ledger;
	uint64_t at = 1;

	(void)state;
	/* half full after two seconds */
	while (die_at(at, 300, &ledger, &nr_again)) {
		nr_lost += ledger.breaks[LEDGER_BREAK_MODULE] > 0;
		assert_true(ledger.resets > 0);
		at++;
	}
	assert_true(nr_lost > 0 && nr_lost < at / 4);
	assert_int_equal(ledger.breaks[LEDGER_BREAK_MODULE], 0);
}

/* Return: how many steps there were. */
static uint64_t fill_at(uint64_t at, uint64_t nr)
{
	struct world *world = world_create();
	char *directory = world_directory();
	struct ledger ledger;
	uint64_t done;

	bad_step = at;
	nr_bad = nr;
	steps = 0;
	disk_step = be_full;
	live(world, directory, false);
	done = steps;
	disk_step = NULL;
	live(world, directory, true);
	check(world, directory, false, &ledger);
	world_clear(directory);
	free(directory);
	world_destroy(world);
	return done;
}

static void a_full_disk_loses_nothing(void **state)
{
	static const uint64_t spans[] = { 1, 20 };

	(void)state;
	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		for (uint64_t at = 1; at <= fill_at(at, spans[i]); at++)
			;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_agent_that_ends_at_any_step_loses_nothing),
		cmocka_unit_test(what_a_reset_costs_is_counted),
		cmocka_unit_test(a_full_disk_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
