// SPDX-License-Identifier: GPL-2.0
/*
 * What is mapped at an address of a process: by the page that is there, by its list of
 * mappings, and by the worker later.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/mman.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <kunit/test.h>

#include "../../module/user/copies.h"
#include "../../module/user/page.h"
#include "allocations.h"
#include "first_process.h"
#include "redirect.h"
#include "suites.h"
#include "who.h"

/* A file of the guest, of more than a few pages. */
#define FM_PROGRAM	"/bin/bash"

static struct fm_objects *fm_objects;
static struct fm_maps *fm_maps;
static struct file *fm_file;
static struct mm_struct *fm_mm;		/* of the first process */

static int fm_user_mappings_begin(struct kunit *test)
{
	fm_allocations_init(test);
	fm_nr_mms = 0;
	fm_mm = fm_first_mm();
	fm_objects = fm_objects_create(FM_ROWS_KB_MIN * 1024, false);
	fm_maps = fm_objects ? fm_maps_create(fm_objects, NUMA_NO_NODE) : NULL;
	fm_file = filp_open(FM_PROGRAM, O_RDONLY, 0);
	return fm_mm && fm_maps && !IS_ERR(fm_file) ? 0 : -ENOENT;
}

static void fm_user_mappings_end(struct kunit *test)
{
	if (fm_mm)
		mmput(fm_mm);
	if (!IS_ERR_OR_NULL(fm_file))
		fput(fm_file);
	fm_maps_destroy(fm_maps);
	if (fm_objects)
		fm_objects_destroy(fm_objects);
	fm_mm = NULL;
	fm_file = NULL;
	fm_maps = NULL;
	fm_objects = NULL;
	fm_allocations_exit(test);
}

static void a_process_that_is_gone_lists_nothing(struct kunit *test)
{
	struct fm_mappings *mappings = kunit_kzalloc(test, sizeof(*mappings), GFP_KERNEL);
	/* Nobody has this memory any more. */
	struct mm_struct *gone = kunit_kzalloc(test, sizeof(*gone), GFP_KERNEL);
	struct fm_request request = { .mm = gone };

	KUNIT_ASSERT_TRUE(test, mappings && gone);
	mappings->mm = gone;
	fm_mappings_list_wanted(fm_objects, mappings, fm_runner_of_current(fm_objects));
	KUNIT_EXPECT_EQ(test, mappings->nr, 0);
	KUNIT_EXPECT_FALSE(test, fm_mappings_open(fm_objects, &request));
}

#ifdef CONFIG_X86_64
/*
 * The tests that map something run as the first process. If one of them is given up,
 * the end of its thread drops the reference.
 */
static void fm_enter(void)
{
	if (current->mm)
		return;
	mmget(fm_mm);
	kthread_use_mm(fm_mm);
}

static void fm_leave(void)
{
	kthread_unuse_mm(fm_mm);
	mmput(fm_mm);
}

/* Map 4 pages, of the file from its third page on, or of none. Return: their address. */
static unsigned long fm_map(struct kunit *test, struct file *file, unsigned long prot)
{
	unsigned long at;

	fm_enter();
	at = vm_mmap(file, 0, 4 * PAGE_SIZE, PROT_READ | prot,
		     MAP_PRIVATE | (file ? 0 : MAP_ANONYMOUS), file ? 2 * PAGE_SIZE : 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(at));
	return at;
}

static void fm_unmap(unsigned long at)
{
	vm_munmap(at, 4 * PAGE_SIZE);
}

/* The addresses of one mapping of each kind. */
struct fm_kinds {
	unsigned long text;
	unsigned long data;
	unsigned long writable;	/* text that the process may change */
	unsigned long made;	/* the same, without a file */
};

static struct fm_kinds fm_map_kinds(struct kunit *test)
{
	return (struct fm_kinds){
		.text = fm_map(test, fm_file, PROT_EXEC),
		.data = fm_map(test, fm_file, 0),
		.writable = fm_map(test, fm_file, PROT_EXEC | PROT_WRITE),
		.made = fm_map(test, NULL, PROT_EXEC | PROT_WRITE),
	};
}

static void fm_unmap_kinds(const struct fm_kinds *at)
{
	fm_unmap(at->text);
	fm_unmap(at->data);
	fm_unmap(at->writable);
	fm_unmap(at->made);
}

static void fm_touch(struct kunit *test, unsigned long at)
{
	u8 byte;

	KUNIT_ASSERT_EQ(test, copy_from_user(&byte, (void __user *)at, 1), 0);
}

static void fm_change(struct kunit *test, unsigned long at)
{
	const u8 byte = 1;

	KUNIT_ASSERT_EQ(test, copy_to_user((void __user *)at, &byte, 1), 0);
}

static struct fm_page fm_look(unsigned long at)
{
	struct fm_page page = {};

	local_irq_disable();
	fm_page_look(current->mm, at, &page);
	local_irq_enable();
	return page;
}

static void a_page_tells_what_is_mapped(struct kunit *test)
{
	const struct fm_kinds at = fm_map_kinds(test);
	struct fm_page page;

	KUNIT_EXPECT_EQ(test, fm_look(at.made).kind, FM_PAGE_ABSENT);
	fm_change(test, at.made + PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, fm_look(at.made + PAGE_SIZE).kind, FM_PAGE_ANONYMOUS);
	fm_touch(test, at.text + PAGE_SIZE);
	page = fm_look(at.text + PAGE_SIZE + 5);
	KUNIT_EXPECT_EQ(test, page.kind, FM_PAGE_FILE);
	KUNIT_EXPECT_PTR_EQ(test, page.inode, (const struct inode *)file_inode(fm_file));
	KUNIT_EXPECT_EQ(test, page.index, 3);
	fm_touch(test, at.data);
	KUNIT_EXPECT_EQ(test, fm_look(at.data).kind, FM_PAGE_DATA);
	fm_touch(test, at.writable);
	KUNIT_EXPECT_EQ(test, fm_look(at.writable).kind, FM_PAGE_FILE);
	/* Now it is a copy, which belongs to no file. */
	fm_change(test, at.writable);
	KUNIT_EXPECT_EQ(test, fm_look(at.writable).kind, FM_PAGE_OTHER);
	fm_unmap_kinds(&at);
	KUNIT_EXPECT_EQ(test, fm_look(at.text + PAGE_SIZE).kind, FM_PAGE_ABSENT);
	fm_leave();
}

/* Find a mapping as the timer does. Return: a copy of the entry; of kind 99 if none. */
static struct fm_map fm_find(unsigned long at, bool locked)
{
	const struct fm_map *map;
	struct fm_map found = { .kind = 99 };

	if (locked)
		mmap_write_lock(current->mm);
	local_irq_disable();
	fm_maps_begin(fm_maps);
	map = fm_maps_find(fm_maps, at);
	if (map)
		found = *map;
	fm_maps_end(fm_maps);
	local_irq_enable();
	if (locked)
		mmap_write_unlock(current->mm);
	return found;
}

/* While the list of mappings is locked, or may not be locked, the pages tell. */
static void what_cannot_be_locked_is_known_by_its_pages(struct kunit *test)
{
	const struct fm_kinds at = fm_map_kinds(test);
	unsigned long vdso = (unsigned long)current->mm->context.vdso;
	struct fm_map found;

	KUNIT_EXPECT_EQ(test, fm_find(at.made, true).kind, 99);
	KUNIT_EXPECT_TRUE(test, fm_maps->unverified);
	fm_change(test, at.made);
	KUNIT_EXPECT_EQ(test, fm_find(at.made, true).kind, FM_MAP_ANONYMOUS);
	KUNIT_EXPECT_FALSE(test, fm_maps->unverified);
	fm_touch(test, at.text + PAGE_SIZE);
	found = fm_find(at.text + PAGE_SIZE + 5, true);
	KUNIT_ASSERT_EQ(test, found.kind, FM_MAP_OBJECT);
	KUNIT_EXPECT_PTR_EQ(test, found.object, fm_find_file(fm_objects, file_inode(fm_file)));
	KUNIT_EXPECT_EQ(test, found.delta + at.text, 2 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, found.start, at.text + PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, found.end, at.text + 2 * PAGE_SIZE);
	fm_touch(test, at.data);
	KUNIT_EXPECT_EQ(test, fm_find(at.data, true).kind, FM_MAP_NONE);
	/* This page is a copy. The list of mappings has its file. */
	fm_change(test, at.writable);
	KUNIT_EXPECT_EQ(test, fm_find(at.writable, true).kind, FM_MAP_UNSURE);
	fm_touch(test, vdso);
	found = fm_find(vdso, true);
	KUNIT_ASSERT_EQ(test, found.kind, FM_MAP_OBJECT);
	KUNIT_EXPECT_NE(test, found.object->id.vdso, 0);
	KUNIT_EXPECT_EQ(test, found.delta + vdso, 0);
	fm_unmap_kinds(&at);
	fm_leave();
}

static void where_it_may_be_locked_the_list_tells(struct kunit *test)
{
	unsigned long writable = fm_map(test, fm_file, PROT_EXEC | PROT_WRITE);
	struct fm_map found;

	KUNIT_EXPECT_EQ(test, fm_maps->may_lock, !IS_ENABLED(CONFIG_PREEMPT_RT));
	fm_change(test, writable);
	fm_change(test, writable + PAGE_SIZE);
	fm_maps->may_lock = false;
	KUNIT_EXPECT_EQ(test, fm_find(writable, false).kind, FM_MAP_UNSURE);
	fm_maps->may_lock = true;
	found = fm_find(writable + PAGE_SIZE, false);
	KUNIT_EXPECT_EQ(test, found.kind, FM_MAP_OBJECT);
	KUNIT_EXPECT_EQ(test, found.end, writable + 4 * PAGE_SIZE);
	fm_unmap(writable);
	fm_leave();
}

static void fm_drop(struct fm_mappings *mappings)
{
	u32 i;

	for (i = 0; i < mappings->nr; i++)
		if (mappings->files[i])
			fput(mappings->files[i]);
	mappings->nr = 0;
}

/* Note the process, and list it as the worker does. Return: how many there are. */
static u32 fm_list(struct fm_mappings *mappings, u64 flushes)
{
	u32 nr;

	memset(mappings, 0, sizeof(*mappings));
	fm_mappings_want(mappings, current->mm);
	mappings->flushes -= flushes;
	fm_mappings_list_wanted(fm_objects, mappings, fm_runner_of_current(fm_objects));
	mmdrop(mappings->mm);
	nr = mappings->nr;
	fm_drop(mappings);
	return nr;
}

static void the_worker_lists_what_the_timer_could_not(struct kunit *test)
{
	struct fm_mappings *mappings = kunit_kzalloc(test, sizeof(*mappings), GFP_KERNEL);
	unsigned long text = fm_map(test, fm_file, PROT_EXEC);
	bool found = false;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, mappings);
	KUNIT_EXPECT_GT(test, fm_list(mappings, 0), 0);
	KUNIT_EXPECT_FALSE(test, mappings->is_cut);
	KUNIT_EXPECT_FALSE(test, mappings->is_other);
	for (i = 0; i < FM_MAPPINGS; i++)
		found = found || (mappings->maps[i].start == text &&
				  mappings->maps[i].kind == FM_MAP_OBJECT &&
				  mappings->maps[i].delta + text == 2 * PAGE_SIZE);
	KUNIT_EXPECT_TRUE(test, found);
	/* Something was unmapped since then. */
	KUNIT_EXPECT_GT(test, fm_list(mappings, 1), 0);
	KUNIT_EXPECT_TRUE(test, mappings->is_other);
	/* It does not wait for ever. */
	mmap_write_lock(current->mm);
	KUNIT_EXPECT_EQ(test, fm_list(mappings, 0), 0);
	KUNIT_EXPECT_TRUE(test, mappings->is_cut);
	mmap_write_unlock(current->mm);
	KUNIT_EXPECT_EQ(test, fm_nr_mms, 0);
	fm_unmap(text);
	fm_leave();
}

#ifdef CONFIG_X86_64
/* A process can map code of its own where its vdso was. */
static void only_the_kernel_maps_the_vdso(struct kunit *test)
{
	static const struct vm_operations_struct ops;
	struct vm_area_struct *vma = kunit_kzalloc(test, sizeof(*vma), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, vma);
	vma->vm_mm = fm_mm;
	vma->vm_start = (unsigned long)fm_mm->context.vdso;
	KUNIT_EXPECT_NULL(test, fm_arch_vdso(vma).image);
	vma->vm_ops = &ops;
	KUNIT_EXPECT_NOT_NULL(test, fm_arch_vdso(vma).image);
	vma->vm_start += PAGE_SIZE;
	KUNIT_EXPECT_NULL(test, fm_arch_vdso(vma).image);
}
#endif

static void the_worker_finds_the_file_of_a_request(struct kunit *test)
{
	unsigned long text = fm_map(test, fm_file, PROT_EXEC);
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	struct fm_request request = {
		.object = object,
		.mm = current->mm,
		.address = text + 5,
	};
	struct fm_vdso vdso = fm_arch_vdso_of(current->mm->context.vdso_image);

	KUNIT_ASSERT_TRUE(test, fm_mappings_open(fm_objects, &request));
	KUNIT_EXPECT_PTR_EQ(test, file_inode(request.file), file_inode(fm_file));
	KUNIT_EXPECT_EQ(test, request.chunk, 0);
	fput(request.file);
	request.file = NULL;
	/* Another file is not what is mapped there. */
	request.object = fm_objects_find_vdso(fm_objects, &vdso);
	KUNIT_EXPECT_FALSE(test, fm_mappings_open(fm_objects, &request));
	request.object = object;
	/* Something else may be mapped there by now. */
	fm_unmap(text);
	KUNIT_EXPECT_FALSE(test, fm_mappings_open(fm_objects, &request));
	KUNIT_EXPECT_NULL(test, request.file);
	fm_leave();
}

/* The references of a request are to the end. */
static void a_request_keeps_what_it_needs(struct kunit *test)
{
	unsigned long text = fm_map(test, fm_file, PROT_EXEC);
	const struct fm_request request = {
		.object = fm_find_file(fm_objects, file_inode(fm_file)),
		.mm = current->mm,
		.address = text,
	};

	fm_objects->stopping = true;
	local_irq_disable();
	KUNIT_EXPECT_TRUE(test, fm_objects_request(fm_objects, &request));
	KUNIT_EXPECT_EQ(test, fm_nr_mms, 1);
	local_irq_enable();
	fm_maps_destroy(fm_maps);
	fm_maps = NULL;
	fm_objects_destroy(fm_objects);
	fm_objects = NULL;
	KUNIT_EXPECT_EQ(test, fm_nr_mms, 0);
	fm_unmap(text);
	fm_leave();
}

/* Whose process met the text pays for its rows. */
static void a_request_is_of_who_asks(struct kunit *test)
{
	unsigned long text = fm_map(test, fm_file, PROT_EXEC);
	const struct fm_requests *requests;
	struct fm_object *object;
	struct fm_runner runner;

	fm_objects->stopping = true;
	fm_objects->machine = NULL;
	fm_become(test, 5, true);
	object = fm_find_file(fm_objects, file_inode(fm_file));
	local_irq_disable();
	fm_maps_begin(fm_maps);
	fm_maps_request(fm_maps, object, text);
	fm_maps_end(fm_maps);
	requests = this_cpu_ptr(fm_objects->requests);
	runner = requests->ring[(requests->head - 1) % FM_REQUESTS].runner;
	local_irq_enable();
	fm_become(test, 0, true);
	KUNIT_EXPECT_EQ(test, requests->head, 1);
	KUNIT_EXPECT_EQ(test, runner.budget, fm_budget_of_uid(fm_objects, 5));
	KUNIT_EXPECT_EQ(test, runner.realm, FM_REALM_USER + 5);
	fm_unmap(text);
	fm_leave();
}

/* A copy is walked once its process's mappings are listed. */
static void a_copy_waits_for_its_list(struct kunit *test)
{
	struct fm_copies *copies = fm_copies_create(NUMA_NO_NODE);
	struct fm_result *result;
	struct fm_copy *copy;

	KUNIT_ASSERT_NOT_NULL(test, copies);
	copy = &copies->slots[0];
	result = fm_copies_place(copies, 0);
	fm_mappings_want(&copy->mappings, fm_mm);
	result->state = FM_RESULT_AWAITED;
	copies->next = 1;
	fm_copies_walk(fm_objects, copies);
	KUNIT_EXPECT_EQ(test, result->state, FM_RESULT_AWAITED);
	fm_copies_list(fm_objects, copies);
	KUNIT_EXPECT_NULL(test, copy->mappings.mm);
	KUNIT_EXPECT_GT(test, copy->mappings.nr, 0);
	KUNIT_EXPECT_EQ(test, fm_nr_mms, 0);
	fm_copies_walk(fm_objects, copies);
	KUNIT_EXPECT_EQ(test, result->state, FM_RESULT_DONE);
	KUNIT_EXPECT_EQ(test, result->nr_frames, 1);
	/* What was mapped since then is not what the stack was in. */
	copy = &copies->slots[1];
	result = fm_copies_place(copies, 1);
	result->number = 1;
	fm_mappings_want(&copy->mappings, fm_mm);
	copy->mappings.flushes--;
	result->state = FM_RESULT_AWAITED;
	copies->next = 2;
	fm_copies_list(fm_objects, copies);
	fm_copies_walk(fm_objects, copies);
	KUNIT_EXPECT_EQ(test, result->state, FM_RESULT_DONE);
	KUNIT_EXPECT_EQ(test, result->nr_frames, 0);
	/* One that nobody listed any more gives its process back. */
	fm_mappings_want(&copies->slots[2].mappings, fm_mm);
	fm_copies_destroy(copies);
	KUNIT_EXPECT_EQ(test, fm_nr_mms, 0);
}

/* Take copies until there are no more; let the worker walk them, if it has time. */
static u32 fm_take_all(struct kunit *test, u32 uid, bool is_walked)
{
	const struct fm_user_regs regs = { .sp = TASK_SIZE_MAX };
	bool taken = true;
	u64 frame;
	u32 nr;

	fm_become(test, uid, true);
	for (nr = 0; taken && nr <= FM_RESULTS; nr += taken) {
		local_irq_disable();
		taken = fm_copies_take(fm_maps, &regs, &frame);
		local_irq_enable();
		if (!is_walked)
			continue;
		fm_copies_list(fm_objects, fm_maps->copies);
		fm_copies_walk(fm_objects, fm_maps->copies);
	}
	fm_become(test, 0, true);
	return nr;
}

static void no_user_takes_all_copies(struct kunit *test)
{
	struct fm_copies *copies = fm_copies_create(NUMA_NO_NODE);
	struct fm_runner runner;

	KUNIT_ASSERT_NOT_NULL(test, copies);
	fm_objects->secret = 1;
	fm_objects->machine = NULL;
	KUNIT_ASSERT_NE(test, fm_budget_of_uid(fm_objects, 1), fm_budget_of_uid(fm_objects, 2));
	fm_enter();
	fm_maps->copies = copies;
	fm_maps->may_lock = false;
	/* Numbers wrap. */
	copies->next = U32_MAX - 4;
	copies->listed = copies->next;
	copies->walked = copies->next;
	fm_copies_release(copies, copies->next);
	/* Slots, while the worker walks none. */
	KUNIT_EXPECT_EQ(test, fm_take_all(test, 1, false), FM_COPIES / 2);
	runner = fm_copies_slot(copies, copies->next - 1)->runner;
	KUNIT_EXPECT_EQ(test, runner.budget, fm_budget_of_uid(fm_objects, 1));
	KUNIT_EXPECT_EQ(test, runner.realm, FM_REALM_USER + 1);
	KUNIT_EXPECT_EQ(test, fm_take_all(test, 2, false), FM_COPIES / 4);
	KUNIT_EXPECT_EQ(test, fm_take_all(test, 1, false), 0);
	KUNIT_EXPECT_EQ(test, fm_take_all(test, 0, false), FM_COPIES / 4);
	fm_copies_list(fm_objects, copies);
	fm_copies_walk(fm_objects, copies);
	/* Results, until a drain. */
	KUNIT_EXPECT_EQ(test, fm_take_all(test, 1, true), FM_RESULTS / 2 - FM_COPIES / 2);
	KUNIT_EXPECT_EQ(test, fm_take_all(test, 2, true), FM_RESULTS / 4 - FM_COPIES / 4);
	KUNIT_EXPECT_EQ(test, fm_take_all(test, 0, true), FM_RESULTS / 4 - FM_COPIES / 4);
	fm_copies_release(copies, copies->next);
	KUNIT_EXPECT_EQ(test, fm_take_all(test, 1, true), FM_RESULTS / 2);
	fm_maps->copies = NULL;
	fm_leave();
	fm_copies_destroy(copies);
}

#endif /* CONFIG_X86_64 */

static struct kunit_case fm_user_mappings_cases[] = {
	KUNIT_CASE(a_process_that_is_gone_lists_nothing),
#ifdef CONFIG_X86_64
	KUNIT_CASE(a_page_tells_what_is_mapped),
	KUNIT_CASE(what_cannot_be_locked_is_known_by_its_pages),
	KUNIT_CASE(where_it_may_be_locked_the_list_tells),
	KUNIT_CASE(the_worker_lists_what_the_timer_could_not),
#ifdef CONFIG_X86_64
	KUNIT_CASE(only_the_kernel_maps_the_vdso),
#endif
	KUNIT_CASE(the_worker_finds_the_file_of_a_request),
	KUNIT_CASE(a_request_keeps_what_it_needs),
	KUNIT_CASE(a_request_is_of_who_asks),
	KUNIT_CASE(a_copy_waits_for_its_list),
	KUNIT_CASE(no_user_takes_all_copies),
#endif
	{}
};

struct kunit_suite fm_user_mappings_suite = {
	.name = "flamemod_user_mappings",
	.init = fm_user_mappings_begin,
	.exit = fm_user_mappings_end,
	.test_cases = fm_user_mappings_cases,
};
