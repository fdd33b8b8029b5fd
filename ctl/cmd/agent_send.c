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
#include "cmd/command.h"
#include "fleet/backoff.h"
#include "fleet/known.h"

#define NSEC_PER_MSEC	1000000ULL

/* Waits after attempts that failed: 0 to 5 s at first, 0 to 5 min at last. */
#define FIRST_MS	5000
#define MOST_MS		300000
/* A server that asks for more is asked again after so long. */
#define ASKED_MOST_MS	3600000
/* What is left when the agent ends is sent for at most so long. */
#define LAST_NS		(10 * NSEC_PER_SEC)

/* The process of one target. */
struct sending {
	const struct agent *agent;
	const char *url;
	struct server server;
	struct spool spool;
	int pipe;			/* from the agent */
	uint64_t end_ns;		/* when to end; 0: the agent still runs */
	unsigned int failures;		/* since the last success */
	bool is_troubled;		/* and that was printed */
};

/* What became of an attempt. */
struct attempt {
	int outcome;			/* an enum send_outcome, or -errno */
	long status;			/* of HTTP, or 0 */
	bool is_doubtful;
	uint64_t asked_ms;		/* the server asks to wait so long; 0: it does not */
	struct error error;
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

/* ---- one window ---- */

static void read_retry_after(const struct send_answer *answer, struct attempt *attempt)
{
	char text[64];
	uint64_t ms;

	if (send_answer_header(answer, "Retry-After", text, sizeof(text)) &&
	    backoff_retry_after(text, (int64_t)time(NULL), &ms))
		attempt->asked_ms = ms < ASKED_MOST_MS ? ms : ASKED_MOST_MS;
}

static void send_requests(struct sending *s, const struct target_requests *requests,
			  struct attempt *attempt)
{
	for (size_t i = 0; i < requests->nr && attempt->outcome == SEND_TAKEN; i++) {
		struct send_answer answer;

		attempt->outcome = send_request(s->server.sender, &requests->list[i],
						&answer, &attempt->error);
		attempt->status = answer.status;
		attempt->is_doubtful |= answer.doubts > 0;
		read_retry_after(&answer, attempt);
		send_answer_deinit(&answer);
	}
}

static void try_once(struct sending *s, const struct profile *profile,
		     struct attempt *attempt)
{
	struct target *target = &s->server.target;
	struct target_requests requests = { .nr = 0 };
	struct profile_identity identity;
	const struct target_window window = { profile, &identity, &s->agent->labels };
	int err;

	memset(attempt, 0, sizeof(*attempt));
	err = profile_identify(profile, &identity, &attempt->error) ?:
	      known_encode(target, s->server.sender, &window, 1, &requests,
			   &attempt->error);
	/* what cannot be written for this target now never can */
	attempt->outcome = !err ? SEND_TAKEN : err == -ENOMEM ? err : SEND_REFUSED;
	if (!err)
		send_requests(s, &requests, attempt);
	if (attempt->outcome == SEND_TAKEN)
		known_add(target, &requests);
	else
		known_forget(target);
	target_requests_deinit(&requests);
}

/*
 * Is it the window that the server refuses? Other refusals are about the token, the
 * address or the server: windows wait until somebody has mended that.
 */
static bool is_about_window(const struct attempt *attempt)
{
	const long bad = 400, too_large = 413, bad_type = 415, bad_content = 422;

	return attempt->outcome == SEND_REFUSED &&
	       (!attempt->status || attempt->status == bad || attempt->status == too_large ||
		attempt->status == bad_type || attempt->status == bad_content);
}

static int note(struct sending *s, const struct window *window,
		const struct attempt *attempt, struct error *error)
{
	uint64_t now_s = (uint64_t)time(NULL);

	if (attempt->outcome == SEND_TAKEN)
		return spool_done(&s->spool, s->url, window, SPOOL_TAKEN, now_s, error);
	if (attempt->outcome == SEND_IN_DOUBT)
		return spool_done(&s->spool, s->url, window, SPOOL_DOUBTFUL, now_s, error);
	if (is_about_window(attempt))
		return spool_done(&s->spool, s->url, window, SPOOL_REFUSED, now_s, error);
	return spool_failed(&s->spool, s->url, attempt->error.text, attempt->is_doubtful,
			    error);
}

static void back_off(struct sending *s, const struct attempt *attempt)
{
	uint64_t ms = backoff_ms(s->failures++, FIRST_MS, MOST_MS);

	/* after an answer that asks to wait, not all hosts at the same moment */
	if (attempt->asked_ms)
		ms = attempt->asked_ms + backoff_ms(0, FIRST_MS, FIRST_MS);
	wait_for_agent(s, (int)ms, false);
}

/* Return: whether to go on at once. */
static bool send_window(struct sending *s, struct spool_sending *sending)
{
	struct attempt attempt = { .outcome = SEND_IN_DOUBT };
	struct error error = { "" };
	bool settled;

	/* an earlier agent ended while it was being sent */
	if (!sending->is_doubtful || !s->agent->drop_in_doubt)
		try_once(s, sending->profile, &attempt);
	settled = attempt.outcome == SEND_TAKEN || attempt.outcome == SEND_IN_DOUBT ||
		  is_about_window(&attempt);
	say(s, attempt.outcome == SEND_TAKEN ? "" : attempt.error.text);
	if (note(s, &sending->window, &attempt, &error)) {
		say(s, error.text);
		settled = false;
	}
	if (!settled) {
		back_off(s, &attempt);
		return false;
	}
	s->failures = 0;
	return true;
}

/* ---- the process ---- */

/*
 * Wait for windows, and send them. When the agent ends, go on with what is there for some
 * seconds, unless the target fails.
 */
static void send_all(struct sending *s)
{
	struct attempt none = { .outcome = SEND_FAILED };
	struct spool_sending sending;
	struct error error;
	bool is_well;
	int found;

	while (!s->end_ns || clock_monotonic_ns() < s->end_ns) {
		/* before the spool is asked: a window that comes then is not missed */
		bool ends = s->end_ns;

		found = spool_next(&s->spool, s->url, &sending, &error);
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
			is_well = send_window(s, &sending);
			profile_destroy(sending.profile);
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
