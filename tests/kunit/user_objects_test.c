// SPDX-License-Identifier: GPL-2.0
/*
 * Objects of user stacks: files that may be read are found by what they are, their
 * text is compiled when it is asked for, and rows stay within their memory.
 */
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>
#include <kunit/test.h>

#include "../../module/compat/compat.h"
#include "../../module/user/object.h"
#include "../../module/user/paths.h"
#include "allocations.h"
#include "program.h"
#include "redirect.h"
#include "suites.h"
#include "who.h"

#define FM_KEPT_OF_A_FILE	fm_compat_alloc_bytes(sizeof(struct fm_object_file))

/* Another file of the guest. */
#define FM_OTHER	"/init"

static int fm_attempt_create(struct kunit *test, void *data)
{
	struct fm_objects **objects = data;

	*objects = fm_objects_create(1 << 20, false);
	return *objects ? 0 : -ENOMEM;
}

static void fm_cleanup_create(struct kunit *test, void *data)
{
	struct fm_objects **objects = data;

	if (*objects)
		fm_objects_destroy(*objects);
}

static void create_fails_cleanly(struct kunit *test)
{
	struct fm_objects *objects;

	/* The objects, their list, rows and an entry. */
	fm_allocations_fail_each(test, 4, -ENOMEM, fm_attempt_create, fm_cleanup_create,
				 &objects);
}

static void a_file_is_one_object(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	struct file *again = filp_open(FM_PROGRAM, O_RDONLY, 0);
	struct file *other = filp_open(FM_OTHER, O_RDONLY, 0);

	KUNIT_ASSERT_NOT_NULL(test, object);
	KUNIT_ASSERT_FALSE(test, IS_ERR(again) || IS_ERR(other));
	KUNIT_EXPECT_EQ(test, object->number, 1);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NEW);
	KUNIT_EXPECT_PTR_EQ(test, fm_find_file(fm_objects, file_inode(again)), object);
	KUNIT_EXPECT_PTR_NE(test, fm_find_file(fm_objects, file_inode(other)), object);
	KUNIT_EXPECT_EQ(test, fm_objects_nr(fm_objects), 2);
	fput(again);
	fput(other);
}

/* Its server may never answer, or it may be no file at all. */
static void some_files_are_not_read(struct kunit *test)
{
	struct file *proc = filp_open("/proc/version", O_RDONLY, 0);
	struct file *device = filp_open("/dev/null", O_RDONLY, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR(proc) || IS_ERR(device));
	KUNIT_EXPECT_NULL(test, fm_find_file(fm_objects, file_inode(proc)));
	KUNIT_EXPECT_NULL(test, fm_find_file(fm_objects, file_inode(device)));
	fm_objects->any_fs = true;
	KUNIT_EXPECT_NOT_NULL(test, fm_find_file(fm_objects, file_inode(proc)));
	KUNIT_EXPECT_NULL(test, fm_find_file(fm_objects, file_inode(device)));
	/* Memory that is a disk, too, is mapped as it is: there are no pages to read. */
	file_inode(fm_file)->i_flags |= S_DAX;
	if (IS_DAX(file_inode(fm_file)))
		KUNIT_EXPECT_NULL(test, fm_find_file(fm_objects, file_inode(fm_file)));
	file_inode(fm_file)->i_flags &= ~S_DAX;
	KUNIT_EXPECT_NOT_NULL(test, fm_find_file(fm_objects, file_inode(fm_file)));
	fput(proc);
	fput(device);
}

/* On a file system of this name, on this device, with no server to wait for? */
static bool fm_is_local(const char *name, struct block_device *bdev, struct mtd_info *mtd)
{
	struct file_system_type type = { .name = name };
	struct super_block *sb = kzalloc(sizeof(*sb), GFP_KERNEL);
	struct inode *inode = kzalloc(sizeof(*inode), GFP_KERNEL);
	bool is_local = false;

	if (sb && inode) {
		sb->s_type = &type;
		sb->s_bdev = bdev;
		sb->s_mtd = mtd;
		inode->i_sb = sb;
		is_local = fm_inode_is_local(inode);
	}
	kfree(inode);
	kfree(sb);
	return is_local;
}

static void file_systems_without_a_server_are_local(struct kunit *test)
{
	/* Nothing is read of a device: that there is one is enough. */
	struct block_device *bdev = (void *)test;
	struct mtd_info *mtd = (void *)test;

	KUNIT_EXPECT_TRUE(test, fm_is_local("ext4", bdev, NULL));
	KUNIT_EXPECT_TRUE(test, fm_is_local("jffs2", NULL, mtd));
	KUNIT_EXPECT_TRUE(test, fm_is_local("tmpfs", NULL, NULL));
	KUNIT_EXPECT_TRUE(test, fm_is_local("devtmpfs", NULL, NULL));
	KUNIT_EXPECT_TRUE(test, fm_is_local("btrfs", NULL, NULL));
	KUNIT_EXPECT_TRUE(test, fm_is_local("bcachefs", NULL, NULL));
	KUNIT_EXPECT_TRUE(test, fm_is_local("ubifs", NULL, NULL));
	KUNIT_EXPECT_TRUE(test, fm_is_local("zfs", NULL, NULL));
	KUNIT_EXPECT_FALSE(test, fm_is_local("fuseblk", bdev, NULL));
	KUNIT_EXPECT_FALSE(test, fm_is_local("fuse", NULL, NULL));
	KUNIT_EXPECT_FALSE(test, fm_is_local("nfs4", NULL, NULL));
}

/* A file in memory with nothing in it is read as zeros, and stays without a page. */
static void a_hole_gets_no_memory(struct kunit *test)
{
	struct file *hole = shmem_file_setup("hole", 1 << 20, VM_NORESERVE);
	struct fm_request request = { .file = hole };

	KUNIT_ASSERT_FALSE(test, IS_ERR(hole));
	request.object = fm_find_file(fm_objects, file_inode(hole));
	KUNIT_ASSERT_NOT_NULL(test, request.object);
	fm_object_learn(fm_objects, &request);
	KUNIT_EXPECT_EQ(test, request.object->state, FM_OBJECT_NO_ROWS);
	KUNIT_EXPECT_EQ(test, hole->f_mapping->nrpages, 0);
	fput(hole);
}

static void there_is_an_end_of_objects(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	struct file *other = filp_open(FM_OTHER, O_RDONLY, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR(other));
	atomic_set(&fm_objects->nr, FM_OBJECTS_MAX);
	KUNIT_EXPECT_NULL(test, fm_find_file(fm_objects, file_inode(other)));
	KUNIT_EXPECT_PTR_EQ(test, fm_find_file(fm_objects, file_inode(fm_file)), object);
	atomic_set(&fm_objects->nr, 1);
	fput(other);
}

/* Return: the first chunk that has rows of functions, or U32_MAX. */
static u32 fm_first_chunk(struct fm_object *object)
{
	u32 i;

	/* Its headers say how many chunks there are. */
	fm_program_answer(object, 0);
	for (i = 0; i < object->nr_chunks; i++) {
		fm_program_answer(object, i);
		if (object->chunks[i] && object->chunks[i]->nr > 16)
			return i;
	}
	return U32_MAX;
}

/* Return: where a function starts, if whether that is known is as it should be. */
static u64 fm_function_at(const struct fm_object *object, u64 offset, bool is_known)
{
	u64 start;

	return fm_object_function(object, offset, &start) == is_known ? start : U64_MAX;
}

static void text_is_compiled_when_asked_for(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	const struct fm_chunk *chunk;
	u64 first = 0, i;
	u32 nr;

	KUNIT_ASSERT_NOT_NULL(test, object);
	KUNIT_EXPECT_NULL(test, fm_object_chunk(object, 0));
	/* What is not known stays as it is. */
	KUNIT_EXPECT_EQ(test, fm_function_at(object, 0x4321, false), 0x4321);
	fm_program_answer(object, 0);
	KUNIT_ASSERT_EQ(test, object->state, FM_OBJECT_READY);
	KUNIT_ASSERT_NOT_NULL(test, object->file);
	KUNIT_EXPECT_NOT_NULL(test, strstr(object->file->label.path, "bash"));
	KUNIT_EXPECT_NE(test, object->entry, 0);
	KUNIT_EXPECT_GT(test, object->file->elf.build_id_bytes, 0);
	nr = fm_first_chunk(object);
	KUNIT_ASSERT_NE_MSG(test, nr, U32_MAX, "no rows in " FM_PROGRAM);
	chunk = fm_object_chunk(object, (u64)nr * FM_CHUNK_BYTES);
	KUNIT_ASSERT_NOT_NULL(test, chunk);
	for (i = 0; i < chunk->nr && !first; i++)
		if (chunk->rows[i].is_first && i + 1 < chunk->nr)
			first = i;
	i = chunk->base + chunk->rows[first].start;
	KUNIT_EXPECT_EQ(test, fm_function_at(object, i, true), i);
	KUNIT_EXPECT_EQ(test, fm_function_at(object, i + 1, true), i);
	KUNIT_EXPECT_PTR_EQ(test, fm_chunk_row(chunk, i), &chunk->rows[first]);
	/* A second time nothing is done. */
	fm_program_answer(object, nr);
	KUNIT_EXPECT_PTR_EQ(test, fm_object_chunk(object, (u64)nr * FM_CHUNK_BYTES), chunk);
	/* Nor past the end. */
	fm_program_answer(object, object->nr_chunks);
	KUNIT_EXPECT_NULL(test, fm_object_chunk(object, (u64)object->nr_chunks *
						FM_CHUNK_BYTES));
	KUNIT_EXPECT_TRUE(test, fm_object_has_none(object, (u64)object->nr_chunks *
						   FM_CHUNK_BYTES));
	KUNIT_EXPECT_FALSE(test, fm_object_has_none(object, (u64)object->nr_chunks *
						    FM_CHUNK_BYTES - 1));
}

/* Rows that no sample used go first. */
static void rows_stay_within_their_memory(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	u32 nr, i, gone = 0, most = 0;
	size_t kept;

	KUNIT_ASSERT_NOT_NULL(test, object);
	nr = fm_first_chunk(object);
	KUNIT_ASSERT_NE_MSG(test, nr, U32_MAX, "no rows in " FM_PROGRAM);
	for (i = 0; i < object->nr_chunks; i++) {
		fm_program_answer(object, i);
		KUNIT_ASSERT_NOT_NULL(test, object->chunks[i]);
		most = max(most, object->chunks[i]->nr);
	}
	kept = fm_objects->kept_bytes;
	/* Once more, with room for the largest four of them at most. */
	fm_objects_destroy(fm_objects);
	fm_objects = fm_objects_create(kept + 4 * most * sizeof(struct fm_row), false);
	KUNIT_ASSERT_NOT_NULL(test, fm_objects);
	object = fm_find_file(fm_objects, file_inode(fm_file));
	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_program_answer(object, 0);
	KUNIT_ASSERT_EQ(test, object->state, FM_OBJECT_READY);
	for (i = 0; i < object->nr_chunks; i++) {
		fm_program_answer(object, i);
		KUNIT_ASSERT_LE(test, fm_objects->bytes, fm_objects->max_bytes);
	}
	for (i = 0; i < object->nr_chunks; i++)
		gone += !object->chunks[i];
	KUNIT_EXPECT_GT(test, gone, 0);
	KUNIT_EXPECT_LT(test, gone, object->nr_chunks);
	/* They come back when they are asked for again. */
	KUNIT_EXPECT_NULL(test, object->chunks[nr]);
	fm_program_answer(object, nr);
	KUNIT_EXPECT_NOT_NULL(test, object->chunks[nr]);
	KUNIT_EXPECT_LE(test, fm_objects->bytes, fm_objects->max_bytes);
}

/* kmalloc() takes more than was asked for, and twice as much of just more than 8 KiB. */
static void what_is_allocated_is_charged(struct kunit *test)
{
	size_t large = PAGE_SIZE * 2 + sizeof(struct fm_row), bytes;
	u32 nr = (large - sizeof(struct fm_chunk)) / sizeof(struct fm_row);
	const struct fm_part part = { .bytes = FM_CHUNK_BYTES };
	struct fm_chunk *place = NULL, *second = NULL;
	void *p;

	for (bytes = 8; bytes < 300000; bytes += bytes / 3 + 1) {
		p = krealloc(NULL, bytes, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, p);
		KUNIT_EXPECT_GE(test, fm_compat_alloc_bytes(bytes), ksize(p));
		KUNIT_EXPECT_LT(test, fm_compat_alloc_bytes(bytes), 2 * max_t(size_t, bytes, 8));
		kfree_sensitive(p);
	}
	fm_chunk_publish(fm_objects, &place, nr, &part);
	KUNIT_ASSERT_NOT_NULL(test, place);
	KUNIT_EXPECT_EQ(test, fm_objects->bytes, PAGE_SIZE * 4);
	/* When it goes, as much is given back. */
	fm_objects->max_bytes = PAGE_SIZE * 7;
	fm_chunk_publish(fm_objects, &second, nr, &part);
	KUNIT_EXPECT_NOT_NULL(test, second);
	KUNIT_EXPECT_NULL(test, place);
	KUNIT_EXPECT_EQ(test, fm_objects->bytes, PAGE_SIZE * 4);
}

/* The text after a segment may belong to another segment. The chunk has no rows for it. */
static void text_after_a_part_has_no_rows(struct kunit *test)
{
	const struct fm_part part = { .base = 1000, .function = 900, .bytes = 100 };
	struct fm_chunk *place = NULL;
	struct fm_object object = {
		.state = FM_OBJECT_READY, .nr_chunks = 1, .chunks = &place,
	};
	u64 start;

	fm_objects->rows[0] = (struct fm_row){ .kind = FM_CFA_SP, .cfa = 1 };
	fm_chunk_publish(fm_objects, &place, 1, &part);
	KUNIT_ASSERT_NOT_NULL(test, place);
	KUNIT_EXPECT_FALSE(test, fm_chunk_has(place, 999));
	KUNIT_EXPECT_TRUE(test, fm_chunk_has(place, 1000));
	KUNIT_EXPECT_TRUE(test, fm_chunk_has(place, 1099));
	KUNIT_EXPECT_FALSE(test, fm_chunk_has(place, 1100));
	KUNIT_EXPECT_TRUE(test, fm_object_function(&object, 1099, &start));
	KUNIT_EXPECT_EQ(test, start, 900);
	KUNIT_EXPECT_TRUE(test, fm_object_function(&object, 1100, &start));
	KUNIT_EXPECT_EQ(test, start, 1100);
	KUNIT_EXPECT_TRUE(test, fm_object_function(&object, 999, &start));
	KUNIT_EXPECT_EQ(test, start, 999);
}

/* The oldest rows are not the first to go if a sample used them since the last time. */
static void rows_that_samples_use_are_spared(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	u32 last, i;

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_program_answer(object, 0);
	KUNIT_ASSERT_GT(test, object->nr_chunks, 3);
	last = object->nr_chunks - 1;
	for (i = 0; i < last; i++) {
		fm_program_answer(object, i);
		KUNIT_ASSERT_NOT_NULL(test, object->chunks[i]);
		object->chunks[i]->used = i == 0;
	}
	fm_objects->max_bytes = fm_objects->bytes;
	fm_program_answer(object, last);
	KUNIT_EXPECT_NOT_NULL(test, object->chunks[last]);
	KUNIT_EXPECT_NULL(test, object->chunks[1]);
	KUNIT_ASSERT_NOT_NULL(test, object->chunks[0]);
	/* That is for once: it must be used again. */
	KUNIT_EXPECT_EQ(test, object->chunks[0]->used, 0);
}

/* What is kept of files cannot be freed, so it leaves most of the memory to rows. */
static void files_without_memory_have_no_rows(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_objects->max_bytes = sizeof(struct fm_object_file);
	fm_program_answer(object, 0);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NO_ROWS);
	KUNIT_EXPECT_NULL(test, object->file);
	KUNIT_EXPECT_EQ(test, fm_objects->bytes, 0);
}

/* What could not be allocated is not charged, to nobody. */
static void a_failed_allocation_is_not_charged(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	struct fm_budget *budget = &fm_objects->budgets.of[1];
	u32 nth;

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_program_budget = 1;
	/* What is kept about it, room for its path, and pointers to its rows. */
	for (nth = 1; nth <= 3; nth++) {
		budget->credit.ns = FM_CREDIT_MAX_NS;
		fm_allocations_fail(nth);
		fm_program_answer(object, U32_MAX);
		KUNIT_ASSERT_TRUE(test, fm_allocations_failed());
		KUNIT_EXPECT_EQ(test, object->state,
				nth == 2 ? FM_OBJECT_READY : FM_OBJECT_NO_ROWS);
		KUNIT_EXPECT_EQ(test, budget->kept_bytes, fm_objects->kept_bytes);
		KUNIT_EXPECT_EQ(test, fm_objects->bytes, fm_objects->kept_bytes);
		if (nth == 1)
			KUNIT_EXPECT_EQ(test, fm_objects->bytes, 0);
		if (nth == 3)
			KUNIT_EXPECT_EQ(test, fm_objects->bytes, FM_KEPT_OF_A_FILE);
		/* It is opened anew. */
		kvfree(object->chunks);
		kfree(object->file);
		object->chunks = NULL;
		object->file = NULL;
		object->state = FM_OBJECT_NEW;
		fm_budget_unkeep(&fm_objects->budgets, 1, fm_objects->kept_bytes);
		fm_objects->bytes = 0;
		fm_objects->kept_bytes = 0;
	}
	fm_allocations_fail(0);
}

static void what_is_no_program_has_no_rows(struct kunit *test)
{
	struct file *program = fm_file;
	struct fm_object *object;

	fm_file = filp_open("/proc/version", O_RDONLY, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(fm_file));
	fm_objects->any_fs = true;
	object = fm_find_file(fm_objects, file_inode(fm_file));
	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_program_answer(object, 0);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NO_ROWS);
	KUNIT_EXPECT_NULL(test, fm_object_chunk(object, 0));
	fput(fm_file);
	fm_file = program;
}

/* It sleeps for as long as pays for it. */
static void the_worker_has_a_budget(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_nr_waits = 0;
	fm_objects->budgets.credit = (struct fm_credit){ FM_CREDIT_MAX_NS, fm_clock() };
	fm_program_answer(object, U32_MAX);
	KUNIT_EXPECT_EQ(test, fm_nr_waits, 0);
	fm_objects->budgets.credit = (struct fm_credit){ -NSEC_PER_SEC, fm_clock() };
	fm_program_answer(object, U32_MAX);
	KUNIT_EXPECT_EQ(test, fm_nr_waits, 1);
}

static long fm_count;

static void fm_count_references(void)
{
	fm_count = file_count(fm_file);
}

/* Nobody can unmount its file system before. */
static void a_file_is_let_go_before_the_worker_sleeps(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_objects->budgets.credit = (struct fm_credit){ -NSEC_PER_SEC, fm_clock() };
	fm_count = 0;
	fm_at_sleep = fm_count_references;
	fm_program_answer(object, U32_MAX);
	fm_at_sleep = NULL;
	KUNIT_EXPECT_EQ(test, fm_count, 1);
}

/* To free its blocks may take long: another thread does so. All others are closed at once. */
static void a_deleted_file_is_closed_by_another_thread(struct kunit *test)
{
	struct fm_request request = { .file = shmem_file_setup("deleted", 1 << 20, VM_NORESERVE) };
	struct dentry *dentry;
	int count;

	KUNIT_ASSERT_FALSE(test, IS_ERR(request.file));
	dentry = dget(request.file->f_path.dentry);
	/* The other thread is on this CPU, and must wait. */
	preempt_disable();
	fm_object_drop(&request);
	count = d_count(dentry);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, count, 2);
	flush_delayed_fput();
	KUNIT_EXPECT_EQ(test, d_count(dentry), 1);
	dput(dentry);
	request.file = filp_open(FM_OTHER, O_RDONLY, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(request.file));
	dentry = dget(request.file->f_path.dentry);
	count = d_count(dentry);
	fm_object_drop(&request);
	KUNIT_EXPECT_EQ(test, d_count(dentry), count - 1);
	dput(dentry);
}

/* Nobody waits for rows any more when the module goes: files are let go at once. */
static void what_waits_at_the_end_is_only_dropped(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	const struct fm_request request = { .object = object, .file = fm_file };
	bool asked;

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_nr_waits = 0;
	fm_objects->budgets.credit.ns = -NSEC_PER_SEC;
	fm_objects->stopping = true;
	local_irq_disable();
	asked = fm_objects_request(fm_objects, &request);
	local_irq_enable();
	KUNIT_ASSERT_TRUE(test, asked);
	fm_objects_destroy(fm_objects);
	fm_objects = NULL;
	KUNIT_EXPECT_EQ(test, file_count(fm_file), 1);
	KUNIT_EXPECT_EQ(test, fm_nr_waits, 0);
}

static struct kunit_case fm_user_objects_cases[] = {
	KUNIT_CASE(create_fails_cleanly),
	KUNIT_CASE(a_file_is_one_object),
	KUNIT_CASE(some_files_are_not_read),
	KUNIT_CASE(file_systems_without_a_server_are_local),
	KUNIT_CASE(a_hole_gets_no_memory),
	KUNIT_CASE(there_is_an_end_of_objects),
	KUNIT_CASE(text_is_compiled_when_asked_for),
	KUNIT_CASE(rows_stay_within_their_memory),
	KUNIT_CASE(what_is_allocated_is_charged),
	KUNIT_CASE(text_after_a_part_has_no_rows),
	KUNIT_CASE(rows_that_samples_use_are_spared),
	KUNIT_CASE(files_without_memory_have_no_rows),
	KUNIT_CASE(a_failed_allocation_is_not_charged),
	KUNIT_CASE(what_is_no_program_has_no_rows),
	KUNIT_CASE(the_worker_has_a_budget),
	KUNIT_CASE(a_file_is_let_go_before_the_worker_sleeps),
	KUNIT_CASE(a_deleted_file_is_closed_by_another_thread),
	KUNIT_CASE(what_waits_at_the_end_is_only_dropped),
	{}
};

struct kunit_suite fm_user_objects_suite = {
	.name = "flamemod_user_objects",
	.init = fm_program_begin,
	.exit = fm_program_end,
	.test_cases = fm_user_objects_cases,
};
