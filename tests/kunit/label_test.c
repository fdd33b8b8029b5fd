// SPDX-License-Identifier: GPL-2.0
/*
 * Names in lines of text: no character in them ends a line or controls a terminal.
 */
#include <linux/seq_file.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/label.h"
#include "suites.h"

static const struct fm_label_case {
	const char *name, *from, *to;
} fm_label_cases[] = {
	{ "plain", "dd", "dd" },
	{ "with a blank", "Web Content", "Web Content" },
	{ "a semicolon", "a;b;", "a_b_" },
	{ "a line", "a\nb\tc\r", "a_b_c_" },
	{ "an escape sequence", "\033[31m\177", "_[31m_" },
	{ "empty", "", "[unknown]" },
	{ "blanks", "   ", "[unknown]" },
	{ "blanks in front", "  a", "  a" },
	{ "a loss", "[lost: x]", "_lost: x]" },
	{ "no loss", "[lost x]", "[lost x]" },
	{ "2 bytes", "\xc2\xa0\xdf\xbf", "\xc2\xa0\xdf\xbf" },
	{ "3 bytes", "\xe6\x97\xa5\xed\x9f\xbf\xee\x80\x80",
	  "\xe6\x97\xa5\xed\x9f\xbf\xee\x80\x80" },
	{ "4 bytes", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf" },
	{ "U+0080 and U+009F", "\xc2\x80\xc2\x9f", "__" },
	{ "U+061C", "a\xd8\x9c", "a_" },
	{ "U+200E and U+200F", "\xe2\x80\x8e\xe2\x80\x8f", "__" },
	{ "U+200D and U+2010", "\xe2\x80\x8d\xe2\x80\x90", "\xe2\x80\x8d\xe2\x80\x90" },
	{ "U+2028 to U+202E", "\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae", "____" },
	{ "U+2027 and U+202F", "\xe2\x80\xa7\xe2\x80\xaf", "\xe2\x80\xa7\xe2\x80\xaf" },
	{ "U+2066 to U+2069", "\xe2\x81\xa6\xe2\x81\xa9", "__" },
	{ "U+2065 and U+206A", "\xe2\x81\xa5\xe2\x81\xaa", "\xe2\x81\xa5\xe2\x81\xaa" },
	{ "continues nothing", "a\x80\xbf", "a__" },
	{ "not ended", "a\xe6\x97", "a__" },
	{ "ended by another", "\xe6\x97z\xc2\xc2\xa0", "__z_\xc2\xa0" },
	{ "overlong in 2", "\xc0\xaf\xc1\xbf", "____" },
	{ "overlong in 3", "\xe0\x9f\xbf", "___" },
	{ "overlong in 4", "\xf0\x8f\xbf\xbf", "____" },
	{ "a surrogate", "\xed\xa0\x80", "___" },
	{ "past the last", "\xf4\x90\x80\x80\xf5\x80\xff", "_______" },
};

FM_ARRAY_PARAM(label);

static void a_label_does_no_harm(struct kunit *test)
{
	const struct fm_label_case *c = test->param_value;
	char text[64];
	struct seq_file seq = { .buf = text, .size = sizeof(text) };

	fm_label_put(&seq, c->from);
	KUNIT_ASSERT_LT(test, seq.count, sizeof(text));
	text[seq.count] = '\0';
	KUNIT_EXPECT_STREQ(test, text, c->to);
}

static struct kunit_case fm_label_test_cases[] = {
	KUNIT_CASE_PARAM(a_label_does_no_harm, fm_label_gen_params),
	{}
};

struct kunit_suite fm_label_suite = {
	.name = "flamemod_label",
	.test_cases = fm_label_test_cases,
};
