/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Looks at the page that is mapped at an address of the current process, without a lock.
 *
 * A page of a file has a pointer to the file's inode, and its place in the file. The timer
 * needs no more. It cannot always lock a process's mappings, and on PREEMPT_RT it never
 * may (see maps.h).
 *
 * Locking: none. Interrupts are off, so page tables are not freed, as for the kernel's
 * get_user_pages_fast(). But no reference is taken: if it were the last one to be
 * given back, the page would have to be freed here, which takes locks that sleep on
 * PREEMPT_RT. Instead the page table's entry is read again after what the page
 * told. If it is the same, then the page was mapped meanwhile, and not freed. What it
 * told of is freed after an RCU grace period at the earliest, and so not before the
 * interrupt ends.
 */
#ifndef _FLAMEMOD_USER_PAGE_H
#define _FLAMEMOD_USER_PAGE_H

#include <linux/types.h>

#include "arch.h"

struct inode;
struct mm_struct;
struct page;

enum fm_page_kind {
	FM_PAGE_ABSENT,		/* no page is mapped there now */
	FM_PAGE_DATA,		/* not text */
	FM_PAGE_FILE,		/* text of a file */
	FM_PAGE_ANONYMOUS,	/* text that is in no file, and never was */
	FM_PAGE_OTHER,		/* text: a changed copy of a file's page, or the kernel's page */
};

struct fm_page {
	enum fm_page_kind kind;
	unsigned long pfn;
	const struct inode *inode;	/* of a file's page */
	u64 index;			/* the place of a file's page in the file, in pages */
};

#if FM_ARCH_USER_STACKS
void fm_page_look(struct mm_struct *mm, unsigned long address, struct fm_page *found);
#else
static inline void fm_page_look(struct mm_struct *mm, unsigned long address,
				struct fm_page *found)
{
	found->kind = FM_PAGE_ABSENT;
}
#endif

#endif /* _FLAMEMOD_USER_PAGE_H */
