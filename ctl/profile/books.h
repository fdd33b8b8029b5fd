/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Add, subtract and compare books. The books are the counts of what became of
 * each timer period: fires + missed = stored + filtered + lost.
 */
#ifndef FLAMECTL_BOOKS_H
#define FLAMECTL_BOOKS_H

#include <stdbool.h>

#include "profile/profile.h"

/** books_add() - add @books to @sum. Return: 0, or -EOVERFLOW and no change. */
int books_add(struct profile_books *sum, const struct profile_books *books);

/**
 * books_subtract() - subtract from @from.
 *
 * Return: 0, or -ERANGE and no change.
 */
int books_subtract(struct profile_books *from,
		   const struct profile_books *books);

/**
 * books_filter() - move periods from stored to filtered.
 * @truncated: how many of their samples were truncated. The books may count fewer, and an
 *	       event's count none: they never become less than 0.
 *
 * Return: 0, or -ERANGE or -EOVERFLOW and no change.
 */
int books_filter(struct profile_books *books, uint64_t periods,
		 uint64_t truncated);

/** books_equal() - report whether all figures are the same. */
bool books_equal(const struct profile_books *a, const struct profile_books *b);

/**
 * books_sides() - compute the two sums that must be equal: fires + missed, and
 * stored + filtered + the sum of lost.
 *
 * Return: 0, or -EOVERFLOW if a sum exceeds 2^64.
 */
int books_sides(const struct profile_books *books, uint64_t *came,
		uint64_t *went);

/* Room for what is known of another tool's samples, and a NUL. */
#define BOOKS_READ_MAX 192

/**
 * books_read() - write what became of the samples of another tool's profile, of which
 * no timer period is known: "read 100 = stored 95 + filtered 5; what its tool lost
 * is not known".
 * @text: at least BOOKS_READ_MAX bytes.
 *
 * Return: @text.
 */
const char *books_read(const struct profile_books *books, char *text);

#endif /* FLAMECTL_BOOKS_H */
