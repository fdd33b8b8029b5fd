// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of CPUs: see cpulist.h.
 */
#include "cpulist.h"

#include <errno.h>
#include <stdlib.h>

/* Of each @group CPUs from @first to @last, the first @used. */
struct range {
	unsigned long first, last, used, group;
};

/* A number, and step over it. */
static bool parse_number(const char **text, unsigned long *number)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*number = strtoul(*text, &end, 10);
	*text = end;
	return *number <= CPULIST_MAX;
}

/* One "N", "N-M" or "N-M:U/G". Return: what follows it, or NULL. */
static const char *parse_range(const char *text, struct range *range)
{
	if (!parse_number(&text, &range->first))
		return NULL;
	range->last = range->first;
	range->used = range->group = 1;
	if (*text != '-')
		return text;
	text++;
	if (!parse_number(&text, &range->last) || range->last < range->first)
		return NULL;
	if (*text != ':')
		return text;
	text++;
	if (!parse_number(&text, &range->used) || *text++ != '/' ||
	    !parse_number(&text, &range->group) || !range->used ||
	    range->used > range->group)
		return NULL;
	return text;
}

static void add_range(struct cpulist *cpus, const struct range *range)
{
	for (unsigned long cpu = range->first; cpu <= range->last; cpu++)
		if ((cpu - range->first) % range->group < range->used)
			cpus->words[cpu / 64] |= 1ULL << cpu % 64;
}

int cpulist_add(struct cpulist *cpus, const char *text)
{
	struct range range;

	for (;; text++) {
		text = parse_range(text, &range);
		if (!text || (*text && *text != ','))
			return -EINVAL;
		if (cpus)
			add_range(cpus, &range);
		if (!*text)
			return 0;
	}
}

bool cpulist_has(const struct cpulist *cpus, uint32_t cpu)
{
	return cpu <= CPULIST_MAX && cpus->words[cpu / 64] >> cpu % 64 & 1;
}
