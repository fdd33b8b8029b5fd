// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl status: print the session and its books, for people (status_text.h) or as
 * JSON (format/status_json.h).
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/command.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "cmd/status_text.h"
#include "format/status_json.h"
#include "wire/live_clients.h"
#include "wire/nl.h"

enum { OPT_JSON, OPT_INPUT };

static const struct command_option options[] = {
	[OPT_JSON] = { "json", 0, NULL, "print JSON" },
	[OPT_INPUT] = { "input", 'i', "FILE", "the same as the operand FILE" },
	{ 0 }
};

struct request {
	const char *input;		/* the value of -i, or NULL */
	const char *const *inputs;	/* NULL: the module */
	unsigned int nr_inputs;
	struct load_request load;
	const char *of_files;		/* a given option that is for files, or NULL */
	bool json;
};

/* From the module, request only the books, not the whole profile. */
static int get_events(const struct request *request, struct events *events,
		      struct clients *others, struct error *error)
{
	struct notes notes = { .nr = 0 };
	struct profile *profile;
	struct nl *nl;
	int code, err;

	if (request->inputs) {
		code = source_load_events(request->inputs, request->nr_inputs,
					  &request->load, NULL, &notes, events,
					  error);
		if (code == EXIT_DONE)
			command_notes(&notes);
		return code;
	}
	err = nl_open(&nl, error);
	if (err)
		return exit_code_of(err);
	err = nl_status(nl, &profile, error);
	if (!err) {
		events_add(events, "", profile);
		err = live_clients(nl, profile, others, error);
	}
	nl_close(nl);
	return err ? exit_code_of(err) : EXIT_DONE;
}

static int print(const struct events *events, bool json, const struct clients *others)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (json)
		status_json_write(events, others, stdout);
	else
		status_text_write(events, others,
				  now.tv_sec * INT64_C(1000000000) + now.tv_nsec, stdout);
	return command_printed(EXIT_DONE);
}

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	struct error error;
	const char *arg;
	int position;

	while (command_next(command, argc, argv, &position, &arg)) {
		if (position == OPT_JSON)
			request->json = true;
		else if (position == OPT_INPUT)
			request->input = arg;
		else if (load_option_add(&request->load, position - COMMAND_READS, arg,
					 &error))
			return command_usage(command, "%s", error.text);
		if (position >= COMMAND_READS)
			request->of_files = load_options[position - COMMAND_READS].name;
	}
	if (request->input && optind < argc)
		return command_usage(command, "-i %s is the same as an operand, and there is %s: name all files as operands",
				     request->input, argv[optind]);
	if (request->input) {
		request->inputs = &request->input;
		request->nr_inputs = 1;
	} else if (optind < argc && (argc - optind > 1 ||
				     !source_is_live(argv[optind]))) {
		request->inputs = (const char *const *)argv + optind;
		request->nr_inputs = (unsigned int)(argc - optind);
	} else if (request->of_files) {
		return command_usage(command, "--%s is for files: of the module, all events are listed",
				     request->of_files);
	}
	return EXIT_DONE;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = { .input = NULL };
	struct events events = { .nr = 0 };
	struct clients others = { .nr = 0 };
	struct error error;
	int code = parse(command, argc, argv, &request);

	if (code != EXIT_DONE)
		return code;
	code = get_events(&request, &events, &others, &error);
	if (code)
		command_fail(code, "cannot show status: %s", error.text);
	else
		code = print(&events, request.json, request.inputs ? NULL : &others);
	clients_deinit(&others);
	events_deinit(&events);
	return code;
}

const struct command cmd_status = {
	.name = "status",
	.args = "[FILE...|live|-]",
	.summary = "show the state of sampling, and what became of every period",
	.details =
"FILE is a saved profile, or another input that flamectl import --help lists; several\n"
"are summed. The default is the module's session. If there are several events, all\n"
"are listed, and the first is shown, or the one of --event.\n"
"\n"
"The table has, for each CPU, the number of sampling periods: expected is the time\n"
"that it was sampled, by the clock; fires are those of the timer; missed are periods\n"
"that passed without a fire. fires + missed = stored + filtered + lost, always.\n"
"expected = fires + missed + overdue: a fire that is due but has not come yet is\n"
"overdue, and counts when it comes.\n"
"\n"
"Events that programs have attached to the module, such as those of record -e, are\n"
"listed, each with the process that attached it and with books of its own; --json has\n"
"all of these. At most four programs at a time can have events attached.\n"
"\n"
"Pauses are times with interrupts off on a CPU, since the module was loaded: those\n"
"of the timer's callback, rounded up to a power of two, and the longest that a\n"
"drain, and the loading or unloading of a module, took. In a virtual machine they\n"
"include time that the host took.\n"
"\n"
"A fire is late because interrupts were off, or because a hypervisor ran\n"
"something else. It counts for all periods that passed; those past its first\n"
"are late. With a steal clock (steal in /proc/stat), what a hypervisor took is\n"
"[steal]. Without one, late time is [stalled] below the function that the fire\n"
"found, unless interrupts were off there. CPUs that stood still for a second or\n"
"more are listed.",
	.options = options,
	.reads = load_options,
	.run = run,
};
