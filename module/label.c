// SPDX-License-Identifier: GPL-2.0
/*
 * Writes names as parts of a line of folded text: see label.h.
 *
 * A name is written while it is read, so it needs no buffer.
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
 * Decode the character at @name, which is not at the end.
 * Return: its length in bytes, or 0 if no valid character starts there.
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
		/* This also stops at the end of the name. */
		if ((name[i] & 0xc0) != 0x80)
			return 0;
		*character = *character << 6 | (name[i] & 0x3f);
	}
	return fm_label_second_fits(name[0], name[1]) ? length : 0;
}

/* Refuse Unicode's Cc, Zl, Zp and Bidi_Control, and ';', which ends a part. */
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
 * Characters that may not be shown, and bytes that are not UTF-8, become '_'. A
 * name of only blanks becomes "[unknown]". A name that starts like "[lost:
 * reason]" gets a '_' in place of its bracket.
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
