/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse and print shares of a whole. All arithmetic is on integers, so results
 * are the same on every machine and in every locale.
 */
#ifndef FLAMECTL_PERCENT_H
#define FLAMECTL_PERCENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* more than enough for "-100.00" and a NUL */
#define PERCENT_TEXT	16

/**
 * percent_text() - print @part as a percentage of @whole, rounded: "12.34".
 * @whole: above 0.
 *
 * Return: @text.
 */
const char *percent_text(char text[PERCENT_TEXT], uint64_t part,
			 uint64_t whole);

/** percent_hundredths() - compute the same in hundredths of a percent. */
uint32_t percent_hundredths(uint64_t part, uint64_t whole);

/**
 * percent_below() - report whether @part is less than @ppm millionths of
 * @whole.
 */
bool percent_below(uint64_t part, uint64_t whole, uint32_t ppm);

/**
 * percent_parse() - parse "0.5" or "0.5%" as millionths; up to 100, with up to
 * four digits after the point.
 *
 * Return: 0, or -EINVAL with @error saying "TEXT: a share ...".
 */
int percent_parse(const char *text, uint32_t *ppm, struct error *error);

#endif /* FLAMECTL_PERCENT_H */
