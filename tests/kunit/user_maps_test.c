// SPDX-License-Identifier: GPL-2.0
/*
 * The cache of mappings: an entry is used while nothing can be mapped there instead.
 */
#include <linux/maple_tree.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <kunit/test.h>

#include "../../module/user/walk.h"
#include "allocations.h"
#include "suites.h"

#ifdef CONFIG_X86_64

#define FM_ADDRESS	0x400000ul

static struct fm_objects *fm_objects;
static struct fm_maps *fm_maps;
static struct mm_struct *fm_mm;

static int fm_user_maps_begin(struct kunit *test)
{
	fm_allocations_init(test);
	fm_objects = fm_objects_create(FM_ROWS_KB_MIN * 1024, false);
	fm_maps = fm_maps_create(fm_objects, NUMA_NO_NODE);
	fm_mm = kunit_kzalloc(test, sizeof(*fm_mm), GFP_KERNEL);
	if (!fm_objects || !fm_maps || !fm_mm)
		return -ENOMEM;
	/* As elsewhere than on PREEMPT_RT: user_mappings_test.c has what differs there. */
	fm_maps->may_lock = true;
	fm_maps->shift = 16;
	/* No page is there. */
	fm_mm->pgd = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	if (!fm_mm->pgd)
		return -ENOMEM;
	mmap_init_lock(fm_mm);
#ifdef MM_MT_FLAGS
	mt_init_flags(&fm_mm->mm_mt, MM_MT_FLAGS);
	mt_set_external_lock(&fm_mm->mm_mt, &fm_mm->mmap_lock);
#endif
	fm_mm->context.ctx_id = 1;
	return 0;
}

static void fm_user_maps_end(struct kunit *test)
{
	fm_maps_destroy(fm_maps);
	if (fm_objects)
		fm_objects_destroy(fm_objects);
	fm_maps = NULL;
	fm_objects = NULL;
	fm_allocations_exit(test);
}

/*
 * Look an address up as a walk of a process does that has mapped nothing. An entry that
 * says otherwise is an old one.
 */
static struct fm_map *fm_look(unsigned long address)
{
	struct mm_struct *mm = current->mm;
	const struct fm_map *map;

	local_irq_disable();
	current->mm = fm_mm;
	fm_maps_begin(fm_maps);
	map = fm_maps_find(fm_maps, address);
	if (fm_maps->locked) {
		mmap_read_unlock(fm_maps->locked);
		fm_maps->locked = NULL;
	}
	current->mm = mm;
	local_irq_enable();
	return (struct fm_map *)map;
}

static struct fm_view *fm_view(void)
{
	return &fm_maps->views[hash_ptr(fm_mm, ilog2(FM_VIEWS))];
}

/* Make a walk find something else than what is mapped. */
static void fm_plant(struct kunit *test)
{
	struct fm_map *map = fm_look(FM_ADDRESS);

	KUNIT_ASSERT_NOT_NULL(test, map);
	KUNIT_EXPECT_EQ(test, map->kind, FM_MAP_NONE);
	map->kind = FM_MAP_ANONYMOUS;
	map->start = FM_ADDRESS;
	map->end = FM_ADDRESS + PAGE_SIZE;
	/* However busy the machine is. */
	fm_view()->until = jiffies + 1000 * HZ;
}

static void fm_expect_kept(struct kunit *test, bool is_kept)
{
	struct fm_map *map = fm_look(FM_ADDRESS + 8);

	KUNIT_ASSERT_NOT_NULL(test, map);
	KUNIT_EXPECT_EQ(test, map->kind, is_kept ? FM_MAP_ANONYMOUS : FM_MAP_NONE);
	KUNIT_EXPECT_FALSE(test, fm_maps->unverified);
}

static void an_entry_ends_with_its_view(struct kunit *test)
{
	u32 i;

	for (i = 0; i < 5; i++) {
		fm_plant(test);
		fm_expect_kept(test, true);
		switch (i) {
		case 0:		/* Something that was in use is unmapped. */
			atomic64_inc(&fm_mm->context.tlb_gen);
			break;
		case 1:		/* Other memory at the same place: an exec, for example. */
			fm_mm->context.ctx_id++;
			break;
		case 2:
			fm_mm->exec_vm++;
			break;
		case 3:
			fm_mm->map_count++;
			break;
		case 4:
			fm_view()->until = jiffies - 1;
			break;
		}
		fm_expect_kept(test, false);
	}
}

/* A process that is changing its mappings has an entry of before at most, and says so. */
static void an_old_entry_is_unverified(struct kunit *test)
{
	struct fm_map *map;

	fm_plant(test);
	atomic64_inc(&fm_mm->context.tlb_gen);
	fm_maps->unlock = fm_mm;	/* so it cannot be locked */
	map = fm_look(FM_ADDRESS);
	KUNIT_ASSERT_NOT_NULL(test, map);
	KUNIT_EXPECT_EQ(test, map->kind, FM_MAP_ANONYMOUS);
	KUNIT_EXPECT_TRUE(test, fm_maps->unverified);
	/* That of other memory is not even that. */
	fm_mm->context.ctx_id++;
	KUNIT_EXPECT_NULL(test, fm_look(FM_ADDRESS));
	fm_maps->unlock = NULL;
}

static struct kunit_case fm_user_maps_cases[] = {
	KUNIT_CASE(an_entry_ends_with_its_view),
	KUNIT_CASE(an_old_entry_is_unverified),
	{}
};

#else

static struct kunit_case fm_user_maps_cases[] = {
	{}
};

#define fm_user_maps_begin	NULL
#define fm_user_maps_end	NULL

#endif

struct kunit_suite fm_user_maps_suite = {
	.name = "flamemod_user_maps",
	.init = fm_user_maps_begin,
	.exit = fm_user_maps_end,
	.test_cases = fm_user_maps_cases,
};
