/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums, differences and comparisons of books: where every period went.
 */
#ifndef FLAMECTL_BOOKS_H
#define FLAMECTL_BOOKS_H

#include <stdbool.h>

#include "profile/profile.h"

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

/* Advice for all reasons together, and a NUL. */
#define BOOKS_ADVICE_MAX 512

/**
 * books_advice() - what to change so that fewer periods are lost.
 * @reason: why they were lost.
 * @meta: what was in force when they were.
 * @text: at least 128 bytes.
 *
 * Return: @text, such as "load with cpu_kb=4096", or NULL where there is
 * nothing that one could change.
 */
const char *books_advice(const struct profile_meta *meta,
			 enum flamemod_lost reason, char *text, size_t size);

/**
 * books_advice_all() - the advice for each reason that @profile lost periods by.
 *
 * Return: @text, such as "table-full: load with cpu_kb=4096; overload: lower
 * the rate, -F 498", or NULL where nothing was lost or nothing helps.
 */
const char *books_advice_all(const struct profile *profile,
			     char text[BOOKS_ADVICE_MAX]);

#endif /* FLAMECTL_BOOKS_H */
