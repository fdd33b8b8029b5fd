/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Knows which addresses are text that does not change until a module goes.
 *
 * The kernel's own text is recognised by its range. The area after it holds
 * modules, but also text that comes and goes without notice: trampolines of
 * ftrace and kprobes, and BPF programs. A page there counts as a module's after
 * an address in it was found to have a module's symbol.
 *
 * Locking: changed under the session's lock; read in the timer callback
 * without, since each entry is one word.
 */
#ifndef _FLAMEMOD_TEXT_H
#define _FLAMEMOD_TEXT_H

#include <linux/types.h>

#include "stack.h"

#define FM_TEXT_PAGES	1024	/* a power of two */

#if FM_STACK_HAS_STEPS
struct fm_text {
	u32 pages[FM_TEXT_PAGES];	/* page numbers + 1, counted from MODULES_VADDR; or 0 */
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
