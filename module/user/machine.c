// SPDX-License-Identifier: GPL-2.0
/*
 * What unwind tables are like on each machine: see machine.h.
 */
#include <linux/elf.h>

#include "machine.h"

const struct fm_machine fm_machine_x86 = {
	.elf = EM_X86_64,
	.sp = 7,
	.bp = 6,
	.bx = 3,
	.ret = 16,
};

const struct fm_machine fm_machine_arm64 = {
	.elf = EM_AARCH64,
	.sp = 31,
	.bp = 29,
	.bx = FM_NO_COLUMN,
	.ret = 30,
	.has_link = true,
};
