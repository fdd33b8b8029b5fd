// SPDX-License-Identifier: GPL-2.0
/*
 * Exports of a profile with user stacks: each format says what is a program's and, as far
 * as it can, in which program or library each function is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "format/export/export.h"
#include "made_profile.h"

#define BUILD_ID "43edbbde2f24e571118a6e3c78ea916c7cf13b1d"

static void push(struct profile *profile, const char *name, uint32_t object,
		 uint64_t offset, uint32_t *node)
{
	uint32_t frame;

	assert_int_equal(profile_add_frame_at(profile, name, object, offset, &frame), 0);
	assert_int_equal(profile_add_node(profile, *node, frame, node), 0);
}

static void push_kernel(struct profile *profile, const char *name,
			enum flamemod_frame_kind kind, uint32_t *node)
{
	uint32_t frame;

	assert_int_equal(profile_add_frame(profile, name, kind, &frame), 0);
	assert_int_equal(profile_add_node(profile, *node, frame, node), 0);
}

/* _start, f, another f; read and a place without a name below the kernel. */
static struct profile *mixed(void)
{
	struct profile *profile = profile_create();
	uint32_t program, library, node = 0;

	assert_int_equal(profile_add_object(profile, "/usr/bin/a b", BUILD_ID, &program), 0);
	assert_int_equal(profile_add_object(profile, "/lib/libc.so.6", "", &library), 0);
	profile->meta.period_ns = 1000000;
	push(profile, "_start", program, 0x1000, &node);
	push(profile, "f", program, 0x2000, &node);
	push(profile, "f", program, 0x3000, &node);
	add_sampled(profile, node, "a", 1, 0, FLAMEMOD_CONTEXT_USER, 3);
	push(profile, "read", library, 0x10, &node);
	push(profile, NULL, library, 0x20, &node);
	push_kernel(profile, "[truncated]", FLAMEMOD_FRAME_MARK, &node);
	push_kernel(profile, "vfs_read", FLAMEMOD_FRAME_KERNEL, &node);
	add_sampled(profile, node, "a", 1, 0, FLAMEMOD_CONTEXT_TASK, 5);
	node = 0;
	push_kernel(profile, "kthread", FLAMEMOD_FRAME_KERNEL, &node);
	push_kernel(profile, "ext4_end_io [ext4]", FLAMEMOD_FRAME_MODULE, &node);
	add_sampled(profile, node, "kworker", 2, 0, FLAMEMOD_CONTEXT_TASK, 2);
	return profile;
}

/* Return: the text of the export, to be freed. */
static char *exported(const struct profile *profile,
		      int (*export)(const struct profile *, const struct fold_options *,
				    FILE *, struct error *))
{
	struct fold_options fold = { .nr_by = 0 };
	struct error error;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(export(profile, &fold, out, &error), 0);
	fclose(out);
	return text;
}

static void expect_in(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s", part, text);
}

static void callgrind_has_objects(void **state)
{
	struct profile *profile = mixed();
	char *text = exported(profile, export_callgrind);

	(void)state;
	/* of two functions of one name in one program the second is a recursion */
	expect_in(text, "\nob=/usr/bin/a b\nfl=[a b]\nfn=f\ncob=/usr/bin/a b\ncfi=[a b]\ncfn=f'2\ncalls=6 0\n0 8 6\n");
	expect_in(text, "\nfn=f'2\n0 3 2\ncob=/lib/libc.so.6\ncfi=[libc.so.6]\ncfn=read\n");
	expect_in(text, "\nob=/lib/libc.so.6\nfl=[libc.so.6]\nfn=libc.so.6+0x20\ncob=mark\ncfi=[mark]\ncfn=[truncated]\n");
	expect_in(text, "\nob=kernel\nfl=[kernel]\nfn=vfs_read\n0 5 4\n");
	expect_in(text, "\nob=module\nfl=[module]\nfn=ext4_end_io [ext4]\n0 2 2\n");
	free(text);
	profile_destroy(profile);

	/* without programs there are no objects */
	profile = made_profile();
	text = exported(profile, export_callgrind);
	assert_null(strstr(text, "ob="));
	expect_in(text, "\nfl=[kernel]\nfn=entry\n");
	free(text);
	profile_destroy(profile);
}

static void speedscope_has_files(void **state)
{
	struct profile *profile = mixed();
	char *text = exported(profile, export_speedscope);

	(void)state;
	expect_in(text, "{\"name\":\"_start\",\"file\":\"/usr/bin/a b\"}");
	expect_in(text, "{\"name\":\"libc.so.6+0x20\",\"file\":\"/lib/libc.so.6\"}");
	expect_in(text, "{\"name\":\"vfs_read\"}");
	free(text);
	profile_destroy(profile);
}

static void jsonl_tells_the_files_of_the_user_half(void **state)
{
	struct profile *profile = mixed();
	char *text = exported(profile, export_jsonl);

	(void)state;
	expect_in(text, "\n{\"type\":\"file\",\"file\":0,\"path\":\"/usr/bin/a b\",\"build_id\":\"" BUILD_ID "\"}\n"
		  "{\"type\":\"file\",\"file\":1,\"path\":\"/lib/libc.so.6\",\"build_id\":\"\"}\n");
	expect_in(text, "\"stack\":[\"_start\",\"f\",\"f\"],\"files\":[0,0,0],\"pid\"");
	expect_in(text, "\"stack\":[\"_start\",\"f\",\"f\",\"read\",\"libc.so.6+0x20\",\"[truncated]\",\"vfs_read\"],\"files\":[0,0,0,1,1],");
	expect_in(text, "\"stack\":[\"kthread\",\"ext4_end_io [ext4]\"],\"pid\"");
	free(text);
	profile_destroy(profile);
}

/* Return: element @i of @of's array @name, a number. */
static json_int_t number_at(const json_t *of, const char *name, size_t i)
{
	const json_t *element = json_array_get(json_object_get(of, name), i);

	assert_true(json_is_integer(element));
	return json_integer_value(element);
}

static const char *text_at(const json_t *of, const char *name, size_t i)
{
	return json_string_value(json_array_get(json_object_get(of, name), i));
}

/* Check a frame's category and library, in every context in which it is. */
static void expect_frame(const json_t *root, const char *name, const char *category,
			 const char *library)
{
	const json_t *shared = json_object_get(root, "shared");
	const json_t *frames = json_object_get(shared, "frameTable");
	const json_t *functions = json_object_get(shared, "funcTable");
	const json_t *resources = json_object_get(shared, "resourceTable");
	const json_t *categories = json_object_get(json_object_get(root, "meta"), "categories");
	const json_t *stacks = json_object_get(shared, "stackTable");
	json_int_t nr = json_integer_value(json_object_get(stacks, "length"));
	unsigned int found = 0;

	for (json_int_t i = 0; i < nr; i++) {
		size_t frame = (size_t)number_at(stacks, "frame", (size_t)i);
		size_t function = (size_t)number_at(frames, "func", frame);
		json_int_t resource = number_at(functions, "resource", function);

		if (strcmp(text_at(shared, "stringArray",
				   (size_t)number_at(functions, "name", function)), name))
			continue;
		found++;
		assert_string_equal(json_string_value(json_object_get(json_array_get(
				categories, (size_t)number_at(frames, "category", frame)),
				"name")), category);
		assert_int_equal(resource >= 0, library != NULL);
		if (library)
			assert_string_equal(text_at(shared, "stringArray", (size_t)number_at(
					resources, "name", (size_t)resource)), library);
	}
	assert_true(found > 0);
}

static void firefox_has_libraries_and_the_category_user(void **state)
{
	struct profile *profile = mixed();
	char *text = exported(profile, export_firefox);
	json_t *root = json_loads(text, 0, NULL), *libs;

	(void)state;
	assert_non_null(root);
	/* in a sample of the kernel, too */
	expect_frame(root, "_start", "user", "a b");
	expect_frame(root, "read", "user", "libc.so.6");
	expect_frame(root, "libc.so.6+0x20", "user", "libc.so.6");
	expect_frame(root, "vfs_read", "task", NULL);
	expect_frame(root, "[truncated]", "task", NULL);
	expect_frame(root, "[lost: overload]", "lost", NULL);
	libs = json_object_get(root, "libs");
	assert_int_equal(json_array_size(libs), 2);
	/* the build-id's first 16 bytes, of which 4, 2 and 2 are numbers */
	expect_in(text, "\"debugPath\":\"/usr/bin/a b\",\"breakpadId\":\"DEBBED43242F71E5118A6E3C78EA916C0\",\"codeId\":\"" BUILD_ID "\"}");
	expect_in(text, "\"name\":\"libc.so.6\",\"path\":\"/lib/libc.so.6\",\"debugName\":\"libc.so.6\",");
	expect_in(text, "\"breakpadId\":\"000000000000000000000000000000000\",\"codeId\":null}");
	json_decref(root);
	free(text);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callgrind_has_objects),
		cmocka_unit_test(speedscope_has_files),
		cmocka_unit_test(jsonl_tells_the_files_of_the_user_half),
		cmocka_unit_test(firefox_has_libraries_and_the_category_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
