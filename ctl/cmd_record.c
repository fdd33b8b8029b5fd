// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl record: sample for a while, save a profile.
 *
 * Where sampling already runs, or samples are held, the profile is the
 * difference of two instants, so that nobody else is disturbed. What was
 * started here is stopped here, on every way out.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backup.h"
#include "books.h"
#include "child.h"
#include "command.h"
#include "module.h"
#include "nl.h"
#include "number.h"
#include "origin.h"
#include "output.h"
#include "pprof.h"
#include "settings.h"
#include "slicer.h"
#include "summary.h"

#define DEFAULT_OUTPUT	"flamemod.pb.gz"
#define NSEC_PER_SEC	1000000000ULL
/* Each slice is a dump, and shorter ones hold next to no samples. */
#define SLICE_MIN_NS	10000000ULL

enum { OPT_FREQUENCY, OPT_DURATION, OPT_PIDS, OPT_ONLY, OPT_OUTPUT,
       OPT_SLICES, OPT_NO_LOAD, OPT_QUIET, OPT_VERBOSE, OPT_ALL, OPT_STACKS, OPT_CALL_GRAPH };

static const struct command_option options[] = {
	[OPT_FREQUENCY] = { "frequency", 'F', "HZ", "samples per second and CPU, 1..20000 or max (default: as set, 997 at first)" },
	[OPT_DURATION] = { "duration", 'd', "TIME", "for so long: 10, 10s, 500ms, 2m" },
	[OPT_PIDS] = { "pid", 'p', "PID,...", "only these processes or threads, at most 16" },
	[OPT_ONLY] = { "only", 0, NULL, "only COMMAND, its threads and all that they create" },
	[OPT_OUTPUT] = { "output", 'o', "FILE", "the profile (default " DEFAULT_OUTPUT "), - for stdout" },
	[OPT_SLICES] = { "slices", 0, "TIME", "keep what was sampled apart by time: 1s, at least 10ms" },
	[OPT_NO_LOAD] = MODULE_NO_LOAD,
	[OPT_QUIET] = { "quiet", 'q', NULL, "tell nothing but errors, on a terminal too" },
	[OPT_VERBOSE] = { "verbose", 'v', NULL, "tell what was saved, without a terminal too" },
	[OPT_ALL] = { "all-cpus", 'a', NULL, "as perf's: all CPUs, as without it" },
	[OPT_STACKS] = { "stacks", 'g', NULL, "as perf's: call stacks, as without it" },
	[OPT_CALL_GRAPH] = { "call-graph", 0, "HOW", "as perf's: says which stacks are sampled, and goes on" },
	{ 0 }
};

struct recording {
	/* what was asked for */
	struct profile_settings settings;
	unsigned int mask;			/* of SETTING() */
	uint64_t duration_ns;			/* 0: until a signal */
	const char *path;			/* NULL: the default, and its file is kept */
	char **argv;				/* NULL: no command */
	bool only;				/* nothing but that */
	bool shows_progress, tells_result;
	bool no_load, quiet;
	/* what there is to undo */
	struct nl *nl;
	struct output output;
	struct child child;
	struct profile *status;			/* as it was before */
	struct slicer slicer;			/* deltas.seen: NULL: there was nothing */
	bool running;				/* sampling was not started here */
	bool started;				/* it was, and is not yet stopped */
	bool filtered;				/* the module's pids are ours */
	bool follows;				/* the module follows the command */
	int code;				/* to exit with, on an error */
	struct timespec began;			/* of CLOCK_REALTIME */
};

static volatile sig_atomic_t ended, aborted;
static volatile pid_t told;		/* passes on what only we were told */

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (number == SIGCHLD)
		return;
	/* the terminal tells the command, too; kill(1) does not */
	if (told > 0 && info->si_code == SI_USER)
		kill(told, number);
	if (ended)
		aborted = 1;
	ended = 1;
}

static const int end_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD };

static void catch_signals(sigset_t *caught)
{
	struct sigaction action = {
		.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO,
	}, old;
	size_t i;

	sigemptyset(caught);
	for (i = 0; i < sizeof(end_signals) / sizeof(end_signals[0]); i++) {
		sigaddset(caught, end_signals[i]);
		sigaction(end_signals[i], &action, &old);
		/* nohup's wish */
		if (end_signals[i] == SIGHUP && old.sa_handler == SIG_IGN)
			sigaction(SIGHUP, &old, NULL);
	}
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}

/* "max" as perf has it: the highest there is. */
static int frequency_parse(const char *text, uint64_t *hz, struct error *error)
{
	if (strcmp(text, "max"))
		return settings_hz(text, hz, error);
	*hz = FLAMEMOD_HZ_MAX;
	return 0;
}

static int parse(const struct command *command, int argc, char **argv,
		 struct recording *r)
{
	struct error error;
	uint64_t hz;
	const char *arg;
	int position, err = 0;

	while (command_next(command, argc, argv, &position, &arg)) {
		switch (position) {
		case OPT_FREQUENCY:
			err = frequency_parse(arg, &hz, &error);
			if (err)
				return command_usage(command, "-F %s", error.text);
			r->settings.hz = (uint32_t)hz;
			r->mask |= SETTING(HZ);
			break;
		case OPT_DURATION:
			err = duration_parse(arg, &r->duration_ns, &error);
			if (err)
				return command_usage(command, "-d %s", error.text);
			break;
		case OPT_PIDS:
			err = settings_pids(&r->settings, arg, &error);
			if (err || !r->settings.nr_pids)
				return command_usage(command, "-p %s", err ?
						     error.text :
						     "names no process or thread");
			r->mask |= SETTING(PIDS);
			break;
		case OPT_ONLY:
			r->only = true;
			break;
		case OPT_SLICES:
			err = duration_parse(arg, &r->slicer.slice_ns, &error);
			if (err)
				return command_usage(command, "--slices %s", error.text);
			if (r->slicer.slice_ns < SLICE_MIN_NS)
				return command_usage(command, "--slices %s: at least 10ms", arg);
			break;
		case OPT_NO_LOAD:
			r->no_load = true;
			break;
		case OPT_QUIET:
			r->quiet = true;
			r->shows_progress = r->tells_result = false;
			break;
		case OPT_VERBOSE:
			r->tells_result = true;
			break;
		case OPT_ALL:
		case OPT_STACKS:
			break;
		case OPT_CALL_GRAPH:
			command_fail(EXIT_FAILED, "--call-graph %s: stacks of the kernel are always sampled, by its own unwinder; time in user mode is [user], without a stack",
				     arg);
			break;
		default:
			r->path = arg;
			break;
		}
	}
	if (optind < argc)
		r->argv = argv + optind;
	if (r->only && !r->argv)
		return command_usage(command, "--only is for a command: flamectl record --only -- make");
	if (r->only && r->mask & SETTING(PIDS))
		return command_usage(command, "--only and -p: the command is all that is recorded, or the processes are");
	return 0;
}

/* Start, or take part? Says why neither can be. */
static int plan(struct recording *r, struct error *error)
{
	const struct profile *status = r->status;
	uint32_t hz = status->meta.settings.hz;
	bool other_rate = r->mask & SETTING(HZ) && r->settings.hz != hz;
	bool held = status->books.fires || status->books.missed;

	r->running = status->meta.state == FLAMEMOD_STATE_RUNNING;
	if (status->meta.state == FLAMEMOD_STATE_BROKEN)
		return error_set(error, -EIO,
				 "the sampler found itself inconsistent and stopped: see the kernel log, then load the module anew");
	if (r->running && other_rate)
		return error_set(error, -EBUSY, "sampling already runs at %"
				 PRIu32 " Hz: leave out -F to record at that rate, or flamectl stop and flamectl reset first",
				 hz);
	if (held && other_rate)
		return error_set(error, -EBUSY, "the module holds samples at %"
				 PRIu32 " Hz: flamectl dump what you need, then flamectl reset first",
				 hz);
	return r->running || held ?
	       nl_dump(r->nl, false, &r->slicer.deltas.seen, error) : 0;
}

static int start(struct recording *r, struct error *error)
{
	int err;

	clock_gettime(CLOCK_REALTIME, &r->began);
	r->slicer.since_ns = r->slicer.deltas.seen ?
			     r->slicer.deltas.seen->meta.instant_ns : now_ns();
	r->slicer.epoch = r->status->meta.epoch;
	r->slicer.only = r->running && r->mask & SETTING(PIDS) ? &r->settings :
								 NULL;
	if (r->only) {
		err = nl_follow(r->nl, r->child.pid, error);
		if (err)
			return err;
		r->follows = true;
		r->slicer.only_followed = true;
		r->settings.followed_only = true;
		r->mask |= SETTING(FOLLOWED_ONLY);
	}
	if (!r->running) {
		nl_own(r->nl);
		err = nl_start(r->nl, &r->settings, r->mask, error);
		if (err)
			return err;
		r->started = true;
		r->filtered = r->mask & SETTING(PIDS);
	}
	return r->argv ? child_go(&r->child, r->argv, error) : 0;
}

static void show_progress(struct recording *r, uint64_t since_ns)
{
	struct profile *now;
	struct error error;

	if (nl_status(r->nl, &now, &error))
		return;
	/* after a reset there is nothing to subtract: all is new */
	if (r->slicer.deltas.seen && now->meta.epoch == r->slicer.deltas.seen->meta.epoch)
		books_subtract(&now->books, &r->slicer.deltas.seen->books);
	if (r->slicer.profile)
		books_add(&now->books, &r->slicer.profile->books);
	fprintf(stderr, "\r%.0f s  %" PRIu64 " periods  %" PRIu64 " lost\033[K",
		(double)(now_ns() - since_ns) / NSEC_PER_SEC,
		now->books.fires + now->books.missed,
		profile_lost(&now->books));
	profile_destroy(now);
}

/* Until the command ends, the time is over, or a signal comes. */
static int wait_window(struct recording *r, const sigset_t *caught,
		       struct error *error)
{
	uint64_t since_ns = now_ns(), now, left, slice_ns;
	struct timespec timeout;
	sigset_t before;
	int err = 0;

	sigprocmask(SIG_BLOCK, caught, &before);
	while (!err && !ended && !(r->argv && child_ended(&r->child))) {
		now = now_ns();
		if (r->duration_ns && now - since_ns >= r->duration_ns)
			break;
		if (now >= slicer_due_ns(&r->slicer))
			err = slicer_take(&r->slicer, error);
		if (r->shows_progress)
			show_progress(r, since_ns);
		now = now_ns();
		left = !r->duration_ns ? UINT64_MAX :
		       now - since_ns >= r->duration_ns ? 0 :
		       r->duration_ns - (now - since_ns);
		slice_ns = slicer_due_ns(&r->slicer);
		slice_ns = slice_ns > now ? slice_ns - now : 0;
		if (left > slice_ns)
			left = slice_ns;
		if (r->shows_progress && left > NSEC_PER_SEC)
			left = NSEC_PER_SEC;
		timeout.tv_sec = (time_t)(left / NSEC_PER_SEC);
		timeout.tv_nsec = (long)(left % NSEC_PER_SEC);
		ppoll(NULL, 0, left == UINT64_MAX ? NULL : &timeout, &before);
	}
	if (!r->child.pid)
		told = 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (r->shows_progress)
		fputs("\r\033[K", stderr);
	return err;
}

/* Stop what was started, and put the filter back, whatever else happened. */
static int stop(struct recording *r, struct error *error)
{
	int err;

	if (!r->started)
		return 0;
	nl_interrupt(r->nl, NULL);
	err = nl_stop(r->nl, error);
	nl_interrupt(r->nl, &aborted);
	if (err && err != -EALREADY)
		return err;
	r->started = false;
	return 0;
}

static void restore_filter(struct recording *r)
{
	struct error error;
	int err;

	err = r->follows ? nl_follow(r->nl, 0, &error) : 0;
	if (err && err != -ENODEV)
		command_fail(EXIT_FAILED, "warning: the module goes on following the command: %s",
			     error.text);
	r->follows = false;
	if (!r->filtered)
		return;
	if (nl_set(r->nl, &r->status->meta.settings, SETTING(PIDS), &error))
		command_fail(EXIT_FAILED, "warning: the module's pids stay as for this recording: %s",
			     error.text);
}

static void warn(const struct recording *r, const struct profile_meta *meta)
{
	if (r->slicer.was_reset && r->slicer.slice_ns)
		command_fail(EXIT_FAILED, "warning: somebody reset the module meanwhile: what was sampled from the slice before to the reset is missing");
	else if (r->slicer.was_reset)
		command_fail(EXIT_FAILED, "warning: somebody reset the module meanwhile: only what was sampled since is kept");
	if (meta->state == FLAMEMOD_STATE_BROKEN)
		command_fail(EXIT_FAILED, "warning: the sampler found itself inconsistent and stopped: see the kernel log");
	else if (r->running && meta->state != FLAMEMOD_STATE_RUNNING)
		command_fail(EXIT_FAILED, "warning: somebody stopped sampling meanwhile");
}

/* What happened between the two instants, of those that were asked for. */
static int cut_window(struct recording *r, struct profile **profile,
		      struct error *error)
{
	int err;

	if (r->slicer.slice_ns)
		return slicer_finish(&r->slicer, profile, error);
	err = nl_dump(r->nl, false, profile, error);
	if (err)
		return err;
	r->slicer.was_reset = (*profile)->meta.epoch != r->status->meta.epoch;
	if (!r->slicer.was_reset && r->slicer.deltas.seen)
		err = profile_subtract(*profile, r->slicer.deltas.seen, error);
	if (!err && r->slicer.only)
		err = profile_keep_pids(*profile, r->settings.pids,
					r->settings.nr_pids, error);
	if (!err && r->only)
		err = profile_keep_followed(*profile, error);
	return err;
}

static int finish_meta(struct recording *r, struct profile *profile,
		       struct error *error)
{
	struct profile_meta *meta = &profile->meta;

	warn(r, meta);
	if (r->slicer.only) {
		memcpy(meta->settings.pids, r->settings.pids,
		       sizeof(meta->settings.pids));
		meta->settings.nr_pids = r->settings.nr_pids;
	}
	if (r->argv)
		origin_command(meta->origin.command, r->argv);
	if (r->only)
		meta->settings.followed_only = true;
	/* the epoch may have begun long before */
	if (!r->slicer.was_reset || r->slicer.slice_ns)
		meta->time_ns = r->began.tv_sec * (int64_t)NSEC_PER_SEC +
				r->began.tv_nsec;
	return profile_check(profile, error);
}

static const char *path_of(const struct recording *r)
{
	return r->path ?: DEFAULT_OUTPUT;
}

/*
 * Who names no file does not mean to lose one. What was sampled is worth more
 * than what is lost where it cannot be kept.
 */
static void keep_earlier(const struct recording *r)
{
	struct error error;

	/* for one that is not to be written, none is given up */
	if (!r->path && !fflush(r->output.stream) &&
	    !fsync(fileno(r->output.stream)) &&
	    backup_keep(DEFAULT_OUTPUT, &error))
		command_fail(EXIT_FAILED, "warning: %s", error.text);
}

/* The module keeps the samples until they are reset. */
static int write_profile(struct recording *r, const struct profile *profile,
			 struct error *error)
{
	struct error inner, why;
	int err = pprof_write(profile, r->output.stream, &inner);

	if (err) {
		error_set(&why, err, "cannot write %.200s: %.80s",
			  r->output.name, inner.text);
	} else {
		keep_earlier(r);
		err = output_commit(&r->output, &why);
	}
	return err ? error_set(error, err, "%.300s; the module still holds the samples: flamectl dump -o FILE or flamectl svg -o FILE live saves them elsewhere",
			       why.text) : 0;
}

static void tell_result(const struct recording *r,
			const struct profile *profile)
{
	struct remedy_limits limits;
	char filter[SUMMARY_FILTER_MAX];

	summary_filter(&profile->meta.settings, filter, sizeof(filter));
	if (*filter && profile->books.filtered && !profile->books.stored)
		command_fail(EXIT_FAILED, "warning: there is no sample in the profile: %s left out all %" PRIu64 " periods",
			     filter, profile->books.filtered);
	if (!r->tells_result)
		return;
	remedy_limits_read(&limits);
	summary_write(profile, path_of(r), &limits, stderr);
}

static int save(struct recording *r, struct error *error)
{
	struct profile *profile = NULL;
	int err;

	err = stop(r, error) ?: cut_window(r, &profile, error);
	if (!err)
		err = finish_meta(r, profile, error);
	if (!err && aborted)
		err = error_set(error, -EINTR, "interrupted twice, so nothing is saved");
	err = err ?: write_profile(r, profile, error);
	if (!err)
		tell_result(r, profile);
	profile_destroy(profile);
	return err;
}

/* The command may run on when the time is over; its exit code is ours. */
static int await_command(struct recording *r, const sigset_t *caught)
{
	sigset_t before;

	if (!r->argv)
		return EXIT_DONE;
	sigprocmask(SIG_BLOCK, caught, &before);
	while (!child_ended(&r->child) && !aborted)
		ppoll(NULL, 0, NULL, &before);
	told = 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!r->child.pid)
		return child_exit_code(&r->child);
	return command_fail(EXIT_FAILED, "the profile is saved, the command is left running");
}

static int prepare(struct recording *r, struct error *error)
{
	char said[MODULE_SAID_MAX];
	int err;

	err = output_open_private(&r->output, path_of(r), error);
	if (err)
		return err;
	if (r->output.stream == stdout && isatty(STDOUT_FILENO))
		return error_set(error, -EINVAL,
				 "a profile is no text for a terminal: name a file with -o");
	err = module_open(&r->nl, !r->no_load, said, error);
	if (!r->quiet)
		command_note(said);
	err = err ?: nl_status(r->nl, &r->status, error);
	if (err) {
		r->code = exit_code_of(err);
		return err;
	}
	r->slicer.deltas.nl = r->nl;
	/* before the first instant, so that the fork is not in the profile */
	return (r->argv ? child_create(&r->child, r->argv, error) : 0) ?:
	       plan(r, error);
}

static int record(struct recording *r)
{
	struct error error, ignored;
	sigset_t caught;
	int err;

	err = prepare(r, &error);
	if (!err) {
		told = r->child.pid;
		catch_signals(&caught);
		nl_interrupt(r->nl, &aborted);
		err = start(r, &error);
	}
	if (!err)
		err = wait_window(r, &caught, &error) ?: save(r, &error);
	if (r->nl && r->status) {
		nl_interrupt(r->nl, NULL);
		stop(r, &ignored);
		restore_filter(r);
	}
	if (!err)
		return await_command(r, &caught);
	command_fail(EXIT_FAILED, "cannot record: %s", error.text);
	child_abandon(&r->child);
	return r->child.not_run ?: r->code;
}

static int run(const struct command *command, int argc, char **argv)
{
	bool is_watched = isatty(STDERR_FILENO);
	struct recording r = {
		.code = EXIT_FAILED,
		.shows_progress = is_watched, .tells_result = is_watched,
	};
	int code;

	code = parse(command, argc, argv, &r);
	if (code)
		return code;
	code = record(&r);
	output_discard(&r.output);
	profile_destroy(r.status);
	slicer_deinit(&r.slicer);
	nl_close(r.nl);
	return code;
}

const struct command cmd_record = {
	.name = "record",
	.args = "[-- COMMAND...]",
	.summary = "sample for a while and save a profile",
	.details =
"Samples all CPUs for a time, while a command runs, or until Ctrl-C, and saves\n"
"a pprof profile, which only you may read. A second Ctrl-C gives up. The exit\n"
"code is that of the command, if it fails; 127 where there is no such command,\n"
"126 where it cannot be run. Without -o an earlier " DEFAULT_OUTPUT " is kept as\n"
DEFAULT_OUTPUT BACKUP_SUFFIX ", and what was kept before is gone.\n\n"
"The file also says which command was recorded and by which command line, the\n"
"date, host, kernel, CPU model, CPUs, memory and architecture: titles show them.\n"
"Nothing else of the environment is saved.\n\n"
"Where sampling already runs it goes on undisturbed, and the profile is what\n"
"was sampled meanwhile; -p then filters that. Otherwise sampling is started,\n"
"and stopped at the end; the module keeps the samples until flamectl reset.\n\n"
"Where the module is installed and not loaded, root's record loads it, stopped, and\n"
"says so. It stays loaded, and does not sample afterwards.\n\n"
"With --only the profile is that of the command, of its threads and of all\n"
"processes that they create, wherever these end up: the module follows them from\n"
"one to the next, from before the command's first instruction on. What others\n"
"did is counted as filtered. The others' recordings notice nothing of it; one\n"
"command can be followed at a time. Without --only it is the whole system,\n"
"where perf record -- COMMAND takes the command alone.\n\n"
"With --slices the file tells when it was: flamectl heat draws that, and --range\n"
"takes a part of it. There are at most 1024 slices, and fewer where each holds\n"
"much; past that, neighbours are joined two by two, and each slice from then on\n"
"is twice as long.",
	.options = options,
	.run = run,
};
