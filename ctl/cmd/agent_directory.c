// SPDX-License-Identifier: GPL-2.0
/*
 * The directory of the agent that the service manager runs, and whether that one samples:
 * see agent.h and agent_runs.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/agent.h"
#include "cmd/agent_runs.h"

/* The service manager may name several directories, separated by colons. */
const char *agent_directory(char **copy)
{
	const char *directories = getenv("STATE_DIRECTORY");

	*copy = NULL;
	if (!directories || *directories != '/')
		return AGENT_DIRECTORY;
	*copy = strndup(directories, strcspn(directories, ":"));
	return *copy ?: AGENT_DIRECTORY;
}

/* Does the agent sample? One that is paused does not. */
static bool samples(struct spool *spool)
{
	char boot[WINDOW_BOOT];
	struct error ignored;
	struct pause_now now;
	struct pause pause;

	if (!spool_is_owned(spool) || agent_boot(boot, &ignored) ||
	    spool_pause(spool, &pause, &ignored))
		return false;
	now = agent_pause_now(boot);
	return !pause_is_held(&pause, &now);
}

const char *agent_runs_advice(void)
{
	struct spool spool = { .limits = SPOOL_LIMITS_DEFAULT };
	const char *advice = "";
	struct error ignored;
	char *copy;
	int err = spool_open(&spool, agent_directory(&copy), false, &ignored);

	if (!err && samples(&spool))
		advice = "flamectl agent pause 10m lets the agent stop meanwhile, or ";
	else if (err == -EACCES)
		advice = "if it is the agent's, let root pause it with flamectl agent pause 10m, or ";
	spool_close(&spool);
	free(copy);
	return advice;
}
