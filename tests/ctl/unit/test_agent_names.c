// SPDX-License-Identifier: GPL-2.0
/*
 * The agent looks for cgroups every 5 s, whatever it does about functions: their
 * directories may be gone when the window is made. Here the clock and what it finds are
 * made up.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "cmd/agent.h"

#define SECOND		UINT64_C(1000000000)

static uint64_t clock_ns;
static char did[64];			/* C: look for cgroups, F: for functions */
static int cgroups_error;

uint64_t clock_monotonic_ns(void)
{
	return clock_ns;
}

int live_names_learn_cgroups(struct live_names *names, uint64_t now_ns, uint64_t every_ns,
			     struct error *error)
{
	if (now_ns < names->cgroups_due_ns)
		return 0;
	names->cgroups_due_ns = now_ns + every_ns;
	strcat(did, "C");
	return cgroups_error ? error_set(error, cgroups_error, "short") : 0;
}

int live_names_learn_jit(struct live_names *names, const struct profile *profile,
			 bool (*is_late)(void *context), void *context, struct error *error)
{
	(void)names;
	(void)profile;
	(void)is_late;
	(void)context;
	(void)error;
	abort();
}

int live_names_learn_files(struct live_names *names, const struct profile *profile,
			   bool (*is_late)(void *context), void *context, struct error *error)
{
	return live_names_learn_jit(names, profile, is_late, context, error);
}

int live_names_give(struct live_names *names, struct profile *profile, struct error *error)
{
	return live_names_learn_jit(names, profile, NULL, NULL, error);
}

void live_names_deinit(struct live_names *names)
{
	(void)names;
}

/* A look for functions is due every 2 s here. */
static uint64_t functions_due_ns;

uint64_t name_search_due_ns(const struct name_search *search)
{
	(void)search;
	return functions_due_ns;
}

int name_search_run(struct name_search *search, const struct name_source *source,
		    uint64_t now_ns, bool (*is_late)(void *context), void *context,
		    struct error *error)
{
	(void)search;
	(void)source;
	(void)is_late;
	(void)context;
	(void)error;
	functions_due_ns = now_ns + 2 * SECOND;
	strcat(did, "F");
	return 0;
}

void name_search_deinit(struct name_search *search)
{
	(void)search;
}

static struct agent begin(void)
{
	static int module;
	struct agent agent = {
		.nl = (struct nl *)&module, .settings.user_stacks = true,
	};

	clock_ns = functions_due_ns = 100 * SECOND;
	did[0] = '\0';
	cgroups_error = 0;
	return agent;
}

/* Do what is due for so long. */
static void run(struct agent *agent, uint64_t seconds)
{
	uint64_t end_ns = clock_ns + seconds * SECOND;

	for (uint64_t due_ns; (due_ns = agent_names_due_ns(agent)) < end_ns;) {
		if (due_ns > clock_ns)
			clock_ns = due_ns;
		agent_names_look(agent, clock_ns, end_ns);
	}
	clock_ns = end_ns;
}

static void cgroups_are_sought_beside_functions(void **state)
{
	struct agent agent = begin();

	(void)state;
	run(&agent, 10);
	assert_string_equal(did, "CFFFCFF");
}

static void cgroups_are_sought_without_functions(void **state)
{
	struct agent agent = begin();

	(void)state;
	agent.settings.user_stacks = false;
	run(&agent, 12);
	assert_string_equal(did, "CCC");
	agent.settings.user_stacks = true;
	agent.names.request.no_names = true;
	run(&agent, 10);
	assert_string_equal(did, "CCCCC");
}

static void nothing_is_sought_without_the_module_or_in_a_pause(void **state)
{
	struct agent agent = begin();

	(void)state;
	agent.pause.begun = true;
	run(&agent, 10);
	agent.pause.begun = false;
	agent.nl = NULL;
	run(&agent, 10);
	assert_string_equal(did, "");
}

static void short_memory_ends_a_look(void **state)
{
	struct agent agent = begin();

	(void)state;
	cgroups_error = -ENOMEM;
	agent_names_look(&agent, clock_ns, clock_ns + SECOND);
	assert_string_equal(did, "C");
	agent_names_look(&agent, clock_ns, clock_ns + SECOND);
	assert_string_equal(did, "CF");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cgroups_are_sought_beside_functions),
		cmocka_unit_test(cgroups_are_sought_without_functions),
		cmocka_unit_test(nothing_is_sought_without_the_module_or_in_a_pause),
		cmocka_unit_test(short_memory_ends_a_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
