// SPDX-License-Identifier: GPL-2.0
/*
 * A universal hash with a random key. With a hash that is known in advance, such
 * as FNV, a crafted file of a few MB could keep flamectl busy for hours.
 *
 * NH of UMAC (Black, Halevi, Krawczyk, Krovetz and Rogaway, "UMAC: fast and
 * secure message authentication", 1999) adds a different random number to each
 * 32-bit word, and sums the products of pairs of words. Two different texts of
 * up to BLOCK bytes then have the same hash with a probability of at most 2^-32,
 * whatever they are. The hashes of the blocks of a longer text are the
 * coefficients of a polynomial modulo the prime 2^61 - 1, at a random point.
 */
#include "base/hash.h"

#include <stdbool.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define BLOCK		256
#define NR_KEYS		(BLOCK / sizeof(uint32_t))
#define PRIME		((1ULL << 61) - 1)

static struct {
	uint32_t added[NR_KEYS];
	uint64_t point;
	uint64_t state;		/* of hash_random() */
	bool drawn;
} key;

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t next_random(void)
{
	uint64_t z = key.state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Use the clock if getrandom() has no randomness yet or does not exist. */
static void draw_key(void)
{
	struct timespec now;

	key.drawn = true;
	if (getrandom(&key.state, sizeof(key.state), GRND_NONBLOCK) ==
	    sizeof(key.state) &&
	    getrandom(key.added, sizeof(key.added), GRND_NONBLOCK) ==
	    sizeof(key.added)) {
		key.point = next_random() % PRIME;
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &now);
	key.state ^= (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^
		     (uintptr_t)&now;
	for (size_t i = 0; i < NR_KEYS; i++)
		key.added[i] = (uint32_t)next_random();
	key.point = next_random() % PRIME;
}

static uint64_t product(uint32_t a, uint32_t b, size_t at)
{
	return (uint64_t)(a + key.added[at]) * (uint32_t)(b + key.added[at + 1]);
}

static uint64_t product_of_word(uint64_t word, size_t at)
{
	return product((uint32_t)word, (uint32_t)(word >> 32), at);
}

static uint64_t load(const char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* Pack less than eight bytes, of which some may stand twice, into a word. */
static uint64_t load_few(const char *bytes, size_t size)
{
	const unsigned char *at = (const unsigned char *)bytes;
	uint32_t low, high;

	if (size >= sizeof(low)) {
		memcpy(&low, bytes, sizeof(low));
		memcpy(&high, bytes + size - sizeof(high), sizeof(high));
		return (uint64_t)high << 32 | low;
	}
	return size ? at[0] | at[size / 2] << 8 | at[size - 1] << 16 : 0;
}

/* Compute NH of 1 to BLOCK bytes. The last word overlaps the one before. */
static uint64_t hash_block(const char *bytes, size_t size)
{
	uint64_t sum = size;
	size_t at = 0;

	if (size < sizeof(uint64_t))
		return sum + product_of_word(load_few(bytes, size), 0);
	for (; at < size - sizeof(uint64_t); at += sizeof(uint64_t))
		sum += product_of_word(load(bytes + at), at / sizeof(uint32_t));
	return sum + product_of_word(load(bytes + size - sizeof(uint64_t)),
				     at / sizeof(uint32_t));
}

/* Not inlined: short texts, which are most, would save registers for it. */
__attribute__((noinline))
static uint64_t hash_blocks(const char *bytes, size_t size)
{
	unsigned __int128 sum = size;

	for (size_t nr; size; bytes += nr, size -= nr) {
		nr = size < BLOCK ? size : BLOCK;
		sum = sum * key.point + hash_block(bytes, nr);
		sum %= PRIME;
	}
	return (uint64_t)sum;
}

uint64_t hash_bytes(const void *bytes, size_t size)
{
	if (!key.drawn)
		draw_key();
	return size <= BLOCK ? hash_block(bytes, size) : hash_blocks(bytes, size);
}

uint64_t hash_numbers(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	if (!key.drawn)
		draw_key();
	return product(a, b, 0) + product(c, d, 2);
}

uint64_t hash_random(void)
{
	if (!key.drawn)
		draw_key();
	return next_random();
}
