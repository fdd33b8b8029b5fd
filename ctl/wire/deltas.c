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
	deltas->epoch = 0;
}

/* Get the oldest epoch that was not had, or the current one. */
static int dump(struct deltas *deltas, struct profile **now, struct error *error)
{
	int err;

	if (deltas->event || deltas->keeps_none)
		return live_event_dump(deltas->nl, deltas->event, now, error);
	err = nl_dump_epoch(deltas->nl, deltas->epoch, false, now, error);
	if (err == -EPROTONOSUPPORT)
		deltas->keeps_none = true;
	else if (err != -EUSERS)
		return err;
	/* without it, what came before a reset by others is missed */
	return nl_dump(deltas->nl, false, now, error);
}

/* Reduce @now to what was sampled since the last look. */
static int subtract(struct deltas *deltas, struct profile *now, bool is_last,
		    struct error *error)
{
	bool is_closed = now->meta.is_closed;
	int err = 0;

	if (deltas->epoch && deltas->epoch != now->meta.epoch) {
		deltas->missed = true;
		deltas_forget(deltas);
	}
	if (deltas->seen)
		err = profile_subtract(now, deltas->seen, error);
	if (err)
		return err;
	if (is_closed || is_last) {
		deltas_forget(deltas);
		deltas->epoch = now->meta.epoch + is_closed;
		return 0;
	}
	deltas->epoch = now->meta.epoch;
	deltas->seen = deltas->seen ?: profile_create();
	err = deltas->seen ? profile_join(deltas->seen, now, NULL) : -ENOMEM;
	if (err)
		return error_set(error, err, "%s", strerror(-err));
	deltas->seen->meta = now->meta;
	return 0;
}

/* Add @now, which is freed, to @sum, of earlier epochs; NULL: there are none. */
static int add(struct deltas *deltas, struct profile **sum, struct profile *now,
	       struct error *error)
{
	int err;

	if (*sum && (*sum)->meta.period_ns != now->meta.period_ns) {
		deltas->restarted = true;
		profile_destroy(*sum);
		*sum = NULL;
	}
	if (!*sum) {
		*sum = now;
		return 0;
	}
	err = profile_join(*sum, now, NULL);
	if (err)
		error_set(error, err, "%s", strerror(-err));
	(*sum)->meta = now->meta;
	profile_destroy(now);
	return err;
}

static int look(struct deltas *deltas, bool is_last, struct profile **delta,
		struct error *error)
{
	struct profile *sum = NULL, *now;
	bool is_closed;
	int err;

	do {
		err = dump(deltas, &now, error);
		if (err)
			break;
		is_closed = now->meta.is_closed;
		err = subtract(deltas, now, is_last, error);
		if (err)
			profile_destroy(now);
		else
			err = add(deltas, &sum, now, error);
	} while (!err && is_closed);
	if (err) {
		profile_destroy(sum);
		deltas_forget(deltas);
		return err;
	}
	*delta = sum;
	return 0;
}

int deltas_start(struct deltas *deltas, struct error *error)
{
	struct profile *now;
	int err;

	deltas_forget(deltas);
	err = dump(deltas, &now, error);
	if (err)
		return err;
	deltas->seen = now;
	deltas->epoch = now->meta.epoch;
	return 0;
}

int deltas_next(struct deltas *deltas, struct profile **delta,
		struct error *error)
{
	return look(deltas, false, delta, error);
}

int deltas_last(struct deltas *deltas, struct profile **delta, struct error *error)
{
	return look(deltas, true, delta, error);
}
