// SPDX-License-Identifier: GPL-2.0
/*
 * Frames of programs keep their object and their place in it through every operation on
 * a profile.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/pprof/pprof.h"
#include "made_profile.h"
#include "pprof.pb-c.h"
#include "profile/join.h"
#include "profile/merge.h"
#include "saved.h"
#include "select/select.h"
#include "tree/tree.h"

#define LIBC_ID	"0123456789abcdef0123456789abcdef01234567"

static uint32_t add_in(struct profile *profile, uint32_t parent,
		       const char *path, const char *build_id, const char *name,
		       uint64_t offset)
{
	uint32_t object, frame, node;

	assert_int_equal(profile_add_object(profile, path, build_id, &object),
			 0);
	assert_int_equal(profile_add_frame_at(profile, name, object, offset,
					      &frame), 0);
	assert_int_equal(profile_add_node(profile, parent, frame, &node), 0);
	return node;
}

/* The made profile, and stacks of two programs and a library. */
static struct profile *with_objects(void)
{
	struct profile *profile = made_profile();
	uint32_t node, kernel;

	node = add_in(profile, 0, "/usr/bin/a", "aa11", "program_main", 0x1000);
	node = add_in(profile, node, "/lib/libc.so.6", LIBC_ID, "read", 0xfe340);
	assert_int_equal(profile_add_frame(profile, "vfs_read",
					   FLAMEMOD_FRAME_KERNEL, &kernel), 0);
	assert_int_equal(profile_add_node(profile, node, kernel, &node), 0);
	add_sampled(profile, node, "a", 7, 0, FLAMEMOD_CONTEXT_TASK, 5);
	/* the same name elsewhere, and none */
	node = add_in(profile, 0, "/usr/bin/b", "", "program_main", 0x1000);
	node = add_in(profile, node, "/lib/libc.so.6", LIBC_ID, NULL, 0x28000);
	add_sampled(profile, node, "b", 8, 0, FLAMEMOD_CONTEXT_USER, 6);
	/* unknown place; the vDSO; a file of that size */
	node = add_in(profile, 0, "/usr/bin/a", "aa11", "program_main", 0);
	node = add_in(profile, node, "[vdso]", "ee", "__vdso_time", 0x800);
	node = add_in(profile, node, "/big", "ff", NULL, PROFILE_OFFSET_MAX - 1);
	add_sampled(profile, node, "a", 7, 0, FLAMEMOD_CONTEXT_USER, 7);
	return profile;
}

static void frames_are_distinguished_by_their_places(void **state)
{
	struct profile *profile = with_objects();
	uint32_t object, first, again;

	(void)state;
	assert_int_equal(profile->nr_objects, 5);
	assert_int_equal(profile_add_object(profile, "/usr/bin/a", "aa11",
					    &object), 0);
	assert_int_equal(profile->nr_objects, 5);
	assert_int_equal(profile_add_frame_at(profile, "program_main", object, 0x1000,
					      &first), 0);
	assert_int_equal(profile_add_frame_at(profile, "program_main", object, 0x1000,
					      &again), 0);
	assert_int_equal(first, again);
	assert_int_equal(profile_add_frame(profile, "program_main",
					   FLAMEMOD_FRAME_USER, &again), 0);
	assert_int_not_equal(first, again);
	assert_int_equal(profile_add_frame_at(profile, "program_main", object, 0x2000,
					      &again), 0);
	assert_int_not_equal(first, again);
	assert_false(profile_frame_unnamed(profile, first));
	assert_int_equal(profile_add_frame_at(profile, NULL, object, 0x2000,
					      &again), 0);
	assert_string_equal(profile->frames[again].name, "a+0x2000");
	assert_true(profile_frame_unnamed(profile, again));
	assert_int_equal(profile_add_frame_at(profile, "f", 99, 1, &again),
			 -EINVAL);
	assert_int_equal(profile_add_frame_at(profile, "f", object,
					      PROFILE_OFFSET_MAX, &again),
			 -EINVAL);
	profile_destroy(profile);
}

/* It is found by its name from then on, and by its place no more. */
static void a_frame_without_a_name_gets_one(void **state)
{
	struct profile *profile = with_objects(), *other = profile_create();
	uint32_t object, frame, again, nr = 0;

	(void)state;
	assert_int_equal(profile_add_object(profile, "/lib/libc.so.6", LIBC_ID,
					    &object), 0);
	assert_int_equal(profile_add_frame_at(profile, NULL, object, 0x28000,
					      &frame), 0);
	assert_int_equal(profile_name_frame(profile, frame, "qsort"), 0);
	assert_string_equal(profile->frames[frame].name, "qsort");
	assert_false(profile_frame_unnamed(profile, frame));
	assert_int_equal(profile->frames[frame].object, object + 1);
	assert_int_equal(profile->frames[frame].offset, 0x28000);
	assert_int_equal(profile_add_frame_at(profile, "qsort", object, 0x28000,
					      &again), 0);
	assert_int_equal(again, frame);
	assert_int_equal(profile_add_frame_at(profile, NULL, object, 0x28000,
					      &again), 0);
	assert_int_not_equal(again, frame);
	/* it has one, and there is no such frame */
	assert_int_equal(profile_name_frame(profile, frame, "bsearch"), -EINVAL);
	assert_int_equal(profile_name_frame(profile, 9999, "bsearch"), -EINVAL);
	/* all others are found as before */
	for (uint32_t i = 0; i < profile->nr_frames; i++) {
		assert_int_equal(profile_add_frame_of(profile, profile, i, &again), 0);
		assert_int_equal(again, i);
		nr += !profile_add_frame_of(other, profile, i, &again);
	}
	assert_int_equal(nr, profile->nr_frames);
	profile_destroy(other);
	profile_destroy(profile);
}

/* 100,000 functions of one name: each is found at once. */
static void a_name_may_have_many_places(void **state)
{
	struct profile *profile = profile_create();
	uint32_t object, frame;

	(void)state;
	assert_int_equal(profile_add_object(profile, "/a", "", &object), 0);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 100000; i++) {
			assert_int_equal(profile_add_frame_at(profile, "f", object,
							      i + 1, &frame), 0);
			assert_int_equal(frame, i);
		}
	profile_destroy(profile);
}

static void they_are_saved_and_read_back(void **state)
{
	struct profile *profile = with_objects(), *again;
	struct bytes file = written(profile), second;
	struct error error;

	(void)state;
	assert_int_equal(read_bytes(file.bytes, file.size, &again, &error), 0);
	assert_same(profile, again);
	assert_int_equal(again->nr_objects, 5);
	second = written(again);
	assert_int_equal(file.size, second.size);
	assert_memory_equal(file.bytes, second.bytes, file.size);
	free(file.bytes);
	free(second.bytes);
	profile_destroy(profile);
	profile_destroy(again);
}

/* Other programs find the file, its build-id, and the place from the address. */
static void other_programs_find_them(void **state)
{
	struct profile *profile = with_objects();
	struct bytes file = written(profile), plain = unpacked(file);
	Pprof__Profile *m = pprof__profile__unpack(NULL, plain.size,
						   (uint8_t *)plain.bytes);
	unsigned int nr_unnamed = 0, nr_libc = 0;

	(void)state;
	assert_non_null(m);
	for (size_t i = 0; i < m->n_location; i++) {
		const Pprof__Location *location = m->location[i];
		const Pprof__Mapping *mapping = NULL;

		for (size_t j = 0; j < m->n_mapping; j++)
			if (m->mapping[j]->id == location->mapping_id)
				mapping = m->mapping[j];
		nr_unnamed += !location->n_line;
		if (!mapping || strcmp(m->string_table[mapping->filename],
				       "/lib/libc.so.6"))
			continue;
		nr_libc++;
		assert_string_equal(m->string_table[mapping->build_id], LIBC_ID);
		assert_false(mapping->has_functions);
		assert_true(location->address >= mapping->memory_start &&
			    location->address < mapping->memory_limit);
		assert_int_equal(location->address - mapping->memory_start +
				 mapping->file_offset,
				 location->n_line ? 0xfe340 : 0x28000);
	}
	assert_int_equal(nr_libc, 2);
	assert_int_equal(nr_unnamed, 2);
	pprof__profile__free_unpacked(m, NULL);
	free(plain.bytes);
	free(file.bytes);
	profile_destroy(profile);
}

static void they_are_merged_joined_and_subtracted(void **state)
{
	struct profile *profile = with_objects(), *same = with_objects();
	struct profile *joined = profile_create();
	struct merge merge;
	struct error error;

	(void)state;
	assert_int_equal(merge_init(&merge, false), 0);
	assert_int_equal(merge_add(&merge, profile, "a", &error), 0);
	assert_int_equal(merge_add(&merge, same, "b", &error), 0);
	assert_int_equal(merge.sum->nr_frames, profile->nr_frames);
	assert_int_equal(merge.sum->nr_records, profile->nr_records);
	assert_int_equal(merge.sum->nr_objects, profile->nr_objects);
	merge_deinit(&merge);
	joined->meta = profile->meta;
	assert_int_equal(profile_join(joined, profile, NULL), 0);
	assert_same(profile, joined);
	profile_destroy(joined);
	same->meta.instant_ns++;
	assert_int_equal(profile_subtract(same, profile, &error), 0);
	assert_int_equal(same->nr_records, 0);
	profile_destroy(same);
	profile_destroy(profile);
}

static void what_is_selected_keeps_them(void **state)
{
	struct profile *profile = with_objects();
	struct selection selection = { .nr_terms = 0 };
	bool seen = false;
	struct error error;
	uint64_t left_out;

	(void)state;
	assert_int_equal(select_add(&selection, SELECT_INCLUDE, "libc*", &error),
			 0);
	assert_int_equal(select_profile(&selection, &profile, &left_out, &error),
			 0);
	assert_int_equal(profile->nr_records, 1);
	for (uint32_t i = 0; i < profile->nr_frames; i++)
		if (!strcmp(profile->frames[i].name, "libc.so.6+0x28000")) {
			assert_true(profile_frame_unnamed(profile, i));
			seen = true;
		}
	assert_true(seen);
	profile_destroy(profile);
}

/* In a graph one name is one frame; the modules of programs are files. */
static void views_fold_them_by_name(void **state)
{
	struct profile *profile = with_objects();
	struct fold_options options = {
		.by = { FOLD_MODULE }, .nr_by = 1, .groups_only = true,
	};
	unsigned int nr_mains = 0, nr_libc = 0;
	struct error error;
	struct tree *tree;

	(void)state;
	tree = fold_profile(profile, &options, &error);
	for (uint32_t i = 1; i < tree->nr_nodes; i++)
		nr_libc += !strcmp(tree->nodes[i].name, "big");
	assert_int_equal(nr_libc, 1);
	tree_destroy(tree);
	options = (struct fold_options){ .nr_by = 0 };
	tree = fold_profile(profile, &options, &error);
	for (uint32_t i = 1; i < tree->nr_nodes; i++)
		nr_mains += !strcmp(tree->nodes[i].name, "program_main");
	assert_int_equal(nr_mains, 1);
	tree_destroy(tree);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_distinguished_by_their_places),
		cmocka_unit_test(a_frame_without_a_name_gets_one),
		cmocka_unit_test(a_name_may_have_many_places),
		cmocka_unit_test(they_are_saved_and_read_back),
		cmocka_unit_test(other_programs_find_them),
		cmocka_unit_test(they_are_merged_joined_and_subtracted),
		cmocka_unit_test(what_is_selected_keeps_them),
		cmocka_unit_test(views_fold_them_by_name),
	};

	return cmocka_run_group_tests_name("objects", tests, NULL, NULL);
}
