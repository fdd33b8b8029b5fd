// SPDX-License-Identifier: GPL-2.0
/*
 * Import of perf report -g folded: columns, weights, the order of frames, and stacks that
 * appear twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "imported.h"

#define NOBODY " 0/0 [0] "
#define BY_COMM \
	"# Samples: 20  of event 'cycles'\n" \
	"# Event count (approx.): 5000\n" \
	"#\n" \
	"# Overhead       Samples  Command\n" \
	"# ........  ............  .......\n" \
	"#\n"

#define DD "    60.00%             1  dd     \n"

static void reads_entries_by_their_columns(void **state)
{
	static const struct shape shapes[] = {
		{ BY_COMM "    60.00%            12  dd     \n8 main;read;entry_SYSCALL_64;vfs_read\n4 main\n\n"
		  "    40.00%             8  my sh\n8 main\n",
		  "dd" NOBODY "task main.u;read.u;entry_SYSCALL_64.k;vfs_read.k 8 8\n"
		  "dd" NOBODY "user main.u 4 4\nmy sh" NOBODY "user main.u 8 8\n" },
		/* without a head */
		{ "    60.00%            12  dd\n8 main;f\n", "dd" NOBODY "user main.u;f.u 8 8\n" },
		{ "    60.00%    60.00%  my sh\n8 main\n", "my sh" NOBODY "user main.u 8 8\n" },
		/* the process, the CPU, and the last column longer than its dots */
		{ "# Overhead      Pid:Command  CPU\n# ........  ...............  ...\n"
		  "    60.00%    16043:dd       007\n3 main\n    10.00%       12:x        -001\n3 main\n",
		  "dd 16043/16043 [7] user main.u 3 3\nx 12/12 [0] user main.u 3 3\n" },
		/* -g address, inlined functions, addresses without a symbol */
		{ BY_COMM DD "8 main +25;f(int, char) a b.c:117;0x7f12;g (inlined);0;h:1\n",
		  "dd" NOBODY "user main.u;f(int, char) a.u;[unknown].x;g_[i].u;[unknown].x;h:1.u 8 8\n" },
	};

	(void)state;
	expect_shapes(import_report, shapes, ARRAY_SIZE(shapes));
}

static void finds_which_end_is_the_root(void **state)
{
	static const struct shape shapes[] = {
		{ BY_COMM DD "8 vfs_read;ksys_read;do_syscall_64;main\n8 a;b\n",
		  "dd" NOBODY "task main.u;do_syscall_64.k;ksys_read.k;vfs_read.k 8 8\ndd" NOBODY "task b.k;a.k 8 8\n" },
		/* by the entry's symbol */
		{ "# Overhead  Command  Symbol\n# ........  .......  ......\n    60.00%  dd       [.] a\n8 a;b\n    60.00%  dd       [.] foo bar\n8 foo bar;b\n",
		  "dd" NOBODY "task b.k;a.k 8 8\ndd" NOBODY "task b.k;foo bar.k 8 8\n" },
		{ "# Overhead  Command  Symbol\n# ........  .......  ......\n    60.00%  dd       [.] b\n8 a;b\n",
		  "dd" NOBODY "task a.k;b.k 8 8\n" },
		/* unknown: perf report's default is assumed */
		{ "# Overhead  Command  Symbol\n# ........  .......  ......\n    60.00%  dd       [.] c\n8 a;b\n",
		  "dd" NOBODY "task b.k;a.k 8 8\n" },
		{ BY_COMM DD "8 a;b\n", "dd" NOBODY "task a.k;b.k 8 8\n" },
	};

	(void)state;
	expect_shapes(import_report, shapes, ARRAY_SIZE(shapes));
}

/* with children, an entry contains its callees, which have entries of their own */
static void counts_children_once(void **state)
{
	static const struct shape shapes[] = {
		{ "# Children      Self  Command  Symbol\n# ........  ........  .......  ......\n"
		  "   100.00%    20.00%  dd       [.] main\n8 main;f\n2 main\n\n"
		  "    80.00%    80.00%  dd       [.] f\n8 main;f\n\n"
		  "    10.00%    10.00%  dd       [.] 0x00000012\n1 main;0x7f12\n",
		  "dd" NOBODY "user main.u 2 2\ndd" NOBODY "user main.u;f.u 8 8\ndd" NOBODY "user main.u;[unknown].x 1 1\n" },
		/* by comm only, all of an entry is its own */
		{ "# Children      Self  Command\n# ........  ........  .......\n   100.00%   100.00%  dd\n8 main;f\n2 main\n",
		  "dd" NOBODY "user main.u;f.u 8 8\ndd" NOBODY "user main.u 2 2\n" },
	};

	(void)state;
	expect_shapes(import_report, shapes, ARRAY_SIZE(shapes));
}

static void knows_what_weights_are(void **state)
{
	static const struct {
		const char *text, *unit;
		uint64_t stored;
	} cases[] = {
		{ BY_COMM DD "12 main\n8 f\n", "samples", 20 },
		{ BY_COMM DD "1200 main\n3800 f\n", "cycles", 5000 },
		{ "# Samples: 1K of event 'cpu-clock:u'\n  60.00%  1  dd\n1200 main\n", "samples", 1200 },
		{ "# Samples: 1K of event 'cpu-clock:u'\n  60.00%  1  dd\n12000 main\n", "nanoseconds", 12000 },
		{ BY_COMM DD "12.05% main\n0.10% f\n", "hundredths of a percent", 1215 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct import_options options = { 0 };
		struct profile *profile;
		struct error error;

		assert_int_equal(import(import_report, &options, cases[i].text, strlen(cases[i].text), &profile, &error), 0);
		assert_string_equal(profile_unit(&profile->meta), cases[i].unit);
		assert_int_equal(profile->books.stored, cases[i].stored);
		profile_destroy(profile);
	}
}

#define FAULTS "# Samples: 2  of event 'faults'\n    60.00%  2  dd\n2 main\n"

static void takes_one_event_of_reports(void **state)
{
	static const struct remark remarks[] = {
		{ BY_COMM DD "12 main\n" FAULTS, "this shows the event cycles, not faults: choose one with --event NAME", 1 },
		{ BY_COMM DD "12 main\nodd\n \todd\n5 main\n", "ignored 2 of 5 lines; line 9 is neither an entry of perf report nor a stack of one: odd", 1 },
		{ "5 main\n" DD "12 main\n", "ignored 1 of 3 lines; line 1 is a stack without an entry above it: 5 main", 1 },
	};
	const struct import_options faults = { .event = "faults" };
	static const char text[] = BY_COMM DD "12 main\n" FAULTS;
	struct profile *profile;
	struct error error;

	(void)state;
	expect_notes(import_report, remarks, ARRAY_SIZE(remarks));
	assert_int_equal(import(import_report, &faults, text, strlen(text), &profile, &error), 0);
	assert_int_equal(profile->books.stored, 2);
	profile_destroy(profile);
}

static void refuses_what_perf_report_does_not_print(void **state)
{
	static const struct refusal refusals[] = {
		{ "a b\n", "line 1 is neither an entry of perf report nor a stack of one: a b", { 0 } },
		{ BY_COMM DD "12 main\n5.00% main\n", "line 9 mixes percentages and numbers, which cannot be summed", { 0 } },
		{ BY_COMM DD "18446744073709551616 main\n", "line 8 has the weight 18446744073709551616, which is above 2^64", { 0 } },
		{ BY_COMM DD "18446744073709551615 main\n1 main\n", "line 9 makes the weights sum to more than 2^64", { 0 } },
		{ BY_COMM DD "1 main\n", "it has no stack of the event faults", { .event = "faults" } },
	};

	(void)state;
	expect_refusals(import_report, refusals, ARRAY_SIZE(refusals));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_entries_by_their_columns),
		cmocka_unit_test(finds_which_end_is_the_root),
		cmocka_unit_test(counts_children_once),
		cmocka_unit_test(knows_what_weights_are),
		cmocka_unit_test(takes_one_event_of_reports),
		cmocka_unit_test(refuses_what_perf_report_does_not_print),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
