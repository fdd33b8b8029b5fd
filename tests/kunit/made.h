/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An .eh_frame that a test makes, and what compiles it.
 */
#ifndef _FM_MADE_H
#define _FM_MADE_H

#include "../../module/user/cfi.h"

#define FM_FRAME	0x10000ull	/* the address of .eh_frame, unless a test moves it */
#define FM_TEXT		0x40000ull

/* .eh_frame, and where its next byte goes. */
struct fm_made {
	u8 bytes[2 * FM_CFI_BLOCK];
	u32 nr;
	u64 address;		/* of its first byte */
	u32 length;		/* where the length of the current entry is */
	u32 cie;		/* where the last CIE is */
};

#define FM_MADE_ROWS	64

extern struct fm_made fm_made;
extern struct fm_cfi fm_cfi;
extern struct fm_cfi_source fm_source;	/* reads it; the tables are for its machine */
extern struct fm_cfi_buffer fm_buffer;
extern struct fm_row fm_rows[FM_MADE_ROWS];

void fm_made_begin(u64 address);
int fm_read_made(void *arg, u64 address, void *to, size_t bytes);
void fm_put(u64 number, u32 bytes);
void fm_put_bytes(const void *bytes, u32 nr);
void fm_entry_begin(void);
void fm_entry_end(void);
void fm_put_cie(const char *letters, u8 encoding);
void fm_put_fde(u64 text, u32 bytes, const void *instructions, u32 nr);

#endif /* _FM_MADE_H */
