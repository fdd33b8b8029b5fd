/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write JSON in plain ASCII. It never contains terminal control characters,
 * whatever bytes it was made from.
 */
#ifndef FLAMECTL_JSON_TEXT_H
#define FLAMECTL_JSON_TEXT_H

#include <stddef.h>

#include <jansson.h>

/**
 * json_ascii() - convert @json to text.
 * @json: the value.
 * @flags: jansson's flags for the layout.
 *
 * Return: the text, which the caller frees, or NULL when memory is short.
 */
char *json_ascii(const json_t *json, size_t flags);

/**
 * json_text() - convert @text to a quoted JSON string; each byte that is not
 * UTF-8 becomes U+FFFD. Return: the string, which the caller frees, or NULL.
 */
char *json_text(const char *text);

#endif /* FLAMECTL_JSON_TEXT_H */
