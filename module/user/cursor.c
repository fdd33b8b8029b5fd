// SPDX-License-Identifier: GPL-2.0
/*
 * Reads numbers from bytes that were copied: see cursor.h.
 */
#include "cursor.h"

/* Linux Standard Base 5.0, 10.5 */
#define DW_EH_PE_absptr		0x00
#define DW_EH_PE_udata2		0x02
#define DW_EH_PE_udata4		0x03
#define DW_EH_PE_udata8		0x04
#define DW_EH_PE_sdata2		0x0a
#define DW_EH_PE_sdata4		0x0b
#define DW_EH_PE_sdata8		0x0c
#define DW_EH_PE_pcrel		0x10

/**
 * fm_cursor_spoil() - note that a cursor has nothing more to read.
 * @cursor: the cursor; it becomes bad
 *
 * Context: Any.
 */
void fm_cursor_spoil(struct fm_cursor *cursor)
{
	cursor->at = cursor->end;
	cursor->bad = true;
}

/* Return: four bytes as a number. Compilers make one load of this. */
static u32 fm_cursor_word(const u8 *at)
{
	return at[0] | at[1] << 8 | at[2] << 16 | (u32)at[3] << 24;
}

/**
 * fm_cursor_uint() - read an unsigned number, little endian.
 * @cursor: where
 * @bytes: its size, at most 8
 *
 * Context: Any.
 * Return: the number; 0 past the end, and @cursor is bad then.
 */
u64 fm_cursor_uint(struct fm_cursor *cursor, unsigned int bytes)
{
	u64 number = 0;
	unsigned int i;

	if (cursor->end - cursor->at < bytes) {
		fm_cursor_spoil(cursor);
		return 0;
	}
	if (bytes == sizeof(u32)) {
		cursor->at += sizeof(u32);
		return fm_cursor_word(cursor->at - sizeof(u32));
	}
	for (i = 0; i < bytes; i++)
		number |= (u64)*cursor->at++ << 8 * i;
	return number;
}

/* Read a number in LEB128. Return: its low 64 bits; set how many bits were read. */
static u64 fm_cursor_leb(struct fm_cursor *cursor, unsigned int *bits, bool *is_negative)
{
	u64 number = 0;
	u8 byte;

	*bits = 0;
	do {
		byte = fm_cursor_byte(cursor);
		if (*bits < 64)
			number |= (u64)(byte & 0x7f) << *bits;
		*bits += 7;
	} while (byte & 0x80);
	*is_negative = byte & 0x40;
	return number;
}

/**
 * fm_cursor_uleb_long() - as fm_cursor_uleb(), for numbers of any length.
 * @cursor: where
 *
 * Context: Any.
 * Return: its low 64 bits; 0 past the end, and @cursor is bad then.
 */
u64 fm_cursor_uleb_long(struct fm_cursor *cursor)
{
	unsigned int bits;
	bool is_negative;

	return fm_cursor_leb(cursor, &bits, &is_negative);
}

/**
 * fm_cursor_sleb() - read a signed number in LEB128.
 * @cursor: where
 *
 * Context: Any.
 * Return: its low 64 bits; 0 past the end, and @cursor is bad then.
 */
s64 fm_cursor_sleb(struct fm_cursor *cursor)
{
	unsigned int bits;
	bool is_negative;
	u64 number = fm_cursor_leb(cursor, &bits, &is_negative);

	if (is_negative && bits < 64)
		number |= ~0ull << bits;
	return number;
}

/**
 * fm_cursor_encoded() - read an address in an encoding of .eh_frame.
 * @cursor: where; it becomes bad for an encoding that no known linker uses here
 * @encoding: DW_EH_PE_*
 * @address: the address of what @cursor points to
 *
 * Context: Any.
 * Return: the address, or 0 where @cursor is bad.
 */
u64 fm_cursor_encoded(struct fm_cursor *cursor, u8 encoding, u64 address)
{
	u64 base = 0, value;

	switch (encoding & 0xf0) {
	case 0:
		break;
	case DW_EH_PE_pcrel:
		base = address;
		break;
	default:
		fm_cursor_spoil(cursor);
		return 0;
	}
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		value = fm_cursor_uint(cursor, 8);
		break;
	case DW_EH_PE_udata4:
		value = fm_cursor_uint(cursor, 4);
		break;
	case DW_EH_PE_sdata4:
		value = (s64)(s32)fm_cursor_uint(cursor, 4);
		break;
	case DW_EH_PE_udata2:
		value = fm_cursor_uint(cursor, 2);
		break;
	case DW_EH_PE_sdata2:
		value = (s64)(s16)fm_cursor_uint(cursor, 2);
		break;
	default:
		fm_cursor_spoil(cursor);
		return 0;
	}
	return cursor->bad ? 0 : base + value;
}

/**
 * fm_cursor_part() - take the next bytes as a cursor of their own, and go past them.
 * @cursor: where; it becomes bad if it has fewer
 * @bytes: how many
 *
 * Context: Any.
 * Return: the part; it is bad and empty if @cursor is bad.
 */
struct fm_cursor fm_cursor_part(struct fm_cursor *cursor, u64 bytes)
{
	struct fm_cursor part = { .at = cursor->at, .end = cursor->at };

	if (cursor->bad || bytes > (u64)(cursor->end - cursor->at)) {
		fm_cursor_spoil(cursor);
		fm_cursor_spoil(&part);
		return part;
	}
	part.end += bytes;
	cursor->at = part.end;
	return part;
}
