/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of a kernel's strings is UTF-8: a comm may hold any bytes, JSON and
 * pprof may not.
 */
#ifndef FLAMECTL_UTF8_H
#define FLAMECTL_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/** utf8_length() - bytes of the character at @text, 0 where none begins. */
size_t utf8_length(const char *text);

/** utf8_valid() - is all of @text UTF-8? */
bool utf8_valid(const char *text);

/**
 * utf8_clean() - @text with U+FFFD for each byte that is no UTF-8, and, for
 * @terminal, '?' for control characters. Return: to be freed, or NULL.
 */
char *utf8_clean(const char *text, bool terminal);

/**
 * utf8_escape() - @text as UTF-8 that utf8_unescape() turns back: what is
 * UTF-8 without "\x" stays as it is, elsewhere odd bytes and backslashes
 * become \xNN. Return: to be freed, or NULL.
 */
char *utf8_escape(const char *text);

/** utf8_unescape() - the opposite, in place. */
void utf8_unescape(char *text);

#endif /* FLAMECTL_UTF8_H */
