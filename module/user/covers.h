/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows for code that has no unwind table, but is always the same. On arm64 no table covers
 * the PLT, in which a call through a pointer stands for an instant, or the vdso, to which
 * signal handlers return.
 *
 * Source: ELF for the Arm 64-bit Architecture, 5.7.3 (the PLT as GNU ld and LLVM's write
 * it); Linux, arch/arm64/kernel/vdso/sigreturn.S.
 *
 * Locking: the caller has the rows to itself.
 */
#ifndef _FLAMEMOD_USER_COVERS_H
#define _FLAMEMOD_USER_COVERS_H

#include <linux/types.h>

#include "cfi.h"

#define FM_PLT_HEAD	8	/* bytes of a PLT that tell whether it has a head */

/* A PLT, relative to the start of a chunk: it may have begun before that. */
struct fm_plt {
	s64 start;
	s64 end;
	u8 head[FM_PLT_HEAD];
};

u32 fm_cover_plt(struct fm_row *rows, u32 nr, u32 max, const struct fm_plt *plt);
u32 fm_cover_vdso(struct fm_row *rows, u32 nr, u32 max, const u8 *code, u32 bytes);

#endif /* _FLAMEMOD_USER_COVERS_H */
