// SPDX-License-Identifier: GPL-2.0
/*
 * Look for names of user functions during a recording: at its end their files may be
 * gone. See recording.h.
 */
#include "cmd/recording.h"

#include <errno.h>

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
	return takes_user_stacks(r) && !r->names.request.no_names ?
	       name_looks_due_ns(&r->looks) : UINT64_MAX;
}

/*
 * Look for what the recording will have, and not for all that the module holds. With
 * slices, the module's profile can only be reduced to the current slice; but a look that
 * stopped early left out functions of earlier ones, so then all are looked for.
 */
static int learn(struct recording *r, struct profile *now, bool (*is_late)(void *context),
		 void *context, struct error *error)
{
	int err = r->slicer.slice_ns ? 0 : recording_reduce(r, now, error);

	/* the recording's end reduces again, and says what is wrong */
	if (err)
		return err == -ENOMEM ? err : 0;
	return live_names_learn(&r->names, now, is_late, context, error);
}

/*
 * One look, which ends before recording_name() does. If the module cannot be read, as may
 * be for a moment, the recording's end says why. Return: 0, -ENOMEM, or -EAGAIN if
 * @is_late stopped it.
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
	err = learn(r, now, is_late, context, error);
	profile_destroy(now);
	return err;
}

int recording_name(struct recording *r, uint64_t now_ns, bool (*is_late)(void *context),
		   void *context, struct error *error)
{
	int err = look(r, now_ns, is_late, context, error);

	name_looks_end(&r->looks, now_ns, recording_now_ns(), err != -EAGAIN);
	return err == -EAGAIN ? 0 : err;
}
