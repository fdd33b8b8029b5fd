// SPDX-License-Identifier: GPL-2.0
/*
 * Folded text as a profile, ours and bcc's: ctl/format/import/folded.c.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct import_options options = { 0 };

	fuzz_import(import_folded, &options, data, size);
	fuzz_import(import_bcc, &options, data, size);
	return 0;
}
