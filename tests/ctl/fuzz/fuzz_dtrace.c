// SPDX-License-Identifier: GPL-2.0
/*
 * DTrace's aggregations by stacks: ctl/format/import/dtrace.c.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct import_options options = { 0 };

	fuzz_import(import_dtrace, &options, data, size);
	return 0;
}
