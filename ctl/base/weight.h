/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A weight as people read it: "12 periods", "1 sample", "80.00 ms".
 */
#ifndef FLAMECTL_WEIGHT_H
#define FLAMECTL_WEIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "18446744073709551615" or "18446744073.71 s", and a NUL */
#define WEIGHT_TEXT	24

/** weight_is_time() - is it a number of nanoseconds, to be told as a time? */
bool weight_is_time(const char *unit);

/**
 * weight_text() - "1234" of a unit that is told apart, or "12.34 us" of
 * nanoseconds. Return: @text.
 */
const char *weight_text(char text[WEIGHT_TEXT], uint64_t weight,
			const char *unit);

/**
 * weight_unit_length() - how much of @unit to write behind a weight: "samples",
 * but 1 "sample"; 0 where weight_text() has all.
 */
size_t weight_unit_length(uint64_t weight, const char *unit);

#endif /* FLAMECTL_WEIGHT_H */
