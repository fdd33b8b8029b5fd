// SPDX-License-Identifier: GPL-2.0
/*
 * Make windows until a signal comes: see agent.h.
 *
 * What fails is tried again with the next window, which then has the time of both: the
 * module keeps what it sampled. A message is printed when it differs from the last one,
 * so that a module that is gone for a day is one line in the log.
 */
#include "cmd/agent.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/notify.h"
#include "cmd/command.h"
#include "symbols/bounded.h"

/*
 * How often to look whether others have reset the module, if windows are longer. It keeps
 * for 5 minutes what was not had.
 */
#define RESET_LOOK_NS	(120 * NSEC_PER_SEC)

/*
 * What the programs that are read may take. The unit has MemoryMax=256M, and at the worst they
 * take twice as much: what is open, and what is read.
 */
#define SYMBOLS_BYTES	(64UL << 20)

static volatile sig_atomic_t ended;

static void on_signal(int number)
{
	(void)number;
	ended = 1;
}

static void catch_signals(sigset_t *before)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction action = { .sa_handler = on_signal }, old;
	sigset_t caught;

	sigemptyset(&caught);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigaddset(&caught, numbers[i]);
		sigaction(numbers[i], &action, &old);
		/* keep SIGHUP ignored, as under nohup */
		if (numbers[i] == SIGHUP && old.sa_handler == SIG_IGN)
			sigaction(SIGHUP, &old, NULL);
	}
	sigprocmask(SIG_BLOCK, &caught, before);
}

/* Print what is wrong, once; or that it is not any more. */
static void say(struct agent *agent, int err, const char *why)
{
	char text[sizeof(agent->trouble)] = "";

	if (err)
		snprintf(text, sizeof(text), "cannot make a window: %.450s", why);
	if (!strcmp(text, agent->trouble))
		return;
	strcpy(agent->trouble, text);
	/* -ENODEV: there is no module that could keep anything */
	if (err)
		command_fail(EXIT_FAILED, "%s%s", text, err == -ENODEV ? "" :
			     "; the module keeps new samples until its memory is full");
	else
		command_fail(EXIT_DONE, "windows are made again");
}

static int keep_limits(struct agent *agent, struct error *error)
{
	const struct spool_now now = agent_now(agent->chain.boot);
	const char *targets[AGENT_TARGETS_MAX];

	for (size_t i = 0; i < agent->nr_senders; i++)
		targets[i] = agent->senders[i].url;
	return spool_tidy(&agent->spool, targets, agent->nr_senders, &now, error);
}

/* Make a window, and keep the spool within its limits. */
static int make_window(struct agent *agent, struct error *error)
{
	struct error later;
	int err, tidied;

	agent_names_allow(agent);
	err = agent_pause_check(agent, error) ?: agent_duty_check(agent, error);
	if (!err && !agent->pause.begun && !agent->duty.is_off)
		err = agent_module_open(agent, error) ?: chain_step(&agent->chain, error);
	/* without the module, too: windows get too old */
	tidied = keep_limits(agent, &later) ?: agent_senders_tell(agent, &later);
	if (!err && tidied)
		*error = later;
	return err ?: tidied;
}

/* Nothing is started for it: who stopped the sampling wants it to stay so. */
static int make_last_window(struct agent *agent, struct error *error)
{
	bool samples = !agent->pause.begun && !agent->duty.is_off;
	int err;

	agent_names_allow(agent);
	err = samples ? chain_step(&agent->chain, error) : 0;
	return err ?: keep_limits(agent, error);
}

static void make_and_say(struct agent *agent)
{
	struct error error = { "" };
	int err = make_window(agent, &error);

	if (err == -ENODEV)
		agent_module_close(agent);
	say(agent, err, error.text);
}

/*
 * Look at the pause and the duty between windows. What fails is tried again, and said, with
 * the next one.
 */
static void look_at_pauses(struct agent *agent)
{
	struct error error;
	int err = 0;

	if (agent_pause_changed(agent) || !agent_pause_due_ns(agent))
		err = agent_pause_check(agent, &error);
	if (!err && !agent_duty_due_ns(agent)) {
		err = agent_duty_check(agent, &error);
		/* a window may have been made */
		if (!err)
			agent_senders_tell(agent, &error);
	}
	if (err == -ENODEV)
		agent_module_close(agent);
}

static uint64_t min_ns(uint64_t a_ns, uint64_t b_ns) { return a_ns < b_ns ? a_ns : b_ns; }

/*
 * When the pause is over, or the hour, at once; if it could not go on then, with the next
 * window.
 */
static uint64_t pauses_due_ns(const struct agent *agent)
{
	return min_ns(agent_pause_due_ns(agent) ?: UINT64_MAX,
		      agent_duty_due_ns(agent) ?: UINT64_MAX);
}

/* Wait until then, a signal, or a change of the pause. */
static void wait_until(const struct agent *agent, uint64_t due_ns, const sigset_t *before)
{
	struct pollfd changes = { .fd = agent->changes, .events = POLLIN };
	uint64_t now_ns = clock_monotonic_ns();
	uint64_t left_ns = due_ns > now_ns ? due_ns - now_ns : 0;
	const struct timespec left = {
		.tv_sec = (time_t)(left_ns / NSEC_PER_SEC),
		.tv_nsec = (long)(left_ns % NSEC_PER_SEC),
	};

	/* a negative descriptor is passed over */
	ppoll(&changes, 1, &left, before);
}

static uint64_t earlier(uint64_t due_ns, uint64_t now_ns, uint64_t in_ns)
{
	return in_ns < due_ns - now_ns ? now_ns + in_ns : due_ns;
}

/* A reset ends a window before it is due, so that the module can let go of it. */
static void look_for_reset(struct agent *agent)
{
	if (!agent->pause.begun && agent_module_was_reset(agent))
		make_and_say(agent);
}

static void loop(struct agent *agent, const sigset_t *before)
{
	uint64_t now_ns = clock_monotonic_ns(), due_ns;
	uint64_t reset_ns = now_ns + RESET_LOOK_NS;
	/* hosts that start together do not send together */
	uint64_t window_ns = now_ns + hash_random() % agent->window_ns + 1;

	agent_watch(agent, now_ns);
	while (!ended) {
		due_ns = min_ns(earlier(window_ns, now_ns, pauses_due_ns(agent)),
				min_ns(agent->watchdog_ns, reset_ns));
		wait_until(agent, min_ns(due_ns, agent_names_due_ns(agent)), before);
		now_ns = clock_monotonic_ns();
		agent_watch(agent, now_ns);
		if (ended)
			break;
		if (now_ns < window_ns) {
			look_at_pauses(agent);
			if (now_ns >= reset_ns) {
				look_for_reset(agent);
				reset_ns = now_ns + RESET_LOOK_NS;
			}
			agent_names_look(agent, now_ns, due_ns);
			continue;
		}
		make_and_say(agent);
		reset_ns = now_ns + RESET_LOOK_NS;
		/* one, however many are due after a suspend */
		while (window_ns <= now_ns)
			window_ns += agent->window_ns;
	}
}

static int prepare(struct agent *agent, struct error *error)
{
	int err = agent_senders_check(agent, error) ?:
		  agent_boot(agent->chain.boot, error) ?:
		  spool_open(&agent->spool, agent->directory, true, error) ?:
		  spool_own(&agent->spool, error);

	if (err)
		return err;
	agent->chain.spool = &agent->spool;
	agent->chain.source = agent_source(agent);
	agent_names_begin(agent);
	/* what an earlier agent left is sent, whether there is a module or not */
	agent_pause_watch(agent);
	err = agent_senders_tell(agent, error) ?: agent_duty_prepare(agent, error) ?:
	      agent_pause_check(agent, error) ?: agent_duty_check(agent, error);
	if (err || agent->pause.begun || agent->duty.is_off)
		return err;
	return agent_module_open(agent, error);
}

void agent_memory_init(void)
{
	/* its default, which does not grow if it is set: mallopt(3) */
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	bounded_set(SYMBOLS_BYTES);
}

int agent_run(struct agent *agent)
{
	struct error error = { "" };
	sigset_t before;
	int err, code = EXIT_DONE;

	agent_memory_init();
	catch_signals(&before);
	err = prepare(agent, &error);
	if (err) {
		code = command_fail(exit_code_of(err), "cannot start the agent: %s",
				    error.text);
	} else {
		notify_send("READY=1");
		loop(agent, &before);
		notify_send("STOPPING=1");
		err = make_last_window(agent, &error);
		if (err)
			code = command_fail(EXIT_FAILED, "cannot make the last window: %s",
					    error.text);
	}
	agent_module_close(agent);
	agent_senders_end(agent);
	/* what they have sent is not needed any more */
	if (agent->nr_senders && agent->spool.agent_lock >= 0)
		keep_limits(agent, &error);
	if (agent->changes >= 0)
		close(agent->changes);
	chain_deinit(&agent->chain);
	spool_close(&agent->spool);
	agent_names_end(agent);
	return code;
}
