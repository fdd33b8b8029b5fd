/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a program's unwind tables are like on its machine: which columns matter, and where
 * a call leaves the return address. The module only reads programs of its own machine;
 * tests read those of both.
 *
 * Source: System V ABI AMD64, figure 3.36; DWARF for the Arm 64-bit Architecture, 4.1.
 *
 * Locking: constant.
 */
#ifndef _FLAMEMOD_USER_MACHINE_H
#define _FLAMEMOD_USER_MACHINE_H

#include <linux/types.h>

#define FM_NO_COLUMN	255

struct fm_machine {
	u16 elf;		/* EM_*, as in an ELF file's head */
	u8 sp;			/* columns: the stack pointer, */
	u8 bp;			/* the frame pointer: rbp or x29, */
	u8 bx;			/* rbx; FM_NO_COLUMN if no row needs another register, */
	u8 ret;			/* and the return address: rip or x30 */
	bool has_link;		/* a call leaves it in that register, not on the stack */
};

extern const struct fm_machine fm_machine_x86;
extern const struct fm_machine fm_machine_arm64;

#endif /* _FLAMEMOD_USER_MACHINE_H */
