// SPDX-License-Identifier: GPL-2.0
/*
 * oprofile's call graph: ctl/format/import/opreport.c.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct import_options options = { 0 };

	fuzz_import(import_opreport, &options, data, size);
	return 0;
}
