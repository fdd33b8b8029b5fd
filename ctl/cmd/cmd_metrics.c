// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl metrics: write the session and its books as Prometheus metrics. The books are
 * the counts of what became of each timer period: fires + missed = stored + filtered +
 * lost.
 */
#include <getopt.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/save.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "format/metrics.h"
#include "wire/nl.h"

enum { OPT_OUTPUT };

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout: whole or not at all" },
	{ 0 }
};

struct request {
	const char *input;		/* NULL: the module */
	const char *output;
	struct load_request load;
	const char *of_files;		/* a given option that is for files, or NULL */
};

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	struct error error;
	const char *arg;
	int position;

	while (command_next(command, argc, argv, &position, &arg)) {
		if (position == OPT_OUTPUT)
			request->output = arg;
		else if (load_option_add(&request->load, position - COMMAND_READS, arg,
					 &error))
			return command_usage(command, "%s", error.text);
		if (position >= COMMAND_READS)
			request->of_files = load_options[position - COMMAND_READS].name;
	}
	if (argc - optind > 1)
		return command_usage(command, "metrics are of one profile, and %s is one too many: flamectl merge sums files",
				     argv[optind + 1]);
	if (optind < argc && !source_is_live(argv[optind]))
		request->input = argv[optind];
	if (!request->input && request->of_files)
		return command_usage(command, "--%s is for files: of the module, the metrics are those of its samples",
				     request->of_files);
	return ending_check(request->output, ENDING_METRICS);
}

/* From the module, get only the books, not the whole profile. */
static int get_live(struct profile **profile, struct error *error)
{
	struct nl *nl;
	int err = nl_open(&nl, error);

	if (err)
		return exit_code_of(err);
	err = nl_status(nl, profile, error);
	nl_close(nl);
	return err ? exit_code_of(err) : EXIT_DONE;
}

/*
 * Of a recording that has other events as well, take the samples, whose books are of
 * periods. If there are none, take what there is: metrics_write() refuses it.
 */
static struct profile *take_samples(struct events *events)
{
	struct profile *samples = NULL;

	for (unsigned int i = 0; i < events->nr && !samples; i++) {
		if (events->list[i].profile->meta.intervals.known)
			continue;
		samples = events->list[i].profile;
		events->list[i].profile = NULL;
	}
	if (!samples)
		return events_take_first(events);
	events_deinit(events);
	return samples;
}

static int get(const struct request *request, struct profile **profile,
	       struct error *error)
{
	struct notes notes = { .nr = 0 };
	struct events events;
	int code;

	if (!request->input)
		return get_live(profile, error);
	if (source_spares(request->output, &request->input, 1, error))
		return EXIT_FAILED;
	code = source_load_events(&request->input, 1, &request->load, NULL, &notes,
				  &events, error);
	if (code != EXIT_DONE)
		return code;
	command_notes(&notes);
	*profile = take_samples(&events);
	return EXIT_DONE;
}

static int write_metrics(const void *profile, FILE *out, struct error *error)
{
	return metrics_write(profile, out, error);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = { .input = NULL };
	struct profile *profile;
	struct error error;
	int code = parse(command, argc, argv, &request);

	if (code != EXIT_DONE)
		return code;
	code = get(&request, &profile, &error);
	if (code != EXIT_DONE)
		return command_fail(code, "cannot write metrics: %s", error.text);
	code = save(request.output, write_metrics, profile);
	profile_destroy(profile);
	return code;
}

const struct command cmd_metrics = {
	.name = "metrics",
	.args = "[FILE|live|-]",
	.summary = "write what became of every period as Prometheus metrics",
	.details =
"The books, which flamectl status prints for people, in Prometheus' text format: a\n"
"counter for each figure and CPU. For every CPU, fires + missed = stored + filtered +\n"
"lost. The default is the module's session; FILE is a saved profile of flamemod, and the\n"
"metrics are of its samples: other events, such as off-cpu, have none.\n"
"\n"
"With -o, FILE is replaced as a whole, so that node-exporter's textfile collector never\n"
"reads a half of it; the name must end in .prom there. If the module cannot be asked,\n"
"FILE stays as it was, and node_textfile_mtime_seconds shows its age. Counters start\n"
"again at 0 when the module's profile is reset, as those of a program do when it is\n"
"started again.\n"
"\n"
"  flamectl metrics -o /var/lib/prometheus/node-exporter/flamemod.prom\n"
"  flamectl metrics web.pb.gz",
	.options = options,
	.reads = load_options,
	.variables = COMMAND_FLEET,
	.run = run,
};
