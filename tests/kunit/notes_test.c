// SPDX-License-Identifier: GPL-2.0
/*
 * Notes: a drain notes where it put an entry or a path, and the next drain uses the
 * note as long as it is valid.
 */
#include <kunit/test.h>

#include "../../module/drain.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"

/* An address that may have another name the next time. */
static const char *fm_passing_name;
static unsigned long fm_passing_address;

static u32 fm_nr_passed;

static int fm_print_passing(char *buffer, unsigned long address)
{
	if (address == fm_passing_address) {
		fm_nr_passed++;
		return sprintf(buffer, "%s", fm_passing_name);
	}
	return sprintf(buffer, "function_%lx", address - FM_TEST_TEXT);
}

static const struct fm_record *fm_record_at(u32 i)
{
	return fm_set_at(&fm_session->aggregate->records, i);
}

/* An entry with a note is not looked up again. */
static void a_drain_notes_where_things_are(struct kunit *test)
{
	struct fm_table *table = &fm_cpu->tables[0];
	struct fm_entry *entry = table->entries;
	u32 i;

	fm_held_start(test);
	for (i = 1; i <= 3; i++) {
		fm_held_sample(fm_session, 2, 4, 0x1000);
		fm_held_drain();
		KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_session->aggregate->records), 2);
		KUNIT_EXPECT_EQ(test, fm_record_at(0)->counts.count, i);
		KUNIT_EXPECT_EQ(test, fm_record_at(1)->counts.count, i);
		KUNIT_EXPECT_EQ(test, fm_record_at(1)->counts.periods, i);
		KUNIT_EXPECT_EQ(test, entry[0].record, 1);
		KUNIT_EXPECT_EQ(test, entry[1].record, 2);
	}
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 6);
	/* Notes are not checked: the test swaps an entry's, then a path's. */
	entry[0].record = 2;
	fm_held_sample(fm_session, 1, 4, 0x1000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_record_at(0)->counts.count, 3);
	KUNIT_EXPECT_EQ(test, fm_record_at(1)->counts.count, 4);
	entry[0].record = 0;
	table->paths->nodes[entry[0].key.path] =
		table->paths->nodes[entry[1].key.path];
	fm_held_sample(fm_session, 1, 4, 0x1000);
	fm_held_drain();
	KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_session->aggregate->records), 3);
	KUNIT_EXPECT_EQ(test, entry[0].record, 3);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 8);
}

static void notes_end_with_their_epoch(struct kunit *test)
{
	const struct fm_entry *entry = fm_cpu->tables[0].entries;
	u32 i;

	fm_held_start(test);
	fm_held_sample(fm_session, 3, 4, 0x1000);
	fm_held_drain();
	for (i = 0; i < 2; i++) {
		/* A reset counts these in the old epoch; later ones belong to the new. */
		fm_held_sample(fm_session, 3, 4, 0x1000);
		KUNIT_ASSERT_EQ(test, fm_session_reset(fm_session, NULL), 0);
		KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 0);
		fm_held_sample(fm_session, 1, 4, 0x1008);
		fm_held_drain();
		KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_session->aggregate->records), 1);
		KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->nodes), 5);
		KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 1);
		KUNIT_EXPECT_EQ(test, entry[0].record, 0);
		KUNIT_EXPECT_EQ(test, entry[2].record, 1);
		fm_held_drain();
	}
}

static void notes_end_when_places_are_named_otherwise(struct kunit *test)
{
	const struct fm_entry *entry = fm_cpu->tables[0].entries;
	bool places;

	fm_held_start(test);
	fm_held_sample(fm_session, 1, 4, 0x1000);
	fm_held_sample(fm_session, 1, 4, 0x1008);
	fm_held_drain();
	KUNIT_EXPECT_NE(test, entry[0].record, 0);
	for (places = true;; places = false) {
		fm_session->settings->user_places = places;
		fm_held_sample(fm_session, 1, 4, 0x1008);
		fm_held_drain();
		KUNIT_EXPECT_EQ(test, entry[0].record, 0);
		KUNIT_EXPECT_NE(test, entry[1].record, 0);
		fm_held_sample(fm_session, 1, 4, 0x1000);
		fm_held_drain();
		KUNIT_EXPECT_NE(test, entry[0].record, 0);
		if (!places)
			break;
	}
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 6);
}

static const struct fm_pass_case {
	const char *name;
	unsigned long address;
	const char *first;
	bool noted;
	u32 nr_records;
} fm_pass_cases[] = {
	{ "the leaf's", 0x1000, "bpf_prog_one", false, 2 },
	{ "its caller's", 0x1001, "bpf_prog_one", false, 2 },
	{ "the outermost's", 0x1003, "bpf_prog_one", false, 2 },
	{ "of a name that lasts", 0x1001, "one", true, 1 },
	{ "without a name", 0x1002, "0xffffffffc0001234", false, 2 },
};

FM_ARRAY_PARAM(pass);

static void names_that_do_not_last_are_looked_up_each_time(struct kunit *test)
{
	const struct fm_pass_case *c = test->param_value;
	const struct fm_entry *entry = fm_cpu->tables[0].entries;

	fm_held_start(test);
	fm_symbol_printer = fm_print_passing;
	fm_passing_address = FM_TEST_TEXT + c->address;
	fm_passing_name = c->first;
	fm_held_sample(fm_session, 1, 4, 0x1000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, !!entry[0].record, c->noted);
	fm_passing_name = "bpf_prog_another";
	fm_held_sample(fm_session, 1, 4, 0x1000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->records),
			c->nr_records);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 2);
	KUNIT_EXPECT_EQ(test, fm_cpu->tables[0].nr, 1);
}

/* Ten leaves share their callers: a drain looks these up once. */
static void names_that_do_not_last_are_looked_up_once_a_drain(struct kunit *test)
{
	struct fm_paths *paths = &fm_cpu->tables[0].own;
	u32 drain, i;

	fm_held_start(test);
	fm_symbol_printer = fm_print_passing;
	fm_passing_address = FM_TEST_TEXT + 0x1002;
	fm_passing_name = "bpf_prog_one";
	fm_nr_passed = 0;
	for (drain = 1; drain <= 3; drain++) {
		fm_hand.one_caller = true;
		for (i = 0; i < 10; i++)
			fm_held_sample(fm_session, 1, 4, 0x2000 + 8 * i);
		fm_held_drain();
		KUNIT_EXPECT_EQ(test, fm_nr_passed, drain);
		for (i = 0; i < paths->nr; i++)
			KUNIT_EXPECT_LT(test, paths->nodes[i], 100);
		KUNIT_EXPECT_FALSE(test, paths->passes);
		KUNIT_EXPECT_EQ(test, fm_cpu->tables[0].entries[9].record, 0);
	}
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->records), 10);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 30);
	/* The root, three callers, and the leaves under the last caller. */
	KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_session->aggregate->nodes), 14);
	for (i = 4; i < 14; i++) {
		const struct fm_node *node =
			fm_set_at(&fm_session->aggregate->nodes, i);

		KUNIT_EXPECT_EQ(test, node->parent, 3);
	}
}

/* Two samples with the same callers; the first stack is truncated. */
static void a_mark_belongs_to_its_stack_only(struct kunit *test)
{
	fm_held_start(test);
	fm_hand.one_caller = true;
	fm_hand.marks = FM_STACK_TRUNCATED;
	fm_held_sample(fm_session, 1, 4, 0x2000);
	fm_hand.marks = 0;
	fm_held_sample(fm_session, 1, 4, 0x2000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->records), 2);
	/* The root, the mark, and twice three callers and the leaf. */
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->nodes), 10);
}

/* The stack without the mark comes first, so its callers have a note already. */
static void a_note_is_for_stacks_without_a_mark(struct kunit *test)
{
	fm_held_start(test);
	fm_hand.one_caller = true;
	fm_held_sample(fm_session, 1, 4, 0x2000);
	fm_held_drain();
	fm_hand.marks = FM_STACK_TRUNCATED;
	fm_held_sample(fm_session, 1, 4, 0x2000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->records), 2);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->nodes), 10);
}

static struct kunit_case fm_notes_cases[] = {
	KUNIT_CASE(a_drain_notes_where_things_are),
	KUNIT_CASE(notes_end_with_their_epoch),
	KUNIT_CASE(notes_end_when_places_are_named_otherwise),
	KUNIT_CASE_PARAM(names_that_do_not_last_are_looked_up_each_time, fm_pass_gen_params),
	KUNIT_CASE(names_that_do_not_last_are_looked_up_once_a_drain),
	KUNIT_CASE(a_mark_belongs_to_its_stack_only),
	KUNIT_CASE(a_note_is_for_stacks_without_a_mark),
	{}
};

struct kunit_suite fm_notes_suite = {
	.name = "flamemod_notes",
	.init = fm_held_begin,
	.exit = fm_held_end,
	.test_cases = fm_notes_cases,
};
