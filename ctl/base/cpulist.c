// SPDX-License-Identifier: GPL-2.0
/*
 * Parse and print lists of CPUs: see cpulist.h.
 */
#include "base/cpulist.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first @used of each @group CPUs, from @first to @last. */
struct range {
	unsigned long first, last, used, group;
};

/* Parse a number and advance @text past it. */
static bool parse_number(const char **text, unsigned long *number)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*number = strtoul(*text, &end, 10);
	*text = end;
	return *number <= CPULIST_MAX;
}

/* Parse one "N", "N-M" or "N-M:U/G". Return: the text after it, or NULL. */
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

int cpulist_refuse(const char *text, struct error *error)
{
	static const char digits[] = "0123456789";

	for (const char *at = text; (at = strpbrk(at, digits));
	     at += strspn(at, digits)) {
		int length = (int)strspn(at, digits);
		const char *second = at + length + 1;

		if (strtoul(at, NULL, 10) > CPULIST_MAX)
			return error_set(error, -EINVAL,
					 "%.64s: there is no CPU %.*s: the highest number is %d",
					 text, length < 24 ? length : 24, at,
					 CPULIST_MAX);
		if (at[length] == '-' && strspn(second, digits) &&
		    strtoul(second, NULL, 10) < strtoul(at, NULL, 10))
			return error_set(error, -EINVAL,
					 "%.64s: the larger number of a range comes last: %lu-%lu",
					 text, strtoul(second, NULL, 10),
					 strtoul(at, NULL, 10));
	}
	return error_set(error, -EINVAL, "%.64s: a list such as 0-3,8 of CPUs from 0 to %d",
			 text, CPULIST_MAX);
}

bool cpulist_has(const struct cpulist *cpus, uint32_t cpu)
{
	return cpu <= CPULIST_MAX && cpus->words[cpu / 64] >> cpu % 64 & 1;
}

bool cpulist_meets(const struct cpulist *cpus, const struct cpulist *others)
{
	for (size_t i = 0; i < sizeof(cpus->words) / sizeof(cpus->words[0]); i++)
		if (cpus->words[i] & others->words[i])
			return true;
	return false;
}

uint32_t cpulist_count(const struct cpulist *cpus)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < sizeof(cpus->words) / sizeof(cpus->words[0]); i++)
		nr += (uint32_t)__builtin_popcountll(cpus->words[i]);
	return nr;
}

const char *cpulist_print(const struct cpulist *cpus, char *text, size_t size)
{
	/* "," and a range of two numbers of five digits, and later maybe "..." */
	const size_t room = 12 + 4;
	uint32_t first, last;
	size_t used = 0;

	*text = '\0';
	for (first = 0; first <= CPULIST_MAX; first = last + 1) {
		last = first;
		if (!cpulist_has(cpus, first))
			continue;
		while (cpulist_has(cpus, last + 1))
			last++;
		if (size - used < room) {
			snprintf(text + used, size - used, "...");
			break;
		}
		used += (size_t)snprintf(text + used, size - used, "%s%" PRIu32,
					 used ? "," : "", first);
		if (last > first)
			used += (size_t)snprintf(text + used, size - used,
						 "-%" PRIu32, last);
	}
	return text;
}
