// SPDX-License-Identifier: GPL-2.0
/*
 * The agent pauses when somebody asks it to, and goes on by itself: see agent.h.
 *
 * It learns of it from the file "pause" in its directory, which inotify watches, and not
 * from a signal: that could reach another process.
 */
#include "cmd/agent.h"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/notify.h"
#include "cmd/command.h"
#include "profile/settings.h"

struct pause_now agent_pause_now(const char *boot)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (struct pause_now){
		.boot = boot,
		.boot_ns = (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec,
	};
}

void agent_pause_watch(struct agent *agent)
{
	agent->changes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (agent->changes < 0)
		return;
	/* files come by a rename, see disk.h; it may also be removed */
	if (inotify_add_watch(agent->changes, agent->directory, IN_MOVED_TO | IN_DELETE) < 0) {
		close(agent->changes);
		agent->changes = -1;
	}
}

static bool is_of_pause(const struct inotify_event *event)
{
	return event->mask & IN_Q_OVERFLOW || (event->len && !strcmp(event->name, PAUSE_FILE));
}

bool agent_pause_changed(const struct agent *agent)
{
	char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	bool changed = false;
	ssize_t size, at;

	while (agent->changes >= 0 && (size = read(agent->changes, events, sizeof(events))) > 0)
		for (at = 0; at < size;) {
			const struct inotify_event *event = (const void *)(events + at);

			changed |= is_of_pause(event);
			at += (ssize_t)(sizeof(*event) + event->len);
		}
	return changed;
}

uint64_t agent_pause_due_ns(const struct agent *agent)
{
	const struct pause_now now = agent_pause_now(agent->chain.boot);

	return agent->pause.begun ? pause_left_ns(&agent->pause, &now) : UINT64_MAX;
}

/* ---- begin ---- */

static int begin(struct agent *agent, struct pause pause, struct error *error)
{
	int err = agent->duty.is_off ? 0 : agent_module_reach(agent, error) ?:
					   agent_module_stop(agent, &pause, error);

	/* without the module nothing is sampled, and the dump fails in the same way */
	if (err && err != -ENODEV)
		return err;
	pause.begun = 1;
	if (agent->duty.is_off) {
		/* nothing is sampled for a window */
		pause.hz = agent->duty.hz;
		err = chain_note(&agent->chain, &pause, &(struct ledger){ .pauses = 1 }, error);
	} else {
		err = chain_pause(&agent->chain, agent->nl && !pause.shared, &pause, error);
	}
	if (err)
		return err;
	agent->pause = pause;
	/* the module's settings are as they were before the agent */
	agent_module_close(agent);
	command_fail(EXIT_DONE, "paused");
	notify_send("STATUS=paused");
	return 0;
}

/* ---- end ---- */

/* @pause: as it is now; that of another number, or none, ends this one as well. */
static int go_on(struct agent *agent, const struct pause *pause, struct error *error)
{
	struct pause over = *pause;
	int err;

	/* an agent that was started anew with another rate has that one */
	agent->resume_hz = agent->mask & SETTING(HZ) ? agent->settings.hz :
						       (uint32_t)agent->pause.hz;
	over.over = 1;
	if (agent->duty.is_off)
		err = chain_note(&agent->chain, pause->number ? &over : NULL,
				 &(struct ledger){ .made = 0 }, error);
	else
		err = agent_module_open(agent, error) ?:
		      chain_resume(&agent->chain, pause->number ? &over : NULL, error);
	if (err)
		return err;
	memset(&agent->pause, 0, sizeof(agent->pause));
	agent->resume_hz = 0;
	command_fail(EXIT_DONE, agent->duty.is_off ? "the pause is over" : "goes on after a pause");
	notify_send("STATUS=");
	return 0;
}

int agent_pause_check(struct agent *agent, struct error *error)
{
	const struct pause_now now = agent_pause_now(agent->chain.boot);
	struct pause pause;
	uint64_t left_ns;
	int err;

	err = spool_pause(&agent->spool, &pause, error);
	if (err)
		return err;
	/* an earlier agent may have begun it */
	if (pause_is_held(&pause, &now))
		agent->pause = pause;
	left_ns = pause_left_ns(&pause, &now);
	if (!left_ns)
		return agent->pause.begun ? go_on(agent, &pause, error) : 0;
	return pause.begun ? 0 : begin(agent, pause, error);
}
