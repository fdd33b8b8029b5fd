// SPDX-License-Identifier: GPL-2.0
/*
 * Look for names of user functions during a recording: at its end their files may be
 * gone. See recording.h.
 */
#include "cmd/recording.h"

#include <errno.h>

#include "profile/join.h"
#include "profile/settings.h"

static bool takes_user_stacks(const struct recording *r)
{
	const struct profile_meta *before = &r->status->meta;

	if (r->mask & SETTING(USER_STACKS) && r->settings.user_stacks)
		return true;
	return before->user_stacks.known || before->settings.user_stacks;
}

uint64_t recording_names_due_ns(const struct recording *r)
{
	if (!takes_user_stacks(r) || r->names.request.no_names)
		return UINT64_MAX;
	return r->sought ? 0 : name_looks_due_ns(&r->looks);
}

/*
 * Look for what the recording will have, and not for all that the module holds. With
 * slices, the module's profile can only be reduced to the current slice; but a look that
 * stopped early left out functions of earlier ones, so then all are looked for.
 */
static int reduce(const struct recording *r, struct profile *now, struct error *error)
{
	return r->slicer.slice_ns ? 0 : recording_reduce(r, now, error);
}

/* Add the stacks of events of tasks: a process may never be seen on a CPU. */
static int add_events(const struct recording *r, struct profile *now, struct error *error)
{
	struct events events;
	int err = 0;

	if (!(r->tasks.off_cpu || r->tasks.wall) || nl_dump_events(r->nl, &events, error))
		return 0;
	for (unsigned int i = 0; i < events.nr && !err; i++)
		err = profile_join(now, events.list[i].profile, NULL);
	events_deinit(&events);
	return err;
}

/*
 * Read the module's profile if it has something new. The maps of processes that make code
 * are read at once, as they may be gone first. If the module cannot be read, as may be for
 * a moment, the recording's end says why.
 *
 * Return: 0, -ENOMEM, or -EAGAIN if @is_late stopped it.
 */
static int look(struct recording *r, uint64_t now_ns, bool (*is_late)(void *context),
		void *context, struct error *error)
{
	struct profile *now;
	bool reads;
	int err;

	if (nl_status(r->nl, &now, error))
		return 0;
	reads = name_looks_reads(&r->looks, now_ns, &now->meta.user_stacks);
	profile_destroy(now);
	if (!reads || nl_dump(r->nl, false, &now, error))
		return 0;
	err = reduce(r, now, error) ?: add_events(r, now, error);
	if (err) {
		profile_destroy(now);
		return err == -ENOMEM ? err : 0;
	}
	profile_destroy(r->sought);
	r->sought = now;
	return live_names_learn_jit(&r->names, now, is_late, context, error);
}

/* When to stop reading symbols. */
struct reading {
	const struct recording *r;
	bool (*is_late)(void *context);
	void *context;
};

static bool another_look_is_due(void *context)
{
	const struct reading *reading = context;

	return clock_monotonic_ns() >= name_looks_due_ns(&reading->r->looks) ||
	       reading->is_late(reading->context);
}

/*
 * Read symbols of the files in the profile that was read last. For large programs that
 * takes long, and meanwhile processes end that no look has seen, so the next look comes
 * first; its profile has these files, too.
 */
static int read_symbols(struct recording *r, bool (*is_late)(void *context),
			void *context, struct error *error)
{
	struct reading reading = { r, is_late, context };
	int err = live_names_learn_files(&r->names, r->sought, another_look_is_due,
					 &reading, error);

	if (err == -EAGAIN)
		return 0;
	profile_destroy(r->sought);
	r->sought = NULL;
	return err;
}

int recording_name(struct recording *r, uint64_t now_ns, bool (*is_late)(void *context),
		   void *context, struct error *error)
{
	int err = 0;

	if (now_ns >= name_looks_due_ns(&r->looks)) {
		err = look(r, now_ns, is_late, context, error);
		name_looks_end(&r->looks, now_ns, clock_monotonic_ns(), err != -EAGAIN);
	}
	if (err)
		return err == -EAGAIN ? 0 : err;
	return r->sought ? read_symbols(r, is_late, context, error) : 0;
}
