// SPDX-License-Identifier: GPL-2.0
/*
 * Words for a shell: see shell_word.h. Whatever is not known to be harmless is
 * quoted: names of files and comms are anybody's bytes.
 */
#include "base/shell_word.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

static const char harmless[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:+-";

/* Does all of it look like something, and stay as it is in a document? */
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

		/* always three digits, so that the next may be one */
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
