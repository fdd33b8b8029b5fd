// SPDX-License-Identifier: GPL-2.0
/*
 * A dump of events of tasks: profiles of time off the CPU and of exact time on it, and
 * wrong statements about them. Then all time of tasks, made of these and of samples, and a
 * file of it.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libmnl/libmnl.h>

#include "base/gzip.h"
#include "format/pprof/pprof.h"
#include "made_profile.h"
#include "nl_decoded.h"
#include "profile/join.h"
#include "profile/merge_events.h"
#include "profile/task_state.h"
#include "profile/wall.h"

#define OFF	FLAMEMOD_EVENT_OFF_CPU
#define WAIT	FLAMEMOD_EVENT_WAITING
#define RAN	FLAMEMOD_EVENT_RAN
#define ALL	(1U << OFF | 1U << WAIT | 1U << RAN)

/* Of each event how many intervals were stored, and their time. */
static const struct { uint32_t hits, ns; } stored[] = {
	[OFF] = { 7, 5000 }, [WAIT] = { 2, 300 }, [RAN] = { 9, 1201 },
};

#define BELOW_NS	40
#define LOST_NS		60

/* What a dump says; each test spoils one thing. */
struct said {
	uint32_t mask;
	uint32_t more_hits, more_ns;	/* in the books of OFF, beyond the records */
	uint32_t seen_less;		/* its books then do not balance */
	uint32_t event, state;		/* of the last record; 0: as it should be */
	const char *unit;
	bool twice;
	uint32_t nr_sides;		/* of user stacks, in OFF; 0: none are taken */
};

static const struct said good = { .mask = ALL, .unit = "ns" };

static void put_tally(struct message *m, uint16_t type, uint32_t kept, uint32_t below,
		      uint32_t lost, uint32_t seen_less)
{
	struct nlattr *nest = mnl_attr_nest_start(m->header, type), *inner;

	mnl_attr_put_u64(m->header, FLAMEMOD_A_EVENT_BOOKS_SEEN, kept + 10 + below + lost - seen_less);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_EVENT_BOOKS_STORED, kept);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_EVENT_BOOKS_FILTERED, 10);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_EVENT_BOOKS_BELOW, below);
	inner = mnl_attr_nest_start(m->header, FLAMEMOD_A_EVENT_BOOKS_LOST);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_EVENT_LOST_OVERLOAD, lost);
	mnl_attr_nest_end(m->header, inner);
	mnl_attr_nest_end(m->header, nest);
}

static void put_event(struct message *m, uint32_t event, const struct said *said)
{
	static const uint32_t pids[] = { 40, 50 };
	static const uint64_t sides[__FLAMEMOD_USER_MAX + 1] = {
		[FLAMEMOD_USER_WHOLE] = 3000, [FLAMEMOD_USER_AWAY] = 1000,
	};
	struct nlattr *nest = mnl_attr_nest_start(m->header, FLAMEMOD_A_STATE_EVENT);
	bool off = event == OFF;

	mnl_attr_put_u32(m->header, FLAMEMOD_A_EVENT_EVENT, event);
	mnl_attr_put_strz(m->header, FLAMEMOD_A_EVENT_UNIT, said->unit);
	mnl_attr_put_u64(m->header, FLAMEMOD_A_EVENT_SINCE_NS, (1ULL << 41) - 1000000);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_EVENT_MIN_NS, 10000);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_EVENT_STATES, 255);
	mnl_attr_put(m->header, FLAMEMOD_A_EVENT_PIDS, sizeof(pids), pids);
	put_tally(m, FLAMEMOD_A_EVENT_HITS, stored[event].hits + (off ? said->more_hits : 0), 4, 3,
		  off ? said->seen_less : 0);
	put_tally(m, FLAMEMOD_A_EVENT_WEIGHT, stored[event].ns + (off ? said->more_ns : 0),
		  BELOW_NS, LOST_NS, 0);
	if (off && said->nr_sides)
		mnl_attr_put(m->header, FLAMEMOD_A_EVENT_USER_SIDES,
			     said->nr_sides * sizeof(*sides), sides);
	mnl_attr_nest_end(m->header, nest);
}

/* As the sampler's, with events: later attributes of the same type count. */
static void put_events_state(struct message *m, const struct reply *reply, const struct said *said)
{
	struct nlattr *state;

	put_settings(m, reply);
	put_state(m, reply);
	/* reopen the nest, which is the last attribute */
	state = m->nest;
	for (uint32_t event = OFF; event <= RAN; event++)
		if (said->mask & 1U << event) {
			put_event(m, event, said);
			if (said->twice)
				put_event(m, event, said);
		}
	mnl_attr_nest_end(m->header, state);
	put_cpu(m, 0, reply->cpu_fires / 2, 0);
	put_cpu(m, 1, reply->cpu_fires - reply->cpu_fires / 2, 2);
}

#define NR	6

static void put_intervals(struct message *m, const struct said *said)
{
	/* of each record: node, task, event, state, count, ns */
	static const uint64_t rows[NR][6] = {
		{ 2, 1, OFF, FLAMEMOD_TASK_STATE_SLEEPING, 5, 4000 },
		{ 2, 1, OFF, FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE, 2, 900 },
		{ 3, 1, OFF, FLAMEMOD_TASK_STATE_PREEMPTED, 0, 100 },
		{ 2, 1, WAIT, FLAMEMOD_TASK_STATE_SLEEPING, 2, 300 },
		{ 0, 1, RAN, 0, 8, 1200 },
		{ 0, 0, RAN, 0, 1, 1 },
	};
	uint64_t column[6][NR], cpus[NR], zeros[NR] = { 0 };
	uint32_t nodes[NR], tasks[NR], nr = 0;

	for (uint32_t i = 0; i < NR; i++) {
		if (!(said->mask & 1U << rows[i][2]))
			continue;
		for (unsigned int j = 0; j < 6; j++)
			column[j][nr] = rows[i][j];
		nodes[nr] = (uint32_t)rows[i][0];
		tasks[nr] = (uint32_t)rows[i][1];
		cpus[nr] = i & 1;
		nr++;
	}
	if (said->event)
		column[2][nr - 1] = said->event;
	if (said->state)
		column[3][nr - 1] = said->state;
	if (!nr)
		return;
	open_nest(m, FLAMEMOD_A_RECORDS);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_RECORDS_FIRST, 0);
	put_differences(m, FLAMEMOD_A_RECORDS_NODE, nr, nodes);
	put_differences(m, FLAMEMOD_A_RECORDS_TASK, nr, tasks);
	put_column(m, FLAMEMOD_A_RECORDS_CPU, nr, cpus);
	put_column(m, FLAMEMOD_A_RECORDS_CONTEXT, nr, zeros);
	put_column(m, FLAMEMOD_A_RECORDS_COUNT, nr, column[4]);
	put_column(m, FLAMEMOD_A_RECORDS_PERIODS, nr, column[5]);
	put_column(m, FLAMEMOD_A_RECORDS_LATE_US, nr, zeros);
	put_column(m, FLAMEMOD_A_RECORDS_EVENT, nr, column[2]);
	put_column(m, FLAMEMOD_A_RECORDS_STATE, nr, column[3]);
	close_nest(m);
}

static void put_dump(struct message *m, const struct said *said)
{
	struct reply reply = good_reply;

	reply.records = 0;
	for (uint32_t event = OFF; event <= RAN; event++)
		if (said->mask & 1U << event)
			reply.records += event == OFF ? 3 : event == WAIT ? 1 : 2;
	message_begin(m);
	put_events_state(m, &reply, said);
	put_frames(m);
	put_nodes(m);
	put_tasks(m);
	put_intervals(m, said);
}

static struct events decoded_said(const struct said *said)
{
	struct message m;

	put_dump(&m, said);
	return decoded_events(&m);
}

static void expect_refused(const struct said *said, const char *why)
{
	struct message m;

	put_dump(&m, said);
	expect_bad_events(&m, why);
}

/* Return: the time of stacks that end in the frame @leaf. */
static uint64_t time_of(const struct profile *profile, const char *leaf)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < profile->nr_records; i++) {
		const struct profile_record *record = &profile->records[i];
		const char *name = profile->frames[profile->nodes[record->node].frame].name;

		if (record->node && !strcmp(name, leaf))
			ns += record->periods;
	}
	return ns;
}

static void a_dump_becomes_events(void **state)
{
	struct events events = decoded_said(&good);
	const struct profile *off = events.list[0].profile, *ran = events.list[1].profile;
	char text[INTERVALS_TEXT];

	(void)state;
	assert_int_equal(events.nr, 2);
	assert_string_equal(events.list[0].name, "off-cpu");
	assert_string_equal(events.list[1].name, "ran");
	assert_string_equal(profile_event(&off->meta), "off-cpu");
	assert_string_equal(profile_unit(&off->meta), "nanoseconds");
	assert_int_equal(off->meta.duration_ns, 1000000);
	assert_int_equal(off->meta.settings.nr_pids, 2);
	assert_int_equal(off->meta.settings.hz, 0);
	assert_int_equal(time_of(off, "[sleeping]"), 4000);
	assert_int_equal(time_of(off, "[uninterruptible]"), 900);
	assert_int_equal(time_of(off, "[preempted]"), 100);
	assert_int_equal(time_of(off, "[waiting]"), 300);
	/* of both events: stored, then filtered and below, then lost */
	assert_int_equal(off->books.stored, 5300);
	assert_int_equal(off->books.filtered, 2 * (10 + BELOW_NS));
	assert_int_equal(off->books.lost[FLAMEMOD_LOST_OVERLOAD], 2 * LOST_NS);
	assert_int_equal(off->books.fires, 5300 + 2 * (10 + BELOW_NS + LOST_NS));
	assert_int_equal(off->meta.intervals.seen, 7 + 2 + 2 * (10 + 4 + 3));
	assert_int_equal(off->meta.intervals.lost[FLAMEMOD_EVENT_LOST_OVERLOAD], 6);
	assert_false(off->meta.intervals.no_waiting);
	assert_int_equal(profile_late_all(off), 0);
	assert_string_equal(intervals_books(text, off), "off-cpu: seen 5.52 us = stored 5.30 us + filtered 100 ns + lost 120 ns (overload 120 ns)");
	assert_string_equal(intervals_fact(text, off), "43 intervals, 8 below 10.00 us left out (80 ns)");
	assert_int_equal(ran->books.stored, 1201);
	assert_int_equal(ran->nr_records, 2);
	events_deinit(&events);
}

static void user_stacks_say_what_became_of_them(void **state)
{
	struct said said = good;
	struct events events = decoded_said(&said);
	const struct profile_attached *attached = &events.list[0].profile->meta.attached[OFF];

	(void)state;
	assert_false(attached->user_stacks);
	events_deinit(&events);
	said.nr_sides = __FLAMEMOD_USER_MAX;
	events = decoded_said(&said);
	attached = &events.list[0].profile->meta.attached[OFF];
	assert_true(attached->user_stacks);
	assert_int_equal(attached->sides[FLAMEMOD_USER_WHOLE], 3000);
	assert_int_equal(attached->sides[FLAMEMOD_USER_AWAY], 1000);
	events_deinit(&events);
	/* an older module knows fewer outcomes, a newer one more */
	said.nr_sides = 1;
	events = decoded_said(&said);
	attached = &events.list[0].profile->meta.attached[OFF];
	assert_int_equal(attached->sides[FLAMEMOD_USER_AWAY], 0);
	events_deinit(&events);
	said.nr_sides = __FLAMEMOD_USER_MAX + 1;
	events = decoded_said(&said);
	attached = &events.list[0].profile->meta.attached[OFF];
	assert_int_equal(attached->sides[FLAMEMOD_USER_AWAY], 1000);
	events_deinit(&events);
}

/* Set all figures and names to the longest ones. */
static void set_longest(struct profile *profile)
{
	struct profile_meta *meta = &profile->meta;

	memset(&profile->books, 0xff, sizeof(profile->books));
	memset(&meta->intervals.lost, 0xff, sizeof(meta->intervals.lost));
	meta->intervals.seen = meta->intervals.below = UINT64_MAX;
	meta->intervals.below_ns = meta->intervals.min_ns = UINT64_MAX;
	meta->intervals.no_waiting = meta->intervals.of_hits = true;
	meta->period_ns = 0;
	memset(meta->weight_type, 'n', sizeof(meta->weight_type) - 1);
	memset(meta->weight_unit, 'u', sizeof(meta->weight_unit) - 1);
}

static void the_longest_texts_are_whole(void **state)
{
	static const char books_end[] = ", other 1)", fact_end[] = "no CONFIG_SCHED_INFO";
	struct events events = decoded_said(&good);
	struct profile *profile = events.list[0].profile;
	char text[INTERVALS_TEXT];

	(void)state;
	set_longest(profile);
	profile->books.lost[PROFILE_LOST_OTHER] = 1;
	intervals_books(text, profile);
	assert_string_equal(text + strlen(text) - strlen(books_end), books_end);
	intervals_fact(text, profile);
	assert_string_equal(text + strlen(text) - strlen(fact_end), fact_end);
	assert_non_null(strstr(text, "lost of unknown weight (malformed)"));
	events_deinit(&events);
}

static void a_kernel_may_not_tell_waits(void **state)
{
	struct said said = good;
	struct events events;
	char text[INTERVALS_TEXT];

	(void)state;
	said.mask = 1U << OFF;
	events = decoded_said(&said);
	assert_int_equal(events.nr, 1);
	assert_true(events.list[0].profile->meta.intervals.no_waiting);
	assert_non_null(strstr(intervals_fact(text, events.list[0].profile), "CONFIG_SCHED_INFO"));
	events_deinit(&events);
	said.mask = 0;
	assert_int_equal(decoded_said(&said).nr, 0);
}

static void wrong_dumps_are_refused(void **state)
{
	struct said said = good;
	struct error error;
	struct message m;
	struct profile *profile;

	(void)state;
	said.more_hits = 1;
	expect_refused(&said, "the records of event off-cpu sum to 7 intervals and 5000 ns, its books say 8 and 5000");
	said = good;
	said.more_ns = 1;
	expect_refused(&said, "its books say 7 and 5001");
	said = good;
	said.seen_less = 1;
	expect_refused(&said, "an event's hits do not balance: seen 23");
	said = good;
	said.event = __FLAMEMOD_EVENT_MAX;
	expect_refused(&said, "of event 4, which is not attached");
	said.mask = 1U << OFF;
	said.event = WAIT;
	expect_refused(&said, "of event 2, which is not attached");
	said = good;
	said.state = __FLAMEMOD_TASK_STATE_MAX;
	expect_refused(&said, "of unknown state 8");
	said = good;
	said.unit = "us";
	expect_refused(&said, "the event off-cpu has the unit us");
	said = good;
	said.twice = true;
	expect_refused(&said, "the event off-cpu is attached twice");
	/* samples are no intervals, nor the other way round */
	put_reply(&m, &good_reply);
	m.header->nlmsg_flags = 0;
	struct nl_decoder *decoder = nl_decoder_create_events();

	assert_int_equal(decode_message(decoder, &m, &error), -EBADMSG);
	assert_non_null(strstr(error.text, "of event 0, which is not attached"));
	nl_decoder_destroy(decoder);
	message_begin(&m);
	put_head(&m, &good_reply);
	put_frames(&m);
	put_nodes(&m);
	put_tasks(&m);
	said = good;
	said.mask = 1U << WAIT | 1U << RAN;
	put_intervals(&m, &said);
	assert_int_equal(decode(&m, true, &profile, &error), -EBADMSG);
	assert_non_null(strstr(error.text, "of unknown event 2"));
}

/* Keep only what waited for a CPU: the rest becomes filtered, and intervals still add up. */
static void states_are_selected(void **state)
{
	struct events events = decoded_said(&good);
	struct profile *off = events.list[0].profile;
	struct error error;
	uint32_t mask;

	(void)state;
	assert_int_equal(task_states_parse("waiting,D", &mask, &error), 0);
	assert_int_equal(profile_keep_states(off, mask, &error), 0);
	assert_int_equal(off->books.stored, 1200);
	assert_int_equal(off->books.filtered, 2 * (10 + BELOW_NS) + 4100);
	assert_int_equal(profile_check(off, &error), 0);
	assert_int_equal(task_states_parse("t", &mask, &error), 0);
	assert_int_equal(profile_keep_states(off, mask, &error), 0);
	assert_int_equal(off->nr_records, 0);
	assert_int_equal(profile_check(off, &error), 0);
	off->meta.intervals.seen = 13;
	assert_int_equal(profile_check(off, &error), -EBADMSG);
	events_deinit(&events);
}

/* An event's books do not count stacks that are not whole, but it may have some. */
static void truncated_stacks_are_left_out(void **state)
{
	(void)state;
	for (unsigned int by_state = 0; by_state < 2; by_state++) {
		struct events events = decoded_said(&good);
		struct profile *off = events.list[0].profile;
		struct error error = { "" };

		off->records[0].node = add_stack(off, "[truncated];[sleeping]", FLAMEMOD_FRAME_MARK);
		assert_int_equal(off->records[0].count, 5);
		if (by_state ? profile_keep_states(off, 1U << TASK_WAITING, &error) :
			       profile_leave_out_task(off, 41, "\xff;", &error))
			fail_msg("%s", error.text);
		assert_int_equal(off->books.stored, by_state ? 300 : 0);
		assert_int_equal(off->books.truncated, 0);
		assert_int_equal(profile_check(off, &error), 0);
		events_deinit(&events);
	}
}

/* Samples of task 41, whose ran is 1200 ns, of the other without ran, and lost ones. */
static struct profile *samples(bool of_ran)
{
	struct profile *profile = profile_create();
	struct profile_cpu cpu = {
		.cpu = 3, .books.fires = 5, .books.lost[FLAMEMOD_LOST_OVERLOAD] = 5,
	};
	static const char *const stacks[] = { "entry;a", "entry;b", "entry;b;c" };
	struct profile_record record = { .cpu = 3, .context = FLAMEMOD_CONTEXT_TASK };

	profile->meta.period_ns = 1003009;
	for (unsigned int i = 0; of_ran && i < 3; i++) {
		record.node = add_stack(profile, stacks[i], FLAMEMOD_FRAME_KERNEL);
		record.periods = record.count = i + 1 + (i == 2);
		assert_int_equal(profile_add_task(profile, 40, 41, "\xff;", &record.task), 0);
		assert_int_equal(profile_add_record(profile, &record), 0);
		cpu.books.stored += record.periods;
	}
	add_sampled(profile, add_stack(profile, "entry;else", FLAMEMOD_FRAME_KERNEL), "else", 77,
		    3, FLAMEMOD_CONTEXT_TASK, 11);
	/* files of several events do not have it */
	profile->records[profile->nr_records - 1].late_us = 0;
	cpu.books.fires += cpu.books.stored;
	assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	return profile;
}

static void all_time_is_threads_times_time(void **state)
{
	struct events events = decoded_said(&good);
	struct profile *off = events.list[0].profile, *ran = events.list[1].profile;
	struct profile *sampled = samples(true), *wall, *none = samples(false);
	struct error error;

	(void)state;
	assert_int_equal(wall_make(sampled, off, ran, &wall), 0);
	assert_int_equal(profile_check(wall, &error), 0);
	assert_string_equal(profile_event(&wall->meta), "wall");
	assert_int_equal(wall->books.stored, 5300 + 1201);
	/* 1200 ns over 1, 2 and 4 periods, and none is lost by rounding */
	assert_int_equal(time_of(wall, "a"), 171);
	assert_int_equal(time_of(wall, "b"), 514 - 171);
	assert_int_equal(time_of(wall, "c"), 1200 - 514);
	assert_int_equal(time_of(wall, "else"), 0);
	/* the idle task ran for 1 ns, and no sample met it */
	assert_int_equal(time_of(wall, WALL_ON_CPU), 1);
	assert_int_equal(time_of(wall, "[waiting]"), 300);
	profile_destroy(wall);
	assert_int_equal(wall_make(none, off, ran, &wall), 0);
	assert_int_equal(time_of(wall, WALL_ON_CPU), 1201);
	assert_int_equal(wall->books.stored, 5300 + 1201);
	assert_int_equal(profile_check(wall, &error), 0);
	profile_destroy(wall);
	profile_destroy(none);
	profile_destroy(sampled);
	events_deinit(&events);
}

static struct bytes_of { char *bytes; size_t size; } saved(const struct events *events)
{
	struct bytes_of file;
	struct error error;
	FILE *out = open_memstream(&file.bytes, &file.size);

	if (pprof_write_events(events, out, &error))
		fail_msg("%s", error.text);
	fclose(out);
	return file;
}

static void read_saved(struct bytes_of file, const char *name, bool all, struct events *events)
{
	const struct events_wanted wanted = { .name = name, .all = all };
	FILE *in = fmemopen(file.bytes, file.size, "r");
	struct error error;

	if (pprof_read_events(in, "it", &wanted, events, &error))
		fail_msg("%s", error.text);
	fclose(in);
	free(file.bytes);
}

static void assert_same_intervals(const struct profile *a, const struct profile *b)
{
	assert_same(a, b);
	assert_memory_equal(&a->meta.intervals, &b->meta.intervals, sizeof(a->meta.intervals));
	assert_int_equal(a->meta.nr_summed_cpus, b->meta.nr_summed_cpus);
}

static void files_keep_events(void **state)
{
	struct events events = decoded_said(&good), some = { .nr = 0 }, again;
	struct profile *off = events.list[0].profile, *sampled = samples(true);
	struct merge_events merge;
	struct error error;
	int err = 0;

	(void)state;
	off->meta.nr_summed_cpus = 2;
	off->meta.intervals.lost[FLAMEMOD_EVENT_LOST_NO_SLOT] = 3;
	off->meta.intervals.no_waiting = true;
	off->meta.origin.nr_cpus = 2;
	/* one alone */
	some.list[0].profile = off;
	some.nr = 1;
	read_saved(saved(&some), NULL, true, &again);
	assert_string_equal(again.list[0].name, "off-cpu");
	assert_same_intervals(again.list[0].profile, off);
	events_deinit(&again);
	/* beside samples */
	sampled->meta = off->meta;
	sampled->meta.intervals = (struct profile_intervals){ 0 };
	sampled->meta.weight_type[0] = '\0';
	sampled->meta.nr_summed_cpus = 0;
	sampled->meta.period_ns = 1003009;
	sampled->meta.settings.hz = 997;
	strcpy(some.list[0].name, "off-cpu");
	strcpy(some.list[1].name, "on-cpu");
	some.list[1].profile = sampled;
	some.nr = 2;
	read_saved(saved(&some), NULL, true, &again);
	assert_int_equal(again.nr, 2);
	assert_same_intervals(again.list[0].profile, off);
	assert_same_intervals(again.list[1].profile, sampled);
	/* two such files are summed, intervals too */
	merge_events_init(&merge, false, false);
	for (int i = 0; i < 2; i++)
		err = err ?: merge_events_add(&merge, &again, "x", &error);
	assert_int_equal(err, 0);
	events_deinit(&again);
	merge_events_take(&merge, &again);
	merge_events_deinit(&merge);
	assert_int_equal(again.list[0].profile->meta.intervals.seen, 2 * off->meta.intervals.seen);
	assert_true(again.list[0].profile->meta.intervals.known);
	assert_false(again.list[1].profile->meta.intervals.known);
	assert_int_equal(profile_check(again.list[0].profile, &error), 0);
	events_deinit(&again);
	read_saved(saved(&some), "on-cpu", false, &again);
	assert_same_intervals(again.list[0].profile, sampled);
	events_deinit(&again);
	profile_destroy(sampled);
	events_deinit(&events);
}

/* A later dump less an earlier one of the same event. */
static void looks_are_subtracted(void **state)
{
	struct events later = decoded_said(&good), earlier = decoded_said(&good);
	struct profile *now = later.list[0].profile, *before = earlier.list[0].profile;
	struct error error;

	(void)state;
	assert_int_equal(profile_join(now, before, NULL), 0);
	assert_int_equal(intervals_add(&now->meta.intervals, &before->meta.intervals), 0);
	now->meta.instant_ns += 500;
	assert_int_equal(profile_subtract(now, before, &error), 0);
	assert_int_equal(now->books.stored, 5300);
	assert_int_equal(now->meta.intervals.seen, 43);
	assert_int_equal(now->meta.duration_ns, 500);
	assert_int_equal(profile_check(now, &error), 0);
	before->meta.intervals.seen = 1000;
	assert_int_equal(profile_subtract(now, before, &error), -ERANGE);
	events_deinit(&later);
	events_deinit(&earlier);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dump_becomes_events),
		cmocka_unit_test(user_stacks_say_what_became_of_them),
		cmocka_unit_test(the_longest_texts_are_whole),
		cmocka_unit_test(a_kernel_may_not_tell_waits),
		cmocka_unit_test(wrong_dumps_are_refused),
		cmocka_unit_test(states_are_selected),
		cmocka_unit_test(truncated_stacks_are_left_out),
		cmocka_unit_test(all_time_is_threads_times_time),
		cmocka_unit_test(files_keep_events),
		cmocka_unit_test(looks_are_subtracted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
