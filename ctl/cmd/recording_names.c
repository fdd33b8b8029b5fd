// SPDX-License-Identifier: GPL-2.0
/*
 * Look for names of user functions and cgroups during a recording: at its end their files
 * and directories may be gone. See recording.h.
 */
#include "cmd/recording.h"

#include "base/clock.h"
#include "profile/join.h"
#include "profile/settings.h"

/* Report whether the module's profile may have user stacks, maybe of earlier samples. */
static bool may_have_user_stacks(const struct recording *r)
{
	return recording_takes_user_stacks(r) || r->status->meta.user_stacks.known;
}

/* How often all cgroups are walked: 958 directories, of sysfs, took 7 ms. */
#define CGROUPS_NS	NSEC_PER_SEC

static uint64_t functions_due_ns(const struct recording *r)
{
	if (!may_have_user_stacks(r) || r->names.request.no_names)
		return UINT64_MAX;
	return name_search_due_ns(&r->search);
}

uint64_t recording_names_due_ns(const struct recording *r)
{
	uint64_t functions_ns = functions_due_ns(r), cgroups_ns = r->names.cgroups_due_ns;

	return functions_ns < cgroups_ns ? functions_ns : cgroups_ns;
}

/*
 * Look for what the recording will have, and not for all that the module holds. Once a part
 * was taken, the module's profile can only be reduced to what came since then; but a look
 * that stopped early left out functions of that part, so then all are looked for.
 */
static int reduce(const struct recording *r, struct profile *now, struct error *error)
{
	return r->slicer.profile ? 0 : recording_reduce(r, now, error);
}

/* Add the stacks of events: a process may never be seen on a CPU. */
static int add_events(const struct recording *r, struct profile *now, struct error *error)
{
	struct events events;
	int err = 0;

	if (!recording_counts(r) || nl_dump_ended(r->nl, &events, error))
		return 0;
	for (unsigned int i = 0; i < events.nr && !err; i++)
		err = profile_join(now, events.list[i].profile, NULL);
	events_deinit(&events);
	return err;
}

static int reduce_for_names(void *context, struct profile *now, struct error *error)
{
	const struct recording *r = context;

	return reduce(r, now, error) ?: add_events(r, now, error);
}

int recording_name(struct recording *r, uint64_t now_ns, bool (*is_late)(void *context),
		   void *context, struct error *error)
{
	const struct name_source source = {
		.nl = r->nl, .names = &r->names, .reduce = reduce_for_names, .context = r,
		/* else the module itself leaves others out */
		.selects = r->running && (r->slicer.only || r->only),
	};
	int err = live_names_learn_cgroups(&r->names, now_ns, CGROUPS_NS, error);

	if (err || now_ns < functions_due_ns(r))
		return err;
	return name_search_run(&r->search, &source, now_ns, is_late, context, error);
}
