// SPDX-License-Identifier: GPL-2.0
/*
 * SHA-256: see sha256.h. The names are those of FIPS 180-4, section 6.2. The constants
 * are the first 32 bits of the fractions of the square roots of the first 8 primes, and
 * of the cube roots of the first 64.
 */
#include "base/sha256.h"

#include <string.h>

static const uint32_t constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t word, unsigned int bits)
{
	return word >> bits | word << (32 - bits);
}

static void expand(uint32_t words[64], const uint8_t *block)
{
	for (unsigned int t = 0; t < 16; t++)
		words[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
			   (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
	for (unsigned int t = 16; t < 64; t++) {
		uint32_t x = words[t - 15], y = words[t - 2];

		words[t] = words[t - 16] + words[t - 7] +
			   (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) +
			   (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
	}
}

static void hash_block(struct sha256 *sha, const uint8_t *block)
{
	uint32_t words[64], v[8];

	expand(words, block);
	memcpy(v, sha->state, sizeof(v));
	for (unsigned int t = 0; t < 64; t++) {
		uint32_t a = v[0], e = v[4];
		uint32_t one = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
			       ((e & v[5]) ^ (~e & v[6])) + constants[t] + words[t];
		uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
			       ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += one;
		v[0] = one + two;
	}
	for (unsigned int i = 0; i < 8; i++)
		sha->state[i] += v[i];
}

void sha256_init(struct sha256 *sha)
{
	static const uint32_t first[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};

	memcpy(sha->state, first, sizeof(first));
	sha->size = 0;
}

void sha256_add(struct sha256 *sha, const void *bytes, size_t size)
{
	const uint8_t *next = bytes;

	while (size) {
		size_t used = sha->size % SHA256_BLOCK, part = SHA256_BLOCK - used;

		if (part > size)
			part = size;
		memcpy(sha->block + used, next, part);
		sha->size += part;
		next += part;
		size -= part;
		if (used + part == SHA256_BLOCK)
			hash_block(sha, sha->block);
	}
}

void sha256_end(struct sha256 *sha, uint8_t hash[SHA256_BYTES])
{
	uint64_t bits = sha->size * 8;
	uint8_t end[SHA256_BLOCK + 8] = { 0x80 };
	/* up to 8 bytes before the end of a block, which are the number of bits */
	size_t padding = 1 + (SHA256_BLOCK + 55 - sha->size % SHA256_BLOCK) % SHA256_BLOCK;

	for (unsigned int i = 0; i < 8; i++)
		end[padding + i] = (uint8_t)(bits >> (56 - 8 * i));
	sha256_add(sha, end, padding + 8);
	for (unsigned int i = 0; i < SHA256_BYTES; i++)
		hash[i] = (uint8_t)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}
