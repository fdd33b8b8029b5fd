/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Any bytes as a string of JSON.
 */
#ifndef FLAMECTL_JSON_TEXT_H
#define FLAMECTL_JSON_TEXT_H

/**
 * json_text() - @text in quotes, in ASCII: what steers a terminal is escaped,
 * each byte that is no UTF-8 becomes U+FFFD. Return: to be freed, or NULL.
 */
char *json_text(const char *text);

#endif /* FLAMECTL_JSON_TEXT_H */
