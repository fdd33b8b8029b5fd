// SPDX-License-Identifier: GPL-2.0
/*
 * Add, subtract and compare books: see books.h.
 *
 * All figures but the last are uint64_t, so the books are treated as an array
 * of them. The last, overdue, describes an instant and may be negative in a
 * difference.
 */
#include "profile/books.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define NR_FIGURES	(offsetof(struct profile_books, overdue) / sizeof(uint64_t))

static_assert(sizeof(struct profile_books) ==
	      (10 + PROFILE_LOST_MAX) * sizeof(uint64_t),
	      "books contain nothing but numbers");

union figures {
	struct profile_books books;
	uint64_t figure[NR_FIGURES];
};

int books_add(struct profile_books *sum, const struct profile_books *books)
{
	union figures to = { .books = *sum }, from = { .books = *books };
	size_t i;

	for (i = 0; i < NR_FIGURES; i++)
		if (__builtin_add_overflow(to.figure[i], from.figure[i],
					   &to.figure[i]))
			return -EOVERFLOW;
	if (__builtin_add_overflow(sum->overdue, books->overdue,
				   &to.books.overdue))
		return -EOVERFLOW;
	*sum = to.books;
	return 0;
}

int books_subtract(struct profile_books *from,
		   const struct profile_books *books)
{
	union figures left = { .books = *from }, less = { .books = *books };
	size_t i;

	for (i = 0; i < NR_FIGURES; i++)
		if (__builtin_sub_overflow(left.figure[i], less.figure[i],
					   &left.figure[i]))
			return -ERANGE;
	if (__builtin_sub_overflow(from->overdue, books->overdue,
				   &left.books.overdue))
		return -ERANGE;
	*from = left.books;
	return 0;
}

int books_filter(struct profile_books *books, uint64_t periods,
		 uint64_t truncated)
{
	struct profile_books less = {
		.stored = periods,
		.truncated = truncated < books->truncated ? truncated : books->truncated,
	};
	struct profile_books more = { .filtered = periods };
	struct profile_books moved = *books;
	int err = books_subtract(&moved, &less) ?: books_add(&moved, &more);

	if (!err)
		*books = moved;
	return err;
}

bool books_equal(const struct profile_books *a, const struct profile_books *b)
{
	return !memcmp(a, b, sizeof(*a));
}

int books_sides(const struct profile_books *books, uint64_t *came,
		uint64_t *went)
{
	unsigned int i;
	bool over;

	over = __builtin_add_overflow(books->fires, books->missed, came);
	over |= __builtin_add_overflow(books->stored, books->filtered, went);
	for (i = 0; i < PROFILE_LOST_MAX; i++)
		over |= __builtin_add_overflow(*went, books->lost[i], went);
	return over ? -EOVERFLOW : 0;
}

const char *books_read(const struct profile_books *books, char *text)
{
	uint64_t lost = profile_lost(books);
	int length;

	length = snprintf(text, BOOKS_READ_MAX,
			  "read %" PRIu64 " = stored %" PRIu64 " + filtered %" PRIu64,
			  books->fires + books->missed, books->stored, books->filtered);
	if (lost)
		length += snprintf(text + length, BOOKS_READ_MAX - (size_t)length,
				   " + lost %" PRIu64, lost);
	snprintf(text + length, BOOKS_READ_MAX - (size_t)length,
		 "; what its tool lost is not known");
	return text;
}
