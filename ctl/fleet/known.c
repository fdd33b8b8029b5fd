// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks that a server is known to have: see known.h.
 */
#include "fleet/known.h"

#include <time.h>

#define SECONDS_KNOWN	3600

/* Forget what was found out in another hour. */
static void forget_old(struct target *target)
{
	uint64_t hour = (uint64_t)time(NULL) / SECONDS_KNOWN;

	if (target->known_hour != hour)
		known_forget(target);
	target->known_hour = hour;
}

int known_encode(struct target *target, struct sender *sender,
		 const struct target_window *windows, size_t nr,
		 struct target_requests *requests, struct error *error)
{
	const struct target_kind *kind = target->kind;
	struct error ignored;
	size_t known;
	int err;

	forget_old(target);
	known = target->known.nr;
	err = kind->encode(target, windows, nr, requests, error);
	if (err || !kind->ask_known || requests->stacks.nr < KNOWN_ASK_MIN)
		return err;
	if (kind->ask_known(target, sender, &requests->stacks, &ignored) ||
	    target->known.nr == known)
		return 0;
	target_requests_deinit(requests);
	return kind->encode(target, windows, nr, requests, error);
}

void known_add(struct target *target, const struct target_requests *requests)
{
	/* without memory for one, it is sent again */
	for (size_t i = 0; i < requests->stacks.nr; i++)
		if (id_set_add(&target->known, requests->stacks.ids[i]))
			return;
}

void known_forget(struct target *target)
{
	id_set_deinit(&target->known);
}
