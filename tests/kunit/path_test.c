// SPDX-License-Identifier: GPL-2.0
/*
 * Call paths: stacks have the same path exactly if they have the same callers.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/path.h"
#include "../../module/sample.h"
#include "allocations.h"
#include "redirect.h"
#include "suites.h"
#include "text.h"

#define FM_CALLERS_MAX	(FLAMEMOD_MAX_DEPTH_MAX - 1)

static struct fm_paths fm_paths;

static int fm_path_begin(struct kunit *test)
{
	fm_allocations_init(test);
	return fm_paths_init(&fm_paths, FM_PATHS_MIN, NUMA_NO_NODE);
}

static void fm_path_end(struct kunit *test)
{
	fm_hashes_collide = false;
	fm_paths_deinit(&fm_paths);
	fm_allocations_exit(test);
}

/* Another number of paths than the suite's. */
static void fm_paths_anew(struct kunit *test, u32 max)
{
	fm_paths_deinit(&fm_paths);
	KUNIT_ASSERT_EQ(test, fm_paths_init(&fm_paths, max, NUMA_NO_NODE), 0);
}

static u32 fm_path_of(const unsigned long *callers, u32 nr)
{
	u32 path = 0, i;

	for (i = 0; i < nr; i++)
		path = fm_paths_add(&fm_paths, path, callers[i]);
	return path;
}

static int fm_attempt_init(struct kunit *test, void *data)
{
	return fm_paths_init(data, FM_PATHS_MIN, NUMA_NO_NODE);
}

static void fm_cleanup_init(struct kunit *test, void *data)
{
	fm_paths_deinit(data);
}

static void init_fails_cleanly(struct kunit *test)
{
	struct fm_paths paths;

	/* Paths, index and notes. */
	fm_allocations_fail_each(test, 3, -ENOMEM, fm_attempt_init,
				 fm_cleanup_init, &paths);
	KUNIT_EXPECT_NULL(test, paths.paths);
	KUNIT_EXPECT_NULL(test, paths.index);
	KUNIT_EXPECT_NULL(test, paths.nodes);
}

/* The number of the nth path that was added; n = 0: the path of no caller. */
static u32 fm_nth(u32 n)
{
	return n ? FM_PATH_NOWHERE + n : FM_PATH_NONE;
}

/* Stacks in the order of arrival; a letter is a caller, the leaf's first. */
static const struct fm_same_case {
	const char *name;
	const char *stacks[6];
	u32 paths[6];		/* the n of each stack's path */
} fm_same_cases[] = {
	{ "the same", { "abc", "abc", "abc" }, { 3, 3, 3 } },
	{ "another root", { "abc", "abd", "abc", "abd" }, { 3, 4, 3, 4 } },
	{ "another leaf's caller", { "abc", "bbc" }, { 3, 6 } },
	{ "another in the middle", { "abc", "adc", "abc" }, { 3, 5, 3 } },
	{ "prefixes", { "abc", "ab", "a", "", "abcd" }, { 3, 2, 1, 0, 4 } },
	{ "prefixes first", { "", "a", "ab", "abc" }, { 0, 1, 2, 3 } },
	{ "suffixes", { "abc", "bc", "c" }, { 3, 5, 6 } },
	{ "turned round", { "ab", "ba" }, { 2, 4 } },
	{ "recursion", { "aaaa", "aa", "aaaaa", "aaa" }, { 4, 2, 5, 3 } },
	{ "recursion within", { "abab", "ab", "abba" }, { 4, 2, 6 } },
};

FM_ARRAY_PARAM(same);

static void fm_expect_same(struct kunit *test, const struct fm_same_case *c)
{
	unsigned long callers[8], found[FLAMEMOD_MAX_DEPTH_MAX];
	u32 i, j, nr;

	for (i = 0; i < ARRAY_SIZE(c->stacks) && c->stacks[i]; i++) {
		nr = strlen(c->stacks[i]);
		for (j = 0; j < nr; j++)
			callers[j] = FM_TEST_TEXT + c->stacks[i][j];
		KUNIT_EXPECT_EQ_MSG(test, fm_path_of(callers, nr),
				    fm_nth(c->paths[i]),
				    "stack %u", i);
		KUNIT_ASSERT_EQ(test, fm_paths_callers(&fm_paths,
						       fm_nth(c->paths[i]), found),
				nr);
		KUNIT_EXPECT_EQ_MSG(test, memcmp(found, callers,
						 nr * sizeof(callers[0])), 0,
				    "stack %u", i);
	}
	KUNIT_EXPECT_GE(test, i, 2);
}

static void the_same_callers_are_one_path(struct kunit *test)
{
	const struct fm_same_case *c = test->param_value;

	fm_expect_same(test, c);
	/* After a clear the numbers start again; also with all paths in one slot. */
	fm_paths_clear(&fm_paths);
	fm_hashes_collide = true;
	fm_expect_same(test, c);
}

/* Callers that are appended at once are those that are added one by one, met before or not. */
static void callers_are_appended(struct kunit *test)
{
	unsigned long callers[4] = { FM_TEST_TEXT + 'b', FM_TEST_TEXT + 'c', FM_TEST_TEXT + 'd',
				     FM_TEST_TEXT + 'e' };
	u32 first = fm_paths_add(&fm_paths, FM_PATH_NONE, FM_TEST_TEXT + 'a'), path, i;

	KUNIT_EXPECT_EQ(test, fm_paths_append(&fm_paths, first, callers, 0), first);
	for (i = 0, path = first; i < ARRAY_SIZE(callers); i++)
		path = fm_paths_add(&fm_paths, path, callers[i]);
	KUNIT_EXPECT_EQ(test, fm_paths_append(&fm_paths, first, callers, 4), path);
	/* Another stack went another way since. */
	fm_paths_add(&fm_paths, first, FM_TEST_TEXT + 'x');
	KUNIT_EXPECT_EQ(test, fm_paths_append(&fm_paths, first, callers, 4), path);
	callers[3] = FM_TEST_TEXT + 'y';
	KUNIT_EXPECT_EQ(test, fm_paths_append(&fm_paths, first, callers, 4), path + 2);
	KUNIT_EXPECT_EQ(test, fm_paths_append(&fm_paths, FM_PATH_NONE, callers, 4),
			FM_PATH_NONE);
}

/* An unknown address may be stored as 0, as it is in the path that nothing continues. */
static void an_unknown_caller_is_appended(struct kunit *test)
{
	unsigned long callers[1] = { 0 };
	u32 first = fm_paths_add(&fm_paths, FM_PATH_NONE, FM_TEST_TEXT + 'a');

	KUNIT_EXPECT_EQ(test, fm_paths_append(&fm_paths, first, callers, 1), first + 1);
}

static void wakers_fill_paths_too(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, fm_paths_used_up(&fm_paths));
	fm_paths.wakers.nr = FM_WAKERS_MAX / 8 * 5 + 1;
	KUNIT_EXPECT_TRUE(test, fm_paths_used_up(&fm_paths));
	KUNIT_EXPECT_FALSE(test, fm_paths_filling(&fm_paths));
	fm_paths.wakers.nr = FM_WAKERS_MAX / 4 * 3 + 1;
	KUNIT_EXPECT_TRUE(test, fm_paths_filling(&fm_paths));
	fm_paths.wakers.nr = 0;
}

static void without_room_nothing_is_appended(struct kunit *test)
{
	unsigned long callers[3] = { FM_TEST_TEXT + 'b', FM_TEST_TEXT + 'c', FM_TEST_TEXT + 'd' };
	u32 first = fm_paths_add(&fm_paths, FM_PATH_NONE, FM_TEST_TEXT + 'a'), max = fm_paths.max;

	fm_paths.max = fm_paths.nr + 2;
	KUNIT_EXPECT_EQ(test, fm_paths_append(&fm_paths, first, callers, 3), FM_PATH_NONE);
	KUNIT_EXPECT_NE(test, fm_paths_append(&fm_paths, first, callers, 2), FM_PATH_NONE);
	fm_paths.max = max;
}

/* A note is no address, and is listed as it is. */
static void a_note_is_a_caller(struct kunit *test)
{
	u32 first = fm_paths_add(&fm_paths, FM_PATH_NONE, FM_TEST_TEXT + 'a');
	unsigned long found[8];
	u32 note = fm_paths_add_note(&fm_paths, first, 7), path;

	KUNIT_EXPECT_EQ(test, fm_paths_add_note(&fm_paths, first, 7), note);
	KUNIT_EXPECT_NE(test, fm_paths_add_note(&fm_paths, first, 8), note);
	path = fm_paths_add(&fm_paths, note, FM_TEST_TEXT + 'b');
	KUNIT_ASSERT_EQ(test, fm_paths_callers(&fm_paths, path, found), 3);
	KUNIT_EXPECT_EQ(test, found[0], FM_TEST_TEXT + 'a');
	KUNIT_EXPECT_EQ(test, found[1], 7);
	KUNIT_EXPECT_TRUE(test, fm_path_is_note(found[1]));
	KUNIT_EXPECT_FALSE(test, fm_path_is_note(found[2]));
}

/* Random stacks, compared with a list of all earlier ones. */
#define FM_STACKS	400

struct fm_known {
	u32 nr, path;
	unsigned long callers[FM_CALLERS_MAX];
};

static u32 fm_next_random(u64 *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 33;
}

static void fm_make_stack(struct fm_known *stack, u64 *state)
{
	u32 i;

	stack->nr = fm_next_random(state) % 8;
	if (fm_next_random(state) % 16 == 0)
		stack->nr = FM_CALLERS_MAX;
	/* Few addresses, so that much is shared, and far apart or adjacent. */
	for (i = 0; i < stack->nr; i++)
		stack->callers[i] = FM_TEST_TEXT + fm_next_random(state) % 3 +
				    (fm_next_random(state) % 2 << 30);
}

static void fm_expect_distinct(struct kunit *test, const struct fm_known *known,
			       u32 nr)
{
	unsigned long found[FLAMEMOD_MAX_DEPTH_MAX];
	u32 i, j;
	bool same;

	for (i = 0; i < nr; i++) {
		KUNIT_ASSERT_EQ(test, fm_paths_callers(&fm_paths, known[i].path,
						       found), known[i].nr);
		KUNIT_ASSERT_EQ_MSG(test, memcmp(found, known[i].callers,
						 known[i].nr * sizeof(found[0])),
				    0, "stack %u", i);
		for (j = 0; j < i; j++) {
			same = known[i].nr == known[j].nr &&
			       !memcmp(known[i].callers, known[j].callers,
				       known[i].nr * sizeof(found[0]));
			KUNIT_ASSERT_EQ_MSG(test, known[i].path == known[j].path,
					    same, "stacks %u and %u", j, i);
		}
	}
}

static void random_stacks_have_paths_of_their_own(struct kunit *test)
{
	struct fm_known *known = kunit_kcalloc(test, FM_STACKS, sizeof(*known),
					       GFP_KERNEL);
	u32 i, round, nr, most;
	u64 state;

	KUNIT_ASSERT_NOT_NULL(test, known);
	for (round = 0; round < 2; round++) {
		fm_paths_anew(test, 16384);
		fm_hashes_collide = round;
		/* In one slot there is room for FM_PATHS_PROBES of them. */
		most = round ? FM_PATHS_PROBES - FM_CALLERS_MAX : U32_MAX;
		for (state = 5 + round, nr = 0; nr < FM_STACKS && fm_paths.nr < most; nr++) {
			fm_make_stack(&known[nr], &state);
			known[nr].path = fm_path_of(known[nr].callers, known[nr].nr);
		}
		fm_expect_distinct(test, known, nr);
		KUNIT_EXPECT_GT(test, fm_paths.nr, round ? 100 : 2000);
		/* Paths do not change later. */
		for (i = 0; i < nr; i++)
			KUNIT_ASSERT_EQ(test, fm_path_of(known[i].callers,
							 known[i].nr),
					known[i].path);
	}
}

static void callers_come_back_in_order(struct kunit *test)
{
	unsigned long callers[FLAMEMOD_MAX_DEPTH_MAX];
	u32 path = 0, nr, i;

	KUNIT_EXPECT_EQ(test, fm_paths_callers(&fm_paths, 0, callers), 0);
	for (nr = 1; nr <= FM_CALLERS_MAX; nr++) {
		path = fm_paths_add(&fm_paths, path, FM_TEST_TEXT + 16 * nr);
		KUNIT_ASSERT_NE(test, path, 0);
		memset(callers, 0x7e, sizeof(callers));
		KUNIT_ASSERT_EQ(test, fm_paths_callers(&fm_paths, path, callers),
				nr);
		for (i = 0; i < nr; i++)
			KUNIT_EXPECT_EQ(test, callers[i],
					FM_TEST_TEXT + 16 * (i + 1));
		KUNIT_EXPECT_EQ(test, callers[nr], 0x7e7e7e7e7e7e7e7eul);
	}
	/* The deepest stack fits into the smallest table, and does not fill it. */
	KUNIT_EXPECT_FALSE(test, fm_paths_filling(&fm_paths));
}

/* How many paths fit, and how many do not request a drain yet. */
static const struct fm_room_case {
	u32 max, nr_full, nr_fills;
	bool collide;
} fm_room_cases[] = {
	{ 256, 254, 191, false },
	{ 256, 254, 191, true },
	{ 300, 298, 224, false },
	{ 511, 509, 380, false },
	{ 512, 510, 383, false },
	{ 4096, 4094, 3071, false },
};

static void fm_room_name(const struct fm_room_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%u%s", c->max,
		 c->collide ? ", all in one slot" : "");
}

KUNIT_ARRAY_PARAM(fm_room, fm_room_cases, fm_room_name);

/* A binary tree: two paths continue each path. */
static unsigned long fm_tree_caller(u32 path)
{
	return FM_TEST_TEXT + 0x1000 * path;
}

static void fm_expect_room(struct kunit *test, const struct fm_room_case *c)
{
	const struct fm_path *paths = fm_paths.paths;
	u32 n, next;

	for (n = 1; n <= c->nr_full; n++) {
		KUNIT_EXPECT_EQ_MSG(test, fm_paths_filling(&fm_paths),
				    n > c->nr_fills, "with %u paths", n - 1);
		KUNIT_ASSERT_EQ(test, fm_paths_add(&fm_paths, fm_nth((n - 1) / 2),
						   fm_tree_caller(n)), fm_nth(n));
	}
	/* No more fit, neither from the leaf nor from the last path. */
	next = paths[FM_PATH_NONE].next;
	KUNIT_EXPECT_EQ(test, fm_paths_add(&fm_paths, FM_PATH_NONE, FM_TEST_TEXT),
			FM_PATH_NONE);
	KUNIT_EXPECT_EQ(test, fm_paths_add(&fm_paths, fm_nth(c->nr_full),
					   fm_tree_caller(1)), FM_PATH_NONE);
	KUNIT_EXPECT_EQ(test, paths[FM_PATH_NONE].next, next);
	KUNIT_EXPECT_EQ(test, paths[fm_nth(c->nr_full)].next, FM_PATH_NOWHERE);
	/* What was there is still there. */
	for (n = 1; n <= c->nr_full; n++) {
		KUNIT_ASSERT_EQ(test, fm_paths_add(&fm_paths, fm_nth((n - 1) / 2),
						   fm_tree_caller(n)), fm_nth(n));
		KUNIT_EXPECT_EQ(test, paths[fm_nth((n - 1) / 2)].next, fm_nth(n));
	}
}

static void holds_what_it_has_room_for(struct kunit *test)
{
	const struct fm_room_case *c = test->param_value;

	fm_paths_anew(test, c->max);
	fm_hashes_collide = c->collide;
	fm_expect_room(test, c);
	fm_paths_clear(&fm_paths);
	KUNIT_EXPECT_FALSE(test, fm_paths_filling(&fm_paths));
	fm_expect_room(test, c);
}

/* A search looks at so many slots, whatever is in them. */
static void a_search_ends(struct kunit *test)
{
	u32 i, nr;

	fm_paths_anew(test, 4 * FM_PATHS_PROBES);
	fm_hashes_collide = true;
	for (i = 1; i <= FM_PATHS_PROBES; i++)
		KUNIT_ASSERT_EQ(test, fm_paths_add(&fm_paths, FM_PATH_NONE, fm_tree_caller(i)),
				fm_nth(i));
	nr = fm_paths.nr;
	KUNIT_EXPECT_EQ(test, fm_paths_add(&fm_paths, FM_PATH_NONE, fm_tree_caller(i)),
			FM_PATH_NONE);
	KUNIT_EXPECT_EQ(test, fm_paths.nr, nr);
	/* Where other slots are used, there is room. */
	fm_hashes_collide = false;
	KUNIT_EXPECT_NE(test, fm_paths_add(&fm_paths, FM_PATH_NONE, fm_tree_caller(i)),
			FM_PATH_NONE);
	fm_hashes_collide = true;
	for (i = 1; i <= FM_PATHS_PROBES; i++)
		KUNIT_ASSERT_EQ(test, fm_paths_add(&fm_paths, FM_PATH_NONE, fm_tree_caller(i)),
				fm_nth(i));
}

/* A sample whose path cannot be found or added is lost. */
static void a_stack_without_a_path_is_refused(struct kunit *test)
{
	struct fm_sample sample = { .paths = &fm_paths, .nr_frames = 2 };
	u32 i;

	fm_paths_anew(test, 4 * FM_PATHS_PROBES);
	fm_hashes_collide = true;
	for (i = 1; i <= FM_PATHS_PROBES; i++)
		fm_paths_add(&fm_paths, FM_PATH_NONE, fm_tree_caller(i));
	sample.frames[1] = fm_tree_caller(1);
	KUNIT_EXPECT_TRUE(test, fm_sample_fold(&sample));
	sample.frames[1] = fm_tree_caller(i);
	KUNIT_EXPECT_FALSE(test, fm_sample_fold(&sample));
	/* A note finds none either, nor what would continue it. */
	KUNIT_EXPECT_EQ(test, fm_paths_append(&fm_paths,
					      fm_paths_add_note(&fm_paths, FM_PATH_NONE, 7),
					      &sample.frames[1], 1), FM_PATH_NONE);
}

/* Above five eighths the table is replaced by an empty one. */
static void paths_are_used_up_before_they_are_full(struct kunit *test)
{
	u32 nr = fm_paths.nr;

	fm_paths.nr = fm_paths.max / 8 * 5;
	KUNIT_EXPECT_FALSE(test, fm_paths_used_up(&fm_paths));
	fm_paths.nr++;
	KUNIT_EXPECT_TRUE(test, fm_paths_used_up(&fm_paths));
	fm_paths.nr = nr;
}

/* A path keeps the path that last continued it: the next search tries that first. */
static void the_last_way_is_remembered(struct kunit *test)
{
	const struct fm_path *paths = fm_paths.paths;
	u32 a, b, c;

	KUNIT_EXPECT_EQ(test, paths[0].next, FM_PATH_NOWHERE);
	a = fm_paths_add(&fm_paths, 0, FM_TEST_TEXT + 1);
	KUNIT_EXPECT_EQ(test, paths[0].next, a);
	KUNIT_EXPECT_EQ(test, paths[a].next, FM_PATH_NOWHERE);
	b = fm_paths_add(&fm_paths, a, FM_TEST_TEXT + 2);
	c = fm_paths_add(&fm_paths, a, FM_TEST_TEXT + 3);
	KUNIT_EXPECT_EQ(test, paths[a].next, c);
	/* Also when a known path continues it; other paths keep theirs. */
	KUNIT_EXPECT_EQ(test, fm_paths_add(&fm_paths, a, FM_TEST_TEXT + 2), b);
	KUNIT_EXPECT_EQ(test, paths[a].next, b);
	KUNIT_EXPECT_EQ(test, paths[0].next, a);
	KUNIT_EXPECT_EQ(test, paths[b].next, FM_PATH_NOWHERE);
	KUNIT_EXPECT_EQ(test, paths[c].next, FM_PATH_NOWHERE);
}

/* What is kept with a path stays until a clear. */
static void clear_forgets_all(struct kunit *test)
{
	const struct fm_move none = {}, move = { 16, -2, FM_STEP_SP };
	struct fm_path *paths = fm_paths.paths;
	u32 a, b;

	a = fm_paths_add(&fm_paths, 0, FM_TEST_TEXT + 1);
	b = fm_paths_add(&fm_paths, a, FM_TEST_TEXT + 2);
	KUNIT_EXPECT_EQ(test, memcmp(&paths[a].move, &none, sizeof(none)), 0);
	fm_paths.nodes[a] = 5;
	paths[0].move = move;
	paths[a].move = move;
	paths[b].move = move;
	fm_paths_add(&fm_paths, 0, FM_TEST_TEXT + 1);
	KUNIT_EXPECT_EQ(test, memcmp(&paths[a].move, &move, sizeof(move)), 0);
	fm_paths_clear(&fm_paths);
	KUNIT_EXPECT_EQ(test, paths[0].next, FM_PATH_NOWHERE);
	KUNIT_EXPECT_EQ(test, memcmp(&paths[0].move, &none, sizeof(none)), 0);
	/* Other callers get the same numbers. */
	KUNIT_EXPECT_EQ(test, fm_paths_add(&fm_paths, 0, FM_TEST_TEXT + 2), a);
	KUNIT_EXPECT_EQ(test, fm_paths_add(&fm_paths, 0, FM_TEST_TEXT + 1), b);
	KUNIT_EXPECT_EQ(test, memcmp(&paths[a].move, &none, sizeof(none)), 0);
	KUNIT_EXPECT_EQ(test, fm_paths.nodes[a], 0);
	KUNIT_EXPECT_EQ(test, paths[a].next, FM_PATH_NOWHERE);
	KUNIT_EXPECT_EQ(test, paths[b].parent, 0);
	/* Clear twice, the second time without paths. */
	fm_paths_clear(&fm_paths);
	fm_paths_clear(&fm_paths);
	KUNIT_EXPECT_EQ(test, fm_paths_add(&fm_paths, 0, FM_TEST_TEXT + 9), a);
}

#ifdef CONFIG_X86_64
#define FM_ELSEWHERE(address)	0
#else
#define FM_ELSEWHERE(address)	(address)
#endif

static const struct fm_text_case {
	const char *name;
	unsigned long address, back;
} fm_text_cases[] = {
	{ "the first of text", 0xffffffff80000000ul, 0xffffffff80000000ul },
	{ "the kernel", 0xffffffff81234567ul, 0xffffffff81234567ul },
	{ "a module", 0xffffffffc0123456ul, 0xffffffffc0123456ul },
	{ "the last of all", ~0ul, ~0ul },
	{ "just below text", 0xffffffff7ffffffful,
	  FM_ELSEWHERE(0xffffffff7ffffffful) },
	{ "a firmware", 0xfffffffeee123456ul,
	  FM_ELSEWHERE(0xfffffffeee123456ul) },
	{ "what has a module's lower half", 0xffff8880c0123456ul,
	  FM_ELSEWHERE(0xffff8880c0123456ul) },
	{ "user", 0x7ffff7a12345ul, FM_ELSEWHERE(0x7ffff7a12345ul) },
	{ "user, with a bit of text's", 0x80000000ul,
	  FM_ELSEWHERE(0x80000000ul) },
	{ "nothing", 0, 0 },
};

FM_ARRAY_PARAM(text);

static void text_comes_back(struct kunit *test)
{
	const struct fm_text_case *c = test->param_value;
	unsigned long callers[FLAMEMOD_MAX_DEPTH_MAX];
	u32 module, path;

	/* Another address that must not share its path. */
	module = fm_paths_add(&fm_paths, 0, 0xffffffffc0123456ul);
	path = fm_paths_add(&fm_paths, 0, c->address);
	KUNIT_EXPECT_EQ(test, path == module,
			c->address == 0xffffffffc0123456ul);
	KUNIT_ASSERT_NE(test, path, 0);
	KUNIT_EXPECT_EQ(test, fm_paths_callers(&fm_paths, path, callers), 1);
	KUNIT_EXPECT_EQ(test, callers[0], c->back);
}

static struct kunit_case fm_path_cases[] = {
	KUNIT_CASE(init_fails_cleanly),
	KUNIT_CASE_PARAM(the_same_callers_are_one_path, fm_same_gen_params),
	KUNIT_CASE(callers_are_appended),
	KUNIT_CASE(an_unknown_caller_is_appended),
	KUNIT_CASE(wakers_fill_paths_too),
	KUNIT_CASE(without_room_nothing_is_appended),
	KUNIT_CASE(a_note_is_a_caller),
	KUNIT_CASE(random_stacks_have_paths_of_their_own),
	KUNIT_CASE(callers_come_back_in_order),
	KUNIT_CASE_PARAM(holds_what_it_has_room_for, fm_room_gen_params),
	KUNIT_CASE(a_search_ends),
	KUNIT_CASE(a_stack_without_a_path_is_refused),
	KUNIT_CASE(paths_are_used_up_before_they_are_full),
	KUNIT_CASE(the_last_way_is_remembered),
	KUNIT_CASE(clear_forgets_all),
	KUNIT_CASE_PARAM(text_comes_back, fm_text_gen_params),
	{}
};

struct kunit_suite fm_path_suite = {
	.name = "flamemod_path",
	.init = fm_path_begin,
	.exit = fm_path_end,
	.test_cases = fm_path_cases,
};
