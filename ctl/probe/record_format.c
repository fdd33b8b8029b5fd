// SPDX-License-Identifier: GPL-2.0
/*
 * Read the layout of a tracepoint's record: see record_format.h. A layout is text such as
 *
 *   name: kmalloc
 *   ID: 423
 *   format:
 *   	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *
 *   	field:const void * ptr;	offset:16;	size:8;	signed:0;
 *
 *   print fmt: "call_site=%pS ...", ...
 *
 * Everything is checked, as a field's place goes to the kernel.
 */
#include "probe/record_format.h"

#include <errno.h>
#include <string.h>

#include "base/lines.h"
#include "base/number.h"

/* The longest line; "print fmt" is the last one, and may be longer. */
#define LINE_MAX_BYTES	65536

/* Parse the number between @key and a ';'. Return: its end, or NULL. */
static const char *number_after(const char *text, const char *key, uint32_t max,
				uint32_t *number)
{
	const char *at = strstr(text, key), *end;
	char digits[16];
	uint64_t value;

	if (!at)
		return NULL;
	at += strlen(key);
	end = strchr(at, ';');
	if (!end || (size_t)(end - at) >= sizeof(digits))
		return NULL;
	memcpy(digits, at, (size_t)(end - at));
	digits[end - at] = '\0';
	if (number_parse(digits, 0, max, &value, NULL))
		return NULL;
	*number = (uint32_t)value;
	return end;
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Take the name out of a declaration such as "unsigned long args[6]". */
static int read_declaration(const char *text, size_t length, struct record_field *field)
{
	size_t end = length, begin;

	field->is_pointer = memchr(text, '*', length) != NULL;
	field->is_array = memchr(text, '[', length) != NULL;
	if (end && text[end - 1] == ']')
		while (end && text[end - 1] != '[')
			end--;
	while (end && !is_name_char(text[end - 1]))
		end--;
	for (begin = end; begin && is_name_char(text[begin - 1]); begin--)
		;
	if (begin == end || end - begin >= sizeof(field->name))
		return -EBADMSG;
	memcpy(field->name, text + begin, end - begin);
	field->name[end - begin] = '\0';
	return 0;
}

/* Read "field:DECLARATION;	offset:N;	size:N;	signed:N;". */
static int read_field(const char *line, struct record_format *format)
{
	struct record_field field = { "" };
	const char *declaration = line + strlen("field:"), *end = strchr(declaration, ';');
	uint32_t is_signed;

	if (!end || format->nr_fields == RECORD_FIELDS_MAX ||
	    read_declaration(declaration, (size_t)(end - declaration), &field))
		return -EBADMSG;
	end = number_after(end, "offset:", RECORD_BYTES_MAX, &field.offset);
	end = end ? number_after(end, "size:", RECORD_BYTES_MAX, &field.bytes) : NULL;
	end = end ? number_after(end, "signed:", 1, &is_signed) : NULL;
	if (!end || field.offset + field.bytes > RECORD_BYTES_MAX)
		return -EBADMSG;
	field.is_signed = is_signed;
	format->fields[format->nr_fields++] = field;
	return 0;
}

static int read_id(const char *digits, struct record_format *format)
{
	uint64_t id;

	/* perf's number of an event; the kernel gives out less than 2^16 */
	if (format->id || number_parse(digits, 1, UINT32_MAX, &id, NULL))
		return -EBADMSG;
	format->id = (uint32_t)id;
	return 0;
}

static int read_line(const char *line, struct record_format *format)
{
	line += strspn(line, " \t");
	if (!strncmp(line, "ID: ", 4))
		return read_id(line + 4, format);
	if (!strncmp(line, "field:", 6))
		return read_field(line, format);
	return 0;
}

int record_format_read(FILE *in, struct record_format *format, struct error *error)
{
	struct lines lines;
	unsigned int nr = 0;
	size_t length;
	char *line;
	int err;

	*format = (struct record_format){ 0 };
	lines_init(&lines, in, LINE_MAX_BYTES);
	while ((err = lines_next(&lines, &line, &length)) > 0) {
		nr++;
		if (!strncmp(line, "print fmt:", 10))
			break;
		if (read_line(line, format)) {
			err = error_set(error, -EBADMSG, "line %u is malformed: %.100s", nr, line);
			lines_deinit(&lines);
			return err;
		}
	}
	lines_deinit(&lines);
	if (err < 0)
		return error_set(error, err, "line %u: %s", nr + 1, err == -E2BIG ? "it is too long" :
				 err == -EILSEQ ? "it has a NUL byte" : strerror(-err));
	if (!format->id || !format->nr_fields)
		return error_set(error, -EBADMSG, "it has no %s", format->id ? "fields" : "ID");
	return 0;
}

const struct record_field *record_format_find(const struct record_format *format,
					      const char *name)
{
	for (unsigned int i = 0; i < format->nr_fields; i++)
		if (!strcmp(format->fields[i].name, name))
			return &format->fields[i];
	return NULL;
}

bool record_field_is_number(const struct record_field *field)
{
	return !field->is_pointer && !field->is_array &&
	       (field->bytes == 1 || field->bytes == 2 || field->bytes == 4 || field->bytes == 8);
}

const char *record_format_numbers(const struct record_format *format,
				  char text[RECORD_FORMAT_TEXT])
{
	static const char more[] = ", ...";
	size_t used = 0;

	strcpy(text, "none");
	for (unsigned int i = 0; i < format->nr_fields; i++) {
		const struct record_field *field = &format->fields[i];

		if (!record_field_is_number(field) || !strncmp(field->name, "common_", 7))
			continue;
		if (used + strlen(field->name) + 2 + sizeof(more) > RECORD_FORMAT_TEXT) {
			strcpy(text + used, more);
			break;
		}
		used += (size_t)snprintf(text + used, RECORD_FORMAT_TEXT - used, "%s%s",
					 used ? ", " : "", field->name);
	}
	return text;
}
