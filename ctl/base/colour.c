// SPDX-License-Identifier: GPL-2.0
/*
 * Convert colours from OKLCH to sRGB and compute their luminance: see colour.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/colour.h"

/*
 * Less than a quarter of one step of an 8-bit channel at the darkest colours.
 */
#define ROUNDING 0.00007

static double to_linear(double value)
{
	return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static double to_gamma(double value)
{
	return value <= 0.0031308 ? value * 12.92 :
				    1.055 * pow(value, 1 / 2.4) - 0.055;
}

static double cube(double value)
{
	return value * value * value;
}

/* Return: true if a screen can show the colour. */
static bool to_rgb(double lightness, double chroma, double hue, double rgb[3])
{
	double a = chroma * cos(hue * M_PI / 180);
	double b = chroma * sin(hue * M_PI / 180);
	double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
	double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
	double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
	bool shown = true;

	rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
	rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
	rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
	for (int i = 0; i < 3; i++)
		shown &= rgb[i] >= -ROUNDING && rgb[i] <= 1 + ROUNDING;
	return shown;
}

uint32_t colour_oklch(double lightness, double chroma, double hue)
{
	double rgb[3];
	uint32_t colour = 0;

	/* ends: grey, which has chroma 0, can always be shown */
	while (!to_rgb(lightness, chroma, hue, rgb) && chroma > 0)
		chroma = chroma > 0.005 ? chroma - 0.005 : 0;
	for (int i = 0; i < 3; i++) {
		double value = fmin(fmax(rgb[i], 0), 1);

		colour = colour << 8 | (uint32_t)lround(to_gamma(value) * 255);
	}
	return colour;
}

double colour_luminance(uint32_t rgb)
{
	return 0.2126 * to_linear((rgb >> 16) / 255.0) +
	       0.7152 * to_linear((rgb >> 8 & 255) / 255.0) +
	       0.0722 * to_linear((rgb & 255) / 255.0);
}

bool colour_parse(const char *text, uint32_t *rgb)
{
	size_t length = strlen(text);
	uint32_t value;

	if (*text != '#' || (length != 4 && length != 7) ||
	    strspn(text + 1, "0123456789abcdefABCDEF") != length - 1)
		return false;
	value = strtoul(text + 1, NULL, 16);
	if (length == 4)
		value = (value >> 8) * 0x110000 | (value >> 4 & 15) * 0x1100 |
			(value & 15) * 0x11;
	*rgb = value;
	return true;
}
