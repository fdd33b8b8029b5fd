// SPDX-License-Identifier: GPL-2.0
/*
 * Checks exported formats: no control characters, valid JSON, and weights that sum to the
 * books.
 */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "format/export/export.h"
#include "profile/merge.h"

/* Return: the output; empty if the weights do not fit. */
static struct fuzz_bytes exported(export_fn write, const struct profile *profile,
				  const struct fold_options *fold)
{
	struct fuzz_bytes text;
	struct error error = { "" };
	FILE *out = open_memstream(&text.bytes, &text.size);
	int err;

	must(out);
	err = write(profile, fold, out, &error);
	must(!fclose(out));
	must(!err || (err == -EOVERFLOW && *error.text));
	if (!err) {
		fuzz_terminal(text.bytes, text.size);
		return text;
	}
	free(text.bytes);
	return (struct fuzz_bytes){ NULL, 0 };
}

static uint64_t sum_of(const json_t *numbers)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < json_array_size(numbers); i++)
		sum += (uint64_t)json_integer_value(json_array_get(numbers, i));
	return sum;
}

static void check_speedscope(const struct profile *profile,
			     const struct fold_options *fold, uint64_t periods)
{
	struct fuzz_bytes text = exported(export_speedscope, profile, fold);
	json_t *json, *profiles;
	uint64_t sum = 0;
	size_t i;

	if (!text.bytes)
		return;
	json = json_loadb(text.bytes, text.size, JSON_REJECT_DUPLICATES, NULL);
	must(json);
	profiles = json_object_get(json, "profiles");
	for (i = 0; i < json_array_size(profiles); i++)
		sum += sum_of(json_object_get(json_array_get(profiles, i),
					      "weights"));
	must(sum == export_weight(profile, periods));
	json_decref(json);
	free(text.bytes);
}

static void check_firefox(const struct profile *profile,
			  const struct fold_options *fold)
{
	struct fuzz_bytes text = exported(export_firefox, profile, fold);
	json_t *json;

	if (!text.bytes)
		return;
	json = json_loadb(text.bytes, text.size, JSON_REJECT_DUPLICATES, NULL);
	must(json && json_object_size(json) == 4);
	json_decref(json);
	free(text.bytes);
}

/* Check that each line is an object. */
static void check_jsonl(const struct profile *profile)
{
	struct fuzz_bytes text = exported(export_jsonl, profile, NULL);
	char *line = text.bytes, *end;
	size_t nr = 0;

	for (; *line; line = end + 1, nr++) {
		json_t *json;

		end = strchr(line, '\n');
		must(end);
		/* jansson's integers are signed, ours are not */
		json = json_loadb(line, (size_t)(end - line),
				  JSON_REJECT_DUPLICATES |
				  JSON_DECODE_INT_AS_REAL, NULL);
		must(json_is_object(json));
		json_decref(json);
	}
	must(nr > profile->nr_records);
	free(text.bytes);
}

static void check_callgrind(const struct profile *profile, uint64_t periods)
{
	struct fuzz_bytes text = exported(export_callgrind, profile, NULL);
	const char *summary;

	if (!text.bytes)
		return;
	summary = strstr(text.bytes, "\nsummary: ");
	must(summary && strtoull(summary + 10, NULL, 10) == periods);
	free(text.bytes);
}

/* A profile merged with itself has twice its books. */
static void check_merge(const struct profile *profile)
{
	struct merge merge;
	struct error error = { "" };
	int err;

	must(!merge_init(&merge, false));
	err = merge_add(&merge, profile, "first", &error) ?:
	      merge_add(&merge, profile, "second", &error);
	must(!err || (err == -EOVERFLOW && *error.text));
	if (!err) {
		must(!profile_check(merge.sum, &error));
		must(merge.sum->books.stored == 2 * profile->books.stored);
		/* a host is in the task, or is the profile's own */
		must(merge.sum->nr_records <= profile->nr_records);
	}
	merge_deinit(&merge);
}

void fuzz_exports(const struct profile *profile)
{
	struct fold_options fold = { .nr_by = 1 };
	uint64_t periods = profile_lost(&profile->books);
	uint32_t i;

	for (i = 0; i < profile->nr_records; i++)
		periods += profile->records[i].periods;
	for (i = 0; i < 2; i++) {
		fold.by[0] = i ? FOLD_TID : FOLD_CPU;
		check_speedscope(profile, &fold, periods);
		check_firefox(profile, &fold);
	}
	check_jsonl(profile);
	check_callgrind(profile, periods);
	check_merge(profile);
}
