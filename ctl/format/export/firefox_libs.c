// SPDX-License-Identifier: GPL-2.0
/*
 * Write the programs and libraries of a profile for the Firefox Profiler: see
 * firefox_libs.h.
 *
 * A library is identified by its build-id, which the viewer knows in two forms: whole, as
 * codeId, and as breakpadId, 16 bytes of it as a GUID whose first three numbers are
 * little-endian, followed by an age, which is 0.
 */
#include "format/export/firefox_libs.h"

#include <ctype.h>
#include <string.h>

/* Digits of a GUID, and that of the age. */
#define GUID_DIGITS	32
#define BREAKPAD_ID	(GUID_DIGITS + 1)

/* The resource is a library: resourceTypes in its src/profile-logic/data-structures.ts. */
#define TYPE_LIBRARY	1

/* Write the id; what is missing or no digit is 0. */
static void breakpad_id(const char *build_id, char id[BREAKPAD_ID + 1])
{
	/* for each byte of the GUID, which one of the build-id it is */
	static const unsigned char order[GUID_DIGITS / 2] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15,
	};
	size_t length = strlen(build_id);

	for (size_t i = 0; i < GUID_DIGITS; i++) {
		size_t from = 2U * order[i / 2] + i % 2;
		unsigned char digit = from < length ? (unsigned char)build_id[from] : '0';

		id[i] = isxdigit(digit) ? (char)toupper(digit) : '0';
	}
	id[GUID_DIGITS] = '0';
	id[BREAKPAD_ID] = '\0';
}

static void write_lib(struct json *json, const struct profile_object *object,
		      const char *arch)
{
	const char *file = profile_object_file(object);
	char id[BREAKPAD_ID + 1];

	breakpad_id(object->build_id, id);
	json_open_object(json, NULL);
	json_text(json, "arch", arch);
	json_text(json, "name", file);
	json_text(json, "path", object->path);
	json_text(json, "debugName", file);
	json_text(json, "debugPath", object->path);
	json_text(json, "breakpadId", id);
	if (*object->build_id)
		json_text(json, "codeId", object->build_id);
	else
		json_nothing(json, "codeId");
	json_close(json);
	json_line(json);
}

void firefox_write_libs(struct json *json, const struct profile *profile)
{
	json_open_array(json, "libs");
	for (uint32_t i = 0; i < profile->nr_objects; i++)
		write_lib(json, &profile->objects[i], profile->meta.origin.arch);
	json_close(json);
	json_line(json);
}

void firefox_write_lib_names(struct json *json, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_objects; i++)
		json_text(json, NULL, profile_object_file(&profile->objects[i]));
}

static void write_numbers(struct json *json, const char *name, uint32_t first,
			  uint32_t step, uint32_t nr)
{
	json_open_array(json, name);
	for (uint32_t i = 0; i < nr; i++)
		json_count(json, NULL, first + i * step);
	json_close(json);
}

void firefox_write_resources(struct json *json, const struct profile *profile,
			     uint32_t first_name)
{
	uint32_t nr = profile->nr_objects;

	json_open_object(json, "resourceTable");
	write_numbers(json, "type", TYPE_LIBRARY, 0, nr);
	write_numbers(json, "lib", 0, 1, nr);
	write_numbers(json, "name", first_name, 1, nr);
	json_open_array(json, "host");
	for (uint32_t i = 0; i < nr; i++)
		json_nothing(json, NULL);
	json_close(json);
	json_count(json, "length", nr);
	json_close(json);
	json_line(json);
}
