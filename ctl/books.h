/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums, differences and comparisons of books: where every period went.
 */
#ifndef FLAMECTL_BOOKS_H
#define FLAMECTL_BOOKS_H

#include <stdbool.h>

#include "profile.h"

/** books_add() - @sum += @books. Return: 0, or -EOVERFLOW and no change. */
int books_add(struct profile_books *sum, const struct profile_books *books);

/** books_subtract() - the opposite. Return: 0, or -ERANGE and no change. */
int books_subtract(struct profile_books *from,
		   const struct profile_books *books);

/**
 * books_filter() - move periods from stored to filtered.
 * @truncated: so many samples of them were truncated.
 *
 * Return: 0, or -ERANGE or -EOVERFLOW and no change.
 */
int books_filter(struct profile_books *books, uint64_t periods,
		 uint64_t truncated);

/** books_equal() - are all figures the same? */
bool books_equal(const struct profile_books *a, const struct profile_books *b);

/**
 * books_sides() - fires + missed, and stored + filtered + the sum of lost.
 *
 * Return: 0, or -EOVERFLOW where a sum is past 2^64.
 */
int books_sides(const struct profile_books *books, uint64_t *came,
		uint64_t *went);

#endif /* FLAMECTL_BOOKS_H */
