// SPDX-License-Identifier: GPL-2.0
/*
 * The agent samples in this host's hours, and in no others: see agent.h and agent/duty.h.
 *
 * An hour without duty is a pause that nobody has to ask for: a window ends with the last
 * hour, the next one begins with the next hour, and the ledger has the time between.
 * If somebody asks for a pause as well, nothing is sampled until both are over. The one
 * that ends last is said to have taken all of that time.
 */
#include "cmd/agent.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/notify.h"
#include "cmd/command.h"
#include "profile/settings.h"

int agent_duty_parse_secret(struct agent *agent, const char *path, struct error *error)
{
	return secret_read(path, "secret", agent->duty.secret, error);
}

int agent_duty_prepare(struct agent *agent, struct error *error)
{
	struct agent_duty *duty = &agent->duty;
	struct utsname machine;
	uint64_t began;
	int err;

	uname(&machine);
	duty_init(&duty->hours, duty->inclusion, duty->secret, machine.nodename);
	explicit_bzero(duty->secret, sizeof(duty->secret));
	agent->chain.inclusion = duty->inclusion;
	err = chain_began_with(&agent->chain, &began, error);
	if (err)
		return err;
	duty->is_off = ledger_is_off_duty(&agent->spool.ledger);
	duty->is_first = !began;
	duty->has_changed = !duty->is_off && duty->inclusion != (began ?: 1);
	return 0;
}

static bool takes_part(const struct agent *agent)
{
	return duty_takes_part(&agent->duty.hours, duty_hour(agent_real_ns()));
}

uint64_t agent_duty_due_ns(const struct agent *agent)
{
	if (agent->duty.inclusion == 1)
		return UINT64_MAX;
	return takes_part(agent) == agent->duty.is_off ? 0 : duty_left_ns(agent_real_ns());
}

/* What an earlier agent sampled is saved; what the module had before any agent is not. */
static int go_off(struct agent *agent, struct error *error)
{
	bool sampled = !agent->pause.begun && !agent->duty.is_first;
	struct pause now = { .hz = agent->pause.hz };
	int err = sampled ? agent_module_reach(agent, error) ?:
			    agent_module_stop(agent, &now, error) : 0;

	/* without the module nothing is sampled */
	if (err && err != -ENODEV)
		return err;
	err = chain_go_off_duty(&agent->chain, sampled, agent->nl && !now.shared, error);
	if (err)
		return err;
	agent->duty.hz = (uint32_t)now.hz;
	agent->duty.is_off = true;
	agent->duty.is_first = agent->duty.has_changed = false;
	agent_module_close(agent);
	return 0;
}

static int go_on(struct agent *agent, struct error *error)
{
	int err;

	if (agent->pause.begun) {
		err = chain_note(&agent->chain, NULL, &(struct ledger){ .on_duty = 1 }, error);
	} else {
		agent->resume_hz = agent->mask & SETTING(HZ) ? agent->settings.hz :
							       agent->duty.hz;
		err = agent_module_open(agent, error) ?:
		      chain_go_on_duty(&agent->chain, error);
	}
	if (err)
		return err;
	agent->resume_hz = 0;
	agent->duty.is_off = false;
	return 0;
}

int agent_duty_check(struct agent *agent, struct error *error)
{
	bool was_off = agent->duty.is_off, on = takes_part(agent);
	int err = 0;

	if (!was_off && (!on || agent->duty.has_changed))
		err = go_off(agent, error);
	if (!err && on && agent->duty.is_off)
		err = go_on(agent, error);
	if (agent->duty.is_off == was_off)
		return err;
	command_fail(EXIT_DONE, was_off ? "on duty: it samples in this hour" :
		     "off duty: it does not sample in this hour");
	notify_send(was_off ? "STATUS=" : "STATUS=off duty");
	return err;
}
