/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What stands for arch.h on an architecture without user stacks.
 */
#ifndef _FLAMEMOD_USER_ARCH_NONE_H
#define _FLAMEMOD_USER_ARCH_NONE_H

#include <linux/mm_types.h>

#define FM_ARCH_USER_STACKS	0
#define FM_ARCH_COUNTS_FLUSHES	0
#define FM_ARCH_HAS_LINK	0
#define FM_ARCH_MACHINE		fm_machine_x86	/* no program is read */

static inline u64 fm_arch_space(const struct mm_struct *mm)
{
	return 0;
}

static inline u64 fm_arch_flushes(const struct mm_struct *mm)
{
	return 0;
}

static inline struct fm_vdso fm_arch_vdso(const struct vm_area_struct *vma)
{
	return (struct fm_vdso){ };
}

static inline struct fm_vdso fm_arch_vdso_page(const struct mm_struct *mm,
					       unsigned long address, unsigned long pfn)
{
	return (struct fm_vdso){ };
}

#endif /* _FLAMEMOD_USER_ARCH_NONE_H */
