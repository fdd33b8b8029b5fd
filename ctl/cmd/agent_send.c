// SPDX-License-Identifier: GPL-2.0
/*
 * Send the windows of the spool to the agent's targets: see agent.h.
 *
 * Each target has a process of its own, so that one that hangs, or takes long, holds up
 * neither the windows nor the other targets. It opens the spool itself. A pipe from the
 * agent tells it of new windows; when that is closed, it sends what is there and ends. It
 * ignores signals that end the agent, as a service manager sends these to all processes.
 */
#include "cmd/agent.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/agent_attempt.h"
#include "cmd/command.h"
#include "fleet/backoff.h"

#define NSEC_PER_MSEC	1000000ULL

/* Waits after attempts that failed: 0 to 5 s at first, 0 to 5 min at last. */
#define FIRST_MS	5000
#define MOST_MS		300000
/* So much is sent together to a server that counts each window once. */
#define BATCH		50
/* Files of so many bytes; as profiles in memory they take some 14 times that (out/fleet/agent). */
#define BATCH_BYTES	(512 << 10)
/* What is left when the agent ends is sent for at most so long. */
#define LAST_NS		(10 * NSEC_PER_SEC)

/* The process of one target. */
struct sending {
	const struct agent *agent;
	const char *url;
	struct server server;
	struct spool spool;
	struct spool_batch batch;	/* how much to send together now */
	size_t batch_max;
	int pipe;			/* from the agent */
	uint64_t end_ns;		/* when to end; 0: the agent still runs */
	unsigned int failures;		/* since the last success */
	bool is_troubled;		/* and that was printed */
};

/*
 * Print what is wrong when it begins, and that it is not any more. What follows until then
 * is in the cursor, for agent status: servers word each refusal differently.
 */
static void say(struct sending *s, const char *why)
{
	if (s->is_troubled == (*why != '\0'))
		return;
	s->is_troubled = *why;
	if (*why)
		command_fail(EXIT_FAILED, "cannot send to %.200s: %s", s->url, why);
	else
		command_fail(EXIT_DONE, "windows are sent again to %.200s", s->url);
}

/*
 * Wait, for the agent to end if @for_windows is false, also for its next window.
 * @ms: at most so long; -1: for ever.
 */
static void wait_for_agent(struct sending *s, int ms, bool for_windows)
{
	struct pollfd pipe = { .fd = s->pipe, .events = for_windows ? POLLIN : 0 };
	char bytes[64];

	if (s->end_ns)
		return;
	poll(&pipe, 1, ms);
	if (pipe.revents & POLLIN && read(s->pipe, bytes, sizeof(bytes)) > 0)
		return;
	if (pipe.revents)
		s->end_ns = clock_monotonic_ns() + LAST_NS;
}

/* ---- a batch ---- */

static void back_off(struct sending *s, const struct attempt *attempt)
{
	uint64_t ms = backoff_ms(s->failures++, FIRST_MS, MOST_MS);

	/* after an answer that asks to wait, not all hosts at the same moment */
	if (attempt->asked_ms)
		ms = attempt->asked_ms + backoff_ms(0, FIRST_MS, FIRST_MS);
	wait_for_agent(s, (int)ms, false);
}

/* Send fewer together if the server does not want these; more after it took some. */
static void adapt(struct sending *s, const struct attempt *attempt, size_t nr)
{
	if (attempt->is_split)
		s->batch.windows = nr / 2;
	else if (attempt->outcome == SEND_TAKEN && s->batch.windows < s->batch_max)
		s->batch.windows = 2 * s->batch.windows < s->batch_max ?
				   2 * s->batch.windows : s->batch_max;
}

/* Return: whether to go on at once. */
static bool send_batch(struct sending *s, const struct spool_sending *sending, size_t nr)
{
	struct attempt attempt = { .outcome = SEND_IN_DOUBT };
	struct error error = { "" };
	bool settled;

	/* an earlier agent ended while they were being sent */
	if (!sending->is_doubtful || !s->agent->drop_in_doubt)
		attempt_make(&s->server, &s->agent->labels, sending, nr, &attempt);
	settled = attempt_is_settled(&attempt);
	if (!attempt.is_split)
		say(s, attempt.outcome == SEND_TAKEN ? "" : attempt.error.text);
	if (attempt_note(&s->spool, s->url, sending, nr, &attempt, &error)) {
		say(s, error.text);
		settled = false;
	}
	adapt(s, &attempt, nr);
	if (!settled) {
		back_off(s, &attempt);
		return false;
	}
	s->failures = 0;
	return true;
}

static void destroy_all(struct spool_sending *sending, int nr)
{
	for (int i = 0; i < nr; i++)
		profile_destroy(sending[i].profile);
}

/* ---- the process ---- */

/*
 * Wait for windows, and send them. When the agent ends, go on with what is there for some
 * seconds, unless the target fails.
 */
static void send_all(struct sending *s)
{
	struct attempt none = { .outcome = SEND_FAILED };
	struct spool_sending sending[BATCH];
	struct error error;
	bool is_well;
	int found;

	while (!s->end_ns || clock_monotonic_ns() < s->end_ns) {
		/* before the spool is asked: a window that comes then is not missed */
		bool ends = s->end_ns;

		found = spool_next_batch(&s->spool, s->url, &s->batch, sending, &error);
		if (!found && ends)
			return;
		if (!found) {
			wait_for_agent(s, -1, true);
			continue;
		}
		if (found < 0) {
			say(s, error.text);
			back_off(s, &none);
			is_well = false;
		} else {
			is_well = send_batch(s, sending, (size_t)found);
			destroy_all(sending, found);
		}
		if (!is_well && s->end_ns)
			return;
	}
}

static void ignore_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		signal(numbers[i], SIG_IGN);
	/* when the agent is killed, another one may start at once */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static int run_sender(struct agent *agent, const char *url, int pipe)
{
	struct sending s = { .agent = agent, .url = url, .pipe = pipe };
	struct error error;
	int err;

	ignore_signals();
	agent_module_close(agent);
	err = server_open(&s.server, url, &agent->request, agent->policy, &error) ?:
	      spool_open(&s.spool, agent->directory, false, &error);
	if (err)
		return command_fail(EXIT_FAILED, "cannot send to %.200s: %s", url, error.text);
	/* what was taken must not be sent again with what was not */
	s.batch_max = s.server.target.kind->is_idempotent ? BATCH : 1;
	s.batch = (struct spool_batch){ s.batch_max, BATCH_BYTES };
	send_all(&s);
	spool_close(&s.spool);
	server_close(&s.server);
	return EXIT_DONE;
}

static int start(struct agent *agent, struct agent_sender *sender, struct error *error)
{
	int pipes[2];

	if (pipe2(pipes, O_CLOEXEC | O_NONBLOCK))
		return error_set(error, -errno, "cannot make a pipe: %s", strerror(errno));
	sender->pid = fork();
	if (sender->pid < 0) {
		close(pipes[0]);
		close(pipes[1]);
		sender->pid = 0;
		return error_set(error, -errno, "cannot start a process: %s", strerror(errno));
	}
	if (!sender->pid) {
		/* the other senders' ends, too: they end when the agent closes its own */
		for (size_t i = 0; i < agent->nr_senders; i++)
			if (agent->senders[i].pid)
				close(agent->senders[i].pipe);
		close(pipes[1]);
		_exit(run_sender(agent, sender->url, pipes[0]));
	}
	close(pipes[0]);
	sender->pipe = pipes[1];
	return 0;
}

/* Reap a process that ended though nobody asked it to. */
static bool is_gone(struct agent_sender *sender)
{
	int status;

	if (!sender->pid)
		return true;
	if (waitpid(sender->pid, &status, WNOHANG) != sender->pid)
		return false;
	command_fail(EXIT_FAILED, "the process that sends to %.200s ended unexpectedly; it is started again",
		     sender->url);
	close(sender->pipe);
	sender->pid = 0;
	return true;
}

int agent_senders_tell(struct agent *agent, struct error *error)
{
	int err = 0;

	for (size_t i = 0; i < agent->nr_senders && !err; i++) {
		struct agent_sender *sender = &agent->senders[i];

		if (is_gone(sender))
			err = start(agent, sender, error);
		/* a full pipe tells it as well */
		else if (write(sender->pipe, "", 1) < 0)
			continue;
	}
	return err;
}

void agent_senders_end(struct agent *agent)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	uint64_t end_ns = clock_monotonic_ns() + LAST_NS + NSEC_PER_SEC;

	for (size_t i = 0; i < agent->nr_senders; i++)
		if (agent->senders[i].pid)
			close(agent->senders[i].pipe);
	for (size_t i = 0; i < agent->nr_senders; i++) {
		pid_t pid = agent->senders[i].pid;

		while (pid && !waitpid(pid, NULL, WNOHANG)) {
			if (clock_monotonic_ns() > end_ns)
				kill(pid, SIGKILL);
			nanosleep(&pause, NULL);
		}
		agent->senders[i].pid = 0;
	}
}

int agent_senders_check(const struct agent *agent, struct error *error)
{
	for (size_t i = 0; i < agent->nr_senders; i++) {
		struct server server;
		int err = server_open(&server, agent->senders[i].url, &agent->request,
				      agent->policy, error);

		server_close(&server);
		if (err)
			return err;
	}
	return 0;
}
