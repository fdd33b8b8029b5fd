// SPDX-License-Identifier: GPL-2.0
/*
 * What of a kernel's strings is UTF-8: see utf8.h.
 */
#include "utf8.h"

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

char *utf8_clean(const char *text, bool terminal)
{
	char *clean = malloc(strlen(text) * 3 + 1), *to = clean;
	size_t length;

	if (!clean)
		return NULL;
	for (; *text; text += length ?: 1) {
		length = utf8_length(text);
		if (!length) {
			to = stpcpy(to, "\xef\xbf\xbd");
		} else if (terminal && length == 1 &&
			   ((unsigned char)*text < ' ' || *text == 0x7f)) {
			*to++ = '?';
		} else if (terminal && length == 2 &&
			   (unsigned char)text[0] == 0xc2 &&
			   (unsigned char)text[1] < 0xa0) {
			*to++ = '?';	/* the C1 control characters */
		} else {
			to = mempcpy(to, text, length);
		}
	}
	*to = '\0';
	return clean;
}

char *utf8_escape(const char *text)
{
	bool plain = utf8_valid(text) && !strstr(text, "\\x");
	char *escaped, *to;
	size_t length;

	if (plain)
		return strdup(text);
	escaped = malloc(strlen(text) * 4 + 1);
	if (!escaped)
		return NULL;
	for (to = escaped; *text; text += length ?: 1) {
		length = utf8_length(text);
		if (!length || *text == '\\')
			to += sprintf(to, "\\x%02x", (unsigned char)*text);
		else
			to = mempcpy(to, text, length);
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
