/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The books of an event: the counts of what became of each interval of a task.
 *
 * An interval is a time in which a task was off its CPU, waited for one, or ran. Its
 * weight is its length in nanoseconds. Both are counted, and both balance:
 *
 *   seen = stored + filtered + below + sum(lost)
 *
 * The handler keeps the books of its own CPU, and every drain checks them. A dump also
 * counts the part of an interval that has passed: its weight is seen and stored then,
 * and its number when it ends.
 */
#ifndef _FLAMEMOD_EVENT_BOOKS_H
#define _FLAMEMOD_EVENT_BOOKS_H

#include <linux/types.h>

#include "../common/uapi/flamemod.h"

/* Counts of intervals, or sums of their weights. */
struct fm_event_sums {
	u64 seen;
	u64 stored;
	u64 filtered;		/* by their state */
	u64 below;		/* shorter than the minimum */
	u64 lost[__FLAMEMOD_EVENT_LOST_MAX];
};

struct fm_event_books {
	struct fm_event_sums hits;
	struct fm_event_sums weight;
};

void fm_event_books_add(struct fm_event_books *sum,
			const struct fm_event_books *books);
bool fm_event_books_balance(const struct fm_event_books *books);

/* Count an interval as seen. */
static inline void fm_event_see(struct fm_event_books *books, u64 weight)
{
	books->hits.seen++;
	books->weight.seen += weight;
}

/* Count an interval that was seen as lost. */
static inline void fm_event_lose(struct fm_event_books *books, u64 weight,
				 enum flamemod_event_lost reason)
{
	books->hits.lost[reason]++;
	books->weight.lost[reason] += weight;
}

/* Count an interval whose length is not known as seen and lost. */
static inline void fm_event_miss(struct fm_event_books *books,
				 enum flamemod_event_lost reason)
{
	books->hits.seen++;
	books->hits.lost[reason]++;
}

#endif /* _FLAMEMOD_EVENT_BOOKS_H */
