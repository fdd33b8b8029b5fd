/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pieces of text that an SVG document is written from, the same in every
 * locale.
 */
#ifndef FLAMECTL_SVG_TEXT_H
#define FLAMECTL_SVG_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"

#define SVG_COUNT_MAX sizeof("18,446,744,073,709,551,615")

/** svg_put_text() - @text, any bytes, as XML text or as an attribute's value. */
void svg_put_text(FILE *out, const char *text);

/** svg_put_text_part() - the same of its first @length bytes. */
void svg_put_text_part(FILE *out, const char *text, size_t length);

/** svg_text_cells() - how wide it is, in cells of a monospaced font. */
size_t svg_text_cells(const char *text);

/** svg_put_fitted() - as much of @text as @room cells hold, "…" for the rest. */
void svg_put_fitted(FILE *out, const char *text, size_t room);

/** svg_put_line() - the same of its first @length bytes. */
void svg_put_line(FILE *out, const char *text, size_t length, size_t room);

/**
 * svg_put_px() - a length in hundredths at most: "12.3"; printf()'s point is
 * the locale's.
 */
void svg_put_px(FILE *out, double px);

/** svg_format_count() - "1,234,567". Return: @text. */
const char *svg_format_count(char text[SVG_COUNT_MAX], uint64_t count);

/** svg_format_weight() - weight_text() with commas. Return: @text. */
const char *svg_format_weight(char text[SVG_COUNT_MAX], uint64_t weight,
			      const char *unit);

/* Of a unit of at most PROFILE_UNIT_MAX bytes. */
#define SVG_AMOUNT_MAX (SVG_COUNT_MAX + PROFILE_UNIT_MAX)

/** svg_format_amount() - "1,234 periods", "1 period", "80.00 ms". Return: @text. */
const char *svg_format_amount(char text[SVG_AMOUNT_MAX], uint64_t weight,
			      const char *unit);

#endif /* FLAMECTL_SVG_TEXT_H */
