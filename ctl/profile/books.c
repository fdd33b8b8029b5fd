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

#include "base/wording.h"

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
	for (i = 0; i < PROFILE_LOST_MAX; i++)
		over |= __builtin_add_overflow(*went, books->lost[i], went);
	return over ? -EOVERFLOW : 0;
}

/* ---- advice ---- */

/* The module's parameters: defaults and upper limits. */
#define CPU_KB		1024
#define CPU_KB_MAX	65536
#define AGGREGATE_KB	16384
#define AGGREGATE_KB_MAX (1024 * 1024)

/* Advise this many times the memory, so that one more try should be enough. */
#define ROOM_FACTOR	4

static const char *advise_room(const char *parameter, uint64_t now,
			       uint64_t most, const char *otherwise, char *text,
			       size_t size)
{
	uint64_t more = now > most / ROOM_FACTOR ? most : now * ROOM_FACTOR;

	if (now < most)
		snprintf(text, size, "load with %s=%" PRIu64, parameter, more);
	else
		snprintf(text, size, "%s=%" PRIu64 " is the maximum, so %s",
			 parameter, now, otherwise);
	return text;
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

/* What to do about intervals of tasks, or hits, that were lost. */
static const char *advise_events(const struct profile_intervals *intervals,
				 enum flamemod_lost reason, char *text, size_t size)
{
	if (intervals->of_hits && reason != FLAMEMOD_LOST_AGGREGATE_FULL)
		snprintf(text, size, "%s", WORDING(COUNT_LESS));
	else if (reason == FLAMEMOD_LOST_AGGREGATE_FULL)
		snprintf(text, size, "load with a larger events_kb, or %s", WORDING(RECORD_FEWER));
	else
		snprintf(text, size, "%s", WORDING(RAISE_MIN_BLOCK));
	return text;
}

const char *books_advice(const struct profile_meta *meta,
			 enum flamemod_lost reason, char *text, size_t size)
{
	const struct profile_origin *origin = &meta->origin;

	if (meta->intervals.known)
		return advise_events(&meta->intervals, reason, text, size);
	switch (reason) {
	case FLAMEMOD_LOST_TABLE_FULL:
		return advise_room("cpu_kb", origin->cpu_kb ?: CPU_KB,
				   CPU_KB_MAX, WORDING(LOWER_RATE), text, size);
	case FLAMEMOD_LOST_AGGREGATE_FULL:
		return advise_room("aggregate_kb",
				   origin->aggregate_kb ?: AGGREGATE_KB,
				   AGGREGATE_KB_MAX,
				   WORDING(RESET), text, size);
	case FLAMEMOD_LOST_OVERLOAD:
		if (meta->settings.hz > 1)
			snprintf(text, size, "%s %" PRIu32,
				 WORDING(LOWER_RATE_TO), meta->settings.hz / 2);
		else
			snprintf(text, size, "%s", WORDING(LOWER_RATE));
		return text;
	default:
		return NULL;
	}
}

const char *books_advice_all(const struct profile *profile,
			     char text[BOOKS_ADVICE_MAX])
{
	char one[128];
	size_t used = 0;

	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++) {
		if (!profile->books.lost[i] ||
		    !books_advice(&profile->meta, i, one, sizeof(one)))
			continue;
		used += (size_t)snprintf(text + used, BOOKS_ADVICE_MAX - used,
					 "%s%s: %s", used ? "; " : "",
					 profile_lost_name(i), one);
	}
	return used ? text : NULL;
}
