// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl report: print a profile, or what the module has sampled so far, as
 * text for people. Everything is read and summed before a line is printed.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/pager.h"
#include "base/percent.h"
#include "cmd/call_graph.h"
#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/save.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "view/report.h"

/* Half a percent; perf report and pprof leave out smaller shares too. */
#define THRESHOLD_PPM	5000

enum {
	OPT_OUTPUT, OPT_CALLERS, OPT_FLAT, OPT_GRAPH, OPT_DEPTH, OPT_THRESHOLD,
	OPT_NO_PAGER, OPT_BY, OPT_WEIGHT,
};

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_CALLERS] = { "callers", 0, NULL, "list functions, each with the functions that call it below it" },
	[OPT_FLAT] = { "flat", 0, NULL, "list functions without stacks" },
	[OPT_GRAPH] = { "graph", 'g', "FORMAT", "tree (default), or folded: a line for each stack",
		"tree folded" },
	[OPT_DEPTH] = { "depth", 0, "FRAMES", "show the tree to this depth" },
	[OPT_THRESHOLD] = { "threshold", 0, "PERCENT", "sum up lines below this share (default 0.5)" },
	[OPT_NO_PAGER] = { "no-pager", 0, NULL, "print to the terminal, not through $PAGER" },
	[OPT_BY] = { "by", 0, "LEVELS", "of a profile: group by comm,pid,tid,cpu,context,host,cgroup,module,function, or none (default comm); module and function are those of the leaf, followed by the whole stack",
		FOLD_BY_VALUES },
	[OPT_WEIGHT] = { "weight", 0, "WHAT", "of a profile: periods (default) or count",
		FOLD_WEIGHT_VALUES },
	{ 0 }
};

struct request {
	struct source_options source;
	struct report_options report;
	const char *output;
	unsigned int given;	/* 1 << option, for each one given */
	bool folded;
};

static bool is_given(const struct request *request, int option)
{
	return request->given & 1U << option;
}

static int parse_graph(struct request *request, const char *text,
		       struct error *error)
{
	struct call_graph graph;
	int err = call_graph_parse(&graph, text, error);

	if (err)
		return err;
	request->folded = graph.folded;
	request->report.callers |= graph.callers;
	request->source.fold.by_count |= graph.by_count;
	if (graph.has_threshold)
		request->report.threshold_ppm = graph.threshold_ppm;
	return 0;
}

static int parse_depth(struct request *request, const char *text,
		       struct error *error)
{
	uint64_t depth;
	int err = number_parse(text, 1, TREE_DEPTH_MAX, &depth, error);

	if (!err)
		request->report.depth = (uint32_t)depth;
	return err;
}

/*
 * Return: 0, or -EINVAL; @error is the text to print after the option's name.
 */
static int parse_option(struct request *request, int option, const char *arg,
			struct error *error)
{
	request->given |= 1U << option;
	if (option >= OPT_BY && !request->source.of_profiles)
		request->source.of_profiles = options[option].name;

	switch (option) {
	case OPT_OUTPUT:
		request->output = arg;
		return 0;
	case OPT_CALLERS:
		request->report.callers = true;
		return 0;
	case OPT_GRAPH:
		return parse_graph(request, arg, error);
	case OPT_DEPTH:
		return parse_depth(request, arg, error);
	case OPT_THRESHOLD:
		return percent_parse(arg, &request->report.threshold_ppm, error);
	case OPT_BY:
		return fold_options_by(&request->source.fold, arg, error);
	case OPT_WEIGHT:
		return source_weight(&request->source, arg, error);
	default:
		return 0;
	}
}

/* Check for options that do not go together. */
static int check_options(const struct command *command,
			 const struct request *request)
{
	static const struct {
		int one, other;
	} conflicts[] = {
		{ OPT_FLAT, OPT_CALLERS }, { OPT_FLAT, OPT_GRAPH },
		{ OPT_FLAT, OPT_DEPTH }, { OPT_FLAT, OPT_BY },
	};

	for (size_t i = 0; i < sizeof(conflicts) / sizeof(conflicts[0]); i++)
		if (is_given(request, conflicts[i].one) &&
		    is_given(request, conflicts[i].other))
			return command_usage(command, "--%s and --%s cannot be combined: leave out one of them",
					     options[conflicts[i].one].name,
					     options[conflicts[i].other].name);
	if (request->folded && (is_given(request, OPT_DEPTH) ||
				is_given(request, OPT_THRESHOLD)))
		return command_usage(command, "--graph folded has all stacks: --depth and --threshold are for the tree");
	return EXIT_DONE;
}

static const char *const standard_input[] = { "-" };

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	struct error error;
	const char *arg;
	int option;

	while (command_next(command, argc, argv, &option, &arg)) {
		if (option >= COMMAND_SHARED) {
			if (!source_add(&request->source, option, arg, &error))
				continue;
			return command_usage(command, "%s", error.text);
		}
		if (!parse_option(request, option, arg, &error))
			continue;
		if (option == OPT_BY)	/* the error is complete by itself */
			return command_usage(command, "%s", error.text);
		return command_usage(command, "--%s %s", options[option].name,
				     error.text);
	}
	source_operands(&request->source, argc, argv, standard_input);
	if (is_given(request, OPT_FLAT))
		request->source.fold.nr_by = 0;
	if (source_is_terminal(&request->source))
		return command_usage(command, "there is nothing to report on: standard input is a terminal; name a file, or live for the module's profile");
	return check_options(command, request);
}

/* Do all that can fail before the pager starts. */
static int prepare(const struct request *request, struct source *source,
		   struct flat **flat)
{
	struct tree *reversed;
	int err;

	if (!request->folded && !source->tree->nodes[0].total)
		return -ENODATA;
	if (is_given(request, OPT_FLAT))
		return flat_create(flat, source->tree);
	if (!request->report.callers)
		return 0;
	err = tree_reverse(&reversed, source->tree);
	if (err)
		return err;
	tree_destroy(source->tree);
	source->tree = reversed;
	return 0;
}

struct output_parts {
	const struct request *request;
	const struct source *source;
	const struct flat *flat;	/* NULL to print the tree */
};

static int print(const struct output_parts *parts, FILE *out, bool color)
{
	struct report_options report = parts->request->report;
	const struct source *source = parts->source;

	if (source_mixes(source, &parts->request->source.fold))
		report.note = "counted by samples" SOURCE_MIXES;
	report.profile = source_is_text(source) ? NULL : source->profile;
	report.unit = source->unit;
	report.left_out = source->left_out;
	report.color = color;
	if (parts->flat)
		return report_flat(parts->flat, &report, out);
	if (parts->request->folded)
		return fold_write(source->tree, out);
	return report_tree(source->tree, &report, out);
}

/*
 * Print an error that is not one of writing. Return: an exit code, or EXIT_DONE
 * if it is one.
 */
static int fail(const struct source *source, int err)
{
	const char *why = source->left_out ? "nothing is selected" :
			  source_no_stack(source);

	if (err == -ENOMEM)
		why = "memory is short";
	else if (err == -EOVERFLOW)
		why = "it has too many callers";
	else if (err != -ENODATA)
		return EXIT_DONE;
	return command_fail(EXIT_FAILED, "cannot report on %s: %s", source->name,
			    why);
}

static int write_output(const void *what, FILE *out, struct error *error)
{
	const struct output_parts *parts = what;
	int err = print(parts, out, out == stdout && pager_color());

	(void)error;
	return fail(parts->source, err) ?: err;
}

static int print_to_pager(const struct output_parts *parts, struct pager *pager)
{
	int err = print(parts, pager->stream, pager_color());
	int end = pager_finish(pager);

	if (end == -ENOEXEC)
		return command_fail(EXIT_FAILED, "cannot run $PAGER: set it to another program, or use --no-pager");
	if (err == -EPIPE || (!err && !end))
		return EXIT_DONE;
	err = err ?: end;
	return fail(parts->source, err) ?:
	       command_fail(EXIT_FAILED, "cannot write to the pager: %s",
			    strerror(-err));
}

static int print_all(const struct output_parts *parts)
{
	const struct request *request = parts->request;
	struct pager pager = { 0 };
	struct error error;

	if (!request->output && !is_given(request, OPT_NO_PAGER) &&
	    pager_start(&pager, &error))
		return command_fail(EXIT_FAILED, "cannot start a pager: %s; --no-pager prints without one",
				    error.text);
	return pager.stream ? print_to_pager(parts, &pager) :
			      save(request->output, write_output, parts);
}

static int tell(const struct request *request, struct source *source)
{
	struct flat *flat = NULL;
	int err = prepare(request, source, &flat);
	int code = err ? fail(source, err) :
		   print_all(&(struct output_parts){ request, source, flat });

	flat_destroy(flat);
	return code;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = {
		.source = {
			.fold = { .by = { FOLD_COMM }, .nr_by = 1 },
		},
		.report = { .threshold_ppm = THRESHOLD_PPM, .depth = UINT32_MAX },
	};
	struct source source;
	struct error error;
	int code = parse(command, argc, argv, &request);

	code = code ?: ending_check(request.output, request.folded ?
						    ENDING_FOLDED : ENDING_TEXT);
	if (code != EXIT_DONE)
		return code;
	if (source_spares(request.output, request.source.paths,
			  request.source.nr_paths, &error))
		return command_fail(EXIT_FAILED, "cannot write %s", error.text);
	code = source_read(&source, &request.source, &error);
	command_note(source.missed);
	if (code == EXIT_DONE) {
		command_notes(&source.notes);
		code = tell(&request, &source);
	} else if (code == EXIT_USAGE) {
		command_usage(command, "%s", error.text);
	} else {
		command_fail(code, "%s", error.text);
	}
	source_release(&source);
	return code;
}

const struct command cmd_report = {
	.name = "report",
	.args = "[FILE...|live|-]",
	.summary = "print where the time went, from files or from the module",
	.details =
"FILE is a saved profile, folded text, or the output of another tool (flamectl\n"
"import --help lists them); several are summed. live is the module's profile, and\n"
"fleet:CHOICE a sum from a store of many hosts (flamectl query --help). The default\n"
"is standard input, or " SOURCE_RECORDED ", as record names its file, if that is a terminal.\n"
"Each line is a frame below its caller, with its share of the total and the share spent\n"
"in the frame itself; a frame that takes all of its caller's time is not indented. The\n"
"list of --flat counts each function once per stack, even if it recurses.\n"
"\n"
"  flamectl report profile.pb.gz\n"
"  flamectl report --flat --no-idle live\n"
"  flamectl report --by comm,module,function --depth 3 profile.pb.gz\n"
"  flamectl report --callers --include '^copy_' profile.pb.gz",
	.options = options,
	.shared = select_options,
	.reads = load_options,
	.live = live_options,
	.variables = COMMAND_FLEET | COMMAND_LESS | COMMAND_NO_COLOR | COMMAND_PAGER | COMMAND_TERM,
	.run = run,
};
