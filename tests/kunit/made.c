// SPDX-License-Identifier: GPL-2.0
/*
 * Makes unwind tables: see made.h.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "made.h"

struct fm_made fm_made;
struct fm_cfi fm_cfi;
struct fm_cfi_source fm_source = { .read = fm_read_made };
struct fm_cfi_buffer fm_buffer;
struct fm_row fm_rows[FM_MADE_ROWS];

/* Start a section at an address. */
void fm_made_begin(u64 address)
{
	fm_made = (struct fm_made){ .address = address };
}

int fm_read_made(void *arg, u64 address, void *to, size_t bytes)
{
	u64 offset = address - fm_made.address;

	if (address < fm_made.address || offset > fm_made.nr || bytes > fm_made.nr - offset)
		return -EFAULT;
	memcpy(to, fm_made.bytes + offset, bytes);
	return 0;
}

void fm_put(u64 number, u32 bytes)
{
	memcpy(fm_made.bytes + fm_made.nr, &number, bytes);
	fm_made.nr += bytes;
}

void fm_put_bytes(const void *bytes, u32 nr)
{
	if (!nr)
		return;
	memcpy(fm_made.bytes + fm_made.nr, bytes, nr);
	fm_made.nr += nr;
}

void fm_entry_begin(void)
{
	fm_made.length = fm_made.nr;
	fm_put(0, 4);
}

void fm_entry_end(void)
{
	u32 bytes = fm_made.nr - fm_made.length - 4;

	memcpy(fm_made.bytes + fm_made.length, &bytes, 4);
}

/* A CIE: its letters, and how its functions' addresses are encoded; CFA = sp + 8, or sp. */
void fm_put_cie(const char *letters, u8 encoding)
{
	fm_made.cie = fm_made.nr;
	fm_entry_begin();
	fm_put(0, 4);
	fm_put(1, 1);			/* version */
	fm_put_bytes(letters, strlen(letters) + 1);
	fm_put(1, 1);			/* code alignment */
	fm_put(0x78, 1);		/* data alignment: -8 */
	fm_put(fm_source.machine->ret, 1);	/* the return address's column */
	fm_put(1, 1);
	fm_put(encoding, 1);
	if (fm_source.machine->has_link)
		fm_put_bytes("\x0c\x1f\x00", 3);
	else
		fm_put_bytes("\x0c\x07\x08\x90\x01", 5);
	fm_entry_end();
}

/* An FDE of the last CIE, with addresses of 4 bytes from the place where they stand. */
void fm_put_fde(u64 text, u32 bytes, const void *instructions, u32 nr)
{
	fm_entry_begin();
	fm_put(fm_made.nr - fm_made.cie, 4);
	fm_put((u32)(text - (fm_made.address + fm_made.nr)), 4);
	fm_put(bytes, 4);
	fm_put(0, 1);
	fm_put_bytes(instructions, nr);
	fm_entry_end();
}
