// SPDX-License-Identifier: GPL-2.0
/*
 * What users ask to be counted besides samples: the words, and the layouts of tracepoints'
 * records, which the kernel describes.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "probe/probe.h"
#include "probe/record_format.h"

static const char kmalloc[] =
	"name: kmalloc\nID: 423\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:const void * ptr;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:size_t bytes_req;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:size_t bytes_alloc;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:int node;\toffset:44;\tsize:4;\tsigned:1;\n"
	"\tfield:char comm[16];\toffset:48;\tsize:16;\tsigned:0;\n"
	"\tfield:__data_loc char[] path;\toffset:64;\tsize:4;\tsigned:0;\n"
	"\tfield:void (*fn)(int);\toffset:72;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"call_site=%pS\", (void *)REC->call_site\n";

static void each_kind_is_parsed(void **state)
{
	static const struct {
		const char *text;
		enum probe_kind kind;
		const char *name, *target, *unit;
	} good[] = {
		{ "func:vfs_statx", PROBE_FUNC, "func:vfs_statx", "vfs_statx", "count" },
		{ "func:f.isra.0,weight=arg3", PROBE_FUNC, "func:f.isra.0", "f.isra.0", "arg3" },
		{ "func:f,weight=arg3,unit=bytes", PROBE_FUNC, "func:f", "f", "bytes" },
		{ "func:f,weight=arg6,unit=ns,name=slept", PROBE_FUNC, "slept", "f", "nanoseconds" },
		{ "latency:vfs_read", PROBE_LATENCY, "latency:vfs_read", "vfs_read", "nanoseconds" },
		{ "tracepoint:kmem:kmalloc", PROBE_TRACEPOINT, "tracepoint:kmem:kmalloc",
		  "kmem:kmalloc", "count" },
		{ "tracepoint:kmem:kmalloc,weight=bytes_alloc", PROBE_TRACEPOINT,
		  "tracepoint:kmem:kmalloc", "kmem:kmalloc", "bytes" },
		{ "tracepoint:net:net_dev_xmit,weight=len", PROBE_TRACEPOINT,
		  "tracepoint:net:net_dev_xmit", "net:net_dev_xmit", "bytes" },
		{ "tracepoint:block:block_rq_issue,weight=nr_sector", PROBE_TRACEPOINT,
		  "tracepoint:block:block_rq_issue", "block:block_rq_issue", "nr_sector" },
		{ "page-faults", PROBE_FAULTS, "page-faults", "", "count" },
		{ "major-faults", PROBE_FAULTS, "major-faults", "", "count" },
		{ "contention", PROBE_TRACEPOINT, "contention", "lock:contention_begin", "count" },
		{ "wakers,min=1ms", PROBE_WAKERS, "wakers", "", "nanoseconds" },
		{ "cycles", PROBE_COUNTER, "cycles", "", "cycles" },
		{ "cycles:1000", PROBE_COUNTER, "cycles", "", "cycles" },
		{ "instructions:1000000000000,name=i", PROBE_COUNTER, "i", "", "instructions" },
		{ "cache-misses", PROBE_COUNTER, "cache-misses", "", "misses" },
	};
	struct probe probe;
	struct error error;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(probe_parse(good[i].text, &probe, &error), 0);
		assert_int_equal(probe.kind, good[i].kind);
		assert_string_equal(probe.name, good[i].name);
		assert_string_equal(probe.target, good[i].target);
		assert_string_equal(probe.unit, good[i].unit);
	}
	assert_int_equal(probe_parse("func:ext4:ext4_readdir,weight=arg2:s32", &probe, &error), 0);
	assert_string_equal(probe.target, "ext4:ext4_readdir");
	assert_string_equal(probe.unit, "arg2");
	assert_int_equal(probe.weight.arg, 2);
	assert_int_equal(probe.weight.bytes, 4);
	assert_true(probe.weight.is_signed);
	assert_int_equal(probe_parse("func:f,weight=arg2", &probe, &error), 0);
	assert_int_equal(probe.weight.bytes, 8);
	assert_false(probe.weight.is_signed);
	assert_int_equal(probe_parse("page-faults", &probe, &error), 0);
	assert_int_equal(probe.config, 2);
	assert_int_equal(probe.period, 0);
	assert_int_equal(probe_parse("cache-misses:20011", &probe, &error), 0);
	assert_int_equal(probe.config, 3);
	assert_int_equal(probe.period, 20011);
	assert_int_equal(probe_parse("branches", &probe, &error), 0);
	assert_int_equal(probe.config, 4);
	assert_int_equal(probe.period, 100003);
	assert_int_equal(probe_parse("latency:vfs_read,min=1.5ms", &probe, &error), 0);
	assert_int_equal(probe.min_ns, 1500000);
	assert_false(probe.has_weight);
}

static void conditions_are_parsed(void **state)
{
	static const struct {
		const char *text;
		enum probe_compare compare;
		int64_t value;
	} good[] = {
		{ "arg2>4096", PROBE_MORE, 4096 }, { "arg2>=0x1000", PROBE_AT_LEAST, 4096 },
		{ "arg2<1", PROBE_LESS, 1 }, { "arg2<=0", PROBE_AT_MOST, 0 },
		{ "arg2==-4095", PROBE_EQUAL, -4095 }, { "arg2=7", PROBE_EQUAL, 7 },
		{ "arg2!=140737488355327", PROBE_UNEQUAL, PROBE_VALUE_MAX },
		{ "arg2&0x7fffffffffff", PROBE_ANY_BIT, PROBE_VALUE_MAX },
	};
	struct probe probe;
	struct error error;
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		snprintf(text, sizeof(text), "func:f,if=%s,weight=arg1", good[i].text);
		assert_int_equal(probe_parse(text, &probe, &error), 0);
		assert_int_equal(probe.nr_conditions, 1);
		assert_int_equal(probe.conditions[0].operand.arg, 2);
		assert_int_equal(probe.conditions[0].compare, good[i].compare);
		assert_true(probe.conditions[0].value == good[i].value);
		assert_int_equal(probe.weight.arg, 1);
	}
	assert_int_equal(probe_parse("func:f,if=arg1>1,if=arg2>2,if=arg3>3,if=arg4>4", &probe,
				     &error), 0);
	assert_int_equal(probe.nr_conditions, PROBE_CONDITIONS_MAX);
	assert_int_equal(probe.conditions[3].operand.arg, 4);
	assert_int_equal(probe_parse("tracepoint:a:b,if=common_pid!=0", &probe, &error), 0);
	assert_string_equal(probe.conditions[0].operand.name, "common_pid");
	assert_int_equal(probe.conditions[0].operand.arg, 0);
}

/* Each refusal names the value, what is possible, and what to do. */
static void what_is_wrong_is_said(void **state)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "", "nothing before \"\": name an event, such as func:vfs_read" },
		{ ":x", "nothing before \":x\": name an event, such as func:vfs_read" },
		{ "fnc:vfs_read", "fnc: there is no such event: did you mean func?" },
		{ "page-fault", "page-fault: there is no such event: did you mean page-faults?" },
		{ "sched:sched_switch", "sched:sched_switch: there is no such event; a tracepoint is tracepoint:sched:sched_switch" },
		{ "bus-stalls", "bus-stalls: there is no such event: there are func:FUNCTION, latency:FUNCTION, tracepoint:SYSTEM:NAME, page-faults, minor-faults, major-faults, contention, wakers, and counters of the processor: cycles, instructions, ref-cycles, branches, branch-misses, cache-references and cache-misses; where CPUs spend their time, a timer samples anyway" },
		{ "cycles:", "cycles:: write the number of cycles per hit after the colon, from 1000 to 1000000000000 (default 1000003)" },
		{ "cycles:999", "cycles:999: write the number of cycles per hit after the colon, from 1000 to 1000000000000 (default 1000003)" },
		{ "cache-misses:1000000000001", "cache-misses:1000000000001: write the number of misses per hit after the colon, from 1000 to 1000000000000 (default 10007)" },
		{ "cycles:1M", "cycles:1M: write the number of cycles per hit after the colon, from 1000 to 1000000000000 (default 1000003)" },
		{ "cycles,instructions", "instructions after a comma: give each event its own -e: -e cycles -e instructions" },
		{ "func:a,min=1ms", "min=1ms: only latency:FUNCTION and wakers have times; if= compares arguments and fields" },
		{ "cycles:5000,cache-misses:2000,x", "cache-misses:2000 after a comma: give each event its own -e: -e cycles:5000 -e cache-misses:2000" },
		{ "latency:vfs_read,func:vfs_write", "func:vfs_write after a comma: give each event its own -e: -e latency:vfs_read -e func:vfs_write" },
		{ "cycles,weight=x", "weight=x: counters of the processor have no fields and are counted: leave it out" },
		{ "cycles,if=x>1", "if=x>1: counters of the processor have no fields to compare: leave it out" },
		{ "cycles,unit=x", "unit=x: what has no weight= is counted: add weight= before it" },
		{ "func", "func: name what is meant: func:FUNCTION" },
		{ "func:", "func:: name one as func:FUNCTION" },
		{ "func:vfs_*", "func:vfs_*: this is no pattern: name one function" },
		{ "tracepoint:kmem:k?alloc",
		  "tracepoint:kmem:k?alloc: this is no pattern: name one tracepoint" },
		{ "func:a,name=on-cpu",
		  "name=on-cpu: flamectl itself has an event of this name: choose another one" },
		{ "func:a b", "func:a b: name one as func:FUNCTION" },
		{ "func:../a", "func:../a: name one as func:FUNCTION" },
		{ "tracepoint:kmalloc", "tracepoint:kmalloc: name one as tracepoint:SYSTEM:NAME" },
		{ "tracepoint:a:", "tracepoint:a:: name one as tracepoint:SYSTEM:NAME" },
		{ "tracepoint:../..:a", "tracepoint:../..:a: name one as tracepoint:SYSTEM:NAME" },
		{ "tracepoint:a:b/c", "tracepoint:a:b/c: name one as tracepoint:SYSTEM:NAME" },
		{ "page-faults:3", "page-faults:3: page-faults takes no name after a colon" },
		{ "func:f,", "\"\" after a comma: there are weight=, if=, min=, unit= and name=" },
		{ "func:f,wait=1", "\"wait=1\" after a comma: there are weight=, if=, min=, unit= and name=" },
		{ "func:f,weight=arg7", "arg7: a function has arg1 to arg6, as those are in registers, or arg1:u32 and so on, of u8, u16, u32, u64, s8, s16, s32, s64" },
		{ "func:f,weight=arg1:u4", "arg1:u4: a function has arg1 to arg6, as those are in registers, or arg1:u32 and so on, of u8, u16, u32, u64, s8, s16, s32, s64" },
		{ "func:a:b:c", "func:a:b:c: name one as func:FUNCTION" },
		{ "func::b", "func::b: name one as func:FUNCTION" },
		{ "func:f,weight=count", "count: a function has arg1 to arg6, as those are in registers, or arg1:u32 and so on, of u8, u16, u32, u64, s8, s16, s32, s64" },
		{ "func:f,weight=arg1,weight=arg2", "weight=arg2: there is a weight already, arg1: name one, or repeat the event with another name=" },
		{ "latency:f,weight=arg1", "weight=arg1: the weight of latency is time; func:f sums arguments" },
		{ "page-faults,weight=x", "weight=x: page faults have no fields and are counted: leave it out" },
		{ "wakers:x", "wakers:x: wakers takes no name after a colon" },
		{ "wakers,weight=x", "weight=x: the weight of wakers is time: leave it out" },
		{ "wakers,if=x>1", "if=x>1: wakers have no fields to compare: leave it out" },
		{ "page-faults,if=x>1", "if=x>1: page faults have no fields to compare: leave it out" },
		{ "tracepoint:a:b,weight=", "nothing: not the name of a field, which has 1 to 31 letters, digits and _" },
		{ "func:f,if=arg2", "if=arg2: no comparison, such as arg2>4096; operators are == != < <= > >= and & (any of these bits). Quote the word: shells take < > & for themselves" },
		{ "func:f,if=arg2>", "if=arg2>: \"\" is no number, decimal or after 0x" },
		{ "func:f,if=arg2>4k", "if=arg2>4k: \"4k\" is no number, decimal or after 0x" },
		{ "func:f,if=arg2>-", "if=arg2>-: \"-\" is no number, decimal or after 0x" },
		{ "func:f,if=arg2> 1", "if=arg2> 1: \" 1\" is no number, decimal or after 0x" },
		{ "func:f,if=arg2==-4096", "if=arg2==-4096: -4096: values are compared with -4095 to 140737488355327, as what is outside may be an address" },
		{ "func:f,if=arg2==0x800000000000", "if=arg2==0x800000000000: 0x800000000000: values are compared with -4095 to 140737488355327, as what is outside may be an address" },
		{ "func:f,if=arg2>99999999999999999999", "if=arg2>99999999999999999999: 99999999999999999999: values are compared with -4095 to 140737488355327, as what is outside may be an address" },
		{ "func:f,if=arg2&0", "if=arg2&0: bits are a number from 1 to 140737488355327" },
		{ "func:f,if=arg1>1,if=arg1>2,if=arg1>3,if=arg1>4,if=arg1>5", "if=arg1>5: there are 4 conditions already, which is the most" },
		{ "func:f,min=1ms", "min=1ms: only latency:FUNCTION and wakers have times; if= compares arguments and fields" },
		{ "latency:f,min=1ns", "min=1ns: a time such as 10us, 1ms or 2s, from 1us to an hour (1h)" },
		{ "func:f,unit=bytes", "unit=bytes: what has no weight= is counted: add weight= before it" },
		{ "func:f,weight=arg1,unit=a b", "unit=a b: a word of 1 to 31 letters, digits and _, such as bytes or ns" },
		{ "func:f,name=a b", "name=a b: a word of 1 to 63 letters, digits and _ . : -" },
		{ "func:a123456789b123456789c123456789d123456789e123456789f123456789",
		  "func:a123456789b123456789c123456789d123456789e123456789f123456789: names of events have at most 63 characters: add name=WORD" },
	};
	struct probe probe;
	struct error error;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(probe_parse(bad[i].text, &probe, &error), -EINVAL);
		assert_string_equal(error.text, bad[i].says);
	}
}

static void names_are_unique(void **state)
{
	struct probes probes = { .nr = 0 };
	struct error error;
	char text[32];

	(void)state;
	assert_int_equal(probes_add(&probes, "func:f,weight=arg1", &error), 0);
	assert_int_equal(probes_add(&probes, "func:f,weight=arg2", &error), -EINVAL);
	assert_string_equal(error.text, "func:f,weight=arg2: there is an event func:f already: add name=WORD to one of them");
	assert_int_equal(probes_add(&probes, "func:f,weight=arg2,name=second", &error), 0);
	for (unsigned int i = probes.nr; i < PROBES_MAX; i++) {
		snprintf(text, sizeof(text), "func:f%u", i);
		assert_int_equal(probes_add(&probes, text, &error), 0);
	}
	assert_int_equal(probes_add(&probes, "func:g", &error), -EINVAL);
	assert_string_equal(error.text, "func:g: there are 8 events already, which is the most at a time");
	assert_int_equal(probes.nr, PROBES_MAX);
}

static int read_text(const char *text, struct record_format *format, struct error *error)
{
	FILE *in = fmemopen((void *)text, strlen(text), "r");
	int err;

	assert_non_null(in);
	err = record_format_read(in, format, error);
	fclose(in);
	return err;
}

static void a_layout_is_read(void **state)
{
	struct record_format format;
	const struct record_field *field;
	char names[RECORD_FORMAT_TEXT];
	struct error error;

	(void)state;
	assert_int_equal(read_text(kmalloc, &format, &error), 0);
	assert_int_equal(format.id, 423);
	assert_int_equal(format.nr_fields, 10);
	field = record_format_find(&format, "bytes_alloc");
	assert_non_null(field);
	assert_int_equal(field->offset, 32);
	assert_int_equal(field->bytes, 8);
	assert_false(field->is_signed);
	assert_true(record_format_find(&format, "node")->is_signed);
	assert_true(record_format_find(&format, "ptr")->is_pointer);
	assert_true(record_format_find(&format, "fn") == NULL ||
		    record_format_find(&format, "fn")->is_pointer);
	assert_true(record_format_find(&format, "comm")->is_array);
	assert_true(record_format_find(&format, "path")->is_array);
	assert_null(record_format_find(&format, "bytes"));
	assert_string_equal(record_format_numbers(&format, names),
			    "call_site, bytes_req, bytes_alloc, node");
}

static void a_malformed_layout_is_refused(void **state)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "", "it has no ID" },
		{ "name: x\nID: 4\n", "it has no fields" },
		{ "\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n", "it has no ID" },
		{ "ID: 4\nID: 5\n", "line 2 is malformed: ID: 5" },
		{ "ID: -4\n", "line 1 is malformed: ID: -4" },
		{ "ID: 99999999999\n", "line 1 is malformed: ID: 99999999999" },
		{ "ID: 4\n\tfield:int a\toffset:0\n", "line 2 is malformed: \tfield:int a\toffset:0" },
		{ "ID: 4\n\tfield:int a;\toffset:0;\tsize:4;\n", "line 2 is malformed: \tfield:int a;\toffset:0;\tsize:4;" },
		{ "ID: 4\n\tfield:int a;\toffset:70000;\tsize:4;\tsigned:1;\n", "line 2 is malformed: \tfield:int a;\toffset:70000;\tsize:4;\tsigned:1;" },
		{ "ID: 4\n\tfield:int a;\toffset:65535;\tsize:4;\tsigned:1;\n", "line 2 is malformed: \tfield:int a;\toffset:65535;\tsize:4;\tsigned:1;" },
		{ "ID: 4\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:2;\n", "line 2 is malformed: \tfield:int a;\toffset:0;\tsize:4;\tsigned:2;" },
		{ "ID: 4\n\tfield:;\toffset:0;\tsize:4;\tsigned:0;\n", "line 2 is malformed: \tfield:;\toffset:0;\tsize:4;\tsigned:0;" },
	};
	struct record_format format;
	struct error error;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		FILE *in = *bad[i].text ? fmemopen((void *)bad[i].text, strlen(bad[i].text), "r") :
					  fopen("/dev/null", "r");

		assert_non_null(in);
		assert_int_equal(record_format_read(in, &format, &error), -EBADMSG);
		assert_string_equal(error.text, bad[i].says);
		fclose(in);
	}
}

/* ---- a kernel's tracefs ---- */

static char root[] = "/tmp/flamectl-probe-XXXXXX";
static char place[256];

static int make_root(void **state)
{
	static const char *const parts[] = {
		"sys", "sys/kernel", "sys/kernel/tracing", "sys/kernel/tracing/events",
		"sys/kernel/tracing/events/kmem", "sys/kernel/tracing/events/kmem/kmalloc",
	};
	FILE *out;

	(void)state;
	if (!mkdtemp(root))
		return -1;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		snprintf(place, sizeof(place), "%s/%s", root, parts[i]);
		if (mkdir(place, 0700))
			return -1;
	}
	strcat(place, "/format");
	out = fopen(place, "w");
	if (!out)
		return -1;
	fputs(kmalloc, out);
	return fclose(out);
}

static int remove_root(void **state)
{
	char *end;

	(void)state;
	unlink(place);
	for (end = place; strlen(place) > strlen(root); ) {
		end = strrchr(place, '/');
		*end = '\0';
		if (rmdir(place))
			return -1;
	}
	return 0;
}

static void fields_are_looked_up(void **state)
{
	struct probe probe;
	struct error error;

	(void)state;
	assert_int_equal(probe_parse("tracepoint:kmem:kmalloc,weight=bytes_alloc,if=node>=-1,if=common_pid!=0",
				     &probe, &error), 0);
	assert_true(probe_reads_record(&probe));
	assert_int_equal(probe_resolve(&probe, root, &error), 0);
	assert_int_equal(probe.config, 423);
	assert_int_equal(probe.weight.offset, 32);
	assert_int_equal(probe.weight.bytes, 8);
	assert_int_equal(probe.conditions[0].operand.offset, 44);
	assert_int_equal(probe.conditions[0].operand.bytes, 4);
	assert_true(probe.conditions[0].operand.is_signed);
	assert_int_equal(probe.conditions[1].operand.offset, 4);
	/* what needs no layout needs no tracefs */
	assert_int_equal(probe_parse("func:f,weight=arg1", &probe, &error), 0);
	assert_int_equal(probe_resolve(&probe, "/nonexistent", &error), 0);
}

static void what_cannot_be_looked_up_is_said(void **state)
{
	static const struct { const char *text; int err; const char *says; } bad[] = {
		{ "tracepoint:kmem:kmalloc,weight=bytes", -EINVAL, "kmem:kmalloc has no field bytes: those that are numbers are call_site, bytes_req, bytes_alloc, node" },
		{ "tracepoint:kmem:kmalloc,weight=ptr", -EINVAL, "ptr of kmem:kmalloc is a pointer, and addresses of the kernel do not leave it: use one of call_site, bytes_req, bytes_alloc, node" },
		{ "tracepoint:kmem:kmalloc,if=ptr>0", -EINVAL, "ptr of kmem:kmalloc is a pointer, and addresses of the kernel do not leave it: use one of call_site, bytes_req, bytes_alloc, node" },
		{ "tracepoint:kmem:kmalloc,weight=comm", -EINVAL, "comm of kmem:kmalloc is no number of 1, 2, 4 or 8 bytes: use one of call_site, bytes_req, bytes_alloc, node" },
		{ "tracepoint:kmem:kfree", -EOPNOTSUPP, NULL },
		{ "contention", -EOPNOTSUPP, NULL },
	};
	struct probe probe;
	struct error error;
	char text[400];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(probe_parse(bad[i].text, &probe, &error), 0);
		assert_int_equal(probe_resolve(&probe, root, &error), bad[i].err);
		if (bad[i].says)
			assert_string_equal(error.text, bad[i].says);
		snprintf(text, sizeof(text), "%s: this kernel has no tracepoint %s: ls %s/sys/kernel/tracing/events lists systems, and each directory there its tracepoints",
			 probe.name, probe.target, root);
		if (!bad[i].says)
			assert_string_equal(error.text, text);
	}
	assert_int_equal(probe_resolve(&probe, "/nonexistent", &error), -EOPNOTSUPP);
	assert_string_equal(error.text, "contention: the kernel's tracepoints are listed in tracefs, which is not mounted on /sys/kernel/tracing: mount -t tracefs nodev /sys/kernel/tracing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_is_parsed),
		cmocka_unit_test(conditions_are_parsed),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(names_are_unique),
		cmocka_unit_test(a_layout_is_read),
		cmocka_unit_test(a_malformed_layout_is_refused),
		cmocka_unit_test(fields_are_looked_up),
		cmocka_unit_test(what_cannot_be_looked_up_is_said),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
