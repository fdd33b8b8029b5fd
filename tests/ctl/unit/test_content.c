// SPDX-License-Identifier: GPL-2.0
/*
 * Formats are recognised by content, and the whole content is read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/content.h"
#include "format/format.h"
#include "format/pprof/pprof.h"
#include "made_profile.h"
#include "saved.h"

static bool is_pprof(const char *bytes, size_t size)
{
	/* on the heap, so that an overrun is detected */
	uint8_t *copy = malloc(size + !size);
	bool is;

	memcpy(copy, bytes, size);
	is = pprof_probe(copy, size);
	free(copy);
	return is;
}

static void text_is_no_message(void **state)
{
	static const char *const texts[] = {
		"", "\n", "a;b 1\n", "\n*a;b 1\n", "2x;b 1\n", "@;\"b 1\n", "H 5\n",
		"Px;y 1\n", "Z 1\n", "`b 7\n", "hot;j 2\n", "jj 1\n", "p 1\n", "x 2\n",
		"\n\t\r\n 1\n", "* * 1\n", "\033[1m 1\n", "\x80\x80\x80 1\n",
		"\x1b\x01", "\x0b\x01", "\x7a\x01\x01", "\x80\x01\x01",
		/* a number of more than 64 bits */
		"\x48\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (is_pprof(texts[i], strlen(texts[i])))
			fail_msg("%s is taken for a message", texts[i]);
}

static void messages_are_recognised_by_their_start(void **state)
{
	struct profile *profile = made_profile();
	struct bytes file = written(profile), plain = unpacked(file);

	(void)state;
	for (size_t i = 2; i <= plain.size; i++)
		assert_true(is_pprof(plain.bytes, i));
	/* as Go starts: sample types, each a message of two numbers */
	assert_true(is_pprof("\x0a\x04\x08\x01\x10\x02\x12", 7));
	free(plain.bytes);
	free(file.bytes);
	profile_destroy(profile);
}

/* Open these bytes as a stream of content. */
static void expect_content(const void *bytes, size_t size, const void *holds,
			   size_t nr_held, bool is)
{
	FILE *in = fmemopen((void *)bytes, size, "r");
	char *all = malloc(nr_held + 1);
	struct content content;
	struct error error;

	assert_int_equal(content_open(&content, in, &error), 0);
	assert_int_equal(content.format == format_pprof, is);
	assert_int_equal(fread(all, 1, nr_held + 1, content.stream), nr_held);
	assert_memory_equal(all, holds, nr_held);
	content_close(&content);
	fclose(in);
	free(all);
}

static void all_of_it_is_read(void **state)
{
	static const size_t sizes[] = {
		1, CONTENT_HEAD - 1, CONTENT_HEAD, CONTENT_HEAD + 1, 1 << 20,
	};
	struct profile *profile = made_large_profile(20000);
	struct bytes file = written(profile), plain = unpacked(file);
	char *text = malloc(1 << 20);

	(void)state;
	memset(text, 'a', 1 << 20);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		expect_content(text, sizes[i], text, sizes[i], false);
	assert_in_range(plain.size, 2 * CONTENT_HEAD, SIZE_MAX);
	expect_content(plain.bytes, plain.size, plain.bytes, plain.size, true);
	expect_content(file.bytes, file.size, plain.bytes, plain.size, true);
	free(text);
	free(plain.bytes);
	free(file.bytes);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_no_message),
		cmocka_unit_test(messages_are_recognised_by_their_start),
		cmocka_unit_test(all_of_it_is_read),
	};

	return cmocka_run_group_tests_name("content", tests, NULL, NULL);
}
