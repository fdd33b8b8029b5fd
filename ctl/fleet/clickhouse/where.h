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
 * where_terms() - write all of a choice but its time and its event: a condition on the columns host,
 * release, machine and labels.
 */
void where_terms(FILE *out, const struct choice *choice);

/** where_hosts() - write those terms of a choice that are about hosts. */
void where_hosts(FILE *out, const struct choice *choice);

/* Which rows of the table profiles are of samples, of which rollups are made. */
#define WHERE_SAMPLES	"event = ''"

/** where_event() - write of which event rows are, as a condition on the table profiles. */
void where_event(FILE *out, const struct choice *choice);

/** where_choice() - write all of a choice, as a condition on the table profiles. */
void where_choice(FILE *out, const struct choice *choice);

/*
 * The numbers of cgroups of a window's rows, to be joined as an array, and the cgroup of a
 * row then; "" where they are not kept.
 */
#define WHERE_CGROUPS	"if(empty(cgroup), arrayMap(n -> toUInt16(0), sid), cgroup) AS gn"
#define WHERE_CGROUP	"if(gn = 0, '', cgroups[gn])"

/**
 * where_cgroups() - write which rows are of the cgroups that are chosen, as a condition on
 * WHERE_CGROUP; all are if none is.
 */
void where_cgroups(FILE *out, const struct choice *choice);

#endif /* FLAMECTL_WHERE_H */
