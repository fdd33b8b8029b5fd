/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Colours by lightness, chroma and hue, such that equal lightness looks equal.
 */
#ifndef FLAMECTL_COLOUR_H
#define FLAMECTL_COLOUR_H

#include <stdbool.h>
#include <stdint.h>

/**
 * colour_oklch() - a colour of OKLCH as 0xRRGGBB.
 * @lightness: 0..1
 * @chroma: 0..0.4; lowered until a screen can show it.
 * @hue: in degrees
 *
 * Source: Björn Ottosson, "A perceptual color space for image processing".
 */
uint32_t colour_oklch(double lightness, double chroma, double hue);

/** colour_luminance() - relative luminance of WCAG 2, 0 for black, 1 for white. */
double colour_luminance(uint32_t rgb);

/** colour_parse() - "#rrggbb" or "#rgb". Return: is it one? Sets @rgb then. */
bool colour_parse(const char *text, uint32_t *rgb);

#endif /* FLAMECTL_COLOUR_H */
