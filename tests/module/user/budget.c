// SPDX-License-Identifier: GPL-2.0
/*
 * A program that was made to take long is given up: its table has as many functions as
 * there can be, all at the same place.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../../module/user/cfi.h"

#define HDR	0x100000ull
#define TEXT	64		/* from HDR */
#define TABLE	(HDR + 12)

static unsigned long reads;

/* Each pair is (TEXT, @arg), from HDR; there are zeros, which are no FDE. */
static int read_made(void *arg, u64 address, void *to, size_t bytes)
{
	static const u8 head[12] = {
		1, 0x1b, 0x03, 0x3b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
	};
	const s32 pair[2] = { TEXT, *(s32 *)arg };
	u8 *at = to;

	reads++;
	for (; bytes; bytes--, address++) {
		if (address < HDR)
			*at++ = 0;
		else if (address < TABLE)
			*at++ = head[address - HDR];
		else
			*at++ = ((const u8 *)pair)[(address - TABLE) % sizeof(pair)];
	}
	return 0;
}

int main(void)
{
	static struct fm_row rows[64];
	static struct fm_cfi_buffer buffer;
	s32 fde = -0x80000;
	const struct fm_cfi_source source = {
		.read = read_made, .arg = &fde, .machine = &fm_machine_x86,
	};
	struct fm_cfi cfi;
	u64 function;
	int nr;

	if (fm_cfi_open(&cfi, &source, HDR, 1ull << 40, &buffer))
		return 1;
	nr = fm_cfi_compile(&cfi, HDR, FM_CHUNK_BYTES, rows, 64, &function);
	printf("# %d after %lu reads\n", nr, reads);
	return nr != -E2BIG || reads > FM_CFI_READS_MAX / FM_CFI_READ;
}
