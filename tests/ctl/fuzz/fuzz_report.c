// SPDX-License-Identifier: GPL-2.0
/*
 * The output of perf report -g folded: ctl/format/import/report.c.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct import_options options = { 0 };

	fuzz_import(import_report, &options, data, size);
	return 0;
}
