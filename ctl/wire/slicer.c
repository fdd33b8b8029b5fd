// SPDX-License-Identifier: GPL-2.0
/*
 * Collect what the module samples during a recording: see slicer.h.
 */
#include "wire/slicer.h"

#include <errno.h>
#include <string.h>

#include "base/child.h"
#include "base/clock.h"
#include "profile/join.h"
#include "profile/slices.h"

/* The module keeps what it had at a reset for 5 minutes. */
#define CHECK_NS	(100 * NSEC_PER_SEC)

int slicer_start(struct slicer *slicer, struct error *error)
{
	return deltas_start(&slicer->deltas, error);
}

/* @before: set to the periods of the command's process before it ran the command. */
static int reduce(const struct slicer *slicer, struct profile *delta, uint64_t *before,
		  struct error *error)
{
	int err = profile_check(delta, error);
	uint64_t filtered;

	if (!err && slicer->only)
		err = profile_keep_pids(delta, slicer->only->pids,
					slicer->only->nr_pids, error);
	if (!err && slicer->only_followed)
		err = profile_keep_followed(delta, error);
	filtered = delta->books.filtered;
	if (!err && slicer->has_child)
		err = profile_leave_out_task(delta, slicer->child, CHILD_COMM, error);
	*before = delta->books.filtered - filtered;
	return err;
}

static int refuse(int err, struct error *error)
{
	return error_set(error, err, "cannot keep a part of the recording: %s", strerror(-err));
}

/* Append a slice to the events, too. */
static int add_events(struct slicer *slicer, uint64_t end_ns, struct error *error)
{
	struct events now = { .nr = 0 };
	int err = 0;

	if (slicer->last) {
		now = *slicer->last;
		slicer->last->nr = 0;
	} else {
		err = nl_dump_events(slicer->deltas.nl, &now, error);
	}
	return err ?: event_slices_add(&slicer->events, &now, slicer->end_ns, end_ns, error);
}

/* Keep the slices of the samples and of all events within their bound. */
static int bound(const struct slicer *slicer)
{
	struct profile *profiles[EVENTS_MAX + 1] = { slicer->profile };
	unsigned int nr = slicer->events.cut.nr;

	for (unsigned int i = 0; i < nr; i++)
		profiles[i + 1] = slicer->events.cut.list[i].profile;
	return slices_bound(profiles, nr + 1);
}

static int add_slice(struct slicer *slicer, const struct profile *delta, struct error *error)
{
	uint64_t end_ns = delta->meta.instant_ns - slicer->since_ns;
	int err;

	/*
	 * the clock stood still, or the start was estimated a little too late
	 */
	if (delta->meta.instant_ns < slicer->since_ns ||
	    end_ns <= slicer->end_ns)
		end_ns = slicer->end_ns + 1;
	err = slices_append(slicer->profile, delta, slicer->end_ns, end_ns);
	if (!err && slicer->counts) {
		err = add_events(slicer, end_ns, error);
		if (err)
			return err;
	}
	err = err ?: bound(slicer);
	slicer->end_ns = end_ns;
	return err ? refuse(err, error) : 0;
}

static int join(struct slicer *slicer, const struct profile *delta, struct error *error)
{
	int err = profile_join(slicer->profile, delta, NULL);

	return err ? refuse(err, error) : 0;
}

/* Add @delta, which is taken over. */
static int add(struct slicer *slicer, struct profile *delta, struct error *error)
{
	int err = 0;

	if (slicer->profile && slicer->profile->meta.period_ns != delta->meta.period_ns) {
		slicer->deltas.restarted = true;
		profile_destroy(slicer->profile);
		slicer->profile = NULL;
		slicer->before_command = 0;
		event_slices_restart(&slicer->events);
	}
	if (!slicer->profile && !slicer->slice_ns) {
		slicer->profile = delta;
		return 0;
	}
	slicer->profile = slicer->profile ?: profile_create();
	if (!slicer->profile)
		err = refuse(-ENOMEM, error);
	else if (slicer->slice_ns)
		err = add_slice(slicer, delta, error);
	else
		err = join(slicer, delta, error);
	if (!err)
		slicer->profile->meta = delta->meta;
	profile_destroy(delta);
	return err;
}

static int take(struct slicer *slicer, bool is_last, struct error *error)
{
	struct profile *delta;
	uint64_t before;
	int err = is_last ? deltas_last(&slicer->deltas, &delta, error) :
			    deltas_next(&slicer->deltas, &delta, error);

	if (err)
		return err;
	err = reduce(slicer, delta, &before, error);
	if (err) {
		profile_destroy(delta);
		return err;
	}
	err = add(slicer, delta, error);
	slicer->before_command += before;
	return err;
}

static uint64_t slice_due_ns(const struct slicer *slicer)
{
	unsigned int nr_joined = slicer->profile && slicer->profile->slices ?
				 slicer->profile->slices->nr_joined : 0;
	uint64_t each_ns = slicer->slice_ns << nr_joined;

	if (!slicer->slice_ns)
		return UINT64_MAX;
	return slicer->since_ns +
	       ((slicer->end_ns + each_ns / 2) / each_ns + 1) * each_ns;
}

static uint64_t check_due_ns(const struct slicer *slicer)
{
	return (slicer->checked_ns ?: slicer->since_ns) + CHECK_NS;
}

uint64_t slicer_due_ns(const struct slicer *slicer)
{
	uint64_t slice_ns = slice_due_ns(slicer), check_ns = check_due_ns(slicer);

	return slice_ns < check_ns ? slice_ns : check_ns;
}

/* Take what the module keeps, if others have reset it. */
static int check(struct slicer *slicer, struct error *error)
{
	struct profile *status;
	uint32_t epoch;
	int err = nl_status(slicer->deltas.nl, &status, error);

	if (err)
		return err;
	epoch = status->meta.epoch;
	profile_destroy(status);
	return epoch == slicer->deltas.epoch ? 0 : take(slicer, false, error);
}

int slicer_run(struct slicer *slicer, struct error *error)
{
	uint64_t now_ns = clock_monotonic_ns();

	slicer->checked_ns = now_ns;
	return now_ns >= slice_due_ns(slicer) ? take(slicer, false, error) :
						check(slicer, error);
}

int slicer_finish(struct slicer *slicer, struct profile **profile,
		  struct error *error)
{
	uint64_t end_ns;
	int err = take(slicer, true, error) ?:
		  slices_finish(slicer->profile, error);

	for (unsigned int i = 0; i < slicer->events.cut.nr && !err; i++)
		err = slices_finish(slicer->events.cut.list[i].profile, error);
	if (err)
		return err;
	*profile = slicer->profile;
	slicer->profile = NULL;
	end_ns = (*profile)->meta.instant_ns;
	(*profile)->meta.duration_ns = profile_sampled_ns(*profile) ?:
		end_ns > slicer->since_ns ? end_ns - slicer->since_ns : 1;
	(*profile)->meta.begin_ns = slicer->since_ns;
	return 0;
}

void slicer_deinit(struct slicer *slicer)
{
	deltas_forget(&slicer->deltas);
	event_slices_deinit(&slicer->events);
	profile_destroy(slicer->profile);
	slicer->profile = NULL;
}
