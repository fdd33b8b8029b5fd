// SPDX-License-Identifier: GPL-2.0
/*
 * Names of windows: see window.h.
 */
#include "agent/window.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *window_name(const struct window *window, char name[WINDOW_NAME])
{
	/* numbers of 12 digits, so that names are in the order of windows */
	snprintf(name, WINDOW_NAME, "%012" PRIu64 "-%012" PRIu64 "-%s-%" PRIu32 "-%" PRIu64
		 "-%" PRIu64 "-%" PRIu64 WINDOW_ENDING, window->first, window->last,
		 window->boot, window->epoch, window->begin_ns, window->end_ns,
		 window->periods);
	return name;
}

bool window_parse(const char *name, struct window *window)
{
	char again[WINDOW_NAME];

	memset(window, 0, sizeof(*window));
	if (sscanf(name, "%" SCNu64 "-%" SCNu64 "-%32[0-9a-f]-%" SCNu32 "-%" SCNu64 "-%"
		   SCNu64 "-%" SCNu64, &window->first, &window->last, window->boot,
		   &window->epoch, &window->begin_ns, &window->end_ns,
		   &window->periods) != 7)
		return false;
	/* signs, missing zeros and what follows make another name */
	return !strcmp(window_name(window, again), name) && window->first &&
	       window->first <= window->last && window->begin_ns <= window->end_ns &&
	       strlen(window->boot) == WINDOW_BOOT - 1;
}

bool window_follows(const struct window *window, const struct window *next)
{
	return !strcmp(window->boot, next->boot) && window->epoch <= next->epoch &&
	       window->end_ns == next->begin_ns && window->last + 1 == next->first;
}

bool window_boot(const char *text, char boot[WINDOW_BOOT])
{
	size_t nr = 0;

	for (; strchr("0123456789abcdef-", *text) && *text; text++) {
		if (*text == '-')
			continue;
		if (nr == WINDOW_BOOT - 1)
			return false;
		boot[nr++] = *text;
	}
	boot[nr] = '\0';
	return nr == WINDOW_BOOT - 1;
}
