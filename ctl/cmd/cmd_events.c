// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl events: list the events that the module and this kernel offer, and why not the
 * others. Whether an event can be attached is tried, for this process alone.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/utf8.h"
#include "cmd/command.h"
#include "cmd/module.h"
#include "probe/probe.h"
#include "wire/live_clients.h"
#include "wire/nl.h"

#define BIT(event)	(1U << FLAMEMOD_EVENT_##event)

enum { OPT_JSON };

static const struct command_option options[] = {
	[OPT_JSON] = { "json", 0, NULL, "print JSON" },
	{ 0 }
};

/* An event as users know it. */
struct offer {
	const char *name, *unit;
	uint32_t events;		/* of the module, that it needs; 0: none of tasks */
	const char *what, *how;
	const char *probe;		/* one of its kind that every kernel has, or NULL */
};

static const struct offer offers[] = {
	{ "on-cpu", "periods", 0, "where tasks are on a CPU, sampled by the timer",
	  "flamectl record" },
	{ "off-cpu", "nanoseconds", BIT(OFF_CPU),
	  "where tasks are blocked or preempted, and for how long",
	  "flamectl record --off-cpu -p PID" },
	{ "waiting", "nanoseconds", BIT(WAITING),
	  "the part of off-cpu in which tasks wait for a CPU after they were woken up, as [waiting]",
	  "flamectl record --off-cpu -p PID" },
	{ "wall", "nanoseconds", BIT(OFF_CPU) | BIT(RAN),
	  "all time of tasks: off-cpu, and exact time on a CPU spread over their samples",
	  "flamectl record --wall -p PID" },
	{ "func", "hits or an argument", 0, "who calls a function of the kernel, how often, with what",
	  "flamectl record -e func:vfs_read[,weight=arg3][,if=arg3>4096]", "func:vfs_read" },
	{ "latency", "nanoseconds", 0, "who waits for a function of the kernel, and how long",
	  "flamectl record -e latency:vfs_read[,min=1ms]", "latency:vfs_read" },
	{ "tracepoint", "hits or a field", 0, "who causes a tracepoint, and the sum of a field",
	  "flamectl record -e tracepoint:kmem:kmalloc[,weight=bytes_alloc]",
	  "tracepoint:sched:sched_switch" },
	{ "page-faults", "hits", 0, "who causes page faults; also minor-faults and major-faults",
	  "flamectl record -e page-faults", "page-faults" },
	{ "contention", "hits", 0, "who waits for locks of the kernel", "flamectl record -e contention",
	  "contention" },
	{ "wakers", "nanoseconds", 0,
	  "what wakes tasks, on top of where they were blocked, and for how long",
	  "flamectl record --wakers", "wakers" },
	{ "cycles", "cycles", 0, "where cycles of the processor pass; also instructions, ref-cycles, branches, branch-misses, cache-references and cache-misses",
	  "flamectl record -e cycles[:PERIOD]", "cycles" },
};

/* What came of trying an event. */
struct answer {
	bool is_offered;
	bool is_attached;		/* somebody else uses it now */
	bool is_untried;		/* it is not known: others use all places */
	struct error why_not;
};

/* Report whether an event that somebody else has attached is one of an offer. */
static bool is_of(const struct offer *offer, unsigned int event,
		  const struct profile_attached *attached)
{
	const size_t length = strlen(offer->name);

	if (event < FLAMEMOD_SOURCE_FIRST)
		return offer->events & 1U << event;
	return offer->probe && !strncmp(attached->name, offer->name, length) &&
	       (!attached->name[length] || attached->name[length] == ':');
}

/* Report whether a client has the events of an offer attached. */
static bool has(const struct profile *status, const struct offer *offer)
{
	uint32_t tasks = 0;
	bool found = false;

	for (unsigned int i = 0; i < ATTACHED_MAX; i++) {
		const struct profile_attached *attached = &status->meta.attached[i];

		if (!attached->known || !is_of(offer, i, attached))
			continue;
		if (i < FLAMEMOD_SOURCE_FIRST)
			tasks |= 1U << i;
		else
			found = true;
	}
	return offer->events ? tasks == offer->events : found;
}

/* Report whether somebody else has the events of an offer attached, so that it is offered. */
static bool is_in_use(struct nl *nl, const struct offer *offer)
{
	struct clients others = { .nr = 0 };
	struct profile *status;
	struct error ignored;
	bool found;

	if (nl_status(nl, &status, &ignored))
		return false;
	found = has(status, offer);
	live_clients(nl, status, &others, &ignored);
	for (unsigned int i = 0; i < others.nr; i++)
		found |= has(others.list[i], offer);
	clients_deinit(&others);
	profile_destroy(status);
	return found;
}

/* Attach an offer's events and detach them. Return: 0 or -errno with @why. */
static int attach_for_a_moment(struct nl *nl, const struct offer *offer, struct error *why)
{
	const uint32_t self = (uint32_t)getpid();
	struct probe probe;
	const struct nl_source source = {
		.events = offer->events, .pids = &self, .nr_pids = 1,
		.probes = &probe, .nr_probes = offer->probe != NULL,
	};
	int err = 0;

	if (offer->probe)
		err = probe_parse(offer->probe, &probe, why) ?:
		      probe_resolve(&probe, module_root(), why);
	return err ?: nl_attach(nl, &source, why) ?: nl_detach(nl, why);
}

/* Return: 0, or -errno if the module cannot be asked. */
static int try(struct nl *nl, const struct offer *offer, struct answer *answer)
{
	int err;

	*answer = (struct answer){ .is_offered = true };
	if (!offer->events && !offer->probe)
		return 0;
	answer->is_attached = is_in_use(nl, offer);
	err = attach_for_a_moment(nl, offer, &answer->why_not);
	answer->is_offered = !err || (err == -EBUSY && answer->is_attached);
	answer->is_untried = err == -EBUSY && !answer->is_attached;
	/* a kernel may have a reason of its own to refuse a probe */
	if (offer->probe && err != -ENODEV)
		return 0;
	return err == -EBUSY || err == -EOPNOTSUPP || err == -EPROTONOSUPPORT ? 0 : err;
}

static void print(const struct offer *offer, const struct answer *answer)
{
	printf("%-11s  %-19s  ", offer->name, offer->unit);
	if (!answer->is_offered) {
		fputs(answer->is_untried ? "not now: " : "not here: ", stdout);
		utf8_print(answer->why_not.text, stdout);
		putchar('\n');
		return;
	}
	printf("%s: %s%s\n", offer->what, offer->how,
	       answer->is_attached ? " (another program uses it now)" : "");
}

static void print_json(struct json *json, const struct offer *offer,
		       const struct answer *answer)
{
	json_open_object(json, NULL);
	json_text(json, "event", offer->name);
	json_text(json, "unit", offer->unit);
	json_bool(json, "offered", answer->is_offered);
	json_bool(json, "in_use", answer->is_attached);
	json_text(json, "why_not", answer->is_offered ? "" : answer->why_not.text);
	json_close(json);
}

static int list(struct nl *nl, bool as_json)
{
	struct json json = { .out = stdout, .style = JSON_SPACED };
	struct answer answer;
	int err;

	if (as_json)
		json_open_array(&json, NULL);
	for (size_t i = 0; i < sizeof(offers) / sizeof(offers[0]); i++) {
		err = try(nl, &offers[i], &answer);
		if (err)
			return command_fail(exit_code_of(err), "cannot list events: %s",
					    answer.why_not.text);
		if (as_json)
			print_json(&json, &offers[i], &answer);
		else
			print(&offers[i], &answer);
	}
	if (as_json) {
		json_close(&json);
		json_end(&json);
	}
	return command_printed(EXIT_DONE);
}

static int run(const struct command *command, int argc, char **argv)
{
	bool as_json = false;
	struct error error;
	const char *arg;
	struct nl *nl;
	int position, code, err;

	while (command_next(command, argc, argv, &position, &arg))
		as_json |= position == OPT_JSON;
	if (optind < argc)
		return command_usage(command, "%s takes no operand %s", command->name,
				     argv[optind]);
	err = nl_open(&nl, &error);
	if (err)
		return command_fail(exit_code_of(err), "cannot list events: %s", error.text);
	code = list(nl, as_json);
	nl_close(nl);
	return code;
}

const struct command cmd_events = {
	.name = "events",
	.summary = "list what can be recorded on this kernel, and why not the rest",
	.details =
"Prints a line for each kind of event: its name, its unit, and how to record it, or why\n"
"it cannot be recorded here. In a recording, --event selects an event by the name that -e\n"
"gave it; waiting is a part of off-cpu. on-cpu is what the timer samples. The others are\n"
"counted exactly, only while a recording runs, of four programs at a time. To find out whether they work, each is attached for a moment to flamectl\n"
"itself, as one of the four: func, latency and tracepoint to one that every kernel has.\n"
"Other functions are in /proc/kallsyms, other tracepoints in /sys/kernel/tracing/events.",
	.options = options,
	.run = run,
};
