// SPDX-License-Identifier: GPL-2.0
/*
 * The output of perf script: ctl/import_perf.c. The first byte chooses options.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct import_options options[] = {
		{ 0 }, { .by_period = true }, { .event = "cycles" },
		{ .hz = 99 },
	};

	if (size)
		fuzz_import(import_perf, &options[*data % 4], data + 1,
			    size - 1);
	return 0;
}
