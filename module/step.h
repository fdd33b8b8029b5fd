/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One step of the kernel's ORC unwinder, learned.
 *
 * What the unwinder does at an instruction is a constant of its address: the
 * caller's stack pointer (the CFA) is the stack or frame pointer plus a
 * constant, and the caller's frame pointer is kept, or lies at a constant
 * distance from the CFA. An exported function applies it but none tells it,
 * so the unwinder is asked to step over a stack that was made up for it, on
 * which every word has a value of its own: what it read shows what it did.
 */
#ifndef _FLAMEMOD_STEP_H
#define _FLAMEMOD_STEP_H

#include <linux/bits.h>
#include <linux/types.h>

enum fm_step_kind {
	FM_STEP_NONE,		/* nothing was learned */
	FM_STEP_SP,		/* CFA = sp + cfa */
	FM_STEP_BP,		/* CFA = bp + cfa */
	FM_STEP_INDIRECT,	/* CFA = *sp + cfa: to another stack */
	FM_STEP_REGS,		/* interrupted registers lie at sp + cfa */
	FM_STEP_END,		/* nothing is below */
	FM_STEP_HARD,		/* anything else */
};

/* What the unwinder does at an instruction. */
struct fm_move {
	s16 cfa;		/* bytes */
	s8 bp;			/* words from the CFA to where bp lies; 0: kept */
	u8 kind;		/* enum fm_step_kind */
};

struct fm_step {
	u32 key;		/* see fm_step_key(); 0 where there is no step */
	struct fm_move move;
	/* Of a leaf, where its last sample went; true or not, it is looked at first. */
	u32 path;		/* that of its caller alone */
	u32 entry;		/* of the hot table */
};

/*
 * All text lies in the topmost 2 GiB, so that the lower half of an address
 * tells it, and its highest bit is free to tell the two kinds of keys apart.
 */
static inline u32 fm_step_key(unsigned long address, bool interrupted)
{
	return interrupted ? (u32)address & ~BIT(31) : (u32)address;
}

#if defined(CONFIG_X86) && defined(CONFIG_UNWINDER_ORC)
void fm_step_init(void);
#else
static inline void fm_step_init(void)
{
}
#endif
static inline unsigned long fm_step_address(u32 key)
{
	return ~0UL << 31 | key;
}

static inline bool fm_step_possible(unsigned long address)
{
	return (long)address >> 31 == -1;
}

void fm_step_learn(struct fm_step *step, unsigned long address, bool interrupted);

#endif /* _FLAMEMOD_STEP_H */
