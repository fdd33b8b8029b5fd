// SPDX-License-Identifier: GPL-2.0
/*
 * A parser with a bug, to check that the sanitizer detects it: it reads one byte past the
 * end of any input that starts with '?'.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size);
	unsigned int sum = 0;

	must(copy || !size);
	for (size_t i = 0; i < size; i++)
		copy[i] = data[i];
	for (size_t i = 0; i < size + (size && copy[0] == '?'); i++)
		sum += copy[i];
	must(sum <= 255 * (size + 1));
	free(copy);
	return 0;
}
