/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Get what the module sampled since the last look, repeatedly. It is the
 * difference of two dumps without reset, so other readers are not affected.
 *
 * If others reset the module between two looks, it keeps what it had until the next
 * one, which gets that and what came after the reset: see nl_dump_epoch().
 */
#ifndef FLAMECTL_DELTAS_H
#define FLAMECTL_DELTAS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"
#include "wire/nl.h"

/* Before the first look all is zero except @nl and @event. */
struct deltas {
	struct nl *nl;			/* owned by the caller */
	const char *event;		/* as for live_event_dump() */
	struct profile *seen;		/* the whole profile at the last look */
	uint32_t epoch;			/* of the last look; 0: none */
	bool keeps_none;		/* the module is older, and keeps nothing at a reset */
	bool missed;			/* there was a reset, and it did not keep all */
	bool restarted;			/* others started sampling anew, at another rate */
};

/**
 * deltas_start() - look for the first time: what the module holds now is not new.
 *
 * Return: 0 or -errno, as deltas_next().
 */
int deltas_start(struct deltas *deltas, struct error *error);

/**
 * deltas_next() - look at the module and compute what is new.
 * @delta: set to what was sampled since the last look, to be freed by
 *	   profile_destroy(); at the first look to all that the module holds. If it did not
 *	   keep what it had at a reset, deltas->missed is set, and it is what came after
 *	   the reset. If the rate has changed, deltas->restarted is set, and it is what came
 *	   at the new one. Its instant_ns is that of this look.
 *
 * Return: 0, -errno as from nl_dump(), or -ERANGE if the module holds less than
 * before; the next look then counts as the first.
 */
int deltas_next(struct deltas *deltas, struct profile **delta,
		struct error *error);

/** deltas_last() - do the same, and forget everything: it costs less. */
int deltas_last(struct deltas *deltas, struct profile **delta, struct error *error);

/** deltas_forget() - free what is held, so that the next look is the first. */
void deltas_forget(struct deltas *deltas);

#endif /* FLAMECTL_DELTAS_H */
