// SPDX-License-Identifier: GPL-2.0
/*
 * Lines are the same wherever blocks end, however much a stream returns at a time, and
 * however it fails.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <cmocka.h>

#include "base/lines.h"

/* A stream of @size bytes that ends in an error, if @err. */
struct source {
	const char *bytes;
	size_t size, at, at_a_time;
	int err;
};

static ssize_t give(void *cookie, char *to, size_t room)
{
	struct source *source = cookie;
	size_t left = source->size - source->at, nr = source->at_a_time;

	if (!left && source->err) {
		errno = source->err;
		return -1;
	}
	nr = nr < room ? nr : room;
	nr = nr < left ? nr : left;
	memcpy(to, source->bytes + source->at, nr);
	source->at += nr;
	return (ssize_t)nr;
}

static FILE *open_source(struct source *source)
{
	cookie_io_functions_t functions = { .read = give };
	FILE *in = fopencookie(source, "r", functions);

	assert_non_null(in);
	return in;
}

/* Check that the lines of @bytes are those that strsep() finds, up to the error. */
static void expect_lines(const char *bytes, size_t size, size_t at_a_time,
			 size_t max, int end)
{
	struct source source = { bytes, size, 0, at_a_time, end < 0 ? -end : 0 };
	FILE *in = open_source(&source);
	const char *rest = bytes;
	struct lines lines;
	size_t length;
	char *line;
	int err;

	lines_init(&lines, in, max);
	while ((err = lines_next(&lines, &line, &length)) > 0) {
		assert_int_equal(strlen(line), length);
		assert_memory_equal(line, rest, length);
		rest += length;
		assert_true(rest == bytes + size || *rest == '\n');
		rest += rest < bytes + size;
	}
	assert_int_equal(err, end);
	/* except for a line that the error cut */
	assert_null(memchr(rest, '\n', (size_t)(bytes + size - rest)));
	if (!end)
		assert_ptr_equal(rest, bytes + size);
	lines_deinit(&lines);
	fclose(in);
}

/* Lines of 0, 1, 2, ... bytes and one of 300 000, in the middle. */
static char *make_text(size_t *size)
{
	char *text = malloc(2000 * 1001 + 300001), *at = text;

	assert_non_null(text);
	for (size_t i = 0; i < 2000; i++) {
		size_t length = i == 1000 ? 300000 : i % 1000;

		memset(at, 'a' + (int)(i % 26), length);
		at[length] = '\n';
		at += length + 1;
	}
	*size = (size_t)(at - text);
	return text;
}

static void finds_lines_in_any_blocks(void **state)
{
	static const size_t at_a_time[] = { 1, 7, 4096, 65535, 65536, SIZE_MAX };
	char *text;
	size_t size;

	(void)state;
	text = make_text(&size);
	for (size_t i = 0; i < sizeof(at_a_time) / sizeof(at_a_time[0]); i++) {
		expect_lines(text, size, at_a_time[i], 300000, 0);
		/* the last one has no newline */
		expect_lines(text, size - 1, at_a_time[i], 300000, 0);
	}
	/* blocks that end anywhere in a line */
	for (size_t skipped = 0; skipped < 600; skipped++)
		expect_lines(text + skipped, 200000, SIZE_MAX, 300000, 0);
	free(text);
	expect_lines("", 0, 1, 10, 0);
	expect_lines("\n\n", 2, 1, 0, 0);
}

static void gives_all_before_an_error(void **state)
{
	char *text;
	size_t size;

	(void)state;
	text = make_text(&size);
	expect_lines(text, size, SIZE_MAX, 300000, -EIO);
	expect_lines(text, size, 100, 300000, -EISDIR);
	expect_lines(text, 100000, 100, 300000, -EIO);
	free(text);
	expect_lines("", 0, 1, 10, -EIO);
}

/* The number of lines before one that is refused, and the message. */
static void expect_end(const char *bytes, size_t size, size_t max,
		       unsigned int nr, int end)
{
	struct source source = { bytes, size, 0, SIZE_MAX, 0 };
	FILE *in = open_source(&source);
	struct lines lines;
	size_t length;
	char *line;

	lines_init(&lines, in, max);
	for (; nr; nr--)
		assert_int_equal(lines_next(&lines, &line, &length), 1);
	assert_int_equal(lines_next(&lines, &line, &length), end);
	lines_deinit(&lines);
	fclose(in);
}

static void refuses_what_is_no_text(void **state)
{
	char *text = calloc(1, 1 << 20);

	(void)state;
	expect_end("ab\nabc\nabcd\n", 12, 3, 2, -E2BIG);
	expect_end("ab\nabc\nabcd", 11, 3, 2, -E2BIG);
	expect_end("ab\nabc", 6, 3, 2, 0);
	expect_end("ab\na\0b\n", 7, 3, 1, -EILSEQ);
	expect_end("ab\n\0", 4, 3, 1, -EILSEQ);
	/* at once, not after reading everything */
	expect_end(text, 1 << 20, 1 << 30, 0, -EILSEQ);
	memset(text, 'x', 1 << 20);
	expect_end(text, 1 << 20, 1 << 20, 1, 0);
	expect_end(text, 1 << 20, (1 << 20) - 1, 0, -E2BIG);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_lines_in_any_blocks),
		cmocka_unit_test(gives_all_before_an_error),
		cmocka_unit_test(refuses_what_is_no_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
