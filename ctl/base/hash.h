/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hashes of names and numbers. Nobody can prepare collisions in advance: the
 * key is random and new for each run of flamectl. Equal hashes of different
 * texts are rare, but do occur: compare the texts, too.
 */
#ifndef FLAMECTL_HASH_H
#define FLAMECTL_HASH_H

#include <stddef.h>
#include <stdint.h>

/** hash_bytes() - compute the hash of a text; it is stable only within one run. */
uint64_t hash_bytes(const void *bytes, size_t size);

/** hash_numbers() - compute the hash of four numbers. */
uint64_t hash_numbers(uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/** hash_random() - return a number that differs from call to call and run to run. */
uint64_t hash_random(void);

#endif /* FLAMECTL_HASH_H */
