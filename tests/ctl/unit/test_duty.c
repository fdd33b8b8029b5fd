// SPDX-License-Identifier: GPL-2.0
/*
 * Each host is sampled in about one hour of K, and each hour has about one host of K; the
 * windows of such a host say so, and there are none of other hours.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agent/duty.h"
#include "agent_place.h"
#include "made_profile.h"
#include "profile/inclusion.h"
#include "profile/merge.h"
#include "saved.h"

#define HOSTS		10000
#define HOURS		48
#define HOUR		3600
/* any hour: that of 2026-11-27 19:00 UTC */
#define FIRST_HOUR	498835

static struct duty duty_of(uint64_t inclusion, const char *secret, unsigned int host)
{
	struct duty duty;
	char name[32];

	snprintf(name, sizeof(name), "host%u.example", host);
	duty_init(&duty, inclusion, secret, name);
	return duty;
}

/*
 * Pearson's statistic of counts that are binomial with @n draws of probability @p, as a
 * number of standard deviations from its mean, which is the number of counts.
 */
static double deviation(const unsigned int *counts, size_t nr, double n, double p)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += (counts[i] - n * p) * (counts[i] - n * p) / (n * p * (1 - p));
	return (sum - (double)nr) / sqrt(2 * (double)nr);
}

static void each_host_takes_part_in_one_hour_of_k(uint64_t inclusion)
{
	static unsigned int of_hosts[HOSTS], of_hours[HOURS];
	double p = 1 / (double)inclusion, sum = 0;

	memset(of_hosts, 0, sizeof(of_hosts));
	memset(of_hours, 0, sizeof(of_hours));
	for (unsigned int host = 0; host < HOSTS; host++) {
		struct duty duty = duty_of(inclusion, "a fixed seed", host);

		for (unsigned int hour = 0; hour < HOURS; hour++)
			if (duty_takes_part(&duty, FIRST_HOUR + hour)) {
				of_hosts[host]++;
				of_hours[hour]++;
				sum++;
			}
	}
	/* the share of all, within 4 standard deviations; the counts are as chance has them */
	assert_true(fabs(sum / HOSTS / HOURS - p) < 4 * sqrt(p * (1 - p) / HOSTS / HOURS));
	assert_true(fabs(deviation(of_hours, HOURS, HOSTS, p)) < 4);
	assert_true(fabs(deviation(of_hosts, HOSTS, HOURS, p)) < 4);
}

static void hours_are_drawn_evenly(void **state)
{
	(void)state;
	each_host_takes_part_in_one_hour_of_k(2);
	each_host_takes_part_in_one_hour_of_k(3);
	each_host_takes_part_in_one_hour_of_k(8);
	each_host_takes_part_in_one_hour_of_k(24);
}

/* With the secret of others, hours have nothing to do with one's own. */
static void hours_follow_from_the_secret_and_the_host(void **state)
{
	unsigned int same = 0, again = 0;

	(void)state;
	for (unsigned int host = 0; host < HOSTS; host++) {
		struct duty mine = duty_of(2, "mine", host), other = duty_of(2, "other", host);
		struct duty mine_again = duty_of(2, "mine", host);

		same += duty_takes_part(&mine, FIRST_HOUR) == duty_takes_part(&other, FIRST_HOUR);
		again += duty_takes_part(&mine, FIRST_HOUR) ==
			 duty_takes_part(&mine_again, FIRST_HOUR);
	}
	assert_int_equal(again, HOSTS);
	/* 4 standard deviations of a fair coin */
	assert_in_range(same, HOSTS / 2 - 200, HOSTS / 2 + 200);
}

/* A value that another program computed: other versions must draw the same hours. */
static void the_hash_is_as_described(void **state)
{
	struct duty duty;
	char drawn[25] = "";

	(void)state;
	duty_init(&duty, 2, "hush", "web1");
	for (int hour = 0; hour < 24; hour++)
		drawn[hour] = duty_takes_part(&duty, 1000000 + (uint64_t)hour) ? '1' : '0';
	assert_string_equal(drawn, "110001100100101101000101");
	duty_init(&duty, 1, "", "web1");
	assert_true(duty_takes_part(&duty, 0) && duty_takes_part(&duty, FIRST_HOUR));
}

static void hours_begin_on_time(void **state)
{
	const int64_t hour_ns = HOUR * (int64_t)SEC;

	(void)state;
	assert_int_equal(duty_hour(FIRST_HOUR * hour_ns - 1), FIRST_HOUR - 1);
	assert_int_equal(duty_hour(FIRST_HOUR * hour_ns), FIRST_HOUR);
	assert_int_equal(duty_left_ns(FIRST_HOUR * hour_ns - 1), 1);
	assert_int_equal(duty_left_ns(FIRST_HOUR * hour_ns), hour_ns);
	assert_int_equal(duty_hour(-1), 0);
	assert_true(duty_left_ns(-1) > 0);
}

static void bad_shares_are_refused(void **state)
{
	static const char *const bad[] = { "1/0", "0/5", "1/1000000", "1/10001", "x", "", "8",
					   "1/", "1/8x", "1/-8", "2/8", "1 /8", "1/0x8" };
	struct error error;
	uint64_t inclusion = 7;
	char expected[160];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(inclusion_parse(bad[i], &inclusion, &error), -EINVAL);
		snprintf(expected, sizeof(expected), "%s: give 1/K with K from 1 to 10000, such as 1/8 to sample in one hour of 8",
			 bad[i]);
		assert_string_equal(error.text, expected);
		assert_int_equal(inclusion, 7);
	}
	assert_int_equal(inclusion_parse("1/10000", &inclusion, &error), 0);
	assert_int_equal(inclusion, 10000);
	assert_int_equal(inclusion_parse("1/1", &inclusion, &error), 0);
	assert_int_equal(inclusion, 1);
}

/* ---- windows ---- */

/* What happened in the simulated hours. */
struct days {
	struct duty duty;
	uint64_t sampled_s;
	unsigned int edges;
};

static struct duty duty_now(const struct place *place)
{
	return duty_of(place->chain.inclusion, "days", 7);
}

/* The made-up machine started at the beginning of an hour. */
static bool is_on(const struct place *place, const struct days *days)
{
	return duty_takes_part(&days->duty, FIRST_HOUR + place->world->seconds / HOUR);
}

static void change(struct place *place, struct days *days, bool on)
{
	/* the first hour may be one without duty */
	bool sampled = place_ledger(place)->made;
	struct error error;

	days->edges++;
	if (on)
		assert_int_equal(chain_go_on_duty(&place->chain, &error), 0);
	else
		assert_int_equal(chain_go_off_duty(&place->chain, sampled, false, &error), 0);
}

/* A window each ten minutes, and one at the end of each hour on duty, for so many hours. */
static void let_pass(struct place *place, struct days *days, unsigned int hours)
{
	uint64_t end = place->world->seconds + (uint64_t)hours * HOUR;
	bool was_on = !ledger_is_off_duty(place_ledger(place));

	while (place->world->seconds < end) {
		/* a dump is a second later than the one before */
		uint64_t from = place->world->seconds, next = from - from % 600 + 600;
		bool on = is_on(place, days);

		if (on != was_on)
			change(place, days, on);
		else if (on)
			place_step(place);
		if (on)
			days->sampled_s += next - from;
		was_on = on;
		place->world->seconds = next;
	}
}

/*
 * No window has a second of an hour in which the host takes no part. Return: the time
 * between windows.
 */
static uint64_t expect_windows(struct place *place, const struct days *days)
{
	uint64_t sum_s = 0, between_ns = 0, last_ns = 0;
	struct window window;
	size_t nr = 0;

	for (; (window = place_window(place, nr)).last; nr++) {
		uint64_t from = window.begin_ns / SEC, to = window.end_ns / SEC;

		sum_s += to - from;
		between_ns += last_ns ? window.begin_ns - last_ns : 0;
		last_ns = window.end_ns;
		for (uint64_t second = from; second < to; second++)
			/* a dump at an edge is a second later, and one with a reset two */
			assert_true(second % HOUR < 2 ||
				    duty_takes_part(&days->duty, FIRST_HOUR + second / HOUR));
	}
	assert_true(nr > HOURS);
	/* but for the second that each edge takes */
	assert_in_range(sum_s, days->sampled_s - 2 * days->edges,
			days->sampled_s + 2 * days->edges);
	return between_ns;
}

static void there_are_no_windows_off_duty_and_no_gaps(void **state)
{
	struct place *place = *state;
	const struct ledger *ledger;
	struct days days = { .edges = 0 };
	uint64_t between_ns;

	place->world->seconds = place->world->began = HOUR;
	place->chain.inclusion = 3;
	days.duty = duty_now(place);
	let_pass(place, &days, HOURS);
	assert_true(days.edges > 10);
	/* the last hour's end is an edge, or it is off duty */
	if (!ledger_is_off_duty(place_ledger(place)))
		change(place, &days, false);
	between_ns = expect_windows(place, &days);
	ledger = place_ledger(place);
	assert_int_equal(ledger->off_duty_ns, between_ns);
	assert_true(between_ns > HOURS / 4 * (uint64_t)HOUR * SEC);
	assert_int_equal(ledger->gap_ns, 0);
	assert_int_equal(ledger->pauses, 0);
	assert_int_equal(ledger->paused_ns, 0);
	assert_int_equal(ledger->off_duty, ledger->on_duty + 1);
	assert_int_equal(ledger->off_duty + ledger->on_duty, days.edges);
	for (size_t i = LEDGER_BREAK_BOOT; i < LEDGER_BREAKS; i++)
		assert_int_equal(ledger->breaks[i], 0);
}

/* The agent is killed off duty; others sample until the next one goes on duty. */
static void an_agent_that_starts_anew_knows_that_it_is_off_duty(void **state)
{
	struct place *place = *state;
	struct error error;
	uint64_t inclusion;

	place->chain.inclusion = 8;
	place_step(place);
	assert_int_equal(chain_go_off_duty(&place->chain, true, true, &error), 0);
	assert_true(ledger_is_off_duty(place_ledger(place)));
	place_expect_window(place, 1, 11 * SEC, 12, 11);
	place_end_agent(place);
	place->world->seconds += 100;
	place_start_agent(place);
	place->chain.inclusion = 8;
	assert_int_equal(chain_began_with(&place->chain, &inclusion, &error), 0);
	assert_int_equal(inclusion, 8);
	assert_true(ledger_is_off_duty(place_ledger(place)));
	assert_int_equal(chain_go_on_duty(&place->chain, &error), 0);
	assert_false(ledger_is_off_duty(place_ledger(place)));
	place_step(place);
	place_expect_window(place, 3, 114 * SEC, 115, 114);
	assert_int_equal(place_ledger(place)->off_duty_ns, (114 - 13) * SEC);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_MODULE], 0);
}

static uint64_t next_inclusion(struct place *place)
{
	struct spool_sending sending;
	uint64_t inclusion;
	struct error error;

	assert_int_equal(spool_next(&place->spool, world_targets[0], &sending, &error), 1);
	inclusion = sending.profile->meta.inclusion;
	profile_destroy(sending.profile);
	assert_int_equal(spool_done(&place->spool, world_targets[0], &sending.window,
				    SPOOL_TAKEN, 1, &error), 0);
	return inclusion;
}

/* A window has the inclusion with which it began. */
static void windows_have_their_inclusion(void **state)
{
	struct place *place = *state;
	struct error error;
	uint64_t inclusion;

	assert_int_equal(chain_began_with(&place->chain, &inclusion, &error), 0);
	assert_int_equal(inclusion, 0);
	place->chain.inclusion = 4;
	place_step(place);
	place_step(place);
	place_end_agent(place);
	place_start_agent(place);
	place->chain.inclusion = 2;
	assert_int_equal(chain_began_with(&place->chain, &inclusion, &error), 0);
	assert_int_equal(inclusion, 4);
	assert_int_equal(chain_go_off_duty(&place->chain, true, false, &error), 0);
	assert_int_equal(chain_go_on_duty(&place->chain, &error), 0);
	place_step(place);
	assert_int_equal(next_inclusion(place), 4);
	assert_int_equal(next_inclusion(place), 4);
	assert_int_equal(next_inclusion(place), 4);
	assert_int_equal(next_inclusion(place), 2);
}

/* ---- sums ---- */

static struct profile *sampled(uint64_t inclusion)
{
	struct profile *profile = profile_create();

	assert_non_null(profile);
	profile->meta.period_ns = 1000000;
	profile->meta.duration_ns = 500;
	add_sampled(profile, add_stack(profile, "a;b", FLAMEMOD_FRAME_KERNEL), "comm", 1, 0,
		    FLAMEMOD_CONTEXT_TASK, 7);
	profile->records[0].late_us = 3;
	profile->cpus[0].sampled_ns = 500;
	profile->cpus[0].books.truncated = 2;
	profile->meta.inclusion = inclusion;
	return profile;
}

static void a_file_keeps_it(void **state)
{
	struct profile *profile = sampled(8), *saved;
	char text[INCLUSION_FACT];
	struct error error;
	struct bytes file;

	(void)state;
	assert_string_equal(inclusion_fact(text, &profile->meta),
			    "inclusion 1/8: its host is sampled in one hour of 8");
	file = written(profile);
	assert_int_equal(read_bytes(file.bytes, file.size, &saved, &error), 0);
	free(file.bytes);
	assert_int_equal(saved->meta.inclusion, 8);
	assert_int_equal(saved->meta.weighted, 0);
	profile_destroy(saved);
	profile->meta.inclusion = 0;
	profile->meta.weighted = 10000;
	file = written(profile);
	assert_int_equal(read_bytes(file.bytes, file.size, &saved, &error), 0);
	free(file.bytes);
	assert_int_equal(saved->meta.inclusion, 0);
	assert_int_equal(saved->meta.weighted, 10000);
	assert_string_equal(inclusion_fact(text, &saved->meta),
			    "estimate: what was sampled in one hour of 10000 or fewer counts for all of them");
	profile_destroy(saved);
	/* and a file of other programs cannot claim more than there is */
	profile->meta.weighted = 10001;
	file = written(profile);
	assert_int_equal(read_bytes(file.bytes, file.size, &saved, &error), -EBADMSG);
	free(file.bytes);
	profile->meta.weighted = 1;
	assert_string_equal(inclusion_fact(text, &profile->meta), "");
	profile_destroy(profile);
}

static void a_sum_counts_it_for_all_hours(void **state)
{
	struct profile *half = sampled(2), *always = sampled(0), *sum;
	struct error error;
	struct merge merge, again;

	(void)state;
	assert_int_equal(merge_init(&merge, false), 0);
	assert_int_equal(merge_add(&merge, half, "half", &error), 0);
	assert_int_equal(merge_add(&merge, always, "always", &error), 0);
	sum = merge.sum;
	assert_int_equal(sum->records[0].periods, 21);
	assert_int_equal(sum->records[0].count, 3 * half->records[0].count);
	assert_int_equal(sum->records[0].late_us, 9);
	assert_int_equal(sum->books.stored, 21);
	assert_int_equal(sum->books.truncated, 6);
	assert_int_equal(sum->cpus[0].sampled_ns, 1500);
	assert_int_equal(sum->meta.duration_ns, 1500);
	assert_int_equal(sum->meta.inclusion, 0);
	assert_int_equal(sum->meta.weighted, 2);
	assert_int_equal(profile_check(sum, &error), 0);
	/* a sum of sums is not weighted once more */
	assert_int_equal(merge_init(&again, true), 0);
	assert_int_equal(merge_add(&again, always, "always", &error), 0);
	assert_int_equal(merge_add(&again, sum, "sum", &error), 0);
	assert_int_equal(again.sum->books.stored, 28 * 1000000);
	assert_int_equal(again.sum->meta.weighted, 2);
	merge_deinit(&again);
	merge_deinit(&merge);
	/* too much */
	assert_int_equal(merge_init(&merge, false), 0);
	half->cpus[0].books.filtered = UINT64_MAX / 2 + 1;
	assert_int_equal(merge_add(&merge, half, "half", &error), -EOVERFLOW);
	merge_deinit(&merge);
	profile_destroy(half);
	profile_destroy(always);
}

static void windows_of_one_host_become_a_longer_one(void **state)
{
	struct profile *half = sampled(2), *third = sampled(3);
	struct error error;
	struct merge merge;

	(void)state;
	assert_int_equal(merge_init(&merge, false), 0);
	merge.of_one_host = true;
	assert_int_equal(merge_add(&merge, half, "half", &error), 0);
	assert_int_equal(merge_add(&merge, half, "half", &error), 0);
	assert_int_equal(merge.sum->books.stored, 14);
	assert_int_equal(merge.sum->meta.inclusion, 2);
	assert_int_equal(merge.sum->meta.weighted, 0);
	assert_int_equal(merge_add(&merge, third, "third", &error), -EINVAL);
	assert_string_equal(error.text, "third: its inclusion is 1/3, that of half is 1/2: as one window they would have none");
	merge_deinit(&merge);
	/* events of tasks are no samples */
	assert_int_equal(merge_init(&merge, false), 0);
	half->meta.intervals.known = true;
	strcpy(half->meta.weight_type, "off-cpu");
	assert_int_equal(merge_add(&merge, half, "half", &error), -EINVAL);
	assert_string_equal(error.text, "half: its inclusion is 1/2, which only samples may have: off-cpu are no samples");
	merge_deinit(&merge);
	profile_destroy(half);
	profile_destroy(third);
}

#define place_test(name)	cmocka_unit_test_setup_teardown(name, place_make, place_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hours_are_drawn_evenly),
		cmocka_unit_test(hours_follow_from_the_secret_and_the_host),
		cmocka_unit_test(the_hash_is_as_described),
		cmocka_unit_test(hours_begin_on_time),
		cmocka_unit_test(bad_shares_are_refused),
		place_test(there_are_no_windows_off_duty_and_no_gaps),
		place_test(an_agent_that_starts_anew_knows_that_it_is_off_duty),
		place_test(windows_have_their_inclusion),
		cmocka_unit_test(a_file_keeps_it),
		cmocka_unit_test(a_sum_counts_it_for_all_hours),
		cmocka_unit_test(windows_of_one_host_become_a_longer_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
