// SPDX-License-Identifier: GPL-2.0
/*
 * Check, clean and escape strings that may not be UTF-8: see utf8.h.
 */
#include "base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
size_t utf8_length(const char *text)
{
	const unsigned char *byte = (const unsigned char *)text;
	unsigned char low = 0x80, high = 0xbf;
	size_t length, i;

	if (byte[0] < 0x80)
		return 1;
	if (byte[0] < 0xc2 || byte[0] > 0xf4)
		return 0;
	length = byte[0] < 0xe0 ? 2 : byte[0] < 0xf0 ? 3 : 4;
	if (byte[0] == 0xe0)
		low = 0xa0;
	else if (byte[0] == 0xed)
		high = 0x9f;
	else if (byte[0] == 0xf0)
		low = 0x90;
	else if (byte[0] == 0xf4)
		high = 0x8f;
	for (i = 1; i < length; i++) {
		if (byte[i] < low || byte[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return length;
}

bool utf8_valid(const char *text)
{
	size_t length;

	for (; *text; text += length) {
		length = utf8_length(text);
		if (!length)
			return false;
	}
	return true;
}

uint32_t utf8_next(const char **text)
{
	const unsigned char *at = (const unsigned char *)*text;
	size_t length = utf8_length(*text), i;
	uint32_t c = 0xfffd;

	if (!*at)
		return 0;
	if (length == 1)
		c = at[0];
	else if (length > 1)
		c = at[0] & 0x7f >> length;
	for (i = 1; i < length; i++)
		c = c << 6 | (at[i] & 0x3f);
	*text += length ?: 1;
	return c;
}

/* Unicode's Cc, Zl, Zp and Bidi_Control. */
bool utf8_steers(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c ||
	       c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

char *utf8_clean(const char *text, bool terminal)
{
	char *clean = malloc(strlen(text) * 3 + 1), *to = clean;
	const char *at;

	if (!clean)
		return NULL;
	while (*(at = text)) {
		if (utf8_steers(utf8_next(&text)) && terminal)
			*to++ = '?';
		else if (!utf8_length(at))
			to = stpcpy(to, "\xef\xbf\xbd");
		else
			to = mempcpy(to, at, (size_t)(text - at));
	}
	*to = '\0';
	return clean;
}

void utf8_print(const char *text, FILE *out)
{
	char *clean = utf8_clean(text, true);

	fputs(clean ?: "?", out);
	free(clean);
}

void utf8_cut(char *text, size_t max)
{
	static const char ellipsis[] = "\xe2\x80\xa6";
	size_t end = max - (sizeof(ellipsis) - 1);

	if (strnlen(text, max + 1) <= max)
		return;
	/* do not cut within a character */
	while (end && ((unsigned char)text[end] & 0xc0) == 0x80)
		end--;
	strcpy(text + end, ellipsis);
}

static bool is_plain(const char *text)
{
	const char *at = text;

	while (*at)
		if (utf8_steers(utf8_next(&at)))
			return false;
	return utf8_valid(text) && !strstr(text, "\\x");
}

/* Report whether all of @text is printable ASCII without a backslash. */
static bool is_ascii(const char *text)
{
	while (*text >= ' ' && *text < '\x7f' && *text != '\\')
		text++;
	return !*text;
}

char *utf8_escape(const char *text)
{
	char *escaped, *to;
	const char *at;

	if (is_ascii(text) || is_plain(text))
		return strdup(text);
	escaped = malloc(strlen(text) * 4 + 1);
	if (!escaped)
		return NULL;
	for (to = escaped; *(at = text);) {
		uint32_t c = utf8_next(&text);

		if (utf8_length(at) && c != '\\' && !utf8_steers(c))
			to = mempcpy(to, at, (size_t)(text - at));
		else
			for (; at < text; at++)
				to += sprintf(to, "\\x%02x", (unsigned char)*at);
	}
	*to = '\0';
	return escaped;
}

static int hex_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return -1;
}

void utf8_unescape(char *text)
{
	char *to = text;
	int high, low;

	while (*text) {
		if (text[0] == '\\' && text[1] == 'x') {
			high = hex_digit(text[2]);
			low = high < 0 ? -1 : hex_digit(text[3]);
			if (low >= 0 && (high || low)) {
				*to++ = (char)(high << 4 | low);
				text += 4;
				continue;
			}
		}
		*to++ = *text++;
	}
	*to = '\0';
}
