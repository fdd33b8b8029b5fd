// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers of wakers' comms: each comm keeps one, none has another's, until there is no room.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/memory.h"
#include "../../module/path.h"
#include "../../module/symbols.h"
#include "../../module/wakers.h"
#include "allocations.h"
#include "suites.h"

static struct fm_wakers fm_wakers;

static int fm_wakers_begin(struct kunit *test)
{
	fm_allocations_init(test);
	return fm_wakers_init(&fm_wakers, NUMA_NO_NODE);
}

static void fm_wakers_end(struct kunit *test)
{
	fm_wakers_deinit(&fm_wakers);
	fm_allocations_exit(test);
}

static int fm_attempt_init(struct kunit *test, void *data)
{
	return fm_wakers_init(data, NUMA_NO_NODE);
}

static void fm_cleanup_init(struct kunit *test, void *data)
{
	fm_wakers_deinit(data);
}

static void init_fails_cleanly(struct kunit *test)
{
	struct fm_wakers wakers = {};

	fm_allocations_fail_each(test, 1, -ENOMEM, fm_attempt_init, fm_cleanup_init, &wakers);
	KUNIT_EXPECT_NULL(test, memchr_inv(&wakers, 0, sizeof(wakers)));
}

static void a_second_init_changes_nothing(struct kunit *test)
{
	char comm[TASK_COMM_LEN] = "first";
	u32 number = fm_wakers_number(&fm_wakers, comm);

	KUNIT_EXPECT_EQ(test, fm_wakers_init(&fm_wakers, NUMA_NO_NODE), 0);
	KUNIT_EXPECT_EQ(test, fm_wakers_number(&fm_wakers, comm), number);
	KUNIT_EXPECT_EQ(test, fm_wakers.nr, 1);
}

/* Comms whose first halves are the same. */
static void fm_print_comm(char *comm, u32 i)
{
	snprintf(comm, TASK_COMM_LEN, "the-same%u", i);
}

/* Return: the number of a comm made of a number. */
static u32 fm_number_of(u32 i)
{
	char comm[TASK_COMM_LEN];

	memset(comm, 'x', sizeof(comm));
	fm_print_comm(comm, i);
	return fm_wakers_number(&fm_wakers, comm);
}

static void each_comm_keeps_its_number(struct kunit *test)
{
	char name[TASK_COMM_LEN], expected[TASK_COMM_LEN];
	u32 i, other = 0;

	for (i = 0; i < FM_WAKERS_MAX; i++) {
		u32 number = fm_number_of(i);

		fm_print_comm(expected, i);
		if (number == FM_WAKER_OTHER) {
			other++;
			continue;
		}
		KUNIT_ASSERT_LE(test, number, FM_WAKERS_SLOTS);
		KUNIT_ASSERT_GT(test, number, 0);
		KUNIT_EXPECT_EQ(test, fm_number_of(i), number);
		KUNIT_EXPECT_STREQ(test, fm_wakers_name(&fm_wakers, number, name), expected);
	}
	/* A search may be too long, hardly ever. */
	KUNIT_EXPECT_LE(test, other, 8);
	KUNIT_EXPECT_EQ(test, fm_wakers.nr, FM_WAKERS_MAX - other);
	KUNIT_EXPECT_TRUE(test, fm_wakers_filling(&fm_wakers));
	KUNIT_EXPECT_TRUE(test, fm_wakers_used_up(&fm_wakers));
}

static void without_room_a_comm_is_another(struct kunit *test)
{
	u32 i, number = fm_number_of(0);

	for (i = 1; i < 2 * FM_WAKERS_MAX; i++)
		fm_number_of(i);
	KUNIT_EXPECT_LE(test, fm_wakers.nr, FM_WAKERS_MAX);
	KUNIT_EXPECT_EQ(test, fm_number_of(i), FM_WAKER_OTHER);
	KUNIT_EXPECT_EQ(test, fm_number_of(0), number);
	fm_wakers_clear(&fm_wakers);
	KUNIT_EXPECT_EQ(test, fm_wakers.nr, 0);
	KUNIT_EXPECT_LE(test, fm_number_of(i), FM_WAKERS_SLOTS);
	KUNIT_EXPECT_FALSE(test, fm_wakers_used_up(&fm_wakers));
}

static void what_is_after_the_end_does_not_count(struct kunit *test)
{
	char comm[TASK_COMM_LEN];

	memset(comm, 'z', sizeof(comm));
	fm_print_comm(comm, 7);
	KUNIT_EXPECT_EQ(test, fm_number_of(7), fm_wakers_number(&fm_wakers, comm));
	KUNIT_EXPECT_EQ(test, fm_wakers.nr, 1);
}

/* Neither the last one nor another is known any more, and no path of theirs. */
static void a_clear_forgets_all(struct kunit *test)
{
	fm_number_of(1);
	fm_number_of(2);
	fm_wakers.joined[3].path = 5;
	fm_wakers_clear(&fm_wakers);
	fm_number_of(2);
	KUNIT_EXPECT_EQ(test, fm_wakers.nr, 1);
	fm_number_of(1);
	KUNIT_EXPECT_EQ(test, fm_wakers.nr, 2);
	KUNIT_EXPECT_NULL(test, memchr_inv(fm_wakers.joined, 0, sizeof(fm_wakers.joined)));
}

static void a_long_comm_ends(struct kunit *test)
{
	char comm[TASK_COMM_LEN], name[TASK_COMM_LEN];
	u32 number;

	/* As if another thread was writing it. */
	memset(comm, 'y', sizeof(comm));
	number = fm_wakers_number(&fm_wakers, comm);
	KUNIT_EXPECT_STREQ(test, fm_wakers_name(&fm_wakers, number, name), "yyyyyyyyyyyyyyy");
}

static void what_is_no_comm_has_a_name(struct kunit *test)
{
	char comm[TASK_COMM_LEN] = "", name[TASK_COMM_LEN];

	KUNIT_EXPECT_EQ(test, fm_wakers_number(&fm_wakers, comm), FM_WAKER_OTHER);
	KUNIT_EXPECT_EQ(test, fm_wakers.nr, 0);
	KUNIT_EXPECT_STREQ(test, fm_wakers_name(&fm_wakers, FM_WAKER_OTHER, name), "[other]");
	KUNIT_EXPECT_STREQ(test, fm_wakers_name(&fm_wakers, FM_WAKER_SOFTIRQ, name),
			   "[softirq]");
	KUNIT_EXPECT_STREQ(test, fm_wakers_name(&fm_wakers, FM_WAKER_HARDIRQ, name),
			   "[hardirq]");
}

static void it_is_time_for_a_drain_at_three_quarters(struct kunit *test)
{
	u32 i;

	for (i = 0; fm_wakers.nr < FM_WAKERS_MAX / 8 * 5; i++)
		fm_number_of(i);
	KUNIT_EXPECT_FALSE(test, fm_wakers_used_up(&fm_wakers));
	for (; fm_wakers.nr < FM_WAKERS_MAX / 4 * 3; i++)
		fm_number_of(i);
	KUNIT_EXPECT_TRUE(test, fm_wakers_used_up(&fm_wakers));
	KUNIT_EXPECT_FALSE(test, fm_wakers_filling(&fm_wakers));
	for (; fm_wakers.nr == FM_WAKERS_MAX / 4 * 3; i++)
		fm_number_of(i);
	KUNIT_EXPECT_TRUE(test, fm_wakers_filling(&fm_wakers));
}

static void numbers_are_notes(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, fm_path_is_note(0));
	KUNIT_EXPECT_TRUE(test, fm_path_is_note(1));
	KUNIT_EXPECT_TRUE(test, fm_path_is_note(FM_WAKER_MAX));
	KUNIT_EXPECT_FALSE(test, fm_path_is_note(FM_PATH_NOTES));
}

/* The name of the frame that a waker has, which is a comm or a mark. */
static const char *fm_frame_of(struct fm_symbols *symbols, const char *name, bool is_comm)
{
	const struct fm_frame *frame;
	u32 id;

	if (fm_symbols_waker(symbols, name, is_comm, &id))
		return "none";
	frame = fm_set_at(&symbols->frames, id);
	return frame->name;
}

/* Any process may have any number of comms, and their names stay. */
static void comms_leave_a_quarter_of_the_memory(struct kunit *test)
{
	static struct fm_symbols symbols;
	static struct fm_memory memory;
	long fill;

	fm_memory_init(&memory, BIT(20));
	KUNIT_ASSERT_EQ(test, fm_symbols_init(&symbols, &memory), 0);
	KUNIT_EXPECT_STREQ(test, fm_frame_of(&symbols, "early", true), "early");
	fill = BIT(20) / 4 * 3 - fm_memory_used(&memory);
	KUNIT_ASSERT_GT(test, fill, 0);
	atomic_long_add(fill, &memory.used_bytes);
	KUNIT_EXPECT_STREQ(test, fm_frame_of(&symbols, "just", true), "just");
	KUNIT_EXPECT_STREQ(test, fm_frame_of(&symbols, "late", true), "[other]");
	KUNIT_EXPECT_STREQ(test, fm_frame_of(&symbols, "later", true), "[other]");
	/* Those that are known stay, and what is no comm is no other. */
	KUNIT_EXPECT_STREQ(test, fm_frame_of(&symbols, "early", true), "early");
	KUNIT_EXPECT_STREQ(test, fm_frame_of(&symbols, "[softirq]", false), "[softirq]");
	KUNIT_EXPECT_EQ(test, fm_set_nr(&symbols.frames), 4);
	/* With room again it has its name. */
	atomic_long_sub(fill, &memory.used_bytes);
	KUNIT_EXPECT_STREQ(test, fm_frame_of(&symbols, "late", true), "late");
	fm_symbols_deinit(&symbols);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
}

static struct kunit_case fm_wakers_tests[] = {
	KUNIT_CASE(init_fails_cleanly),
	KUNIT_CASE(a_second_init_changes_nothing),
	KUNIT_CASE(each_comm_keeps_its_number),
	KUNIT_CASE(without_room_a_comm_is_another),
	KUNIT_CASE(what_is_after_the_end_does_not_count),
	KUNIT_CASE(a_clear_forgets_all),
	KUNIT_CASE(a_long_comm_ends),
	KUNIT_CASE(what_is_no_comm_has_a_name),
	KUNIT_CASE(it_is_time_for_a_drain_at_three_quarters),
	KUNIT_CASE(numbers_are_notes),
	KUNIT_CASE(comms_leave_a_quarter_of_the_memory),
	{}
};

struct kunit_suite fm_wakers_suite = {
	.name = "flamemod_wakers",
	.init = fm_wakers_begin,
	.exit = fm_wakers_end,
	.test_cases = fm_wakers_tests,
};
