/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Build-ids: what the linker puts into a program to tell its builds apart. As
 * text they are hexadecimal.
 */
#ifndef FLAMECTL_SYMBOLS_BUILD_ID_H
#define FLAMECTL_SYMBOLS_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>

/* The longest; linkers make 8, 16 or 20 bytes unless they are told otherwise. */
#define BUILD_ID_BYTES	64
#define BUILD_ID_TEXT	(2 * BUILD_ID_BYTES + 1)

/** build_id_text() - write @nr bytes as text. Return: false if too many. */
bool build_id_text(const void *bytes, size_t nr, char text[BUILD_ID_TEXT]);

/** build_id_bytes() - parse text. Return: the bytes, 0 if it is no build-id. */
size_t build_id_bytes(const char *text, unsigned char bytes[BUILD_ID_BYTES]);

/** build_id_valid() - report whether @text is a build-id. */
bool build_id_valid(const char *text);

/**
 * build_id_same() - compare two in hexadecimal, of either case. perf fills short
 * ones up to 20 bytes with zeros, which count for nothing.
 */
bool build_id_same(const char *a, const char *b);

#endif /* FLAMECTL_SYMBOLS_BUILD_ID_H */
