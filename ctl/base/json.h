/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write JSON to a stream, value by value, in plain ASCII: commas, nesting,
 * numbers and escapes are all here.
 *
 * The output contains no control character, whatever bytes it was made from, so
 * that it is safe to print on a terminal. A byte that is not UTF-8 becomes
 * U+FFFD.
 *
 * Each function that writes a value takes its key, or NULL in an array and at
 * the top. Nothing is allocated and no function fails: a caller checks the
 * stream when it is done, or now and then in a long output.
 */
#ifndef FLAMECTL_JSON_H
#define FLAMECTL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum json_style {
	JSON_DENSE,		/* no spaces; lines only where json_line() asks */
	JSON_SPACED,		/* for people: a line per value, indented by 2 */
	/*
	 * For a script element of a page: dense and without "<", which could end
	 * the element. What utf8_steers() reports becomes '?', as the texts are
	 * shown on that page.
	 */
	JSON_IN_PAGE,
};

/* Objects and arrays may be nested this deep. */
#define JSON_DEPTH_MAX	32

/* The output so far. Set @out and @style; the rest belongs to the functions. */
struct json {
	FILE *out;
	enum json_style style;
	unsigned int depth;
	uint32_t objects;	/* bit N: an object is open at depth N */
	bool has_values;	/* in what is open: a comma comes next */
	bool wants_line;
};

/** json_open_object() - start an object; its members follow. */
void json_open_object(struct json *json, const char *key);

/** json_open_array() - start an array; its values follow, each without a key. */
void json_open_array(struct json *json, const char *key);

/** json_close() - end the object or array that was started last. */
void json_close(struct json *json);

/**
 * json_line() - write a newline before the next value. If the object or array
 * ends first, no newline is written.
 */
void json_line(struct json *json);

/** json_end() - end the output, or a line of JSON lines, by a newline. */
void json_end(struct json *json);

/** json_text() - write @text, of any bytes up to its NUL. */
void json_text(struct json *json, const char *key, const char *text);

/** json_text_part() - write @length bytes of @text, or up to its NUL. */
void json_text_part(struct json *json, const char *key, const char *text,
		    size_t length);

/**
 * json_count() - write a number. One above INT64_MAX becomes that, because a
 * reader with signed integers would refuse the whole text.
 */
void json_count(struct json *json, const char *key, uint64_t count);

/** json_signed() - write a number that may be negative. */
void json_signed(struct json *json, const char *key, int64_t number);

/**
 * json_exact() - write a number in quotes, for scripts, whose own numbers are
 * exact only below 2^53.
 */
void json_exact(struct json *json, const char *key, uint64_t count);

/** json_millionths() - write @count / 1000000, exactly: 1500000 is 1.500000. */
void json_millionths(struct json *json, const char *key, uint64_t count);

/** json_bool() - write true or false. */
void json_bool(struct json *json, const char *key, bool value);

/** json_nothing() - write null. */
void json_nothing(struct json *json, const char *key);

#endif /* FLAMECTL_JSON_H */
