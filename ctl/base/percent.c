// SPDX-License-Identifier: GPL-2.0
/*
 * Parse and print shares of a whole: see percent.h.
 */
#include "base/percent.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

uint32_t percent_hundredths(uint64_t part, uint64_t whole)
{
	return ((unsigned __int128)part * 10000 + whole / 2) / whole;
}

const char *percent_text(char text[PERCENT_TEXT], uint64_t part,
			 uint64_t whole)
{
	uint32_t hundredths = percent_hundredths(part, whole);

	snprintf(text, PERCENT_TEXT, "%u.%02u", hundredths / 100,
		 hundredths % 100);
	return text;
}

bool percent_below(uint64_t part, uint64_t whole, uint32_t ppm)
{
	return (unsigned __int128)part * 1000000 <
	       (unsigned __int128)whole * ppm;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

int percent_parse(const char *text, uint32_t *ppm, struct error *error)
{
	const char *at = text;
	uint32_t whole = 0, part = 0, scale = 1000;

	for (; is_digit(*at) && whole <= 100; at++)
		whole = whole * 10 + (*at - '0');
	if (at != text && *at == '.' && is_digit(at[1]))
		for (at++; is_digit(*at) && scale; at++, scale /= 10)
			part += (*at - '0') * scale;
	if (at == text || strcmp(*at == '%' ? at + 1 : at, "") ||
	    whole * 10000 + part > 1000000)
		return error_set(error, -EINVAL,
				 "%.40s: give a share from 0 to 100 percent, such as 0.5, with at most four digits after the point",
				 *text ? text : "nothing");
	*ppm = whole * 10000 + part;
	return 0;
}
