// SPDX-License-Identifier: GPL-2.0
/*
 * Build-ids as text and as bytes: see build_id.h.
 */
#include "symbols/build_id.h"

#include <stdio.h>
#include <string.h>

/* The length to which perf fills them up. */
#define FILLED_BYTES	20

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at;

	if (c >= 'A' && c <= 'F')
		c += 'a' - 'A';
	at = c ? strchr(digits, c) : NULL;
	return at ? (int)(at - digits) : -1;
}

bool build_id_text(const void *bytes, size_t nr, char text[BUILD_ID_TEXT])
{
	const unsigned char *byte = bytes;

	if (nr > BUILD_ID_BYTES)
		return false;
	text[0] = '\0';
	for (size_t i = 0; i < nr; i++)
		snprintf(text + 2 * i, 3, "%02x", byte[i]);
	return true;
}

size_t build_id_bytes(const char *text, unsigned char bytes[BUILD_ID_BYTES])
{
	size_t nr;

	for (nr = 0; text[2 * nr]; nr++) {
		int high = digit(text[2 * nr]);
		int low = high < 0 ? -1 : digit(text[2 * nr + 1]);

		if (low < 0 || nr == BUILD_ID_BYTES)
			return 0;
		bytes[nr] = (unsigned char)(high << 4 | low);
	}
	return nr;
}

bool build_id_valid(const char *text)
{
	unsigned char bytes[BUILD_ID_BYTES];

	return build_id_bytes(text, bytes);
}

/* Fill a short one up with zeros. Return: its bytes. */
static size_t filled(const char *text, unsigned char bytes[BUILD_ID_BYTES])
{
	size_t nr = build_id_bytes(text, bytes);

	if (!nr || nr >= FILLED_BYTES)
		return nr;
	memset(bytes + nr, 0, FILLED_BYTES - nr);
	return FILLED_BYTES;
}

bool build_id_same(const char *a, const char *b)
{
	unsigned char left[BUILD_ID_BYTES], right[BUILD_ID_BYTES];
	size_t nr = filled(a, left);

	return nr && filled(b, right) == nr && !memcmp(left, right, nr);
}
