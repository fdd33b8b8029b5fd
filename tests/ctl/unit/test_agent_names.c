// SPDX-License-Identifier: GPL-2.0
/*
 * The agent looks for cgroups every 5 s, whatever it does about functions: their
 * directories may be gone when the window is made. The names of a window take a bounded time.
 * Here the clock and what it finds are made up.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/notify.h"
#include "cmd/agent.h"

#define SECOND		UINT64_C(1000000000)

static uint64_t clock_ns;
static char did[64];			/* C: look for cgroups, F: for functions */
static int cgroups_error;

uint64_t clock_monotonic_ns(void)
{
	return clock_ns;
}

static unsigned int nr_told;		/* the service manager was told that the agent runs */

int notify_send(const char *state)
{
	assert_string_equal(state, "WATCHDOG=1");
	nr_told++;
	return 0;
}

uint64_t notify_watchdog_ns(void)
{
	return 10 * SECOND;
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

/* A window has so many functions, and each takes a tenth of a second. */
#define NR_SLOW		100000

static unsigned int nr_learned;

int live_names_learn_jit(struct live_names *names, const struct profile *profile,
			 bool (*is_late)(void *context), void *context, struct error *error)
{
	(void)names;
	(void)profile;
	(void)is_late;
	(void)context;
	(void)error;
	return 0;
}

int live_names_learn_files(struct live_names *names, const struct profile *profile,
			   bool (*is_late)(void *context), void *context, struct error *error)
{
	(void)names;
	(void)profile;
	(void)error;
	for (nr_learned = 0; nr_learned < NR_SLOW; nr_learned++) {
		if (is_late(context))
			return -EAGAIN;
		clock_ns += SECOND / 10;
	}
	return 0;
}

int live_names_give(struct live_names *names, struct profile *profile, struct error *error)
{
	(void)names;
	(void)profile;
	(void)error;
	abort();
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

static void the_names_of_a_window_take_a_bounded_time(void **state)
{
	struct agent agent = begin();
	struct error error;

	(void)state;
	nr_told = 0;
	agent_names_allow(&agent);
	assert_int_equal(agent_names_learn(&agent, NULL, &error), 0);
	assert_true(nr_learned > 0);
	assert_true(nr_learned <= 300);
	/* twice as often as it must hear of it */
	assert_true(nr_told >= nr_learned / 50);
	/* further dumps of the same window get no more time, the next window does */
	assert_int_equal(agent_names_learn(&agent, NULL, &error), 0);
	assert_int_equal(nr_learned, 0);
	agent_names_allow(&agent);
	assert_int_equal(agent_names_learn(&agent, NULL, &error), 0);
	assert_true(nr_learned > 0);
}

static void a_signal_ends_the_names_of_a_window(void **state)
{
	struct agent agent = begin();
	struct error error;
	sigset_t term, before;

	(void)state;
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, &before);
	agent_names_allow(&agent);
	raise(SIGTERM);
	assert_int_equal(agent_names_learn(&agent, NULL, &error), 0);
	assert_int_equal(nr_learned, 0);
	sigwaitinfo(&term, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cgroups_are_sought_beside_functions),
		cmocka_unit_test(cgroups_are_sought_without_functions),
		cmocka_unit_test(nothing_is_sought_without_the_module_or_in_a_pause),
		cmocka_unit_test(short_memory_ends_a_look),
		cmocka_unit_test(the_names_of_a_window_take_a_bounded_time),
		cmocka_unit_test(a_signal_ends_the_names_of_a_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
