/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The books: the counts of what became of each sampling period of a CPU.
 *
 * A period passes with a fire of the timer or is missed; then it is stored as a
 * sample, filtered, or lost for a reason. So the books always balance:
 *
 *   fires + missed = stored + filtered + sum(lost)
 *
 * The timer callback keeps the books of its own CPU, every reader gets them, and
 * every drain checks them. The counters only grow; a reset remembers their values.
 * The periods overdue at an instant, expected - (fires + missed), are no counter
 * and are kept elsewhere.
 */
#ifndef _FLAMEMOD_BOOKS_H
#define _FLAMEMOD_BOOKS_H

#include <linux/types.h>

#include "../common/uapi/flamemod.h"

struct fm_books {
	u64 fires;
	u64 missed;
	u64 stored;
	u64 filtered;
	u64 lost[__FLAMEMOD_LOST_MAX];
	u64 truncated;		/* samples, not periods */
	u64 asleep;		/* the part of missed that passed in naps */
	u64 late;		/* the part of missed that passed before late fires */
	u64 stolen;		/* the part of stored that a hypervisor took */
};

void fm_books_add(struct fm_books *sum, const struct fm_books *books);
void fm_books_subtract(struct fm_books *from, const struct fm_books *books);
bool fm_books_balance(const struct fm_books *books);

const char *fm_lost_name(enum flamemod_lost reason);

#endif /* _FLAMEMOD_BOOKS_H */
