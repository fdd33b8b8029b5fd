// SPDX-License-Identifier: GPL-2.0
/*
 * Advice about lost periods: see remedy.h.
 */
#include "view/remedy.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/wording.h"

#define PARAMETERS	"/sys/module/flamemod/parameters/"

/* The module's defaults and limits, as in its parameters' descriptions. */
#define CPU_KB_DEFAULT		1024
#define CPU_KB_MAX		65536
#define AGGREGATE_KB_DEFAULT	16384
#define AGGREGATE_KB_MAX	1048576

/* How many times the current memory to advise: enough to see if it helps. */
#define GROWTH	4

static uint64_t read_parameter(const char *path)
{
	FILE *file = fopen(path, "re");
	uint64_t value = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%" SCNu64, &value) != 1)
		value = 0;
	fclose(file);
	return value;
}

void remedy_limits_read(struct remedy_limits *limits)
{
	limits->cpu_kb = read_parameter(PARAMETERS "cpu_kb");
	limits->aggregate_kb = read_parameter(PARAMETERS "aggregate_kb");
}

static void more_memory(const char *name, uint64_t now_kb, uint64_t max_kb,
			char *text, size_t size)
{
	uint64_t kb = now_kb >= max_kb / GROWTH ? max_kb : now_kb * GROWTH;

	if (now_kb >= max_kb)
		snprintf(text, size, "%s=%" PRIu64 " is the maximum: %s",
			 name, max_kb, WORDING(RECORD_LESS));
	else
		snprintf(text, size, "load with %s=%" PRIu64, name, kb);
}

void remedy_lost(enum flamemod_lost reason, const struct remedy_limits *limits,
		 uint32_t hz, char *text, size_t size)
{
	*text = '\0';
	switch (reason) {
	case FLAMEMOD_LOST_TABLE_FULL:
		more_memory("cpu_kb", limits->cpu_kb ?: CPU_KB_DEFAULT,
			    CPU_KB_MAX, text, size);
		break;
	case FLAMEMOD_LOST_AGGREGATE_FULL:
		more_memory("aggregate_kb",
			    limits->aggregate_kb ?: AGGREGATE_KB_DEFAULT,
			    AGGREGATE_KB_MAX, text, size);
		break;
	case FLAMEMOD_LOST_OVERLOAD:
		if (hz > 1)
			snprintf(text, size, "%s %" PRIu32, WORDING(RECORD_AT), hz / 2);
		break;
	default:
		break;
	}
}
