// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks of SystemTap's: ctl/format/import/stap.c.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct import_options options = { .hz = 100 };

	fuzz_import(import_stap, &options, data, size);
	return 0;
}
