// SPDX-License-Identifier: GPL-2.0
/*
 * bpftrace's maps as JSON: ctl/format/import/bpftrace_json.c.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct import_options options = { 0 };

	fuzz_import(import_bpftrace_json, &options, data, size);
	return 0;
}
