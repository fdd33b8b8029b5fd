/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which addresses are text that stays as it is until a module goes.
 *
 * The kernel's own text is told by its range. Behind it lie modules, and what
 * comes and goes without a word: ftrace's and kprobes' trampolines, BPF's
 * programs. A page there counts as a module's once an address in it was found
 * to have a module's symbol.
 *
 * Locking: added to and emptied under the session's lock, read in the timer
 * callback: an entry is one word.
 */
#ifndef _FLAMEMOD_TEXT_H
#define _FLAMEMOD_TEXT_H

#include <linux/types.h>

#include "stack.h"

#define FM_TEXT_PAGES	1024	/* a power of two */

#if FM_STACK_HAS_STEPS
struct fm_text {
	u32 pages[FM_TEXT_PAGES];	/* page numbers, from MODULES_VADDR + 1 */
	u32 nr;
};

bool fm_text_is_module(unsigned long address);
bool fm_text_stays(const struct fm_text *text, unsigned long address);
void fm_text_add(struct fm_text *text, unsigned long address);
void fm_text_empty(struct fm_text *text);
#else
struct fm_text {
};

static inline void fm_text_add(struct fm_text *text, unsigned long address)
{
}

static inline void fm_text_empty(struct fm_text *text)
{
}
#endif

#endif /* _FLAMEMOD_TEXT_H */
