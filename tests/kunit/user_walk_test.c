// SPDX-License-Identifier: GPL-2.0
/*
 * The walk of a user stack that the timer does, on a forged stack in the memory of
 * the first process, with forged rows: what it finds by looking up each frame, it
 * finds again by expecting the frames of the last walk; and it believes nothing that
 * the registers, the stack and the mappings of now do not bear out.
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/uaccess.h>
#include <kunit/test.h>

#include "../../module/user/maps.h"
#include "../../module/user/walk.h"
#include "allocations.h"
#include "redirect.h"
#include "suites.h"

#ifdef CONFIG_X86_64
#define FM_TEXT		0x70000000ul	/* where the program is mapped */
#define FM_BYTES	0x10000ul	/* of text: one chunk */
#define FM_MADE		0x71000000ul	/* where nothing is mapped */
#define FM_STACK_BYTES	(2 * PAGE_SIZE)

/* The offsets of the program's functions. */
enum {
	FM_START = 0x1000,	/* the outermost one */
	FM_PUSHES = 0x2000,	/* has pushed one word */
	FM_SAVES = 0x3000,	/* has saved bp, and its frame is found by it */
	FM_LEAF = 0x4000,	/* has pushed nothing */
	FM_SAVES_BX = 0x5000,	/* has saved rbx */
	FM_BY_BX = 0x6000,	/* its frame is found by rbx */
	FM_SINKS = 0x7000,	/* says that its caller's frame is below its own */
	FM_UNKNOWN = 0x8000,	/* has no rule */
};

static const struct fm_row fm_program[] = {
	{ .start = 0, .kind = FM_CFA_NONE },
	{ .start = FM_START, .kind = FM_CFA_END, .is_first = 1 },
	{ .start = FM_PUSHES, .kind = FM_CFA_SP, .cfa = 2, .is_first = 1 },
	{ .start = FM_SAVES, .kind = FM_CFA_BP, .cfa = 2, .bp = -2, .is_first = 1 },
	{ .start = FM_LEAF, .kind = FM_CFA_SP, .cfa = 1, .is_first = 1 },
	{ .start = FM_SAVES_BX, .kind = FM_CFA_SP, .cfa = 2, .bx = -2, .is_first = 1 },
	{ .start = FM_BY_BX, .kind = FM_CFA_BX, .cfa = 1, .is_first = 1 },
	{ .start = FM_SINKS, .kind = FM_CFA_SP, .cfa = -1, .is_first = 1 },
	{ .start = FM_UNKNOWN, .kind = FM_CFA_NONE },
};

static struct fm_objects *fm_objects;
static struct fm_user_paths fm_paths;
static struct fm_maps *fm_maps;
static struct mm_struct *fm_mm;
static struct fm_chunk *fm_chunk;
static unsigned long fm_stack;
static struct pt_regs fm_regs;
static u64 fm_frames[FM_USER_DEPTH_MAX + 1];
static unsigned int fm_nr;
static enum flamemod_user_side fm_side;

static struct mm_struct *fm_first_mm(void)
{
	struct pid *pid = find_get_pid(1);
	struct task_struct *task = get_pid_task(pid, PIDTYPE_PID);
	struct mm_struct *mm = task ? get_task_mm(task) : NULL;

	if (task)
		put_task_struct(task);
	put_pid(pid);
	return mm;
}

/* The entry of the program's mapping: its addresses share one. */
static struct fm_map *fm_program_map(void)
{
	return &fm_maps->maps[hash_64((unsigned long)current->mm ^ FM_TEXT >> 16,
				      ilog2(FM_MAPS))];
}

/* Let the program be mapped, as the cache of the mappings tells. */
static void fm_map(void)
{
	fm_maps_begin(fm_maps);
	fm_maps_end(fm_maps);
	*fm_program_map() = (struct fm_map){
		.start = FM_TEXT,
		.end = FM_TEXT + FM_BYTES,
		.delta = -FM_TEXT,
		.object = &fm_objects->list[0],
		.space = current->mm->context.ctx_id,
		.view = fm_maps->view,
		.kind = FM_MAP_OBJECT,
	};
}

/* The view of the mappings as they are. */
static struct fm_view *fm_view(void)
{
	return &fm_maps->views[hash_ptr(current->mm, ilog2(FM_VIEWS))];
}

/* Let the view last: a tenth of a second may be over soon in a slow guest. */
static void fm_last(void)
{
	fm_view()->until = jiffies + 1000 * HZ;
}

static int fm_walk_begin(struct kunit *test)
{
	struct fm_object *object;

	fm_allocations_init(test);
	fm_mm = fm_first_mm();
	if (!fm_mm)
		return -ESRCH;
	/* The thread's own reference: see fm_walk_leave(). */
	mmget(fm_mm);
	kthread_use_mm(fm_mm);
	fm_stack = vm_mmap(NULL, 0, FM_STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, 0);
	fm_objects = fm_objects_create(FM_ROWS_KB_MIN * 1024, false);
	fm_maps = fm_maps_create(fm_objects, NUMA_NO_NODE);
	fm_chunk = kvzalloc(struct_size(fm_chunk, rows, ARRAY_SIZE(fm_program)), GFP_KERNEL);
	if (IS_ERR_VALUE(fm_stack) || !fm_objects || !fm_maps || !fm_chunk ||
	    fm_user_paths_init(&fm_paths, FM_USER_KB_MIN * 1024, NUMA_NO_NODE))
		return -ENOMEM;
	/* As elsewhere than on PREEMPT_RT: user_mappings_test.c has what differs there. */
	fm_maps->may_lock = true;
	fm_maps->shift = 16;
	atomic_set(&fm_objects->nr, 1);
	object = &fm_objects->list[0];
	object->chunks = kvcalloc(1, sizeof(*object->chunks), GFP_KERNEL);
	object->number = 1;
	object->nr_chunks = 1;
	object->chunks[0] = fm_chunk;
	object->state = FM_OBJECT_READY;
	fm_chunk->nr = ARRAY_SIZE(fm_program);
	fm_chunk->place = &object->chunks[0];
	memcpy(fm_chunk->rows, fm_program, sizeof(fm_program));
	list_add(&fm_chunk->lru, &fm_objects->lru);
	fm_map();
	fm_last();
	fm_regs = (struct pt_regs){
		.cs = __USER_CS,
		.ss = __USER_DS,
		.ip = FM_TEXT + FM_LEAF + 4,
		.sp = fm_stack,
	};
	return clear_user((void __user *)fm_stack, FM_STACK_BYTES) ? -EFAULT : 0;
}

/*
 * Newer versions of KUnit call this in another thread. The test's own thread has ended
 * then, and has dropped its reference to the memory.
 */
static void fm_walk_leave(void)
{
	bool is_same = current->mm == fm_mm;

	if (!is_same)
		kthread_use_mm(fm_mm);
	vm_munmap(fm_stack, FM_STACK_BYTES);
	kthread_unuse_mm(fm_mm);
	if (is_same)
		mmput(fm_mm);
	mmput(fm_mm);
}

static void fm_walk_end(struct kunit *test)
{
	fm_user_paths_deinit(&fm_paths);
	fm_maps_destroy(fm_maps);
	if (fm_objects)
		fm_objects_destroy(fm_objects);
	fm_maps = NULL;
	fm_objects = NULL;
	if (fm_mm)
		fm_walk_leave();
	fm_mm = NULL;
	fm_allocations_exit(test);
}

static void fm_put(struct kunit *test, u32 at, unsigned long word)
{
	KUNIT_ASSERT_EQ(test, put_user(word, (unsigned long __user *)fm_stack + at), 0);
}

/* Put a return address into a function. */
static void fm_call(struct kunit *test, u32 at, unsigned long function)
{
	fm_put(test, at, FM_TEXT + function + 8);
}

static u32 fm_walk(bool from_user)
{
	u32 path;

	local_irq_disable();
	path = fm_user_walk(fm_maps, &fm_paths, &fm_regs, from_user, &fm_side);
	local_irq_enable();
	fm_nr = fm_user_paths_frames(&fm_paths, path, fm_frames);
	return path;
}

/* Check the frames of the last walk: offsets, the leaf first. */
static void fm_expect_frames(struct kunit *test, enum flamemod_user_side side,
			     const u64 *offsets, unsigned int nr)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)side);
	KUNIT_ASSERT_EQ(test, fm_nr, nr);
	for (i = 0; i < nr; i++)
		KUNIT_EXPECT_EQ(test, fm_frames[i], fm_user_frame(1, offsets[i]));
}

#define fm_expect(test, side, ...)						\
	fm_expect_frames(test, side, (const u64[]){ __VA_ARGS__ },		\
			 sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64))

/* Nothing can be looked up from now on, so a walk only finds what it expects. */
static void fm_forget_rows(void)
{
	fm_objects->list[0].chunks[0] = NULL;
	memset(fm_maps->places, 0, sizeof(fm_maps->places));
}

static void fm_know_rows(void)
{
	fm_objects->list[0].chunks[0] = fm_chunk;
}

/* leaf <- pushes <- saves <- saves_bx <- by_bx <- pushes <- start */
static void fm_stand(struct kunit *test)
{
	fm_call(test, 0, FM_PUSHES);
	fm_call(test, 2, FM_SAVES);
	fm_regs.bp = fm_stack + 8 * 8;
	fm_put(test, 8, fm_stack + 8 * 64);	/* the caller's bp */
	fm_call(test, 9, FM_SAVES_BX);
	fm_put(test, 10, fm_stack + 8 * 16);	/* the caller's rbx */
	fm_call(test, 11, FM_BY_BX);
	fm_call(test, 16, FM_PUSHES);
	fm_call(test, 18, FM_START);
}

static const u64 fm_standing[] = {
	FM_LEAF + 4, FM_PUSHES + 7, FM_SAVES + 7, FM_SAVES_BX + 7, FM_BY_BX + 7,
	FM_PUSHES + 7, FM_START + 7,
};

static void fm_expect_standing(struct kunit *test)
{
	fm_expect_frames(test, FLAMEMOD_USER_WHOLE, fm_standing, ARRAY_SIZE(fm_standing));
}

static void a_stack_is_looked_up(struct kunit *test)
{
	fm_stand(test);
	fm_walk(true);
	fm_expect_standing(test);
	/* the same below a kernel stack */
	fm_walk(false);
	fm_expect_standing(test);
}

static void a_stack_is_expected_again(struct kunit *test)
{
	u32 path;

	fm_stand(test);
	path = fm_walk(true);
	KUNIT_EXPECT_EQ(test, fm_walk(true), path);
	fm_expect_standing(test);
	/* A frame that is found by rbx is looked up each time; others need not be. */
	fm_call(test, 9, FM_PUSHES);
	fm_call(test, 11, FM_START);
	path = fm_walk(true);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_SAVES + 7,
		  FM_PUSHES + 7, FM_START + 7);
	fm_forget_rows();
	KUNIT_EXPECT_EQ(test, fm_walk(true), path);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_SAVES + 7,
		  FM_PUSHES + 7, FM_START + 7);
	fm_know_rows();
}

/* leaf <- pushes <- pushes <- start */
static void fm_stand_simply(struct kunit *test)
{
	fm_call(test, 0, FM_PUSHES);
	fm_call(test, 2, FM_PUSHES);
	fm_call(test, 4, FM_START);
	fm_walk(true);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_PUSHES + 7,
		  FM_START + 7);
}

static void another_caller_is_not_the_expected_one(struct kunit *test)
{
	fm_stand_simply(test);
	fm_put(test, 2, FM_TEXT + FM_PUSHES + 16);
	fm_walk(true);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_PUSHES + 15,
		  FM_START + 7);
	fm_call(test, 2, FM_UNKNOWN);
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_NO_RULE);
	KUNIT_EXPECT_EQ(test, fm_nr, 4);
	/* another leaf */
	fm_call(test, 2, FM_PUSHES);
	fm_regs.ip = FM_TEXT + FM_LEAF + 5;
	fm_walk(true);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 5, FM_PUSHES + 7, FM_PUSHES + 7,
		  FM_START + 7);
}

/* How many frames are found with a base, if none can be looked up. */
static unsigned int fm_expected(u64 base)
{
	u64 *to_frame = fm_maps->base->to_frame;

	/* The frames of the last walk are those that are expected. */
	fm_walk(true);
	to_frame[fm_bases_slot(1)] = base;
	fm_forget_rows();
	fm_walk(true);
	fm_know_rows();
	return fm_side == FLAMEMOD_USER_WHOLE ? fm_nr : 0;
}

static void only_mappings_of_now_are_believed(struct kunit *test)
{
	const u64 base = fm_user_frame(1, 0) - FM_TEXT;

	fm_stand_simply(test);
	KUNIT_EXPECT_EQ(test, fm_maps->base->to_frame[fm_bases_slot(1)], base);
	KUNIT_EXPECT_EQ(test, fm_expected(base), 4);
	/* not known, another object's that has the same slot, at another place */
	KUNIT_EXPECT_EQ(test, fm_expected(FM_BASE_NONE), 0);
	KUNIT_EXPECT_EQ(test, fm_expected(base + fm_user_frame(FM_BASES, 0)), 0);
	KUNIT_EXPECT_EQ(test, fm_expected(base + PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, fm_expected(base), 4);
	/* The mappings have changed, or may have changed. */
	fm_forget_rows();
	fm_view()->stamp++;
	fm_walk(true);
	KUNIT_EXPECT_NE(test, (int)fm_side, (int)FLAMEMOD_USER_WHOLE);
	KUNIT_EXPECT_EQ(test, fm_maps->base->to_frame[fm_bases_slot(1)], FM_BASE_NONE);
	fm_know_rows();
}

/* Of a file that is not mapped as a whole, another one's text may be at the next address. */
static void parts_of_files_are_looked_up(struct kunit *test)
{
	struct fm_object *object = &fm_objects->list[0];
	u64 *base;

	object->text_start = PAGE_SIZE;
	object->text_end = FM_BYTES;
	fm_stand_simply(test);
	base = &fm_maps->base->to_frame[fm_bases_slot(1)];
	KUNIT_EXPECT_NE(test, *base, FM_BASE_NONE);
	*base = FM_BASE_NONE;
	object->text_end = FM_BYTES + 1;
	memset(fm_maps->places, 0, sizeof(fm_maps->places));
	fm_stand_simply(test);
	KUNIT_EXPECT_EQ(test, *base, FM_BASE_NONE);
	object->text_end = FM_BYTES;
	fm_program_map()->start += 2 * PAGE_SIZE;
	fm_regs.ip = FM_TEXT + FM_LEAF + 6;
	memset(fm_maps->places, 0, sizeof(fm_maps->places));
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, *base, FM_BASE_NONE);
}

/* With a base, an address that no process has can look like another object's frame. */
static void no_address_is_taken_for_another(struct kunit *test)
{
	u64 *base;

	fm_stand_simply(test);
	base = &fm_maps->base->to_frame[fm_bases_slot(1)];
	fm_put(test, 0, (1ul << 50) + 8);
	*base = fm_user_frame(1, FM_PUSHES) - (1ul << 50);
	fm_regs.ip = (1ul << 50) + FM_LEAF - FM_PUSHES + 4;
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_NO_MAPPING);
}

/* Nor is code that was made at run time, where no base is known. */
static void code_made_at_run_time_is_looked_up(struct kunit *test)
{
	u32 leaf, made;

	fm_stand_simply(test);
	leaf = fm_paths.paths[0].next;
	made = fm_user_paths_add(&fm_paths, leaf, fm_user_frame_made(FM_MADE));
	KUNIT_ASSERT_NE(test, made, 0);
	fm_paths.paths[made].step.kind = FM_CFA_END;
	fm_put(test, 0, FM_MADE + 1);
	fm_walk(true);
	KUNIT_EXPECT_NE(test, (int)fm_side, (int)FLAMEMOD_USER_WHOLE);
}

/* What is kept of a leaf's last path is a hint: paths may be others, or another leaf's. */
static void a_leaf_is_not_taken_for_another(struct kunit *test)
{
	u32 path, caller;

	fm_stand_simply(test);
	/* A function that was a caller is interrupted itself. */
	caller = fm_paths.paths[fm_paths.paths[0].next].next;
	fm_regs.ip = FM_TEXT + FM_PUSHES + 7;
	fm_maps_leaf(fm_maps, fm_regs.ip)->path = caller;
	KUNIT_EXPECT_EQ(test, fm_paths.paths[caller].frame, fm_user_frame(1, FM_PUSHES + 7));
	fm_call(test, 1, FM_PUSHES);
	fm_call(test, 3, FM_START);
	fm_walk(true);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_PUSHES + 7, FM_PUSHES + 7, FM_START + 7);
	/* What a forgotten path had is still in its place. */
	fm_user_paths_clear(&fm_paths);
	path = fm_walk(true);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_PUSHES + 7, FM_PUSHES + 7, FM_START + 7);
	KUNIT_EXPECT_LT(test, path, fm_paths.nr);
	KUNIT_EXPECT_EQ(test, path, fm_walk(true));
}

/* Only a walk that looks a frame up is slow: see struct fm_sample. */
static void a_known_stack_is_quick(struct kunit *test)
{
	fm_stand_simply(test);
	KUNIT_EXPECT_TRUE(test, fm_maps->slow);
	fm_walk(true);
	KUNIT_EXPECT_FALSE(test, fm_maps->slow);
	fm_put(test, 4, FM_TEXT + FM_START + 9);
	fm_walk(true);
	KUNIT_EXPECT_TRUE(test, fm_maps->slow);
	/* each of two callers in turn, once both are known */
	fm_put(test, 4, FM_TEXT + FM_START + 8);
	fm_walk(true);
	KUNIT_EXPECT_FALSE(test, fm_maps->slow);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_PUSHES + 7,
		  FM_START + 7);
	fm_put(test, 4, FM_TEXT + FM_START + 9);
	fm_walk(true);
	KUNIT_EXPECT_FALSE(test, fm_maps->slow);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_PUSHES + 7,
		  FM_START + 8);
}

/* A process that has used up its share of the paths gets no more, but keeps those it has. */
static void a_crowded_process_keeps_its_paths(struct kunit *test)
{
	fm_stand_simply(test);
	fm_paths.owner->nr = fm_paths.max;
	fm_stand_simply(test);
	KUNIT_EXPECT_FALSE(test, fm_paths.hogged);
	fm_regs.ip++;
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_CROWDED);
	KUNIT_EXPECT_EQ(test, fm_nr, 1);
	KUNIT_EXPECT_TRUE(test, fm_paths.hogged);
}

/* While the CPU sees the memory of another process, none is walked. */
static void other_memory_is_not_walked(struct kunit *test)
{
	struct mm_struct *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, other);
	init_rwsem(&other->mmap_lock);
	fm_stand_simply(test);
	local_irq_disable();
	current->mm = other;
	fm_user_walk(fm_maps, &fm_paths, &fm_regs, false, &fm_side);
	current->mm = fm_mm;
	local_irq_enable();
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
	fm_walk(false);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_WHOLE);
}

/* Words are read where they are, not at the address without the bits that none has. */
static void only_the_words_themselves_are_read(struct kunit *test)
{
	fm_stand_simply(test);
	fm_regs.sp = fm_stack + 4;
	fm_walk(true);
	KUNIT_EXPECT_NE(test, (int)fm_side, (int)FLAMEMOD_USER_WHOLE);
	fm_regs.sp = fm_stack | 1ul << 62;
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
	fm_regs.sp = fm_stack;
	fm_call(test, 0, FM_SAVES);
	fm_regs.bp = fm_stack + 8 * 8;
	fm_call(test, 9, FM_START);
	fm_walk(true);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_SAVES + 7, FM_START + 7);
	fm_regs.bp += 4;
	fm_walk(true);
	KUNIT_EXPECT_NE(test, (int)fm_side, (int)FLAMEMOD_USER_WHOLE);
	fm_regs.bp = (fm_stack + 8 * 8) | 1ul << 62;
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
}

static void rows_in_use_are_marked(struct kunit *test)
{
	fm_stand_simply(test);
	fm_chunk->used = 0;
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, fm_chunk->used, 0);
	/* after a tenth of a second */
	fm_view()->until = jiffies;
	fm_program_map()->view = fm_maps->nr_views + 1;
	fm_walk(true);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_PUSHES + 7,
		  FM_START + 7);
	KUNIT_EXPECT_EQ(test, fm_chunk->used, 1);
	KUNIT_EXPECT_TRUE(test, fm_maps->looks_up);
	/* Of new processes, one in 64 does so in its first walk. */
	fm_maps->nr_views = 62;
	fm_view()->space--;
	fm_walk(true);
	KUNIT_EXPECT_FALSE(test, fm_maps->looks_up);
	fm_view()->space--;
	fm_walk(true);
	KUNIT_EXPECT_TRUE(test, fm_maps->looks_up);
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
		fm_user_paths_clear(&fm_paths);
		memset(fm_maps->places, 0, sizeof(fm_maps->places));
		fm_chunk->rows[2] = others[i];
		fm_regs.bp = fm_stack;
		fm_call(test, 0, FM_PUSHES);
		fm_walk(true);
		path = fm_paths.paths[fm_paths.paths[0].next].next;
		KUNIT_ASSERT_NE(test, path, 0);
		KUNIT_EXPECT_EQ(test, fm_paths.paths[path].frame,
				fm_user_frame(1, FM_PUSHES + 7));
		KUNIT_EXPECT_EQ(test, fm_paths.paths[path].step.kind, FM_CFA_NONE);
	}
}

/* A frame that is found by bp and is not above its callee's ends the walk. */
static void a_walk_leads_up(struct kunit *test)
{
	u32 i;

	fm_call(test, 0, FM_SAVES);
	fm_regs.bp = fm_stack + 8 * 8;
	fm_call(test, 9, FM_START);
	fm_walk(true);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_SAVES + 7, FM_START + 7);
	fm_regs.bp = fm_stack - 8;
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_NO_RULE);
	KUNIT_EXPECT_EQ(test, fm_nr, 3);
	fm_regs.ip = FM_TEXT + FM_SINKS + 4;
	for (i = 0; i < 2; i++) {
		fm_walk(true);
		KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_NO_RULE);
		KUNIT_EXPECT_EQ(test, fm_nr, 2);
		/* What is below has a caller as well. */
		fm_regs.sp = fm_stack + 8 * 8;
		fm_call(test, 6, FM_START);
	}
}

/* bp and rbx are found where callees saved them, however these were followed. */
static void saved_registers_are_found_again(struct kunit *test)
{
	u32 i;

	/* leaf <- saves_bx <- saves <- saves_bx <- pushes <- saves <- by_bx <- saves <- start */
	fm_call(test, 0, FM_SAVES_BX);
	fm_put(test, 1, fm_stack + 8 * 60);	/* not the caller's caller's */
	fm_call(test, 2, FM_SAVES);
	fm_regs.bp = fm_stack + 8 * 8;
	fm_put(test, 8, fm_stack + 8 * 32);
	fm_call(test, 9, FM_SAVES_BX);
	fm_put(test, 10, fm_stack + 8 * 40);
	fm_call(test, 11, FM_PUSHES);
	fm_call(test, 13, FM_SAVES);
	fm_put(test, 32, fm_stack + 8 * 48);
	fm_call(test, 33, FM_BY_BX);
	fm_call(test, 40, FM_SAVES);
	fm_call(test, 49, FM_START);
	for (i = 0; i < 3; i++) {
		fm_walk(true);
		fm_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_SAVES_BX + 7,
			  FM_SAVES + 7, FM_SAVES_BX + 7, FM_PUSHES + 7, FM_SAVES + 7,
			  FM_BY_BX + 7, FM_SAVES + 7, FM_START + 7);
	}
}

static void only_user_memory_is_read(struct kunit *test)
{
	unsigned long *words = kunit_kzalloc(test, 8 * sizeof(*words), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, words);
	words[0] = FM_TEXT + FM_PUSHES + 8;
	words[2] = FM_TEXT + FM_PUSHES + 8;
	words[4] = FM_TEXT + FM_START + 8;
	fm_regs.sp = (unsigned long)words;
	for (i = 0; i < 2; i++) {
		fm_walk(true);
		KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
		KUNIT_EXPECT_EQ(test, fm_nr, 2);
		fm_regs.sp = fm_stack;
		fm_stand_simply(test);
		fm_regs.sp = (unsigned long)words;
	}
	/* no canonical address, the last one, none at all, one that is not mapped */
	fm_regs.sp = 1ul << 62;
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
	fm_regs.sp = TASK_SIZE_MAX - 8;
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
	fm_regs.sp = FM_BASE_LIMIT - 8;
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
	fm_regs.sp = 0;
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
	fm_regs.sp = fm_stack + FM_STACK_BYTES;
	KUNIT_ASSERT_EQ(test, vm_munmap(fm_stack + PAGE_SIZE, PAGE_SIZE), 0);
	fm_map();
	fm_last();
	fm_regs.sp = fm_stack + PAGE_SIZE;
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
	/* A caller is there, but not where it returns to; the second walk expects it. */
	fm_call(test, PAGE_SIZE / sizeof(unsigned long) - 1, FM_PUSHES);
	fm_regs.sp = fm_stack + PAGE_SIZE - sizeof(unsigned long);
	fm_walk(true);
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
	KUNIT_ASSERT_EQ(test, fm_nr, 3);
	KUNIT_EXPECT_EQ(test, fm_frames[1], fm_user_frame(1, FM_PUSHES + 7));
}

/* The kernel warns of a load from an address that cannot exist, so there must be none. */
static void impossible_addresses_are_not_loaded(struct kunit *test)
{
	bool has_warned = test_taint(TAINT_WARN);

	fm_regs.ip = FM_TEXT + FM_PUSHES + 4;
	fm_call(test, 1, FM_START);
	fm_walk(true);
	fm_expect(test, FLAMEMOD_USER_WHOLE, FM_PUSHES + 4, FM_START + 7);
	/* The return address would be at the first address above user space. */
	fm_regs.sp = FM_BASE_LIMIT - sizeof(unsigned long);
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
	KUNIT_EXPECT_EQ(test, (bool)test_taint(TAINT_WARN), has_warned);
}

static void a_deep_stack_is_cut_at_the_same_depth(struct kunit *test)
{
	u32 i, path;

	for (i = 0; i < 2 * FM_USER_DEPTH_MAX; i++)
		fm_call(test, 2 * i, FM_PUSHES);
	path = fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_DEEP);
	KUNIT_EXPECT_EQ(test, fm_nr, FM_USER_DEPTH_MAX + 1);
	fm_forget_rows();
	KUNIT_EXPECT_EQ(test, fm_walk(true), path);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_DEEP);
	fm_know_rows();
}

static void a_lost_bp_is_not_used(struct kunit *test)
{
	fm_chunk->rows[4].bp = FM_SAVED_LOST;	/* the leaf's */
	fm_call(test, 0, FM_SAVES);
	fm_regs.bp = fm_stack + 8 * 8;
	fm_call(test, 9, FM_START);
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
	fm_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_side, (int)FLAMEMOD_USER_FAULT);
	KUNIT_EXPECT_EQ(test, fm_nr, 3);
}

static struct kunit_case fm_user_walk_cases[] = {
	KUNIT_CASE(a_stack_is_looked_up),
	KUNIT_CASE(a_stack_is_expected_again),
	KUNIT_CASE(another_caller_is_not_the_expected_one),
	KUNIT_CASE(only_mappings_of_now_are_believed),
	KUNIT_CASE(parts_of_files_are_looked_up),
	KUNIT_CASE(no_address_is_taken_for_another),
	KUNIT_CASE(code_made_at_run_time_is_looked_up),
	KUNIT_CASE(a_leaf_is_not_taken_for_another),
	KUNIT_CASE(a_known_stack_is_quick),
	KUNIT_CASE(a_crowded_process_keeps_its_paths),
	KUNIT_CASE(other_memory_is_not_walked),
	KUNIT_CASE(only_the_words_themselves_are_read),
	KUNIT_CASE(rows_in_use_are_marked),
	KUNIT_CASE(only_simple_rows_are_kept),
	KUNIT_CASE(saved_registers_are_found_again),
	KUNIT_CASE(a_walk_leads_up),
	KUNIT_CASE(only_user_memory_is_read),
	KUNIT_CASE(impossible_addresses_are_not_loaded),
	KUNIT_CASE(a_deep_stack_is_cut_at_the_same_depth),
	KUNIT_CASE(a_lost_bp_is_not_used),
	{}
};
#else
static int fm_walk_begin(struct kunit *test)
{
	return 0;
}

static void fm_walk_end(struct kunit *test)
{
}

/* There are no user stacks. */
static struct kunit_case fm_user_walk_cases[] = {
	{}
};
#endif

struct kunit_suite fm_user_walk_suite = {
	.name = "flamemod_user_walk",
	.init = fm_walk_begin,
	.exit = fm_walk_end,
	.test_cases = fm_user_walk_cases,
};
