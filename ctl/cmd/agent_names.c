// SPDX-License-Identifier: GPL-2.0
/*
 * The agent's names of user functions and cgroups. It looks for them between windows, as a recording
 * does, since programs may be gone when their window is made: see agent.h.
 */
#include "cmd/agent.h"

#include <errno.h>
#include <signal.h>

#include "base/clock.h"

/* How often all cgroups are walked, at most. */
#define CGROUPS_NS	(5 * NSEC_PER_SEC)

/*
 * So long names may be looked for when a window is made: at 10 % of a CPU, 2 s of it. A
 * program can be made so that its names take hours.
 */
#define WINDOW_NS	(20 * NSEC_PER_SEC)

/* Names are forgotten after so long, so that what is kept for them stays bounded. */
#define NAMES_KEPT_NS	(3600 * NSEC_PER_SEC)

void agent_names_begin(struct agent *agent)
{
	agent->named_since_ns = clock_monotonic_ns();
	name_looks_begin(&agent->search.looks, &name_pace_agent, agent->named_since_ns);
}

static uint64_t functions_due_ns(const struct agent *agent)
{
	if (!agent->settings.user_stacks || agent->names.request.no_names)
		return UINT64_MAX;
	return name_search_due_ns(&agent->search);
}

uint64_t agent_names_due_ns(const struct agent *agent)
{
	uint64_t functions_ns = functions_due_ns(agent);

	if (!agent->nl || agent->pause.begun)
		return UINT64_MAX;
	return functions_ns < agent->names.cgroups_due_ns ? functions_ns :
							    agent->names.cgroups_due_ns;
}

/* A signal ends the agent: they are blocked meanwhile. */
static bool is_ended(void *context)
{
	sigset_t pending;

	(void)context;
	return !sigpending(&pending) && !sigisemptyset(&pending);
}

/* Something else is due, or the agent ends. */
static bool is_late(void *end_ns)
{
	return clock_monotonic_ns() >= *(const uint64_t *)end_ns || is_ended(NULL);
}

void agent_names_look(struct agent *agent, uint64_t now_ns, uint64_t end_ns)
{
	const struct name_source source = { .nl = agent->nl, .names = &agent->names };
	struct error error;

	/* if memory is short, the next window says so */
	if (now_ns < agent_names_due_ns(agent))
		return;
	if (!live_names_learn_cgroups(&agent->names, now_ns, CGROUPS_NS, &error) &&
	    now_ns >= functions_due_ns(agent))
		name_search_run(&agent->search, &source, now_ns, is_late, &end_ns, &error);
}

void agent_names_allow(struct agent *agent)
{
	agent->names.limit = (struct live_limit){
		.until_ns = clock_monotonic_ns() + WINDOW_NS, .is_over = is_ended,
	};
}

/* The time for names is over. It may be long, so the service manager is told. */
static bool is_over(void *context)
{
	struct agent *agent = context;

	agent_watch(agent, clock_monotonic_ns());
	return is_late(&agent->names.limit.until_ns);
}

int agent_names_learn(struct agent *agent, const struct profile *dump, struct error *error)
{
	int err = live_names_learn_jit(&agent->names, dump, is_over, agent, error) ?:
		  live_names_learn_files(&agent->names, dump, is_over, agent, error);

	return err == -EAGAIN ? 0 : err;
}

int agent_names_give(struct agent *agent, struct profile *profile, struct error *error)
{
	uint64_t now_ns = clock_monotonic_ns();
	int err = live_names_give(&agent->names, profile, error);

	/* what the last look left was in the dump of this window */
	name_search_deinit(&agent->search);
	if (now_ns - agent->named_since_ns > NAMES_KEPT_NS) {
		live_names_deinit(&agent->names);
		name_looks_forget(&agent->search.looks);
		agent->named_since_ns = now_ns;
	}
	return err;
}

void agent_names_end(struct agent *agent)
{
	name_search_deinit(&agent->search);
	live_names_deinit(&agent->names);
}
