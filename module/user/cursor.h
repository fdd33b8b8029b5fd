/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads numbers from bytes that were copied, and never past their end: the numbers
 * of DWARF 4, 7.6 (LEB128), and the addresses of .eh_frame.
 *
 * Locking: the caller has each struct to itself.
 */
#ifndef _FLAMEMOD_USER_CURSOR_H
#define _FLAMEMOD_USER_CURSOR_H

#include <linux/compiler.h>
#include <linux/types.h>

/* A place in bytes that were copied. After a read past the end it is bad, and at its end. */
struct fm_cursor {
	const u8 *at;
	const u8 *end;
	bool bad;
};

void fm_cursor_spoil(struct fm_cursor *cursor);
u64 fm_cursor_uint(struct fm_cursor *cursor, unsigned int bytes);
u64 fm_cursor_uleb_long(struct fm_cursor *cursor);
s64 fm_cursor_sleb(struct fm_cursor *cursor);
u64 fm_cursor_encoded(struct fm_cursor *cursor, u8 encoding, u64 address);
struct fm_cursor fm_cursor_part(struct fm_cursor *cursor, u64 bytes);

/**
 * fm_cursor_byte() - read a byte.
 * @cursor: where
 *
 * Context: Any.
 * Return: the byte; 0 past the end, and @cursor is bad then.
 */
static __always_inline u8 fm_cursor_byte(struct fm_cursor *cursor)
{
	if (unlikely(cursor->at == cursor->end)) {
		fm_cursor_spoil(cursor);
		return 0;
	}
	return *cursor->at++;
}

/**
 * fm_cursor_uleb() - read an unsigned number in LEB128.
 * @cursor: where
 *
 * Nearly all have one byte.
 *
 * Context: Any.
 * Return: its low 64 bits; 0 past the end, and @cursor is bad then.
 */
static __always_inline u64 fm_cursor_uleb(struct fm_cursor *cursor)
{
	if (likely(cursor->at != cursor->end && *cursor->at < 0x80))
		return *cursor->at++;
	return fm_cursor_uleb_long(cursor);
}

#endif /* _FLAMEMOD_USER_CURSOR_H */
