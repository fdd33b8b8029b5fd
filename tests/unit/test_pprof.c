// SPDX-License-Identifier: GPL-2.0
/*
 * Saved profiles: what is written is read back, totals add up for readers
 * that know nothing of us, other programs' files are understood, and nothing
 * in a file can do harm.
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

#include "gzip.h"
#include "made_profile.h"
#include "pprof.h"
#include "pprof.pb-c.h"

struct bytes {
	char *bytes;
	size_t size;
};

static struct bytes written(const struct profile *profile)
{
	struct bytes file;
	struct error error;
	FILE *out = open_memstream(&file.bytes, &file.size);

	assert_int_equal(pprof_write(profile, out, &error), 0);
	fclose(out);
	return file;
}

static int read_bytes(const void *bytes, size_t size, struct profile **profile,
		      struct error *error)
{
	FILE *in = fmemopen((void *)bytes, size, "r");
	int err;

	assert_non_null(in);
	err = pprof_read(in, "FILE", profile, error);
	fclose(in);
	return err;
}

static struct bytes unpacked(struct bytes file)
{
	FILE *in = fmemopen(file.bytes, file.size, "r");
	struct bytes plain;
	struct error error;
	uint8_t *bytes;

	assert_int_equal(gzip_read(in, 1 << 30, &bytes, &plain.size, &error), 0);
	plain.bytes = (char *)bytes;
	fclose(in);
	return plain;
}

static void a_profile_is_read_back_as_it_was(void **state)
{
	struct profile *profile = made_profile(), *again;
	struct bytes file = written(profile), second;
	struct error error;

	(void)state;
	assert_int_equal(read_bytes(file.bytes, file.size, &again, &error), 0);
	assert_same(profile, again);
	second = written(again);
	profile_destroy(again);
	assert_int_equal(read_bytes(second.bytes, second.size, &again, &error),
			 0);
	assert_same(profile, again);
	free(file.bytes);
	free(second.bytes);
	profile_destroy(profile);
	profile_destroy(again);
}

static void an_empty_profile_is_read_back(void **state)
{
	struct profile *profile = profile_create(), *again;
	struct bytes file = written(profile);
	struct error error;

	(void)state;
	assert_int_equal(read_bytes(file.bytes, file.size, &again, &error), 0);
	assert_same(profile, again);
	free(file.bytes);
	profile_destroy(profile);
	profile_destroy(again);
}

static void a_large_profile_is_read_back(void **state)
{
	struct profile *profile = made_large_profile(30000), *again;
	struct bytes file = written(profile);
	struct error error;

	(void)state;
	assert_int_equal(read_bytes(file.bytes, file.size, &again, &error), 0);
	assert_same(profile, again);
	free(file.bytes);
	profile_destroy(profile);
	profile_destroy(again);
}

/*
 * A file that an earlier build wrote of made_profile(). It is never written
 * anew: another layout gets another file beside it.
 */
static void files_written_before_can_be_read(void **state)
{
	struct profile *profile = made_profile(), *saved;
	struct error error;

	(void)state;
	assert_int_equal(pprof_load("tests/cli/saved.pb.gz", &saved, &error), 0);
	assert_same(profile, saved);
	profile_destroy(profile);
	profile_destroy(saved);
}

static void equal_profiles_are_equal_files(void **state)
{
	struct profile *profile = made_profile();
	struct bytes first = written(profile), second = written(profile);

	(void)state;
	assert_int_equal(first.size, second.size);
	assert_memory_equal(first.bytes, second.bytes, first.size);
	free(first.bytes);
	free(second.bytes);
	profile_destroy(profile);
}

/* A module's name need not be closed, and none is a program's for that. */
static void odd_modules_stay_modules(void **state)
{
	static const char *const names[] = {
		"f [a", "f []", "f [a b]", "f [", "f", "f [user]", "f [x] ",
		"f [kernel.kallsyms]",
	};
	struct profile *profile = profile_create(), *again;
	struct bytes file;
	struct error error;
	uint32_t i, frame;

	(void)state;
	profile->meta.period_ns = 1;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(profile_add_frame(profile, names[i],
						   FLAMEMOD_FRAME_MODULE,
						   &frame), 0);
	file = written(profile);
	assert_int_equal(read_bytes(file.bytes, file.size, &again, &error), 0);
	assert_int_equal(again->nr_frames, profile->nr_frames);
	for (i = 0; i < again->nr_frames; i++) {
		assert_string_equal(again->frames[i].name, names[i]);
		assert_int_equal(again->frames[i].kind, FLAMEMOD_FRAME_MODULE);
	}
	free(file.bytes);
	profile_destroy(profile);
	profile_destroy(again);
}

static void a_period_past_2_63_is_refused(void **state)
{
	struct profile *profile = profile_create();
	FILE *out = fopen("/dev/null", "w");
	struct error error;

	(void)state;
	profile->meta.period_ns = 1ULL << 63;
	assert_int_equal(pprof_write(profile, out, &error), -EOVERFLOW);
	fclose(out);
	profile_destroy(profile);
}

/* As any other reader sees it. */
static void totals_add_up_for_every_reader(void **state)
{
	struct profile *profile = made_profile();
	struct bytes file = written(profile), plain = unpacked(file);
	int64_t total_ns = 0, samples = 0;
	uint64_t count = 0;
	Pprof__Profile *message;
	size_t i;

	(void)state;
	message = pprof__profile__unpack(NULL, plain.size,
					 (uint8_t *)plain.bytes);
	assert_non_null(message);
	for (i = 0; i < message->n_sample; i++) {
		assert_int_equal(message->sample[i]->n_value, 3);
		assert_true(message->sample[i]->n_location_id > 0);
		samples += message->sample[i]->value[0];
		total_ns += message->sample[i]->value[1];
	}
	assert_int_equal(total_ns, (profile->books.stored +
				    profile_lost(&profile->books)) *
				   profile->meta.period_ns);
	for (i = 0; i < profile->nr_records; i++)
		count += profile->records[i].count;
	assert_int_equal(samples, count);
	assert_int_equal(message->period, 1000000);
	assert_string_equal(message->string_table[message->default_sample_type],
			    "cpu");
	for (i = 0; i < message->n_location; i++)
		assert_int_equal(message->location[i]->address, 0);
	assert_true(message->mapping[0]->has_functions);
	pprof__profile__free_unpacked(message, NULL);
	free(plain.bytes);
	free(file.bytes);
	profile_destroy(profile);
}

static void strings_are_utf8_in_the_file(void **state)
{
	struct profile *profile = made_profile();
	struct bytes file = written(profile), plain = unpacked(file);
	size_t i;

	(void)state;
	/* comms are a;b\n and 0xff 0xfe \, the host ends in 0xff */
	assert_null(memmem(plain.bytes, plain.size, "a;b\n", 4));
	assert_non_null(memmem(plain.bytes, plain.size, "a;b\\x0a", 7));
	for (i = 0; i < plain.size; i++)
		if ((unsigned char)plain.bytes[i] == 0xff)
			assert_false(i + 1 < plain.size &&
				     (unsigned char)plain.bytes[i + 1] == 0xfe);
	assert_non_null(memmem(plain.bytes, plain.size, "\\xff\\xfe\\x5c", 12));
	assert_non_null(memmem(plain.bytes, plain.size, "\\x5cxff", 7));
	free(plain.bytes);
	free(file.bytes);
	profile_destroy(profile);
}

static void weights_past_2_63_are_refused(void **state)
{
	struct profile *profile = made_profile();
	struct error error;
	FILE *out = fopen("/dev/null", "w");

	(void)state;
	profile->records[0].periods = INT64_MAX / 1000000 + 1;
	assert_int_equal(pprof_write(profile, out, &error), -EOVERFLOW);
	fclose(out);
	profile_destroy(profile);
}

static void a_full_disk_is_an_error(void **state)
{
	struct profile *profile = made_large_profile(3000);
	FILE *out = fopen("/dev/full", "w");
	struct error error;

	(void)state;
	assert_non_null(out);
	setvbuf(out, NULL, _IONBF, 0);
	assert_int_equal(pprof_write(profile, out, &error), -ENOSPC);
	fclose(out);
	profile_destroy(profile);
}

static void no_cut_file_is_a_profile(void **state)
{
	struct profile *profile = made_profile(), *again = NULL;
	struct bytes file = written(profile);
	struct error error;
	size_t size;
	char *cut;

	(void)state;
	for (size = 1; size < file.size; size++) {
		/* of its exact size, so that a read past the end is seen */
		cut = malloc(size);
		memcpy(cut, file.bytes, size);
		assert_int_equal(read_bytes(cut, size, &again, &error),
				 -EBADMSG);
		assert_memory_equal(error.text, "FILE: ", 6);
		free(cut);
	}
	free(file.bytes);
	profile_destroy(profile);
}

/* gzip has a checksum; without it, the message itself must hold. */
static void no_cut_or_changed_message_does_harm(void **state)
{
	struct profile *profile = made_profile(), *again = NULL;
	struct bytes file = written(profile), plain = unpacked(file);
	unsigned int bit, refused = 0;
	struct error error;
	size_t i;

	(void)state;
	for (i = 1; i < plain.size; i++)
		if (read_bytes(plain.bytes, i, &again, &error))
			refused++;
		else
			profile_destroy(again);
	assert_true(refused > plain.size / 2);
	for (i = 0; i < plain.size; i++)
		for (bit = 0; bit < 8; bit += 1 + i % 3) {
			plain.bytes[i] ^= (char)(1 << bit);
			if (!read_bytes(plain.bytes, plain.size, &again, &error))
				profile_destroy(again);
			plain.bytes[i] ^= (char)(1 << bit);
		}
	free(plain.bytes);
	free(file.bytes);
	profile_destroy(profile);
}

static void expect_refusal(const void *bytes, size_t size, const char *why)
{
	struct profile *profile;
	struct error error;

	assert_int_equal(read_bytes(bytes, size, &profile, &error), -EBADMSG);
	if (!strstr(error.text, why))
		fail_msg("\"%s\" does not say \"%s\"", error.text, why);
}

static void what_is_no_profile_is_said(void **state)
{
	struct profile *profile;
	struct error error;
	FILE *in = fopen("/dev/null", "r");

	(void)state;
	expect_refusal("main;f 12\n", 10, "no pprof profile");
	expect_refusal("\x1f\x8b\x08nonsense", 11, "gzip");
	assert_int_equal(pprof_read(in, "FILE", &profile, &error), -EBADMSG);
	assert_string_equal(error.text, "FILE: empty");
	fclose(in);
	assert_int_equal(pprof_load("/no/such/file", &profile, &error),
			 -ENOENT);
	assert_string_equal(error.text,
			    "/no/such/file: No such file or directory");
}

/* Zeros: thousands of bytes unpack from one. */
static void a_bomb_is_given_up(void **state)
{
	static const char zeros[1 << 16];
	struct bytes file;
	FILE *out = open_memstream(&file.bytes, &file.size), *in;
	struct gzip *gzip = gzip_create(out);
	struct error error;
	uint8_t *bytes;
	size_t size;
	int i;

	(void)state;
	for (i = 0; i < 64; i++)
		assert_int_equal(gzip_write(gzip, zeros, sizeof(zeros)), 0);
	assert_int_equal(gzip_finish(gzip), 0);
	gzip_destroy(gzip);
	fclose(out);
	in = fmemopen(file.bytes, file.size, "r");
	assert_int_equal(gzip_read(in, (4 << 20) - 1, &bytes, &size, &error),
			 -EFBIG);
	rewind(in);
	assert_int_equal(gzip_read(in, 4 << 20, &bytes, &size, &error), 0);
	assert_int_equal(size, 4 << 20);
	free(bytes);
	fclose(in);
	free(file.bytes);
}

/* A message of another program, changed by each test in its own way. */
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

/* One location of many lines, used many times: a tower from few bytes. */
static void towers_are_refused(void **state)
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
	expect_foreign_refusal(&f, "deeper than 16379");
}

/* Our own file, with one string of it replaced by another of its length. */
static void expect_edit_refused(const char *from, const char *to,
				const char *why)
{
	struct profile *profile = made_profile();
	struct bytes file = written(profile), plain = unpacked(file);
	char *at = memmem(plain.bytes, plain.size, from, strlen(from));

	assert_int_equal(strlen(from), strlen(to));
	assert_non_null(at);
	memcpy(at, to, strlen(to));
	expect_refusal(plain.bytes, plain.size, why);
	free(plain.bytes);
	free(file.bytes);
	profile_destroy(profile);
}

static void files_of_ours_that_were_changed_are_refused(void **state)
{
	(void)state;
	expect_edit_refused("stored=110", "stored=111", "do not add up");
	expect_edit_refused("lost.no-regs=7", "lost.no-regs=8",
			    "lost samples do not sum");
	expect_edit_refused("flamemod=1", "flamemod=2", "use a newer one");
	expect_edit_refused("state=running", "state=runnin_", "unknown");
	expect_edit_refused("hz=1000", "hz=1x00", "whole number");
	expect_edit_refused("cpu=0 sampling=1", "cpu=0 sampling=2",
			    "malformed");
	expect_edit_refused("epoch=7", "epoch=x", "whole number");
	expect_edit_refused("since-ns=5000000000", "epoch=0005000000000", "past 2^32");
	/* with the length that stands before the label's text */
	expect_edit_refused("\asoftirq", "\asoftirx", "context is unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_is_read_back_as_it_was),
		cmocka_unit_test(an_empty_profile_is_read_back),
		cmocka_unit_test(a_large_profile_is_read_back),
		cmocka_unit_test(files_written_before_can_be_read),
		cmocka_unit_test(equal_profiles_are_equal_files),
		cmocka_unit_test(totals_add_up_for_every_reader),
		cmocka_unit_test(strings_are_utf8_in_the_file),
		cmocka_unit_test(weights_past_2_63_are_refused),
		cmocka_unit_test(a_period_past_2_63_is_refused),
		cmocka_unit_test(odd_modules_stay_modules),
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(no_cut_file_is_a_profile),
		cmocka_unit_test(no_cut_or_changed_message_does_harm),
		cmocka_unit_test(what_is_no_profile_is_said),
		cmocka_unit_test(a_bomb_is_given_up),
		cmocka_unit_test(other_programs_files_are_understood),
		cmocka_unit_test(locations_without_functions_have_their_files_name),
		cmocka_unit_test(bad_references_are_refused),
		cmocka_unit_test(odd_labels_of_others_do_no_harm),
		cmocka_unit_test(towers_are_refused),
		cmocka_unit_test(files_of_ours_that_were_changed_are_refused),
	};

	return cmocka_run_group_tests_name("pprof", tests, NULL, NULL);
}
