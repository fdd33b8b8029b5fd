/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse and print numbers and durations, in the same way for every command.
 * Parsing is strict and checks limits.
 */
#ifndef FLAMECTL_NUMBER_H
#define FLAMECTL_NUMBER_H

#include <stdint.h>

#include "base/error.h"

/* The longest duration: a year. */
#define DURATION_MAX_NS		(365ULL * 24 * 3600 * 1000000000)

/**
 * number_parse() - parse a whole decimal number of @min..@max, digits only.
 *
 * Return: 0, or -EINVAL with @error saying "TEXT: a whole number from MIN to
 * MAX".
 */
int number_parse(const char *text, uint64_t min, uint64_t max,
		 uint64_t *number, struct error *error);

/**
 * duration_parse() - parse "10", "10s", "1.5s", "500ms", "1500us", "2m" or "1h"; the unit
 * is seconds if none is given; from 1 ms to a year.
 *
 * Return: 0 with @ns set, or -EINVAL with @error.
 */
int duration_parse(const char *text, uint64_t *ns, struct error *error);

/* The longest interval that may be left out: an hour. */
#define INTERVAL_MAX_NS	(3600ULL * 1000000000)

/**
 * interval_parse() - parse a time as duration_parse() does, but from a microsecond to an
 * hour, and with a unit: "10us".
 *
 * Return: 0, or -EINVAL with @error.
 */
int interval_parse(const char *text, uint64_t *ns, struct error *error);

/* "18446744073.7 s" and a NUL */
#define DURATION_TEXT	24

/**
 * duration_text() - print rounded: "12.3 s"; below a second "250 ms".
 *
 * Return: @text.
 */
const char *duration_text(char text[DURATION_TEXT], uint64_t ns);

/* "18446744073.710 to 18446744073.710 s" and a NUL */
#define RANGE_TEXT	48

/** range_text() - print "2.000 to 5.004 s", rounded. Return: @text. */
const char *range_text(char text[RANGE_TEXT], uint64_t from_ns, uint64_t to_ns);

/* enough for a range_text() with its words, and a NUL */
#define RANGE_FACT	80

/**
 * range_fact() - print "from 2.000 to 5.004 s, in whole slices".
 *
 * Return: @text.
 */
const char *range_fact(char text[RANGE_FACT], uint64_t from_ns, uint64_t to_ns);

#endif /* FLAMECTL_NUMBER_H */
