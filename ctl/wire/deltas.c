// SPDX-License-Identifier: GPL-2.0
/*
 * Compute differences of dumps: see deltas.h. The later dump is rebuilt from
 * the earlier dump and the difference, so that it need not be kept besides.
 */
#include "wire/deltas.h"

#include <errno.h>
#include <string.h>

#include "profile/join.h"
#include "wire/live_event.h"

void deltas_forget(struct deltas *deltas)
{
	profile_destroy(deltas->seen);
	deltas->seen = NULL;
}

/* Reduce @now to what was sampled since the last look. */
static int subtract(struct deltas *deltas, struct profile *now,
		    struct error *error)
{
	struct profile *seen = deltas->seen;
	int err;

	if (seen && seen->meta.epoch != now->meta.epoch)
		deltas_forget(deltas);
	if (deltas->seen) {
		err = profile_subtract(now, seen, error);
		if (err)
			return err;
	} else {
		deltas->seen = profile_create();
	}
	err = deltas->seen ? profile_join(deltas->seen, now, NULL) : -ENOMEM;
	if (err)
		return error_set(error, err, "%s", strerror(-err));
	deltas->seen->meta = now->meta;
	return 0;
}

int deltas_next(struct deltas *deltas, struct profile **delta,
		struct error *error)
{
	struct profile *now;
	int err = live_event_dump(deltas->nl, deltas->event, &now, error);

	if (!err) {
		err = subtract(deltas, now, error);
		if (err)
			profile_destroy(now);
	}
	if (err) {
		deltas_forget(deltas);
		return err;
	}
	*delta = now;
	return 0;
}
