// SPDX-License-Identifier: GPL-2.0
/*
 * The agent's names of user functions and cgroups. It looks for them between windows, as a recording
 * does, since programs may be gone when their window is made: see agent.h.
 */
#include "cmd/agent.h"

#include <signal.h>

#include "base/clock.h"

/* How often all cgroups are walked, at most. */
#define CGROUPS_NS	(5 * NSEC_PER_SEC)

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

/* Something else is due, or a signal ends the agent: they are blocked meanwhile. */
static bool is_late(void *end_ns)
{
	sigset_t pending;

	if (clock_monotonic_ns() >= *(const uint64_t *)end_ns)
		return true;
	return !sigpending(&pending) && !sigisemptyset(&pending);
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

static bool is_never_late(void *context)
{
	(void)context;
	return false;
}

int agent_names_learn(struct agent *agent, const struct profile *dump, struct error *error)
{
	return live_names_learn_jit(&agent->names, dump, is_never_late, NULL, error) ?:
	       live_names_learn_files(&agent->names, dump, is_never_late, NULL, error);
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
