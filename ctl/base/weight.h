/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Print weights (what samples count) for people: "12 periods", "1 sample",
 * "80.00 ms".
 */
#ifndef FLAMECTL_WEIGHT_H
#define FLAMECTL_WEIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "18446744073709551615" or "18446744073.71 s", and a NUL */
#define WEIGHT_TEXT	24

/**
 * weight_is_time() - report whether the unit is nanoseconds, shown as a time.
 */
bool weight_is_time(const char *unit);

/**
 * weight_text() - print "12.34 us" for nanoseconds, or the number alone,
 * "1234", for other units, which the caller writes. Return: @text.
 */
const char *weight_text(char text[WEIGHT_TEXT], uint64_t weight,
			const char *unit);

/**
 * weight_unit_length() - return how many characters of @unit to write after a
 * weight: "samples", but 1 "sample"; 0 if weight_text() includes the unit.
 */
size_t weight_unit_length(uint64_t weight, const char *unit);

#endif /* FLAMECTL_WEIGHT_H */
