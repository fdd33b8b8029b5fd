// SPDX-License-Identifier: GPL-2.0
/*
 * The JSON writer: commas, nesting, lines, escapes and numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/json.h"

/* Run @write in one of the styles. Return: the text. */
static char *written(enum json_style style, void (*write)(struct json *json))
{
	struct json json = { .style = style };
	size_t size;
	char *text;

	json.out = open_memstream(&text, &size);
	assert_non_null(json.out);
	write(&json);
	assert_int_equal(fclose(json.out), 0);
	return text;
}

static void expect(enum json_style style, void (*write)(struct json *json),
		   const char *expected)
{
	char *text = written(style, write);

	assert_string_equal(text, expected);
	free(text);
}

static void write_nested(struct json *json)
{
	json_open_object(json, NULL);
	json_count(json, "a", 1);
	json_open_array(json, "b");
	json_count(json, NULL, 2);
	json_open_object(json, NULL);
	json_close(json);
	json_open_array(json, NULL);
	json_close(json);
	json_open_array(json, NULL);
	json_nothing(json, NULL);
	json_bool(json, NULL, true);
	json_close(json);
	json_close(json);
	json_bool(json, "c", false);
	json_open_object(json, "d");
	json_text(json, "e", "");
	json_close(json);
	json_close(json);
	json_end(json);
}

static void values_nest(void **state)
{
	(void)state;
	expect(JSON_DENSE, write_nested,
	       "{\"a\":1,\"b\":[2,{},[],[null,true]],\"c\":false,\"d\":{\"e\":\"\"}}\n");
	expect(JSON_SPACED, write_nested,
	       "{\n  \"a\": 1,\n  \"b\": [\n    2,\n    {},\n    [],\n    [\n      null,\n      true\n    ]\n  ],\n"
	       "  \"c\": false,\n  \"d\": {\n    \"e\": \"\"\n  }\n}\n");
}

static void write_deep(struct json *json)
{
	for (int i = 0; i < JSON_DEPTH_MAX; i++) {
		if (i % 2)
			json_open_object(json, NULL);
		else
			json_open_array(json, i ? "k" : NULL);
	}
	for (int i = 0; i < JSON_DEPTH_MAX; i++)
		json_close(json);
}

static void nesting_may_be_deep(void **state)
{
	char *text = written(JSON_DENSE, write_deep);
	json_t *json = json_loads(text, 0, NULL);

	(void)state;
	assert_non_null(json);
	json_decref(json);
	free(text);
}

static void write_lines(struct json *json)
{
	json_line(json);
	json_open_object(json, NULL);
	json_line(json);
	json_count(json, "a", 1);
	json_line(json);
	json_count(json, "b", 2);
	json_open_array(json, "c");
	json_count(json, NULL, 3);
	json_line(json);
	json_close(json);
	json_line(json);
	json_close(json);
	json_end(json);
	json_count(json, NULL, 4);
	json_end(json);
}

/* No blank before a closing bracket, and no comma between separate lines. */
static void lines_start_where_asked(void **state)
{
	(void)state;
	expect(JSON_DENSE, write_lines,
	       "\n{\n\"a\":1,\n\"b\":2,\"c\":[3]}\n4\n");
}

static void write_texts(struct json *json)
{
	json_open_array(json, NULL);
	json_text(json, NULL, "a\"b\\c/d<e>'&");
	json_text(json, NULL, "\b\f\n\r\t\x01\x1b\x7f");
	json_text(json, NULL, "\u00e9\u65e5\U0001f525\xc2\x9b\u202e");
	/* a lone byte, an overlong form, a surrogate, a character cut short */
	json_text(json, NULL, "\xff|\xc0\xaf|\xed\xa0\x80|\xe6\x97");
	json_text_part(json, NULL, "function_[k]", 8);
	json_text_part(json, NULL, "short", 80);
	json_close(json);
}

static void texts_are_escaped(void **state)
{
	(void)state;
	expect(JSON_DENSE, write_texts,
	       "[\"a\\\"b\\\\c/d<e>'&\",\"\\b\\f\\n\\r\\t\\u0001\\u001B\\u007F\","
	       "\"\\u00E9\\u65E5\\uD83D\\uDD25\\u009B\\u202E\","
	       "\"\\uFFFD|\\uFFFD\\uFFFD|\\uFFFD\\uFFFD\\uFFFD|\\uFFFD\\uFFFD\","
	       "\"function\",\"short\"]");
	/* on a page no text ends a script or changes the direction of text */
	expect(JSON_IN_PAGE, write_texts,
	       "[\"a\\\"b\\\\c/d\\u003ce>'&\",\"????????\","
	       "\"\\u00E9\\u65E5\\uD83D\\uDD25??\","
	       "\"\\uFFFD|\\uFFFD\\uFFFD|\\uFFFD\\uFFFD\\uFFFD|\\uFFFD\\uFFFD\","
	       "\"function\",\"short\"]");
}

static void write_keys(struct json *json)
{
	json_open_object(json, NULL);
	json_count(json, "\"</script>\n", 1);
	json_close(json);
}

static void keys_are_escaped(void **state)
{
	(void)state;
	expect(JSON_IN_PAGE, write_keys, "{\"\\\"\\u003c/script>?\":1}");
	expect(JSON_SPACED, write_keys, "{\n  \"\\\"</script>\\n\": 1\n}");
}

/* A reader gets back each character that JSON can contain. */
static void readers_get_texts_back(void **state)
{
	(void)state;
	for (uint32_t c = 1; c <= 0x10ffff; c += c < 0x3000 ? 1 : 97) {
		char text[8] = "", *made;
		struct json json = { 0 };
		json_t *read;
		size_t size;

		if (c >= 0xd800 && c < 0xe000)
			continue;
		if (c < 0x80)
			text[0] = (char)c;
		else if (c < 0x800)
			snprintf(text, sizeof(text), "%c%c", 0xc0 | c >> 6,
				 0x80 | (c & 0x3f));
		else if (c < 0x10000)
			snprintf(text, sizeof(text), "%c%c%c", 0xe0 | c >> 12,
				 0x80 | (c >> 6 & 0x3f), 0x80 | (c & 0x3f));
		else
			snprintf(text, sizeof(text), "%c%c%c%c", 0xf0 | c >> 18,
				 0x80 | (c >> 12 & 0x3f), 0x80 | (c >> 6 & 0x3f),
				 0x80 | (c & 0x3f));
		json.out = open_memstream(&made, &size);
		json_text(&json, NULL, text);
		fclose(json.out);
		for (size_t i = 0; i < size; i++)
			assert_in_range(made[i], 0x20, 0x7e);
		read = json_loads(made, JSON_DECODE_ANY, NULL);
		assert_string_equal(json_string_value(read), text);
		json_decref(read);
		free(made);
	}
}

static void write_numbers(struct json *json)
{
	json_open_array(json, NULL);
	json_count(json, NULL, 0);
	json_count(json, NULL, 1234567890);
	json_count(json, NULL, INT64_MAX);
	json_count(json, NULL, UINT64_MAX);
	json_signed(json, NULL, 0);
	json_signed(json, NULL, -1);
	json_signed(json, NULL, INT64_MIN);
	json_signed(json, NULL, INT64_MAX);
	json_exact(json, NULL, UINT64_MAX);
	json_millionths(json, NULL, 0);
	json_millionths(json, NULL, 1500001);
	json_millionths(json, NULL, UINT64_MAX);
	json_close(json);
}

static void numbers_are_exact(void **state)
{
	(void)state;
	expect(JSON_DENSE, write_numbers,
	       "[0,1234567890,9223372036854775807,9223372036854775807,"
	       "0,-1,-9223372036854775808,9223372036854775807,"
	       "\"18446744073709551615\",0.000000,1.500001,18446744073709.551615]");
}

static void write_json_lines(struct json *json)
{
	for (int i = 0; i < 2; i++) {
		json_open_object(json, NULL);
		json_count(json, "a", 1);
		json_close(json);
		json_end(json);
		json_count(json, NULL, 2);
		json_end(json);
	}
}

static void lines_of_json_have_no_commas(void **state)
{
	(void)state;
	expect(JSON_DENSE, write_json_lines, "{\"a\":1}\n2\n{\"a\":1}\n2\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_nest),
		cmocka_unit_test(nesting_may_be_deep),
		cmocka_unit_test(lines_start_where_asked),
		cmocka_unit_test(texts_are_escaped),
		cmocka_unit_test(keys_are_escaped),
		cmocka_unit_test(readers_get_texts_back),
		cmocka_unit_test(numbers_are_exact),
		cmocka_unit_test(lines_of_json_have_no_commas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
