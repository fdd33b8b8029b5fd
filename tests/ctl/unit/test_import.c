// SPDX-License-Identifier: GPL-2.0
/*
 * Import: the records of each variant of other tools' text, and the messages about other
 * text. Each text is also cut at every byte: the rest is read or refused, and its books
 * balance.
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

#include "imported.h"

static const struct import_options as_it_is;

/* ---- perf script ---- */

static void reads_first_lines_of_perf(void **state)
{
	static const struct shape shapes[] = {
		/* a single number is the thread's */
		{ "bash 12 [003] 5.6: 1 cycles: \n", "bash 0/12 [3] user [unknown].x 1 1\n" },
		{ "bash 12/13 [003] 5.6: 1 cycles: \n", "bash 12/13 [3] user [unknown].x 1 1\n" },
		{ "bash 12/13 5.6: cycles:\n", "bash 12/13 [0] user [unknown].x 1 1\n" },
		{ "bash 12 [003] cycles:\n", "bash 0/12 [3] user [unknown].x 1 1\n" },
		{ "bash 12 cycles:\n", "bash 0/12 [0] user [unknown].x 1 1\n" },
		{ "bash 12    1001001 cycles:\n", "bash 0/12 [0] user [unknown].x 1 1\n" },
		{ "bash 7 12 cycles:\n", "bash 7 0/12 [0] user [unknown].x 1 1\n" },
		{ "12/13 5.6: cycles:\n", " 12/13 [0] user [unknown].x 1 1\n" },
		{ "\n  bash  12/13  [003]  5.600000001:  9 cycles:u:\n", "bash 12/13 [3] user [unknown].x 1 1\n" },
		{ "bash 12/13 [003] d.h2. 5.6: cycles:\n", "bash 12/13 [3] user [unknown].x 1 1\n" },
		{ "bash 12/13 d.h2. 5.6: cycles:\n", "bash 12/13 [0] user [unknown].x 1 1\n" },
		/* comms with blanks, numbers and what looks like ids, a CPU or an event */
		{ "Web Content 7 12/13 [003] 5.6: cycles:\n", "Web Content 7 12/13 [3] user [unknown].x 1 1\n" },
		{ "a: b [1] 12 [003] 5.6: cycles:\n", "a: b [1] 0/12 [3] user [unknown].x 1 1\n" },
		{ "a 5 b: 12/13 5.6: cycles:\n", "a 5 b: 12/13 [0] user [unknown].x 1 1\n" },
		{ "x [7] 12 5.6: cycles:\n", "x [7] 0/12 [0] user [unknown].x 1 1\n" },
		{ "kworker/0:1-ev 9 [000] 1.5: cycles:\n", "kworker/0:1-ev 0/9 [0] user [unknown].x 1 1\n" },
		{ "dd 9 [000] 1.5: cycles:\n", "dd 0/9 [0] user [unknown].x 1 1\n" },
		{ ":-1 -1 [000] 1.5: cycles:\n", ":-1 0/0 [0] user [unknown].x 1 1\n" },
		/* an exited task, no task, and the idle task */
		{ "perf -1/-1 [001] 1.5: cycles:\n", "perf 0/0 [1] user [unknown].x 1 1\n" },
		{ "a 4294967296/12 [000] 1.5: cycles:\n", "a 0/12 [0] user [unknown].x 1 1\n" },
		{ "swapper 0 [001] 1.5: cycles:\n", "swapper 0/0 [1] idle [unknown].x 1 1\n" },
		{ "# a comment\n\n#\n", "" },
	};

	(void)state;
	expect_shapes(import_perf, shapes, ARRAY_SIZE(shapes));
}

#define F "\tffffffff81000001 f ([kernel.kallsyms])\n"
#define G "\tffffffff81000002 g ([kernel.kallsyms])\n"

/* first lines with few fields, by -F; a frame follows, which identifies them */
static void reads_short_lines_of_perf(void **state)
{
	static const struct shape shapes[] = {
		{ "sh 12 \n" F "\nsh 12/13 \n" F, "sh 0/12 [0] task f.k 1 1\nsh 12/13 [0] task f.k 1 1\n" },
		{ "a b \n" F, "a b 0/0 [0] task f.k 1 1\n" },
		{ "dd 12\n" F, "dd 0/12 [0] task f.k 1 1\n" },
		{ "15999 \n" F, " 0/15999 [0] task f.k 1 1\n" },
		{ "   1001001 \n" F, " 0/0 [0] task f.k 1 1\n" },
		{ "  750.577489: \n" F, " 0/0 [0] task f.k 1 1\n" },
		{ "sh cpu-clock: \n" F, "sh 0/0 [0] task f.k 1 1\n" },
		{ "sh 5.6: cpu-clock: \n" F, "sh 0/0 [0] task f.k 1 1\n" },
		{ "sh [002] \n" F, "sh 0/0 [2] task f.k 1 1\n" },
		{ "sh 12 K     \n" F, "sh 0/12 [0] task f.k 1 1\n" },
		/* without a first line a blank line ends a stack */
		{ F G "\n\n" G, " 0/0 [0] task g.k;f.k 1 1\n 0/0 [0] task g.k 1 1\n" },
		{ "\t    7f01234567\n\tffffffff81000002\n", " 0/0 [0] user [kernel].k;[unknown].u 1 1\n" },
		/* and without call chains */
		{ " ffffffff81000001 f\n ffffffff81000002 g\n", " 0/0 [0] task f.k 1 1\n 0/0 [0] task g.k 1 1\n" },
		{ "              sh 15999  ffffffff81000001 f\n              sh 15999      7ff31eab169e m (/bin/x)\n",
		  "sh 0/15999 [0] task f.k 1 1\nsh 0/15999 [0] user m.u 1 1\n" },
		{ "              sh  ffffffff81000001 f\n", "sh 0/0 [0] task f.k 1 1\n" },
		{ "  750.575518:      7ff31eab169e m (/bin/x)\n", " 0/0 [0] user m.u 1 1\n" },
	};

	(void)state;
	expect_shapes(import_perf, shapes, ARRAY_SIZE(shapes));
}

/* other lines among the frames */
static void passes_over_lines_of_perf(void **state)
{
	static const char a[] = "a 0/1 [0] task g.k;f.k 1 1\n";
	const struct shape shapes[] = {
		/* a blank line, at the begin, within */
		{ "a 1 1.5: x:\n\n" F G "\n", a },
		{ "a 1 1.5: x:\n" F "\n" G "\nb 2 1.5: x:\n" F, "a 0/1 [0] task g.k;f.k 1 1\nb 0/2 [0] task f.k 1 1\n" },
		/* an odd line */
		{ "a 1 1.5: x:\n" F "\t   WHATEVER THIS IS\n" G, a },
		{ "a 1 1.5: x:\n" F "WHATEVER THIS IS\n" G, a },
		/* source lines */
		{ "a 1 1.5: x:\n" F "  file.c:12\n" G "  [kernel.kallsyms][ffffffff81000002]\n", a },
		{ "a 1 1.5: x:\n" F "file.c:12\n|12         code(x);\n" G "??:0\n", a },
		/* frames without indentation, or indented by blanks */
		{ "a 1 1.5: x:\nffffffff81000001 f ([k])\nffffffff81000002 g ([kernel.kallsyms])\n", "a 0/1 [0] task g.k;f [k].m 1 1\n" },
		{ "a 1 1.5: x:\n        ffffffff81000001 f\n        ffffffff81000002 g\n", a },
		/* records other than samples */
		{ "a 0 0.0: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x1276f48) @ 0xffffffff81000000]: x [kernel.kallsyms]_text\n"
		  "a 1 1.1: PERF_RECORD_COMM exec: a:1/1\na 1 1.5: x:\n" F G "\n"
		  "a 1 1.2: PERF_RECORD_NAMESPACES 1/1 - nr_namespaces: 7\n\t\t[0/net: 3/0xf0000080, 1/uts: 3/0xeffffffe]\n"
		  "PERF_RECORD_LOST lost 5\n\n", a },
	};

	(void)state;
	expect_shapes(import_perf, shapes, ARRAY_SIZE(shapes));
}

#define PERF "a 1 [000] 1.5: 7 cycles:\n"
#define PERF_OF(context) "a 0/1 [0] " context " "

static void reads_frames_of_perf(void **state)
{
	static const struct shape shapes[] = {
		{ PERF "\tffffffff81000001 g+0x1/0x20 ([kernel.kallsyms])\n\tffffffff81000000 f+31 ([kernel.kallsyms])\n\n",
		  PERF_OF("task") "f.k;g.k 1 1\n" },
		{ PERF "\tffffffff81000001 g\n", PERF_OF("task") "g.k 1 1\n" },
		{ PERF "\t    7f0123456789 main+0x1 (/bin/x)\n", PERF_OF("user") "main.u 1 1\n" },
		{ PERF "\t 7f01 [unknown] (/usr/lib/libc.so.6)\n", PERF_OF("user") "[libc.so.6].u 1 1\n" },
		/* without a symbol a frame has its object's name */
		{ PERF "\t 7f01 [unknown] ([vdso])\n", PERF_OF("user") "[vdso].u 1 1\n" },
		{ PERF "\t 7f01 [unknown] ([unknown])\n", PERF_OF("user") "[unknown].u 1 1\n" },
		{ PERF "\t 7f01  (/bin/x)\n", PERF_OF("user") "[x].u 1 1\n" },
		{ PERF "\t 7f01  ([unknown])\n", PERF_OF("user") "[unknown].u 1 1\n" },
		{ PERF "\tffffffff81000000 [unknown] ([kernel.kallsyms])\n", PERF_OF("task") "[kernel].k 1 1\n" },
		{ PERF "\t81000000 [unknown] (/boot/vmlinux-6.1)\n", PERF_OF("task") "[kernel].k 1 1\n" },
		{ PERF "\tffffffff81000000 [unknown] ([unknown])\n", PERF_OF("task") "[kernel].k 1 1\n" },
		{ PERF "\tffffffffc0000000 [unknown] ([ext4])\n", PERF_OF("task") "[ext4].m 1 1\n" },
		/* addresses relative to a module */
		{ PERF "\t     7d8 r+0x7 ([ext4])\n", PERF_OF("task") "r [ext4].m 1 1\n" },
		{ PERF "\t 7ffc1 gettime ([vdso])\n", PERF_OF("user") "gettime.u 1 1\n" },
		/* inlined: by perf, and by perf-map-agent, where "->" is no operator */
		{ PERF "\t 7f01 in (inlined)\n\t 7f01 out (/bin/x)\n", PERF_OF("user") "out.u;in_[i].u 1 1\n" },
		{ PERF "\tffffffff81000000 in (inlined)\n", PERF_OF("task") "in.k 1 1\n" },
		{ PERF "\t 7f01 La;::x->Lb;::y->Lc;::z+0x4b (/tmp/perf-12.map)\n", PERF_OF("user") "La;::x.u;Lb;::y_[i].u;Lc;::z_[i].u 1 1\n" },
		{ PERF "\t 7f01 P<x>::operator->() const (/bin/x)\n", PERF_OF("user") "P<x>::operator->() const.u 1 1\n" },
		{ PERF "\t 7f01 x->y (/tmp/perf-12.mapped)\n", PERF_OF("user") "x->y.u 1 1\n" },
		{ PERF "\t 7f01 -> (/tmp/perf-12.map)\n", PERF_OF("user") ".u 1 1\n" },
		{ PERF "\t 7f01 [unknown] (/a b/c (deleted))\n", PERF_OF("user") "[c (deleted)].u 1 1\n" },
		{ PERF "\t 7f01 a::b(int, (x)) const ([anon])\n", PERF_OF("user") "a::b(int, (x)) const.u 1 1\n" },
		{ PERF "\t 7f01 operator+ (/a)\n", PERF_OF("user") "operator+.u 1 1\n" },
		{ PERF "\tffffffffc0000000 r+0x1 ([ext4])\n", PERF_OF("task") "r [ext4].m 1 1\n" },
		{ PERF "\tffffffffc0000000 r (/lib/modules/6.1/ext4.ko.xz)\n", PERF_OF("task") "r [ext4].m 1 1\n" },
		{ PERF "\t81000000 r (/boot/vmlinux-6.1)\n", PERF_OF("task") "r.k 1 1\n" },
		/* old versions indent by blanks */
		{ PERF "        ffffffff81000001 g ([kernel.kallsyms])\n", PERF_OF("task") "g.k 1 1\n" },
		/* without call chains the frame is after the event; a tracepoint's text is not a frame */
		{ "a 1 [000] 1.5: 7 cycles:  ffffffff81000000 f+0x1 ([kernel.kallsyms])\n", PERF_OF("task") "f.k 1 1\n" },
		{ "a 1 [000] 1.5: 7 sched:sched_switch: add to b 5\n", PERF_OF("user") "[unknown].x 1 1\n" },
		/* the same stack twice, without a blank line between them */
		{ PERF "\tffffffff81000001 g\n" PERF "\tffffffff81000002 g\n", PERF_OF("task") "g.k 2 2\n" },
		/* from the program's frames into an interrupt and out of idle */
		{ PERF "\tffffffff81000003 h\n\tffffffff81000002 __do_softirq\n\tffffffff81000001 asm_common_interrupt\n\t7f01 main (/x)\n",
		  PERF_OF("softirq") "main.u;asm_common_interrupt.k;__do_softirq.k;h.k 1 1\n" },
		{ "swapper 0 [001] 1.5: cycles:\n\tffffffff81000003 default_idle\n\tffffffff81000002 do_idle\n\n",
		  "swapper 0/0 [1] idle do_idle.k;default_idle.k 1 1\n" },
		/* injected idle time belongs to the thread; interrupts of it do not */
		{ "idle_inj/1 17/17 [001] 1.5: cycles:\n\tffffffff81000003 default_idle\n\tffffffff81000002 do_idle\n\n",
		  "idle_inj/1 17/17 [1] task do_idle.k;default_idle.k 1 1\n" },
		{ "idle_inj/1 17/17 [001] 1.5: cycles:\n\tffffffff81000003 handle_softirqs\n\tffffffff81000002 do_idle\n\n",
		  "idle_inj/1 17/17 [1] softirq do_idle.k;handle_softirqs.k 1 1\n" },
	};

	(void)state;
	expect_shapes(import_perf, shapes, ARRAY_SIZE(shapes));
}

static void weighs_by_period(void **state)
{
	static const char two_lengths[] =
		"a 1 [000] 1.5: 1000 cpu-clock:\n\na 1 [000] 1.5: 2000 cpu-clock:\n\n";
	static const char text[] =
		"# hostname : web1\n# os release : 6.1\n"
		"a 1 [000] 1.5: 1000 cpu-clock:pppH:\n\n"
		"a 1 [000] 2.000000001: 1000 cpu-clock:\n\n";
	const struct import_options by_period = { .by_period = true };
	const struct import_options of_hz = { .hz = 50 };
	struct profile *profile;
	struct error error;

	(void)state;
	assert_int_equal(import(import_perf, &as_it_is, text, strlen(text), &profile, &error), 0);
	assert_string_equal(profile->meta.host, "web1");
	assert_string_equal(profile->meta.release, "6.1");
	assert_int_equal(profile->meta.duration_ns, 500000001);
	assert_int_equal(profile->meta.period_ns, 1000);
	assert_int_equal(profile->books.stored, 2);
	profile_destroy(profile);

	assert_int_equal(import(import_perf, &by_period, text, strlen(text), &profile, &error), 0);
	assert_int_equal(profile->meta.period_ns, 1);
	assert_int_equal(profile->records[0].count, 2);
	assert_int_equal(profile->records[0].periods, 2000);
	assert_int_equal(profile->books.stored, 2000);
	profile_destroy(profile);

	assert_int_equal(import(import_perf, &as_it_is, two_lengths, strlen(two_lengths), &profile, &error), 0);
	assert_int_equal(profile->meta.period_ns, 0);
	profile_destroy(profile);

	/* without an event's name the weights are still not samples */
	assert_int_equal(import(import_perf, &by_period, "   1001001 \n" F, strlen("   1001001 \n" F), &profile, &error), 0);
	assert_string_equal(profile_unit(&profile->meta), "event_periods");
	profile_destroy(profile);

	assert_int_equal(import(import_perf, &of_hz, text, strlen(text), &profile, &error), 0);
	assert_int_equal(profile->meta.period_ns, 20000000);
	assert_int_equal(profile->meta.settings.hz, 50);
	profile_destroy(profile);
}

static void chooses_the_event(void **state)
{
	static const char text[] =
		"a 1 [000] 1.5: 1 cycles:u:\n\nb 2 [000] 1.5: 1 sched:a:\n\nc 3 [000] 1.5: 1 sched:b:\n";
	static const struct {
		const char *event, *records;
	} choices[] = {
		{ "cycles", "a 0/1 [0] user [unknown].x 1 1\n" },
		{ "cycles:u", "a 0/1 [0] user [unknown].x 1 1\n" },
		{ "sched:b", "c 0/3 [0] user [unknown].x 1 1\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(choices); i++) {
		struct import_options options = { .event = choices[i].event };
		struct profile *profile;
		struct error error;
		char *records;

		assert_int_equal(import(import_perf, &options, text, strlen(text), &profile, &error), 0);
		records = print_records(profile);
		assert_string_equal(records, choices[i].records);
		free(records);
		profile_destroy(profile);
	}
}

/* Events that are left out are reported. */
static void notes_what_it_leaves_out_of_perf(void **state)
{
	static const struct {
		const char *text, *note;
	} cases[] = {
		{ "a 1 1.5: x:u:\n\na 1 1.5: y:\n\na 1 1.5: z:\n\na 1 1.5: y:\n\na 1 1.5: x:\n",
		  "this shows the event x:u, not y (2), z (1): choose one with --event NAME" },
		{ "a 1 1.5: x:\n\todd one\n" F "odd\n" G, "ignored 2 of 5 lines; line 2 is neither a sample's first line nor a frame of one: \todd one" },
		{ "a 1 1.5: x:\n\nno frame follows\n\na 1 1.5: x:\n", "ignored 1 of 3 lines; line 3 is neither a sample's first line nor a frame of one: no frame follows" },
		{ "a 1 1.5: x:\na 1 1.5: PERF_RECORD_EXIT(1:1)\n\n" F, "ignored 1 of 3 lines; line 4 belongs to no sample: " F },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct notes notes = { .nr = 0 };
		struct import_options options = { .notes = &notes };
		const char *text = cases[i].text;
		struct profile *profile;
		struct error error;

		assert_int_equal(import(import_perf, &options, text, strlen(text), &profile, &error), 0);
		profile_destroy(profile);
		assert_int_equal(notes.nr, 1);
		if (strncmp(notes.text[0], cases[i].note, strlen(notes.text[0])))
			fail_msg("%s: \"%s\", not \"%s\"", text, notes.text[0], cases[i].note);
		options.strict = true;
		if (strncmp(notes.text[0], "this", 4) &&
		    import(import_perf, &options, text, strlen(text), &profile, &error) != -EBADMSG)
			fail_msg("%s: is not refused", text);
		if (strncmp(notes.text[0], "this", 4))
			profile_destroy(profile);
	}
}

static void refuses_what_perf_does_not_print(void **state)
{
	static const struct refusal refusals[] = {
		{ PERF "\tf\n\tg\n", "line 2 is neither a sample's first line nor a frame of one: \tf, and so are 2 of 3 lines", { 0 } },
		{ PERF "\t11112222333344445 f\n\n\t\tx\n", "line 2 is neither a sample's first line nor a frame of one: \t11112222333344445 f, and so are 2 of 3 lines", { 0 } },
		{ PERF "\tadd\n", "line 2 is neither a sample's first line nor a frame of one: \tadd", { .strict = true } },
		{ "a b c\n", "line 1 is neither a sample's first line nor a frame of one: a b c", { 0 } },
		{ "main;foo 12\nmain;bar 13\n", "line 1 is neither a sample's first line nor a frame of one: main;foo 12, and so are 2 of 2 lines", { 0 } },
		{ PERF, "it has no sample of the event faults", { .event = "faults" } },
		{ F, "line 1 has no period: let perf script print it with -F +period, or leave out --weight period", { .by_period = true } },
		{ "a 1 [000] 1.5: cycles:\n", "line 1 has no period: let perf script print it with -F +period, or leave out --weight period", { .by_period = true } },
		{ "a 1 1.5: 18446744073709551615 x:\n\na 1 1.5: 1 x:\n\n", "line 5 makes the weights sum to more than 2^64", { .by_period = true } },
	};

	(void)state;
	expect_refusals(import_perf, refusals, ARRAY_SIZE(refusals));
}

/* ---- bpftrace ---- */

#define NOBODY " 0/0 [0] "

static void reads_maps_of_bpftrace(void **state)
{
	static const struct shape shapes[] = {
		{ "Attaching 1 probe...\n\n@[\n    g+1\n    f+95\n]: 3\n", NOBODY "task f.k;g.k 3 3\n" },
		{ "@name[\n    g+1\n, bash]: 3\n", "bash" NOBODY "task g.k 3 3\n" },
		{ "@[bash, \n    g+1\n]: 3\n", "bash" NOBODY "task g.k 3 3\n" },
		{ "@[bash, 12, \n    g+1\n]: 3\n", "bash" NOBODY "task [12].x;g.k 3 3\n" },
		{ "@[\n    g+1\n, 12, bash, x]: 3\n", "bash" NOBODY "task [12].x;[x].x;g.k 3 3\n" },
		/* two stacks are those of kernel and program */
		{ "@[\n    g+1\n,\n    lib+1\n    main+2\n]: 3\n", NOBODY "task main.u;lib.u;g.k 3 3\n" },
		{ "@[\n    g+1 [ext4]\n    0xffffffffc0123456\n]: 3\n", NOBODY "task [unknown].x;g [ext4].m 3 3\n" },
		{ "@[\n\tffffffff81000000 g+1 ([kernel.kallsyms])\n\t7f0123456789 main+2 (/bin/x y)\n]: 3\n", NOBODY "task main.u;g.k 3 3\n" },
		{ "@[\n, bash]: 3\n", "bash" NOBODY "user - 3 3\n" },
		{ "@[bash]: 3\n", "bash" NOBODY "user - 3 3\n" },
		{ "@[swapper/1]: 3\n", "swapper/1" NOBODY "idle - 3 3\n" },
		{ "@[\n    a[]::b+1\n]: 3\n@start: 5\nbye @[\n", NOBODY "user a[]::b.u 3 3\n" },
		{ "@[\n    g\n]: 3\n@[\n    g\n]: 4\n", NOBODY "task g.k 7 7\n" },
	};

	(void)state;
	expect_shapes(import_bpftrace, shapes, ARRAY_SIZE(shapes));
}

static void refuses_what_bpftrace_does_not_print(void **state)
{
	static const struct refusal refusals[] = {
		{ "\n@[\n    g+1\n", "the entry that starts in line 2 has no end: the text is incomplete", { 0 } },
		{ "@[\n    g+1\n@[\n", "line 3 starts a map's entry inside the one of line 1", { 0 } },
		{ "@[\n    g+1\n]: (1, 2)\n", "line 3 ends in (1, 2), which is not a count: only maps of count() and sum() can be read", { 0 } },
		{ "@[\n    g+1\n]: \n", "line 3 ends in nothing, which is not a count: only maps of count() and sum() can be read", { 0 } },
		{ "@[\n  a\n,\n  b\n,\n  c\n]: 1\n", "line 6 starts a third stack: a key may have one kernel stack and one program stack", { 0 } },
		{ "@[1,2,3,4,5,6,7,8,9]: 1\n", "line 1 has more than 8 keys", { 0 } },
		{ "@[a]: 18446744073709551615\n@[b]: 1\n", "line 2 makes the weights sum to more than 2^64", { 0 } },
	};

	(void)state;
	expect_refusals(import_bpftrace, refusals, ARRAY_SIZE(refusals));
}

/* ---- SystemTap ---- */

static void reads_stacks_of_stap(void **state)
{
	static const struct shape shapes[] = {
		{ " 0xffffffff81234567 : g+0x95/0x190 [kernel]\n 0xffffffff81234568 : f+0x1/0x2 [kernel]\n\t42\n", NOBODY "task f.k;g.k 42 42\n" },
		{ "0xffffffffc0123456 : r+0x12/0x60 [ext4] (inexact)\r\n1\r\n", NOBODY "task r [ext4].m 1 1\n" },
		{ " 0x7f0123456789 : main+0x10/0x40 [/usr/bin/cat]\n1\n", NOBODY "user main.u 1 1\n" },
		{ " 0x7f0123456789 : gettime+0x10/0x40 [[vdso]]\n1\n", NOBODY "user gettime.u 1 1\n" },
		{ " 0xffffffffc0123400 : 0xffffffffc0123400 [kernel]\n1\n", NOBODY "task [unknown].k 1 1\n" },
		{ "g+0x95/0x190\n\nf\n1\n\n  g  \n2\n", NOBODY "task f.k;g.k 1 1\n" NOBODY "task g.k 2 2\n" },
	};

	(void)state;
	expect_shapes(import_stap, shapes, ARRAY_SIZE(shapes));
}

static void refuses_what_stap_does_not_print(void **state)
{
	static const struct refusal refusals[] = {
		{ "\n12\n", "line 2 is a count, 12, without a stack above it", { 0 } },
		{ "a\n1\n2\n", "line 3 is a count, 2, without a stack above it", { 0 } },
		{ "a\n1\n\nb\nc\n", "the stack that starts in line 4 has no count below it: let the script print one after each stack", { 0 } },
		{ "a\n18446744073709551616\n", "line 2 has the count 18446744073709551616, which is above 2^64", { 0 } },
	};

	(void)state;
	expect_refusals(import_stap, refusals, ARRAY_SIZE(refusals));
}

/* ---- bcc ---- */

static void reads_stacks_of_bcc(void **state)
{
	static const struct shape shapes[] = {
		{ "cat;main;spin 2\n", "cat" NOBODY "user main.u;spin.u 2 2\n" },
		{ "cat;odd;-;vfs_read 3\n", "cat" NOBODY "task odd.u;vfs_read.k 3 3\n" },
		{ "cat;--;vfs_read 3\n", "cat" NOBODY "task vfs_read.k 3 3\n" },
		{ "cat;main;f_[k];g_[k] 3\n", "cat" NOBODY "task main.u;f.k;g.k 3 3\n" },
		{ "cat;[Missed User Stack];-;f 1\n", "cat" NOBODY "task [Missed User Stack].x;f.k 1 1\n" },
		{ "cat;-;std::x 1\n", "cat" NOBODY "task std::x.k 1 1\n" },
		{ "swapper/0;do_idle_[k] 4\n", "swapper/0" NOBODY "idle do_idle.k 4 4\n" },
		{ "idle_inj/0;do_idle_[k] 4\n", "idle_inj/0" NOBODY "task do_idle.k 4 4\n" },
		{ "kidle_inj/0;do_idle_[k] 4\n", "kidle_inj/0" NOBODY "task do_idle.k 4 4\n" },
		{ "doze;play_idle_precise_[k];do_idle_[k] 4\n",
		  "doze" NOBODY "task play_idle_precise.k;do_idle.k 4 4\n" },
	};

	(void)state;
	expect_shapes(import_bcc, shapes, ARRAY_SIZE(shapes));
}

static void refuses_what_bcc_does_not_print(void **state)
{
	static const struct refusal refusals[] = {
		{ "cat;a\n", "line 1 has no count: a folded line is \"root;...;leaf COUNT\"", { 0 } },
		{ "cat;a 1\ncat;b -1\n", "line 2: the count -1 is negative", { 0 } },
		{ "cat;a 1 2\n", "line 1 has two counts: this is a difference of two profiles, which cannot be read; use the two files from which it was made, with flamectl diff", { 0 } },
	};

	(void)state;
	expect_refusals(import_bcc, refusals, ARRAY_SIZE(refusals));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_first_lines_of_perf),
		cmocka_unit_test(reads_short_lines_of_perf),
		cmocka_unit_test(passes_over_lines_of_perf),
		cmocka_unit_test(notes_what_it_leaves_out_of_perf),
		cmocka_unit_test(reads_frames_of_perf),
		cmocka_unit_test(weighs_by_period),
		cmocka_unit_test(chooses_the_event),
		cmocka_unit_test(refuses_what_perf_does_not_print),
		cmocka_unit_test(reads_maps_of_bpftrace),
		cmocka_unit_test(refuses_what_bpftrace_does_not_print),
		cmocka_unit_test(reads_stacks_of_stap),
		cmocka_unit_test(refuses_what_stap_does_not_print),
		cmocka_unit_test(reads_stacks_of_bcc),
		cmocka_unit_test(refuses_what_bcc_does_not_print),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
