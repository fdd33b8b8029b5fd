// SPDX-License-Identifier: GPL-2.0
/* Tests of inlined functions: how they are found in DWARF, and added to a profile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_profile.h"
#include "profile/inlined.h"
#include "profile/slices.h"
#include "programs.h"
#include "symbols/cache.h"
#include "symbols/symbols.h"

static uint64_t offset_of(const char *program, const char *mark)
{
	char name[64], path[256], line[256];
	uint64_t offset = 0, value;
	FILE *in;

	snprintf(name, sizeof(name), "%s.marks", program);
	in = fopen(program_path(name, path), "r");
	assert_non_null(in);
	while (fgets(line, sizeof(line), in))
		if (sscanf(line, "%255s %lx", path, &value) == 2 && !strcmp(path, mark))
			offset = value;
	fclose(in);
	assert_true(offset);
	return offset;
}

/* Expect that at a mark of outer() these functions are inlined: "a b". */
static void expect(const struct symbols_options *options, const char *program,
		   const char *mark, const char *inlined)
{
	char path[256], id[64], *found = NULL;
	struct symbols *symbols = symbols_create(options);
	struct symbols_place place = {
		.path = program_path(program, path), .build_id = id,
		.offset = offset_of(program, mark),
	};
	struct symbols_name name;
	size_t size;
	FILE *text = open_memstream(&found, &size);

	assert_non_null(symbols);
	program_build_id(program, id);
	if (options->root)
		place.path += strlen(programs_directory);
	assert_int_equal(symbols_find(symbols, &place, &name), 1);
	assert_string_equal(name.name, "outer");
	for (size_t i = 0; i < name.nr_inlined; i++)
		fprintf(text, "%s%s", i ? " " : "", name.inlined[i]);
	fclose(text);
	assert_string_equal(found, inlined);
	free(found);
	symbols_destroy(symbols);
}

#define BOTH	"deep::S::middle deep::S::inner"

static void they_are_found_in_order(void **state)
{
	static const char *const programs[] = { "inlined", "inlined4", "inlined-bare" };
	const struct symbols_options options = { .inlines = true };

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		expect(&options, programs[i], "mark_inner", BOTH);
		expect(&options, programs[i], "mark_own", "");
	}
}

static void they_are_found_only_if_asked_for(void **state)
{
	const struct symbols_options not_asked = { .root = NULL };
	const struct symbols_options mangled = { .inlines = true, .mangled = true };

	(void)state;
	expect(&not_asked, "inlined", "mark_inner", "");
	expect(&mangled, "inlined", "mark_inner",
	       "_ZN4deep1S6middleEi _ZN4deep1S5innerEi");
}

static void debug_files_and_what_they_share_are_read(void **state)
{
	const struct symbols_options options = {
		.inlines = true, .root = programs_directory,
	};

	(void)state;
	expect(&options, "inlined-one", "mark_inner", BOTH);
	expect(&options, "inlined-two", "mark_inner", BOTH);
}

static void a_debug_file_alone_is_enough(void **state)
{
	const struct symbols_options options = {
		.inlines = true, .root = programs_directory,
	};
	char path[256], away[256];

	(void)state;
	program_path("inlined-one", path);
	program_path("inlined-away", away);
	assert_int_equal(rename(path, away), 0);
	expect(&options, "inlined-one", "mark_inner", BOTH);
	expect(&options, "inlined-one", "mark_own", "");
	assert_int_equal(rename(away, path), 0);
}

/* libdw would open the missing file by the path that the program has. */
static void without_the_shared_part_none_is_found(void **state)
{
	char root[256], id[64];
	const struct symbols_options options = {
		.inlines = true, .root = program_path("other-root", root),
	};
	struct symbols *symbols = symbols_create(&options);
	struct symbols_place place = {
		.path = "/inlined-two", .build_id = id,
		.offset = offset_of("inlined-two", "mark_inner"),
	};
	struct symbols_name name;

	(void)state;
	program_build_id("inlined-two", id);
	assert_int_equal(symbols_find(symbols, &place, &name), 1);
	assert_string_equal(name.name, "outer");
	assert_int_equal(name.nr_inlined, 0);
	symbols_destroy(symbols);
}

/* Check that nothing is found in a program, within a minute. */
static void expect_none_soon(const char *program)
{
	const struct symbols_options options = { .inlines = true };

	alarm(60);
	expect(&options, program, "mark_inner", "");
	alarm(0);
}

/* Its file is a pipe without a writer: to open it would take forever. */
static void split_dwarf_is_not_read(void **state)
{
	(void)state;
	expect_none_soon("inlined-split");
}

/* To walk through all of them once for each function, or each block, takes hours. */
static void empty_ranges_are_counted(void **state)
{
	(void)state;
	expect_none_soon("inlined-empty");
}

/* These are not reported, so they cannot be counted: the CPU time of a program is bounded. */
static void base_addresses_take_bounded_time(void **state)
{
	(void)state;
	expect_none_soon("inlined-bases");
}

static void damaged_dwarf_does_no_harm(void **state)
{
	static unsigned char bytes[1 << 20];
	const struct symbols_options options = { .inlines = true };
	uint64_t offset = offset_of("inlined", "mark_inner");
	char from[256], to[256];
	FILE *in = fopen(program_path("inlined", from), "r");
	size_t size = fread(bytes, 1, sizeof(bytes), in);
	unsigned int seed = 1, nr_other = 0;

	(void)state;
	fclose(in);
	assert_true(size > 8192);
	for (unsigned int i = 0; i < 200; i++) {
		struct symbols_place place = { program_path("damaged", to), "", offset, 0 };
		struct symbols *symbols = symbols_create(&options);
		struct symbols_name name = { .nr_inlined = 0 };
		FILE *out = fopen(to, "w");

		fwrite(bytes, 1, size, out);
		/* the loaded segments end before this offset, and DWARF follows */
		for (unsigned int n = 0; n < 16; n++) {
			seed = seed * 1103515245 + 12345;
			fseek(out, (long)(0x3040 + (seed >> 8) % (size - 0x3040)), SEEK_SET);
			fputc(seed >> 4 & 0xff, out);
		}
		fclose(out);
		assert_true(symbols_find(symbols, &place, &name) >= 0);
		nr_other += name.nr_inlined != 2;
		symbols_destroy(symbols);
	}
	/* it was damaged where it matters */
	assert_true(nr_other > 10);
}

static void the_cache_keeps_them(void **state)
{
	const struct symbols_options options = { .inlines = true };
	struct symbols_cache *cache = symbols_cache_create(&options);
	char path[256], id[64];
	const struct symbols_place place = {
		.path = program_path("inlined", path), .build_id = id,
		.offset = offset_of("inlined", "mark_inner"),
	};
	struct symbols_known known;

	(void)state;
	program_build_id("inlined", id);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(symbols_cache_find(cache, &place, &known), 0);
		assert_string_equal(known.name, "outer");
		assert_int_equal(known.nr_inlined, 2);
		assert_string_equal(symbols_cache_inlined(cache, &known, 0), "deep::S::middle");
		assert_string_equal(symbols_cache_inlined(cache, &known, 1), "deep::S::inner");
	}
	symbols_cache_destroy(cache);
}

static const char *at_frame(void *context, uint32_t frame, uint32_t number)
{
	static const char *const names[] = { "first", "second" };
	const struct profile *profile = context;

	if (strcmp(profile->frames[frame].name, "outer") || number > 1)
		return NULL;
	return names[number];
}

/* Return the stack of a node as folded text. */
static void stack_text(const struct profile *profile, uint32_t node, char text[256])
{
	const struct profile_node *at = &profile->nodes[node];

	*text = '\0';
	if (!node)
		return;
	stack_text(profile, at->parent, text);
	snprintf(text + strlen(text), 256 - strlen(text), "%s%s", *text ? ";" : "",
		 profile->frames[at->frame].name);
}

static uint32_t add_user(struct profile *profile, uint32_t parent, const char *name)
{
	uint32_t object, frame, node;

	assert_int_equal(profile_add_object(profile, "/bin/x", "", &object), 0);
	assert_int_equal(profile_add_frame_at(profile, name, object, 64, &frame), 0);
	assert_int_equal(profile_add_node(profile, parent, frame, &node), 0);
	return node;
}

static struct profile *with_outer(void)
{
	struct profile *profile = part_of("vfs_read", "x", 0, 3);
	uint32_t outer = add_user(profile, add_user(profile, 0, "main"), "outer");

	profile->meta.period_ns = SEC / 100;
	add_sampled(profile, outer, "x", 1, 0, FLAMEMOD_CONTEXT_USER, 4);
	add_sampled(profile, add_user(profile, outer, "leaf"), "x", 1, 0,
		    FLAMEMOD_CONTEXT_USER, 2);
	return profile;
}

static void check_stacks(const struct profile *profile,
			 const struct profile_record *records)
{
	static const char *const stacks[] = {
		"vfs_read", "main;outer;first_[i];second_[i]",
		"main;outer;first_[i];second_[i];leaf",
	};
	char text[256];

	for (uint32_t i = 0; i < 3; i++) {
		stack_text(profile, records[i].node, text);
		assert_string_equal(text, stacks[i]);
	}
}

static void stacks_get_a_frame_for_each(void **state)
{
	struct profile *profile = with_outer();
	struct error error;

	(void)state;
	assert_int_equal(inlined_add(profile, at_frame, profile), 0);
	assert_int_equal(profile->nr_records, 3);
	check_stacks(profile, profile->records);
	assert_int_equal(profile->books.stored, 9);
	assert_int_equal(profile_check(profile, &error), 0);
	profile_destroy(profile);
}

static void slices_get_them_too(void **state)
{
	struct profile *profile = profile_create();
	struct error error;

	(void)state;
	add_slice(profile, with_outer(), 0, SEC);
	add_slice(profile, with_outer(), SEC, 2 * SEC);
	assert_int_equal(inlined_add(profile, at_frame, profile), 0);
	assert_int_equal(profile->slices->nr, 2);
	check_stacks(profile, profile->records);
	for (uint32_t i = 0; i < 2; i++)
		check_stacks(profile, profile->slices->list[i].records);
	assert_int_equal(slices_check(profile, &error), 0);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_are_found_in_order),
		cmocka_unit_test(they_are_found_only_if_asked_for),
		cmocka_unit_test(debug_files_and_what_they_share_are_read),
		cmocka_unit_test(a_debug_file_alone_is_enough),
		cmocka_unit_test(without_the_shared_part_none_is_found),
		cmocka_unit_test(split_dwarf_is_not_read),
		cmocka_unit_test(empty_ranges_are_counted),
		cmocka_unit_test(base_addresses_take_bounded_time),
		cmocka_unit_test(damaged_dwarf_does_no_harm),
		cmocka_unit_test(the_cache_keeps_them),
		cmocka_unit_test(stacks_get_a_frame_for_each),
		cmocka_unit_test(slices_get_them_too),
	};

	return cmocka_run_group_tests(tests, programs_build, programs_remove);
}
