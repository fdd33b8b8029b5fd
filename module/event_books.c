// SPDX-License-Identifier: GPL-2.0
/*
 * Counts what became of every interval of a task: see event_books.h.
 */
#include <linux/kernel.h>

#include "event_books.h"

/* All members are u64: sums treat them as one array. */
#define FM_EVENT_BOOKS_NR	(sizeof(struct fm_event_books) / sizeof(u64))

/**
 * fm_event_books_add() - add one set of books to another.
 * @sum: what to add to
 * @books: what to add
 *
 * Context: Any.
 */
void fm_event_books_add(struct fm_event_books *sum,
			const struct fm_event_books *books)
{
	const u64 *from = (const u64 *)books;
	u64 *to = (u64 *)sum;
	unsigned int i;

	for (i = 0; i < FM_EVENT_BOOKS_NR; i++)
		to[i] += from[i];
}

static bool fm_event_sums_balance(const struct fm_event_sums *sums)
{
	u64 sum = sums->stored + sums->filtered + sums->below;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sums->lost); i++)
		sum += sums->lost[i];
	return sums->seen == sum;
}

/**
 * fm_event_books_balance() - check that every interval is accounted for.
 * @books: the books
 *
 * Context: Any.
 * Return: true when seen = stored + filtered + below + sum(lost), as a number and as
 * a weight.
 */
bool fm_event_books_balance(const struct fm_event_books *books)
{
	return fm_event_sums_balance(&books->hits) &&
	       fm_event_sums_balance(&books->weight);
}
