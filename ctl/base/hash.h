/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hashes of names and numbers that nobody can prepare collisions for: their
 * key is drawn anew each time flamectl runs.
 */
#ifndef FLAMECTL_HASH_H
#define FLAMECTL_HASH_H

#include <stddef.h>
#include <stdint.h>

/** hash_bytes() - SipHash-1-3; the same within one run of the program only. */
uint64_t hash_bytes(const void *bytes, size_t size);

/** hash_text() - the same of a string without its NUL. */
uint64_t hash_text(const char *text);

/** hash_numbers() - the same of four numbers. */
uint64_t hash_numbers(uint32_t a, uint32_t b, uint32_t c, uint32_t d);

#endif /* FLAMECTL_HASH_H */
