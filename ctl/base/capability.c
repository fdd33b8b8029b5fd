// SPDX-License-Identifier: GPL-2.0
/*
 * Read the capabilities of this process: see capability.h.
 */
#include "base/capability.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

bool capability_has(const char *root, unsigned int number)
{
	char path[4096], *line = NULL;
	size_t size = 0;
	uint64_t mask = 0;
	FILE *stream;

	snprintf(path, sizeof(path), "%s/proc/self/status", root);
	stream = fopen(path, "re");
	if (!stream)
		return false;
	while (getline(&line, &size, stream) > 0)
		if (sscanf(line, "CapEff: %" SCNx64, &mask) == 1)
			break;
	free(line);
	fclose(stream);
	return mask >> number & 1;
}
