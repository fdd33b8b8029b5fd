// SPDX-License-Identifier: GPL-2.0
/*
 * Print weights: see weight.h. The scripts of graphs and pages print them by
 * the same rules; keep both alike.
 */
#include "base/weight.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool weight_is_time(const char *unit)
{
	return !strcmp(unit, "nanoseconds");
}

const char *weight_text(char text[WEIGHT_TEXT], uint64_t weight,
			const char *unit)
{
	static const char *const units[] = { "us", "ms", "s" };
	uint64_t scale = 1000, hundredths;
	size_t i = 0;

	if (!weight_is_time(unit) || weight < scale) {
		snprintf(text, WEIGHT_TEXT, "%" PRIu64 "%s", weight,
			 weight_is_time(unit) ? " ns" : "");
		return text;
	}
	/* 999 995 ns are printed as 1.00 ms, not as 1000.00 us */
	while (i < 2 && weight >= 1000 * scale - scale / 200) {
		scale *= 1000;
		i++;
	}
	hundredths = weight / (scale / 100) +
		     (weight % (scale / 100) >= scale / 200);
	snprintf(text, WEIGHT_TEXT, "%" PRIu64 ".%02" PRIu64 " %s",
		 hundredths / 100, hundredths % 100, units[i]);
	return text;
}

size_t weight_unit_length(uint64_t weight, const char *unit)
{
	size_t length = strlen(unit);

	if (weight_is_time(unit))
		return 0;
	/* "1 sample", but not "1 m" */
	if (weight == 1 && length > 2 && unit[length - 1] == 's')
		length--;
	return length;
}
