// SPDX-License-Identifier: GPL-2.0
/*
 * Ask the agent that runs to pause or to go on, and wait until it has: see agent.h. So a
 * recording that is started next finds the module free.
 */
#include "cmd/agent.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/number.h"
#include "cmd/command.h"

/* A window is made first, which may take some seconds on a slow disk. */
#define ANSWER_NS	(30 * NSEC_PER_SEC)

static int open_spool(struct agent *agent, char boot[WINDOW_BOOT], struct error *error)
{
	return agent_boot(boot, error) ?:
	       spool_open(&agent->spool, agent->directory, false, error);
}

/*
 * Wait until the pause has begun, or is over. Return: 0 with @pause as it is then, -ESRCH if
 * no agent runs, -EAGAIN if it takes too long, or another -errno.
 */
static int await(struct agent *agent, bool over, struct pause *pause, struct error *error)
{
	const struct timespec moment = { .tv_nsec = 20000000 };
	uint64_t end_ns = clock_monotonic_ns() + ANSWER_NS;
	int err;

	do {
		err = spool_pause(&agent->spool, pause, error);
		if (err || (over ? pause->over : pause->begun))
			return err;
		nanosleep(&moment, NULL);
	} while (spool_is_owned(&agent->spool) && clock_monotonic_ns() < end_ns);
	return spool_is_owned(&agent->spool) ?
	       error_set(error, -EAGAIN, "the agent has not answered yet: see flamectl agent status, and its log") :
	       error_set(error, -ESRCH, "no agent runs");
}

static int failed(struct agent *agent, const char *what, const struct error *error)
{
	spool_close(&agent->spool);
	return command_fail(EXIT_FAILED, "cannot %s the agent of %.200s: %s", what,
			    agent->directory, error->text);
}

int agent_ask_pause(struct agent *agent, uint64_t ns)
{
	char boot[WINDOW_BOOT], time[DURATION_TEXT];
	struct error error = { "" };
	struct pause_now now;
	struct pause pause;
	int err = open_spool(agent, boot, &error);

	now = agent_pause_now(boot);
	err = err ?: spool_pause_ask(&agent->spool, &now, ns, &pause, &error) ?:
	      await(agent, false, &pause, &error);
	duration_text(time, ns);
	if (err == -ESRCH)
		printf("no agent runs; one that starts within %s pauses for the rest of it\n", time);
	else if (err)
		return failed(agent, "pause", &error);
	else
		printf("paused for %s; flamectl agent resume ends it%s\n", time, pause.shared ?
		       "; sampling goes on, because it ran before the agent started" : "");
	spool_close(&agent->spool);
	return command_printed(EXIT_DONE);
}

int agent_ask_resume(struct agent *agent)
{
	char boot[WINDOW_BOOT];
	struct error error = { "" };
	struct pause_now now;
	struct pause pause;
	int err = open_spool(agent, boot, &error);

	now = agent_pause_now(boot);
	err = err ?: spool_pause_end(&agent->spool, &now, &pause, &error);
	if (!err && pause_is_held(&pause, &now))
		err = await(agent, true, &pause, &error);
	if (err == -ESRCH)
		printf("no agent runs; the next one goes on at once\n");
	else if (err)
		return failed(agent, "resume", &error);
	else
		printf("the agent is not paused\n");
	spool_close(&agent->spool);
	return command_printed(EXIT_DONE);
}
