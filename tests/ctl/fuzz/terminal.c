// SPDX-License-Identifier: GPL-2.0
/*
 * Checks text for a terminal, independently of flamectl's own ctl/base/utf8.c.
 */
#include "fuzz.h"

#include <stdlib.h>

void fuzz_broken(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

/* Continuation bytes that follow a first byte; 0 for none that may be first. */
static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef)
		return 3;
	return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

static uint32_t decode(const unsigned char *at, size_t length)
{
	static const unsigned char masks[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t c = at[0] & masks[length];

	for (size_t i = 1; i < length; i++) {
		must((at[i] & 0xc0) == 0x80);
		c = c << 6 | (at[i] & 0x3f);
	}
	return c;
}

void fuzz_terminal(const char *text, size_t size)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *at = (const unsigned char *)text;
	const unsigned char *end = at + size;

	while (at < end) {
		size_t length = length_of(*at);
		uint32_t c;

		must(length && length <= (size_t)(end - at));
		c = decode(at, length);
		at += length;
		must(c >= least[length] && c <= 0x10ffff);
		must(c < 0xd800 || c > 0xdfff);
		must(c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7f));
		must(c < 0x80 || c > 0x9f);
		/* Bidi_Control, and the separators of lines and paragraphs */
		must(c != 0x061c && c != 0x200e && c != 0x200f);
		must(c < 0x2028 || c > 0x202e);
		must(c < 0x2066 || c > 0x2069);
	}
}
