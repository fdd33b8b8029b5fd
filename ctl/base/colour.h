/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Colours given by lightness, chroma and hue (OKLCH), where colours of equal
 * lightness look equally light.
 */
#ifndef FLAMECTL_COLOUR_H
#define FLAMECTL_COLOUR_H

#include <stdbool.h>
#include <stdint.h>

/**
 * colour_oklch() - convert an OKLCH colour to 0xRRGGBB.
 * @lightness: 0..1
 * @chroma: 0..0.4; lowered until a screen can show the colour.
 * @hue: in degrees
 *
 * Source: Björn Ottosson, "A perceptual color space for image processing".
 */
uint32_t colour_oklch(double lightness, double chroma, double hue);

/**
 * colour_luminance() - compute WCAG 2's relative luminance: black 0, white 1.
 */
double colour_luminance(uint32_t rgb);

/**
 * colour_parse() - parse "#rrggbb" or "#rgb".
 *
 * Return: true with @rgb set if valid.
 */
bool colour_parse(const char *text, uint32_t *rgb);

#endif /* FLAMECTL_COLOUR_H */
