// SPDX-License-Identifier: GPL-2.0
/*
 * Look for names of user functions during a recording: at its end their files may be
 * gone. See recording.h.
 */
#include "cmd/recording.h"

#include <errno.h>
#include <string.h>

#include "profile/settings.h"

/*
 * How often to look. A file that is gone sooner leaves its functions without names; each
 * look makes the module drain its CPUs, as it does by itself a few times a second.
 */
#define NAMES_NS	(NSEC_PER_SEC / 4)

/* How often to look if no file or text is new, as "top" does. */
#define ALL_NAMES_NS	(2 * NSEC_PER_SEC)

/* How many times to look for names of new code, each time if it has run since the last. */
#define CODE_LOOKS	8

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
	       r->named_ns + NAMES_NS : UINT64_MAX;
}

/*
 * A status costs little. Text that is new to the module is read at once, as its file may
 * be gone soon; a file that was read once stays open, so that further functions in it
 * can wait. Stacks by frame pointers are often in code made at run time. If there are some
 * after a time without any, or after a new file, a process may have begun to make code. Its
 * map may be written later than the code runs first, so it is looked for a few times; in a
 * container it may be gone soon, but stays open once it was looked at.
 */
static bool is_new(struct recording *r, const struct profile_user_stacks *now)
{
	struct profile_user_stacks before = r->named;
	bool made_code = r->makes_code;

	r->makes_code = now->sides[FLAMEMOD_USER_BY_FP] != before.sides[FLAMEMOD_USER_BY_FP];
	r->named = *now;
	if (now->files != before.files || (r->makes_code && !made_code))
		r->code_looks = CODE_LOOKS;
	if (now->files != before.files || now->rows_bytes != before.rows_bytes)
		return true;
	if (r->makes_code && r->code_looks) {
		r->code_looks--;
		return true;
	}
	return r->named_ns - r->all_named_ns >= ALL_NAMES_NS;
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

/* If the module cannot be read, as may be for a moment, the recording's end says why. */
int recording_name(struct recording *r, uint64_t now_ns, bool (*is_late)(void *context),
		   void *context, struct error *error)
{
	struct profile *now;
	bool is_due;
	int err;

	r->named_ns = now_ns;
	if (nl_status(r->nl, &now, error))
		return 0;
	is_due = is_new(r, &now->meta.user_stacks);
	profile_destroy(now);
	if (!is_due || nl_dump(r->nl, false, &now, error))
		return 0;
	r->all_named_ns = now_ns;
	err = learn(r, now, is_late, context, error);
	profile_destroy(now);
	if (err != -EAGAIN)
		return err;
	/* the next look has the rest */
	memset(&r->named, 0, sizeof(r->named));
	return 0;
}
