// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl events: list the events that the module and this kernel offer, and why not the
 * others. Whether an event of tasks can be attached is tried, for this process alone.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/utf8.h"
#include "cmd/command.h"
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
	uint32_t events;		/* of the module, that it needs; 0: the timer's */
	const char *what, *how;
};

static const struct offer offers[] = {
	{ "on-cpu", "periods", 0, "where tasks are on a CPU, sampled by the timer",
	  "flamectl record" },
	{ "off-cpu", "nanoseconds", BIT(OFF_CPU),
	  "where tasks are blocked or preempted, and for how long", "flamectl record --off-cpu" },
	{ "waiting", "nanoseconds", BIT(WAITING),
	  "the part of off-cpu in which tasks wait for a CPU after they were woken up, as [waiting]",
	  "flamectl record --off-cpu" },
	{ "wall", "nanoseconds", BIT(OFF_CPU) | BIT(RAN),
	  "all time of tasks: off-cpu, and exact time on a CPU spread over their samples",
	  "flamectl record --wall" },
};

/* What came of trying an event. */
struct answer {
	bool is_offered;
	bool is_attached;		/* somebody else uses it now */
	struct error why_not;
};

/* Report whether somebody else has these events attached, so that they are offered. */
static bool are_attached(struct nl *nl, uint32_t events)
{
	struct profile *status;
	struct error ignored;
	uint32_t attached = 0;

	if (nl_status(nl, &status, &ignored))
		return false;
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_MAX; i++)
		attached |= status->meta.attached[i].known ? 1U << i : 0;
	profile_destroy(status);
	return (attached & events) == events;
}

/* Return: 0, or -errno if the module cannot be asked. */
static int try(struct nl *nl, const struct offer *offer, struct answer *answer)
{
	const uint32_t self = (uint32_t)getpid();
	const struct nl_source source = {
		.events = offer->events, .pids = &self, .nr_pids = 1,
	};
	int err;

	*answer = (struct answer){ .is_offered = !offer->events };
	if (!offer->events)
		return 0;
	err = nl_attach(nl, &source, &answer->why_not);
	if (!err) {
		answer->is_offered = true;
		return nl_detach(nl, &answer->why_not);
	}
	if (err == -EBUSY)
		answer->is_offered = answer->is_attached = are_attached(nl, offer->events);
	return err == -EBUSY || err == -EOPNOTSUPP || err == -EPROTONOSUPPORT ? 0 : err;
}

static void print(const struct offer *offer, const struct answer *answer)
{
	printf("%-8s  %-11s  ", offer->name, offer->unit);
	if (!answer->is_offered) {
		fputs("not here: ", stdout);
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
"Prints a line for each event: its name, which --event selects it by, its unit, and\n"
"how to record it, or why it cannot be recorded here. on-cpu is what the timer\n"
"samples. The others are counted exactly, of the tasks that a recording names, and\n"
"only while it runs; one program at a time can have them. To find out whether they\n"
"work, each is attached for a moment to flamectl itself.",
	.options = options,
	.run = run,
};
