// SPDX-License-Identifier: GPL-2.0
/*
 * Write JSON: see json.h. flamectl has one thread, so the stream is not locked for
 * each character: a page has a million short numbers.
 */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

#define DIGITS_MAX	20	/* of 2^64 - 1 */

/* ---- commas and lines ---- */

static void put_indent(struct json *json)
{
	putc_unlocked('\n', json->out);
	for (unsigned int i = 0; i < json->depth; i++)
		fputs("  ", json->out);
}

static void put_string(struct json *json, const char *text, size_t length);

/* Write what comes before a value: a comma, a new line, its key. */
static void start_value(struct json *json, const char *key)
{
	bool in_object = json->depth && json->objects >> (json->depth - 1) & 1;

	assert(!!key == in_object);
	if (json->has_values)
		putc_unlocked(',', json->out);
	if (json->style == JSON_SPACED && json->depth)
		put_indent(json);
	else if (json->wants_line)
		putc_unlocked('\n', json->out);
	/* values at the top are separated by json_end() */
	json->has_values = json->depth > 0;
	json->wants_line = false;
	if (!key)
		return;
	put_string(json, key, strlen(key));
	putc_unlocked(':', json->out);
	if (json->style == JSON_SPACED)
		putc_unlocked(' ', json->out);
}

static void open_level(struct json *json, const char *key, bool is_object)
{
	start_value(json, key);
	assert(json->depth < JSON_DEPTH_MAX);
	putc_unlocked(is_object ? '{' : '[', json->out);
	json->objects &= ~(UINT32_C(1) << json->depth);
	json->objects |= (uint32_t)is_object << json->depth;
	json->depth++;
	json->has_values = false;
}

void json_open_object(struct json *json, const char *key)
{
	open_level(json, key, true);
}

void json_open_array(struct json *json, const char *key)
{
	open_level(json, key, false);
}

void json_close(struct json *json)
{
	assert(json->depth > 0);
	json->depth--;
	if (json->style == JSON_SPACED && json->has_values)
		put_indent(json);
	putc_unlocked(json->objects >> json->depth & 1 ? '}' : ']', json->out);
	json->has_values = json->depth > 0;
	json->wants_line = false;
}

void json_line(struct json *json)
{
	json->wants_line = true;
}

void json_end(struct json *json)
{
	assert(json->depth == 0);
	putc_unlocked('\n', json->out);
}

/* ---- texts ---- */

static bool is_plain(const struct json *json, unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' &&
	       (c != '<' || json->style != JSON_IN_PAGE);
}

static void put_escape(struct json *json, uint32_t c)
{
	static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *at = c < 0x80 ? strchr(escaped, (int)c) : NULL;

	if (json->style == JSON_IN_PAGE && utf8_steers(c))
		putc_unlocked('?', json->out);
	else if (at)
		fprintf(json->out, "\\%c", letters[at - escaped]);
	else if (c == '<')
		fputs("\\u003c", json->out);
	else if (c < 0x10000)
		fprintf(json->out, "\\u%04" PRIX32, c);
	else	/* a pair of surrogates */
		fprintf(json->out, "\\u%04" PRIX32 "\\u%04" PRIX32,
			0xd800 + ((c - 0x10000) >> 10),
			0xdc00 + ((c - 0x10000) & 0x3ff));
}

static void put_string(struct json *json, const char *text, size_t length)
{
	const char *end = text + length;

	putc_unlocked('"', json->out);
	while (text < end) {
		const char *from = text;

		while (text < end && is_plain(json, (unsigned char)*text))
			text++;
		fwrite(from, 1, (size_t)(text - from), json->out);
		if (text < end)
			put_escape(json, utf8_next(&text));
	}
	putc_unlocked('"', json->out);
}

void json_text(struct json *json, const char *key, const char *text)
{
	json_text_part(json, key, text, strlen(text));
}

void json_text_part(struct json *json, const char *key, const char *text,
		    size_t length)
{
	start_value(json, key);
	put_string(json, text, strnlen(text, length));
}

/* ---- numbers ---- */

/* Write at least @least digits. */
static void put_digits(FILE *out, uint64_t count, unsigned int least)
{
	char digits[DIGITS_MAX], *end = digits + sizeof(digits), *at = end;

	do
		*--at = (char)('0' + count % 10);
	while ((count /= 10) || end - at < least);
	while (at < end)
		putc_unlocked(*at++, out);
}

void json_count(struct json *json, const char *key, uint64_t count)
{
	start_value(json, key);
	put_digits(json->out, count > INT64_MAX ? INT64_MAX : count, 1);
}

void json_signed(struct json *json, const char *key, int64_t number)
{
	start_value(json, key);
	if (number < 0)
		putc_unlocked('-', json->out);
	put_digits(json->out, number < 0 ? -(uint64_t)number : (uint64_t)number, 1);
}

void json_exact(struct json *json, const char *key, uint64_t count)
{
	start_value(json, key);
	putc_unlocked('"', json->out);
	put_digits(json->out, count, 1);
	putc_unlocked('"', json->out);
}

void json_millionths(struct json *json, const char *key, uint64_t count)
{
	start_value(json, key);
	put_digits(json->out, count / 1000000, 1);
	putc_unlocked('.', json->out);
	put_digits(json->out, count % 1000000, 6);
}

/* ---- words ---- */

void json_bool(struct json *json, const char *key, bool value)
{
	start_value(json, key);
	fputs(value ? "true" : "false", json->out);
}

void json_nothing(struct json *json, const char *key)
{
	start_value(json, key);
	fputs("null", json->out);
}
