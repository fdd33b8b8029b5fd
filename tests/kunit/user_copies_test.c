// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of user stacks: who owns a result when, what a walk of a copy finds, and that a
 * user's data does not stay.
 */
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <kunit/test.h>

#include "../../module/user/copies.h"
#include "../../module/user/walk.h"
#include "allocations.h"
#include "redirect.h"
#include "suites.h"

#define FM_TEXT		0x400000ul	/* where the program is mapped */
#define FM_STACK	0x7ff000000000ul

static struct fm_objects *fm_objects;
static struct fm_copies *fm_copies;

static int fm_copies_begin(struct kunit *test)
{
	fm_allocations_init(test);
	fm_objects = fm_objects_create(FM_ROWS_KB_MIN * 1024, false);
	fm_copies = fm_copies_create(NUMA_NO_NODE);
	return fm_objects && fm_copies ? 0 : -ENOMEM;
}

static void fm_copies_end(struct kunit *test)
{
	fm_copies_destroy(fm_copies);
	if (fm_objects)
		fm_objects_destroy(fm_objects);
	fm_copies = NULL;
	fm_objects = NULL;
	fm_allocations_exit(test);
}

/* What the timer does, but for looking at a task. */
static struct fm_copy *fm_fill(void)
{
	u32 number = fm_copies->next++;
	struct fm_result *result = fm_copies_place(fm_copies, number);

	result->number = number;
	result->state = FM_RESULT_AWAITED;
	return fm_copies_slot(fm_copies, number);
}

static unsigned int fm_result(u32 number, u64 *frames, u8 *side)
{
	frames[0] = fm_user_frame(1, 0x100);
	frames[1] = fm_user_frame(0, FM_USER_COPIED + number);
	*side = FLAMEMOD_USER_NOT_LEARNED;
	return fm_copies_result(fm_copies, frames, 2, side);
}

static void numbers_are_frames_of_their_own(struct kunit *test)
{
	u64 frame = fm_user_frame(0, FM_USER_COPIED + U32_MAX);

	KUNIT_EXPECT_TRUE(test, fm_user_frame_is_copy(frame));
	KUNIT_EXPECT_TRUE(test, fm_user_frame_is_copy(fm_user_frame(0, FM_USER_COPIED)));
	KUNIT_EXPECT_EQ(test, fm_user_frame_offset(frame) - FM_USER_COPIED, U32_MAX);
	KUNIT_EXPECT_FALSE(test, fm_user_frame_is_copy(fm_user_frame(1, FM_USER_COPIED)));
	KUNIT_EXPECT_FALSE(test, fm_user_frame_is_copy(fm_user_frame(0, FM_USER_PROCESS)));
	KUNIT_EXPECT_FALSE(test, fm_user_frame_is_copy(fm_user_frame_made(1ull << 32)));
	KUNIT_EXPECT_FALSE(test, fm_user_frame_is_copy(fm_user_frame(0, FM_USER_END +
								     __FLAMEMOD_USER_MAX)));
}

/* What is not walked when a drain takes results is not learned, and the worker frees it. */
static void a_result_has_one_owner(struct kunit *test)
{
	u64 frames[FM_USER_FRAMES_MAX];
	struct fm_result *result = fm_copies_place(fm_copies, 0);
	u8 side;

	fm_fill();
	KUNIT_EXPECT_EQ(test, fm_result(0, frames, &side), 2);
	KUNIT_EXPECT_EQ(test, frames[0], fm_user_frame(1, 0x100));
	KUNIT_EXPECT_EQ(test, frames[1],
			fm_user_frame(0, FM_USER_END + FLAMEMOD_USER_NOT_LEARNED));
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_NOT_LEARNED);
	/* A copy that was taken after the swap is for the next drain. */
	fm_copies_release(fm_copies, 0);
	KUNIT_EXPECT_EQ(test, result->state, FM_RESULT_AWAITED);
	fm_copies_release(fm_copies, 1);
	KUNIT_EXPECT_EQ(test, result->state, FM_RESULT_LEFT);
	fm_copies_walk(fm_objects, fm_copies);
	KUNIT_EXPECT_EQ(test, result->state, FM_RESULT_FREE);
	/* One that is walked waits for its drain. */
	fm_fill();
	fm_copies_walk(fm_objects, fm_copies);
	result = fm_copies_place(fm_copies, 1);
	KUNIT_EXPECT_EQ(test, result->state, FM_RESULT_DONE);
	result->nr_frames = 1;
	result->frames[0] = fm_user_frame(2, 0x200);
	result->side = FLAMEMOD_USER_BY_FP;
	fm_copies_release(fm_copies, 1);
	KUNIT_EXPECT_EQ(test, result->state, FM_RESULT_DONE);
	KUNIT_EXPECT_EQ(test, fm_result(1, frames, &side), 1);
	KUNIT_EXPECT_EQ(test, frames[0], fm_user_frame(2, 0x200));
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_BY_FP);
	/* Another number in this place is another stack. */
	KUNIT_EXPECT_EQ(test, fm_result(1 + FM_RESULTS, frames, &side), 2);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_NOT_LEARNED);
	fm_copies_release(fm_copies, 2);
	KUNIT_EXPECT_EQ(test, result->state, FM_RESULT_FREE);
}

static void all_results_of_a_drain_are_freed(struct kunit *test)
{
	u32 i;

	for (i = 0; i < FM_RESULTS; i++) {
		fm_fill();
		if (i % FM_COPIES == FM_COPIES - 1)
			fm_copies_walk(fm_objects, fm_copies);
	}
	fm_copies_release(fm_copies, FM_RESULTS);
	for (i = 0; i < FM_RESULTS; i++)
		KUNIT_EXPECT_EQ(test, fm_copies->results[i].state, FM_RESULT_FREE);
}

static void fm_walk_later(struct work_struct *work)
{
	fm_copies_walk(fm_objects, fm_copies);
}

static DECLARE_DELAYED_WORK(fm_later, fm_walk_later);

/* A drain's wait ends with the last copy that it needs, or with its time. */
static void a_drain_waits_for_the_worker(struct kunit *test)
{
	fm_fill();
	KUNIT_EXPECT_EQ(test, fm_copies_wait(fm_copies, 1, 1), 0);
	KUNIT_EXPECT_EQ(test, fm_copies_wait(fm_copies, 0, HZ), HZ);
	fm_copies_walk(fm_objects, fm_copies);
	KUNIT_EXPECT_EQ(test, fm_copies_wait(fm_copies, 1, HZ), HZ);
	/* The worker ends it. */
	fm_fill();
	schedule_delayed_work(&fm_later, 2);
	KUNIT_EXPECT_GT(test, fm_copies_wait(fm_copies, 2, 60 * HZ), 1);
	flush_delayed_work(&fm_later);
	fm_copies->walked = 0;	/* numbers wrap */
	KUNIT_EXPECT_EQ(test, fm_copies_wait(fm_copies, U32_MAX, HZ), HZ);
	fm_copies->walked = fm_copies->next;
}

/* There is room for as many copies as the worker has slots, if their results have room. */
static void room_is_checked_before_a_copy_is_taken(struct kunit *test)
{
	const struct fm_user_regs regs = {};
	struct fm_maps *maps = kunit_kzalloc(test, sizeof(*maps), GFP_KERNEL);
	u64 frame;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, maps);
	maps->copies = fm_copies;
	for (i = 0; i < FM_COPIES; i++)
		fm_fill();
	fm_copies->slots[0].tgid = 77;
	KUNIT_EXPECT_FALSE(test, fm_copies_take(maps, &regs, &frame));
	KUNIT_EXPECT_EQ(test, fm_copies->next, FM_COPIES);
	KUNIT_EXPECT_EQ(test, fm_copies->slots[0].tgid, 77);
	fm_copies_walk(fm_objects, fm_copies);
	fm_copies_place(fm_copies, FM_COPIES)->state = FM_RESULT_DONE;
	KUNIT_EXPECT_FALSE(test, fm_copies_take(maps, &regs, &frame));
	KUNIT_EXPECT_EQ(test, fm_copies->next, FM_COPIES);
	KUNIT_EXPECT_EQ(test, fm_copies_place(fm_copies, FM_COPIES)->state, FM_RESULT_DONE);
}

static void words_are_read_where_they_were_copied(struct kunit *test)
{
	struct fm_copy *copy = &fm_copies->slots[0];
	unsigned long word = 0;

	copy->regs.sp = FM_STACK;
	copy->bytes = 24;
	copy->stack[0] = 1;
	copy->stack[16] = 2;
	KUNIT_EXPECT_TRUE(test, fm_copy_load(copy, FM_STACK, &word));
	KUNIT_EXPECT_EQ(test, word, 1);
	KUNIT_EXPECT_TRUE(test, fm_copy_load(copy, FM_STACK + 16, &word));
	KUNIT_EXPECT_EQ(test, word, 2);
	KUNIT_EXPECT_FALSE(test, fm_copy_load(copy, FM_STACK + 17, &word));
	KUNIT_EXPECT_FALSE(test, fm_copy_load(copy, FM_STACK + 24, &word));
	KUNIT_EXPECT_FALSE(test, fm_copy_load(copy, FM_STACK + 32, &word));
	KUNIT_EXPECT_FALSE(test, fm_copy_load(copy, FM_STACK - 8, &word));
	KUNIT_EXPECT_FALSE(test, fm_copy_load(copy, 0, &word));
	KUNIT_EXPECT_FALSE(test, fm_copy_load(copy, ULONG_MAX - 3, &word));
}

#ifdef CONFIG_X86_64
/*
 * A program of two functions: at 0x1000 one that has pushed nothing, and at 0x2000 the
 * outermost one.
 */
static void fm_map_program(struct fm_copy *copy)
{
	struct fm_object *object = &fm_objects->list[0];
	struct fm_chunk *chunk;

	atomic_set(&fm_objects->nr, 1);
	chunk = kvzalloc(struct_size(chunk, rows, 5), GFP_KERNEL);
	object->chunks = kvcalloc(1, sizeof(*object->chunks), GFP_KERNEL);
	object->number = 1;
	object->nr_chunks = 1;
	object->chunks[0] = chunk;
	object->state = FM_OBJECT_READY;
	chunk->nr = 3;
	chunk->bytes = FM_CHUNK_BYTES;
	chunk->place = &object->chunks[0];
	chunk->rows[1] = (struct fm_row){ .start = 0x1000, .kind = FM_CFA_SP, .cfa = 1 };
	chunk->rows[2] = (struct fm_row){ .start = 0x2000, .kind = FM_CFA_END };
	list_add(&chunk->lru, &fm_objects->lru);
	copy->mappings.nr = 1;
	copy->mappings.maps[0] = (struct fm_map){
		.start = FM_TEXT,
		.end = FM_TEXT + 0x10000,
		.delta = -FM_TEXT,
		.object = object,
		.kind = FM_MAP_OBJECT,
	};
	copy->regs.ip = FM_TEXT + 0x1010;
	copy->regs.sp = FM_STACK;
	copy->bytes = FM_COPY_BYTES;
}

static void fm_push(struct fm_copy *copy, u32 n, unsigned long word)
{
	memcpy(copy->stack + 8 * n, &word, sizeof(word));
}

static void a_copy_is_walked_to_its_end(struct kunit *test)
{
	u64 frames[FM_USER_FRAMES_MAX];
	struct fm_copy *copy = fm_fill();
	u8 side;

	fm_map_program(copy);
	fm_push(copy, 0, FM_TEXT + 0x1020);
	fm_push(copy, 1, FM_TEXT + 0x2005);
	fm_copies_walk(fm_objects, fm_copies);
	KUNIT_EXPECT_EQ(test, fm_copies_place(fm_copies, 0)->state, FM_RESULT_DONE);
	KUNIT_ASSERT_EQ(test, fm_result(0, frames, &side), 3);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, frames[0], fm_user_frame(1, 0x1010));
	/* A return address is after its call. */
	KUNIT_EXPECT_EQ(test, frames[1], fm_user_frame(1, 0x101f));
	KUNIT_EXPECT_EQ(test, frames[2], fm_user_frame(1, 0x2004));
	/* Nothing of the user's stays. */
	KUNIT_EXPECT_NULL(test, memchr_inv(copy->stack, 0, sizeof(copy->stack)));
	KUNIT_EXPECT_NULL(test, memchr_inv(&copy->mappings, 0, sizeof(copy->mappings)));
	KUNIT_EXPECT_NULL(test, memchr_inv(&copy->regs, 0, sizeof(copy->regs)));
}

/* Map code that was made at run time from FM_MADE on, as well. */
#define FM_MADE		0x7f0000000000ul

static void fm_map_made(struct fm_copy *copy)
{
	copy->mappings.maps[copy->mappings.nr++] = (struct fm_map){
		.start = FM_MADE,
		.end = FM_MADE + 0x10000,
		.kind = FM_MAP_ANONYMOUS,
	};
	copy->tgid = 77;
}

/* Its frames have their addresses, and the first one is preceded by its process. */
static void code_made_at_run_time_has_addresses(struct kunit *test)
{
	u64 frames[FM_USER_FRAMES_MAX];
	struct fm_copy *copy = fm_fill();
	u8 side;

	fm_map_program(copy);
	fm_map_made(copy);
	copy->regs.bp = FM_STACK + 8;
	fm_push(copy, 0, FM_MADE + 0x20);	/* called by made code, */
	fm_push(copy, 1, FM_STACK + 24);	/* whose caller's frame is there, */
	fm_push(copy, 2, FM_MADE + 0x30);	/* made code as well, */
	fm_push(copy, 3, 0);
	fm_push(copy, 4, FM_TEXT + 0x2005);	/* called by the program */
	fm_copies_walk(fm_objects, fm_copies);
	KUNIT_ASSERT_EQ(test, fm_result(0, frames, &side), 5);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_BY_FP);
	KUNIT_EXPECT_EQ(test, frames[0], fm_user_frame(1, 0x1010));
	KUNIT_EXPECT_EQ(test, frames[1], fm_user_frame(0, FM_USER_PROCESS + 77));
	KUNIT_EXPECT_EQ(test, frames[2], FM_USER_MADE_AT | (FM_MADE + 0x1f));
	KUNIT_EXPECT_EQ(test, frames[3], FM_USER_MADE_AT | (FM_MADE + 0x2f));
	KUNIT_EXPECT_EQ(test, frames[4], fm_user_frame(1, 0x2004));
}

/* The deepest stack, its process and its end have room. */
static void deep_code_made_at_run_time_has_room(struct kunit *test)
{
	u64 frames[FM_USER_FRAMES_MAX];
	struct fm_copy *copy = fm_fill();
	u32 i;
	u8 side;

	fm_map_program(copy);
	fm_map_made(copy);
	copy->regs.ip = FM_MADE;
	copy->regs.bp = FM_STACK;
	for (i = 0; i < FM_COPY_BYTES / 8; i += 2) {
		fm_push(copy, i, FM_STACK + 8 * (i + 2));
		fm_push(copy, i + 1, FM_MADE + 0x40);
	}
	fm_copies_walk(fm_objects, fm_copies);
	KUNIT_ASSERT_EQ(test, fm_result(0, frames, &side), FM_USER_FRAMES_MAX);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_DEEP);
	KUNIT_EXPECT_EQ(test, frames[0], fm_user_frame(0, FM_USER_PROCESS + 77));
	KUNIT_EXPECT_EQ(test, frames[1], FM_USER_MADE_AT | FM_MADE);
	KUNIT_EXPECT_EQ(test, frames[FM_USER_DEPTH_MAX], FM_USER_MADE_AT | (FM_MADE + 0x3f));
	KUNIT_EXPECT_EQ(test, frames[FM_USER_DEPTH_MAX + 1],
			fm_user_frame(0, FM_USER_END + FLAMEMOD_USER_DEEP));
}

/* Check that copy @number, of code made at run time with this bp, ends without a rule. */
static void fm_has_no_rule(struct kunit *test, u32 number, unsigned long bp)
{
	u64 frames[FM_USER_FRAMES_MAX];
	struct fm_copy *copy = fm_fill();
	u8 side;

	fm_map_made(copy);
	copy->regs.ip = FM_MADE;
	copy->regs.sp = FM_STACK;
	copy->regs.bp = bp;
	fm_copies_walk(fm_objects, fm_copies);
	KUNIT_ASSERT_EQ(test, fm_result(number, frames, &side), 3);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_NO_RULE);
}

/* A stack of three frames by frame pointers, and what a walk makes of it. */
static void fm_expect_by_fp(struct kunit *test, struct fm_copy *copy)
{
	u64 frames[FM_USER_FRAMES_MAX];
	u8 side;

	copy->regs.sp = FM_STACK;
	copy->regs.bp = FM_STACK + 64;
	fm_push(copy, 8, FM_STACK + 16);	/* the caller's frame is at a lower address, */
	fm_push(copy, 9, FM_TEXT + 0x3001);
	fm_push(copy, 2, 0);			/* and its caller is the outermost */
	fm_push(copy, 3, FM_TEXT + 0x4001);
	fm_copies_walk(fm_objects, fm_copies);
	KUNIT_ASSERT_EQ(test, fm_result(0, frames, &side), 3);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_BY_FP);
	KUNIT_EXPECT_EQ(test, frames[0], fm_user_frame(1, 0x1010));
	KUNIT_EXPECT_EQ(test, frames[1], fm_user_frame(1, 0x3000));
	KUNIT_EXPECT_EQ(test, frames[2], fm_user_frame(1, 0x4000));
}

/* Go's programs switch stacks, and their outermost frames have a frame pointer of 0. */
static void a_program_without_rows_ends_by_frame_pointers(struct kunit *test)
{
	struct fm_object *object = &fm_objects->list[0];
	u64 frames[FM_USER_FRAMES_MAX];
	struct fm_copy *copy = fm_fill();
	u8 side;

	fm_map_program(copy);
	object->state = FM_OBJECT_NO_ROWS;
	fm_expect_by_fp(test, copy);
	/* The only frame is found by its frame pointer, too. */
	copy = fm_fill();
	fm_map_made(copy);
	copy->mappings.maps[0].object = object;
	copy->mappings.maps[0].kind = FM_MAP_OBJECT;
	copy->regs.ip = FM_MADE;
	fm_copies_walk(fm_objects, fm_copies);
	KUNIT_ASSERT_EQ(test, fm_result(1, frames, &side), 1);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_BY_FP);
	/* What is made at run time does not end so, nor at a lower address. */
	fm_has_no_rule(test, 2, 0);
	fm_has_no_rule(test, 3, FM_STACK - 8);
}

/* There is no memory for what is kept about a file, for that user: it is as if it had no rows. */
static void who_cannot_pay_has_frame_pointers(struct kunit *test)
{
	struct fm_copy *copy = fm_fill();

	fm_map_program(copy);
	fm_objects->list[0].state = FM_OBJECT_NEW;
	fm_objects->list[0].denied = BIT_ULL(3);
	copy->runner.budget = 3;
	fm_expect_by_fp(test, copy);
}

/*
 * A walk goes on through a signal's frame, into the function that was interrupted: at its
 * first instruction, which is no return address, with registers that the frame has.
 */
static void a_walk_goes_through_a_signal(struct kunit *test)
{
	u64 frames[FM_USER_FRAMES_MAX];
	struct fm_copy *copy = fm_fill();
	struct fm_chunk *chunk;
	u8 side;

	fm_map_program(copy);
	chunk = fm_objects->list[0].chunks[0];
	chunk->rows[0] = (struct fm_row){ .kind = FM_CFA_SIGNAL, .cfa = 1 };
	chunk->rows[1] = (struct fm_row){ .start = 0x1000, .kind = FM_CFA_SP, .cfa = 1 };
	chunk->rows[2] = (struct fm_row){ .start = 0x1100, .kind = FM_CFA_BP, .cfa = 2,
					  .bp = -2 };
	chunk->rows[3] = (struct fm_row){ .start = 0x1200, .kind = FM_CFA_BX, .cfa = 1 };
	chunk->rows[4] = (struct fm_row){ .start = 0x2000, .kind = FM_CFA_END };
	chunk->nr = 5;
	/* The handler returns to 0x800, where the frame is one word above sp. */
	fm_push(copy, 0, FM_TEXT + 0x801);
	fm_push(copy, 2 + FM_SIGNAL_IP / 8, FM_TEXT + 0x1100);
	fm_push(copy, 2 + FM_SIGNAL_SP / 8, FM_STACK + 8 * 400);
	fm_push(copy, 2 + FM_SIGNAL_BP / 8, FM_STACK + 8 * 500);
	fm_push(copy, 2 + FM_SIGNAL_BX / 8, FM_STACK + 8 * 600);
	/* By bp, then by rbx; one byte less would be another function. */
	fm_push(copy, 501, FM_TEXT + 0x1201);
	fm_push(copy, 600, FM_TEXT + 0x2005);
	fm_copies_walk(fm_objects, fm_copies);
	KUNIT_ASSERT_EQ(test, fm_result(0, frames, &side), 5);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, frames[1], fm_user_frame(1, 0x800));
	KUNIT_EXPECT_EQ(test, frames[2], fm_user_frame(1, 0x1100));
	KUNIT_EXPECT_EQ(test, frames[3], fm_user_frame(1, 0x1200));
	KUNIT_EXPECT_EQ(test, frames[4], fm_user_frame(1, 0x2004));
}

/* A chunk has rows for one segment only. The text after that segment has no rule. */
static void text_after_a_segment_has_no_rule(struct kunit *test)
{
	u64 frames[FM_USER_FRAMES_MAX];
	struct fm_copy *copy = fm_fill();
	u8 side;

	fm_map_program(copy);
	fm_objects->list[0].chunks[0]->bytes = 0x1000;
	fm_copies_walk(fm_objects, fm_copies);
	KUNIT_ASSERT_EQ(test, fm_result(0, frames, &side), 2);
	KUNIT_EXPECT_EQ(test, frames[0], fm_user_frame(1, 0x1010));
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_NO_RULE);
}

static void what_ends_a_walk_is_told(struct kunit *test)
{
	u64 frames[FM_USER_FRAMES_MAX];
	struct fm_copy *copy = fm_fill();
	u32 i, nr;
	u8 side;

	/* Deeper than stacks are kept. */
	fm_map_program(copy);
	for (i = 0; i < FM_COPY_BYTES / 8; i++)
		fm_push(copy, i, FM_TEXT + 0x1020);
	fm_copies_walk(fm_objects, fm_copies);
	KUNIT_ASSERT_EQ(test, fm_result(0, frames, &side), FM_USER_DEPTH_MAX + 1);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_DEEP);
	KUNIT_EXPECT_EQ(test, frames[FM_USER_DEPTH_MAX],
			fm_user_frame(0, FM_USER_END + FLAMEMOD_USER_DEEP));
	/* Past the copy. */
	fm_objects->list[0].chunks[0]->rows[1].cfa = FM_COPY_BYTES / 8 + 1;
	for (nr = 1; nr < 4; nr++) {
		copy = fm_fill();
		copy->mappings.nr = 1;
		copy->mappings.maps[0] = (struct fm_map){
			.start = FM_TEXT, .end = FM_TEXT + 0x10000, .delta = -FM_TEXT,
			.object = &fm_objects->list[0], .kind = FM_MAP_OBJECT,
		};
		copy->regs.ip = nr == 3 ? FM_TEXT - 1 : FM_TEXT + 0x1010;
		copy->regs.sp = FM_STACK;
		copy->bytes = nr == 1 ? FM_COPY_BYTES : 16;
		fm_copies_walk(fm_objects, fm_copies);
		KUNIT_ASSERT_GE(test, fm_result(nr, frames, &side), 1);
		/* The stack ended, or no text is there. */
		KUNIT_EXPECT_EQ(test, side, nr == 1 ? FLAMEMOD_USER_COPY_SHORT :
				nr == 2 ? FLAMEMOD_USER_FAULT : FLAMEMOD_USER_NO_MAPPING);
	}
}
#endif

static struct kunit_case fm_user_copies_cases[] = {
	KUNIT_CASE(numbers_are_frames_of_their_own),
	KUNIT_CASE(a_result_has_one_owner),
	KUNIT_CASE(all_results_of_a_drain_are_freed),
	KUNIT_CASE(a_drain_waits_for_the_worker),
	KUNIT_CASE(room_is_checked_before_a_copy_is_taken),
	KUNIT_CASE(words_are_read_where_they_were_copied),
#ifdef CONFIG_X86_64
	KUNIT_CASE(a_copy_is_walked_to_its_end),
	KUNIT_CASE(code_made_at_run_time_has_addresses),
	KUNIT_CASE(deep_code_made_at_run_time_has_room),
	KUNIT_CASE(a_program_without_rows_ends_by_frame_pointers),
	KUNIT_CASE(who_cannot_pay_has_frame_pointers),
	KUNIT_CASE(a_walk_goes_through_a_signal),
	KUNIT_CASE(text_after_a_segment_has_no_rule),
	KUNIT_CASE(what_ends_a_walk_is_told),
#endif
	{}
};

struct kunit_suite fm_user_copies_suite = {
	.name = "flamemod_user_copies",
	.init = fm_copies_begin,
	.exit = fm_copies_end,
	.test_cases = fm_user_copies_cases,
};
