// SPDX-License-Identifier: GPL-2.0
/*
 * Read the output of bpftrace -f json: a sequence of objects. Those of type
 * "map" hold maps of counts, with the same keys as the text has:
 *
 *   {"type": "map", "data": {"@": {"\n    vfs_read+149\n,cat": 42}}}
 *
 * Objects of other types, and maps of other values than counts, are left out.
 */
#include "format/import/bpftrace.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/*
 * Convert an entry to the text that bpftrace prints for it, and read its lines.
 */
static int read_entry(struct import *import, const char *key, uint64_t count)
{
	struct bpftrace_entry entry = { .line = 0 };
	char *text, *line, *next;
	int err = 0;

	if (asprintf(&text, "@[%s]: %" PRIu64, key, count) < 0)
		return error_set(import->error, -ENOMEM, "%s", strerror(ENOMEM));
	for (line = text; line && !err; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		import->line = line;
		err = bpftrace_line(import, &entry);
	}
	free(text);
	if (!err && entry.line)
		err = import_fail(import, "has a key that cannot be read: %.100s",
				  key);
	return err;
}

static int read_map(struct import *import, json_t *map)
{
	const char *key;
	json_t *value;
	int err;

	json_object_foreach(map, key, value) {
		if (!json_is_integer(value))
			continue;
		if (json_integer_value(value) < 0)
			return import_fail(import, "has a negative count, %lld",
					   (long long)json_integer_value(value));
		err = read_entry(import, key,
				 (uint64_t)json_integer_value(value));
		if (err)
			return err;
	}
	return 0;
}

static int read_object(struct import *import, json_t *object)
{
	const char *type = json_string_value(json_object_get(object, "type"));
	json_t *maps = json_object_get(object, "data"), *map;
	const char *name;
	int err = 0;

	if (!type || strcmp(type, "map"))
		return 0;
	json_object_foreach(maps, name, map) {
		if (!err && json_is_object(map))
			err = read_map(import, map);
	}
	return err;
}

/* Skip blanks, and peek at the next byte; counts lines. */
static int next_byte(struct import *import, FILE *in)
{
	int byte;

	do {
		byte = getc(in);
		import->line_number += byte == '\n';
	} while (byte != EOF && strchr(" \t\r\n", byte) && byte);
	if (byte != EOF)
		ungetc(byte, in);
	return byte;
}

struct source {
	FILE *in;
	uintmax_t nr_newlines;
};

/* Read one byte at a time, to leave the next object in the stream. */
static size_t read_byte(void *to, size_t size, void *cookie)
{
	struct source *source = cookie;
	int byte = size ? getc(source->in) : EOF;

	if (byte == EOF)
		return 0;
	source->nr_newlines += byte == '\n';
	*(char *)to = (char)byte;
	return 1;
}

/* Read the next object. Return: 1, 0 at the end, or -errno. */
static int read_next(struct import *import, FILE *in)
{
	struct source source = { .in = in };
	json_error_t why;
	json_t *object;
	int err, byte = next_byte(import, in);

	if (byte == EOF)
		return ferror(in) ? error_set(import->error, -EIO, "%s",
					      strerror(EIO)) : 0;
	if (byte != '{')
		return import_fail(import, "is not a JSON object of bpftrace");
	object = json_load_callback(read_byte, &source, JSON_DISABLE_EOF_CHECK,
				    &why);
	if (!object)
		return import_fail(import, "starts an object that is not JSON, or incomplete: %.200s",
				   why.text);
	err = read_object(import, object);
	import->line_number += source.nr_newlines;
	json_decref(object);
	return err ?: 1;
}

int import_bpftrace_json(FILE *in, const struct import_options *options,
			 struct profile *profile, struct error *error)
{
	struct import import;
	int err;

	import_init(&import, in, options, profile, error);
	import.line_number = 1;
	do {
		err = read_next(&import, in);
	} while (err > 0);
	import_period(&import, 0);
	import_deinit(&import);
	return err;
}
