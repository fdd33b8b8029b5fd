/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Check, clean and escape strings that come from a kernel. A comm may hold any
 * bytes; JSON, pprof and terminals accept UTF-8 only.
 */
#ifndef FLAMECTL_UTF8_H
#define FLAMECTL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * utf8_length() - return the bytes of the character at @text, 0 if it is
 * invalid.
 */
size_t utf8_length(const char *text);

/** utf8_valid() - report whether all of @text is UTF-8. */
bool utf8_valid(const char *text);

/**
 * utf8_next() - return the character at *@text and advance past it: U+FFFD for
 * a byte that is not UTF-8, 0 at the end.
 */
uint32_t utf8_next(const char **text);

/**
 * utf8_steers() - report whether a character controls the display rather than
 * being shown: control characters (a terminal also obeys those from U+0080 on),
 * line and paragraph separators, and characters that change the direction of
 * text, which can make one name look like another.
 */
bool utf8_steers(uint32_t c);

/**
 * utf8_clean() - copy @text with U+FFFD for each byte that is not UTF-8 and, if
 * @terminal, '?' for each character that utf8_steers() reports. Return: the
 *         copy, which the caller frees, or NULL.
 */
char *utf8_clean(const char *text, bool terminal);

/** utf8_print() - print @text, cleaned for a terminal. */
void utf8_print(const char *text, FILE *out);

/**
 * utf8_cut() - shorten @text to at most @max bytes (no less than 3) and replace
 * the last characters by one "…".
 */
void utf8_cut(char *text, size_t max);

/**
 * utf8_escape() - copy @text as UTF-8 without control characters, in a form
 * that utf8_unescape() reverses. Text that is so already and has no "\x" is
 * copied as it is. Otherwise backslashes and all bytes that may not stay become
 * \xNN.
 * Return: the copy, which the caller frees, or NULL.
 */
char *utf8_escape(const char *text);

/** utf8_unescape() - reverse utf8_escape(), in place. */
void utf8_unescape(char *text);

#endif /* FLAMECTL_UTF8_H */
