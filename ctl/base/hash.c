// SPDX-License-Identifier: GPL-2.0
/*
 * SipHash with one round per word and three at the end, as the kernel and the
 * runtimes of several languages use it for their tables. With a hash that is
 * known in advance, such as FNV, a crafted file of a few MB could keep flamectl
 * busy for hours.
 */
#include "base/hash.h"

#include <stdbool.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

struct sip {
	uint64_t v0, v1, v2, v3;
};

static uint64_t key[2];
static bool key_drawn;

/* Use the clock if getrandom() has no randomness yet or does not exist. */
static void draw_key(void)
{
	struct timespec now;

	key_drawn = true;
	if (getrandom(key, sizeof(key), GRND_NONBLOCK) == sizeof(key))
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	key[0] = (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15;
	key[1] = (uint64_t)now.tv_sec ^ (uintptr_t)&now;
}

static uint64_t rotate(uint64_t value, unsigned int bits)
{
	return value << bits | value >> (64 - bits);
}

static __always_inline void sip_round(struct sip *s)
{
	s->v0 += s->v1;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v0 = rotate(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v2 = rotate(s->v2, 32);
}

static void sip_word(struct sip *s, uint64_t word)
{
	s->v3 ^= word;
	sip_round(s);
	s->v0 ^= word;
}

uint64_t hash_bytes(const void *bytes, size_t size)
{
	uint64_t word, last = (uint64_t)size << 56;
	const char *at = bytes;
	size_t left;
	struct sip s;

	if (!key_drawn)
		draw_key();
	s.v0 = key[0] ^ 0x736f6d6570736575;	/* the constants are SipHash's */
	s.v1 = key[1] ^ 0x646f72616e646f6d;
	s.v2 = key[0] ^ 0x6c7967656e657261;
	s.v3 = key[1] ^ 0x7465646279746573;
	for (left = size; left >= sizeof(word); left -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		sip_word(&s, word);
		at += sizeof(word);
	}
	word = 0;
	memcpy(&word, at, left);
	sip_word(&s, last | word);
	s.v2 ^= 0xff;
	sip_round(&s);
	sip_round(&s);
	sip_round(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

uint64_t hash_text(const char *text)
{
	return hash_bytes(text, strlen(text));
}

uint64_t hash_numbers(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	const uint32_t numbers[] = { a, b, c, d };

	return hash_bytes(numbers, sizeof(numbers));
}
