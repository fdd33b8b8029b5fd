// SPDX-License-Identifier: GPL-2.0
/*
 * The hash: every byte and the length count, and hashes are spread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"

#define LONGEST	1200

/* 9000 pairs; each is equal by chance in at most one of 2^32 runs. */
static void every_byte_counts(void **state)
{
	char text[LONGEST];
	uint64_t hash;

	(void)state;
	memset(text, 'a', sizeof(text));
	for (size_t length = 1; length <= LONGEST; length += length < 40 ? 1 : 61) {
		hash = hash_bytes(text, length);
		for (size_t i = 0; i < length; i++) {
			text[i] = 'b';
			assert_true(hash_bytes(text, length) != hash);
			text[i] = 'a';
		}
		assert_true(hash_bytes(text, length) == hash);
	}
}

static void the_length_counts(void **state)
{
	uint64_t hashes[LONGEST];
	char text[LONGEST];

	(void)state;
	memset(text, 'a', sizeof(text));
	for (size_t length = 0; length < LONGEST; length++) {
		hashes[length] = hash_bytes(text, length);
		for (size_t i = length < 16 ? 0 : length - 16; i < length; i++)
			assert_true(hashes[i] != hashes[length]);
	}
}

/* Neither bytes beyond the end nor the address matter. */
static void only_the_text_counts(void **state)
{
	char text[64 + 8];

	(void)state;
	for (size_t length = 0; length < 64; length++) {
		uint64_t hash = 0;

		for (size_t at = 0; at < 8; at++) {
			memset(text, (int)at + 1, sizeof(text));
			memset(text + at, 'x', length);
			if (!at)
				hash = hash_bytes(text, length);
			assert_true(hash_bytes(text + at, length) == hash);
		}
	}
}

static int compare(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Names that differ in one word, as those of functions do. */
static void similar_texts_have_different_hashes(void **state)
{
	enum { MANY = 1 << 16 };
	uint64_t *hashes = calloc(MANY, sizeof(*hashes));
	unsigned int same = 0;

	(void)state;
	assert_non_null(hashes);
	for (uint32_t i = 0; i < MANY; i++) {
		char text[] = "function_........_of_module";

		memcpy(text + 9, &i, sizeof(i));
		hashes[i] = hash_bytes(text, sizeof(text) - 1);
	}
	qsort(hashes, MANY, sizeof(*hashes), compare);
	for (uint32_t i = 1; i < MANY; i++)
		same += hashes[i] == hashes[i - 1];
	/* 2^31 pairs: half a pair is expected */
	assert_true(same < 100);
	free(hashes);
}

static void each_number_counts(void **state)
{
	uint64_t hash = hash_numbers(1, 2, 3, 4);

	(void)state;
	assert_true(hash_numbers(1, 2, 3, 4) == hash);
	assert_true(hash_numbers(0, 2, 3, 4) != hash);
	assert_true(hash_numbers(1, 0, 3, 4) != hash);
	assert_true(hash_numbers(1, 2, 0, 4) != hash);
	assert_true(hash_numbers(1, 2, 3, 0) != hash);
	assert_true(hash_numbers(2, 1, 3, 4) != hash);
	assert_true(hash_numbers(3, 4, 1, 2) != hash);
}

static void random_numbers_differ(void **state)
{
	(void)state;
	assert_true(hash_random() != hash_random());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_counts),
		cmocka_unit_test(the_length_counts),
		cmocka_unit_test(only_the_text_counts),
		cmocka_unit_test(similar_texts_have_different_hashes),
		cmocka_unit_test(each_number_counts),
		cmocka_unit_test(random_numbers_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
