// SPDX-License-Identifier: GPL-2.0
/*
 * Folding: a profile's records and losses as stacks, and folded text to and
 * from the tree, of this program and of others, good and hostile.
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kind.h"
#include "tree.h"

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

static char *write_text(const struct tree *tree)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(out);
	assert_int_equal(fold_write(tree, out), 0);
	fclose(out);
	return text;
}

static void expect_text(struct tree *tree, const char *expected)
{
	char *text;

	assert_non_null(tree);
	tree_sum(tree);
	text = write_text(tree);
	assert_string_equal(text, expected);
	free(text);
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

/* The stack before is remembered: frames that only begin alike are others. */
static void tells_stacks_that_begin_alike(void **state)
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

/* The state behind a kind is remembered, too. */
static void tells_kinds_below_the_stack_before(void **state)
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
		{ "a;b 5 7\n", "line 1 has two counts: this is a difference of two profiles, which cannot be read; give one of the two it was made from" },
		{ "a;b 0 7\n", "line 1 has two counts: this is a difference of two profiles, which cannot be read; give one of the two it was made from" },
	};
	static const char nul[] = "a 1\nb\0c 2\n";

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_refused(bad[i].text, strlen(bad[i].text), bad[i].why);
	expect_refused(nul, sizeof(nul) - 1,
		       "line 2 holds a NUL byte: this is not folded text");
}

static void keeps_the_lines_before_a_bad_one(void **state)
{
	struct tree *tree = tree_create();
	struct error error;

	(void)state;
	assert_int_equal(read_text(tree, "a;b 3\nc 4\nd x\n", &error), -EBADMSG);
	expect_text(tree, "a;b 3\nc 4\n");
}

static void adds_to_what_is_there(void **state)
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

/* Only a leaf's name can be mistaken for a count. */
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
		first = write_text(tree);
		if (read_text(again, *first ? first : "\n", &error))
			fail_msg("%s in:\n%s", error.text, first);
		tree_sum(again);
		assert_true(again->nodes[0].total == tree->nodes[0].total);
		second = write_text(again);
		free(first);
		free(second);
		tree_destroy(tree);
		tree_destroy(again);
	}
}

/* Kinds as letters, in the order of enum tree_kind. */
static void expect_kinds(const char *stack, const char *expected)
{
	char copy[512], kinds[64] = "", *at, *rest = copy;
	struct kind_state state = { 0 };
	size_t nr = 0;

	strcpy(copy, stack);
	while ((at = strsep(&rest, ";")))
		kinds[nr++] = "rtkmuilx"[kind_of_frame(&state, at)];
	if (strcmp(kinds, expected))
		fail_msg("%s: %s, not %s", stack, kinds, expected);
}

static void tells_kinds_by_names(void **state)
{
	(void)state;
	expect_kinds("bash;do_syscall_64;vfs_read;ext4_read [ext4];memcpy", "tkkmk");
	expect_kinds("[lost: table-full]", "l");
	expect_kinds("cpu 3;[lost: overload]", "tl");
	expect_kinds("bash;pid 12;tid 13;cpu 0;[task];f", "tttttk");
	expect_kinds("bash;[softirq];net_rx_action", "ttk");
	expect_kinds("bash;[hardirq];x [e1000]", "ttm");
	expect_kinds("bash;f;pid 12;cpu x", "tkkk");
	expect_kinds("bash;[user]", "tu");
	expect_kinds("[user];f;[unknown];g;do_syscall_64;h", "uuxukk");
	expect_kinds("bash;[task];[lost: overload]", "ttl");
	expect_kinds("bash;[truncated];f;[unknown]", "txkx");
	expect_kinds("[unknown];f", "xk");
	expect_kinds("swapper;[idle];start_secondary;default_idle;x [intel]", "ttiii");
	expect_kinds("swapper;start_secondary;cpu_startup_entry;do_idle;a", "tkiii");
	expect_kinds("swapper;do_idle;a;asm_sysvec_apic_timer_interrupt;b;c [m]", "tiikkm");
	expect_kinds("swapper;do_idle;asm_common_interrupt;f", "tikk");
	expect_kinds("swapper;do_idle;el1h_64_irq;el1_interrupt;f", "tikkk");
	expect_kinds("swapper;do_idle;irq_exit_rcu;__do_softirq;f", "tikkk");
	expect_kinds("swapper;do_idle;handle_softirqs;f", "tikk");
	expect_kinds("bash;pid x", "tk");
	expect_kinds("bash;cpu ", "tk");
	expect_kinds("perf;a_[k];b_[j];c_[i]", "tkuu");
	expect_kinds("perf;_start;a_[k];b", "tukk");
	expect_kinds("java;_start;main;Foo::bar;entry_SYSCALL_64;f", "tuuukk");
	expect_kinds("java;start_thread;run;asm_exc_page_fault;f", "tuukk");
	expect_kinds("bash;load_elf_binary;start_thread", "tkk");
	expect_kinds("node;v8::Run(int);[libc.so.6];x", "tuuu");
	expect_kinds("a;b [];c []x", "tkk");
}

/* ---- profiles ---- */

static struct profile *profile;

static uint32_t node(uint32_t parent, const char *name,
		     enum flamemod_frame_kind kind)
{
	uint32_t frame, id;

	assert_int_equal(profile_add_frame(profile, name, kind, &frame), 0);
	assert_int_equal(profile_add_node(profile, parent, frame, &id), 0);
	return id;
}

static void record(uint32_t at, const char *comm, uint32_t pid, uint32_t cpu,
		   enum flamemod_context context, uint64_t count,
		   uint64_t periods)
{
	struct profile_record added = {
		.node = at, .cpu = cpu, .context = context,
		.count = count, .periods = periods,
	};

	assert_int_equal(profile_add_task(profile, pid, pid + 1, comm,
					  &added.task), 0);
	assert_int_equal(profile_add_record(profile, &added), 0);
}

static int make_profile(void **state)
{
	struct profile_cpu cpu = { .cpu = 1 };
	uint32_t root, idle;

	(void)state;
	profile = profile_create();
	root = node(0, "entry", FLAMEMOD_FRAME_KERNEL);
	idle = node(root, "do_idle", FLAMEMOD_FRAME_KERNEL);
	record(node(root, "read [ext4]", FLAMEMOD_FRAME_MODULE), "cat", 7, 0,
	       FLAMEMOD_CONTEXT_TASK, 3, 4);
	record(idle, "swapper/1", 0, 1, FLAMEMOD_CONTEXT_IDLE, 10, 20);
	record(node(idle, "irq [nic]", FLAMEMOD_FRAME_MODULE), "swapper/1", 0, 1,
	       FLAMEMOD_CONTEXT_HARDIRQ, 1, 1);
	record(0, "cat", 7, 1, FLAMEMOD_CONTEXT_USER, 5, 5);
	record(0, "", 9, 0, FLAMEMOD_CONTEXT_TASK, 1, 2);
	record(node(0, "[truncated]", FLAMEMOD_FRAME_MARK), "cat", 8, 0,
	       FLAMEMOD_CONTEXT_SOFTIRQ, 1, 1);
	record(node(0, "main", FLAMEMOD_FRAME_USER), "cat", 8, 0,
	       FLAMEMOD_CONTEXT_IDLE, 1, 1);
	record(0, "swapper/0", 0, 0, FLAMEMOD_CONTEXT_IDLE, 1, 2);

	cpu.books.lost[FLAMEMOD_LOST_TABLE_FULL] = 6;
	assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	cpu = (struct profile_cpu) { .cpu = 0 };
	cpu.books.lost[FLAMEMOD_LOST_OVERLOAD] = 2;
	assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	return 0;
}

static int free_profile(void **state)
{
	(void)state;
	profile_destroy(profile);
	return 0;
}

static void expect_folded(const char *by, bool by_count, const char *expected)
{
	struct fold_options options = { .by_count = by_count };
	struct error error = { "" };

	if (fold_options_by(&options, by, &error))
		fail_msg("%s: %s", by, error.text);
	expect_text(fold_profile(profile, &options, NULL), expected);
}

static void folds_by_any_levels(void **state)
{
	(void)state;
	expect_folded("none", false,
		      "[idle] 2\n[lost: overload] 2\n[lost: table-full] 6\n"
		      "[truncated] 1\n[unknown] 2\n[user] 5\n"
		      "entry;do_idle;irq [nic] 1\nentry;read [ext4] 4\n"
		      "entry;do_idle 20\nmain 1\n");
	expect_folded("comm", false,
		      "[lost: overload] 2\n[lost: table-full] 6\n"
		      "[unknown];[unknown] 2\ncat;[truncated] 1\ncat;[user] 5\n"
		      "cat;entry;read [ext4] 4\ncat;main 1\n"
		      "swapper/0;[idle] 2\n"
		      "swapper/1;entry;do_idle;irq [nic] 1\n"
		      "swapper/1;entry;do_idle 20\n");
	expect_folded("cpu,pid", true,
		      "cpu 0;[lost: overload] 2\ncpu 0;pid 0;[idle] 1\n"
		      "cpu 0;pid 7;entry;read [ext4] 3\n"
		      "cpu 0;pid 8;[truncated] 1\ncpu 0;pid 8;main 1\n"
		      "cpu 0;pid 9;[unknown] 1\n"
		      "cpu 1;[lost: table-full] 6\n"
		      "cpu 1;pid 0;entry;do_idle;irq [nic] 1\n"
		      "cpu 1;pid 0;entry;do_idle 10\ncpu 1;pid 7;[user] 5\n");
	expect_folded("context,tid", false,
		      "[hardirq];tid 1;entry;do_idle;irq [nic] 1\n"
		      "[idle];tid 1;[idle] 2\n[idle];tid 1;entry;do_idle 20\n"
		      "[idle];tid 9;main 1\n"
		      "[lost: overload] 2\n[lost: table-full] 6\n"
		      "[softirq];tid 9;[truncated] 1\n"
		      "[task];tid 10;[unknown] 2\n[task];tid 8;entry;read [ext4] 4\n"
		      "[user];tid 8;[user] 5\n");
}

/* Losses that no CPU's books tell are at the root. */
static void folds_losses_of_no_cpu(void **state)
{
	(void)state;
	profile->books.lost[FLAMEMOD_LOST_OVERLOAD] += 5;
	expect_folded("cpu", false,
		      "[lost: overload] 5\ncpu 0;[idle] 2\n"
		      "cpu 0;[lost: overload] 2\ncpu 0;[truncated] 1\n"
		      "cpu 0;[unknown] 2\ncpu 0;entry;read [ext4] 4\n"
		      "cpu 0;main 1\n"
		      "cpu 1;[lost: table-full] 6\ncpu 1;[user] 5\n"
		      "cpu 1;entry;do_idle;irq [nic] 1\n"
		      "cpu 1;entry;do_idle 20\n");
	profile->books.lost[FLAMEMOD_LOST_OVERLOAD] -= 5;
}

/* Where callers were folded to is remembered: below another comm they are others. */
static void tells_the_same_callers_of_several_comms(void **state)
{
	uint32_t entry = node(0, "entry", FLAMEMOD_FRAME_KERNEL);
	uint32_t open = node(entry, "open", FLAMEMOD_FRAME_KERNEL);

	(void)state;
	record(open, "a", 1, 0, FLAMEMOD_CONTEXT_TASK, 1, 1);
	record(open, "b", 2, 0, FLAMEMOD_CONTEXT_TASK, 1, 2);
	record(entry, "a", 1, 0, FLAMEMOD_CONTEXT_TASK, 1, 4);
	record(node(open, "stat", FLAMEMOD_FRAME_KERNEL), "b", 2, 0,
	       FLAMEMOD_CONTEXT_TASK, 1, 8);
	record(open, "a", 1, 1, FLAMEMOD_CONTEXT_TASK, 1, 16);
	expect_folded("comm", false, "a;entry 4\na;entry;open 17\n"
		      "b;entry;open 2\nb;entry;open;stat 8\n");
}

static int make_empty(void **state)
{
	(void)state;
	profile = profile_create();
	return profile ? 0 : -ENOMEM;
}

/* The context, not the name, says what is idle. */
static void kinds_follow_the_record(void **state)
{
	struct fold_options options = { .by = { FOLD_COMM }, .nr_by = 1 };
	uint64_t idle = 0, lost = 0;
	struct tree *tree;

	(void)state;
	record(node(0, "", FLAMEMOD_FRAME_KERNEL), "cat", 8, 0,
	       FLAMEMOD_CONTEXT_TASK, 1, 3);
	tree = fold_profile(profile, &options, NULL);
	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		const struct tree_node *at = &tree->nodes[i];

		assert_true(at->name[0]);
		if (at->kind == TREE_IDLE)
			idle += at->self;
		if (at->kind == TREE_LOST)
			lost += at->self;
		if (!strcmp(at->name, "irq [nic]") ||
		    !strcmp(at->name, "read [ext4]"))
			assert_int_equal(at->kind, TREE_MODULE);
		if (!strcmp(at->name, "main") || !strcmp(at->name, "[user]"))
			assert_int_equal(at->kind, TREE_USER);
		if (!strcmp(at->name, "[truncated]"))
			assert_int_equal(at->kind, TREE_MARK);
		if (!strcmp(at->name, "cat"))
			assert_int_equal(at->kind, TREE_TASK);
	}
	assert_int_equal(idle, 22);
	assert_int_equal(lost, 8);
	assert_int_equal(tree->nodes[0].total, 47);
	tree_destroy(tree);
}

static void parses_levels(void **state)
{
	struct fold_options options = { .nr_by = 3 };
	struct error error;

	(void)state;
	assert_int_equal(fold_options_by(&options, "none", &error), 0);
	assert_int_equal(options.nr_by, 0);
	assert_int_equal(fold_options_by(&options, "cpu,comm,pid,tid,context",
					 &error), 0);
	assert_int_equal(options.nr_by, 5);
	assert_int_equal(options.by[0], FOLD_CPU);
	assert_int_equal(options.by[1], FOLD_COMM);
	assert_int_equal(options.by[4], FOLD_CONTEXT);

	assert_int_equal(fold_options_by(&options, "comm,uid", &error), -EINVAL);
	assert_string_equal(error.text, "cannot group by \"uid\": the levels are comm, pid, tid, cpu, context and host, with commas between, or none");
	assert_int_equal(fold_options_by(&options, "", &error), -EINVAL);
	assert_int_equal(fold_options_by(&options, "comm,", &error), -EINVAL);
	assert_int_equal(fold_options_by(&options, "none,comm", &error), -EINVAL);
	assert_int_equal(fold_options_by(&options, "comm,cpu,comm", &error), -EINVAL);
	assert_string_equal(error.text, "cannot group by \"comm\" twice: name each level once");
	assert_int_equal(options.nr_by, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_others_write),
		cmocka_unit_test(tells_stacks_that_begin_alike),
		cmocka_unit_test(tells_kinds_below_the_stack_before),
		cmocka_unit_test(adds_no_empty_nodes),
		cmocka_unit_test(refuses_with_the_line),
		cmocka_unit_test(keeps_the_lines_before_a_bad_one),
		cmocka_unit_test(adds_to_what_is_there),
		cmocka_unit_test(reports_a_failing_stream),
		cmocka_unit_test(takes_deep_stacks_and_long_lines),
		cmocka_unit_test(writes_what_can_be_read),
		cmocka_unit_test(leaves_other_names_alone),
		cmocka_unit_test(survives_any_names),
		cmocka_unit_test(tells_kinds_by_names),
		cmocka_unit_test_setup_teardown(folds_by_any_levels,
						make_profile, free_profile),
		cmocka_unit_test_setup_teardown(folds_losses_of_no_cpu,
						make_profile, free_profile),
		cmocka_unit_test_setup_teardown(tells_the_same_callers_of_several_comms,
						make_empty, free_profile),
		cmocka_unit_test_setup_teardown(kinds_follow_the_record,
						make_profile, free_profile),
		cmocka_unit_test(parses_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
