/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What user stacks need of the machine. Each architecture that has them defines the
 * same names, in a header of its own:
 *
 *   FM_ARCH_USER_STACKS	whether there are user stacks
 *   FM_ARCH_COUNTS_FLUSHES	whether fm_arch_flushes() counts anything
 *   FM_ARCH_HAS_LINK		whether a call leaves the return address in a register
 *   FM_ARCH_MACHINE		what unwind tables are like: see machine.h
 *   FM_ARCH_SIGNAL_...		where the kernel's signal frame has the registers of what it
 *				interrupted, from sp in the handler's return
 *   fm_arch_space()		a number of a process's memory that no other memory has
 *   fm_arch_flushes()		how often the TLB was flushed for a process's memory
 *   fm_arch_is_loaded()	whether the CPU sees the current process's memory
 *   fm_arch_is_compat()	whether registers are those of a 32-bit program
 *   fm_arch_untag()		an address without what user memory ignores of it
 *   fm_arch_return()		a return address without a signature
 *   fm_arch_registers()	the registers that a walk starts from
 *   fm_arch_vdso()		the vdso that a mapping has
 *   fm_arch_vdso_page()	the vdso that a page of the kernel's belongs to
 *   fm_arch_pte_is_text()	whether user mode may execute a page
 *   fm_arch_pmd_is_text()	the same of a huge page
 *   fm_user_begin(), fm_user_word(), fm_user_end()
 *				read words of the current task's memory
 *   fm_user_limit()		where no word of user memory can be any more
 *   fm_arch_is_thread_start()	whether a thread starts by a call at some place
 */
#ifndef _FLAMEMOD_USER_ARCH_H
#define _FLAMEMOD_USER_ARCH_H

#include <linux/bits.h>
#include <linux/types.h>

#include "machine.h"

/* The registers that a walk starts from. */
struct fm_user_regs {
	unsigned long ip;
	unsigned long sp;
	unsigned long bp;
	union {
		unsigned long bx;
		unsigned long lr;	/* if FM_ARCH_HAS_LINK */
	};
};

/* The kernel's image of a vdso. */
struct fm_vdso {
	const void *image;	/* NULL: it is none */
	size_t bytes;
};

/*
 * Return: a return address without its signature (pointer authentication of arm64), which
 * is in the bits between those of addresses below @limit, a power of two, and bit 55.
 */
static inline u64 fm_without_signature(u64 address, u64 limit)
{
	return address & (~GENMASK_ULL(54, 0) | (limit - 1));
}

#if defined(CONFIG_X86_64)
#include "arch_x86.h"
#elif defined(CONFIG_ARM64)
#include "arch_arm64.h"
#else
#include "arch_none.h"
#endif

#endif /* _FLAMEMOD_USER_ARCH_H */
