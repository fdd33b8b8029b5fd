// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl record: sample for a while, then save a profile.
 *
 * Sampling that was started here is stopped on every exit path.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/backup.h"
#include "base/number.h"
#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/module.h"
#include "cmd/recording.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "format/pprof/pprof.h"
#include "profile/settings.h"
#include "profile/slices.h"
#include "profile/task_state.h"
#include "view/summary.h"

/* Each slice costs a dump, and shorter ones hold hardly any samples. */
#define SLICE_MIN_NS	10000000ULL

enum { OPT_FREQUENCY, OPT_DURATION, OPT_PIDS, OPT_CPUS, OPT_ONLY, OPT_OUTPUT,
       OPT_SLICES, OPT_EVENT, OPT_OFF_CPU, OPT_WALL, OPT_WAKERS, OPT_MIN_BLOCK, OPT_STATE,
       OPT_USER_STACKS, OPT_NO_USER_STACKS, OPT_NO_LOAD, OPT_QUIET, OPT_VERBOSE, OPT_ALL,
       OPT_STACKS, OPT_CALL_GRAPH };

static const struct command_option options[] = {
	[OPT_FREQUENCY] = { "frequency", 'F', "HZ", "samples per second and CPU, 1..20000 or max (default: as set, 997 at first)" },
	[OPT_DURATION] = { "duration", 'd', "TIME", "how long to record: 10, 10s, 500ms, 2m" },
	[OPT_PIDS] = { "pid", 'p', "PID,...", "only these processes or threads, at most 16" },
	[OPT_CPUS] = { "cpu", 'C', "LIST", "only these CPUs, such as 0-3,8, or all (default: as set, at first all that are not isolated)" },
	[OPT_ONLY] = { "only", 0, NULL, "only COMMAND, its threads and all processes that they create" },
	[OPT_OUTPUT] = { "output", 'o', "FILE", "the profile (default " SOURCE_RECORDED "), - for stdout" },
	[OPT_SLICES] = { "slices", 0, "TIME", "save slices of time of this length: 1s, at least 10ms" },
	[OPT_EVENT] = { "event", 'e', "EVENT", "also record what causes EVENT, once for each -e: func:FUNCTION, latency:FUNCTION, tracepoint:SYSTEM:NAME, page-faults, contention, cycles; see below" },
	[OPT_OFF_CPU] = { "off-cpu", 0, NULL, "also record where tasks were blocked or waited for a CPU, and for how long: of -p, --only or -a" },
	[OPT_WALL] = { "wall", 0, NULL, "also record all time of tasks, on a CPU and off it, in one graph: of -p, --only or -a" },
	[OPT_WAKERS] = { "wakers", 0, NULL, "also record what wakes tasks, on top of where they were blocked, and for how long" },
	[OPT_MIN_BLOCK] = { "min-block", 0, "TIME", "with --off-cpu or --wakers: leave out what lasted less: 10us, 1ms" },
	[OPT_STATE] = { "state", 0, "STATE,...", "with --off-cpu or --wakers: only time in these states: D, S, T, t, P, I as ps has them, other, preempted, or waiting for a CPU",
		"D,S,T,t,P,I,other,preempted,waiting" },
	[OPT_USER_STACKS] = { "user-stacks", 0, NULL, "fail if the stacks of programs cannot be taken (default: take them where they can be)" },
	[OPT_NO_USER_STACKS] = { "no-user-stacks", 0, NULL, "do not take the stacks of programs" },
	[OPT_NO_LOAD] = MODULE_NO_LOAD,
	[OPT_QUIET] = { "quiet", 'q', NULL, "print nothing but errors, even on a terminal" },
	[OPT_VERBOSE] = { "verbose", 'v', NULL, "print what was saved, even without a terminal" },
	[OPT_ALL] = { "all-cpus", 'a', NULL, "record the whole system: the default, except that --off-cpu and --wall need -a, -p or --only" },
	[OPT_STACKS] = { "stacks", 'g', NULL, "accepted as perf's: call stacks, which is the default" },
	[OPT_CALL_GRAPH] = { "call-graph", 0, "HOW", "accepted as perf's: prints which stacks are sampled" },
	{ 0 }
};

static int parse_frequency(struct recording *r, const char *text, struct error *error)
{
	uint64_t hz;
	int err = settings_hz(text, &hz, error);

	if (err)
		return err;
	r->settings.hz = (uint32_t)hz;
	r->mask |= SETTING(HZ);
	return 0;
}

static int parse_pids(struct recording *r, const char *text, struct error *error)
{
	int err = settings_pids(&r->settings, text, error);

	if (!err && !r->settings.nr_pids)
		err = error_set(error, -EINVAL, "names no process or thread");
	r->mask |= SETTING(PIDS);
	return err;
}

static int parse_cpus(struct recording *r, const char *text, struct error *error)
{
	int err = settings_cpus(&r->settings, text, error);

	if (!err && !*text)
		err = error_set(error, -EINVAL, "names no CPU");
	r->mask |= SETTING(CPUS);
	return err;
}

static int parse_slices(struct recording *r, const char *text, struct error *error)
{
	int err = duration_parse(text, &r->slicer.slice_ns, error);

	if (!err && r->slicer.slice_ns < SLICE_MIN_NS)
		err = error_set(error, -EINVAL, "%s: at least 10ms", text);
	return err;
}

/*
 * Parse an option that has a value of its own.
 *
 * Return: 0, or -EINVAL; @error is the text to print after the option's name.
 */
static int parse_value(struct recording *r, int option, const char *arg, struct error *error)
{
	switch (option) {
	case OPT_FREQUENCY:
		return parse_frequency(r, arg, error);
	case OPT_DURATION:
		return duration_parse(arg, &r->duration_ns, error);
	case OPT_PIDS:
		return parse_pids(r, arg, error);
	case OPT_CPUS:
		return parse_cpus(r, arg, error);
	case OPT_SLICES:
		return parse_slices(r, arg, error);
	case OPT_EVENT:
		return recording_add_event(r, arg, error);
	case OPT_WAKERS:
		return recording_add_event(r, "wakers", error);
	case OPT_MIN_BLOCK:
		return interval_parse(arg, &r->tasks.min_ns, error);
	case OPT_STATE:
		return task_states_parse(arg, &r->tasks.states, error);
	default:
		return 0;
	}
}

/* Take an option that cannot be wrong. */
static void take(struct recording *r, int option, const char *arg)
{
	switch (option) {
	case OPT_ONLY:
		r->only = true;
		break;
	case OPT_OFF_CPU:
		r->tasks.off_cpu = true;
		break;
	case OPT_WALL:
		r->tasks.wall = true;
		break;
	case OPT_USER_STACKS:
	case OPT_NO_USER_STACKS:
		r->settings.user_stacks = option == OPT_USER_STACKS;
		r->mask |= SETTING(USER_STACKS);
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
		r->all = true;
		break;
	case OPT_CALL_GRAPH:
		command_fail(EXIT_FAILED, "--call-graph %s: stacks are always sampled, the kernel's by its own unwinder and those of programs by their unwind tables; --no-user-stacks leaves the latter out",
			     arg);
		break;
	case OPT_OUTPUT:
		r->path = arg;
		break;
	default:
		break;
	}
}

/* Refuse what cannot be combined with events of sources. Return: 0 or EXIT_USAGE. */
static int check_probes(const struct command *command, const struct recording *r)
{
	if (!r->probes.nr)
		return 0;
	if (r->mask & SETTING(CPUS))
		return command_usage(command, "-C and -e %s cannot be combined: the module counts it on all CPUs; select processes with -p, or the command with --only",
				     r->probes.list[0].name);
	return 0;
}

/* Refuse what cannot be combined with events of tasks. Return: 0 or EXIT_USAGE. */
static int check_tasks(const struct command *command, struct recording *r)
{
	const struct recording_tasks *tasks = &r->tasks;
	const char *event = tasks->wall ? "wall" : "off-cpu";

	if (recording_wakers(r) && tasks->states & 1U << TASK_WAITING)
		return command_usage(command, "--state waiting and --wakers cannot be combined: a task that waits for a CPU was woken before; leave waiting out, or record --off-cpu without --wakers");
	if (!tasks->off_cpu && !tasks->wall)
		return (tasks->min_ns || tasks->states) && !recording_wakers(r) ?
		       command_usage(command, "--%s selects time off the CPU: add --off-cpu or --wakers",
				     tasks->min_ns ? "min-block" : "state") : 0;
	if (!r->only && !(r->mask & SETTING(PIDS)) && !r->all)
		return command_usage(command, "--%s records the tasks of -p PID,..., of --only -- COMMAND, or of the whole system with -a, where most time is that of tasks with nothing to do: name one",
				     event);
	if (r->slicer.slice_ns && tasks->wall)
		return command_usage(command, "--slices and --wall cannot be combined: all time of a task is spread over all its samples; use --off-cpu, which has slices");
	if (tasks->wall && (tasks->min_ns || tasks->states))
		return command_usage(command, "--%s and --wall cannot be combined: a graph of all time leaves nothing out; use --off-cpu without --wall",
				     tasks->min_ns ? "min-block" : "state");
	if (tasks->min_ns % NSEC_PER_USEC)
		return command_usage(command, "--min-block %" PRIu64 "ns: with --off-cpu it is a number of whole microseconds: name %" PRIu64 "us or %" PRIu64 "us",
				     tasks->min_ns, tasks->min_ns / NSEC_PER_USEC,
				     tasks->min_ns / NSEC_PER_USEC + 1);
	if (tasks->wall && r->mask & SETTING(CPUS))
		return command_usage(command, "-C and --wall cannot be combined: a task's time is that on all CPUs");
	return 0;
}

static int parse_options(const struct command *command, int argc, char **argv,
			 struct recording *r)
{
	struct error error;
	const char *arg;
	int option;

	while (command_next(command, argc, argv, &option, &arg)) {
		if (option >= COMMAND_LIVE) {
			live_option_add(&r->names.request, option - COMMAND_LIVE);
			continue;
		}
		take(r, option, arg);
		if (!parse_value(r, option, arg, &error))
			continue;
		if (options[option].letter)
			return command_usage(command, "-%c %s", options[option].letter,
					     error.text);
		return command_usage(command, "--%s %s", options[option].name, error.text);
	}
	return EXIT_DONE;
}

static int parse(const struct command *command, int argc, char **argv,
		 struct recording *r)
{
	int code = parse_options(command, argc, argv, r);

	if (code)
		return code;
	if (!(r->mask & SETTING(USER_STACKS))) {
		r->settings.user_stacks = true;
		r->wished = SETTING(USER_STACKS);
		r->mask |= r->wished;
	}
	if (r->names.request.inlines) {
		r->settings.user_places = true;
		r->mask |= SETTING(USER_PLACES);
	}
	if (optind < argc)
		r->argv = argv + optind;
	if (r->only && !r->argv)
		return command_usage(command, "--only needs a command to record: flamectl record --only -- make");
	if (r->only && r->mask & SETTING(PIDS))
		return command_usage(command, "--only and -p cannot be combined: --only records the command, -p records other processes");
	if (recording_wakers(r) && !recording_wakers(r)->min_ns)
		recording_wakers(r)->min_ns = r->tasks.min_ns;
	return check_tasks(command, r) ?: check_probes(command, r);
}

static const char *path_of(const struct recording *r)
{
	return r->path ?: SOURCE_RECORDED;
}

/*
 * Keep the earlier default file if the user named none, who may not want to
 * lose it. If that fails, only warn: the new samples are worth more.
 */
static void keep_earlier(const struct recording *r)
{
	struct error error;

	/*
	 * write the new file out first, so that a failure costs no earlier one
	 */
	if (!r->path && !fflush(r->output.stream) &&
	    !fsync(fileno(r->output.stream)) &&
	    (output_check_link(SOURCE_RECORDED, &error) ||
	     backup_keep(SOURCE_RECORDED, &error)))
		command_fail(EXIT_FAILED, "warning: %s", error.text);
}

/* If writing fails, the module still has the samples until a reset. */
static int write_profile(struct recording *r, const struct events *events,
			 struct error *error)
{
	struct error inner, why;
	int err = pprof_write_events(events, r->output.stream, &inner);

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

/* Warn if nothing is in the profile that was asked for, the first one. */
static void warn_of_nothing(const struct recording *r, const struct profile *profile)
{
	char filter[SUMMARY_FILTER_MAX];

	if (r->dumped.nr && !r->tasks.off_cpu && !r->tasks.wall) {
		if (profile->meta.intervals.seen && !profile->books.stored)
			command_fail(EXIT_FAILED, "warning: the profile has no %s: none of its %" PRIu64 " hits was kept, and flamectl status FILE says why",
				     profile->meta.weight_type, profile->meta.intervals.seen);
		else if (!profile->books.fires && !profile->meta.intervals.seen)
			command_fail(EXIT_FAILED, "warning: the profile has no %s: it did not happen meanwhile",
				     profile->meta.weight_type);
		return;
	}
	if (r->dumped.nr) {
		if (!profile->books.stored)
			command_fail(EXIT_FAILED, "warning: the profile has no time: none of the tasks was %s meanwhile",
				     r->tasks.wall ? "there" : "off the CPU");
		return;
	}
	summary_filter(&profile->meta.settings, filter, sizeof(filter));
	if (*filter && profile->books.filtered && !profile->books.stored)
		command_fail(EXIT_FAILED, "warning: the profile has no samples: %s left out all %" PRIu64 " periods",
			     filter, profile->books.filtered);
}

static void tell_result(const struct recording *r, const struct events *events)
{
	const struct profile *sampled = events->list[events->nr - 1].profile;
	char text[LIVE_NAMES_MISSED], joined[SLICES_JOINED_FACT];

	warn_of_nothing(r, events->list[0].profile);
	if (!r->tells_result)
		return;
	command_note(live_names_missed(&r->names, text));
	command_note(live_names_unproven(&r->names, text));
	command_note(slices_joined_fact(joined, sampled, r->slicer.slice_ns));
	for (unsigned int i = 0; i + 1 < events->nr; i++)
		summary_event(events->list[i].profile, stderr);
	summary_write(sampled, r->slicer.before_command, path_of(r), stderr);
}

static int save(struct recording *r, struct error *error)
{
	struct events events = { .nr = 0 };
	struct profile *profile = NULL;
	int err;

	r->names.limit.is_over = recording_hurried;
	err = recording_dump_events(r, error) ?: recording_stop(r, error) ?:
	      slicer_finish(&r->slicer, &profile, error);
	if (!err)
		err = recording_finish(r, profile, error);
	if (!err) {
		err = recording_make_events(r, profile, &events, error);
		profile = NULL;
	}
	if (!err && recording_aborted)
		err = error_set(error, -EINTR, "interrupted twice, so nothing is saved");
	err = err ?: write_profile(r, &events, error);
	if (!err)
		tell_result(r, &events);
	events_deinit(&events);
	profile_destroy(profile);
	return err;
}

static int prepare(struct recording *r, struct error *error)
{
	char said[MODULE_SAID_MAX];
	int err;

	/* a name that the user has not given may be anybody's link */
	err = recording_resolve(r, error) ?:
	      (r->path ? 0 : output_check_link(SOURCE_RECORDED, error)) ?:
	      output_open_private(&r->output, path_of(r), error);
	if (err)
		return err;
	if (r->output.stream == stdout && isatty(STDOUT_FILENO))
		return error_set(error, -EINVAL,
				 "a saved profile is binary, and standard output is a terminal: name a file with -o");
	err = module_open(&r->nl, !r->no_load, said, error);
	if (!r->quiet)
		command_note(said);
	err = err ?: nl_status(r->nl, &r->status, error);
	if (err) {
		r->code = exit_code_of(err);
		return err;
	}
	r->slicer.deltas.nl = r->nl;
	/* fork before the first instant, so that it is not in the profile */
	return (r->argv ? child_create(&r->child, r->argv, error) : 0) ?:
	       recording_plan(r, error);
}

/* Say which of -p there are not. In a container, numbers may be of processes outside. */
static void warn_of_absent(const struct recording *r)
{
	const struct profile_settings *settings = &r->settings;

	for (unsigned int i = 0; r->mask & SETTING(PIDS) && i < settings->nr_pids; i++)
		if (kill((pid_t)settings->pids[i], 0) && errno == ESRCH)
			command_fail(EXIT_FAILED, "warning: no process or thread here has the number %" PRIu32 " (-p)",
				     settings->pids[i]);
}

static int record(struct recording *r)
{
	struct error error, ignored;
	sigset_t caught;
	int err;

	err = prepare(r, &error);
	if (!err) {
		recording_catch(r, &caught);
		nl_interrupt(r->nl, &recording_aborted);
		err = recording_start(r, &error);
	}
	if (!err) {
		warn_of_absent(r);
		err = recording_wait(r, &caught, &error) ?: save(r, &error);
	}
	if (r->nl && r->status) {
		nl_interrupt(r->nl, NULL);
		recording_stop(r, &ignored);
		recording_release(r);
	}
	if (!err)
		return recording_await(r, &caught);
	command_fail(EXIT_FAILED, "cannot record: %s", error.text);
	child_abandon(&r->child);
	if (r->child.not_run)
		return r->child.not_run == -ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
	return r->code;
}

static int run(const struct command *command, int argc, char **argv)
{
	bool is_watched = isatty(STDERR_FILENO);
	struct recording r = {
		.code = EXIT_FAILED,
		.shows_progress = is_watched, .tells_result = is_watched,
	};
	int code;

	code = parse(command, argc, argv, &r) ?:
	       ending_check(r.path, ENDING_PROFILE);
	if (code)
		return code;
	code = record(&r);
	output_discard(&r.output);
	profile_destroy(r.status);
	slicer_deinit(&r.slicer);
	live_names_deinit(&r.names);
	name_search_deinit(&r.search);
	events_deinit(&r.dumped);
	nl_close(r.nl);
	return code;
}

const struct command cmd_record = {
	.name = "record",
	.args = "[-- COMMAND...]",
	.summary = "sample for a time and save a profile",
	.details =
"Samples the CPUs for a time, while a command runs, or until Ctrl-C, and saves\n"
"a pprof profile that only you may read. A second Ctrl-C stops without saving.\n"
"The names of programs' functions are looked for in at most 30 s, which Ctrl-C ends;\n"
"flamectl symbolize can name the others later. The\n"
"exit code is that of the command, if it fails; 127 if there is no such command,\n"
"126 if it cannot be run. Without -o an earlier " SOURCE_RECORDED " is renamed to\n"
SOURCE_RECORDED BACKUP_SUFFIX ", which replaces an earlier one of that name; if " SOURCE_RECORDED "\n"
"is a symbolic link, it must be your own.\n\n"
"The file also contains the recorded command, the command line of record, the\n"
"date, host, kernel, CPU model, CPUs, memory and architecture: titles show them.\n"
"Nothing else about the environment is saved.\n\n"
"Stacks of programs are taken where that is possible (on x86-64 and arm64),\n"
"whatever the module's setting user-stacks is; elsewhere a program is one frame,\n"
"[user]. --user-stacks fails there instead, and --no-user-stacks leaves them out.\n"
"If sampling already runs, it decides whether there are any. Events have them, too;\n"
"[user: away] is one that could not be read, as the task was not on a CPU then.\n\n"
"If sampling already runs, it goes on undisturbed, and the profile has what is\n"
"sampled in the meantime; -p then filters that. Otherwise sampling is started, and\n"
"stopped at the end; the module keeps the samples until flamectl reset.\n\n"
"If the module is installed but not loaded, and you are root, record loads it\n"
"without starting to sample, and reports that. It stays loaded, and does not\n"
"sample afterwards.\n\n"
"CPUs that the kernel's parameters isolcpus= and nohz_full= isolate are not\n"
"sampled, and not interrupted while sampling runs, unless -C names them; -C all\n"
"is all CPUs. A process or command that may only run on CPUs that are not sampled\n"
"is refused. After the recording the module's setting is restored.\n\n"
"With --only the profile has only the command, its threads and all processes that\n"
"they create, at any depth: the module follows them from before the command's\n"
"first instruction. The time of other processes counts as filtered. Recordings of\n"
"other users are not affected; one command can be followed at a time. Without\n"
"--only the whole system is recorded; perf record -- COMMAND records only the\n"
"command.\n\n"
"With --off-cpu the file also has where tasks were blocked, or waited for a CPU, and\n"
"for how long: exactly, not sampled. Each stack ends in a mark for the state, such as\n"
"[sleeping], [uninterruptible] (D), [preempted], or [waiting] for a CPU after it was\n"
"woken up. If an interval starts before the recording or ends after it, only the part\n"
"inside counts. With --wall the file also has all time of tasks: that off the CPU, and\n"
"the exact time on a CPU, spread over the stacks that were sampled, or [on-cpu] if\n"
"there are none. Each task's time sums to how long it was there. Views show the first\n"
"event, wall or off-cpu, or that of --event NAME; the samples are on-cpu. At most four\n"
"programs can record events at a time. flamectl status lists them; a fifth gets an error\n"
"that names them. Other recordings do not see these events. All recordings share the\n"
"samples. Sampling stops when the recording that started it ends, unless flamectl start\n"
"started it.\n\n"
"With -e the file also has what causes an event: the stack of each hit, exactly. The\n"
"weight is 1 a hit, or what weight= names; of latency it is the time from a function's\n"
"entry to its return. Options follow after commas:\n"
"  func:FUNCTION[,weight=argN]            calls of a function, or an argument's sum; arguments\n"
"                are 64 bits wide without a sign: arg1:s32 is an int, arg2:u32 an unsigned one\n"
"  latency:FUNCTION[,min=TIME]            how long its calls take\n"
"  tracepoint:SYSTEM:NAME[,weight=FIELD]  a tracepoint, or the sum of a field\n"
"  page-faults, minor-faults, major-faults, contention (waits for locks)\n"
"  cycles[:PERIOD], instructions, ref-cycles, branches, branch-misses, cache-references,\n"
"                cache-misses: a counter of the processor, which interrupts each PERIOD;\n"
"                a hit weighs what was counted since the one before\n"
"  if=CONDITION  only hits with arg2>4096, bytes_req!=64, flags&4, ...; up to four\n"
"  unit=WORD     what weights are: bytes, ns; name=WORD what to call the event\n"
"Quote conditions: the shell takes < > & for itself. Events are of the whole system, or\n"
"of -p or --only. Kernel addresses are no weights: fields that are pointers are refused,\n"
"and so are values of 2^47 and more, which count as lost (too-large). At most eight\n"
"events at a time; one that takes more than a quarter of a CPU is suspended, which a\n"
"warning says. flamectl events lists what this kernel offers.\n\n"
"With --wakers the file also has what woke tasks that were blocked, weighted by how long\n"
"they were blocked until then. A stack is where the task waited in the kernel; above it is\n"
"the waker's stack, its innermost function first, each frame marked _[w]; the last frame is\n"
"the waker's name, or [softirq] or [hardirq] if an interrupt woke the task. -p and --only\n"
"select tasks that were woken. -e wakers is the same as --wakers; its --min-block is min=.\n"
"Where the task waited in its program is not known when it is woken; --off-cpu has that, as\n"
"another event.\n\n"
"With --slices the file keeps the time of samples and of events, but not of --wall:\n"
"flamectl heat draws them over time, and --range selects a part. There are at most 1024 slices, or fewer if they\n"
"are large; beyond that, neighbours are joined in pairs, and each new slice is\n"
"twice as long. record then prints how long they are; heat always does.",
	.options = options,
	.live = live_options,
	.run = run,
};
