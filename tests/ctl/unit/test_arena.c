// SPDX-License-Identifier: GPL-2.0
/*
 * The arena: pieces of memory do not overlap, are aligned, and stay below the limit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

#define PIECES 3000

static void pieces_are_apart_and_aligned(void **state)
{
	struct arena arena = { .left = 64 << 20 };
	unsigned char *pieces[PIECES];

	(void)state;
	for (size_t i = 0; i < PIECES; i++) {
		/* some are larger than what they are cut from */
		size_t size = 1 + i % 700 + (i % 1000 ? 0 : 1 << 20);

		pieces[i] = arena_take(&arena, size);
		assert_non_null(pieces[i]);
		assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
		memset(pieces[i], (int)(i % 251), size);
	}
	for (size_t i = 0; i < PIECES; i++)
		for (size_t at = 0; at < 1 + i % 700; at++)
			assert_int_equal(pieces[i][at], i % 251);
	arena_deinit(&arena);
}

static void no_more_is_given_than_the_limit(void **state)
{
	struct arena arena = { .left = 100 };

	(void)state;
	assert_null(arena_take(&arena, SIZE_MAX));
	assert_null(arena_take(&arena, 101));
	assert_true(arena.exceeded);
	arena.exceeded = false;
	assert_non_null(arena_take(&arena, 80));
	assert_false(arena.exceeded);
	/* 96 of 100 are whole pieces */
	assert_null(arena_take(&arena, 17));
	assert_true(arena.exceeded);
	assert_non_null(arena_take(&arena, 16));
	assert_null(arena_take(&arena, 1));
	arena_deinit(&arena);
}

static void what_is_empty_can_be_given_back(void **state)
{
	struct arena arena = { 0 };

	(void)state;
	assert_null(arena_take(&arena, 1));
	arena_deinit(&arena);
	arena_deinit(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_apart_and_aligned),
		cmocka_unit_test(no_more_is_given_than_the_limit),
		cmocka_unit_test(what_is_empty_can_be_given_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
