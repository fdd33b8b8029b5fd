// SPDX-License-Identifier: GPL-2.0
/*
 * Text in an SVG document: characters invalid in XML are left out or replaced,
 * and labels are fitted to their room, counted in cells as graph.js does.
 */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "base/weight.h"
#include "view/svg/text.h"

/*
 * Get the next character and step over it: U+FFFD for a byte that is not UTF-8,
 * 0 at @end. Skips control and bidi characters, and non-characters, which are
 * invalid in XML.
 */
static uint32_t next_char(const char **text, const char *end)
{
	uint32_t c;

	do
		c = *text < end ? utf8_next(text) : 0;
	while (c && (utf8_steers(c) || (c & 0xfffe) == 0xfffe));
	return c;
}

static void put_char(FILE *out, uint32_t c)
{
	switch (c) {
	case '&':
		fputs("&amp;", out);
		return;
	case '<':
		fputs("&lt;", out);
		return;
	case '>':
		fputs("&gt;", out);
		return;
	case '"':
		fputs("&quot;", out);
		return;
	}
	if (c < 0x80) {
		putc(c, out);
	} else if (c < 0x800) {
		putc(0xc0 | c >> 6, out);
		putc(0x80 | (c & 0x3f), out);
	} else if (c < 0x10000) {
		putc(0xe0 | c >> 12, out);
		putc(0x80 | (c >> 6 & 0x3f), out);
		putc(0x80 | (c & 0x3f), out);
	} else {
		putc(0xf0 | c >> 18, out);
		putc(0x80 | (c >> 12 & 0x3f), out);
		putc(0x80 | (c >> 6 & 0x3f), out);
		putc(0x80 | (c & 0x3f), out);
	}
}

void svg_put_text_part(FILE *out, const char *text, size_t length)
{
	const char *end = text + length;
	uint32_t c;

	while ((c = next_char(&text, end)))
		put_char(out, c);
}

void svg_put_text(FILE *out, const char *text)
{
	svg_put_text_part(out, text, strlen(text));
}

/* Width in cells of a monospaced font; the script counts the same way. */
static unsigned int cells_of(uint32_t c)
{
	return c >= 0x1100 ? 2 : 1;
}

size_t svg_text_cells(const char *text)
{
	const char *end = text + strlen(text);
	size_t cells = 0;
	uint32_t c;

	while ((c = next_char(&text, end)))
		cells += cells_of(c);
	return cells;
}

void svg_put_line(FILE *out, const char *text, size_t length, size_t room)
{
	const char *end = text + length, *at = text;
	size_t cells = 0, used = 0;
	uint32_t c;

	while ((c = next_char(&at, end)))
		cells += cells_of(c);
	if (cells <= room) {
		svg_put_text_part(out, text, length);
		return;
	}
	while ((c = next_char(&text, end)) && (used += cells_of(c)) < room)
		put_char(out, c);
	put_char(out, 0x2026);
}

void svg_put_fitted(FILE *out, const char *text, size_t room)
{
	svg_put_line(out, text, strlen(text), room);
}

void svg_put_px(FILE *out, double px)
{
	long long hundredths = llround(px * 100);

	fprintf(out, "%lld", hundredths / 100);
	if (hundredths % 10)
		fprintf(out, ".%02lld", hundredths % 100);
	else if (hundredths % 100)
		fprintf(out, ".%lld", hundredths / 10 % 10);
}

const char *svg_format_count(char text[SVG_COUNT_MAX], uint64_t count)
{
	char digits[24];
	int nr = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	char *to = text;

	for (int i = 0; i < nr; i++) {
		if (i && (nr - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return text;
}

const char *svg_format_weight(char text[SVG_COUNT_MAX], uint64_t weight,
			      const char *unit)
{
	static_assert(SVG_COUNT_MAX >= WEIGHT_TEXT, "a time is no longer than a count");

	return weight_is_time(unit) ? weight_text(text, weight, unit) :
				      svg_format_count(text, weight);
}

const char *svg_format_amount(char text[SVG_AMOUNT_MAX], uint64_t weight,
			      const char *unit)
{
	size_t length = weight_unit_length(weight, unit);
	char count[SVG_COUNT_MAX];

	snprintf(text, SVG_AMOUNT_MAX, "%s%s%.*s",
		 svg_format_weight(count, weight, unit), length ? " " : "",
		 (int)length, unit);
	return text;
}
