/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Learned steps of the kernel's ORC unwinder.
 *
 * What the unwinder does at an instruction only depends on its address: the
 * caller's stack pointer (the CFA) is the stack or frame pointer plus a
 * constant, and the caller's frame pointer is unchanged or saved at a constant
 * distance from the CFA. The kernel exports a function that applies these
 * rules, but none that returns them. So we let the unwinder step over a fake
 * stack on which every word has a unique value: the values that it read show
 * what it did.
 */
#ifndef _FLAMEMOD_STEP_H
#define _FLAMEMOD_STEP_H

#include <linux/bits.h>
#include <linux/types.h>

enum fm_step_kind {
	FM_STEP_NONE,		/* not learned yet */
	FM_STEP_SP,		/* CFA = sp + cfa */
	FM_STEP_BP,		/* CFA = bp + cfa */
	FM_STEP_INDIRECT,	/* CFA = *sp + cfa: to another stack */
	FM_STEP_REGS,		/* interrupted registers are at sp + cfa */
	FM_STEP_END,		/* the unwinder stops here */
	FM_STEP_HARD,		/* anything else */
};

/* What the unwinder does at an instruction. */
struct fm_move {
	s16 cfa;		/* bytes */
	s8 bp;			/* words from the CFA to the saved bp; 0: bp unchanged */
	u8 kind;		/* enum fm_step_kind */
};

struct fm_step {
	u32 key;		/* see fm_step_key(); 0: no step */
	struct fm_move move;
	/* For a leaf: hints from its last sample, tried first and always checked. */
	u32 path;		/* the path of the leaf's caller alone */
	u32 whole;		/* the path of all its callers */
	u32 entry;		/* the entry in the hot table */
};

/*
 * All text is in the topmost 2 GiB, so the lower half of an address identifies
 * it. Bit 31 is always set there, so a cleared bit marks interrupted
 * instructions.
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
