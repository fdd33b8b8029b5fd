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

#include "copies.h"

/* The walk is complete: there is no caller. */
#define FM_WALK_DONE	__FLAMEMOD_USER_MAX

#define FM_LOST		1UL	/* rows did not say where; no address of a save is odd */

/*
 * Read a word of the current task's memory, between user_access_begin() and its end, at
 * that part of the address which is in @mask: a mispredicted branch could load from any
 * address.
 * Return: false if that is not possible now.
 */
static __always_inline bool fm_user_word(unsigned long at, unsigned long mask,
					 unsigned long *value)
{
	at &= mask;
	unsafe_get_user(*value, (const unsigned long __user *)at, fault);
	return true;
fault:
	return false;
}

/* Return: the address at which no word of user memory can be any more. */
static __always_inline unsigned long fm_user_limit(void)
{
	unsigned long limit = TASK_SIZE_MAX - sizeof(unsigned long);

	/* Kernels up to 5.10 would compare with a 64-bit constant, which x86 cannot do. */
	OPTIMIZER_HIDE_VAR(limit);
	return limit;
}

/*
 * Allow words of user memory to be read; fm_user_word() checks each address.
 * Return: whether that is so.
 */
static __always_inline bool fm_user_begin(void)
{
	return user_access_begin((const void __user *)PAGE_SIZE, sizeof(unsigned long));
}

/* Read a word of the current task's memory. Return: false if that is not possible now. */
static __always_inline bool fm_user_load(unsigned long at, unsigned long *value)
{
	unsigned long limit = fm_user_limit();
	bool was_read;

	if (at >= limit || !fm_user_begin())
		return false;
	was_read = fm_user_word(at, array_index_mask_nospec(at, limit), value);
	user_access_end();
	return was_read;
}

enum flamemod_user_side fm_caller_by_row(const struct fm_row *row,
					 struct fm_frame_state *s);
enum flamemod_user_side fm_caller_by_signal(const struct fm_row *row,
					    struct fm_frame_state *s);
enum flamemod_user_side fm_caller_by_fp(struct fm_frame_state *s);
enum flamemod_user_side fm_caller_without_rows(struct fm_frame_state *s);

#endif /* _FLAMEMOD_USER_CALLER_H */
