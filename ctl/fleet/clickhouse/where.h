/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Choices and texts as SQL. All texts that come from outside go through here, so that
 * none of them can end its quotes.
 */
#ifndef FLAMECTL_WHERE_H
#define FLAMECTL_WHERE_H

#include <stdio.h>

#include "fleet/choice.h"

/** where_text() - write @text in quotes. */
void where_text(FILE *out, const char *text);

/** where_choice() - write a condition on the table profiles; "1" chooses all. */
void where_choice(FILE *out, const struct choice *choice);

#endif /* FLAMECTL_WHERE_H */
