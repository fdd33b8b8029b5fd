// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl heat: write a map of how busy CPUs were over time, how long calls took, or who
 * caused an event, from a profile that was recorded in slices. Everything is read and
 * computed before the output is opened.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/output.h"
#include "base/shell_word.h"
#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/save.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "profile/origin.h"
#include "view/heat/heat.h"
#include "view/heat/heat_svg.h"
#include "view/look.h"

/* room for what is drawn, and of what */
#define WHAT_MAX	(PROFILE_EVENT_MAX + 64)
#define TITLE_MAX	(ORIGIN_TEXT + WHAT_MAX + 4)

enum { OPT_OUTPUT, OPT_ROWS, OPT_TITLE, OPT_SUBTITLE, OPT_WIDTH };

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_ROWS] = { "rows", 0, "WHAT", "cpu (default for samples): the load of each CPU; load: the share of CPUs with each load; latency (default for latency:FUNCTION): how many calls took how long; comm (default for other events): the weight of each command",
		"cpu load latency comm" },
	[OPT_TITLE] = { "title", 0, "TEXT", "the title (default: what is drawn, what was recorded, where and when)" },
	[OPT_SUBTITLE] = { "subtitle", 0, "TEXT", "a line below the title" },
	[OPT_WIDTH] = { "width", 0, "PIXELS", "fixed width, 320..100000 (default: the window's width in browsers, 1200 elsewhere)" },
	{ 0 }
};

struct request {
	const char *path, *output;
	enum heat_rows rows;
	bool has_rows;			/* else the profile decides */
	struct load_request load;
	struct selection selection;
	struct heat_svg_options svg;
};

static int parse_rows(struct request *request, const char *text,
		      struct error *error)
{
	static const char *const names[] = {
		[HEAT_CPUS] = "cpu", [HEAT_LOADS] = "load", [HEAT_LATENCIES] = "latency",
		[HEAT_COMMS] = "comm",
	};

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(text, names[i])) {
			request->rows = i;
			request->has_rows = true;
			return 0;
		}
	return error_set(error, -EINVAL, "%.40s: cpu, load, latency or comm",
			 *text ? text : "nothing");
}

static int parse_option(struct request *request, int option, const char *arg,
			struct error *error)
{
	uint64_t width;
	int err;

	switch (option) {
	case OPT_OUTPUT:
		request->output = arg;
		return 0;
	case OPT_ROWS:
		return parse_rows(request, arg, error);
	case OPT_TITLE:
		request->svg.title = arg;
		return 0;
	case OPT_SUBTITLE:
		request->svg.subtitle = *arg ? arg : NULL;
		return 0;
	default:
		err = number_parse(arg, HEAT_WIDTH_MIN, HEAT_WIDTH_MAX, &width,
				   error);
		if (err)
			return err;
		request->svg.width = (unsigned int)width;
		request->svg.fixed = true;
		return 0;
	}
}

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	struct error error;
	const char *arg;
	int option;

	while (command_next(command, argc, argv, &option, &arg)) {
		if (option >= COMMAND_READS) {
			if (load_option_add(&request->load, option - COMMAND_READS,
					    arg, &error))
				return command_usage(command, "%s", error.text);
		} else if (option >= COMMAND_SHARED) {
			if (select_option_add(&request->selection,
					      option - COMMAND_SHARED, arg, &error))
				return command_usage(command, "%s", error.text);
		} else if (parse_option(request, option, arg, &error)) {
			return command_usage(command, "--%s %s",
					     options[option].name, error.text);
		}
	}
	if (argc - optind > 1)
		return command_usage(command, "heat draws one file, and \"%s\" is one too many: the times of two recordings cannot be joined",
				     argv[optind + 1]);
	if (optind < argc)
		request->path = argv[optind];
	if (!strcmp(request->path, "-") && isatty(STDIN_FILENO))
		return command_usage(command, "there is nothing to draw: standard input is a terminal; name a file that was recorded with --slices");
	if (source_is_live(request->path))
		return command_usage(command, "the module keeps no slices of time: flamectl record --slices 1s -o FILE does, and heat draws FILE");
	return EXIT_DONE;
}

/*
 * Build the rest of a command line, " --comm cat FILE", for a graph of the same
 * selection in a range that the reader marks. Return: the text, which the
 * caller frees, or NULL.
 */
static char *command_rest(const struct request *request)
{
	const struct selection *selection = &request->selection;
	const char *path = strcmp(request->path, "-") ? request->path : "FILE";
	const char *event = request->load.import.event;
	char *rest = NULL;
	size_t size;
	FILE *out = open_memstream(&rest, &size);

	if (!out)
		return NULL;
	if (event) {
		fputs(" --event ", out);
		shell_put_word(out, event);
	}
	for (unsigned int i = 0; i < selection->nr_terms; i++) {
		const struct select_term *term = &selection->terms[i];

		if (term->option == SELECT_RANGE)
			continue;
		fprintf(out, " --%s", select_options[term->option].name);
		if (!term->text)
			continue;
		putc(' ', out);
		shell_put_word(out, term->text);
	}
	putc(' ', out);
	if (*path == '-')
		fputs("./", out);
	shell_put_word(out, path);
	return fclose(out) ? NULL : rest;
}

struct drawing {
	const struct heat *heat;
	const struct heat_svg_options *options;
};

static int write_drawing(const void *what, FILE *out, struct error *error)
{
	const struct drawing *drawing = what;

	(void)error;
	return heat_svg_write(drawing->heat, drawing->options, out);
}

/* Write what is drawn: "Latency of vfs_read over time". */
static void what_is_drawn(char what[WHAT_MAX], enum heat_rows rows, const struct profile *profile)
{
	static const char prefix[] = "latency:";
	const char *event = profile_event(&profile->meta);

	if (rows == HEAT_CPUS || rows == HEAT_LOADS)
		snprintf(what, WHAT_MAX, "%s", rows == HEAT_CPUS ? "Load of each CPU over time" :
								  "CPUs by load over time");
	else if (rows == HEAT_LATENCIES)
		snprintf(what, WHAT_MAX, "Latency of %s over time",
			 event + (strncmp(event, prefix, sizeof(prefix) - 1) ? 0 :
				  sizeof(prefix) - 1));
	else
		snprintf(what, WHAT_MAX, "%s by command over time",
			 *event ? event : "CPU time");
}

/* Write what is drawn, of what, where and when. Return: @title. */
static const char *default_title(const struct request *request,
				 const struct profile *profile,
				 char title[TITLE_MAX])
{
	char origin[ORIGIN_TEXT], what[WHAT_MAX];

	what_is_drawn(what, request->rows, profile);
	origin_title(origin, profile, what);
	snprintf(title, TITLE_MAX, "%s%s%s",
		 *profile->meta.origin.command ? what : "",
		 *profile->meta.origin.command ? ": " : "", origin);
	return title;
}

static int draw(struct request *request)
{
	char title[TITLE_MAX];
	struct notes notes = { .nr = 0 };
	char missed[SELECT_MISSED_TEXT];
	struct profile *profile;
	struct error error;
	struct heat *heat;
	char *rest;
	int code;

	if (output_spares(request->output, &request->path, 1, &error))
		return command_fail(EXIT_FAILED, "cannot write %s", error.text);
	if (load_profile(request->path, &request->load, &notes, &profile, &error))
		return command_fail(EXIT_FAILED, "cannot read %s", error.text);
	command_notes(&notes);
	command_note(select_missed_in(&request->selection, profile, missed));
	if (!request->has_rows)
		request->rows = heat_rows_of(profile);
	if (heat_create(&heat, profile, request->rows, &request->selection,
			&error)) {
		profile_destroy(profile);
		return command_fail(EXIT_FAILED, "cannot draw %s: %s",
				    request->path, error.text);
	}
	if (!request->svg.title)
		request->svg.title = default_title(request, profile, title);
	request->svg.profile = profile;
	request->svg.what = select_restricts(&request->selection) ? "in what is selected" :
								    "busy";
	rest = command_rest(request);
	request->svg.rest = rest ?: "";
	code = rest ? save(request->output, write_drawing,
			   &(struct drawing){ heat, &request->svg }) :
		      command_fail(EXIT_FAILED, "cannot draw %s: memory is short",
				   request->path);
	free(rest);
	heat_destroy(heat);
	profile_destroy(profile);
	return code;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = { .path = "-", .svg = { .width = 1200 } };
	int code = parse(command, argc, argv, &request);

	if (code != EXIT_DONE)
		return code;
	return ending_check(request.output, ENDING_GRAPH) ?: draw(&request);
}

const struct command cmd_heat = {
	.name = "heat",
	.args = "[FILE|-]",
	.summary = "draw how busy CPUs were, or how long calls took, over time",
	.details =
"FILE was recorded with --slices. Each column is a slice of time, as long as the legend\n"
"says; long recordings join neighbours in pairs (see record). The colour shows\n"
"the share of it in which a CPU was not idle or, with a selection, was in what is\n"
"selected; with --rows load it shows the share of the CPUs that had that load. In\n"
"a browser, mark a range with the mouse to get the command for its flame graph.\n"
"\n"
"Of latency:FUNCTION there is a row for each power of two of nanoseconds, the longest\n"
"calls at the top; the row 1 us is of calls that took 1.02 us to 2.05 us. The colour\n"
"shows how many calls took so long, on a logarithmic scale. Below the map is how many\n"
"are drawn, and how many are not: those below min=, filtered or lost. Other events\n"
"have a row for each of the commands that caused most.\n"
"\n"
"  flamectl record --slices 1s -d 1m -o minute.pb.gz\n"
"  flamectl heat minute.pb.gz -o heat.svg\n"
"  flamectl record --slices 1s -d 1m -e latency:vfs_read -o reads.pb.gz\n"
"  flamectl heat --event latency:vfs_read reads.pb.gz -o latency.svg\n"
"  flamectl svg --range 12s,15s minute.pb.gz -o graph.svg",
	.options = options,
	.shared = select_options,
	.reads = load_options,
	.run = run,
};
