// SPDX-License-Identifier: GPL-2.0
/*
 * Counts what became of every sampling period: see books.h.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>

#include "books.h"

/* All members are u64: sums and differences treat them as one array. */
#define FM_BOOKS_NR	(sizeof(struct fm_books) / sizeof(u64))

/**
 * fm_books_add() - add one set of books to another.
 * @sum: what to add to
 * @books: what to add
 *
 * Context: Any.
 */
void fm_books_add(struct fm_books *sum, const struct fm_books *books)
{
	const u64 *from = (const u64 *)books;
	u64 *to = (u64 *)sum;
	unsigned int i;

	for (i = 0; i < FM_BOOKS_NR; i++)
		to[i] += from[i];
}

/**
 * fm_books_subtract() - subtract earlier books: what happened since them.
 * @from: the later books, changed in place
 * @books: the earlier books
 *
 * Context: Any.
 */
void fm_books_subtract(struct fm_books *from, const struct fm_books *books)
{
	const u64 *earlier = (const u64 *)books;
	u64 *to = (u64 *)from;
	unsigned int i;

	for (i = 0; i < FM_BOOKS_NR; i++)
		to[i] -= earlier[i];
}

/**
 * fm_books_balance() - check that every period is accounted for.
 * @books: the books
 *
 * Context: Any.
 * Return: true when fires + missed = stored + filtered + sum(lost).
 */
bool fm_books_balance(const struct fm_books *books)
{
	u64 sum = books->stored + books->filtered;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(books->lost); i++)
		sum += books->lost[i];
	return books->fires + books->missed == sum;
}

/**
 * fm_lost_name() - return a reason's name, as in common/flamemod.yaml.
 * @reason: the reason
 *
 * Context: Any.
 * Return: a constant string.
 */
const char *fm_lost_name(enum flamemod_lost reason)
{
	static const char * const names[] = {
		[FLAMEMOD_LOST_TABLE_FULL] = "table-full",
		[FLAMEMOD_LOST_AGGREGATE_FULL] = "aggregate-full",
		[FLAMEMOD_LOST_OVERLOAD] = "overload",
		[FLAMEMOD_LOST_NO_REGS] = "no-regs",
		[FLAMEMOD_LOST_STOPPED] = "stopped",
	};

	static_assert(ARRAY_SIZE(names) == __FLAMEMOD_LOST_MAX);
	return names[reason];
}
