// SPDX-License-Identifier: GPL-2.0
/*
 * Learns single steps of the kernel's ORC unwinder: see step.h.
 */
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/segment.h>
#include <asm/unwind.h>

#include "step.h"

/*
 * Layout of the fake stack, in words. The stack pointer is near its start and
 * the frame pointer near its end, further apart than the size of any frame. The
 * word at the stack pointer points into a separate area (the yard) between the
 * two, in case the unwinder uses it as a pointer to another stack. Each other
 * word holds a unique tag.
 */
#define FM_PROBE_SP		16
#define FM_PROBE_YARD		(FM_PROBE_SP + 1024)
#define FM_PROBE_BP		(FM_PROBE_YARD + 256)
#define FM_PROBE_WORDS		(FM_PROBE_BP + 64)

/*
 * The second probe moves both pointers by this many words: results must follow. The
 * pointer into the yard moves twice as far, so that a large frame which ends in the
 * yard is not taken for it.
 */
#define FM_PROBE_SHIFT		8

/* Tags are neither kernel nor user addresses on x86-64. */
#define FM_PROBE_TAG		0x5a5a000000000000UL

static unsigned long fm_probe[FM_PROBE_WORDS];

static unsigned long fm_probe_address(unsigned int word)
{
	return (unsigned long)&fm_probe[word];
}

static void fm_probe_point(unsigned int shift)
{
	fm_probe[FM_PROBE_SP + shift] =
		fm_probe_address(FM_PROBE_YARD + 32 + 2 * shift);
}

/**
 * fm_step_init() - fill in the fake stack, once.
 *
 * Context: Module load.
 */
void fm_step_init(void)
{
	unsigned int i;

	for (i = 0; i < FM_PROBE_WORDS; i++)
		fm_probe[i] = FM_PROBE_TAG + i * sizeof(long);
	fm_probe_point(0);
	fm_probe_point(FM_PROBE_SHIFT);
}

/* Return: the address of the word that holds this value, or 0. */
static unsigned long fm_probe_find(unsigned long value)
{
	unsigned long word = (value - FM_PROBE_TAG) / sizeof(long);

	if (value == fm_probe[FM_PROBE_SP])
		return fm_probe_address(FM_PROBE_SP);
	if (value == fm_probe[FM_PROBE_SP + FM_PROBE_SHIFT])
		return fm_probe_address(FM_PROBE_SP + FM_PROBE_SHIFT);
	if (word >= FM_PROBE_WORDS || fm_probe[word] != value)
		return 0;
	return fm_probe_address(word);
}

/* The unwinder stepped to a caller: find out how it computed the CFA. */
static bool fm_step_cfa(struct fm_step *step, unsigned long cfa,
			unsigned long sp, unsigned long bp)
{
	if (cfa > sp && cfa <= fm_probe_address(FM_PROBE_YARD)) {
		step->move.kind = FM_STEP_SP;
		step->move.cfa = cfa - sp;
	} else if (cfa > bp && cfa <= fm_probe_address(FM_PROBE_WORDS)) {
		step->move.kind = FM_STEP_BP;
		step->move.cfa = cfa - bp;
	} else if (cfa > fm_probe_address(FM_PROBE_YARD) &&
		   cfa < fm_probe_address(FM_PROBE_YARD + 64)) {
		step->move.kind = FM_STEP_INDIRECT;
		step->move.cfa = cfa - *(unsigned long *)sp;
	} else {
		return false;
	}
	return true;
}

static bool fm_step_call(struct fm_step *step, const struct unwind_state *state,
			 unsigned long sp, unsigned long bp)
{
	long from_cfa;

	if (!fm_step_cfa(step, state->sp, sp, bp) ||
	    fm_probe_find(state->ip) != state->sp - sizeof(long))
		return false;
	if (state->bp == bp)
		return true;
	from_cfa = fm_probe_find(state->bp) - state->sp;
	/* bp must be saved below the return address, and within the frame if known. */
	if (from_cfa > -2L * (long)sizeof(long) ||
	    from_cfa < S8_MIN * (long)sizeof(long) ||
	    from_cfa % (long)sizeof(long) ||
	    (step->move.kind == FM_STEP_SP && step->move.cfa + from_cfa < 0))
		return false;
	step->move.bp = from_cfa / (long)sizeof(long);
	return true;
}

static bool fm_step_regs(struct fm_step *step, const struct unwind_state *state,
			 unsigned long sp)
{
	const struct pt_regs *regs = state->regs;
	unsigned long at = (unsigned long)regs;

	if (!state->full_regs || at < sp ||
	    at >= fm_probe_address(FM_PROBE_YARD) ||
	    fm_probe_find(state->ip) != (unsigned long)&regs->ip ||
	    fm_probe_find(state->sp) != (unsigned long)&regs->sp ||
	    fm_probe_find(state->bp) != (unsigned long)&regs->bp)
		return false;
	step->move.kind = FM_STEP_REGS;
	step->move.cfa = at - sp;
	return true;
}

static const struct pt_regs fm_probe_regs = { .cs = __KERNEL_CS };

/* Let the unwinder take one step on the fake stack, and see what it did. */
static void fm_step_probe(struct fm_step *step, unsigned long address,
			  bool interrupted, unsigned int shift)
{
	unsigned long sp = fm_probe_address(FM_PROBE_SP + shift);
	unsigned long bp = fm_probe_address(FM_PROBE_BP + shift);
	struct unwind_state state = {
		.stack_info = {
			.type = STACK_TYPE_TASK,
			.begin = &fm_probe[0],
			.end = &fm_probe[FM_PROBE_WORDS],
		},
		.task = current,
		.signal = interrupted,
		.full_regs = true,
		.sp = sp,
		.bp = bp,
		.ip = address,
		/* All 0: shows if the unwinder uses another register as base. */
		.regs = (struct pt_regs *)&fm_probe_regs,
	};

	memset(step, 0, sizeof(*step));
	step->key = fm_step_key(address, interrupted);
	if (unwind_next_frame(&state)) {
		if (state.error ||
		    !(state.regs ? fm_step_regs(step, &state, sp) :
				   fm_step_call(step, &state, sp, bp)))
			step->move.kind = FM_STEP_HARD;
	} else {
		step->move.kind = state.error ? FM_STEP_HARD : FM_STEP_END;
	}
	if (step->move.kind >= FM_STEP_END) {
		step->move.cfa = 0;
		step->move.bp = 0;
	}
}

/**
 * fm_step_learn() - learn what the unwinder does at an address.
 * @step: the step to set
 * @address: an address in the text of the kernel or a module
 * @interrupted: it is an interrupted instruction, not a return address
 *
 * A plain step (FM_STEP_SP, FM_STEP_BP) is fully determined by the words that
 * it read: no two words are equal, and words near one pointer are far from the
 * other. Any other step is probed again with both pointers moved. If the
 * results differ, it is not learned (FM_STEP_HARD).
 *
 * Context: Any.
 */
void fm_step_learn(struct fm_step *step, unsigned long address,
		   bool interrupted)
{
	struct fm_step again;

	fm_step_probe(step, address, interrupted, 0);
	if (step->move.kind == FM_STEP_SP || step->move.kind == FM_STEP_BP)
		return;
	fm_step_probe(&again, address, interrupted, FM_PROBE_SHIFT);
	if (memcmp(step, &again, sizeof(again))) {
		memset(step, 0, sizeof(*step));
		step->key = again.key;
		step->move.kind = FM_STEP_HARD;
	}
}
