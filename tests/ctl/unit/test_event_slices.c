// SPDX-License-Identifier: GPL-2.0
/*
 * Events in slices of time: cut from the module's dumps, joined at the limit, saved, read,
 * selected from, and files that are damaged.
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

#include "base/child.h"
#include "format/pprof/pprof.h"
#include "made_profile.h"
#include "profile/events.h"
#include "profile/merge_events.h"
#include "profile/slices.h"
#include "saved.h"
#include "select/select.h"
#include "wire/event_slices.h"

#define LATENCY	"latency:vfs_read"

/* Add hits of 2^@power ns each to a profile of the event. */
static void add_hits(struct profile *profile, const char *stack, const char *comm,
		     uint64_t nr, unsigned int power)
{
	struct profile_record record = {
		.node = add_stack(profile, stack, FLAMEMOD_FRAME_KERNEL),
		.context = FLAMEMOD_CONTEXT_TASK, .count = nr, .periods = nr << power,
	};
	struct profile_cpu books = {
		.books = { .expected = nr << power, .fires = nr << power, .stored = nr << power },
	};

	assert_int_equal(profile_add_task(profile, 5, 6, comm, &record.task), 0);
	assert_int_equal(profile_add_record(profile, &record), 0);
	assert_int_equal(profile_add_cpu(profile, &books), 0);
	profile->meta.intervals.seen += nr;
	profile->meta.intervals.powers[power] += nr;
}

static struct profile *no_hits(void)
{
	struct profile *profile = profile_create();

	assert_non_null(profile);
	profile->meta.period_ns = 1;
	profile->meta.intervals.known = profile->meta.intervals.of_hits = true;
	strcpy(profile->meta.weight_type, LATENCY);
	return profile;
}

static struct profile *hits(const char *stack, const char *comm, uint64_t nr, unsigned int power)
{
	struct profile *profile = no_hits();

	add_hits(profile, stack, comm, nr, power);
	return profile;
}

/* The event in the three slices of made_sliced(): nothing, calls that were lost, two powers. */
static struct profile *made_latency(void)
{
	struct profile *profile = no_hits(), *part;
	struct error error;

	add_slice(profile, hits("entry;read;vfs_read", "cat", 3, 10), 0, SEC);
	part = no_hits();
	part->meta.intervals.seen = 9;
	part->meta.intervals.below = 4;
	part->meta.intervals.below_ns = 400;
	part->meta.intervals.lost[FLAMEMOD_EVENT_LOST_MISSED] = 5;
	add_slice(profile, part, SEC, 2 * SEC);
	part = hits("entry;read;vfs_read", "cat", 2, 20);
	add_hits(part, "entry;pread;vfs_read", "dd", 1, 11);
	add_slice(profile, part, 2 * SEC, 3 * SEC);
	assert_int_equal(slices_finish(profile, &error), 0);
	return profile;
}

/* A file of several events does not say what was late. */
static struct profile *made_samples(void)
{
	struct profile *profile = made_sliced();

	for (uint32_t i = 0; i < profile->nr_records; i++)
		profile->records[i].late_us = 0;
	for (uint32_t i = 0; i < profile->slices->nr; i++)
		for (uint32_t j = 0; j < profile->slices->list[i].nr_records; j++)
			profile->slices->list[i].records[j].late_us = 0;
	return profile;
}

static struct events made_events(void)
{
	struct events events = { .nr = 0 };

	assert_int_equal(events_add(&events, LATENCY, made_latency()), 0);
	assert_int_equal(events_add(&events, "on-cpu", made_samples()), 0);
	return events;
}

static int write_events(const struct events *events, struct bytes *file, struct error *error)
{
	FILE *out = open_memstream(&file->bytes, &file->size);
	int err = pprof_write_events(events, out, error);

	fclose(out);
	return err;
}

static int read_events(struct bytes file, struct events *events, struct error *error)
{
	const struct events_wanted wanted = { .all = true };
	FILE *in = fmemopen(file.bytes, file.size, "r");
	int err = pprof_read_events(in, "FILE", &wanted, events, error);

	fclose(in);
	return err;
}

static void assert_same_slices(const struct profile *left, const struct profile *right)
{
	assert_true(slices_same_times(left, right));
	for (uint32_t i = 0; i < left->slices->nr; i++) {
		struct profile *a = slices_profile(left, i, i + 1);
		struct profile *b = slices_profile(right, i, i + 1);

		/* the machine's and the settings are those of the first event */
		b->meta = a->meta;
		assert_same(a, b);
		assert_true(intervals_same_counts(&left->slices->list[i].intervals,
						  &right->slices->list[i].intervals));
		profile_destroy(a);
		profile_destroy(b);
	}
	assert_true(intervals_same_counts(&left->meta.intervals, &right->meta.intervals));
}

static void slices_sum_to_the_events(void **state)
{
	struct profile *profile = made_latency();
	const struct profile_intervals *sum = &profile->meta.intervals;
	struct error error;

	(void)state;
	assert_int_equal(profile_check(profile, &error), 0);
	assert_int_equal(slices_check(profile, &error), 0);
	assert_int_equal(sum->seen, 3 + 9 + 3);
	assert_int_equal(sum->below, 4);
	assert_int_equal(sum->lost[FLAMEMOD_EVENT_LOST_MISSED], 5);
	assert_int_equal(sum->powers[10], 3);
	assert_int_equal(sum->powers[11], 1);
	assert_int_equal(sum->powers[20], 2);
	profile_destroy(profile);
}

static void events_are_saved_and_read(void **state)
{
	struct events events = made_events(), read;
	struct bytes file, one;
	struct profile *alone;
	struct error error;

	(void)state;
	assert_int_equal(write_events(&events, &file, &error), 0);
	assert_int_equal(read_events(file, &read, &error), 0);
	assert_int_equal(read.nr, 2);
	for (unsigned int i = 0; i < 2; i++) {
		assert_string_equal(read.list[i].name, events.list[i].name);
		assert_int_equal(slices_check(read.list[i].profile, &error), 0);
		assert_same_slices(read.list[i].profile, events.list[i].profile);
	}
	/* only what the event uses is kept of the names that both have */
	assert_int_equal(read.list[0].profile->nr_tasks, 2);
	/* one of them in a file of its own */
	one = written(read.list[0].profile);
	assert_int_equal(read_bytes(one.bytes, one.size, &alone, &error), 0);
	assert_same_slices(alone, events.list[0].profile);
	profile_destroy(alone);
	events_deinit(&events);
	events_deinit(&read);
	free(file.bytes);
	free(one.bytes);
}

/* Hits of weight 0 in one slice and of 2 in the next: one sample type would not do. */
static void weights_are_not_taken_for_hits(void **state)
{
	struct profile *profile = no_hits(), *part;
	struct events events = { .nr = 0 }, read;
	struct bytes file;
	struct error error;

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		part = hits("f", "a", 1, 1);
		memset(part->meta.intervals.powers, 0, sizeof(part->meta.intervals.powers));
		part->records[0].periods = 2 * i;
		part->cpus[0].books = (struct profile_books){
			.expected = 2 * i, .fires = 2 * i, .stored = 2 * i };
		part->books = part->cpus[0].books;
		part->meta.period_ns = 0;
		add_slice(profile, part, i * SEC, (i + 1) * SEC);
	}
	profile->meta.period_ns = 0;
	strcpy(profile->meta.weight_unit, "count");
	assert_int_equal(slices_finish(profile, &error), 0);
	assert_int_equal(profile->records[0].count, 2);
	assert_int_equal(profile->records[0].periods, 2);
	assert_int_equal(events_add(&events, "func:f", profile), 0);
	profile = made_samples();
	assert_int_equal(slices_cut(&profile, &(struct slices_range){ 0, 2 * SEC }, true,
				    &error), 0);
	assert_int_equal(events_add(&events, "on-cpu", profile), 0);
	assert_int_equal(write_events(&events, &file, &error), 0);
	if (read_events(file, &read, &error))
		fail_msg("%s", error.text);
	assert_same_slices(read.list[0].profile, events.list[0].profile);
	events_deinit(&events);
	events_deinit(&read);
	free(file.bytes);
}

static void other_slices_are_not_saved(void **state)
{
	struct events events = made_events();
	struct bytes file;
	struct error error;

	(void)state;
	events.list[0].profile->slices->list[1].end_ns--;
	assert_int_equal(write_events(&events, &file, &error), -EINVAL);
	assert_string_equal(error.text, "its events have different slices of time");
	free(file.bytes);
	slices_destroy(events.list[0].profile->slices);
	events.list[0].profile->slices = NULL;
	assert_int_equal(write_events(&events, &file, &error), -EINVAL);
	free(file.bytes);
	events_deinit(&events);
}

static void neighbours_are_joined_in_all_events(void **state)
{
	struct profile *profiles[] = { profile_create(), no_hits() };
	struct error error;

	(void)state;
	for (uint64_t i = 0; i < SLICES_MAX + 3; i++) {
		struct profile *a = part_of("a", "a", 0, 1);
		struct profile *b = i % 2 ? no_hits() : hits("f", "a", 1, 10 + i % 4);

		assert_int_equal(slices_append(profiles[0], a, i, i + 1), 0);
		assert_int_equal(slices_append(profiles[1], b, i, i + 1), 0);
		assert_int_equal(slices_bound(profiles, 2), 0);
		profile_destroy(a);
		profile_destroy(b);
	}
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(slices_finish(profiles[i], &error), 0);
		assert_int_equal(profiles[i]->slices->nr_joined, 1);
		assert_int_equal(profiles[i]->slices->nr, SLICES_MAX / 2 + 3);
		assert_int_equal(slices_check(profiles[i], &error), 0);
	}
	assert_true(slices_same_times(profiles[0], profiles[1]));
	assert_int_equal(profiles[1]->meta.intervals.seen, SLICES_MAX / 2 + 2);
	assert_int_equal(profiles[1]->slices->list[1].intervals.powers[12], 1);
	profile_destroy(profiles[0]);
	profile_destroy(profiles[1]);
}

/* The bound is that of all events: as many books in each as two events may have. */
static void many_books_of_one_event_join_all(void **state)
{
	struct profile *profiles[] = { profile_create(), profile_create() };
	struct profile *part = profile_create(), *small = part_of("a", "a", 0, 1);

	(void)state;
	for (uint32_t i = 0; i < SLICES_BOOKS_MAX / 64; i++)
		add_sampled(part, 0, "a", 1, i, FLAMEMOD_CONTEXT_USER, 1);
	for (uint64_t i = 0; i < 64; i++) {
		assert_int_equal(slices_append(profiles[0], small, i, i + 1), 0);
		assert_int_equal(slices_append(profiles[1], part, i, i + 1), 0);
		assert_int_equal(slices_bound(profiles, 2), 0);
	}
	assert_int_equal(profiles[0]->slices->nr_joined, 1);
	assert_true(slices_same_times(profiles[0], profiles[1]));
	profile_destroy(part);
	profile_destroy(small);
	profile_destroy(profiles[0]);
	profile_destroy(profiles[1]);
}

/* The weight of a hit may be 0, such as that of an argument. */
static void hits_without_a_weight_are_kept(void **state)
{
	struct profile *profile = no_hits(), *part = no_hits(), *read;
	struct error error;
	struct bytes file;

	(void)state;
	add_slice(profile, hits("f", "a", 3, 10), 0, 4);
	add_hits(part, "f", "a", 7, 0);
	part->records[0].periods = 0;
	memset(&part->books, 0, sizeof(part->books));
	memset(&part->cpus[0].books, 0, sizeof(part->cpus[0].books));
	add_slice(profile, part, 4, 8);
	assert_int_equal(slices_finish(profile, &error), 0);
	assert_int_equal(slices_check(profile, &error), 0);
	file = written(profile);
	assert_int_equal(read_bytes(file.bytes, file.size, &read, &error), 0);
	assert_same_slices(read, profile);
	profile_destroy(read);
	profile_destroy(profile);
	free(file.bytes);
}

/* If a slice does not know its powers of two, the sum does not either. */
static void unknown_powers_stay_unknown(void **state)
{
	struct profile *profile = no_hits(), *part = hits("f", "a", 7, 12);
	struct error error;

	(void)state;
	add_slice(profile, hits("f", "a", 3, 10), 0, 4);
	memset(part->meta.intervals.powers, 0, sizeof(part->meta.intervals.powers));
	add_slice(profile, part, 4, 8);
	assert_int_equal(slices_finish(profile, &error), 0);
	assert_int_equal(profile->meta.intervals.seen, 10);
	assert_int_equal(profile->meta.intervals.powers[10], 0);
	assert_int_equal(profile->slices->list[0].intervals.powers[10], 3);
	assert_int_equal(slices_check(profile, &error), 0);
	/* a slice that is joined to it is not known any more */
	add_slice(profile, hits("f", "a", 2, 10), 8, 9);
	assert_int_equal(slices_finish(profile, &error), 0);
	assert_int_equal(profile->slices->nr, 2);
	assert_int_equal(profile->slices->list[1].intervals.powers[10], 0);
	assert_int_equal(slices_check(profile, &error), 0);
	profile_destroy(profile);
}

static void ranges_and_selections_have_their_hits(void **state)
{
	struct selection range = { .sliced = true }, comm = { .sliced = true };
	struct profile *profile = made_latency();
	struct error error;
	uint64_t left_out;

	(void)state;
	assert_int_equal(select_add(&range, SELECT_RANGE, "1,3", &error), 0);
	assert_int_equal(select_profile(&range, &profile, &left_out, &error), 0);
	assert_int_equal(profile->slices->nr, 2);
	assert_int_equal(profile->meta.intervals.seen, 12);
	assert_int_equal(profile->meta.intervals.powers[10], 0);
	assert_int_equal(profile->meta.intervals.powers[20], 2);
	assert_int_equal(slices_check(profile, &error), 0);
	profile_destroy(profile);
	/* the same without slices */
	profile = made_latency();
	range.sliced = false;
	assert_int_equal(select_profile(&range, &profile, &left_out, &error), 0);
	assert_null(profile->slices);
	assert_int_equal(profile->meta.intervals.seen, 12);
	assert_int_equal(profile->meta.intervals.powers[11], 1);
	assert_int_equal(profile_check(profile, &error), 0);
	profile_destroy(profile);
	/* one hit of dd is left; of those of cat, powers of a single hit would be known */
	profile = made_latency();
	assert_int_equal(select_add(&comm, SELECT_COMM, "dd", &error), 0);
	assert_int_equal(select_profile(&comm, &profile, &left_out, &error), 0);
	/* the lost ones go, as it is not known whose they were; shorter ones are only a number */
	assert_int_equal(profile->meta.intervals.seen, 1 + 4);
	assert_int_equal(profile->slices->list[0].intervals.seen, 0);
	assert_int_equal(profile->slices->list[2].intervals.powers[11], 0);
	assert_int_equal(profile_check(profile, &error), 0);
	assert_int_equal(slices_check(profile, &error), 0);
	profile_destroy(profile);
}

static void a_single_file_is_merged_with_its_slices(void **state)
{
	struct events events = made_events(), sum;
	struct merge_events merge;
	struct error error;

	(void)state;
	merge_events_init(&merge, false, true);
	assert_int_equal(merge_events_add(&merge, &events, "a", &error), 0);
	merge_events_take(&merge, &sum);
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(slices_check(sum.list[i].profile, &error), 0);
		assert_same_slices(sum.list[i].profile, events.list[i].profile);
	}
	merge_events_deinit(&merge);
	events_deinit(&events);
	events_deinit(&sum);
}

/* ---- damaged files ---- */

static void expect_refused(struct events events, const char *why)
{
	struct bytes file;
	struct events read;
	struct error error;

	assert_int_equal(write_events(&events, &file, &error), 0);
	assert_int_equal(read_events(file, &read, &error), -EBADMSG);
	if (!strstr(error.text, why))
		fail_msg("\"%s\" does not say \"%s\"", error.text, why);
	free(file.bytes);
	events_deinit(&events);
}

static void wrong_sums_are_refused(void **state)
{
	struct events events = made_events();
	struct slice *list;

	(void)state;
	events.list[0].profile->slices->list[1].intervals.seen++;
	expect_refused(events, "the intervals of its slices do not sum to its own");
	events = made_events();
	events.list[0].profile->slices->list[1].intervals.lost[FLAMEMOD_EVENT_LOST_MISSED]--;
	expect_refused(events, "the intervals of its slices do not sum to its own");
	/* one slice has too much, another as much too little */
	events = made_events();
	list = events.list[0].profile->slices->list;
	list[0].intervals.powers[10]--;
	list[2].intervals.powers[10]++;
	expect_refused(events, "in the slice at 0.000 s: the powers of two do not sum to its hits");
	events = made_events();
	list = events.list[0].profile->slices->list;
	list[0].intervals.seen--;
	list[1].intervals.seen++;
	expect_refused(events, "in the slice at 0.000 s: the records have more intervals than were seen");
	events = made_events();
	list = events.list[0].profile->slices->list;
	list[0].intervals.known = false;
	expect_refused(events, "the number of intervals of a slice is missing");
	events = made_events();
	list = events.list[1].profile->slices->list;
	list[0].intervals.known = true;
	list[0].intervals.seen = 1000;
	expect_refused(events, "or it has one too many");
	events = made_events();
	list = events.list[0].profile->slices->list;
	list[0].records[0].periods++;
	expect_refused(events, "do not add up");
	events = made_events();
	list = events.list[0].profile->slices->list;
	list[2].cpus[0].books.expected++;
	expect_refused(events, "slices do not sum to its books");
}

/* Replace a word of the unpacked file by another of the same length, and read it. */
static void expect_spoiled(const char *word, const char *by, const char *why)
{
	struct events events = made_events(), read;
	struct bytes file, plain;
	struct error error;
	char *at;

	assert_int_equal(strlen(word), strlen(by));
	assert_int_equal(write_events(&events, &file, &error), 0);
	plain = unpacked(file);
	at = memmem(plain.bytes, plain.size, word, strlen(word));
	if (!at)
		fail_msg("the file has no %s", word);
	memcpy(at, by, strlen(by));
	assert_int_equal(read_events(plain, &read, &error), -EBADMSG);
	if (!strstr(error.text, why))
		fail_msg("\"%s\" does not say \"%s\"", error.text, why);
	free(plain.bytes);
	free(file.bytes);
	events_deinit(&events);
}

static void wrong_words_are_refused(void **state)
{
	static const char malformed[] = "its slices are malformed, or not in order";

	(void)state;
	expect_spoiled("event-slice=1000000000 end-ns", "event-slice=0000000000 end-ns", malformed);
	expect_spoiled("event-slice=1000000000 end-ns", "event-slice=100000000x end-ns", malformed);
	expect_spoiled("event-slice=0 event=0 cpu", "event-slice=0 event=7 cpu", malformed);
	expect_spoiled("event-slice=0 event=0 cpu", "event-slice=0 event=x cpu", malformed);
	expect_spoiled("event-slice=0 event=0 cpu", "event-slice=1 event=0 cpu", malformed);
	expect_spoiled("event-slice=0 event=0 cpu", "event-slice=0 event=0 gpu", malformed);
	expect_spoiled("event-slice=0 event=0 intervals=3", "event-slice=0 event=0 intervals=x",
		       malformed);
	expect_spoiled("event-slice=0 event=0 intervals=3 of-hits",
		       "event-slice=0 event=0 intervals=3 if-hits", malformed);
	/* twice for one slice, none for the other */
	expect_spoiled("event-slice=2000000000 event=0 intervals",
		       "event-slice=0000000000 event=0 intervals", malformed);
	/* without its slices, samples name none that exists */
	expect_spoiled("event-slice=2000000000 end-ns=3000000000",
		       "evant-slice=2000000000 end-ns=3000000000", malformed);
}

/* ---- the module's dumps ---- */

/* The events of a dump: the second has more than the first. */
static struct events dump(unsigned int which)
{
	struct events events = { .nr = 0 };
	struct profile *latency = hits("entry;read;vfs_read", "cat", 3, 10);

	add_hits(latency, "entry;read;vfs_read", CHILD_COMM, 1, 30);
	if (which)
		add_hits(latency, "entry;pread;vfs_read", "cat", 4, 12);
	latency->meta.instant_ns = 10 + which;
	latency->meta.epoch = 1 + which;
	assert_int_equal(events_add(&events, LATENCY, latency), 0);
	return events;
}

static void dumps_become_slices(void **state)
{
	struct event_slices slices = { .has_child = true, .child = 6 };
	struct events now = dump(0);
	const struct profile *cut;
	struct error error;

	(void)state;
	assert_int_equal(event_slices_add(&slices, &now, 0, SEC, &error), 0);
	now = dump(1);
	assert_int_equal(event_slices_add(&slices, &now, SEC, 2 * SEC, &error), 0);
	/* nothing came */
	now = dump(1);
	assert_int_equal(event_slices_add(&slices, &now, 2 * SEC, 3 * SEC, &error), 0);
	assert_int_equal(slices.cut.nr, 1);
	cut = slices.cut.list[0].profile;
	assert_int_equal(slices_finish(slices.cut.list[0].profile, &error), 0);
	assert_int_equal(profile_check(cut, &error), 0);
	assert_int_equal(slices_check(cut, &error), 0);
	assert_int_equal(cut->slices->nr, 3);
	assert_int_equal(cut->slices->list[0].intervals.seen, 3);
	assert_int_equal(cut->slices->list[0].intervals.powers[30], 0);
	assert_int_equal(cut->slices->list[1].intervals.seen, 4);
	assert_int_equal(cut->slices->list[1].intervals.powers[12], 4);
	assert_int_equal(cut->slices->list[2].intervals.seen, 0);
	assert_int_equal(cut->books.stored, (3 << 10) + (4 << 12));
	assert_int_equal(cut->meta.instant_ns, 11);
	/* after a restart there is only what comes then */
	event_slices_restart(&slices);
	now = dump(1);
	assert_int_equal(event_slices_add(&slices, &now, 3 * SEC, 4 * SEC, &error), 0);
	assert_int_equal(slices.cut.list[0].profile->books.stored, 0);
	/* another program's events */
	now = dump(1);
	strcpy(now.list[0].name, "func:f");
	assert_int_equal(event_slices_add(&slices, &now, 4 * SEC, 5 * SEC, &error), -EBADMSG);
	/* less than before */
	now = dump(0);
	now.list[0].profile->meta.instant_ns = 12;
	assert_int_equal(event_slices_add(&slices, &now, 4 * SEC, 5 * SEC, &error), -ERANGE);
	event_slices_deinit(&slices);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slices_sum_to_the_events),
		cmocka_unit_test(events_are_saved_and_read),
		cmocka_unit_test(weights_are_not_taken_for_hits),
		cmocka_unit_test(other_slices_are_not_saved),
		cmocka_unit_test(neighbours_are_joined_in_all_events),
		cmocka_unit_test(many_books_of_one_event_join_all),
		cmocka_unit_test(hits_without_a_weight_are_kept),
		cmocka_unit_test(unknown_powers_stay_unknown),
		cmocka_unit_test(ranges_and_selections_have_their_hits),
		cmocka_unit_test(a_single_file_is_merged_with_its_slices),
		cmocka_unit_test(wrong_sums_are_refused),
		cmocka_unit_test(wrong_words_are_refused),
		cmocka_unit_test(dumps_become_slices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
