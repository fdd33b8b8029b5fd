/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads numbers from bytes that were copied, and never past their end: the numbers
 * of DWARF 4, 7.6 (LEB128), and the addresses of .eh_frame.
 *
 * Locking: the caller has each struct to itself.
 */
#ifndef _FLAMEMOD_USER_CURSOR_H
#define _FLAMEMOD_USER_CURSOR_H

#include <linux/types.h>

/* A place in bytes that were copied; @bad after a read past the end. */
struct fm_cursor {
	const u8 *at;
	const u8 *end;
	bool bad;
};

u64 fm_cursor_uint(struct fm_cursor *cursor, unsigned int bytes);
u64 fm_cursor_uleb(struct fm_cursor *cursor);
s64 fm_cursor_sleb(struct fm_cursor *cursor);
u64 fm_cursor_encoded(struct fm_cursor *cursor, u8 encoding, u64 address);
struct fm_cursor fm_cursor_part(struct fm_cursor *cursor, u64 bytes);

#endif /* _FLAMEMOD_USER_CURSOR_H */
