// SPDX-License-Identifier: GPL-2.0
/*
 * Other programs' profiles are understood, and errors in them are reported.
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
#include "pprof.pb-c.h"
#include "saved.h"

/* A message of another program, which each test changes. */
struct foreign {
	Pprof__Profile profile;
	Pprof__ValueType types[2], *type[2];
	Pprof__Sample samples[2], *sample[2];
	Pprof__Mapping mappings[1], *mapping[1];
	Pprof__Location locations[2], *location[2];
	Pprof__Function functions[3], *function[3];
	Pprof__Line lines[3], *line[3];
	Pprof__Label labels[1], *label[1];
	uint64_t stacks[2][2];
	int64_t values[2][2];
	char *strings[16];
};

static const char *const foreign_strings[] = {
	"", "alloc", "bytes", "cpu", "nanoseconds", "/usr/bin/server",
	"inlined", "outer", "main", "thread", "worker 1", "tcp_sendmsg",
};

#define POINT(kind, field, type_init) do { \
		size_t at; \
		for (at = 0; at < sizeof(f->kind##s) / sizeof(f->kind##s[0]); \
		     at++) { \
			type_init(&f->kind##s[at]); \
			f->kind[at] = &f->kind##s[at]; \
		} \
		f->profile.n_##field = at; \
		f->profile.field = f->kind; \
	} while (0)

static void foreign_init(struct foreign *f)
{
	size_t i;

	memset(f, 0, sizeof(*f));
	pprof__profile__init(&f->profile);
	POINT(type, sample_type, pprof__value_type__init);
	POINT(sample, sample, pprof__sample__init);
	POINT(mapping, mapping, pprof__mapping__init);
	POINT(location, location, pprof__location__init);
	POINT(function, function, pprof__function__init);
	for (i = 0; i < 3; i++) {
		pprof__line__init(&f->lines[i]);
		f->line[i] = &f->lines[i];
		f->lines[i].function_id = 10 + i;
		f->functions[i].id = 10 + i;
		f->functions[i].name = 6 + (int64_t)i;
	}
	pprof__label__init(&f->labels[0]);
	f->label[0] = &f->labels[0];
	f->labels[0].key = 9;
	f->labels[0].str = 10;
	f->types[0].type = 1;
	f->types[0].unit = 2;
	f->types[1].type = 3;
	f->types[1].unit = 4;
	f->mappings[0].id = 1;
	f->mappings[0].filename = 5;
	/* one location of two lines, the first inlined into the second */
	f->locations[0].id = 7;
	f->locations[0].mapping_id = 1;
	f->locations[0].n_line = 2;
	f->locations[0].line = f->line;
	f->locations[1].id = 8;
	f->locations[1].n_line = 1;
	f->locations[1].line = f->line + 2;
	for (i = 0; i < 2; i++) {
		f->stacks[i][0] = 7;
		f->stacks[i][1] = 8;
		f->values[i][0] = 1000 + (int64_t)i;
		f->values[i][1] = 50 + (int64_t)i;
		f->samples[i].n_location_id = 2;
		f->samples[i].location_id = f->stacks[i];
		f->samples[i].n_value = 2;
		f->samples[i].value = f->values[i];
	}
	f->samples[1].n_label = 1;
	f->samples[1].label = f->label;
	for (i = 0; i < 12; i++)
		f->strings[i] = (char *)foreign_strings[i];
	f->profile.n_string_table = 12;
	f->profile.string_table = f->strings;
}

static struct bytes foreign_pack(const struct foreign *f)
{
	struct bytes file;

	file.size = pprof__profile__get_packed_size(&f->profile);
	file.bytes = malloc(file.size);
	pprof__profile__pack(&f->profile, (uint8_t *)file.bytes);
	return file;
}

static struct profile *foreign_read(const struct foreign *f)
{
	struct bytes file = foreign_pack(f);
	struct profile *profile;
	struct error error;

	assert_int_equal(read_bytes(file.bytes, file.size, &profile, &error),
			 0);
	free(file.bytes);
	return profile;
}

static void expect_foreign_refusal(struct foreign *f, const char *why)
{
	struct bytes file = foreign_pack(f);

	expect_refusal(file.bytes, file.size, why);
	free(file.bytes);
	foreign_init(f);
}

static const char *frame_of(const struct profile *profile, uint32_t node)
{
	return profile->frames[profile->nodes[node].frame].name;
}

static void other_programs_files_are_understood(void **state)
{
	struct profile *profile;
	struct error error;
	struct foreign f;
	uint32_t node;

	(void)state;
	foreign_init(&f);
	profile = foreign_read(&f);
	assert_int_equal(profile_check(profile, &error), 0);
	assert_int_equal(profile->nr_records, 2);
	assert_string_equal(profile->tasks[profile->records[0].task].comm,
			    "server");
	assert_string_equal(profile->tasks[profile->records[1].task].comm,
			    "worker 1");
	/* without a default, the last type is the weight */
	assert_int_equal(profile->records[0].periods, 50);
	assert_int_equal(profile->books.stored, 101);
	assert_int_equal(profile->meta.period_ns, 1);
	node = profile->records[0].node;
	assert_string_equal(frame_of(profile, node), "inlined");
	node = profile->nodes[node].parent;
	assert_string_equal(frame_of(profile, node), "outer");
	node = profile->nodes[node].parent;
	assert_string_equal(frame_of(profile, node), "main");
	assert_int_equal(profile->nodes[node].parent, 0);
	profile_destroy(profile);

	f.profile.default_sample_type = 1;
	profile = foreign_read(&f);
	assert_int_equal(profile->books.stored, 2001);
	assert_int_equal(profile->meta.period_ns, 0);
	assert_string_equal(profile->meta.weight_type, "alloc");
	assert_string_equal(profile->meta.weight_unit, "bytes");
	profile_destroy(profile);
}

/* Return: how many events are read of it, with the sum of the first one's weights. */
static unsigned int foreign_events(const struct foreign *f,
				   const struct events_wanted *wanted,
				   const char *first, uint64_t stored, uint64_t count)
{
	struct bytes file = foreign_pack(f);
	const struct profile *profile;
	struct events events;
	struct error error;
	uint64_t sum = 0;
	unsigned int nr;

	assert_int_equal(pprof_parse_events((uint8_t *)file.bytes, file.size, "FILE",
					    wanted, &events, &error), 0);
	profile = events.list[0].profile;
	assert_string_equal(events.list[0].name, first);
	assert_int_equal(profile->books.stored, stored);
	for (uint32_t i = 0; i < profile->nr_records; i++)
		sum += profile->records[i].count;
	assert_int_equal(sum, count);
	nr = events.nr;
	events_deinit(&events);
	free(file.bytes);
	return nr;
}

static void each_sample_type_is_an_event(void **state)
{
	struct notes notes = { .nr = 0 };
	const struct events_wanted one = { .notes = &notes }, all = { .all = true },
				   alloc = { .name = "alloc" },
				   samples = { .name = "samples" };
	struct foreign f;

	(void)state;
	foreign_init(&f);
	assert_int_equal(foreign_events(&f, &one, "cpu", 101, 0), 1);
	assert_int_equal(notes.nr, 1);
	assert_string_equal(notes.text[0], "this shows the event cpu, not alloc: choose one with --event NAME");
	assert_int_equal(foreign_events(&f, &all, "cpu", 101, 0), 2);
	assert_int_equal(foreign_events(&f, &alloc, "alloc", 2001, 0), 1);
	f.profile.default_sample_type = 1;
	assert_int_equal(foreign_events(&f, &all, "alloc", 2001, 0), 2);
	/* the other type counts samples, and is not an event */
	f.profile.default_sample_type = 0;
	f.strings[1] = (char *)"samples";
	f.strings[2] = (char *)"count";
	notes.nr = 0;
	assert_int_equal(foreign_events(&f, &one, "cpu", 101, 2001), 1);
	assert_int_equal(notes.nr, 0);
	assert_int_equal(foreign_events(&f, &all, "cpu", 101, 2001), 1);
	assert_int_equal(foreign_events(&f, &samples, "samples", 2001, 2001), 1);
}

static void expect_weights(struct foreign *f, const char *type, const char *unit,
			   uint64_t stored, const char *told)
{
	struct profile *profile;

	f->strings[3] = (char *)type;
	f->strings[4] = (char *)unit;
	profile = foreign_read(f);
	assert_int_equal(profile->books.stored, stored);
	assert_string_equal(profile_unit(&profile->meta), told);
	profile_destroy(profile);
}

static void weights_have_the_unit_of_the_file(void **state)
{
	char wide[2 * PROFILE_UNIT_MAX] = "";
	struct profile *profile;
	struct foreign f;

	(void)state;
	foreign_init(&f);
	expect_weights(&f, "cpu", "nanoseconds", 101, "nanoseconds");
	expect_weights(&f, "delay", "microseconds", 101000, "nanoseconds");
	expect_weights(&f, "wall", "seconds", 101000000000, "nanoseconds");
	expect_weights(&f, "inuse_space", "bytes", 101, "bytes");
	expect_weights(&f, "contentions", "count", 101, "contentions");
	expect_weights(&f, "samples", "count", 101, "samples");
	expect_weights(&f, "faults", "", 101, "faults");
	expect_weights(&f, "", "", 101, "samples");
	/* cut between characters */
	for (size_t i = 0; i + 2 < sizeof(wide); i += 2)
		memcpy(wide + i, "\xc3\xa4", 3);
	f.strings[4] = wide;
	profile = foreign_read(&f);
	assert_in_range(strlen(profile->meta.weight_unit), 50, PROFILE_UNIT_MAX - 1);
	assert_string_equal(profile->meta.weight_unit +
			    strlen(profile->meta.weight_unit) - 5,
			    "\xc3\xa4\xe2\x80\xa6");
	profile_destroy(profile);
	foreign_init(&f);
	f.values[0][1] = INT64_MAX / 100;
	f.strings[4] = (char *)"seconds";
	expect_foreign_refusal(&f, "more than 2^64");
}

static void expect_leaf(struct foreign *f, const char *name)
{
	struct profile *profile = foreign_read(f);

	assert_string_equal(frame_of(profile, profile->records[0].node), name);
	profile_destroy(profile);
}

static void locations_without_functions_have_their_files_name(void **state)
{
	struct profile *profile;
	struct foreign f;

	(void)state;
	foreign_init(&f);
	f.locations[0].n_line = 0;
	f.locations[0].address = 0xffffffff81000000;
	profile = foreign_read(&f);
	assert_string_equal(frame_of(profile, profile->records[0].node),
			    "[server]");
	profile_destroy(profile);
	/* with their place, if the file's mapping is known */
	f.mappings[0].memory_start = 0xffffffff80000000;
	f.mappings[0].memory_limit = 0xffffffff90000000;
	f.mappings[0].file_offset = 0x2000;
	f.mappings[0].build_id = 6;
	profile = foreign_read(&f);
	assert_string_equal(frame_of(profile, profile->records[0].node),
			    "server+0x1002000");
	assert_int_equal(profile->nr_objects, 1);
	assert_string_equal(profile->objects[0].path, "/usr/bin/server");
	assert_string_equal(profile->objects[0].build_id, "inlined");
	profile_destroy(profile);
	/* not for addresses outside of it, in the kernel, and without a file */
	f.locations[0].address = 0xffffffff90000000;
	expect_leaf(&f, "[server]");
	f.locations[0].address = 0xffffffff81000000;
	f.mappings[0].memory_limit = UINT64_MAX;
	expect_leaf(&f, "[server]");
	f.mappings[0].memory_limit = UINT64_MAX - 1;
	f.strings[5] = (char *)"/boot/vmlinux";
	expect_leaf(&f, "[vmlinux]");
	f.strings[5] = (char *)"[heap]";
	expect_leaf(&f, "[heap]");
	f.strings[5] = (char *)"[vdso]";
	expect_leaf(&f, "[vdso]+0x1002000");
}

/* A function with many addresses is one frame, but functions of two files are two. */
static void named_locations_keep_their_objects(void **state)
{
	const struct profile_frame *frame;
	struct profile *profile;
	struct foreign f;

	(void)state;
	foreign_init(&f);
	f.mappings[0].memory_limit = 1 << 20;
	f.mappings[0].build_id = 6;
	f.locations[0].address = 0x1234;
	profile = foreign_read(&f);
	frame = &profile->frames[profile->nodes[profile->records[0].node].frame];
	assert_string_equal(frame->name, "inlined");
	assert_int_equal(frame->object, 1);
	assert_int_equal(frame->offset, 0);
	assert_string_equal(profile->objects[0].build_id, "inlined");
	profile_destroy(profile);
}

static void bad_references_are_refused(void **state)
{
	struct foreign f;

	(void)state;
	foreign_init(&f);
	f.stacks[0][1] = 9;
	expect_foreign_refusal(&f, "location 9 is referred to");
	f.lines[2].function_id = 5;
	expect_foreign_refusal(&f, "function 5 is referred to");
	f.locations[0].mapping_id = 2;
	expect_foreign_refusal(&f, "mapping 2 is referred to");
	f.functions[1].name = 12;
	expect_foreign_refusal(&f, "string 12 is referred to, there are 12");
	f.functions[1].name = -1;
	expect_foreign_refusal(&f, "string -1 is referred to");
	f.types[0].type = 99;
	f.profile.default_sample_type = 3;
	expect_foreign_refusal(&f, "string 99");
	f.labels[0].key = INT64_MIN;
	expect_foreign_refusal(&f, "string -9223372036854775808");
	f.locations[1].id = 7;
	expect_foreign_refusal(&f, "two locations 7");
	f.functions[1].id = 10;
	expect_foreign_refusal(&f, "two functions 10");
	f.mappings[0].id = 0;
	expect_foreign_refusal(&f, "a mapping has no id");
	f.samples[1].n_value = 1;
	expect_foreign_refusal(&f, "1 values, there are 2 types");
	f.values[0][1] = -1;
	expect_foreign_refusal(&f, "negative");
	f.profile.n_sample_type = 0;
	expect_foreign_refusal(&f, "no sample types");
	f.strings[0] = (char *)"x";
	expect_foreign_refusal(&f, "empty string");
	f.profile.n_string_table = 0;
	expect_foreign_refusal(&f, "empty string");
	f.profile.period = -1;
	expect_foreign_refusal(&f, "negative");
}

static void odd_labels_of_others_do_no_harm(void **state)
{
	struct profile *profile;
	struct foreign f;

	(void)state;
	foreign_init(&f);
	f.strings[9] = (char *)"cpu";
	f.labels[0].str = 0;
	f.labels[0].num = INT64_MIN;
	profile = foreign_read(&f);
	assert_int_equal(profile->records[0].cpu, 0);
	profile_destroy(profile);
}

/* One location with many lines, used many times: deep stacks from few bytes. */
static void deep_stacks_from_few_bytes_are_refused(void **state)
{
	enum { LINES = 1024, TIMES = 17 };
	Pprof__Line *lines[LINES + 1];
	uint64_t stack[TIMES];
	struct foreign f;
	int i;

	(void)state;
	foreign_init(&f);
	for (i = 0; i < LINES + 1; i++)
		lines[i] = &f.lines[0];
	for (i = 0; i < TIMES; i++)
		stack[i] = 7;
	f.locations[0].line = lines;
	f.locations[0].n_line = LINES + 1;
	expect_foreign_refusal(&f, "more than 1024 lines");
	f.locations[0].line = lines;
	f.locations[0].n_line = LINES;
	f.samples[0].location_id = stack;
	f.samples[0].n_location_id = TIMES;
	expect_foreign_refusal(&f, "deeper than 16375");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_programs_files_are_understood),
		cmocka_unit_test(each_sample_type_is_an_event),
		cmocka_unit_test(weights_have_the_unit_of_the_file),
		cmocka_unit_test(locations_without_functions_have_their_files_name),
		cmocka_unit_test(named_locations_keep_their_objects),
		cmocka_unit_test(bad_references_are_refused),
		cmocka_unit_test(odd_labels_of_others_do_no_harm),
		cmocka_unit_test(deep_stacks_from_few_bytes_are_refused),
	};

	return cmocka_run_group_tests_name("pprof_foreign", tests, NULL, NULL);
}
