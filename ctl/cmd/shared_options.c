// SPDX-License-Identifier: GPL-2.0
/*
 * Options that several commands have, and messages about them: see
 * shared_options.h.
 */
#include "cmd/shared_options.h"

#include <errno.h>
#include <stdio.h>

#include "cmd/command.h"

const struct command_option select_options[SELECT_OPTIONS + 1] = {
	[SELECT_INCLUDE] = { "include", 0, "REGEX", "only stacks with a matching frame; repeat it to match any of several" },
	[SELECT_EXCLUDE] = { "exclude", 0, "REGEX", "leave out stacks with a matching frame; repeat it for more" },
	[SELECT_PATH] = { "path", 0, "REGEX", "only stacks that match as a whole, root;...;leaf, such as 'sys_(read|write).*ext4'; repeat it to match any of several" },
	[SELECT_FOCUS] = { "focus", 0, "FUNCTION", "only stacks through FUNCTION, without its callers" },
	[SELECT_CUT] = { "cut", 0, "FUNCTION", "end stacks at FUNCTION: the time of its callees becomes its own" },
	[SELECT_NO_IRQS_OFF] = { "no-irqs-off", 0, NULL, "count [irqs-off], time with interrupts off, as the time of its function" },
	[SELECT_USER] = { "user", 0, NULL, "keep only the user-mode frames of each stack; a stack without any becomes [kernel] or [idle]" },
	[SELECT_KERNEL] = { "kernel", 0, NULL, "keep only the kernel frames of each stack; a stack without any becomes [user]" },
	[SELECT_COMM] = { "comm", 0, "NAME,...", "of a profile: only these comms; * ? [ ] match as in the shell" },
	[SELECT_PID] = { "pid", 0, "PID,...", "of a profile: only these processes or threads" },
	[SELECT_CGROUP] = { "cgroup", 0, "PATH", "of a profile: only this cgroup and those below it, such as system.slice, or a container by 12 or more digits of its id; repeat it for more" },
	[SELECT_CPU] = { "cpu", 0, "LIST", "of samples in a profile: only these CPUs, such as 0-3,8" },
	[SELECT_CONTEXT] = { "context", 0, "NAME,...", "of a profile: only user, task, softirq, hardirq or idle time",
		"user,task,softirq,hardirq,idle" },
	[SELECT_NO_IDLE] = { "no-idle", 0, NULL, "of a profile: leave out idle time" },
	[SELECT_DROP_LATE] = { "drop-late", 0, NULL, "of a profile of flamemod: count a late fire once, as perf does: this leaves out [stalled], [steal] and most of [irqs-off]" },
	[SELECT_MERGE_THREADS] = { "merge-threads", 0, NULL, "of a profile: count threads as their process, with its comm" },
	[SELECT_MERGE_KTHREADS] = { "merge-kthreads", 0, NULL, "of a profile: count similar kernel threads as one: kworker/u4:1 and kworker/1:2H as kworker" },
	[SELECT_RANGE] = { "range", 0, "FROM,TO", "of a profile with slices: only slices that overlap this time, such as 2s,5s; they are kept whole" },
	{ 0 }
};

const struct command_option load_options[LOAD_OPTIONS + 1] = {
	[LOAD_FROM] = { "from", 0, "FORMAT", "the format of the input (default: found from its content): pprof, perf-data, perf-script, perf-report, trace-cmd, bpftrace-json, bpftrace, stap, dtrace, oprofile, bcc or folded",
		FORMAT_VALUES },
	[LOAD_EVENT] = { "event", 0, "NAME", "use this event or pprof sample type (default: the first); for live the default is the samples, NAME is an attached event, NAME@PID that of one program" },
	[LOAD_COMM_FIRST] = { "comm-first", 0, NULL, "of folded text: the first frame of each stack is the command (default: only if that is certain)" },
	[LOAD_NO_COMM_FIRST] = { "no-comm-first", 0, NULL, "of folded text: the first frame is a frame, even if the text looks like flamectl's own" },
	[LOAD_STRICT] = { "strict", 0, NULL, "refuse an input with lines that would be ignored" },
	[LOAD_TIDY] = { "tidy", 0, NULL, "of another tool's text: remove C++ and Java signatures" },
	[LOAD_OPTIONS] = { 0 }
};

const struct command_option live_options[LIVE_OPTIONS + 1] = {
	[LIVE_NO_NAMES] = { "no-names", 0, NULL, "of the module's profile: leave functions of programs as FILE+0x1234, without looking for their names" },
	[LIVE_NO_DEMANGLE] = { "no-demangle", 0, NULL, "of the module's profile: leave the names of C++ and Rust as linkers see them" },
	[LIVE_ANY_FS] = { "any-fs", 0, NULL, "of the module's profile: look for names in files on network and FUSE file systems, too; it waits for servers that do not answer" },
	[LIVE_INLINES] = { "inlines", 0, NULL, "of the module's profile: show functions that compilers inlined into others, as NAME_[i], where programs or their debug files tell" },
	{ 0 }
};

void live_option_add(struct live_request *request, enum live_option option)
{
	if (option == LIVE_NO_NAMES)
		request->no_names = true;
	else if (option == LIVE_ANY_FS)
		request->any_fs = true;
	else if (option == LIVE_INLINES)
		request->inlines = true;
	else
		request->mangled = true;
}

int shared_option_add(const struct shared_requests *requests, int position,
		      const char *text, struct error *error)
{
	if (position >= COMMAND_LIVE) {
		live_option_add(requests->live, position - COMMAND_LIVE);
		return 0;
	}
	if (position >= COMMAND_READS)
		return load_option_add(requests->load, position - COMMAND_READS,
				       text, error);
	return select_option_add(requests->selection, position - COMMAND_SHARED,
				 text, error);
}

int select_option_add(struct selection *selection, enum select_option option,
		      const char *text, struct error *error)
{
	const struct command_option *given = &select_options[option];
	struct error why = { 0 };
	int err;

	if (text && !*text)
		return error_set(error, -EINVAL, "--%s: %s is empty",
				 given->name, given->arg);
	err = select_add(selection, option, text, &why);
	if (err)
		error_set(error, err, "--%s%s%.400s", given->name,
			  *why.text == ':' ? "" : " ", why.text);
	return err;
}

const char *select_option_of_profiles(const struct selection *selection)
{
	int option = select_of_profiles(selection);

	return option < 0 ? NULL : select_options[option].name;
}

int load_option_add(struct load_request *request, enum load_option option,
		    const char *text, struct error *error)
{
	struct error why;
	int err = load_add(request, option, text, &why);

	if (err)
		error_set(error, err, "--%s %.400s", load_options[option].name,
			  why.text);
	return err;
}

static const char *noun_of(enum select_option option)
{
	switch (option) {
	case SELECT_COMM:
		return "comm matches";
	case SELECT_PID:
		return "process or thread is";
	case SELECT_CGROUP:
		return "cgroup is, or is below,";
	case SELECT_CPU:
		return "sampled CPU is in";
	case SELECT_CONTEXT:
		return "sample has the context";
	case SELECT_PATH:
		return "stack matches";
	case SELECT_USER:
	case SELECT_KERNEL:
		return "stack has";
	default:
		return "function matches";
	}
}

const char *select_missed(const struct selection *selection,
			  const struct select_met *met,
			  char text[SELECT_MISSED_TEXT])
{
	struct select_miss missed = { 0 };
	bool comm_missed = false;
	size_t used = 0;

	*text = '\0';
	while (used < SELECT_MISSED_TEXT &&
	       select_next_miss(selection, met, &missed)) {
		used += (size_t)snprintf(text + used, SELECT_MISSED_TEXT - used,
					 "%sno %s %.*s (--%s)",
					 used ? "; " : "",
					 noun_of(missed.option),
					 (int)(missed.length < 64 ? missed.length : 64),
					 missed.value,
					 select_options[missed.option].name);
		comm_missed |= missed.option == SELECT_COMM;
	}
	if (comm_missed && select_only_nameless(met) && used < SELECT_MISSED_TEXT)
		snprintf(text + used, SELECT_MISSED_TEXT - used,
			 ": no comm is known here; if the first frames of folded text are commands, read or import it with --comm-first");
	return text;
}

const char *select_missed_in(const struct selection *selection,
			     const struct profile *profile,
			     char text[SELECT_MISSED_TEXT])
{
	struct select_met met = { 0 };

	*text = '\0';
	if (select_meet_profile(selection, profile, &met))
		return text;
	return select_missed(selection, &met, text);
}
