// SPDX-License-Identifier: GPL-2.0
/*
 * The pause in the spool's directory: see spool.h.
 */
#include "agent/spool_private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/disk.h"

/* Under the lock. A damaged file is set aside: there is no pause then. */
static int read_pause(struct spool *spool, struct pause *pause, struct error *error)
{
	int err = pause_read(spool->state, pause, error);

	return err == -EBADMSG ? spool_set_aside(spool, spool->state, PAUSE_FILE, error) : err;
}

int spool_pause(struct spool *spool, struct pause *pause, struct error *error)
{
	int err = spool_look(spool, error);

	if (err)
		return err;
	err = pause_read(spool_place(spool, spool->state, PAUSE_FILE), pause, error);
	spool_leave(spool);
	return err == -EBADMSG ? 0 : err;
}

int spool_pause_ask(struct spool *spool, const struct pause_now *now, uint64_t ns,
		    struct pause *pause, struct error *error)
{
	int err = spool_enter(spool, error);

	if (err)
		return err;
	err = read_pause(spool, pause, error);
	if (!err) {
		/* one that the agent is in is made longer or shorter */
		if (!pause_is_held(pause, now))
			*pause = (struct pause){ .number = pause->number + 1 };
		snprintf(pause->boot, sizeof(pause->boot), "%s", now->boot);
		pause->asked_ns = now->boot_ns;
		pause->until_ns = now->boot_ns + ns;
		err = pause_write(spool->state, pause, error);
	}
	spool_leave(spool);
	return err;
}

int spool_pause_end(struct spool *spool, const struct pause_now *now, struct pause *pause,
		    struct error *error)
{
	int err = spool_enter(spool, error);

	if (err)
		return err;
	err = read_pause(spool, pause, error);
	if (!err && (pause_left_ns(pause, now) || pause_is_held(pause, now))) {
		/* the agent goes on as if its time had passed; without one it is over */
		pause->until_ns = pause->asked_ns;
		pause->over = !pause->begun;
		err = pause_write(spool->state, pause, error);
	}
	spool_leave(spool);
	return err;
}

int spool_pause_change(const struct spool *spool, const struct pause *changed,
		       struct pause *pause, bool *applies, struct error *error)
{
	int err = pause_read(spool->state, pause, error);

	if (err == -EBADMSG)
		err = 0;
	/* what was asked for since is not lost; it is not over if it was made longer */
	*applies = !err && pause->number == changed->number &&
		   (!changed->over || pause->until_ns == changed->until_ns);
	pause->begun = changed->begun;
	pause->over = changed->over;
	pause->shared = changed->shared;
	pause->hz = changed->hz;
	return err;
}
