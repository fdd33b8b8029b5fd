// SPDX-License-Identifier: GPL-2.0
/*
 * Steps from a frame of a user stack to its caller: see caller.h.
 *
 * A row (cfi.h) says where the caller's frame is. That takes one load, of the return
 * address; bp and rbx are loaded only if a later row needs them. On arm64, bp is x29; it
 * refers to two words in the order that x86 has them in.
 */
#include "caller.h"
#include "link.h"

/*
 * Read a word of the stack that is walked. Registers that were saved on it may have tags,
 * which are not part of the address. Return: false if that is not possible.
 */
static __always_inline bool fm_stack_load(const struct fm_frame_state *s,
					  unsigned long at, unsigned long *value)
{
	return unlikely(s->copy) ? fm_copy_load(s->copy, fm_arch_untag(at), value) :
				   fm_user_load(at, value);
}

static bool fm_saved_get(const struct fm_frame_state *s, const struct fm_saved *saved,
			 unsigned long *value)
{
	if (!saved->at) {
		*value = saved->value;
		return true;
	}
	return saved->at != FM_LOST && fm_stack_load(s, saved->at, value);
}

/* Set where the caller's value of a register is, as a row says. */
static bool fm_saved_move(const struct fm_frame_state *s, struct fm_saved *saved,
			  s8 code, unsigned long cfa, const struct fm_saved *bp)
{
	unsigned long base;

	if (code < 0) {
		saved->at = cfa + 8 * code;
	} else if (code == FM_SAVED_LOST) {
		saved->at = FM_LOST;
	} else if (code) {
		if (!fm_saved_get(s, bp, &base))
			return false;
		saved->at = base - 8 * (code - FM_SAVED_AT_BP);
	}
	return true;
}

/*
 * Compute the CFA by a row.
 * Return: FLAMEMOD_USER_WHOLE; FM_WALK_DONE if there is no caller; or why not.
 */
static enum flamemod_user_side fm_row_cfa(const struct fm_row *row,
					  const struct fm_frame_state *s,
					  unsigned long *cfa)
{
	unsigned long base;

	switch (row->kind) {
	case FM_CFA_SP:
		*cfa = s->sp + 8 * row->cfa;
		return FLAMEMOD_USER_WHOLE;
	case FM_CFA_BP:
		if (!fm_saved_get(s, &s->bp, &base))
			return FLAMEMOD_USER_FAULT;
		*cfa = base + 8 * row->cfa;
		return FLAMEMOD_USER_WHOLE;
	case FM_CFA_BX:
		if (!fm_saved_get(s, &s->bx, &base))
			return FLAMEMOD_USER_FAULT;
		*cfa = base + 8 * row->cfa;
		return FLAMEMOD_USER_WHOLE;
	case FM_CFA_BP_LOAD:
		if (!fm_saved_get(s, &s->bp, &base) ||
		    !fm_stack_load(s, base + 8 * row->cfa, cfa))
			return FLAMEMOD_USER_FAULT;
		return FLAMEMOD_USER_WHOLE;
	case FM_CFA_SP_LOAD:
		if (!fm_stack_load(s, s->sp + 8 * row->cfa, cfa))
			return FLAMEMOD_USER_FAULT;
		*cfa += 8;
		return FLAMEMOD_USER_WHOLE;
	case FM_CFA_PLT:
		*cfa = s->sp + 8 + ((s->ip & 15) >= row->cfa ? 8 : 0);
		return FLAMEMOD_USER_WHOLE;
	case FM_CFA_END:
		return FM_WALK_DONE;
	}
	return FLAMEMOD_USER_NO_RULE;
}

/*
 * Step to the caller where calls leave the return address in a register, by a row and the
 * CFA. Return: as fm_caller_by_row().
 */
static enum flamemod_user_side fm_caller_by_link(const struct fm_row *row,
						 struct fm_frame_state *s, unsigned long cfa)
{
	const struct fm_saved bp = s->bp;
	unsigned long base = s->sp, caller;

	if (!fm_link_leads_up(row, s->is_exact, s->sp, cfa))
		return FLAMEMOD_USER_NO_RULE;
	if (row->kind == FM_CFA_BP && !fm_saved_get(s, &bp, &base))
		return FLAMEMOD_USER_FAULT;
	fm_link_move(&s->lr, row->lr, cfa, base);
	fm_link_move(&s->bp, row->bp, cfa, base);
	if (!fm_saved_get(s, &s->lr, &caller))
		return FLAMEMOD_USER_FAULT;
	s->ip = fm_arch_return(caller);
	s->lr.at = FM_LOST;
	s->sp = cfa;
	s->is_exact = false;
	return FLAMEMOD_USER_WHOLE;
}

/**
 * fm_caller_by_row() - step to the caller by a row.
 * @row: the row of the frame's address
 * @s: the frame; set to its caller's
 *
 * Context: Hard interrupt; or process context, in the worker, for a copy.
 * Return: FLAMEMOD_USER_WHOLE; FM_WALK_DONE if there is no caller; or why it is not known.
 */
enum flamemod_user_side fm_caller_by_row(const struct fm_row *row, struct fm_frame_state *s)
{
	const struct fm_saved bp = s->bp;
	enum flamemod_user_side reason;
	unsigned long cfa;

	reason = fm_row_cfa(row, s, &cfa);
	if (reason)
		return reason;
	if (FM_ARCH_HAS_LINK)
		return fm_caller_by_link(row, s, cfa);
	/* A caller's frame is at a higher address, so every walk ends. */
	if (cfa <= s->sp)
		return FLAMEMOD_USER_NO_RULE;
	if (!fm_stack_load(s, cfa - 8, &s->ip) ||
	    !fm_saved_move(s, &s->bp, row->bp, cfa, &bp) ||
	    !fm_saved_move(s, &s->bx, row->bx, cfa, &bp))
		return FLAMEMOD_USER_FAULT;
	s->sp = cfa;
	s->is_exact = false;
	return FLAMEMOD_USER_WHOLE;
}

/**
 * fm_caller_by_signal() - step to the code that a signal interrupted.
 * @row: the row of the handler's return
 * @s: the frame; set to that of the code
 *
 * Context: As fm_caller_by_row().
 * Return: FLAMEMOD_USER_WHOLE, or why it is not known.
 */
enum flamemod_user_side fm_caller_by_signal(const struct fm_row *row,
					    struct fm_frame_state *s)
{
	unsigned long at = s->sp + 8 * row->cfa;

	if (!fm_stack_load(s, at + FM_ARCH_SIGNAL_IP, &s->ip) ||
	    !fm_stack_load(s, at + FM_ARCH_SIGNAL_SP, &s->sp))
		return FLAMEMOD_USER_FAULT;
	s->bp.at = at + FM_ARCH_SIGNAL_BP;
	s->bx.at = at + FM_ARCH_SIGNAL_BX;
	s->is_exact = true;
	return FLAMEMOD_USER_WHOLE;
}

/* Step to the caller of a frame whose frame pointer is @bp. Return: as fm_caller_by_fp(). */
static enum flamemod_user_side fm_caller_at_bp(struct fm_frame_state *s, unsigned long bp)
{
	unsigned long caller;

	if (!fm_stack_load(s, bp + 8, &s->ip) || !fm_stack_load(s, bp, &caller))
		return FLAMEMOD_USER_FAULT;
	s->ip = fm_arch_return(s->ip);
	s->bp = (struct fm_saved){ .value = caller };
	s->bx.at = FM_LOST;
	s->sp = bp + 16;
	s->is_exact = false;
	s->by_fp = true;
	return FLAMEMOD_USER_WHOLE;
}

/**
 * fm_caller_by_fp() - step to the caller by the frame pointer, for code without rows, such
 * as that made at run time.
 * @s: the frame; set to its caller's
 *
 * Context: As fm_caller_by_row().
 * Return: FLAMEMOD_USER_WHOLE, or why it is not known.
 */
enum flamemod_user_side fm_caller_by_fp(struct fm_frame_state *s)
{
	unsigned long bp;

	if (!fm_saved_get(s, &s->bp, &bp) || bp < s->sp || bp % 8)
		return FLAMEMOD_USER_NO_RULE;
	return fm_caller_at_bp(s, bp);
}

/*
 * Return: whether a frame is in the code where a thread of Go starts; its frame pointer
 * is that of the thread that created it.
 */
static bool fm_is_thread_start(const struct fm_frame_state *s)
{
	unsigned long code;

	if (s->is_exact || s->copy || !fm_user_load(s->ip - FM_ARCH_CALL_BYTES, &code))
		return false;
	return fm_arch_is_thread_start(code);
}

/**
 * fm_caller_without_rows() - step to the caller in a program that has no table at all.
 * @s: the frame; set to its caller's
 *
 * Go makes such programs. Their outermost frames have a frame pointer of 0, or are where
 * a thread starts. They switch between stacks of their own, so a caller's frame may be
 * anywhere, and only the depth of a walk is sure to end it.
 *
 * Context: As fm_caller_by_row().
 * Return: FLAMEMOD_USER_WHOLE; FM_WALK_DONE if there is no caller; or why it is not known.
 */
enum flamemod_user_side fm_caller_without_rows(struct fm_frame_state *s)
{
	unsigned long bp;

	if (!fm_saved_get(s, &s->bp, &bp) || bp % 8)
		return FLAMEMOD_USER_NO_RULE;
	if (bp && !fm_is_thread_start(s))
		return fm_caller_at_bp(s, bp);
	s->by_fp = true;
	return FM_WALK_DONE;
}
