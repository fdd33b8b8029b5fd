// SPDX-License-Identifier: GPL-2.0
/*
 * Programs without an index of their unwind tables: the module finds the tables by the section
 * headers, which may be damaged, and makes an index.
 */
#include <linux/elf.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/shmem_fs.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/compat/compat.h"
#include "../../module/user/object.h"
#include "allocations.h"
#include "program.h"
#include "suites.h"
#include "who.h"

/* Return: the memory that is kept about each file. */
static size_t fm_kept(void)
{
	return fm_compat_alloc_bytes(sizeof(struct fm_object_file));
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

/* As fm_program_answer(), of all chunks of the file that is tested now. */
static struct fm_object *fm_learn_all(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_program_answer(object, 0);
	for (i = 1; i < object->nr_chunks; i++)
		fm_program_answer(object, i);
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
	fm_objects->max_bytes = 4 * (kept + fm_kept());
	without = fm_learn_all(test);
	KUNIT_EXPECT_EQ(test, without->state, FM_OBJECT_NO_ROWS);
	KUNIT_ASSERT_NOT_NULL(test, without->file);
	KUNIT_EXPECT_NULL(test, without->file->index);
	KUNIT_EXPECT_LE(test, fm_objects->kept_bytes, kept + fm_kept());
	fm_objects->max_bytes = 16 << 20;
	/* And no failure: then it is not charged. */
	kept = fm_objects->kept_bytes;
	fm_change(test, 0, &head, sizeof(head));
	/* What is kept about it and the room for its path come first. */
	fm_allocations_fail(3);
	without = fm_learn_all(test);
	fm_allocations_fail(0);
	KUNIT_EXPECT_EQ(test, without->state, FM_OBJECT_NO_ROWS);
	KUNIT_EXPECT_EQ(test, fm_objects->kept_bytes, kept + fm_kept());
	/* And no damage. */
	kept = fm_objects->kept_bytes;
	fm_change(test, frame, &damaged, sizeof(damaged));
	without = fm_learn_all(test);
	KUNIT_EXPECT_EQ(test, without->state, FM_OBJECT_NO_ROWS);
	KUNIT_ASSERT_NOT_NULL(test, without->file);
	KUNIT_EXPECT_NULL(test, without->file->index);
	KUNIT_EXPECT_EQ(test, fm_objects->kept_bytes, kept + fm_kept());
	fm_file = program;
	fput(copy);
}

/* Return: where the name of a section ends in the section of names; 0: there is none. */
static u64 fm_end_of_name(struct kunit *test, const struct elf64_hdr *head,
			  const struct elf64_shdr *names, const char *wanted)
{
	size_t bytes = strlen(wanted) + 1;
	struct elf64_shdr section;
	char name[16];
	u32 i;

	for (i = 0; i < head->e_shnum; i++) {
		fm_read(test, head->e_shoff + i * sizeof(section), &section, sizeof(section));
		if (section.sh_name + sizeof(name) > names->sh_size)
			continue;
		fm_read(test, names->sh_offset + section.sh_name, name, sizeof(name));
		if (!memcmp(name, wanted, bytes))
			return section.sh_name + bytes;
	}
	return 0;
}

/* Section headers are not needed to run, so they may be anything. */
static void sections_may_be_damaged(struct kunit *test)
{
	struct file *program = fm_file, *copy = fm_copy_program();
	struct elf64_shdr names;
	struct elf64_hdr head, damaged;
	struct fm_object *object;
	u64 at, whole;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, copy);
	fm_objects->max_bytes = 16 << 20;
	fm_file = copy;
	fm_hide_index(test, &head);
	object = fm_learn_all(test);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_READY);
	at = head.e_shoff + head.e_shstrndx * sizeof(names);
	fm_read(test, at, &names, sizeof(names));
	whole = fm_end_of_name(test, &head, &names, ".eh_frame");
	KUNIT_ASSERT_NE(test, whole, 0);
	for (i = 0; i < 7; i++) {
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
			names.sh_size = 9;
			fm_change(test, at, &names, sizeof(names));
			break;
		case 6:		/* and so that they lack the last byte of the one looked for */
			names.sh_size = whole - 1;
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

static struct kunit_case fm_user_index_cases[] = {
	KUNIT_CASE(a_program_without_an_index_gets_one),
	KUNIT_CASE(sections_may_be_damaged),
	{}
};

struct kunit_suite fm_user_index_suite = {
	.name = "flamemod_user_index",
	.init = fm_program_begin,
	.exit = fm_program_end,
	.test_cases = fm_user_index_cases,
};
