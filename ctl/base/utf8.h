/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of a kernel's strings is UTF-8, and what of them may be shown: a comm
 * may hold any bytes, JSON, pprof and terminals may not.
 */
#ifndef FLAMECTL_UTF8_H
#define FLAMECTL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** utf8_length() - bytes of the character at @text, 0 where none begins. */
size_t utf8_length(const char *text);

/** utf8_valid() - is all of @text UTF-8? */
bool utf8_valid(const char *text);

/**
 * utf8_next() - the character at *@text, and step over it: U+FFFD for a byte
 * that is no UTF-8, 0 at the end.
 */
uint32_t utf8_next(const char **text);

/**
 * utf8_steers() - does a character do something rather than look like
 * something? Control characters (a terminal obeys those from U+0080 on as
 * well), line and paragraph separators, and what turns the direction of text
 * around, so that a name reads as another.
 */
bool utf8_steers(uint32_t c);

/**
 * utf8_clean() - @text with U+FFFD for each byte that is no UTF-8, and, for
 * @terminal, '?' for what steers. Return: to be freed, or NULL.
 */
char *utf8_clean(const char *text, bool terminal);

/** utf8_print() - print @text, clean for a terminal. */
void utf8_print(const char *text, FILE *out);

/**
 * utf8_cut() - shorten @text to at most @max bytes (no less than 3), its last
 * characters replaced by one "…".
 */
void utf8_cut(char *text, size_t max);

/**
 * utf8_escape() - @text as UTF-8 that steers nothing and that utf8_unescape()
 * turns back: what is so already, without "\x", stays as it is, elsewhere the
 * bytes of what is not, and of backslashes, become \xNN. Return: to be freed,
 * or NULL.
 */
char *utf8_escape(const char *text);

/** utf8_unescape() - the opposite, in place. */
void utf8_unescape(char *text);

#endif /* FLAMECTL_UTF8_H */
