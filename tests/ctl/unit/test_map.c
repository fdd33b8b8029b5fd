// SPDX-License-Identifier: GPL-2.0
/*
 * Containers of base: a growing array, a hash table, and interned texts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"

#define MANY	100000U

static void an_array_keeps_its_elements_when_it_grows(void **state)
{
	uint32_t *numbers = NULL;
	size_t room = 0;

	(void)state;
	for (uint32_t i = 0; i < MANY; i++) {
		assert_int_equal(vec_reserve(numbers, room, i + 1U), 0);
		assert_true(room > i);
		numbers[i] = i;
	}
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(numbers[i], i);
	assert_true(room < 4 * MANY);
	free(numbers);
}

static void exact_keys_are_found(void **state)
{
	struct map map = { 0 };

	(void)state;
	assert_int_equal(map_find(&map, 7), MAP_NONE);
	for (uint32_t i = 0; i < MANY; i++) {
		assert_int_equal(map_reserve(&map, 1), 0);
		map_put(&map, map_pair(i, i % 7), i);
	}
	for (uint32_t i = 0; i < MANY; i++) {
		assert_int_equal(map_find(&map, map_pair(i, i % 7)), i);
		assert_int_equal(map_find(&map, map_pair(i, 7)), MAP_NONE);
	}
	map_clear(&map);
	assert_int_equal(map_find(&map, map_pair(1, 1)), MAP_NONE);
	map_deinit(&map);
}

static void entries_of_one_key_are_all_found(void **state)
{
	struct map map = { 0 };
	const struct map_slot *slot;
	uint32_t sum = 0;

	(void)state;
	for (uint32_t i = 0; i < 100; i++) {
		assert_int_equal(map_reserve(&map, 1), 0);
		map_put(&map, 42, i);
	}
	for (slot = map_first(&map, 42); slot; slot = map_next(&map, 42, slot))
		sum += slot->number - 1;
	assert_int_equal(sum, 99 * 100 / 2);
	map_deinit(&map);
}

/* Return the longest run of used slots, for keys at equal distances. */
static size_t longest_run(unsigned int bits, uint64_t factor)
{
	size_t run = 0, longest = 0, nr;
	struct map map = { 0 };

	for (uint32_t i = 0; i < 10000; i++) {
		assert_int_equal(map_reserve(&map, 1), 0);
		/* bad factors: equal distances stay equal */
		map.factors[0] = map.factors[1] = 1;
		map.factors[2] = factor ?: map.factors[2];
		map_put(&map, (uint64_t)i << bits, i);
	}
	nr = map.mask + 1;
	for (size_t i = 0; i < nr; i++) {
		run = map.slots[i].number ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	map_deinit(&map);
	return longest;
}

/*
 * Keys that the first two factors leave together are scattered, also if the third one is
 * bad as well: these keep steps even, or put all keys near two, three, four or five places.
 */
static void keys_in_steps_are_spread(void **state)
{
	static const uint64_t factors[] = {
		0, 1, 3, (1ULL << 63) + 1, UINT64_MAX / 3 + 2, (1ULL << 62) + 1,
		UINT64_MAX / 5,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++)
		for (unsigned int bits = 0; bits <= 48; bits += 4)
			assert_true(longest_run(bits, factors[i]) < 1000);
}

static void texts_have_numbers_in_order(void **state)
{
	struct intern intern = { 0 };
	const char *first;
	char text[32];
	uint32_t number;

	(void)state;
	assert_int_equal(intern_add(&intern, "", 0, &number), 0);
	assert_int_equal(number, 0);
	first = intern_text(&intern, 0);
	for (uint32_t i = 1; i < MANY; i++) {
		int length = snprintf(text, sizeof(text), "name %u", i);

		assert_int_equal(intern_add(&intern, text, (size_t)length,
					    &number), 0);
		assert_int_equal(number, i);
	}
	assert_ptr_equal(intern_text(&intern, 0), first);
	assert_int_equal(intern_add(&intern, "name 77x", 7, &number), 0);
	assert_int_equal(number, 77);
	assert_string_equal(intern_text(&intern, 77), "name 77");
	assert_int_equal(intern.nr, MANY);
	intern_deinit(&intern);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_keeps_its_elements_when_it_grows),
		cmocka_unit_test(exact_keys_are_found),
		cmocka_unit_test(entries_of_one_key_are_all_found),
		cmocka_unit_test(keys_in_steps_are_spread),
		cmocka_unit_test(texts_have_numbers_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
