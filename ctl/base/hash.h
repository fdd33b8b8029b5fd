/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hashes of names and numbers. Nobody can prepare collisions in advance: the
 * key is random and new for each run of flamectl.
 */
#ifndef FLAMECTL_HASH_H
#define FLAMECTL_HASH_H

#include <stddef.h>
#include <stdint.h>

/** hash_bytes() - compute SipHash-1-3; it is stable only within one run. */
uint64_t hash_bytes(const void *bytes, size_t size);

/** hash_text() - compute hash_bytes() of a string without its NUL. */
uint64_t hash_text(const char *text);

/** hash_numbers() - compute hash_bytes() of four numbers. */
uint64_t hash_numbers(uint32_t a, uint32_t b, uint32_t c, uint32_t d);

#endif /* FLAMECTL_HASH_H */
