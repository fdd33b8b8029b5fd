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

/** where_time() - write when windows start, as a condition on the table profiles. */
void where_time(FILE *out, const struct choice *choice);

/**
 * where_terms() - write all of a choice but its time: a condition on the columns host,
 * release, machine and labels.
 */
void where_terms(FILE *out, const struct choice *choice);

/** where_hosts() - write those terms of a choice that are about hosts. */
void where_hosts(FILE *out, const struct choice *choice);

/** where_choice() - write all of a choice, as a condition on the table profiles. */
void where_choice(FILE *out, const struct choice *choice);

#endif /* FLAMECTL_WHERE_H */
