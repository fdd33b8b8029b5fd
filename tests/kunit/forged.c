// SPDX-License-Identifier: GPL-2.0
/*
 * A program that is only forged: see forged.h.
 */
#include <linux/hash.h>
#include <linux/kthread.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched/mm.h>
#include <linux/uaccess.h>

#include "allocations.h"
#include "first_process.h"
#include "forged.h"
#include "redirect.h"

#ifdef CONFIG_X86_64
struct fm_forged fm_forged;

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
	{ .start = FM_PUSHES_BP, .kind = FM_CFA_SP, .cfa = 2, .bp = -2, .is_first = 1 },
};

/* The entry of the program's mapping: its addresses share one. */
struct fm_map *fm_forged_map_entry(void)
{
	return &fm_forged.maps->maps[hash_64((unsigned long)current->mm ^ FM_TEXT >> 16,
				      ilog2(FM_MAPS))];
}

/* Let the program be mapped, as the cache of the mappings tells. */
void fm_forged_map(void)
{
	fm_maps_begin(fm_forged.maps);
	fm_maps_end(fm_forged.maps);
	*fm_forged_map_entry() = (struct fm_map){
		.start = FM_TEXT,
		.end = FM_TEXT + FM_BYTES,
		.delta = -FM_TEXT,
		.object = &fm_forged.objects->list[0],
		.space = current->mm->context.ctx_id,
		.view = fm_forged.maps->view,
		.kind = FM_MAP_OBJECT,
	};
}

/* The view of the mappings as they are. */
struct fm_view *fm_forged_view(void)
{
	return &fm_forged.maps->views[hash_ptr(current->mm, ilog2(FM_VIEWS))];
}

/* Let the view last: a tenth of a second may be over soon in a slow guest. */
void fm_forged_last(void)
{
	fm_forged_view()->until = jiffies + 1000 * HZ;
}

int fm_forged_begin(struct kunit *test)
{
	struct fm_object *object;

	fm_allocations_init(test);
	fm_forged.mm = fm_first_mm();
	if (!fm_forged.mm)
		return -ESRCH;
	/* The thread's own reference: see fm_forged_leave(). */
	mmget(fm_forged.mm);
	kthread_use_mm(fm_forged.mm);
	fm_forged.stack = vm_mmap(NULL, 0, FM_STACK_BYTES, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, 0);
	fm_forged.objects = fm_objects_create(FM_ROWS_KB_MIN * 1024, false);
	fm_forged.maps = fm_maps_create(fm_forged.objects, NUMA_NO_NODE);
	fm_forged.chunk = kvzalloc(struct_size(fm_forged.chunk, rows, ARRAY_SIZE(fm_program)),
				   GFP_KERNEL);
	if (IS_ERR_VALUE(fm_forged.stack) || !fm_forged.objects || !fm_forged.maps ||
	    !fm_forged.chunk ||
	    fm_user_paths_init(&fm_forged.paths, FM_USER_KB_MIN * 1024, NUMA_NO_NODE))
		return -ENOMEM;
	/* As elsewhere than on PREEMPT_RT: user_mappings_test.c has what differs there. */
	fm_forged.maps->may_lock = true;
	fm_forged.maps->shift = 16;
	atomic_set(&fm_forged.objects->nr, 1);
	object = &fm_forged.objects->list[0];
	object->chunks = kvcalloc(1, sizeof(*object->chunks), GFP_KERNEL);
	object->number = 1;
	object->nr_chunks = 1;
	object->chunks[0] = fm_forged.chunk;
	object->state = FM_OBJECT_READY;
	fm_forged.chunk->nr = ARRAY_SIZE(fm_program);
	fm_forged.chunk->bytes = FM_CHUNK_BYTES;
	fm_forged.chunk->place = &object->chunks[0];
	memcpy(fm_forged.chunk->rows, fm_program, sizeof(fm_program));
	list_add(&fm_forged.chunk->lru, &fm_forged.objects->lru);
	fm_forged_map();
	fm_forged_last();
	fm_forged.regs = (struct pt_regs){
		.cs = __USER_CS,
		.ss = __USER_DS,
		.ip = FM_TEXT + FM_LEAF + 4,
		.sp = fm_forged.stack,
	};
	return clear_user((void __user *)fm_forged.stack, FM_STACK_BYTES) ? -EFAULT : 0;
}

/*
 * Newer versions of KUnit call this in another thread. The test's own thread has ended
 * then, and has dropped its reference to the memory.
 */
static void fm_forged_leave(void)
{
	bool is_same = current->mm == fm_forged.mm;

	if (!is_same)
		kthread_use_mm(fm_forged.mm);
	vm_munmap(fm_forged.stack, FM_STACK_BYTES);
	kthread_unuse_mm(fm_forged.mm);
	if (is_same)
		mmput(fm_forged.mm);
	mmput(fm_forged.mm);
}

void fm_forged_end(struct kunit *test)
{
	fm_user_paths_deinit(&fm_forged.paths);
	fm_maps_destroy(fm_forged.maps);
	if (fm_forged.objects)
		fm_objects_destroy(fm_forged.objects);
	fm_forged.maps = NULL;
	fm_forged.objects = NULL;
	if (fm_forged.mm)
		fm_forged_leave();
	fm_forged.mm = NULL;
	fm_allocations_exit(test);
}

void fm_forged_put(struct kunit *test, u32 at, unsigned long word)
{
	unsigned long __user *to = (unsigned long __user *)fm_forged.stack + at;

	KUNIT_ASSERT_EQ(test, put_user(word, to), 0);
}

/* Put a return address into a function. */
void fm_forged_call(struct kunit *test, u32 at, unsigned long function)
{
	fm_forged_put(test, at, FM_TEXT + function + 8);
}

u32 fm_forged_walk(bool from_user)
{
	struct fm_user_stack stack;

	local_irq_disable();
	stack = fm_user_walk(fm_forged.maps, &fm_forged.paths, &fm_forged.regs, from_user);
	local_irq_enable();
	fm_forged.side = stack.side;
	fm_forged.nr = fm_user_paths_frames(&fm_forged.paths, stack.path, fm_forged.frames);
	return stack.path;
}

/* Check the frames of the last walk: offsets, the leaf first. */
void fm_forged_expect_frames(struct kunit *test, enum flamemod_user_side side,
			     const u64 *offsets, unsigned int nr)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)side);
	KUNIT_ASSERT_EQ(test, fm_forged.nr, nr);
	for (i = 0; i < nr; i++)
		KUNIT_EXPECT_EQ(test, fm_forged.frames[i], fm_user_frame(1, offsets[i]));
}

/* Nothing can be looked up from now on, so a walk only finds what it expects. */
void fm_forged_forget_rows(void)
{
	fm_forged.objects->list[0].chunks[0] = NULL;
	memset(fm_forged.maps->places, 0, sizeof(fm_forged.maps->places));
}

void fm_forged_know_rows(void)
{
	fm_forged.objects->list[0].chunks[0] = fm_forged.chunk;
}

/* leaf <- pushes <- saves <- saves_bx <- by_bx <- pushes <- start */
void fm_forged_stand(struct kunit *test)
{
	fm_forged_call(test, 0, FM_PUSHES);
	fm_forged_call(test, 2, FM_SAVES);
	fm_forged.regs.bp = fm_forged.stack + 8 * 8;
	fm_forged_put(test, 8, fm_forged.stack + 8 * 64);	/* the caller's bp */
	fm_forged_call(test, 9, FM_SAVES_BX);
	fm_forged_put(test, 10, fm_forged.stack + 8 * 16);	/* the caller's rbx */
	fm_forged_call(test, 11, FM_BY_BX);
	fm_forged_call(test, 16, FM_PUSHES);
	fm_forged_call(test, 18, FM_START);
}

static const u64 fm_standing[] = {
	FM_LEAF + 4, FM_PUSHES + 7, FM_SAVES + 7, FM_SAVES_BX + 7, FM_BY_BX + 7,
	FM_PUSHES + 7, FM_START + 7,
};

void fm_forged_expect_standing(struct kunit *test)
{
	fm_forged_expect_frames(test, FLAMEMOD_USER_WHOLE, fm_standing, ARRAY_SIZE(fm_standing));
}

/* leaf <- pushes <- pushes <- start */
void fm_forged_stand_simply(struct kunit *test)
{
	fm_forged_call(test, 0, FM_PUSHES);
	fm_forged_call(test, 2, FM_PUSHES);
	fm_forged_call(test, 4, FM_START);
	fm_forged_walk(true);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_PUSHES + 7, FM_PUSHES + 7,
			 FM_START + 7);
}
#else
int fm_forged_begin(struct kunit *test)
{
	return 0;
}

void fm_forged_end(struct kunit *test)
{
}
#endif
