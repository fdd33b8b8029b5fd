/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the entries of .eh_frame: those of functions (FDEs), and what they share (CIEs).
 *
 * Locking: the caller has each struct to itself.
 */
#ifndef _FLAMEMOD_USER_CFI_ENTRY_H
#define _FLAMEMOD_USER_CFI_ENTRY_H

#include <linux/types.h>

#include "cfi.h"
#include "cursor.h"

/* One function's entry. */
struct fm_fde {
	u64 start;
	u64 end;
	struct fm_cursor instructions;
	u64 address_of_end;
};

void fm_cfi_forget(struct fm_cfi_buffer *buffer);
int fm_cfi_read(struct fm_cfi *cfi, struct fm_cfi_block *block, u64 address, void *to,
		size_t bytes);
int fm_cfi_fde(struct fm_cfi *cfi, u64 address, struct fm_fde *fde);

#endif /* _FLAMEMOD_USER_CFI_ENTRY_H */
