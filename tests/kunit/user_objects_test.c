// SPDX-License-Identifier: GPL-2.0
/*
 * Objects of user stacks: files that may be read are found by what they are, their
 * text is compiled when it is asked for, and rows stay within their memory.
 */
#include <linux/elf.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/shmem_fs.h>
#include <kunit/test.h>

#include "../../module/memory.h"
#include "../../module/symbols.h"
#include "../../module/user/names.h"
#include "../../module/user/object.h"
#include "../../module/user/paths.h"
#include "allocations.h"
#include "redirect.h"
#include "suites.h"

/* A program of the guest, of more than a few chunks. */
#define FM_PROGRAM	"/bin/bash"
/* Another file of it. */
#define FM_OTHER	"/init"

static struct fm_objects *fm_objects;
static struct file *fm_file;

static int fm_objects_begin(struct kunit *test)
{
	fm_allocations_init(test);
	fm_objects = fm_objects_create(FM_ROWS_KB_MIN * 1024, false);
	fm_file = filp_open(FM_PROGRAM, O_RDONLY, 0);
	return fm_objects && !IS_ERR(fm_file) ? 0 : -ENOENT;
}

static void fm_objects_end(struct kunit *test)
{
	if (!IS_ERR_OR_NULL(fm_file))
		fput(fm_file);
	if (fm_objects)
		fm_objects_destroy(fm_objects);
	fm_file = NULL;
	fm_objects = NULL;
	fm_allocations_exit(test);
}

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

/* As the worker does with a request; here the file stays open. */
static void fm_answer(struct fm_object *object, u32 chunk)
{
	struct fm_request request = {
		.object = object,
		.file = get_file(fm_file),
		.chunk = chunk,
	};

	fm_object_answer(fm_objects, &request);
}

static void a_file_is_one_object(struct kunit *test)
{
	struct fm_object *object = fm_objects_find(fm_objects, file_inode(fm_file));
	struct file *again = filp_open(FM_PROGRAM, O_RDONLY, 0);
	struct file *other = filp_open(FM_OTHER, O_RDONLY, 0);

	KUNIT_ASSERT_NOT_NULL(test, object);
	KUNIT_ASSERT_FALSE(test, IS_ERR(again) || IS_ERR(other));
	KUNIT_EXPECT_EQ(test, object->number, 1);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NEW);
	KUNIT_EXPECT_PTR_EQ(test, fm_objects_find(fm_objects, file_inode(again)), object);
	KUNIT_EXPECT_PTR_NE(test, fm_objects_find(fm_objects, file_inode(other)), object);
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
	KUNIT_EXPECT_NULL(test, fm_objects_find(fm_objects, file_inode(proc)));
	KUNIT_EXPECT_NULL(test, fm_objects_find(fm_objects, file_inode(device)));
	fm_objects->any_fs = true;
	KUNIT_EXPECT_NOT_NULL(test, fm_objects_find(fm_objects, file_inode(proc)));
	KUNIT_EXPECT_NULL(test, fm_objects_find(fm_objects, file_inode(device)));
	fput(proc);
	fput(device);
}

/* A file in memory with nothing in it is read as zeros, and stays without a page. */
static void a_hole_gets_no_memory(struct kunit *test)
{
	struct file *hole = shmem_file_setup("hole", 1 << 20, VM_NORESERVE);
	struct fm_request request = { .file = hole };

	KUNIT_ASSERT_FALSE(test, IS_ERR(hole));
	request.object = fm_objects_find(fm_objects, file_inode(hole));
	KUNIT_ASSERT_NOT_NULL(test, request.object);
	fm_object_learn(fm_objects, &request);
	KUNIT_EXPECT_EQ(test, request.object->state, FM_OBJECT_NO_ROWS);
	KUNIT_EXPECT_EQ(test, hole->f_mapping->nrpages, 0);
	fput(hole);
}

static void there_is_an_end_of_objects(struct kunit *test)
{
	struct fm_object *object = fm_objects_find(fm_objects, file_inode(fm_file));
	struct file *other = filp_open(FM_OTHER, O_RDONLY, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR(other));
	atomic_set(&fm_objects->nr, FM_OBJECTS_MAX);
	KUNIT_EXPECT_NULL(test, fm_objects_find(fm_objects, file_inode(other)));
	KUNIT_EXPECT_PTR_EQ(test, fm_objects_find(fm_objects, file_inode(fm_file)), object);
	atomic_set(&fm_objects->nr, 1);
	fput(other);
}

/* Return: the first chunk that has rows of functions, or U32_MAX. */
static u32 fm_first_chunk(struct fm_object *object)
{
	u32 i;

	/* Its headers say how many chunks there are. */
	fm_answer(object, 0);
	for (i = 0; i < object->nr_chunks; i++) {
		fm_answer(object, i);
		if (object->chunks[i] && object->chunks[i]->nr > 16)
			return i;
	}
	return U32_MAX;
}

static void text_is_compiled_when_asked_for(struct kunit *test)
{
	struct fm_object *object = fm_objects_find(fm_objects, file_inode(fm_file));
	const struct fm_chunk *chunk;
	u64 first = 0, i;
	u32 nr;

	KUNIT_ASSERT_NOT_NULL(test, object);
	KUNIT_EXPECT_NULL(test, fm_object_chunk(object, 0));
	/* What is not known stays as it is. */
	KUNIT_EXPECT_EQ(test, fm_object_function(object, 0x4321), 0x4321);
	fm_answer(object, 0);
	KUNIT_ASSERT_EQ(test, object->state, FM_OBJECT_READY);
	KUNIT_ASSERT_NOT_NULL(test, object->file);
	KUNIT_EXPECT_NOT_NULL(test, strstr(object->file->path, "bash"));
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
	KUNIT_EXPECT_EQ(test, fm_object_function(object, i), i);
	KUNIT_EXPECT_EQ(test, fm_object_function(object, i + 1), i);
	KUNIT_EXPECT_PTR_EQ(test, fm_chunk_row(chunk, i), &chunk->rows[first]);
	/* A second time nothing is done. */
	fm_answer(object, nr);
	KUNIT_EXPECT_PTR_EQ(test, fm_object_chunk(object, (u64)nr * FM_CHUNK_BYTES), chunk);
	/* Nor past the end. */
	fm_answer(object, object->nr_chunks);
	KUNIT_EXPECT_NULL(test, fm_object_chunk(object, (u64)object->nr_chunks *
						FM_CHUNK_BYTES));
	KUNIT_EXPECT_TRUE(test, fm_object_has_none(object, (u64)object->nr_chunks *
						   FM_CHUNK_BYTES));
	KUNIT_EXPECT_FALSE(test, fm_object_has_none(object, (u64)object->nr_chunks *
						    FM_CHUNK_BYTES - 1));
}

static u32 fm_named(struct kunit *test, struct fm_symbols *symbols,
		    const struct fm_object *object, u64 offset, bool places)
{
	u32 id = U32_MAX;

	KUNIT_EXPECT_EQ(test, fm_user_name(symbols, fm_objects,
					   fm_user_frame(object->number, offset), places,
					   &id), 0);
	return id;
}

static void places_are_kept_apart_if_asked_for(struct kunit *test)
{
	struct fm_memory memory = { .limit_bytes = 1 << 20 };
	struct fm_object *object = fm_objects_find(fm_objects, file_inode(fm_file));
	struct fm_symbols *symbols = kunit_kzalloc(test, sizeof(*symbols), GFP_KERNEL);
	u64 entry;
	u32 start;

	KUNIT_ASSERT_NOT_NULL(test, object);
	KUNIT_ASSERT_NOT_NULL(test, symbols);
	KUNIT_ASSERT_EQ(test, fm_symbols_init(symbols, &memory), 0);
	fm_answer(object, 0);
	fm_answer(object, (u32)(object->entry / FM_CHUNK_BYTES));
	/* _start has several instructions */
	entry = fm_object_function(object, object->entry + 8);
	KUNIT_EXPECT_EQ(test, entry, object->entry);
	start = fm_named(test, symbols, object, entry, false);
	KUNIT_EXPECT_EQ(test, fm_named(test, symbols, object, entry + 8, false), start);
	KUNIT_EXPECT_EQ(test, fm_named(test, symbols, object, entry, true), start);
	KUNIT_EXPECT_NE(test, fm_named(test, symbols, object, entry + 8, true), start);
	fm_symbols_deinit(symbols);
}

/* Until its rows are there, a function's start is not known, and not kept. */
static void a_name_is_kept_once_its_start_is_known(struct kunit *test)
{
	struct fm_memory memory = { .limit_bytes = 1 << 20 };
	struct fm_object *object = fm_objects_find(fm_objects, file_inode(fm_file));
	struct fm_symbols *symbols = kunit_kzalloc(test, sizeof(*symbols), GFP_KERNEL);
	u32 nr, place, start;
	struct fm_chunk *chunk;
	u64 offset;

	KUNIT_ASSERT_NOT_NULL(test, object);
	KUNIT_ASSERT_NOT_NULL(test, symbols);
	KUNIT_ASSERT_EQ(test, fm_symbols_init(symbols, &memory), 0);
	fm_answer(object, 0);
	offset = object->entry + 8;
	nr = (u32)(offset / FM_CHUNK_BYTES);
	fm_answer(object, nr);
	chunk = object->chunks[nr];
	object->chunks[nr] = NULL;
	place = fm_named(test, symbols, object, offset, false);
	object->chunks[nr] = chunk;
	start = fm_named(test, symbols, object, object->entry, false);
	KUNIT_EXPECT_NE(test, place, start);
	KUNIT_EXPECT_EQ(test, fm_named(test, symbols, object, offset, false), start);
	/* The rows may go. */
	object->chunks[nr] = NULL;
	KUNIT_EXPECT_EQ(test, fm_named(test, symbols, object, offset, false), start);
	object->chunks[nr] = chunk;
	fm_symbols_deinit(symbols);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
}

static void a_name_is_found_without_memory_to_keep_it(struct kunit *test)
{
	struct fm_memory memory = { .limit_bytes = 1 << 20 };
	struct fm_object *object = fm_objects_find(fm_objects, file_inode(fm_file));
	struct fm_symbols *symbols = kunit_kzalloc(test, sizeof(*symbols), GFP_KERNEL);
	u32 place;

	KUNIT_ASSERT_NOT_NULL(test, object);
	KUNIT_ASSERT_NOT_NULL(test, symbols);
	KUNIT_ASSERT_EQ(test, fm_symbols_init(symbols, &memory), 0);
	fm_answer(object, 0);
	/* Its text and its place among the frames are there. */
	place = fm_named(test, symbols, object, object->entry, true);
	fm_memory_free(&memory, symbols->user_known, FM_USER_KNOWN_BYTES);
	symbols->user_known = NULL;
	memory.limit_bytes = fm_memory_used(&memory) + FM_USER_KNOWN_BYTES - 1;
	KUNIT_EXPECT_EQ(test, fm_named(test, symbols, object, object->entry, true), place);
	KUNIT_EXPECT_NULL(test, symbols->user_known);
	fm_symbols_deinit(symbols);
}

/* Rows that no sample used go first. */
static void rows_stay_within_their_memory(struct kunit *test)
{
	struct fm_object *object = fm_objects_find(fm_objects, file_inode(fm_file));
	u32 nr, i, gone = 0, most = 0;
	size_t kept;

	KUNIT_ASSERT_NOT_NULL(test, object);
	nr = fm_first_chunk(object);
	KUNIT_ASSERT_NE_MSG(test, nr, U32_MAX, "no rows in " FM_PROGRAM);
	for (i = 0; i < object->nr_chunks; i++) {
		fm_answer(object, i);
		KUNIT_ASSERT_NOT_NULL(test, object->chunks[i]);
		most = max(most, object->chunks[i]->nr);
	}
	kept = fm_objects->kept_bytes;
	/* Once more, with room for the largest four of them at most. */
	fm_objects_destroy(fm_objects);
	fm_objects = fm_objects_create(kept + 4 * most * sizeof(struct fm_row), false);
	KUNIT_ASSERT_NOT_NULL(test, fm_objects);
	object = fm_objects_find(fm_objects, file_inode(fm_file));
	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_answer(object, 0);
	KUNIT_ASSERT_EQ(test, object->state, FM_OBJECT_READY);
	for (i = 0; i < object->nr_chunks; i++) {
		fm_answer(object, i);
		KUNIT_ASSERT_LE(test, fm_objects->bytes, fm_objects->max_bytes);
	}
	for (i = 0; i < object->nr_chunks; i++)
		gone += !object->chunks[i];
	KUNIT_EXPECT_GT(test, gone, 0);
	KUNIT_EXPECT_LT(test, gone, object->nr_chunks);
	/* They come back when they are asked for again. */
	KUNIT_EXPECT_NULL(test, object->chunks[nr]);
	fm_answer(object, nr);
	KUNIT_EXPECT_NOT_NULL(test, object->chunks[nr]);
	KUNIT_EXPECT_LE(test, fm_objects->bytes, fm_objects->max_bytes);
}

/* The oldest rows are not the first to go if a sample used them since the last time. */
static void rows_that_samples_use_are_spared(struct kunit *test)
{
	struct fm_object *object = fm_objects_find(fm_objects, file_inode(fm_file));
	u32 last, i;

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_answer(object, 0);
	KUNIT_ASSERT_GT(test, object->nr_chunks, 3);
	last = object->nr_chunks - 1;
	for (i = 0; i < last; i++) {
		fm_answer(object, i);
		KUNIT_ASSERT_NOT_NULL(test, object->chunks[i]);
		object->chunks[i]->used = i == 0;
	}
	fm_objects->max_bytes = fm_objects->bytes;
	fm_answer(object, last);
	KUNIT_EXPECT_NOT_NULL(test, object->chunks[last]);
	KUNIT_EXPECT_NULL(test, object->chunks[1]);
	KUNIT_ASSERT_NOT_NULL(test, object->chunks[0]);
	/* That is for once: it must be used again. */
	KUNIT_EXPECT_EQ(test, object->chunks[0]->used, 0);
}

/* What is kept of files cannot be freed, so it leaves most of the memory to rows. */
static void files_without_memory_have_no_rows(struct kunit *test)
{
	struct fm_object *object = fm_objects_find(fm_objects, file_inode(fm_file));

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_objects->max_bytes = sizeof(struct fm_object_file);
	fm_answer(object, 0);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NO_ROWS);
	KUNIT_EXPECT_NULL(test, object->file);
	KUNIT_EXPECT_EQ(test, fm_objects->bytes, 0);
}

static void what_is_no_program_has_no_rows(struct kunit *test)
{
	struct file *program = fm_file;
	struct fm_object *object;

	fm_file = filp_open("/proc/version", O_RDONLY, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(fm_file));
	fm_objects->any_fs = true;
	object = fm_objects_find(fm_objects, file_inode(fm_file));
	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_answer(object, 0);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NO_ROWS);
	KUNIT_EXPECT_NULL(test, fm_object_chunk(object, 0));
	fput(fm_file);
	fm_file = program;
}

/* A copy of the program in memory, or NULL. */
static struct file *fm_copy_program(void)
{
	loff_t size = i_size_read(file_inode(fm_file)), from = 0, to = 0;
	struct file *copy = shmem_file_setup("program", size, 0);
	u8 *bytes = (u8 *)__get_free_page(GFP_KERNEL);
	ssize_t nr = 0;

	while (!IS_ERR(copy) && bytes && from < size) {
		nr = kernel_read(fm_file, bytes, PAGE_SIZE, &from);
		if (nr <= 0 || kernel_write(copy, bytes, nr, &to) != nr)
			break;
	}
	free_page((unsigned long)bytes);
	if (!IS_ERR(copy) && to == size)
		return copy;
	if (!IS_ERR(copy))
		fput(copy);
	return NULL;
}

/* Write to the file that is tested. Its object is a new one then. */
static void fm_change(struct kunit *test, u64 offset, const void *bytes, size_t nr)
{
	loff_t at = offset;

	/* Its time of change may be the same, since that comes from a coarse clock. */
	file_inode(fm_file)->i_generation++;
	KUNIT_ASSERT_EQ(test, kernel_write(fm_file, bytes, nr, &at), nr);
}

static void fm_read(struct kunit *test, u64 offset, void *bytes, size_t nr)
{
	loff_t at = offset;

	KUNIT_ASSERT_EQ(test, kernel_read(fm_file, bytes, nr, &at), nr);
}

/* Hide the program's own index. Return: where .eh_frame is, as linked. */
static u64 fm_hide_index(struct kunit *test, struct elf64_hdr *head)
{
	struct elf64_phdr header;
	u8 index[8];
	u32 i;
	u64 at;

	fm_read(test, 0, head, sizeof(*head));
	for (i = 0; i < head->e_phnum; i++) {
		at = head->e_phoff + i * sizeof(header);
		fm_read(test, at, &header, sizeof(header));
		if (header.p_type != PT_GNU_EH_FRAME)
			continue;
		header.p_type = PT_NULL;
		fm_change(test, at, &header, sizeof(header));
		fm_read(test, header.p_offset, index, sizeof(index));
		return header.p_offset + 4 + *(s32 *)(index + 4);
	}
	KUNIT_FAIL(test, "no .eh_frame_hdr in " FM_PROGRAM);
	return 0;
}

/* As fm_answer(), of all chunks of the file that is tested now. */
static struct fm_object *fm_learn_all(struct kunit *test)
{
	struct fm_object *object = fm_objects_find(fm_objects, file_inode(fm_file));
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_answer(object, 0);
	for (i = 1; i < object->nr_chunks; i++)
		fm_answer(object, i);
	return object;
}

/* gcc -static links so. */
static void a_program_without_an_index_gets_one(struct kunit *test)
{
	struct file *program = fm_file, *copy = fm_copy_program();
	struct fm_object *with, *without;
	u32 i, nr = 0, damaged = 3;
	struct elf64_hdr head;
	u64 frame;
	size_t kept;

	KUNIT_ASSERT_NOT_NULL(test, copy);
	fm_objects->max_bytes = 16 << 20;
	with = fm_learn_all(test);
	KUNIT_ASSERT_EQ(test, with->state, FM_OBJECT_READY);
	KUNIT_EXPECT_NULL(test, with->file->index);
	fm_file = copy;
	frame = fm_hide_index(test, &head);
	without = fm_learn_all(test);
	KUNIT_EXPECT_PTR_NE(test, without, with);
	KUNIT_ASSERT_EQ(test, without->state, FM_OBJECT_READY);
	KUNIT_ASSERT_NOT_NULL(test, without->file->index);
	KUNIT_ASSERT_EQ(test, without->nr_chunks, with->nr_chunks);
	for (i = 0; i < with->nr_chunks; i++) {
		KUNIT_ASSERT_NOT_NULL(test, with->chunks[i]);
		KUNIT_ASSERT_NOT_NULL(test, without->chunks[i]);
		KUNIT_ASSERT_EQ(test, without->chunks[i]->nr, with->chunks[i]->nr);
		KUNIT_EXPECT_EQ(test, memcmp(without->chunks[i]->rows, with->chunks[i]->rows,
					     with->chunks[i]->nr * sizeof(struct fm_row)), 0);
		nr += with->chunks[i]->nr;
	}
	KUNIT_EXPECT_GT(test, nr, 1000);
	/* There must be memory for it. */
	kept = fm_objects->kept_bytes;
	head.e_flags++;
	fm_change(test, 0, &head, sizeof(head));
	fm_objects->max_bytes = 4 * (kept + sizeof(struct fm_object_file));
	without = fm_learn_all(test);
	KUNIT_EXPECT_EQ(test, without->state, FM_OBJECT_NO_ROWS);
	KUNIT_ASSERT_NOT_NULL(test, without->file);
	KUNIT_EXPECT_NULL(test, without->file->index);
	KUNIT_EXPECT_LE(test, fm_objects->kept_bytes, kept + sizeof(struct fm_object_file));
	fm_objects->max_bytes = 16 << 20;
	/* And no damage. */
	fm_change(test, frame, &damaged, sizeof(damaged));
	without = fm_learn_all(test);
	KUNIT_EXPECT_EQ(test, without->state, FM_OBJECT_NO_ROWS);
	KUNIT_ASSERT_NOT_NULL(test, without->file);
	KUNIT_EXPECT_NULL(test, without->file->index);
	fm_file = program;
	fput(copy);
}

/* Section headers are not needed to run, so they may be anything. */
static void sections_may_be_damaged(struct kunit *test)
{
	struct file *program = fm_file, *copy = fm_copy_program();
	struct elf64_shdr names;
	struct elf64_hdr head, damaged;
	struct fm_object *object;
	u64 at;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, copy);
	fm_objects->max_bytes = 16 << 20;
	fm_file = copy;
	fm_hide_index(test, &head);
	object = fm_learn_all(test);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_READY);
	for (i = 0; i < 6; i++) {
		damaged = head;
		switch (i) {
		case 0:
			damaged.e_shoff = 0;
			break;
		case 1:
			damaged.e_shoff = U64_MAX - 64;
			break;
		case 2:
			damaged.e_shnum = 0;
			break;
		case 3:
			damaged.e_shentsize--;
			break;
		case 4:		/* the names, which come last, are past the end */
			damaged.e_shnum = head.e_shstrndx;
			break;
		case 5:		/* the names are cut short */
			at = head.e_shoff + head.e_shstrndx * sizeof(names);
			fm_read(test, at, &names, sizeof(names));
			names.sh_size = 9;
			fm_change(test, at, &names, sizeof(names));
			break;
		}
		fm_change(test, 0, &damaged, sizeof(damaged));
		object = fm_learn_all(test);
		KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NO_ROWS);
	}
	fm_file = program;
	fput(copy);
}

/* It sleeps for as long as pays for it. */
static void the_worker_has_a_budget(struct kunit *test)
{
	struct fm_object *object = fm_objects_find(fm_objects, file_inode(fm_file));

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_nr_waits = 0;
	fm_objects->credit_ns = FM_CREDIT_MAX_NS;
	fm_objects->credit_at_ns = fm_clock();
	fm_answer(object, U32_MAX);
	KUNIT_EXPECT_EQ(test, fm_nr_waits, 0);
	fm_objects->credit_ns = -NSEC_PER_SEC;
	fm_objects->credit_at_ns = fm_clock();
	fm_answer(object, U32_MAX);
	KUNIT_EXPECT_EQ(test, fm_nr_waits, 1);
}

/* Nobody waits for rows any more when the module goes: files are let go at once. */
static void what_waits_at_the_end_is_only_dropped(struct kunit *test)
{
	struct fm_object *object = fm_objects_find(fm_objects, file_inode(fm_file));
	const struct fm_request request = { .object = object, .file = fm_file };
	bool asked;

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_nr_waits = 0;
	fm_objects->credit_ns = -NSEC_PER_SEC;
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
	KUNIT_CASE(a_hole_gets_no_memory),
	KUNIT_CASE(there_is_an_end_of_objects),
	KUNIT_CASE(text_is_compiled_when_asked_for),
	KUNIT_CASE(places_are_kept_apart_if_asked_for),
	KUNIT_CASE(a_name_is_kept_once_its_start_is_known),
	KUNIT_CASE(a_name_is_found_without_memory_to_keep_it),
	KUNIT_CASE(rows_stay_within_their_memory),
	KUNIT_CASE(rows_that_samples_use_are_spared),
	KUNIT_CASE(files_without_memory_have_no_rows),
	KUNIT_CASE(what_is_no_program_has_no_rows),
	KUNIT_CASE(a_program_without_an_index_gets_one),
	KUNIT_CASE(sections_may_be_damaged),
	KUNIT_CASE(the_worker_has_a_budget),
	KUNIT_CASE(what_waits_at_the_end_is_only_dropped),
	{}
};

struct kunit_suite fm_user_objects_suite = {
	.name = "flamemod_user_objects",
	.init = fm_objects_begin,
	.exit = fm_objects_end,
	.test_cases = fm_user_objects_cases,
};
