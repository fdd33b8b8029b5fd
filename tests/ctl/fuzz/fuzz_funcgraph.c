// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of the function_graph tracer: ctl/format/import/funcgraph.c.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct import_options options = { 0 };

	fuzz_import(import_funcgraph, &options, data, size);
	return 0;
}
