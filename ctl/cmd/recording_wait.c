// SPDX-License-Identifier: GPL-2.0
/*
 * Wait for the end of a recording: its time is over, its command ends, or a
 * signal comes, which is passed on to the command. See recording.h.
 */
#include "cmd/recording.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>

#include "cmd/command.h"
#include "profile/books.h"

volatile sig_atomic_t recording_aborted;
static volatile sig_atomic_t ended;
static volatile sig_atomic_t waited;		/* recording_wait() is over */
static volatile sig_atomic_t hurried;
static volatile pid_t forward_to;		/* gets signals that only we received */

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (number == SIGCHLD)
		return;
	/* the terminal signals the command too; kill(1) does not */
	if (forward_to > 0 && info->si_code == SI_USER)
		kill(forward_to, number);
	/* a terminal that closes, and timeout(1), send HUP or TERM twice; these two are keys */
	if (ended && (number == SIGINT || number == SIGQUIT))
		recording_aborted = 1;
	if (waited && !ended)
		hurried = 1;
	ended = 1;
}

bool recording_hurried(void *context)
{
	(void)context;
	return recording_aborted || hurried;
}

static const int end_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD };

void recording_catch(const struct recording *r, sigset_t *caught)
{
	struct sigaction action = {
		.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO,
	}, old;
	size_t i;

	forward_to = r->child.pid;
	sigemptyset(caught);
	for (i = 0; i < sizeof(end_signals) / sizeof(end_signals[0]); i++) {
		sigaddset(caught, end_signals[i]);
		sigaction(end_signals[i], &action, &old);
		/* keep SIGHUP ignored, as under nohup */
		if (end_signals[i] == SIGHUP && old.sa_handler == SIG_IGN)
			sigaction(SIGHUP, &old, NULL);
	}
}

static void show_progress(struct recording *r, uint64_t since_ns)
{
	struct profile *now;
	struct error error;

	if (nl_status(r->nl, &now, &error))
		return;
	/* after a reset all is new, so there is nothing to subtract */
	if (now->meta.epoch == r->slicer.deltas.epoch)
		books_subtract(&now->books, &r->slicer.deltas.seen->books);
	if (r->slicer.profile)
		books_add(&now->books, &r->slicer.profile->books);
	fprintf(stderr, "\r%.0f s  %" PRIu64 " periods  %" PRIu64 " lost\033[K",
		(double)(clock_monotonic_ns() - since_ns) / (double)NSEC_PER_SEC,
		now->books.fires + now->books.missed,
		profile_lost(&now->books));
	profile_destroy(now);
}

/* A slice may be later by so much, so that each look for names gets on. */
#define NAMES_LEAST_NS	20000000ULL

/* When to stop looking for names: at the end of the recording or of a slice. */
static uint64_t names_end_ns(const struct recording *r, uint64_t since_ns, uint64_t now_ns)
{
	uint64_t end_ns = r->duration_ns ? since_ns + r->duration_ns : UINT64_MAX;
	uint64_t slice_ns = slicer_due_ns(&r->slicer);

	if (slice_ns < now_ns + NAMES_LEAST_NS)
		slice_ns = now_ns + NAMES_LEAST_NS;
	return slice_ns < end_ns ? slice_ns : end_ns;
}

/* Something else is due, or a signal has come: the command may have ended. */
static bool is_late(void *end_ns)
{
	sigset_t pending;

	if (clock_monotonic_ns() >= *(const uint64_t *)end_ns)
		return true;
	return !sigpending(&pending) && !sigisemptyset(&pending);
}

int recording_wait(struct recording *r, const sigset_t *caught,
		   struct error *error)
{
	uint64_t since_ns = clock_monotonic_ns(), now, left, slice_ns, names_ns, end_ns;
	struct timespec timeout;
	sigset_t before;
	int err = 0;

	name_looks_begin(&r->search.looks, &name_pace_record, since_ns);
	sigprocmask(SIG_BLOCK, caught, &before);
	while (!err && !ended && !(r->argv && child_ended(&r->child))) {
		now = clock_monotonic_ns();
		if (r->duration_ns && now - since_ns >= r->duration_ns)
			break;
		if (now >= slicer_due_ns(&r->slicer))
			err = slicer_run(&r->slicer, error);
		if (!err && now >= recording_names_due_ns(r)) {
			end_ns = names_end_ns(r, since_ns, now);
			err = recording_name(r, now, is_late, &end_ns, error);
		}
		if (r->shows_progress)
			show_progress(r, since_ns);
		now = clock_monotonic_ns();
		left = !r->duration_ns ? UINT64_MAX :
		       now - since_ns >= r->duration_ns ? 0 :
		       r->duration_ns - (now - since_ns);
		slice_ns = slicer_due_ns(&r->slicer);
		slice_ns = slice_ns > now ? slice_ns - now : 0;
		if (left > slice_ns)
			left = slice_ns;
		names_ns = recording_names_due_ns(r);
		names_ns = names_ns > now ? names_ns - now : 0;
		if (left > names_ns)
			left = names_ns;
		if (r->shows_progress && left > NSEC_PER_SEC)
			left = NSEC_PER_SEC;
		timeout.tv_sec = (time_t)(left / NSEC_PER_SEC);
		timeout.tv_nsec = (long)(left % NSEC_PER_SEC);
		ppoll(NULL, 0, left == UINT64_MAX ? NULL : &timeout, &before);
	}
	if (!r->child.pid)
		forward_to = 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	waited = 1;
	if (r->shows_progress)
		fputs("\r\033[K", stderr);
	return err;
}

/* The command may run longer than the recording; its exit code becomes ours. */
int recording_await(struct recording *r, const sigset_t *caught)
{
	sigset_t before;

	if (!r->argv)
		return EXIT_DONE;
	sigprocmask(SIG_BLOCK, caught, &before);
	while (!child_ended(&r->child) && !recording_aborted)
		ppoll(NULL, 0, NULL, &before);
	forward_to = 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!r->child.pid)
		return child_exit_code(&r->child);
	return command_fail(EXIT_FAILED, "the profile is saved, and the command still runs");
}
