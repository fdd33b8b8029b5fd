/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Steps by rows on a machine whose calls leave the return address in a register, the link
 * register, as arm64's do. A function that calls others saves it first.
 *
 * Context: Any; pure functions.
 */
#ifndef _FLAMEMOD_USER_LINK_H
#define _FLAMEMOD_USER_LINK_H

#include "cfi.h"
#include "maps.h"

/**
 * fm_link_move() - set where the caller's value of a register is, as a row says.
 * @saved: where it is in the frame; set to where the caller's is
 * @code: the row's code for it
 * @cfa: the frame's CFA
 * @base: the value of the register from which the row counts the CFA
 *
 * Context: Any.
 */
static inline void fm_link_move(struct fm_saved *saved, s8 code, unsigned long cfa,
				unsigned long base)
{
	if (code < 0)
		saved->at = cfa + 8L * code;
	else if (code == FM_SAVED_LOST)
		saved->at = FM_LOST;
	else if (code)
		saved->at = base + 8L * (code - FM_SAVED_AT_BASE);
}

/**
 * fm_link_leads_up() - check that a row leads to a caller.
 * @row: the row
 * @is_exact: the frame is of an interrupted instruction; what it has in the link register
 *            may be its return address. In all other frames it was overwritten by a call
 * @sp: the frame's stack pointer
 * @cfa: its CFA
 *
 * Context: Any.
 * Return: false if it would not. A caller's frame is at a higher address, except that of
 * an interrupted function which uses no stack, so every walk ends.
 */
static inline bool fm_link_leads_up(const struct fm_row *row, bool is_exact,
				    unsigned long sp, unsigned long cfa)
{
	if (!row->lr)
		return is_exact && cfa >= sp;
	return cfa > sp;
}

#endif /* _FLAMEMOD_USER_LINK_H */
