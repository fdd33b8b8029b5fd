// SPDX-License-Identifier: GPL-2.0
/*
 * Sums, differences and comparisons of books: see books.h.
 *
 * All figures are uint64_t, so a book is treated as an array of them.
 */
#include "books.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define NR_FIGURES	(sizeof(struct profile_books) / sizeof(uint64_t))

static_assert(sizeof(struct profile_books) ==
	      (7 + __FLAMEMOD_LOST_MAX) * sizeof(uint64_t),
	      "a book holds nothing but figures");

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
	*from = left.books;
	return 0;
}

int books_filter(struct profile_books *books, uint64_t periods,
		 uint64_t truncated)
{
	struct profile_books less = { .stored = periods, .truncated = truncated };
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
	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		over |= __builtin_add_overflow(*went, books->lost[i], went);
	return over ? -EOVERFLOW : 0;
}
