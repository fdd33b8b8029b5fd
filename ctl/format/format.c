// SPDX-License-Identifier: GPL-2.0
/*
 * The table of input formats: see format.h. Each probe looks for marks that no
 * other format has; if two could match, the stricter one comes first.
 */
#include "format/format.h"

#include <stdint.h>
#include <string.h>

#include "format/pprof/pprof.h"

#define PERF_DATA_MAGIC	"PERFILE2"

static bool probe_pprof(const char *head, size_t size)
{
	return pprof_probe((const uint8_t *)head, size);
}

static bool probe_perf_data(const char *head, size_t size)
{
	size_t length = strlen(PERF_DATA_MAGIC);

	return size >= length && !memcmp(head, PERF_DATA_MAGIC, length);
}

static bool probe_any(const char *head, size_t size)
{
	(void)head;
	(void)size;
	return true;
}

const struct format formats[] = {
	{ "pprof", "a saved profile, or another pprof file", probe_pprof, NULL },
	{ "perf-data", "perf.data, read by running perf script", probe_perf_data, NULL },
	{ "perf-script", "the output of perf script, with or without call chains",
	  import_perf_probe, import_perf },
	{ "perf-report", "the output of perf report -g folded", import_report_probe,
	  import_report },
	{ "trace-cmd", "trace-cmd report of the function_graph tracer",
	  import_funcgraph_probe, import_funcgraph },
	{ "bpftrace-json", "the same maps, as bpftrace -f json prints them",
	  import_bpftrace_json_probe, import_bpftrace_json },
	{ "bpftrace", "maps of counts, such as @[kstack, ustack, comm]",
	  import_bpftrace_probe, import_bpftrace },
	{ "stap", "SystemTap's print_stack() or print_backtrace(), then a line with the count",
	  import_stap_probe, import_stap },
	{ "dtrace", "DTrace's aggregations by stack() and ustack()",
	  import_dtrace_probe, import_dtrace },
	{ "oprofile", "opreport --callgraph", import_opreport_probe,
	  import_opreport },
	{ "bcc", "the output of bcc's profile -f, with or without -d",
	  import_bcc_probe, import_bcc },
	{ "folded", "one stack a line, \"root;...;leaf COUNT\"", probe_any, import_folded },
	{ 0 }
};

const struct format *const format_pprof = &formats[0];
const struct format *const format_perf_data = &formats[1];
const struct format *const format_folded =
	&formats[sizeof(formats) / sizeof(formats[0]) - 2];

const struct format *format_find(const char *name)
{
	const struct format *format;

	for (format = formats; format->name; format++)
		if (!strcmp(format->name, name))
			return format;
	return NULL;
}

const struct format *format_of(const char *head, size_t size)
{
	const struct format *format = formats;

	while (!format->probe(head, size))
		format++;
	return format;
}
