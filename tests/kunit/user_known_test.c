// SPDX-License-Identifier: GPL-2.0
/*
 * Frames that a walk of a user stack expects since the last walk found them: it finds the
 * same as by looking each of them up, and it believes nothing that the registers, the stack
 * and the mappings of now do not bear out.
 */
#include <linux/jiffies.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "forged.h"
#include "suites.h"

#ifdef CONFIG_X86_64
static void a_stack_is_expected_again(struct kunit *test)
{
	u32 path;

	fm_forged_stand(test);
	path = fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, fm_forged_walk(true), path);
	fm_forged_expect_standing(test);
	/* A frame that is found by rbx is looked up each time; others need not be. */
	fm_forged_call(test, 9, FM_PUSHES);
	fm_forged_call(test, 11, FM_START);
	path = fm_forged_walk(true);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_SAVES + 7,
			 FM_PUSHES + 7, FM_START + 7);
	fm_forged_forget_rows();
	KUNIT_EXPECT_EQ(test, fm_forged_walk(true), path);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_SAVES + 7,
			 FM_PUSHES + 7, FM_START + 7);
	fm_forged_know_rows();
}

/* Put two functions that save bp, and a caller whose frame is found by what the second saved. */
static void fm_put_saves(struct kunit *test, u32 at)
{
	fm_forged_call(test, at, FM_PUSHES_BP);
	fm_forged_put(test, at + 1, fm_forged.stack + 8 * 40);
	fm_forged_call(test, at + 2, FM_PUSHES_BP);
	fm_forged_put(test, at + 3, fm_forged.stack + 8 * (at + 6));
	fm_forged_call(test, at + 4, FM_SAVES);
}

/* Where several frames have saved bp, the caller's is what the last of them saved. */
static void the_last_save_counts(struct kunit *test)
{
	u32 i;

	fm_put_saves(test, 0);
	fm_put_saves(test, 7);
	fm_forged_call(test, 14, FM_START);
	fm_forged_call(test, 41, FM_UNKNOWN);
	for (i = 0; i < 3; i++) {
		fm_forged_walk(true);
		fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES_BP + 7,
				 FM_PUSHES_BP + 7, FM_SAVES + 7, FM_PUSHES_BP + 7,
				 FM_PUSHES_BP + 7, FM_SAVES + 7, FM_START + 7);
		fm_forged_forget_rows();
	}
	fm_forged_know_rows();
}

static void another_caller_is_not_the_expected_one(struct kunit *test)
{
	fm_forged_stand_simply(test);
	fm_forged_put(test, 2, FM_TEXT + FM_PUSHES + 16);
	fm_forged_walk(true);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_PUSHES + 15,
			 FM_START + 7);
	fm_forged_call(test, 2, FM_UNKNOWN);
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_NO_RULE);
	KUNIT_EXPECT_EQ(test, fm_forged.nr, 4);
	/* another leaf */
	fm_forged_call(test, 2, FM_PUSHES);
	fm_forged.regs.ip = FM_TEXT + FM_LEAF + 5;
	fm_forged_walk(true);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 5, FM_PUSHES + 7, FM_PUSHES + 7,
			 FM_START + 7);
}

/* Return: the path of the last stack's two innermost frames. */
static u32 fm_second(void)
{
	return fm_user_paths_next(&fm_forged.paths, fm_user_paths_next(&fm_forged.paths, 0));
}

/* How many frames are found with a base, if none can be looked up. */
static unsigned int fm_expected(u64 base)
{
	u64 *to_frame = fm_forged.maps->base->to_frame;

	/* The frames of the last walk are those that are expected. */
	fm_forged_walk(true);
	to_frame[fm_bases_slot(1)] = base;
	fm_forged_forget_rows();
	fm_forged_walk(true);
	fm_forged_know_rows();
	return fm_forged.side == FLAMEMOD_USER_WHOLE ? fm_forged.nr : 0;
}

static void only_mappings_of_now_are_believed(struct kunit *test)
{
	const u64 base = fm_user_frame(1, 0) - FM_TEXT - 1;

	fm_forged_stand_simply(test);
	KUNIT_EXPECT_EQ(test, fm_forged.maps->base->to_frame[fm_bases_slot(1)], base);
	KUNIT_EXPECT_EQ(test, fm_expected(base), 4);
	/* not known, another object's that has the same slot, at another place */
	KUNIT_EXPECT_EQ(test, fm_expected(FM_BASE_NONE), 0);
	KUNIT_EXPECT_EQ(test, fm_expected(base + fm_user_frame(FM_BASES, 0)), 0);
	KUNIT_EXPECT_EQ(test, fm_expected(base + PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, fm_expected(base), 4);
	/* The mappings have changed, or may have changed. */
	fm_forged_forget_rows();
	fm_forged_view()->stamp++;
	fm_forged_walk(true);
	KUNIT_EXPECT_NE(test, (int)fm_forged.side, (int)FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, fm_forged.maps->base->to_frame[fm_bases_slot(1)], FM_BASE_NONE);
	fm_forged_know_rows();
}

/* Of a file that is not mapped as a whole, another one's text may be at the next address. */
static void parts_of_files_are_looked_up(struct kunit *test)
{
	struct fm_object *object = &fm_forged.objects->list[0];
	u64 *base;

	object->text_start = PAGE_SIZE;
	object->text_end = FM_BYTES;
	fm_forged_stand_simply(test);
	base = &fm_forged.maps->base->to_frame[fm_bases_slot(1)];
	KUNIT_EXPECT_NE(test, *base, FM_BASE_NONE);
	*base = FM_BASE_NONE;
	object->text_end = FM_BYTES + 1;
	memset(fm_forged.maps->places, 0, sizeof(fm_forged.maps->places));
	fm_forged_stand_simply(test);
	KUNIT_EXPECT_EQ(test, *base, FM_BASE_NONE);
	object->text_end = FM_BYTES;
	fm_forged_map_entry()->start += 2 * PAGE_SIZE;
	fm_forged.regs.ip = FM_TEXT + FM_LEAF + 6;
	memset(fm_forged.maps->places, 0, sizeof(fm_forged.maps->places));
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, *base, FM_BASE_NONE);
}

/* With a base, an address that no process has can look like another object's frame. */
static void no_address_is_taken_for_another(struct kunit *test)
{
	u64 *base;

	fm_forged_stand_simply(test);
	base = &fm_forged.maps->base->to_frame[fm_bases_slot(1)];
	fm_forged_put(test, 0, (1ul << 50) + 8);
	*base = fm_user_frame(1, FM_PUSHES) - (1ul << 50) - 1;
	fm_forged.regs.ip = (1ul << 50) + FM_LEAF - FM_PUSHES + 4;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_NO_MAPPING);
}

/* Nor is a whole stack of such addresses, which ends as one that is known. */
static void no_stack_is_taken_for_another(struct kunit *test)
{
	const unsigned long far = 1ul << 50;

	fm_forged_stand_simply(test);
	fm_forged.maps->base->to_frame[fm_bases_slot(1)] -= far;
	fm_forged.regs.ip += far;
	fm_forged_call(test, 0, far + FM_PUSHES);
	fm_forged_call(test, 2, far + FM_PUSHES);
	fm_forged_call(test, 4, far + FM_START);
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_NO_MAPPING);
}

/* Nor is code that was made at run time, where no base is known. */
static void code_made_at_run_time_is_looked_up(struct kunit *test)
{
	u32 leaf, made;

	fm_forged_stand_simply(test);
	leaf = fm_user_paths_next(&fm_forged.paths, 0);
	made = fm_user_paths_add(&fm_forged.paths, leaf, fm_user_frame_made(FM_MADE));
	KUNIT_ASSERT_NE(test, made, 0);
	fm_forged.paths.paths[made].step.kind = FM_CFA_END;
	/* the return address, and what a base that was another number would make of it */
	fm_forged_put(test, 0, FM_MADE + 1);
	fm_forged_walk(true);
	KUNIT_EXPECT_NE(test, (int)fm_forged.side, (int)FLAMEMOD_USER_WHOLE);
	fm_forged_put(test, 0, FM_MADE);
	fm_forged_walk(true);
	KUNIT_EXPECT_NE(test, (int)fm_forged.side, (int)FLAMEMOD_USER_WHOLE);
}

/* What is kept of a leaf's last path is a hint: paths may be others, or another leaf's. */
static void a_leaf_is_not_taken_for_another(struct kunit *test)
{
	u32 path, caller;

	fm_forged_stand_simply(test);
	/* A function that was a caller is interrupted itself. */
	caller = fm_second();
	fm_forged.regs.ip = FM_TEXT + FM_PUSHES + 7;
	fm_maps_leaf(fm_forged.maps, fm_forged.regs.ip)->path = caller;
	KUNIT_EXPECT_EQ(test, fm_forged.paths.paths[caller].frame, fm_user_frame(1, FM_PUSHES + 7));
	fm_forged_call(test, 1, FM_PUSHES);
	fm_forged_call(test, 3, FM_START);
	fm_forged_walk(true);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_PUSHES + 7, FM_PUSHES + 7, FM_START + 7);
	/* What a forgotten path had is still in its place. */
	fm_user_paths_clear(&fm_forged.paths);
	path = fm_forged_walk(true);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_PUSHES + 7, FM_PUSHES + 7, FM_START + 7);
	KUNIT_EXPECT_LT(test, path, fm_forged.paths.nr);
	KUNIT_EXPECT_EQ(test, path, fm_forged_walk(true));
}

/* Only a walk that looks a frame up is slow: see struct fm_sample. */
static void a_known_stack_is_quick(struct kunit *test)
{
	fm_forged_stand_simply(test);
	KUNIT_EXPECT_TRUE(test, fm_forged.maps->slow);
	fm_forged_walk(true);
	KUNIT_EXPECT_FALSE(test, fm_forged.maps->slow);
	fm_forged_put(test, 4, FM_TEXT + FM_START + 9);
	fm_forged_walk(true);
	KUNIT_EXPECT_TRUE(test, fm_forged.maps->slow);
	/* each of two callers in turn, once both are known */
	fm_forged_put(test, 4, FM_TEXT + FM_START + 8);
	fm_forged_walk(true);
	KUNIT_EXPECT_FALSE(test, fm_forged.maps->slow);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_PUSHES + 7,
			 FM_START + 7);
	fm_forged_put(test, 4, FM_TEXT + FM_START + 9);
	fm_forged_walk(true);
	KUNIT_EXPECT_FALSE(test, fm_forged.maps->slow);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_PUSHES + 7,
			 FM_START + 8);
}

/* A process that has used up its share of the paths gets no more, but keeps those it has. */
static void a_crowded_process_keeps_its_paths(struct kunit *test)
{
	fm_forged_stand_simply(test);
	fm_forged.paths.owner->nr = fm_forged.paths.max;
	fm_forged_stand_simply(test);
	KUNIT_EXPECT_FALSE(test, fm_forged.paths.hogged);
	fm_forged.regs.ip++;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_CROWDED);
	KUNIT_EXPECT_EQ(test, fm_forged.nr, 1);
	KUNIT_EXPECT_TRUE(test, fm_forged.paths.hogged);
}

static void rows_in_use_are_marked(struct kunit *test)
{
	fm_forged_stand_simply(test);
	fm_forged.chunk->used = 0;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, fm_forged.chunk->used, 0);
	/* after a tenth of a second */
	fm_forged_view()->until = jiffies;
	fm_forged_map_entry()->view = fm_forged.maps->nr_views + 1;
	fm_forged_walk(true);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_PUSHES + 7,
			 FM_START + 7);
	KUNIT_EXPECT_EQ(test, fm_forged.chunk->used, 1);
	KUNIT_EXPECT_TRUE(test, fm_forged.maps->looks_up);
	/* Of new processes, one in 64 does so in its first walk. */
	fm_forged.maps->nr_views = 62;
	fm_forged_view()->space--;
	fm_forged_walk(true);
	KUNIT_EXPECT_FALSE(test, fm_forged.maps->looks_up);
	fm_forged_view()->space--;
	fm_forged_walk(true);
	KUNIT_EXPECT_TRUE(test, fm_forged.maps->looks_up);
}

/* Rows that need more than a cheap step are not kept with a path. */
static void only_simple_rows_are_kept(struct kunit *test)
{
	static const struct fm_row others[] = {
		{ .start = FM_PUSHES, .kind = FM_CFA_SP, .cfa = 2, .bp = FM_SAVED_AT_BP },
		{ .start = FM_PUSHES, .kind = FM_CFA_SP, .cfa = 2, .bx = FM_SAVED_LOST },
		{ .start = FM_PUSHES, .kind = FM_CFA_PLT, .cfa = 0 },
	};
	u32 i, path;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		fm_user_paths_clear(&fm_forged.paths);
		memset(fm_forged.maps->places, 0, sizeof(fm_forged.maps->places));
		fm_forged.chunk->rows[2] = others[i];
		fm_forged.regs.bp = fm_forged.stack;
		fm_forged_call(test, 0, FM_PUSHES);
		fm_forged_walk(true);
		path = fm_second();
		KUNIT_ASSERT_NE(test, path, 0);
		KUNIT_EXPECT_EQ(test, fm_forged.paths.paths[path].frame,
				fm_user_frame(1, FM_PUSHES + 7));
		KUNIT_EXPECT_EQ(test, fm_forged.paths.paths[path].step.kind, FM_CFA_NONE);
	}
}

static struct kunit_case fm_user_known_cases[] = {
	KUNIT_CASE(a_stack_is_expected_again),
	KUNIT_CASE(the_last_save_counts),
	KUNIT_CASE(another_caller_is_not_the_expected_one),
	KUNIT_CASE(only_mappings_of_now_are_believed),
	KUNIT_CASE(parts_of_files_are_looked_up),
	KUNIT_CASE(no_address_is_taken_for_another),
	KUNIT_CASE(no_stack_is_taken_for_another),
	KUNIT_CASE(code_made_at_run_time_is_looked_up),
	KUNIT_CASE(a_leaf_is_not_taken_for_another),
	KUNIT_CASE(a_known_stack_is_quick),
	KUNIT_CASE(a_crowded_process_keeps_its_paths),
	KUNIT_CASE(rows_in_use_are_marked),
	KUNIT_CASE(only_simple_rows_are_kept),
	{}
};
#else
/* There are no user stacks. */
static struct kunit_case fm_user_known_cases[] = {
	{}
};
#endif

struct kunit_suite fm_user_known_suite = {
	.name = "flamemod_user_known",
	.init = fm_forged_begin,
	.exit = fm_forged_end,
	.test_cases = fm_user_known_cases,
};
