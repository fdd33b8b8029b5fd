/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shares of a whole as people read and type them. Whole numbers all the way:
 * the same on every machine and in every locale.
 */
#ifndef FLAMECTL_PERCENT_H
#define FLAMECTL_PERCENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* "-100.00" and a NUL, amply */
#define PERCENT_TEXT	16

/**
 * percent_text() - "12.34", rounded, of @whole, which is above 0.
 *
 * Return: @text.
 */
const char *percent_text(char text[PERCENT_TEXT], uint64_t part,
			 uint64_t whole);

/** percent_hundredths() - the same in hundredths of a percent. */
uint32_t percent_hundredths(uint64_t part, uint64_t whole);

/** percent_below() - is @part of @whole less than @ppm millionths of it? */
bool percent_below(uint64_t part, uint64_t whole, uint32_t ppm);

/**
 * percent_parse() - "0.5" or "0.5%" as millionths; up to 100, with up to four
 * digits behind the point.
 *
 * Return: 0, or -EINVAL with @error saying "TEXT: a share ...".
 */
int percent_parse(const char *text, uint32_t *ppm, struct error *error);

#endif /* FLAMECTL_PERCENT_H */
