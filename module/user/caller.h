/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Steps from a frame of a user stack to its caller. The stack is that of the current
 * task, or a copy.
 *
 * Context: Hard interrupt, with page faults disabled: pages that are not in memory are
 * not read. A copy is walked by the worker.
 */
#ifndef _FLAMEMOD_USER_CALLER_H
#define _FLAMEMOD_USER_CALLER_H

#include <linux/nospec.h>
#include <linux/uaccess.h>

#include "arch.h"
#include "copies.h"

/* The walk is complete: there is no caller. */
#define FM_WALK_DONE	__FLAMEMOD_USER_MAX

#define FM_LOST		1UL	/* rows did not say where; no address of a save is odd */

/* Read a word of the current task's memory. Return: false if that is not possible now. */
static __always_inline bool fm_user_load(unsigned long at, unsigned long *value)
{
	unsigned long limit = fm_user_limit();
	bool was_read;

	at = fm_arch_untag(at);
	if (at >= limit || !fm_user_begin())
		return false;
	was_read = fm_user_word(at, array_index_mask_nospec(at, limit), value);
	fm_user_end();
	return was_read;
}

enum flamemod_user_side fm_caller_by_row(const struct fm_row *row,
					 struct fm_frame_state *s);
enum flamemod_user_side fm_caller_by_signal(const struct fm_row *row,
					    struct fm_frame_state *s);
enum flamemod_user_side fm_caller_by_fp(struct fm_frame_state *s);
enum flamemod_user_side fm_caller_without_rows(struct fm_frame_state *s);

#endif /* _FLAMEMOD_USER_CALLER_H */
