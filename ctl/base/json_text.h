/* SPDX-License-Identifier: GPL-2.0 */
/*
 * JSON in plain ASCII: whatever bytes it was made from, it steers no terminal.
 */
#ifndef FLAMECTL_JSON_TEXT_H
#define FLAMECTL_JSON_TEXT_H

#include <stddef.h>

#include <jansson.h>

/**
 * json_ascii() - @json as text.
 * @flags: jansson's, for how it is laid out.
 *
 * Return: to be freed, or NULL.
 */
char *json_ascii(const json_t *json, size_t flags);

/**
 * json_text() - @text in quotes; each byte of it that is no UTF-8 becomes
 * U+FFFD. Return: to be freed, or NULL.
 */
char *json_text(const char *text);

#endif /* FLAMECTL_JSON_TEXT_H */
