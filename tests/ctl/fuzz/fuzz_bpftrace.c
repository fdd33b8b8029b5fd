// SPDX-License-Identifier: GPL-2.0
/*
 * Maps of bpftrace's: ctl/format/import/bpftrace.c.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct import_options options = { 0 };

	fuzz_import(import_bpftrace, &options, data, size);
	return 0;
}
