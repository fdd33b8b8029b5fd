/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts of other tools and the records that they become, for tests.
 */
#ifndef IMPORTED_H
#define IMPORTED_H

#include "format/import/import.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/** import() - parse a text. @profile: set, to be freed by the caller also on an error. */
int import(import_fn parse, const struct import_options *options,
	   const char *text, size_t length, struct profile **profile,
	   struct error *error);

/**
 * print_records() - print "comm pid/tid [cpu] context stack count periods", a line
 * each record; a stack is "root.k;...;leaf.m", each frame with the first letter
 * of its kind, or "-". To be freed.
 */
char *print_records(const struct profile *profile);

struct shape {
	const char *text, *records;
};

/** expect_shapes() - check that each text becomes its records, and is safe cut anywhere. */
void expect_shapes(import_fn parse, const struct shape *shapes, size_t nr);

struct refusal {
	const char *text, *why;
	struct import_options options;
};

/** expect_refusals() - check that each text is refused with that message. */
void expect_refusals(import_fn parse, const struct refusal *refusals, size_t nr);

struct remark {
	const char *text, *note;	/* the first note */
	unsigned int nr;
};

/** expect_notes() - check that each text is read, with that number of notes. */
void expect_notes(import_fn parse, const struct remark *remarks, size_t nr);

#endif /* IMPORTED_H */
