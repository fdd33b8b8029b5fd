/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module sampled since the last look, again and again. It is a
 * difference of dumps without reset, so that no other reader notices.
 */
#ifndef FLAMECTL_DELTAS_H
#define FLAMECTL_DELTAS_H

#include "base/error.h"
#include "profile/profile.h"
#include "wire/nl.h"

/* Zeroed but for @nl, it has seen nothing. */
struct deltas {
	struct nl *nl;			/* the caller's */
	struct profile *seen;		/* all of it, as of the last look */
};

/**
 * deltas_next() - look.
 * @delta: set to what was sampled since the last look, to be freed by
 *	   profile_destroy(); at the first look, and after a reset, all that is
 *	   held. Its instant_ns is that of this look.
 *
 * Return: 0, or -errno as of nl_dump(), or -ERANGE where the module holds less
 * than before; then nothing was seen, and the next look begins anew.
 */
int deltas_next(struct deltas *deltas, struct profile **delta,
		struct error *error);

/** deltas_forget() - the next look is the first; frees what was held. */
void deltas_forget(struct deltas *deltas);

#endif /* FLAMECTL_DELTAS_H */
