// SPDX-License-Identifier: GPL-2.0
/*
 * The service manager restarts an agent that does not say that it runs: see agent.h.
 */
#include "cmd/agent.h"

#include "base/notify.h"

void agent_watch(struct agent *agent, uint64_t now_ns)
{
	uint64_t every_ns;

	if (now_ns < agent->watchdog_ns)
		return;
	every_ns = notify_watchdog_ns() / 2;
	agent->watchdog_ns = every_ns ? now_ns + every_ns : UINT64_MAX;
	if (every_ns)
		notify_send("WATCHDOG=1");
}
