// SPDX-License-Identifier: GPL-2.0
/*
 * Probes: exactly one recognises each text, and none recognises folded text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "format/import/import.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static bool (*const probes[])(const char *head, size_t size) = {
	import_perf_probe, import_report_probe, import_bpftrace_json_probe,
	import_dtrace_probe, import_funcgraph_probe, import_opreport_probe,
};

#define F "\tffffffff81000001 f ([kernel.kallsyms])\n"

static void one_probe_says_yes(void **state)
{
	static const struct {
		bool (*probe)(const char *head, size_t size);
		const char *text;
	} texts[] = {
		{ import_perf_probe, "# a\n\na 1/2 [003] 5.6: 1 cycles:u:\n" },
		{ import_perf_probe, "Warning:\n2 kernel symbols are wrong\n\na 1/2 [003] 5.6: 1 cycles:u:\n" F },
		{ import_perf_probe, "a 0 0.0: PERF_RECORD_COMM: a:1/1\n" },
		{ import_perf_probe, "sh 12 \n" F }, { import_perf_probe, F },
		{ import_perf_probe, "java 19983 cycles:\nffffffff8103d0ca f ([kernel.kallsyms])\n" },
		{ import_perf_probe, "   1001001 \n" F }, { import_perf_probe, "\t    7f01234567\n" },
		{ import_perf_probe, " ffffffff81000001 f\n" },
		{ import_perf_probe, "              sh 15999  ffffffff81000001 f\n" },
		{ import_report_probe, "# Overhead  Command\n# ........  .......\n    60.00%  dd\n8 main;f\n" },
		{ import_report_probe, "    1.00%    60.00%   8  x\n\n    60.00%    60.00%   8  dd\n5.03% main;f\n" },
		{ import_bpftrace_json_probe, "\n{\"type\": \"map\", \"data\": {}}\n" },
		{ import_dtrace_probe, "CPU     ID                    FUNCTION:NAME\n  0  64091  :tick-60s\n" },
		{ import_dtrace_probe, "\n\n              unix`mwait+0xd\n    1\n" },
		{ import_funcgraph_probe, "cpus=2\n  cat-12  [001]  5822.316519: funcgraph_entry:   |  vfs_read() {\n" },
		{ import_funcgraph_probe, "# tracer: function_graph\n#\n" },
		{ import_funcgraph_probe, " 0)   0.198 us    |  f();\n" },
		{ import_opreport_probe, "CPU: Core 2\nCounted x\nsamples  %        image name   symbol name\n---\n" },
		/* folded text, and unknown text */
		{ NULL, "main;run;sleep 5\nmain 2\n" }, { NULL, "a 1\n" }, { NULL, "a;vmlinux`f 12\n" },
		{ NULL, "comm;a b: 12 f 5\n" }, { NULL, "" }, { NULL, "\n\n#\n" },
		{ NULL, "# samples: 5\nabc;def 1\n" }, { NULL, "deadbeef;f 5\n" }, { NULL, "main 12: 5\n" },
		{ NULL, "    60.00%    60.00%  dd  f\n            |\n            ---main\n" },
		{ NULL, "@[\n    g+1\n]: 3\n" }, { NULL, " 0xffffffff81234567 : g+0x95/0x190 [kernel]\n\t42\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t j = 0; j < ARRAY_SIZE(probes); j++)
			if (probes[j](texts[i].text, strlen(texts[i].text)) !=
			    (probes[j] == texts[i].probe))
				fail_msg("probe %zu of %s", j, texts[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_probe_says_yes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
