// SPDX-License-Identifier: GPL-2.0
/*
 * Names as parts of a line of folded text: see label.h.
 *
 * A name is written byte by byte as it is read, so that it needs no buffer, and
 * takes no more room than it has bytes.
 */
#include <linux/seq_file.h>
#include <linux/string.h>

#include "label.h"

/* RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
static bool fm_label_second_fits(unsigned char first, unsigned char second)
{
	switch (first) {
	case 0xe0:
		return second >= 0xa0;
	case 0xed:
		return second <= 0x9f;
	case 0xf0:
		return second >= 0x90;
	case 0xf4:
		return second <= 0x8f;
	default:
		return true;
	}
}

/*
 * The character at @name, which is not the end.
 * Return: its length in bytes, 0 where none begins.
 */
static unsigned int fm_label_decode(const unsigned char *name, u32 *character)
{
	unsigned int length, i;

	*character = name[0];
	if (name[0] < 0x80)
		return 1;
	if (name[0] < 0xc2 || name[0] > 0xf4)
		return 0;
	length = name[0] < 0xe0 ? 2 : name[0] < 0xf0 ? 3 : 4;
	*character &= 0x7f >> length;
	for (i = 1; i < length; i++) {
		/* The end of the name is no such byte either. */
		if ((name[i] & 0xc0) != 0x80)
			return 0;
		*character = *character << 6 | (name[i] & 0x3f);
	}
	return fm_label_second_fits(name[0], name[1]) ? length : 0;
}

/* Unicode's Cc, Zl, Zp and Bidi_Control, and what ends a part of the line. */
static bool fm_label_may_show(u32 c)
{
	if (c < 0x20 || c == ';' || (c >= 0x7f && c < 0xa0))
		return false;
	return c != 0x061c && c != 0x200e && c != 0x200f &&
	       (c < 0x2028 || c > 0x202e) && (c < 0x2066 || c > 0x2069);
}

/**
 * fm_label_put() - write a name as a part of a line.
 * @seq: where to
 * @name: the name, any bytes but NUL
 *
 * What may not be shown, and each byte that is no UTF-8, becomes '_'. A name of
 * nothing but blanks becomes "[unknown]", and none looks like "[lost: reason]".
 *
 * Context: Process context.
 */
void fm_label_put(struct seq_file *seq, const char *name)
{
	unsigned int length;
	u32 character;

	if (!name[strspn(name, " ")])
		name = "[unknown]";
	if (!strncmp(name, "[lost: ", 7)) {
		seq_putc(seq, '_');
		name++;
	}
	while (*name) {
		length = fm_label_decode((const unsigned char *)name, &character);
		if (length && fm_label_may_show(character))
			seq_write(seq, name, length);
		else
			seq_putc(seq, '_');
		name += length ?: 1;
	}
}
