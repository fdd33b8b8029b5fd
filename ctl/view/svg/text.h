/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing of text and numbers to an SVG document, the same in every locale.
 */
#ifndef FLAMECTL_SVG_TEXT_H
#define FLAMECTL_SVG_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"

#define SVG_COUNT_MAX sizeof("18,446,744,073,709,551,615")

/** svg_put_text() - write any bytes as XML text or as an attribute's value. */
void svg_put_text(FILE *out, const char *text);

/** svg_put_text_part() - as svg_put_text(), for the first @length bytes. */
void svg_put_text_part(FILE *out, const char *text, size_t length);

/** svg_text_cells() - return the width in cells of a monospaced font. */
size_t svg_text_cells(const char *text);

/**
 * svg_put_fitted() - write what fits into @room cells, with "…" for the rest.
 */
void svg_put_fitted(FILE *out, const char *text, size_t room);

/** svg_put_line() - as svg_put_fitted(), for the first @length bytes. */
void svg_put_line(FILE *out, const char *text, size_t length, size_t room);

/**
 * svg_put_px() - write a length with at most two decimals: "12.3". It always
 * has a point, which printf() takes from the locale.
 */
void svg_put_px(FILE *out, double px);

/** svg_format_count() - format as "1,234,567". Return: @text. */
const char *svg_format_count(char text[SVG_COUNT_MAX], uint64_t count);

/**
 * svg_format_weight() - format as weight_text(), with commas. Return: @text.
 */
const char *svg_format_weight(char text[SVG_COUNT_MAX], uint64_t weight,
			      const char *unit);

/* Room for a number and a unit of at most PROFILE_UNIT_MAX bytes. */
#define SVG_AMOUNT_MAX (SVG_COUNT_MAX + PROFILE_UNIT_MAX)

/**
 * svg_format_amount() - format as "1,234 periods", "1 period" or "80.00 ms".
 * Return: @text.
 */
const char *svg_format_amount(char text[SVG_AMOUNT_MAX], uint64_t weight,
			      const char *unit);

#endif /* FLAMECTL_SVG_TEXT_H */
