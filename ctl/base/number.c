// SPDX-License-Identifier: GPL-2.0
/*
 * Parse and print numbers and durations: see number.h.
 */
#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define NSEC_PER_SEC	1000000000ULL

/* Parse the digits at @text. Return: their end; NULL for none or above 2^64. */
static const char *digits(const char *text, uint64_t *number)
{
	const char *at = text;

	*number = 0;
	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(*at - '0'),
					   number))
			return NULL;
	return at == text ? NULL : at;
}

int number_parse(const char *text, uint64_t min, uint64_t max,
		 uint64_t *number, struct error *error)
{
	uint64_t parsed;
	const char *end = digits(text, &parsed);

	if (!end || *end || parsed < min || parsed > max)
		return error_set(error, -EINVAL, "%.64s: a whole number from %"
				 PRIu64 " to %" PRIu64,
				 *text ? text : "nothing", min, max);
	*number = parsed;
	return 0;
}

static const struct {
	const char *suffix;
	uint64_t ns;
} units[] = {
	{ "", NSEC_PER_SEC },
	{ "s", NSEC_PER_SEC },
	{ "ms", 1000000 },
	{ "us", 1000 },
	{ "m", 60 * NSEC_PER_SEC },
	{ "h", 3600 * NSEC_PER_SEC },
};

static uint64_t unit_ns(const char *suffix)
{
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].suffix, suffix))
			return units[i].ns;
	return 0;
}

/* Parse the digits after a point, at most nine, as billionths. */
static const char *billionths(const char *text, uint64_t *number)
{
	uint64_t scale = NSEC_PER_SEC / 10;
	const char *at = text;

	*number = 0;
	for (; *at >= '0' && *at <= '9' && scale; at++, scale /= 10)
		*number += (uint64_t)(*at - '0') * scale;
	return at == text ? NULL : at;
}

static bool duration_ns(const char *text, uint64_t *ns)
{
	uint64_t whole, part = 0, unit;
	const char *end = digits(text, &whole);

	if (end && *end == '.')
		end = billionths(end + 1, &part);
	unit = end ? unit_ns(end) : 0;
	if (!unit || __builtin_mul_overflow(whole, unit, &whole) ||
	    whole > DURATION_MAX_NS)
		return false;
	/* part < 10^9 and unit <= 3.6 * 10^12: below 2^64 */
	*ns = whole + part * (unit / 1000) / 1000000;
	return *ns <= DURATION_MAX_NS;
}

int duration_parse(const char *text, uint64_t *ns, struct error *error)
{
	uint64_t parsed;

	if (!duration_ns(text, &parsed) || parsed < 1000000)
		return error_set(error, -EINVAL, "%.64s: a duration such as 10, "
				 "10s, 500ms or 2m, from 1ms to a year (8760h)",
				 *text ? text : "nothing");
	*ns = parsed;
	return 0;
}

/* "1" could be meant as a microsecond, a millisecond or a second. */
static bool has_unit(const char *text)
{
	return text[strspn(text, "0123456789.")];
}

int interval_parse(const char *text, uint64_t *ns, struct error *error)
{
	uint64_t parsed;

	if (!has_unit(text) || !duration_ns(text, &parsed) || parsed < 1000 ||
	    parsed > INTERVAL_MAX_NS)
		return error_set(error, -EINVAL, "%.64s: a time such as 10us, 1ms or 2s, from 1us to an hour (1h)",
				 *text ? text : "nothing");
	*ns = parsed;
	return 0;
}

const char *duration_text(char text[DURATION_TEXT], uint64_t ns)
{
	uint64_t ms = ns / 1000000 + (ns % 1000000 >= 500000);
	uint64_t tenths = ns / 100000000 + (ns % 100000000 >= 50000000);

	if (ms < 1000)
		snprintf(text, DURATION_TEXT, "%" PRIu64 " ms", ms);
	else
		snprintf(text, DURATION_TEXT, "%" PRIu64 ".%" PRIu64 " s",
			 tenths / 10, tenths % 10);
	return text;
}

const char *range_text(char text[RANGE_TEXT], uint64_t from_ns, uint64_t to_ns)
{
	uint64_t from = from_ns / 1000000 + (from_ns % 1000000 >= 500000);
	uint64_t to = to_ns / 1000000 + (to_ns % 1000000 >= 500000);

	snprintf(text, RANGE_TEXT, "%" PRIu64 ".%03" PRIu64 " to %" PRIu64
		 ".%03" PRIu64 " s", from / 1000, from % 1000, to / 1000,
		 to % 1000);
	return text;
}

const char *range_fact(char text[RANGE_FACT], uint64_t from_ns, uint64_t to_ns)
{
	char range[RANGE_TEXT];

	snprintf(text, RANGE_FACT, "from %s, in whole slices",
		 range_text(range, from_ns, to_ns));
	return text;
}
