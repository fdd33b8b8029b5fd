// SPDX-License-Identifier: GPL-2.0
/*
 * User stacks as paths: the same frames are one path, a full set and a greedy process
 * are told, and a stack that is not whole ends in its reason.
 */
#include <linux/jhash.h>
#include <linux/log2.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/user/paths.h"
#include "allocations.h"
#include "redirect.h"
#include "suites.h"

#define FM_PATHS_BYTES	(FM_USER_KB_MIN * 1024 / 2)

static struct fm_user_paths fm_user;

/* Only compared. */
static const char fm_mm[2];

static int fm_user_begin(struct kunit *test)
{
	fm_allocations_init(test);
	memset(&fm_user, 0, sizeof(fm_user));
	return fm_user_paths_init(&fm_user, FM_PATHS_BYTES, NUMA_NO_NODE);
}

static void fm_user_end(struct kunit *test)
{
	fm_user_paths_deinit(&fm_user);
	fm_allocations_exit(test);
}

static int fm_attempt_init(struct kunit *test, void *data)
{
	return fm_user_paths_init(data, FM_PATHS_BYTES, NUMA_NO_NODE);
}

static void fm_cleanup_init(struct kunit *test, void *data)
{
	fm_user_paths_deinit(data);
}

static void init_fails_cleanly(struct kunit *test)
{
	struct fm_user_paths *paths = kunit_kzalloc(test, sizeof(*paths), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, paths);
	/* Paths, index and notes. */
	fm_allocations_fail_each(test, 3, -ENOMEM, fm_attempt_init, fm_cleanup_init, paths);
	KUNIT_EXPECT_NULL(test, paths->paths);
	KUNIT_EXPECT_EQ(test, paths->max, 0);
}

/* All of the memory that was asked for, and no more, whatever is rounded. */
static void init_stays_within_its_bytes(struct kunit *test)
{
	size_t slots = (size_t)1 << (32 - fm_user.shift);

	KUNIT_EXPECT_LE(test, fm_user.max * (sizeof(struct fm_user_path) + sizeof(u32)) +
			slots * sizeof(u32), FM_PATHS_BYTES);
	KUNIT_EXPECT_GE(test, slots, 2 * fm_user.max);
	KUNIT_EXPECT_GT(test, fm_user.max, FM_USER_DEPTH_MAX + __FLAMEMOD_USER_MAX + 2);
}

static u32 fm_stack(u64 object, const char *offsets)
{
	u32 path = 0;

	for (; *offsets; offsets++)
		path = fm_user_paths_add(&fm_user, path, fm_user_frame(object, *offsets));
	return path;
}

static void the_same_frames_are_one_path(struct kunit *test)
{
	u32 path = fm_stack(1, "abc"), other = fm_stack(1, "abd");
	u64 frames[FM_USER_FRAMES_MAX];

	KUNIT_EXPECT_NE(test, path, 0);
	KUNIT_EXPECT_NE(test, path, other);
	KUNIT_EXPECT_EQ(test, fm_stack(1, "abc"), path);
	KUNIT_EXPECT_EQ(test, fm_stack(1, "abd"), other);
	/* Another object, leaf, depth or order is another stack. */
	KUNIT_EXPECT_NE(test, fm_stack(2, "abc"), path);
	KUNIT_EXPECT_NE(test, fm_stack(1, "bbc"), path);
	KUNIT_EXPECT_NE(test, fm_stack(1, "ab"), path);
	KUNIT_EXPECT_NE(test, fm_stack(1, "acb"), path);
	KUNIT_ASSERT_EQ(test, fm_user_paths_frames(&fm_user, path, frames), 3);
	KUNIT_EXPECT_EQ(test, frames[0], fm_user_frame(1, 'a'));
	KUNIT_EXPECT_EQ(test, frames[1], fm_user_frame(1, 'b'));
	KUNIT_EXPECT_EQ(test, frames[2], fm_user_frame(1, 'c'));
}

/*
 * Recursion: one frame again and again, each time below another path. A search for a new
 * one meets others of its frame in its slots, and must not take one of them.
 */
static void the_same_frame_below_others_is_new(struct kunit *test)
{
	u32 path = 0, depth, next = 0, first = fm_user.nr, nr_found = 0;

	for (depth = 0; depth < fm_user.max / 2; depth++) {
		next = fm_user_paths_add(&fm_user, path, fm_user_frame(1, 'a'));
		KUNIT_ASSERT_EQ(test, next, first + depth);
		path = next;
	}
	/* Nor does a short search find another one, though it may find none. */
	for (path = first; path < next; path++) {
		u32 found = fm_user_paths_find(&fm_user, path, fm_user_frame(1, 'a'));

		KUNIT_ASSERT_TRUE(test, !found || found == path + 1);
		nr_found += !!found;
	}
	KUNIT_EXPECT_GT(test, nr_found, (next - first) / 2);
	KUNIT_EXPECT_EQ(test, fm_user_paths_find(&fm_user, next, fm_user_frame(1, 'a')), 0);
}

static void frames_keep_object_and_offset(struct kunit *test)
{
	static const u64 offsets[] = { 0, 1, 0xffffffff, (1ull << 44) - 1 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(offsets); i++) {
		u64 frame = fm_user_frame(8192, offsets[i]);

		KUNIT_EXPECT_EQ(test, fm_user_frame_object(frame), 8192);
		KUNIT_EXPECT_EQ(test, fm_user_frame_offset(frame), offsets[i]);
	}
}

static void addresses_are_frames_of_their_own(struct kunit *test)
{
	static const u64 addresses[] = { 0x1000, 0x7f0012345678, FM_USER_MADE_MAX - 1 };
	u64 process = fm_user_frame(0, FM_USER_PROCESS + 4194304), frame;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(addresses); i++) {
		frame = fm_user_frame_made(addresses[i]);
		KUNIT_EXPECT_TRUE(test, fm_user_frame_is_made(frame));
		KUNIT_EXPECT_FALSE(test, fm_user_frame_is_process(frame));
		KUNIT_EXPECT_EQ(test, frame & ~FM_USER_MADE_AT, addresses[i]);
	}
	/* Other addresses are not kept. */
	KUNIT_EXPECT_EQ(test, fm_user_frame_made(FM_USER_MADE_MAX), FM_USER_MADE);
	KUNIT_EXPECT_FALSE(test, fm_user_frame_is_made(fm_user_frame(8192, 0x1000)));
	KUNIT_EXPECT_TRUE(test, fm_user_frame_is_process(process));
	KUNIT_EXPECT_FALSE(test, fm_user_frame_is_made(process));
	KUNIT_EXPECT_EQ(test, fm_user_frame_offset(process) - FM_USER_PROCESS, 4194304);
	KUNIT_EXPECT_FALSE(test, fm_user_frame_is_process(fm_user_frame(1, FM_USER_PROCESS)));
}

static void an_end_is_told(struct kunit *test)
{
	enum flamemod_user_side side = FLAMEMOD_USER_FAULT;
	u64 frames[FM_USER_FRAMES_MAX];
	u32 path = fm_user_paths_end(&fm_user, fm_stack(1, "ab"), &side), nr;

	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_FAULT);
	KUNIT_ASSERT_EQ(test, fm_user_paths_frames(&fm_user, path, frames), 3);
	KUNIT_EXPECT_EQ(test, frames[2], fm_user_frame(0, FM_USER_END + FLAMEMOD_USER_FAULT));
	/* Without frames there is a path for each reason, before any is added. */
	fm_user_paths_clear(&fm_user);
	nr = fm_user.nr;
	for (side = 0; side < __FLAMEMOD_USER_MAX; side++) {
		path = fm_user_paths_end(&fm_user, 0, &side);
		KUNIT_ASSERT_EQ(test, fm_user_paths_frames(&fm_user, path, frames), 1);
		KUNIT_EXPECT_EQ(test, frames[0], fm_user_frame(0, FM_USER_END + side));
	}
	KUNIT_EXPECT_EQ(test, fm_user.nr, nr);
}

/* Offsets at equal distances may share slots with some secrets: see fm_user_paths_slot(). */
static u64 fm_scattered(u32 object, u32 i)
{
	return fm_user_frame(object, jhash_1word(i, 0));
}

static void a_full_set_says_so(struct kunit *test)
{
	enum flamemod_user_side side = FLAMEMOD_USER_FAULT;
	u32 path = fm_stack(1, "a"), i;

	for (i = fm_user.nr; i < fm_user.max; i++) {
		KUNIT_EXPECT_EQ(test, fm_user_paths_filling(&fm_user),
				i > fm_user.max / 4 * 3);
		KUNIT_EXPECT_EQ(test, fm_user_paths_used_up(&fm_user),
				i > fm_user.max / 8 * 5);
		KUNIT_ASSERT_NE(test, fm_user_paths_add(&fm_user, 0, fm_scattered(2, i)), 0);
	}
	KUNIT_EXPECT_EQ(test, fm_user_paths_add(&fm_user, 0, fm_user_frame(3, 0)), 0);
	/* What is known is found; and an end that is new becomes another reason. */
	KUNIT_EXPECT_EQ(test, fm_stack(1, "a"), path);
	KUNIT_EXPECT_EQ(test, fm_user_paths_end(&fm_user, path, &side),
			fm_user_paths_nothing(FLAMEMOD_USER_CROWDED));
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_CROWDED);
	fm_user_paths_clear(&fm_user);
	KUNIT_EXPECT_FALSE(test, fm_user_paths_filling(&fm_user));
	KUNIT_EXPECT_NE(test, fm_user_paths_add(&fm_user, 0, fm_user_frame(3, 0)), 0);
}

/* Add so many stacks of one frame for a process. */
static void fm_grow(struct kunit *test, const void *mm, u32 nr)
{
	static u32 unique;

	while (nr--) {
		KUNIT_ASSERT_TRUE(test, fm_user_paths_begin(&fm_user, mm));
		KUNIT_ASSERT_NE(test, fm_user_paths_add(&fm_user, 0,
							fm_scattered(3, unique++)), 0);
	}
}

static void a_greedy_process_leaves_most(struct kunit *test)
{
	u32 nr = 0;

	while (fm_user_paths_begin(&fm_user, &fm_mm[0])) {
		KUNIT_ASSERT_LT(test, nr, fm_user.max);
		KUNIT_EXPECT_EQ(test, fm_user_paths_filling(&fm_user), nr > fm_user.max / 5);
		KUNIT_ASSERT_NE(test, fm_user_paths_add(&fm_user, 0, fm_user_frame(1, nr++)), 0);
	}
	KUNIT_EXPECT_EQ(test, nr, fm_user.max / 4 + 1);
	/* A drain is asked for, which leaves this set. */
	KUNIT_EXPECT_TRUE(test, fm_user_paths_filling(&fm_user));
	KUNIT_EXPECT_TRUE(test, fm_user_paths_used_up(&fm_user));
	fm_user_paths_clear(&fm_user);
	KUNIT_EXPECT_FALSE(test, fm_user_paths_filling(&fm_user));
	KUNIT_EXPECT_TRUE(test, fm_user_paths_begin(&fm_user, &fm_mm[0]));
}

/* It shares its set of counts with processes that come and go. */
static void others_do_not_hide_a_greedy_process(struct kunit *test)
{
	u32 nr = 0, i;

	fm_grow(test, &fm_mm[0], fm_user.max / 8);
	for (i = 0; i < 16 * FM_USER_OWNERS; i++)
		fm_user_paths_begin(&fm_user, (const void *)(0x1000ul + 64 * i));
	while (fm_user_paths_begin(&fm_user, &fm_mm[0])) {
		KUNIT_ASSERT_LT(test, nr, fm_user.max);
		fm_grow(test, &fm_mm[0], 1);
		nr++;
	}
	KUNIT_EXPECT_EQ(test, nr, fm_user.max / 4 + 1 - fm_user.max / 8);
}

static void clear_forgets_stacks_and_notes(struct kunit *test)
{
	u32 path = fm_stack(1, "abc"), nr = fm_user.nr;

	fm_user.nodes[path] = 7;
	fm_user_paths_forget_notes(&fm_user);
	KUNIT_EXPECT_EQ(test, fm_user.nodes[path], 0);
	KUNIT_EXPECT_EQ(test, fm_stack(1, "abc"), path);
	fm_user.nodes[path] = 7;
	fm_user_paths_clear(&fm_user);
	KUNIT_EXPECT_EQ(test, fm_user.nodes[path], 0);
	KUNIT_EXPECT_EQ(test, fm_user.nr, nr - 3);
	/* Those of others take the same numbers, and are not taken for them. */
	KUNIT_EXPECT_EQ(test, fm_stack(1, "xyz"), path);
	KUNIT_EXPECT_NE(test, fm_stack(1, "abc"), path);
}

/* Paths without memory, which is what there is with user stacks off. */
static void none_are_never_full(struct kunit *test)
{
	struct fm_user_paths *paths = kunit_kzalloc(test, sizeof(*paths), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, paths);
	KUNIT_EXPECT_FALSE(test, fm_user_paths_filling(paths));
	KUNIT_EXPECT_FALSE(test, fm_user_paths_used_up(paths));
	fm_user_paths_clear(paths);
	fm_user_paths_forget_notes(paths);
	fm_user_paths_deinit(paths);
	KUNIT_EXPECT_EQ(test, paths->nr, 0);
}

static struct kunit_case fm_user_paths_cases[] = {
	KUNIT_CASE(init_fails_cleanly),
	KUNIT_CASE(init_stays_within_its_bytes),
	KUNIT_CASE(the_same_frames_are_one_path),
	KUNIT_CASE(the_same_frame_below_others_is_new),
	KUNIT_CASE(frames_keep_object_and_offset),
	KUNIT_CASE(addresses_are_frames_of_their_own),
	KUNIT_CASE(an_end_is_told),
	KUNIT_CASE(a_full_set_says_so),
	KUNIT_CASE(a_greedy_process_leaves_most),
	KUNIT_CASE(others_do_not_hide_a_greedy_process),
	KUNIT_CASE(clear_forgets_stacks_and_notes),
	KUNIT_CASE(none_are_never_full),
	{}
};

struct kunit_suite fm_user_paths_suite = {
	.name = "flamemod_user_paths",
	.init = fm_user_begin,
	.exit = fm_user_end,
	.test_cases = fm_user_paths_cases,
};
