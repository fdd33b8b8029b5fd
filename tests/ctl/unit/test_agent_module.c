// SPDX-License-Identifier: GPL-2.0
/*
 * The agent lets the module sample, or shares what samples already, also if that began
 * after the agent looked. It stops what it has started, and nothing else. The module is made up.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/agent.h"
#include "cmd/module.h"
#include "profile/settings.h"

#include "nl_absent.h"

/* What the module says at each look, and at the start. */
static struct {
	uint32_t state, hz;
} looks[2];
static unsigned int nr_looks, nr_starts;
static int start_error;
static bool owns, others_started;

int module_open(struct nl **nl, bool may_load, char said[MODULE_SAID_MAX],
		struct error *error)
{
	static int module;

	(void)may_load;
	(void)error;
	said[0] = '\0';
	*nl = (struct nl *)&module;
	return 0;
}

void nl_own(struct nl *nl)
{
	(void)nl;
	owns = true;
}

int nl_status(struct nl *nl, struct profile **profile, struct error *error)
{
	(void)nl;
	if (nr_looks == 2)
		return error_set(error, -EIO, "no third look");
	*profile = profile_create();
	assert_non_null(*profile);
	(*profile)->meta.state = looks[nr_looks].state;
	(*profile)->meta.settings.hz = looks[nr_looks].hz;
	nr_looks++;
	return 0;
}

int nl_start(struct nl *nl, const struct profile_settings *settings, unsigned int mask,
	     struct error *error)
{
	(void)nl;
	(void)settings;
	(void)mask;
	nr_starts++;
	return start_error ? error_set(error, start_error, "refused") : 0;
}

/* As the module does. */
int nl_stop(struct nl *nl, struct error *error)
{
	(void)nl;
	if (owns && others_started)
		return error_set(error, -EBUSY, "others have started sampling");
	looks[1].state = FLAMEMOD_STATE_STOPPED;
	return 0;
}

int nl_reset(struct nl *nl, struct error *error)
{
	return nl_open(&nl, error);
}

int nl_dump(struct nl *nl, bool reset, struct profile **profile, struct error *error)
{
	(void)reset;
	(void)profile;
	return nl_open(&nl, error);
}

int nl_dump_epoch(struct nl *nl, uint32_t epoch, bool reset, struct profile **profile,
		  struct error *error)
{
	(void)epoch;
	return nl_dump(nl, reset, profile, error);
}

static const struct agent_case {
	const char *name;
	uint32_t before, after;		/* the state at the first look, and at the second */
	uint32_t hz, wanted_hz;		/* 0: any */
	int start_error, err;
	unsigned int nr_looks, nr_starts;
	const char *says;
} cases[] = {
	{ "it starts", FLAMEMOD_STATE_STOPPED, 0, 997, 997, 0, 0, 1, 1, NULL },
	{ "it shares", FLAMEMOD_STATE_RUNNING, 0, 997, 997, 0, 0, 1, 0, NULL },
	{ "another rate", FLAMEMOD_STATE_RUNNING, 0, 499, 997, 0, -EBUSY, 1, 0, "499 Hz" },
	{ "any rate", FLAMEMOD_STATE_RUNNING, 0, 499, 0, 0, 0, 1, 0, NULL },
	{ "others were first", FLAMEMOD_STATE_STOPPED, FLAMEMOD_STATE_RUNNING, 997, 997,
	  -EBUSY, 0, 2, 1, NULL },
	{ "they were, at another rate", FLAMEMOD_STATE_STOPPED, FLAMEMOD_STATE_RUNNING, 499,
	  997, -EBUSY, -EBUSY, 2, 1, "499 Hz" },
	{ "busy for another reason", FLAMEMOD_STATE_STOPPED, FLAMEMOD_STATE_STOPPED, 997, 997,
	  -EBUSY, -EBUSY, 2, 1, "refused" },
	{ "refused", FLAMEMOD_STATE_STOPPED, 0, 997, 997, -ENOMEM, -ENOMEM, 1, 1, "refused" },
	{ "broken", FLAMEMOD_STATE_BROKEN, 0, 997, 997, 0, -EIO, 1, 0, "inconsistency" },
};

static void sampling_is_started_or_shared(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct agent_case *c = &cases[i];
		struct agent agent = { .settings.hz = c->wanted_hz };
		struct error error = {};

		if (c->wanted_hz)
			agent.mask = SETTING(HZ);
		looks[0].state = c->before;
		looks[1].state = c->after;
		looks[0].hz = looks[1].hz = c->hz;
		nr_looks = nr_starts = 0;
		start_error = c->start_error;
		print_message("%s\n", c->name);
		assert_int_equal(agent_module_open(&agent, &error), c->err);
		assert_int_equal(nr_looks, c->nr_looks);
		assert_int_equal(nr_starts, c->nr_starts);
		/* what the agent did not start does not end with it */
		assert_int_equal(agent.started, !c->err && c->nr_starts && !c->start_error);
		if (c->says)
			assert_non_null(strstr(error.text, c->says));
		agent_module_close(&agent);
	}
}

static void a_pause_stops_its_own_sampling_alone(void **state)
{
	(void)state;
	for (int others = 0; others < 2; others++) {
		struct agent agent = { .settings.hz = 997 };
		struct error error = {};
		struct pause pause = {};

		looks[0].state = FLAMEMOD_STATE_STOPPED;
		looks[1].state = FLAMEMOD_STATE_RUNNING;
		looks[0].hz = looks[1].hz = 997;
		nr_looks = nr_starts = 0;
		start_error = 0;
		owns = false;
		others_started = others;
		assert_int_equal(agent_module_open(&agent, &error), 0);
		assert_true(agent.started);
		assert_int_equal(agent_module_stop(&agent, &pause, &error), 0);
		assert_int_equal(pause.shared, others);
		assert_int_equal(pause.hz, 997);
		assert_false(agent.started);
		agent_module_close(&agent);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sampling_is_started_or_shared),
		cmocka_unit_test(a_pause_stops_its_own_sampling_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
