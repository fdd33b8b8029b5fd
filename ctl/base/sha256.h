/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SHA-256 (FIPS 180-4), for names that must be the same on all machines and that
 * nobody can make two things have.
 */
#ifndef FLAMECTL_SHA256_H
#define FLAMECTL_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES	32
#define SHA256_BLOCK	64

struct sha256 {
	uint32_t state[8];
	uint64_t size;			/* bytes so far */
	uint8_t block[SHA256_BLOCK];	/* what is not yet hashed */
};

/** sha256_init() - start a hash. */
void sha256_init(struct sha256 *sha);

/** sha256_add() - hash more bytes. */
void sha256_add(struct sha256 *sha, const void *bytes, size_t size);

/** sha256_end() - finish, and write the hash. */
void sha256_end(struct sha256 *sha, uint8_t hash[SHA256_BYTES]);

#endif /* FLAMECTL_SHA256_H */
