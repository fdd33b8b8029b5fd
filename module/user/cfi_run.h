/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs the instructions of one function's call frame information.
 *
 * Locking: the caller has each struct to itself.
 */
#ifndef _FLAMEMOD_USER_CFI_RUN_H
#define _FLAMEMOD_USER_CFI_RUN_H

#include <linux/types.h>

#include "cfi.h"
#include "cursor.h"

/* Takes rows, by rising address; returns 0 or -errno, which ends the run. */
struct fm_cfi_sink {
	int (*put)(void *arg, u64 address, const struct fm_row *row);
	void *arg;
};

void fm_cie_run(struct fm_cie *cie, struct fm_cursor in);
int fm_cfi_run(const struct fm_cie *cie, u64 start, u64 end,
	       struct fm_cursor *instructions, u64 address,
	       const struct fm_cfi_sink *sink);

#endif /* _FLAMEMOD_USER_CFI_RUN_H */
