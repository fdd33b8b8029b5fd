// SPDX-License-Identifier: GPL-2.0
/*
 * Cut the events of a recording into slices: see event_slices.h.
 */
#include "wire/event_slices.h"

#include <errno.h>
#include <string.h>

#include "base/child.h"
#include "profile/slices.h"

/* Make the first look: nothing was seen before it. */
static int begin(struct event_slices *slices, const struct events *now)
{
	for (unsigned int i = 0; i < now->nr; i++) {
		struct profile *nothing = profile_create();

		if (!nothing)
			return -ENOMEM;
		nothing->meta.epoch = now->list[i].profile->meta.epoch;
		nothing->meta.instant_ns = now->list[i].profile->meta.since_ns;
		events_add(&slices->seen, now->list[i].name, nothing);
	}
	return 0;
}

static bool has_same(const struct events *a, const struct events *b)
{
	for (unsigned int i = 0; i < a->nr && a->nr == b->nr; i++)
		if (strcmp(a->list[i].name, b->list[i].name))
			return false;
	return a->nr == b->nr;
}

/* Leave out what the recording leaves out. */
static int reduce(const struct event_slices *slices, const char *name, struct profile *delta,
		  struct error *error)
{
	bool is_off = !strcmp(name, profile_event_name(FLAMEMOD_EVENT_OFF_CPU));
	int err = profile_check(delta, error);

	if (!err && slices->has_child)
		err = profile_leave_out_task(delta, slices->child, CHILD_COMM, error);
	if (!err && is_off && slices->states)
		err = profile_keep_states(delta, slices->states, error);
	return err;
}

/* Get what came to an event since the last look; @now becomes what was seen. */
static int advance(struct profile **seen, struct profile *now, struct profile **delta,
		   struct error *error)
{
	int err;

	/* a reset of the samples is none of the events */
	(*seen)->meta.epoch = now->meta.epoch;
	err = profile_difference(now, *seen, delta, error);
	if (err) {
		profile_destroy(now);
		return err;
	}
	profile_destroy(*seen);
	*seen = now;
	return 0;
}

/* Append a slice to the event number @at. */
static int add(struct event_slices *slices, unsigned int at, const struct profile *delta,
	       uint64_t begin_ns, uint64_t end_ns)
{
	struct events *cut = &slices->cut;
	struct profile *sum;
	int err;

	if (at == cut->nr) {
		sum = profile_create();
		if (!sum)
			return -ENOMEM;
		events_add(cut, slices->seen.list[at].name, sum);
	}
	sum = cut->list[at].profile;
	err = slices_append(sum, delta, begin_ns, end_ns);
	sum->meta = slices->seen.list[at].profile->meta;
	return err;
}

int event_slices_add(struct event_slices *slices, struct events *now, uint64_t begin_ns,
		     uint64_t end_ns, struct error *error)
{
	int err = slices->seen.nr ? 0 : begin(slices, now);

	if (err)
		error_set(error, err, "%s", strerror(-err));
	else if (!has_same(&slices->seen, now))
		err = error_set(error, -EBADMSG, "the module does not count the same events any more");
	for (unsigned int i = 0; i < now->nr && !err; i++) {
		struct profile *whole = now->list[i].profile, *delta;

		now->list[i].profile = NULL;
		err = advance(&slices->seen.list[i].profile, whole, &delta, error);
		if (err)
			break;
		err = reduce(slices, now->list[i].name, delta, error);
		if (!err) {
			err = add(slices, i, delta, begin_ns, end_ns);
			if (err)
				error_set(error, err, "cannot keep a part of the event %.100s: %s",
					  now->list[i].name, strerror(-err));
		}
		profile_destroy(delta);
	}
	events_deinit(now);
	return err;
}

void event_slices_restart(struct event_slices *slices)
{
	events_deinit(&slices->cut);
}

void event_slices_deinit(struct event_slices *slices)
{
	events_deinit(&slices->seen);
	events_deinit(&slices->cut);
}
