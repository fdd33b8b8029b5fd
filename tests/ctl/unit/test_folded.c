// SPDX-License-Identifier: GPL-2.0
/*
 * Folded text to and from a tree: ours, other programs', and hostile text.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "folded_text.h"
#include "tree/tree.h"

/* Text of @length bytes into @tree. */
static int read_bytes(struct tree *tree, const char *bytes, size_t length,
		      struct error *error)
{
	FILE *in = fmemopen((void *)bytes, length, "r");
	int err;

	assert_non_null(in);
	err = fold_read(tree, in, error);
	fclose(in);
	return err;
}

static int read_text(struct tree *tree, const char *text, struct error *error)
{
	return read_bytes(tree, text, strlen(text), error);
}

/* What a frame is depends on the frames above it, which another text had. */
static void adds_a_text_to_another(void **state)
{
	struct tree *tree = tree_create();

	(void)state;
	assert_int_equal(read_text(tree, "comm;main;a 1\n", NULL), 0);
	assert_int_equal(read_text(tree, "comm;main;a 2\ncomm;main;a;b 4\n", NULL), 0);
	assert_int_equal(tree->nr_nodes, 5);
	assert_int_equal(tree->nodes[3].self, 3);
	assert_string_equal(tree->nodes[4].name, "b");
	assert_int_equal(tree->nodes[4].kind, TREE_USER);
	tree_destroy(tree);
}

/* Reading @text and writing it again must give @expected. */
static void expect_reads(const char *text, const char *expected)
{
	struct tree *tree = tree_create();
	struct error error = { "" };

	if (read_text(tree, text, &error))
		fail_msg("%s: %s", text, error.text);
	expect_text(tree, expected);
}

static void expect_refused(const char *bytes, size_t length, const char *why)
{
	struct tree *tree = tree_create();
	struct error error = { "" };

	assert_int_equal(read_bytes(tree, bytes, length, &error), -EBADMSG);
	assert_string_equal(error.text, why);
	assert_int_equal(read_bytes(tree, bytes, length, NULL), -EBADMSG);
	tree_destroy(tree);
}

static void reads_what_others_write(void **state)
{
	(void)state;
	expect_reads("a;b 1\n", "a;b 1\n");
	expect_reads("a;b 1", "a;b 1\n");
	expect_reads("a;b 1\r\na;c 2\r\n", "a;b 1\na;c 2\n");
	expect_reads("\n \t\r\na 1\n\n", "a 1\n");
	expect_reads("a;b\t7  \n", "a;b 7\n");
	expect_reads("b 1\na 2\nb 3\n", "a 2\nb 4\n");
	expect_reads("a;b 1\na 2\n", "a 2\na;b 1\n");
	expect_reads("a b;c d 1\n", "a b;c d 1\n");
	expect_reads("a;b  5\n", "a;b  5\n");
	expect_reads("a 0\nb 1\n", "b 1\n");
	expect_reads("a 00012\n", "a 12\n");
	expect_reads("a;;b 1\n;c 2\nd; 3\n",
		     "[unknown];c 2\na;[unknown];b 1\nd;[unknown] 3\n");
	expect_reads("a;pid 12 3\ncpu 1 4\n", "a;pid 12 3\ncpu 1 4\n");
	expect_reads("\xff\xfe;b\x01 1\n", "__;b_ 1\n");
	expect_reads("a 18446744073709551615\n", "a 18446744073709551615\n");
}

/* Names with the same start are different frames. */
static void separates_names_with_the_same_start(void **state)
{
	(void)state;
	expect_reads("a;b 1\na;bc 2\na;b;c 4\na;b 8\na 16\nab 32\n",
		     "a 16\na;b 9\na;b;c 4\na;bc 2\nab 32\n");
	expect_reads("a;b;c 1\na;x 0\na;b;d 2\n\na;b;c 4\n",
		     "a;b;c 5\na;b;d 2\n");
	expect_reads("a;;b 1\na;;c 2\na; 4\na;[unknown];c 8\n",
		     "a;[unknown] 4\na;[unknown];b 1\na;[unknown];c 10\n");
	expect_reads("a;b;c;d 1\nx;b;c;d 2\nx;b;y;d 4\nx;b;y;d 8\n",
		     "a;b;c;d 1\nx;b;c;d 2\nx;b;y;d 12\n");
}

/* The state from which kinds are guessed is that of the frame above. */
static void guesses_kinds_below_the_last_stack(void **state)
{
	static const char text[] =
		"swapper;do_idle;a;b 1\nswapper;do_idle;a;c 1\n"
		"swapper;do_idle;asm_sysvec_x;b 1\nswapper;do_idle;asm_sysvec_x;c 1\n"
		"java;main;a;b 1\njava;main;a;c 1\n"
		"cpu 1;b;pid 2 1\ncpu 1;b;pid 3 1\n";
	static const char kinds[] = "rtiiiikkktuuuutkkk";
	struct tree *tree = tree_create();

	(void)state;
	assert_int_equal(read_text(tree, text, NULL), 0);
	assert_int_equal(tree->nr_nodes, sizeof(kinds) - 1);
	for (uint32_t i = 0; i < tree->nr_nodes; i++)
		if (kinds[i] != "rtkmuilx"[tree->nodes[i].kind])
			fail_msg("%s is %c, not %c", tree->nodes[i].name,
				 "rtkmuilx"[tree->nodes[i].kind], kinds[i]);
	tree_destroy(tree);
}

static void adds_no_empty_nodes(void **state)
{
	struct tree *tree = tree_create();

	(void)state;
	assert_int_equal(read_text(tree, "a;b 0\n", NULL), 0);
	assert_int_equal(tree->nr_nodes, 1);
	assert_int_equal(read_text(tree, ";;b 1\n", NULL), 0);
	assert_int_equal(tree->nr_nodes, 4);
	assert_string_equal(tree->nodes[2].name, "[unknown]");
	assert_int_equal(tree->nodes[2].kind, TREE_MARK);
	tree_destroy(tree);
}

static void refuses_with_the_line(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{ "a 1\nfoo\n", "line 2 has no count: a folded line is \"root;...;leaf COUNT\"" },
		{ "a;b c\n", "line 1 has no count: it ends in \"c\"; a folded line is \"root;...;leaf COUNT\"" },
		{ "a;b \x1b[31mc\n", "line 1 has no count: it ends in \"\x1b[31mc\"; a folded line is \"root;...;leaf COUNT\"" },
		{ "a 1\n\nb -3\n", "line 3: the count -3 is negative" },
		{ "a 1.5\n", "line 1: the count 1.5 is not a whole number; scale all counts until they are" },
		{ "a 1e9\n", "line 1: the count 1e9 is not a whole number; scale all counts until they are" },
		{ "a +1\n", "line 1: the count +1 is not a whole number; scale all counts until they are" },
		{ "a 18446744073709551616\n", "line 1: the counts sum to more than 18446744073709551615; scale them down" },
		{ "a 18446744073709551615\nb 1\n", "line 2: the counts sum to more than 18446744073709551615; scale them down" },
		{ "a 99999999999999999999999999999999999999999999999\n", "line 1: the counts sum to more than 18446744073709551615; scale them down" },
		{ "a 184467440737095516160\n", "line 1: the counts sum to more than 18446744073709551615; scale them down" },
		{ "5\n", "line 1 has a count but no stack; a folded line is \"root;...;leaf COUNT\"" },
		{ "  5\n", "line 1 has a count but no stack; a folded line is \"root;...;leaf COUNT\"" },
		{ "a;b 5 7\n", "line 1 has two counts: this is a difference of two profiles, which cannot be read; use the two files from which it was made, with flamectl diff" },
		{ "a;b 0 7\n", "line 1 has two counts: this is a difference of two profiles, which cannot be read; use the two files from which it was made, with flamectl diff" },
	};
	static const char nul[] = "a 1\nb\0c 2\n";

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_refused(bad[i].text, strlen(bad[i].text), bad[i].why);
	expect_refused(nul, sizeof(nul) - 1,
		       "line 2 contains a NUL byte: this is not folded text");
}

static void keeps_the_lines_before_a_bad_one(void **state)
{
	struct tree *tree = tree_create();
	struct error error;

	(void)state;
	assert_int_equal(read_text(tree, "a;b 3\nc 4\nd x\n", &error), -EBADMSG);
	expect_text(tree, "a;b 3\nc 4\n");
}

static void adds_to_an_existing_tree(void **state)
{
	struct tree *tree = tree_create();
	struct error error;

	(void)state;
	assert_int_equal(read_text(tree, "a;b 18446744073709551614\n", &error), 0);
	assert_int_equal(read_text(tree, "a;c 2\n", &error), -EBADMSG);
	assert_string_equal(error.text, "line 1: the counts sum to more than 18446744073709551615; scale them down");
	assert_int_equal(read_text(tree, "a;c 1\n", &error), 0);
	expect_text(tree, "a;b 18446744073709551614\na;c 1\n");
}

static void reports_a_failing_stream(void **state)
{
	struct tree *tree = tree_create();
	FILE *in = fopen("/", "r"), *out = fopen("/dev/full", "w");
	struct error error;

	(void)state;
	assert_int_equal(fold_read(tree, in, &error), -EISDIR);
	assert_string_equal(error.text, "line 1 cannot be read: Is a directory");
	fclose(in);

	assert_int_equal(read_text(tree, "a 1\n", &error), 0);
	tree_sum(tree);
	setvbuf(out, NULL, _IONBF, 0);
	assert_int_equal(fold_write(tree, out), -ENOSPC);
	fclose(out);
	tree_destroy(tree);
}

/* "f;f;...;f 1" with @depth frames, or one frame of @length bytes. */
static char *make_line(size_t depth, size_t length)
{
	char *line = malloc(depth * (length + 1) + 3), *to = line;

	for (size_t i = 0; i < depth; i++) {
		memset(to, 'f', length);
		to[length] = ';';
		to += length + 1;
	}
	strcpy(to - 1, " 1\n");
	return line;
}

static void takes_deep_stacks_and_long_lines(void **state)
{
	char *line = make_line(16384, 1);
	struct error error;
	struct tree *tree;

	(void)state;
	expect_reads(line, line);
	free(line);

	line = make_line(16385, 1);
	expect_refused(line, strlen(line), "line 1: the stack is deeper than 16384 frames");
	free(line);

	line = make_line(1, 1 << 20);
	expect_reads(line, line);
	free(line);

	line = make_line(1, (64 << 20) + 1);
	tree = tree_create();
	assert_int_equal(read_text(tree, line, &error), -EBADMSG);
	assert_string_equal(error.text, "line 1 is longer than 64 MiB: this is not folded text");
	tree_destroy(tree);
	free(line);
}

static void writes_what_can_be_read(void **state)
{
	static const struct {
		const char *name, *written;
		enum tree_kind kind;
	} cases[] = {
		{ "a;b", "x;a_b 1\n", TREE_TASK },
		{ "a\nb\r\t\x7f", "x;a_b___ 1\n", TREE_TASK },
		{ "", "x;[unknown] 1\n", TREE_TASK },
		{ "  ", "x;[unknown] 1\n", TREE_TASK },
		{ "Web Content 3", "x;Web Content_3 1\n", TREE_TASK },
		{ "a -1.5", "x;a_-1.5 1\n", TREE_KERNEL },
		{ "pid 3", "x;pid 3 1\n", TREE_TASK },
		{ "[lost: overload]", "x;_lost: overload] 1\n", TREE_TASK },
		{ "[lost: overload]", "x;[lost: overload] 1\n", TREE_LOST },
		{ "\xc3\xa4\xff", "x;\xc3\xa4_ 1\n", TREE_KERNEL },
		/* an escape sequence, also in one byte and as U+009B */
		{ "\x1b[31m", "x;_[31m 1\n", TREE_TASK },
		{ "\x9b" "31m", "x;_31m 1\n", TREE_TASK },
		{ "\xc2\x9b" "31m", "x;_31m 1\n", TREE_TASK },
		/* a comm that the kernel cut within a character */
		{ "\xe6\x97\xa5\xe6\x9c", "x;\xe6\x97\xa5__ 1\n", TREE_TASK },
		/* text that runs to the left, separators of lines */
		{ "\xe2\x80\xae" "gpj.exe", "x;_gpj.exe 1\n", TREE_TASK },
		{ "a\xe2\x81\xa6\xe2\x80\xa8\xc2\x85" "b", "x;a___b 1\n", TREE_TASK },
		/* U+FFFD itself is a character */
		{ "\xef\xbf\xbd", "x;\xef\xbf\xbd 1\n", TREE_TASK },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tree *tree = tree_create();
		uint32_t id;

		tree_add(tree, 0, "x", TREE_TASK, &id);
		tree_add(tree, id, cases[i].name, cases[i].kind, &id);
		tree->nodes[id].self = 1;
		expect_text(tree, cases[i].written);
		expect_reads(cases[i].written, cases[i].written);
	}
}

/* Only the name of a leaf can be mistaken for a count. */
static void leaves_other_names_alone(void **state)
{
	struct tree *tree = tree_create();
	uint32_t id;

	(void)state;
	tree_add(tree, 0, "Web Content 3", TREE_TASK, &id);
	tree->nodes[id].self = 2;
	tree_add(tree, id, "f", TREE_KERNEL, &id);
	tree->nodes[id].self = 1;
	expect_text(tree, "Web Content_3 2\nWeb Content 3;f 1\n");
}

static uint32_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return *seed >> 33;
}

static void survives_any_names(void **state)
{
	static const char bytes[] = "ab;[]: 17\n\x01\xff\xc3\xa4.-";
	uint64_t seed = 42;

	(void)state;
	for (unsigned int round = 0; round < 200; round++) {
		struct tree *tree = tree_create(), *again = tree_create();
		struct error error = { "" };
		char *first, *second;

		for (unsigned int i = 0; i < 40; i++) {
			char name[8] = "";
			uint32_t id, length = next_random(&seed) % 7;

			for (uint32_t j = 0; j < length; j++)
				name[j] = bytes[next_random(&seed) % (sizeof(bytes) - 1)];
			tree_add(tree, next_random(&seed) % tree->nr_nodes, name,
				 next_random(&seed) % 2 ? TREE_TASK : TREE_KERNEL, &id);
			tree->nodes[id].self += next_random(&seed) % 4;
		}
		tree_sum(tree);
		first = folded(tree);
		if (read_text(again, *first ? first : "\n", &error))
			fail_msg("%s in:\n%s", error.text, first);
		tree_sum(again);
		assert_true(again->nodes[0].total == tree->nodes[0].total);
		second = folded(again);
		free(first);
		free(second);
		tree_destroy(tree);
		tree_destroy(again);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adds_a_text_to_another),
		cmocka_unit_test(reads_what_others_write),
		cmocka_unit_test(separates_names_with_the_same_start),
		cmocka_unit_test(guesses_kinds_below_the_last_stack),
		cmocka_unit_test(adds_no_empty_nodes),
		cmocka_unit_test(refuses_with_the_line),
		cmocka_unit_test(keeps_the_lines_before_a_bad_one),
		cmocka_unit_test(adds_to_an_existing_tree),
		cmocka_unit_test(reports_a_failing_stream),
		cmocka_unit_test(takes_deep_stacks_and_long_lines),
		cmocka_unit_test(writes_what_can_be_read),
		cmocka_unit_test(leaves_other_names_alone),
		cmocka_unit_test(survives_any_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
