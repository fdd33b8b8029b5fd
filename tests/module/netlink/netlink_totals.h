/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts the outcomes of a run, so that a run that reached nothing can be detected.
 */
#ifndef NETLINK_TOTALS_H
#define NETLINK_TOTALS_H

#include "netlink_judge.h"
#include "netlink_reply.h"

#define ERRNO_MAX	134

struct totals {
	uint64_t messages, datagrams, bytes, whole, abandoned, overruns;
	uint64_t verdicts[NR_VERDICTS];
	uint64_t done[256][2], refused[256][2];	/* by command; do, dump */
	uint64_t errors[ERRNO_MAX];
	uint64_t named[2][64];			/* top, settings: by number */
	uint64_t dropped;			/* reasons of refusals */
};

/** totals_count() - count a judged message and its answer. */
void totals_count(struct totals *totals, const struct judgement *j, const struct answer *answer);

/** totals_add() - add another thread's counts. */
void totals_add(struct totals *to, const struct totals *from);

/** totals_print() - print a line for each number that is not 0. */
void totals_print(const struct totals *totals);

#endif /* NETLINK_TOTALS_H */
