/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where every sampling period of a CPU went.
 *
 * fires + missed = stored + filtered + sum(lost): what the timer callback
 * keeps on its own CPU, what every reader gets, and what is checked at each
 * drain. Counters only grow; a reset remembers where they stood. What is overdue
 * at an instant, expected less fires + missed, is no counter, and kept apart.
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
	u64 asleep;		/* of those missed */
};

void fm_books_add(struct fm_books *sum, const struct fm_books *books);
void fm_books_subtract(struct fm_books *from, const struct fm_books *books);
bool fm_books_balance(const struct fm_books *books);

const char *fm_lost_name(enum flamemod_lost reason);

#endif /* _FLAMEMOD_BOOKS_H */
