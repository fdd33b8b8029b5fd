// SPDX-License-Identifier: GPL-2.0
/*
 * Several events in one file: each is kept and read back by its name. Wrong statements
 * about events in a file do no harm.
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

#include "format/pprof/pprof.h"
#include "imported.h"
#include "profile/events.h"
#include "profile/merge_events.h"
#include "saved.h"

#define F	"\tffffffff81000000 f ([kernel.kallsyms])\n"
#define G	"\tffffffff81000001 g ([kernel.kallsyms])\n"

/* All events hit f in one task; only cycles hits g. */
static const char text[] =
	"# hostname : web1\n"
	"a 1 [000] 1.5: 10 cycles:ppp:\n" F "\n"
	"a 1 [000] 2.5: 20 cycles:ppp:\n" G "\n"
	"a 1 [000] 3.5: 1000 cpu-clock:pppH:\n" F "\n"
	"a 1 [000] 4.5: 1 sched:sched_switch: x ==> y\n" F "\n"
	"b 2 [001] 6.5: 1000 cpu-clock:pppH:\n" F "\n";

static const char *const names[] = {
	"cycles:ppp", "cpu-clock:pppH", "sched:sched_switch",
};

static void imported(struct events *events, const char *from, bool by_period)
{
	struct import_options options = { .events = events, .by_period = by_period };
	struct profile *profile = profile_create();
	FILE *in = fmemopen((void *)from, strlen(from), "r");
	struct error error;

	assert_non_null(profile);
	assert_non_null(in);
	events->nr = 0;
	assert_int_equal(events_add(events, "", profile), 0);
	assert_int_equal(import_perf(in, &options, profile, &error), 0);
	fclose(in);
}

static struct bytes saved(const struct events *events)
{
	struct bytes file;
	struct error error;
	FILE *out = open_memstream(&file.bytes, &file.size);

	assert_int_equal(pprof_write_events(events, out, &error), 0);
	fclose(out);
	return file;
}

static int read_some(struct bytes file, const char *name, struct events *events,
		     struct error *error)
{
	const struct events_wanted wanted = { .name = name, .all = !name };
	FILE *in = fmemopen(file.bytes, file.size, "r");
	int err;

	assert_non_null(in);
	err = pprof_read_events(in, "FILE", &wanted, events, error);
	fclose(in);
	return err;
}

static void expect_alike(const struct profile *profile, const struct profile *other)
{
	char *records = print_records(profile), *others = print_records(other);
	const struct profile_meta *a = &profile->meta, *b = &other->meta;

	assert_string_equal(records, others);
	assert_memory_equal(&profile->books, &other->books, sizeof(other->books));
	assert_int_equal(profile->nr_frames, other->nr_frames);
	assert_int_equal(profile->nr_tasks, other->nr_tasks);
	assert_int_equal(a->period_ns, b->period_ns);
	assert_int_equal(a->duration_ns, b->duration_ns);
	assert_int_equal(a->settings.hz, b->settings.hz);
	assert_string_equal(a->weight_type, b->weight_type);
	assert_string_equal(a->weight_unit, b->weight_unit);
	assert_string_equal(a->host, b->host);
	free(records);
	free(others);
}

static void each_is_what_the_text_has_of_it(void **state)
{
	(void)state;
	for (int by_period = 0; by_period < 2; by_period++) {
		struct events events;

		imported(&events, text, by_period);
		assert_int_equal(events.nr, ARRAY_SIZE(names));
		for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
			const struct import_options options = {
				.event = names[i], .by_period = by_period,
			};
			struct profile *profile;
			struct error error;

			assert_string_equal(events.list[i].name, names[i]);
			assert_int_equal(import(import_perf, &options, text, strlen(text),
						&profile, &error), 0);
			expect_alike(events.list[i].profile, profile);
			profile_destroy(profile);
		}
		events_deinit(&events);
	}
}

static void each_is_read_back(void **state)
{
	(void)state;
	for (int by_period = 0; by_period < 2; by_period++) {
		struct events events, again, one;
		struct error error;
		struct bytes file;

		imported(&events, text, by_period);
		file = saved(&events);
		assert_int_equal(read_some(file, NULL, &again, &error), 0);
		assert_int_equal(again.nr, events.nr);
		for (unsigned int i = 0; i < events.nr; i++) {
			expect_alike(again.list[i].profile, events.list[i].profile);
			assert_int_equal(read_some(file, names[i], &one, &error), 0);
			assert_int_equal(one.nr, 1);
			expect_alike(one.list[0].profile, events.list[i].profile);
			events_deinit(&one);
		}
		/* "cycles" is enough */
		assert_int_equal(read_some(file, "cycles", &one, &error), 0);
		expect_alike(one.list[0].profile, events.list[0].profile);
		events_deinit(&one);
		assert_int_equal(read_some(file, "faults", &one, &error), -EBADMSG);
		assert_string_equal(error.text, "FILE: it has no event faults: there are cycles:ppp, cpu-clock:pppH, sched:sched_switch");
		events_deinit(&again);
		events_deinit(&events);
		free(file.bytes);
	}
}

static void a_single_event_is_saved_as_before(void **state)
{
	struct profile *profile;
	struct events events;
	struct error error;
	struct bytes file, other;

	(void)state;
	imported(&events, "a 1 1.5: 1 cycles:\n" F, false);
	assert_int_equal(events.nr, 1);
	file = saved(&events);
	other = written(events.list[0].profile);
	assert_int_equal(file.size, other.size);
	assert_memory_equal(file.bytes, other.bytes, file.size);
	assert_int_equal(read_bytes(file.bytes, file.size, &profile, &error), 0);
	expect_alike(profile, events.list[0].profile);
	profile_destroy(profile);
	events_deinit(&events);
	free(file.bytes);
	free(other.bytes);
}

static void settings_are_those_of_the_samples(void **state)
{
	struct events events, again;
	struct profile_meta *off, *on;
	struct error error;
	struct bytes file;

	(void)state;
	imported(&events, text, false);
	off = &events.list[0].profile->meta;
	on = &events.list[1].profile->meta;
	off->intervals.known = true;
	off->instant_ns = 1;
	on->settings.kernel_only = true;
	strcpy(on->settings.cpus, "0-3");
	on->instant_ns = 2;
	file = saved(&events);
	assert_int_equal(read_some(file, names[1], &again, &error), 0);
	on = &again.list[0].profile->meta;
	assert_true(on->settings.kernel_only);
	assert_string_equal(on->settings.cpus, "0-3");
	assert_int_equal(on->instant_ns, 2);
	events_deinit(&again);
	events_deinit(&events);
	free(file.bytes);
}

static void names_of_one_event_are_known(void **state)
{
	static const struct {
		const char *a, *b;
		bool same;
	} cases[] = {
		{ "cycles", "cycles", true }, { "cycles:ppp", "cycles", true },
		{ "cycles:u", "cycles:k", false }, { "cycles", "cycle", false },
		{ "sched:sched_switch", "sched:sched_wakeup", false },
		{ "", "", true }, { "", "cycles", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(events_same(cases[i].a, cases[i].b), cases[i].same);
		assert_int_equal(events_same(cases[i].b, cases[i].a), cases[i].same);
	}
}

static void a_name_is_found_or_refused(void **state)
{
	static const char *const some[] = { "cycles:u", "cycles:k", "faults:u", "faults" };
	static const char *const none[] = { "" };
	struct error error;

	(void)state;
	assert_int_equal(events_find(some, 4, "cycles:k", &error), 1);
	assert_int_equal(events_find(some, 4, "faults", &error), 3);
	assert_int_equal(events_find(some, 3, "faults", &error), 2);
	assert_int_equal(events_find(some, 4, "cycles", &error), -EINVAL);
	assert_string_equal(error.text, "cycles is the name of 2 events: name one of cycles:u, cycles:k, faults:u, faults");
	assert_int_equal(events_find(some, 1, "x", &error), -EINVAL);
	assert_string_equal(error.text, "it has no event x: there is cycles:u");
	assert_int_equal(events_find(none, 1, "x", &error), -EINVAL);
	assert_string_equal(error.text, "it has no event x, but one that has no name: leave out --event");
}

static void a_list_of_names_ends_where_there_is_no_room(void **state)
{
	const char *many[40];
	char list[EVENTS_TEXT];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = "a-name-of-20-letters";
	events_text(list, many, 40, 1);
	assert_true(strlen(list) < EVENTS_TEXT);
	assert_string_equal(list + strlen(list) - 7, "rs, ...");
	assert_string_equal(events_text(list, many, 1, 1), "");
}

static void expect_edit_refused(const char *from, const char *to, const char *why)
{
	struct events events, read;
	struct bytes file, plain;
	struct error error;
	char *at;

	imported(&events, text, true);
	file = saved(&events);
	plain = unpacked(file);
	at = memmem(plain.bytes, plain.size, from, strlen(from));
	assert_non_null(at);
	assert_int_equal(strlen(from), strlen(to));
	memcpy(at, to, strlen(to));
	assert_int_equal(read_some(plain, NULL, &read, &error), -EBADMSG);
	if (!strstr(error.text, why))
		fail_msg("\"%s\" does not say \"%s\"", error.text, why);
	events_deinit(&events);
	free(file.bytes);
	free(plain.bytes);
}

static void statements_about_events_are_checked(void **state)
{
	(void)state;
	expect_edit_refused("event=1 weight", "event=2 weight", "its events are malformed: event=2 weight=");
	expect_edit_refused("event=0 weight", "event=9 weight", "its events are malformed");
	expect_edit_refused("event=0 weight=1", "event=0 weight=9", "its events are malformed");
	expect_edit_refused("event=0 weight=1 samples=0", "event=0 weight=1 samples=8", "its events are malformed");
	expect_edit_refused("event=0 weight=1", "event=0 weighs=1", "its events are malformed");
	expect_edit_refused("event=0 weight=1", "event=0 weight=x", "its events are malformed");
	expect_edit_refused("named=1", "named=2", "its events are malformed");
	expect_edit_refused("event=2 cpu=0", "event=3 cpu=0", "the books of a CPU name an event that does not exist");
	expect_edit_refused("event=2 cpu=0", "event=1 cpu=0", "do not add up");
	expect_edit_refused("stored=30", "stored=31", "do not add up");
}

static void no_cut_or_changed_message_does_harm(void **state)
{
	unsigned int bit, refused = 0;
	struct bytes file, plain, cut;
	struct events events, read;
	struct error error;
	size_t i;

	(void)state;
	imported(&events, text, true);
	file = saved(&events);
	plain = unpacked(file);
	events_deinit(&events);
	for (i = 1; i < plain.size; i++) {
		cut = (struct bytes){ plain.bytes, i };
		if (read_some(cut, NULL, &read, &error))
			refused++;
		else
			events_deinit(&read);
	}
	assert_true(refused > plain.size / 2);
	for (i = 0; i < plain.size; i++)
		for (bit = 0; bit < 8; bit++) {
			plain.bytes[i] ^= (char)(1 << bit);
			if (!read_some(plain, NULL, &read, &error))
				events_deinit(&read);
			plain.bytes[i] ^= (char)(1 << bit);
		}
	free(file.bytes);
	free(plain.bytes);
}

static void an_impossible_rate_is_ignored(void **state)
{
	struct events events;
	struct error error;
	struct bytes file;

	(void)state;
	imported(&events, text, false);
	events.list[1].profile->meta.settings.hz = FLAMEMOD_HZ_MAX + 1;
	file = saved(&events);
	events_deinit(&events);
	assert_int_equal(read_some(file, NULL, &events, &error), -EBADMSG);
	free(file.bytes);
}

static void a_weight_that_does_not_fit_is_refused(void **state)
{
	struct events events;
	struct error error;
	FILE *out = fopen("/dev/null", "w");

	(void)state;
	imported(&events, text, false);
	events.list[2].profile->records[0].count = 1ULL << 63;
	assert_int_equal(pprof_write_events(&events, out, &error), -EOVERFLOW);
	fclose(out);
	events_deinit(&events);
}

static void sums_are_of_each_event(void **state)
{
	struct events a, b, sum;
	struct merge_events merge;
	struct error error;
	char swapped[sizeof(text)];

	(void)state;
	imported(&a, text, true);
	/* the same in another order */
	snprintf(swapped, sizeof(swapped), "%s", strstr(text, "a 1 [000] 3.5"));
	strcat(swapped, "a 1 [000] 1.5: 10 cycles:ppp:\n" F);
	imported(&b, swapped, true);
	merge_events_init(&merge, false, false);
	assert_int_equal(merge_events_add(&merge, &a, "a", &error), 0);
	assert_int_equal(merge_events_add(&merge, &b, "b", &error), 0);
	merge_events_take(&merge, &sum);
	merge_events_deinit(&merge);
	assert_int_equal(sum.nr, 3);
	assert_int_equal(sum.list[0].profile->books.stored, 40);
	assert_int_equal(sum.list[1].profile->books.stored, 4000);
	assert_int_equal(sum.list[2].profile->books.stored, 2);
	events_deinit(&sum);
	events_deinit(&a);
	events_deinit(&b);
}

static void sums_of_other_events_are_refused(void **state)
{
	struct events a, b;
	struct merge_events merge;
	struct error error;

	(void)state;
	imported(&a, text, false);
	imported(&b, "a 1 1.5: 1 cycles:ppp:\n" F "\na 1 1.5: 1 faults:\n" F
		 "\na 1 1.5: 1 x:\n" F, false);
	merge_events_init(&merge, false, false);
	assert_int_equal(merge_events_add(&merge, &a, "a", &error), 0);
	assert_int_equal(merge_events_add(&merge, &b, "b", &error), -EINVAL);
	assert_string_equal(error.text, "b: its events are cycles:ppp, faults, x, those of a are cycles:ppp, cpu-clock:pppH, sched:sched_switch: they cannot be summed; --event NAME sums one that all have");
	merge_events_deinit(&merge);
	events_deinit(&a);
	events_deinit(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_what_the_text_has_of_it),
		cmocka_unit_test(each_is_read_back),
		cmocka_unit_test(a_single_event_is_saved_as_before),
		cmocka_unit_test(settings_are_those_of_the_samples),
		cmocka_unit_test(names_of_one_event_are_known),
		cmocka_unit_test(a_name_is_found_or_refused),
		cmocka_unit_test(a_list_of_names_ends_where_there_is_no_room),
		cmocka_unit_test(statements_about_events_are_checked),
		cmocka_unit_test(no_cut_or_changed_message_does_harm),
		cmocka_unit_test(an_impossible_rate_is_ignored),
		cmocka_unit_test(a_weight_that_does_not_fit_is_refused),
		cmocka_unit_test(sums_are_of_each_event),
		cmocka_unit_test(sums_of_other_events_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
