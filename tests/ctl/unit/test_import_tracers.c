// SPDX-License-Identifier: GPL-2.0
/*
 * Import of tracers' text: DTrace's aggregations, bpftrace's JSON, calls of
 * function_graph, and OProfile's call graph.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "imported.h"

#define NOBODY " 0/0 [0] "

/* ---- DTrace ---- */

#define I "              "

static void reads_aggregations_of_dtrace(void **state)
{
	static const struct shape shapes[] = {
		{ "dtrace: script 'x.d' matched 2 probes\nCPU     ID                    FUNCTION:NAME\n  0  64091                       :tick-60s \n\n\n"
		  I "unix`mwait+0xd\n" I "genunix`fop_read+0x2a\n" I "lofs`lo_read\n                1\n\n"
		  I "libc.so.1`__read+0xa\n" I "mysqld`std::f(int, char)+0x12\n               41\n",
		  NOBODY "task lo_read [lofs].m;fop_read.k;mwait.k 1 1\n"
		  NOBODY "user std::f(int, char).u;__read.u 41 41\n" },
		/* two stacks, in either order */
		{ I "unix`k\n" I "genunix`j\n\n" I "libc`b\n" I "x`a\n  5\n", NOBODY "task a.u;b.u;j.k;k.k 5 5\n" },
		{ I "libc`b\n" I "x`a\n\n" I "unix`k\n" I "genunix`j\n  5\n", NOBODY "task a.u;b.u;j.k;k.k 5 5\n" },
		/* other keys: before the stack, after it, none */
		{ "     1234  my sql  \n" I "x`a\n  5\n\n  other\n" I "x`b\n  6\n", "my sql" NOBODY "user [1234].x;a.u 5 5\nother" NOBODY "user b.u 6 6\n" },
		{ "\n" I "x`a\n  mysqld       77     5\n", "mysqld" NOBODY "user [77].x;a.u 5 5\n" },
		{ "     1234\n" I "x`a\n  5\n", NOBODY "user [1234].x;a.u 5 5\n" },
		/* without names */
		{ I "0x104d08831\n" I "unix`0xfffffffffb8001d6\n" I "libjvm`0x12\n" I "libjvm`\n" I "bare\r\n 5\r\n", NOBODY "task bare.m;[libjvm].m;[libjvm].m;[unix].k;[unknown].m 5 5\n" },
		{ I "0x104d08831\n" I "libjvm`0x12\n 5\n", NOBODY "user [libjvm].u;[unknown].u 5 5\n" },
	};

	(void)state;
	expect_shapes(import_dtrace, shapes, ARRAY_SIZE(shapes));
}

static void refuses_what_dtrace_does_not_print(void **state)
{
	static const struct refusal refusals[] = {
		{ "\n" I "x`a\n\n", "the stack that starts in line 2 has no count below it: the text is incomplete", { 0 } },
		{ I "x`a\n\n" I "x`b\n\n" I "x`c\n 1\n", "line 5 starts a third stack: a key may have one kernel stack and one program stack", { 0 } },
		{ I "x`a\n18446744073709551616\n", "line 2 has the count 18446744073709551616, which is above 2^64", { 0 } },
		{ "a  b  c  d  e  f  g  h  i  j\n", "line 1 has more than 8 keys", { 0 } },
	};

	(void)state;
	expect_refusals(import_dtrace, refusals, ARRAY_SIZE(refusals));
}

/* ---- bpftrace's JSON ---- */

static void reads_json_of_bpftrace(void **state)
{
	static const struct shape shapes[] = {
		{ "{\"type\": \"attached_probes\", \"data\": {\"probes\": 1}}\n"
		  "{\"type\": \"map\", \"data\": {\"@\": {\"\\n    g+1\\n    f+95\\n,bash\": 3, \"cat,\\n    r+0x1 [ext4]\\n,\\n    main+4\\n,12\": 4}}}\n",
		  "bash" NOBODY "task f.k;g.k 3 3\ncat" NOBODY "task [12].x;main.u;r [ext4].k 4 4\n" },
		/* maps without counts, and what is not a map */
		{ "{\"type\": \"map\", \"data\": {\"@a\": {\"x\": {\"min\": 1}}, \"@start\": 5, \"@b\": {\"x\": 2}}}{\"type\": \"printf\", \"data\": \"@[\"}\n", "x" NOBODY "user - 2 2\n" },
		/* as jq prints it */
		{ "{\n  \"type\": \"map\",\n  \"data\": {\n    \"@\": {\n      \"\\n    g+1\\n\": 3\n    }\n  }\n}\n", NOBODY "task g.k 3 3\n" },
	};

	(void)state;
	expect_shapes(import_bpftrace_json, shapes, ARRAY_SIZE(shapes));
}

static void refuses_what_is_no_json_of_bpftrace(void **state)
{
	static const struct refusal refusals[] = {
		{ "{}\n\nx\n", "line 3 is not a JSON object of bpftrace", { 0 } },
		{ "{\n}\n{\"a\"\n", "line 3 starts an object that is not JSON, or incomplete: ':' expected near end of file", { 0 } },
		{ "{\"type\": \"map\", \"data\": {\"@\": {\"x\": -1}}}", "line 1 has a negative count, -1", { 0 } },
		{ "{\"type\": \"map\", \"data\": {\"@\": {\"\\n a\\n,\\n b\\n,\\n c\\n\": 1}}}", "line 1 starts a third stack: a key may have one kernel stack and one program stack", { 0 } },
	};

	(void)state;
	expect_refusals(import_bpftrace_json, refusals, ARRAY_SIZE(refusals));
}

/* ---- function_graph ---- */

#define CALL(task, cpu, event, duration, call) \
	"   " task "  [" cpu "]  5822.316519: " event ":  " duration "  |  " call "\n"
#define ENTRY "funcgraph_entry"
#define EXIT "funcgraph_exit"

static void reads_calls_of_trace_cmd(void **state)
{
	static const struct shape shapes[] = {
		{ "cpus=2\n" CALL("cat-12", "001", ENTRY, "         ", "vfs_read() {")
		  CALL("cat-12", "001", ENTRY, "0.198 us", "  fput();")
		  CALL("cat-12", "001", ENTRY, "   1 us", "  r [ext4]();")
		  CALL("cat-12", "001", EXIT, "! 155.2 us", "}  /* vfs_read */"),
		  "cat 0/12 [1] task vfs_read.k;fput.k 1 198\ncat 0/12 [1] task vfs_read.k;r [ext4].m 1 1000\ncat 0/12 [1] task vfs_read.k 1 154002\n" },
		/* tasks alternate on a CPU, one moves to another CPU; its name */
		{ CALL("a [9] b-1", "000", ENTRY, "", "f() {") CALL("<idle>-0", "000", ENTRY, "", "do_idle() {")
		  CALL("<idle>-0", "001", ENTRY, "2 us", "do_idle();") CALL("a [9] b-1", "001", EXIT, "+ 10 us", "}")
		  CALL("<idle>-0", "000", EXIT, "$ 1000000.5 us", "}"),
		  "swapper 0/0 [1] idle do_idle.k 1 2000\na [9] b 0/1 [1] task f.k 1 10000\nswapper 0/0 [0] idle do_idle.k 1 1000000500\n" },
		/* flags, arguments and results, other events, marks */
		{ "  a-1 [000] d..2.  5.1: " ENTRY ":  # 1.5 us |  f(x=1, s=\"a|b()\"); /* = 0x0 */\n"
		  "  a-1 [000] d..2.  5.1: sched_switch: a:1 [120] S ==> b:2 [120]\n  a-1 [000] d..2.  5.1: " ENTRY ": | /* a comment */\n",
		  "a 0/1 [0] task f.k 1 1500\n" },
		/* the start, the end, and lost events between them */
		{ CALL("a-1", "000", EXIT, "9 us", "  }") CALL("a-1", "000", ENTRY, "1 us", "  f();")
		  CALL("a-1", "000", ENTRY, "", "g() {") CALL("a-1", "000", ENTRY, "", "  h() {"),
		  "a 0/1 [0] task [unknown].x;f.k 1 1000\n" },
		{ CALL("a-1", "000", ENTRY, "", "f() {") CALL("a-1", "000", ENTRY, "", "  g() {") "CPU:0 [LOST 2 EVENTS]\n"
		  CALL("a-1", "000", EXIT, "5 us", "}"),
		  "a 0/1 [0] task f.k 1 5000\n" },
		/* by rounding, a call is shorter than the sum of its callees */
		{ CALL("a-1", "000", ENTRY, "", "f() {") CALL("a-1", "000", ENTRY, "2 us", "  g();") CALL("a-1", "000", EXIT, "1.9 us", "}"),
		  "a 0/1 [0] task f.k;g.k 1 2000\n" },
	};

	(void)state;
	expect_shapes(import_funcgraph, shapes, ARRAY_SIZE(shapes));
}

static void reads_calls_of_the_kernels_trace(void **state)
{
	static const struct shape shapes[] = {
		{ "# tracer: function_graph\n#\n# CPU  DURATION                  FUNCTION CALLS\n# |     |   |                     |   |   |   |\n"
		  " 0)               |  f() {\n 0)   0.198 us    |    lock();\n ------------------------------------------\n"
		  " 0)  bash-1234    =>  <idle>-0   \n ------------------------------------------\n\n"
		  " 1) + 10.1 us     |  f();\n 0)   2.5 us      |  g();\n 0)  <idle>-0 => bash-1234\n 0)   ==========> |\n 0) ! 100.000 us  |  }\n"
		  " 1)    sh-5    |   3.000 us    |  k(a=1);\n",
		  NOBODY "task f.k;lock.k 1 198\n 0/0 [1] task f.k 1 10100\nswapper" NOBODY "task g.k 1 2500\nbash 0/1234 [0] task f.k 1 99802\nsh 0/5 [1] task k.k 1 3000\n" },
	};

	(void)state;
	expect_shapes(import_funcgraph, shapes, ARRAY_SIZE(shapes));
}

static void notes_what_it_leaves_out_of_calls(void **state)
{
	static const struct remark remarks[] = {
		{ "CPU:0 [LOST 5 EVENTS]\nCPU 1: [7 EVENTS DROPPED]\n" CALL("a-1", "000", ENTRY, "1 us", "f();"), "the trace lost 12 events", 1 },
		{ CALL("a-1", "000", ENTRY, "1 us", "f();") CALL("a-1", "000", EXIT, "1 us", "}") CALL("a-1", "000", ENTRY, "", "f() {"),
		  "left out 1 calls that started before the trace, and 1 that did not end in it", 1 },
		{ CALL("a-1", "000", ENTRY, "1 us", "f();") "odd\n", "ignored 1 of 2 lines; line 2 is not a call of function_graph: odd", 1 },
	};
	static const struct refusal refusals[] = {
		{ "odd\n", "line 1 is not a call of function_graph: odd", { 0 } },
		{ CALL("a-1", "000", ENTRY, "1 ms", "f();") "x\ny\n", "line 2 is not a call of function_graph: x, and so are 2 of 3 lines", { 0 } },
	};

	(void)state;
	expect_notes(import_funcgraph, remarks, ARRAY_SIZE(remarks));
	expect_refusals(import_funcgraph, refusals, ARRAY_SIZE(refusals));
}

/* ---- oprofile ---- */

#define DASHES "-------------------------------------------------------------------------------\n"

static void reads_call_graphs_of_oprofile(void **state)
{
	static const struct shape shapes[] = {
		{ "CPU: Core 2, speed 2.534e+06 MHz (estimated)\nCounted CPU_CLK_UNHALTED events\n"
		  "samples  %        image name               app name                 symbol name\n" DASHES
		  "  30       75.0000  dd                       dd                       read\n"
		  "  10       25.0000  dd                       dd                       std::w(int, char)\n"
		  "41       80.0000  vmlinux                  dd                       copy_page\n"
		  "  41       80.0000  vmlinux                  dd                       copy_page [self]\n"
		  "  7        80.0000  vmlinux                  dd                       other\n" DASHES
		  "10       2e-04  libc.so                  dd                       (no symbols)\n"
		  "  10      100.0000  libc.so                  dd                       (no symbols) [self]\n" DASHES
		  "2       2.0000  ext4.ko                  dd                       r\n" DASHES,
		  "dd" NOBODY "task read.u;copy_page.k 30 30\ndd" NOBODY "task std::w(int, char).u;copy_page.k 11 11\n"
		  "dd" NOBODY "user [libc.so].u 10 10\ndd" NOBODY "task r [ext4].m 2 2\n" },
		/* several events, source lines */
		{ "samples  %        samples  %        linenr info                 image name               symbol name\n" DASHES
		  "3  1.0  9  2.0  (no location information)  x  main\n" DASHES "4  1.0  9  2.0  a.c:12  x  f\n",
		  NOBODY "user main.u 3 3\n" NOBODY "user f.u 4 4\n" },
	};
	static const struct refusal refusals[] = {
		{ "samples  %        image name   symbol name\nodd\n", "line 2 is not a function of opreport: odd", { 0 } },
		{ "samples  %        image name   symbol name\n1 1.0 x f\n1 1.0 x\n  2 odd\n 1 e\n", "line 3 is not a function of opreport: 1 1.0 x, and so are 3 of 4 lines", { 0 } },
	};

	(void)state;
	expect_shapes(import_opreport, shapes, ARRAY_SIZE(shapes));
	expect_refusals(import_opreport, refusals, ARRAY_SIZE(refusals));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_aggregations_of_dtrace),
		cmocka_unit_test(refuses_what_dtrace_does_not_print),
		cmocka_unit_test(reads_json_of_bpftrace),
		cmocka_unit_test(refuses_what_is_no_json_of_bpftrace),
		cmocka_unit_test(reads_calls_of_trace_cmd),
		cmocka_unit_test(reads_calls_of_the_kernels_trace),
		cmocka_unit_test(notes_what_it_leaves_out_of_calls),
		cmocka_unit_test(reads_call_graphs_of_oprofile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
