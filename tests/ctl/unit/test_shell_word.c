// SPDX-License-Identifier: GPL-2.0
/*
 * Words for a shell: how they are quoted, and that a shell gives them back unchanged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/shell_word.h"

static const struct {
	const char *word, *expected;
} words[] = {
	{ "cat", "cat" },
	{ "dir/a-b_c.pb.gz,x:1+2", "dir/a-b_c.pb.gz,x:1+2" },
	{ "", "''" },
	{ "a b", "'a b'" },
	{ "it's", "'it'\\''s'" },
	{ "$(reboot)`id`;&|<>*?[!]{a,b}~#\"\\", "'$(reboot)`id`;&|<>*?[!]{a,b}~#\"\\'" },
	{ "a=b", "'a=b'" },
	{ "日本", "'日本'" },
	{ "a\n1", "$'a\\0121'" },
	{ "\033[31m'\\\n", "$'\\033[31m\\047\\134\\012'" },
	{ "\xff\xc3", "$'\\377\\303'" },
	{ "\u202egnp.exe", "$'\\342\\200\\256gnp.exe'" },
	{ "\xef\xbf\xbe", "$'\\357\\277\\276'" },
};

#define NR_WORDS (sizeof(words) / sizeof(words[0]))

static char *write_word(const char *word)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	shell_put_word(out, word);
	fclose(out);
	return text;
}

static void words_are_quoted(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_WORDS; i++) {
		char *text = write_word(words[i].word);

		assert_string_equal(text, words[i].expected);
		free(text);
	}
}

static void bash_gives_them_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR_WORDS; i++) {
		char *text = write_word(words[i].word), *script, read[64];
		size_t length;
		FILE *in;

		assert_true(asprintf(&script, "printf %%s %s", text) > 0);
		setenv("WORD", script, 1);
		in = popen("exec bash -c \"$WORD\"", "r");
		assert_non_null(in);
		length = fread(read, 1, sizeof(read) - 1, in);
		read[length] = '\0';
		assert_int_equal(pclose(in), 0);
		assert_string_equal(read, words[i].word);
		free(script);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_quoted),
		cmocka_unit_test(bash_gives_them_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
