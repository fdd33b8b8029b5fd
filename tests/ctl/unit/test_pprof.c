// SPDX-License-Identifier: GPL-2.0
/*
 * Saved profiles: they are read back unchanged, totals add up in readers that do not know
 * our labels, and damaged files do no harm.
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

#include "base/gzip.h"
#include "format/load.h"
#include "format/pprof/pprof.h"
#include "made_profile.h"
#include "pprof.pb-c.h"
#include "saved.h"

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

static void what_is_overdue_keeps_its_sign(void **state)
{
	static const int64_t overdue[] = { -12, 12, INT64_MAX, -INT64_MAX };
	struct profile *profile = made_profile(), *again;
	struct error error;
	struct bytes file;

	(void)state;
	for (size_t i = 0; i < sizeof(overdue) / sizeof(overdue[0]); i++) {
		profile->books.overdue = overdue[i];
		profile->cpus[1].books.overdue = overdue[i];
		file = written(profile);
		assert_int_equal(read_bytes(file.bytes, file.size, &again, &error), 0);
		assert_same(profile, again);
		free(file.bytes);
		profile_destroy(again);
	}
	profile_destroy(profile);
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

/* With values that earlier builds do not know, and those that later ones may add. */
static void its_origin_is_read_back(void **state)
{
	struct profile *profile = made_profile(), *again;
	struct bytes file;
	struct error error;

	(void)state;
	made_origin(profile);
	file = written(profile);
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

static int load(const char *path, struct profile **profile, struct error *error)
{
	static const struct load_request request;

	return load_profile(path, &request, NULL, profile, error);
}

/*
 * A file that an earlier build wrote of made_profile(). Never rewrite it: add another file
 * for another layout.
 */
static void files_written_before_can_be_read(void **state)
{
	struct profile *profile = made_profile(), *saved;
	struct error error;

	(void)state;
	/* earlier files do not say where their window starts */
	profile->meta.begin_ns = 0;
	assert_int_equal(load("tests/ctl/cli/saved.pb.gz", &saved, &error), 0);
	assert_same(profile, saved);
	profile_destroy(profile);
	profile_destroy(saved);
}

/*
 * A file that an earlier build made of folded text, whose weights it called nanoseconds
 * of a CPU. Never rewrite it.
 */
static void files_without_a_period_written_before_can_be_read(void **state)
{
	struct profile *saved;
	struct error error;

	(void)state;
	assert_int_equal(load("tests/ctl/cli/saved-folded.pb.gz", &saved, &error), 0);
	assert_string_equal(profile_unit(&saved->meta), "samples");
	assert_int_equal(saved->books.stored, 8);
	assert_int_equal(saved->books.lost[FLAMEMOD_LOST_OVERLOAD], 3);
	profile_destroy(saved);
}

/* The default sample type of a reader that does not know flamectl, and its sum. */
static void expect_default(const struct profile *profile, const char *type,
			   const char *unit, int64_t sum)
{
	struct bytes file = written(profile), plain = unpacked(file);
	Pprof__Profile *read = pprof__profile__unpack(NULL, plain.size,
						      (uint8_t *)plain.bytes);
	char **strings = read->string_table;
	struct profile *again;
	struct error error;
	size_t i, place = 0;

	assert_string_equal(strings[read->default_sample_type], type);
	while (strcmp(strings[read->sample_type[place]->type], type))
		assert_in_range(++place, 1, read->n_sample_type - 1);
	assert_string_equal(strings[read->sample_type[place]->unit], unit);
	for (i = 0; i < read->n_sample; i++)
		sum -= read->sample[i]->value[place];
	assert_int_equal(sum, 0);
	pprof__profile__free_unpacked(read, NULL);
	assert_int_equal(read_bytes(file.bytes, file.size, &again, &error), 0);
	assert_same(profile, again);
	profile_destroy(again);
	free(plain.bytes);
	free(file.bytes);
}

/* Only weights that are time are called so. */
static void weights_have_the_right_unit(void **state)
{
	struct profile *profile = made_profile();
	struct profile_meta *meta = &profile->meta;
	uint64_t all = profile->books.stored + profile_lost(&profile->books);

	(void)state;
	expect_default(profile, "cpu", "nanoseconds", (int64_t)(all * 1000000));
	snprintf(meta->weight_type, PROFILE_UNIT_MAX, "delay");
	expect_default(profile, "delay", "nanoseconds", (int64_t)(all * 1000000));
	meta->period_ns = 0;
	snprintf(meta->weight_type, PROFILE_UNIT_MAX, "inuse_space");
	snprintf(meta->weight_unit, PROFILE_UNIT_MAX, "bytes");
	expect_default(profile, "inuse_space", "bytes", (int64_t)all);
	*meta->weight_type = '\0';
	expect_default(profile, "weight", "bytes", (int64_t)all);
	/* the unit is unknown, but some weights are not counts */
	*meta->weight_unit = '\0';
	expect_default(profile, "weight", "count", (int64_t)all);
	for (uint32_t i = 0; i < profile->nr_records; i++)
		profile->records[i].count = profile->records[i].periods;
	expect_default(profile, "samples", "count", (int64_t)all);
	profile_destroy(profile);
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

/* A module's name without a closing bracket is still a module's. */
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

/* Sum it up like any other reader. */
/* Including slices, whose stacks are in another order than the profile's. */
static void what_is_read_is_saved_the_same(void **state)
{
	struct profile *profiles[] = { made_profile(), made_sliced() };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct bytes first = written(profiles[i]), second;
		struct profile *again;
		struct error error;

		assert_int_equal(read_bytes(first.bytes, first.size, &again,
					    &error), 0);
		second = written(again);
		assert_int_equal(first.size, second.size);
		assert_memory_equal(first.bytes, second.bytes, first.size);
		free(first.bytes);
		free(second.bytes);
		profile_destroy(again);
		profile_destroy(profiles[i]);
	}
}

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
		/* of exact size, so that an overrun is detected */
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

static void other_files_are_refused_with_a_reason(void **state)
{
	struct profile *profile;
	struct error error;
	FILE *in = fopen("/dev/null", "r");

	(void)state;
	expect_refusal("main;f 12\n", 10, "not a pprof profile");
	expect_refusal("\x1f\x8b\x08nonsense", 11, "gzip");
	assert_int_equal(pprof_read(in, "FILE", &profile, &error), -EBADMSG);
	assert_string_equal(error.text, "FILE: empty");
	fclose(in);
	assert_int_equal(load("/no/such/file", &profile, &error),
			 -ENOENT);
	assert_string_equal(error.text,
			    "/no/such/file: No such file or directory");
}

/* Zeros, of which one byte expands to thousands. */
static void a_gzip_bomb_is_refused(void **state)
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

/* Our own file with one string replaced by another of the same length. */
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
	expect_edit_refused("overdue=0", "overdue=-", "malformed");
	expect_edit_refused("overdue=0", "overdue=+", "malformed");
	expect_edit_refused("lost.no-regs=7", "lost.no-regs=8",
			    "lost samples do not sum");
	expect_edit_refused("flamemod=1", "flamemod=3", "its events are missing");
	expect_edit_refused("flamemod=1", "flamemod=4", "use a newer one");
	expect_edit_refused("state=running", "state=runnin_", "unknown");
	expect_edit_refused("hz=1000", "hz=1x00", "whole number");
	expect_edit_refused("cpu=0 sampling=1", "cpu=0 sampling=2",
			    "malformed");
	expect_edit_refused("epoch=7", "epoch=x", "whole number");
	expect_edit_refused("since-ns=5000000000", "epoch=0005000000000", "above 2^32");
	/* with the length that stands before the label's text */
	expect_edit_refused("\asoftirq", "\asoftirx", "context is unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_is_read_back_as_it_was),
		cmocka_unit_test(what_is_overdue_keeps_its_sign),
		cmocka_unit_test(an_empty_profile_is_read_back),
		cmocka_unit_test(its_origin_is_read_back),
		cmocka_unit_test(a_large_profile_is_read_back),
		cmocka_unit_test(files_written_before_can_be_read),
		cmocka_unit_test(files_without_a_period_written_before_can_be_read),
		cmocka_unit_test(weights_have_the_right_unit),
		cmocka_unit_test(equal_profiles_are_equal_files),
		cmocka_unit_test(what_is_read_is_saved_the_same),
		cmocka_unit_test(totals_add_up_for_every_reader),
		cmocka_unit_test(strings_are_utf8_in_the_file),
		cmocka_unit_test(weights_past_2_63_are_refused),
		cmocka_unit_test(a_period_past_2_63_is_refused),
		cmocka_unit_test(odd_modules_stay_modules),
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(no_cut_file_is_a_profile),
		cmocka_unit_test(no_cut_or_changed_message_does_harm),
		cmocka_unit_test(other_files_are_refused_with_a_reason),
		cmocka_unit_test(a_gzip_bomb_is_refused),
		cmocka_unit_test(files_of_ours_that_were_changed_are_refused),
	};

	return cmocka_run_group_tests_name("pprof", tests, NULL, NULL);
}
