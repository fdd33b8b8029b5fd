/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Get what the module sampled since the last look, repeatedly. It is the
 * difference of two dumps without reset, so other readers are not affected.
 */
#ifndef FLAMECTL_DELTAS_H
#define FLAMECTL_DELTAS_H

#include "base/error.h"
#include "profile/profile.h"
#include "wire/nl.h"

/* Before the first look all is zero except @nl and @event. */
struct deltas {
	struct nl *nl;			/* owned by the caller */
	const char *event;		/* as for live_event_dump() */
	struct profile *seen;		/* the whole profile at the last look */
};

/**
 * deltas_next() - look at the module and compute what is new.
 * @delta: set to what was sampled since the last look, to be freed by
 *	   profile_destroy(); at the first look, and after a reset, to all that
 *	   the module holds. Its instant_ns is that of this look.
 *
 * Return: 0, -errno as from nl_dump(), or -ERANGE if the module holds less than
 * before; the next look then counts as the first.
 */
int deltas_next(struct deltas *deltas, struct profile **delta,
		struct error *error);

/** deltas_forget() - free what is held, so that the next look is the first. */
void deltas_forget(struct deltas *deltas);

#endif /* FLAMECTL_DELTAS_H */
