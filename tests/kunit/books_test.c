// SPDX-License-Identifier: GPL-2.0
/*
 * The books: each column is added to itself, and is on the right side of the balance.
 */
#include <kunit/test.h>

#include "../../module/books.h"
#include "allocations.h"
#include "suites.h"

/* The side of the balance that a column is on. */
enum fm_side { FM_PASSED, FM_ACCOUNTED, FM_NEITHER };

#define FM_COLUMN(member, side_) {					\
	.name = #member,						\
	.offset = offsetof(struct fm_books, member),			\
	.side = side_,							\
}

static const struct fm_column_case {
	const char *name;
	u32 offset;
	enum fm_side side;
} fm_column_cases[] = {
	FM_COLUMN(fires, FM_PASSED),
	FM_COLUMN(missed, FM_PASSED),
	FM_COLUMN(stored, FM_ACCOUNTED),
	FM_COLUMN(filtered, FM_ACCOUNTED),
	FM_COLUMN(lost[FLAMEMOD_LOST_TABLE_FULL], FM_ACCOUNTED),
	FM_COLUMN(lost[FLAMEMOD_LOST_AGGREGATE_FULL], FM_ACCOUNTED),
	FM_COLUMN(lost[FLAMEMOD_LOST_OVERLOAD], FM_ACCOUNTED),
	FM_COLUMN(lost[FLAMEMOD_LOST_NO_REGS], FM_ACCOUNTED),
	FM_COLUMN(lost[FLAMEMOD_LOST_STOPPED], FM_ACCOUNTED),
	FM_COLUMN(truncated, FM_NEITHER),
	FM_COLUMN(asleep, FM_NEITHER),
	FM_COLUMN(late, FM_NEITHER),
	FM_COLUMN(stolen, FM_NEITHER),
};

FM_ARRAY_PARAM(column);

static u64 *fm_column_of(struct fm_books *books, const struct fm_column_case *c)
{
	return (void *)books + c->offset;
}

/* Books that balance, with another number in each column. */
static struct fm_books fm_balanced(void)
{
	struct fm_books books = {
		.fires = 1000000,
		.missed = 1000000 + 3,
		.filtered = 888889,
		.lost = { 1, 10, 100, 1000, 10000 },
		.truncated = 77,
		.asleep = 78,
		.late = 79,
		.stolen = 80,
	};

	books.stored = books.fires + books.missed - books.filtered - 11111;
	return books;
}

static void columns_are_all_known_here(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ARRAY_SIZE(fm_column_cases) * sizeof(u64),
			sizeof(struct fm_books));
}

static void add_and_subtract_keep_columns_apart(struct kunit *test)
{
	const struct fm_column_case *c = test->param_value;
	struct fm_books sum = fm_balanced(), one = {}, expected = fm_balanced();

	*fm_column_of(&one, c) = 0x123456789abcull;
	*fm_column_of(&expected, c) += 0x123456789abcull;
	fm_books_add(&sum, &one);
	KUNIT_EXPECT_EQ(test, memcmp(&sum, &expected, sizeof(sum)), 0);
	KUNIT_EXPECT_EQ(test, *fm_column_of(&one, c), 0x123456789abcull);
	expected = fm_balanced();
	fm_books_subtract(&sum, &one);
	KUNIT_EXPECT_EQ(test, memcmp(&sum, &expected, sizeof(sum)), 0);
}

static void balance_weighs_every_column(struct kunit *test)
{
	const struct fm_column_case *c = test->param_value;
	struct fm_books books = fm_balanced();

	KUNIT_EXPECT_TRUE(test, fm_books_balance(&books));
	++*fm_column_of(&books, c);
	KUNIT_EXPECT_EQ(test, fm_books_balance(&books), c->side == FM_NEITHER);
	/* One more on the other side balances it again. */
	books.stored += c->side == FM_PASSED;
	books.fires += c->side == FM_ACCOUNTED;
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&books));
	*fm_column_of(&books, c) -= 2;
	KUNIT_EXPECT_EQ(test, fm_books_balance(&books), c->side == FM_NEITHER);
}

static void balance_of_nothing(struct kunit *test)
{
	struct fm_books books = {};

	KUNIT_EXPECT_TRUE(test, fm_books_balance(&books));
}

/* The names in common/flamemod.yaml, by which user space knows them. */
static const struct fm_reason_case {
	enum flamemod_lost reason;
	const char *name;
} fm_reason_cases[] = {
	{ FLAMEMOD_LOST_TABLE_FULL, "table-full" },
	{ FLAMEMOD_LOST_AGGREGATE_FULL, "aggregate-full" },
	{ FLAMEMOD_LOST_OVERLOAD, "overload" },
	{ FLAMEMOD_LOST_NO_REGS, "no-regs" },
	{ FLAMEMOD_LOST_STOPPED, "stopped" },
};

static void reasons_have_their_names(struct kunit *test)
{
	u32 i;

	KUNIT_EXPECT_EQ(test, ARRAY_SIZE(fm_reason_cases), __FLAMEMOD_LOST_MAX);
	for (i = 0; i < ARRAY_SIZE(fm_reason_cases); i++)
		KUNIT_EXPECT_STREQ(test,
				   fm_lost_name(fm_reason_cases[i].reason),
				   fm_reason_cases[i].name);
}

static struct kunit_case fm_books_cases[] = {
	KUNIT_CASE(columns_are_all_known_here),
	KUNIT_CASE_PARAM(add_and_subtract_keep_columns_apart,
			 fm_column_gen_params),
	KUNIT_CASE_PARAM(balance_weighs_every_column, fm_column_gen_params),
	KUNIT_CASE(balance_of_nothing),
	KUNIT_CASE(reasons_have_their_names),
	{}
};

struct kunit_suite fm_books_suite = {
	.name = "flamemod_books",
	.init = fm_allocations_init,
	.exit = fm_allocations_exit,
	.test_cases = fm_books_cases,
};
