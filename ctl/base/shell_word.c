// SPDX-License-Identifier: GPL-2.0
/*
 * Quote words for a shell: see shell_word.h. All characters that are not known
 * to be harmless are quoted: file names and comms can hold any bytes.
 */
#include "base/shell_word.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

static const char harmless[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:+-";

/* Report whether every character is visible and survives in a document. */
static bool can_be_shown(const char *word)
{
	const char *at = word;
	uint32_t c;

	while ((c = utf8_next(&at)))
		if (utf8_steers(c) || (c & 0xfffe) == 0xfffe)
			return false;
	return utf8_valid(word);
}

static void put_escaped(FILE *out, const char *word)
{
	fputs("$'", out);
	for (; *word; word++) {
		unsigned char byte = (unsigned char)*word;

		/* always three digits, as the next character may be a digit */
		if (byte < 0x20 || byte >= 0x7f || byte == '\'' || byte == '\\')
			fprintf(out, "\\%03o", byte);
		else
			putc(byte, out);
	}
	putc('\'', out);
}

void shell_put_word(FILE *out, const char *word)
{
	if (!can_be_shown(word)) {
		put_escaped(out, word);
		return;
	}
	if (*word && !word[strspn(word, harmless)]) {
		fputs(word, out);
		return;
	}
	putc('\'', out);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			putc(*word, out);
	putc('\'', out);
}
