// SPDX-License-Identifier: GPL-2.0
/*
 * Names of user frames: a function's start, once its rows are there, or each place.
 */
#include <linux/fs.h>
#include <kunit/test.h>

#include "../../module/memory.h"
#include "../../module/symbols.h"
#include "../../module/user/names.h"
#include "../../module/user/object.h"
#include "../../module/user/paths.h"
#include "allocations.h"
#include "name.h"
#include "program.h"
#include "suites.h"
#include "who.h"

/* Return: names in @memory, for the caller to deinit. */
static struct fm_symbols *fm_names(struct kunit *test, struct fm_memory *memory)
{
	struct fm_symbols *symbols = kunit_kzalloc(test, sizeof(*symbols), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, symbols);
	KUNIT_ASSERT_EQ(test, fm_symbols_init(symbols, memory), 0);
	return symbols;
}

/* Return: the program's object, after its file was read. */
static struct fm_object *fm_program(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_program_answer(object, 0);
	return object;
}

static u32 fm_named(struct kunit *test, struct fm_symbols *symbols,
		    const struct fm_object *object, u64 offset, bool places)
{
	u32 id = U32_MAX;

	KUNIT_EXPECT_GE(test, fm_user_name(symbols, fm_objects,
					   fm_user_frame(object->number, offset), places,
					   &id), 0);
	return id;
}

static void places_are_kept_apart_if_asked_for(struct kunit *test)
{
	struct fm_memory memory = { .limit_bytes = 1 << 20 };
	struct fm_object *object = fm_program(test);
	struct fm_symbols *symbols = fm_names(test, &memory);
	u64 entry;
	u32 start;

	fm_program_answer(object, (u32)(object->entry / FM_CHUNK_BYTES));
	/* _start has several instructions */
	KUNIT_EXPECT_TRUE(test, fm_object_function(object, object->entry + 8, &entry));
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
	struct fm_object *object = fm_program(test);
	struct fm_symbols *symbols = fm_names(test, &memory);
	u64 offset = object->entry + 8, frame = fm_user_frame(object->number, offset);
	u32 nr, place, start;
	struct fm_chunk *chunk;

	nr = (u32)(offset / FM_CHUNK_BYTES);
	fm_program_answer(object, nr);
	chunk = object->chunks[nr];
	object->chunks[nr] = NULL;
	KUNIT_EXPECT_EQ(test, fm_user_name(symbols, fm_objects, frame, false, &place),
			FM_SYMBOLS_PASSES);
	object->chunks[nr] = chunk;
	start = fm_named(test, symbols, object, object->entry, false);
	KUNIT_EXPECT_NE(test, place, start);
	KUNIT_EXPECT_EQ(test, fm_named(test, symbols, object, offset, false), start);
	/* The rows may go. */
	object->chunks[nr] = NULL;
	KUNIT_EXPECT_EQ(test, fm_user_name(symbols, fm_objects, frame, false, &place), 0);
	KUNIT_EXPECT_EQ(test, place, start);
	/* A file without rows gets none later. */
	object->state = FM_OBJECT_NO_ROWS;
	fm_pool_deinit(&symbols->user_known);
	KUNIT_EXPECT_EQ(test, fm_user_name(symbols, fm_objects, frame, false, &place), 0);
	KUNIT_EXPECT_NE(test, place, start);
	object->state = FM_OBJECT_READY;
	object->chunks[nr] = chunk;
	fm_symbols_deinit(symbols);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
}

/* A name is made when it is sent. */
static void a_name_has_the_file_and_its_build_id(struct kunit *test)
{
	static const struct fm_symbols_file files[] = {
		{ .path = "/bin/a", .path_bytes = 6, .id = "0123ab", .id_bytes = 6 },
		{ .path = "/bin/b", .path_bytes = 6 },
	};
	static const struct {
		u64 offset;
		const char *names[2];
	} cases[] = {
		{ 0, { "/bin/a+0x0 0123ab", "/bin/b+0x0" } },
		{ 0xf, { "/bin/a+0xf 0123ab", "/bin/b+0xf" } },
		{ 0x10, { "/bin/a+0x10 0123ab", "/bin/b+0x10" } },
		{ 0xfff, { "/bin/a+0xfff 0123ab", "/bin/b+0xfff" } },
		{ 0xffffffffffffffff, { "/bin/a+0xffffffffffffffff 0123ab",
					"/bin/b+0xffffffffffffffff" } },
	};
	struct fm_memory memory = { .limit_bytes = 1 << 20 };
	struct fm_symbols *symbols = fm_names(test, &memory);
	const struct fm_frame *frame;
	u32 i, n, id, again;

	for (i = 0; i < 2 * ARRAY_SIZE(cases); i++) {
		const char *name = cases[i / 2].names[i % 2];

		for (n = 0; n < 2; n++) {
			KUNIT_ASSERT_EQ(test, fm_symbols_place(symbols, &files[i % 2],
							       cases[i / 2].offset, &id), 0);
			KUNIT_EXPECT_EQ(test, id, i);
		}
		frame = fm_set_at(&symbols->frames, id);
		KUNIT_EXPECT_EQ(test, frame->kind, FLAMEMOD_FRAME_USER);
		KUNIT_EXPECT_EQ(test, frame->name_bytes, strlen(name) + 1);
		KUNIT_EXPECT_STREQ(test, fm_frame_text(frame), name);
	}
	/* A text is another frame, even if it is the same. */
	KUNIT_EXPECT_EQ(test, fm_symbols_user(symbols, "/bin/b+0x0", &id), 0);
	KUNIT_EXPECT_EQ(test, id, i);
	KUNIT_EXPECT_EQ(test, fm_symbols_user(symbols, "/bin/b+0x0", &again), 0);
	KUNIT_EXPECT_EQ(test, again, id);
	fm_symbols_deinit(symbols);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
}

/* Read the program's file once more. Return: whether it shares the label of the one before. */
static bool fm_read_again(struct kunit *test, struct fm_object *object,
			  struct fm_object_file *before)
{
	object->file = before;
	fm_allocations_free(object->chunks);
	object->state = FM_OBJECT_NEW;
	fm_program_answer(object, U32_MAX);
	KUNIT_ASSERT_PTR_NE(test, object->file, before);
	KUNIT_EXPECT_EQ(test, object->file->label.path_bytes, strlen(object->file->label.path));
	if (object->file->shown == &object->file->label)
		return false;
	KUNIT_EXPECT_PTR_EQ(test, object->file->shown, before->shown);
	return true;
}

/* The same, for a label that is another one. */
static void fm_expect_other(struct kunit *test, struct fm_object *object,
			    struct fm_object_file *before)
{
	KUNIT_EXPECT_FALSE(test, fm_read_again(test, object, before));
	fm_allocations_free(object->file);
	object->file = before;
}

/* Objects with the same path and build-id have one label, so their functions are the same. */
static void what_is_named_alike_is_one(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	struct fm_object_file *first, *second;
	struct fm_symbols_file label;

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_program_answer(object, U32_MAX);
	first = object->file;
	KUNIT_ASSERT_NOT_NULL(test, first);
	label = first->label;
	KUNIT_EXPECT_PTR_EQ(test, first->shown, &first->label);
	KUNIT_EXPECT_EQ(test, first->label.id_bytes, strlen(first->label.id));
	KUNIT_EXPECT_GT(test, first->label.id_bytes, 0);
	KUNIT_EXPECT_TRUE(test, fm_read_again(test, object, first));
	second = object->file;
	KUNIT_EXPECT_TRUE(test, fm_read_again(test, object, second));
	fm_allocations_free(second);
	fm_allocations_free(object->file);
	/* Another path, one that is shorter or longer, another build-id, and none. */
	first->label.path[1] ^= 1;
	fm_expect_other(test, object, first);
	first->label = label;
	first->label.path_bytes--;
	fm_expect_other(test, object, first);
	first->label = label;
	first->label.path[first->label.path_bytes++] = 'x';
	fm_expect_other(test, object, first);
	first->label = label;
	first->label.id[0] ^= 1;
	fm_expect_other(test, object, first);
	first->label = label;
	first->label.id_bytes = 0;
	fm_expect_other(test, object, first);
}

static void a_name_is_found_without_memory_to_keep_it(struct kunit *test)
{
	struct fm_memory memory = { .limit_bytes = 1 << 20 };
	struct fm_object *object = fm_program(test);
	struct fm_symbols *symbols = fm_names(test, &memory);
	u32 place;

	/* Its text and its place among the frames are there. */
	place = fm_named(test, symbols, object, object->entry, false);
	fm_pool_deinit(&symbols->user_known);
	/* The kernel has none: the second of the pool's blocks is refused. */
	fm_allocations_fail(2);
	KUNIT_EXPECT_EQ(test, fm_named(test, symbols, object, object->entry, false), place);
	KUNIT_EXPECT_TRUE(test, fm_allocations_failed());
	fm_allocations_fail(0);
	KUNIT_EXPECT_EQ(test, symbols->user_known.nr, 0);
	/* Nor does the limit allow it, and then nothing is tried. */
	memory.limit_bytes = fm_memory_used(&memory) + 64;
	KUNIT_EXPECT_EQ(test, fm_named(test, symbols, object, object->entry, false), place);
	KUNIT_EXPECT_EQ(test, symbols->user_known.nr, 0);
	KUNIT_EXPECT_EQ(test, fm_allocations_made(), 0);
	fm_symbols_deinit(symbols);
}

/* In a small profile fewer names are kept, so that most of it is left to stacks. */
static void names_that_are_kept_leave_room(struct kunit *test)
{
	static const struct {
		long limit_bytes;
		u32 nr;
	} cases[] = { { 256 << 10, 1024 }, { 511 << 10, 1024 }, { 64 << 20, 8192 } };
	struct fm_object *object = fm_program(test);
	struct fm_symbols *symbols;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fm_memory memory = { .limit_bytes = cases[i].limit_bytes };

		symbols = fm_names(test, &memory);
		fm_named(test, symbols, object, object->entry, false);
		KUNIT_EXPECT_EQ(test, symbols->user_known.nr, cases[i].nr);
		fm_symbols_deinit(symbols);
		KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
	}
}

/* What stands where a stack is not whole. */
static void each_reason_has_a_name(struct kunit *test)
{
	static const struct {
		enum flamemod_user_side side;
		const char *name;
	} reasons[] = {
		{ FLAMEMOD_USER_DEEP, "[user: deep]" },
		{ FLAMEMOD_USER_UNVERIFIED, "[user: unverified]" },
		{ FLAMEMOD_USER_NO_MAPPING, "[user: no mapping]" },
		{ FLAMEMOD_USER_NOT_LEARNED, "[user: not learned]" },
		{ FLAMEMOD_USER_COPY_SHORT, "[user: copy short]" },
		{ FLAMEMOD_USER_FAULT, "[user: fault]" },
		{ FLAMEMOD_USER_NO_RULE, "[user: no rule]" },
		{ FLAMEMOD_USER_EXEC, "[user: exec]" },
		{ FLAMEMOD_USER_COMPAT32, "[user: 32-bit]" },
		{ FLAMEMOD_USER_CROWDED, "[user: crowded]" },
		{ FLAMEMOD_USER_AWAY, "[user: away]" },
	};
	struct fm_memory memory = { .limit_bytes = 1 << 20 };
	struct fm_symbols *symbols = fm_names(test, &memory);
	const struct fm_frame *frame;
	u32 i, id;

	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		KUNIT_ASSERT_EQ(test, fm_user_name(symbols, fm_objects,
						   fm_user_frame(0, FM_USER_END + reasons[i].side),
						   false, &id), 0);
		frame = fm_set_at(&symbols->frames, id);
		KUNIT_EXPECT_STREQ(test, frame->name, reasons[i].name);
	}
	fm_symbols_deinit(symbols);
}

static struct kunit_case fm_user_names_cases[] = {
	KUNIT_CASE(each_reason_has_a_name),
	KUNIT_CASE(places_are_kept_apart_if_asked_for),
	KUNIT_CASE(a_name_is_kept_once_its_start_is_known),
	KUNIT_CASE(a_name_has_the_file_and_its_build_id),
	KUNIT_CASE(what_is_named_alike_is_one),
	KUNIT_CASE(names_that_are_kept_leave_room),
	KUNIT_CASE(a_name_is_found_without_memory_to_keep_it),
	{}
};

struct kunit_suite fm_user_names_suite = {
	.name = "flamemod_user_names",
	.init = fm_program_begin,
	.exit = fm_program_end,
	.test_cases = fm_user_names_cases,
};
