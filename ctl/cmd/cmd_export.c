// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl export: write a profile in another viewer's format. The input is
 * read before the output is opened, so that bad input leaves no file.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/save.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "format/export/export.h"
#include "format/pprof/pprof.h"
#include "tree/tree.h"

enum { OPT_TO, OPT_OUTPUT, OPT_BY };

static const struct command_option options[] = {
	[OPT_TO] = { "to", 't', "FORMAT", "speedscope, pprof, firefox, callgrind, folded or jsonl",
		"speedscope pprof firefox callgrind folded jsonl" },
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_BY] = { "by", 0, "LEVEL", "speedscope, firefox: one profile or thread for each cpu (default of samples), tid, or none (default of events and of windows of an agent, which do not tell CPUs apart); folded: as for dump",
		"cpu tid none" },
	{ 0 }
};

static int export_pprof(const struct profile *profile,
			const struct fold_options *fold, FILE *out,
			struct error *error)
{
	(void)fold;
	return pprof_write(profile, out, error);
}

static int export_folded(const struct profile *profile,
			 const struct fold_options *fold, FILE *out,
			 struct error *error)
{
	struct tree *tree = fold_profile(profile, fold, error);
	int err;

	if (!tree)
		return -ENOMEM;
	err = fold_write(tree, out);
	tree_destroy(tree);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

/* Which values --by allows. */
enum grouping { BY_NOTHING, BY_ONE, BY_LEVELS };

static const struct target {
	const char *name;
	export_fn write;
	enum grouping grouping;
	enum fold_level by;		/* the level used without --by */
	enum ending_written written;
} targets[] = {
	{ "speedscope", export_speedscope, BY_ONE, FOLD_CPU, ENDING_SPEEDSCOPE },
	{ "pprof", export_pprof, BY_NOTHING, FOLD_CPU, ENDING_PROFILE },
	{ "firefox", export_firefox, BY_ONE, FOLD_CPU, ENDING_FIREFOX },
	{ "callgrind", export_callgrind, BY_NOTHING, FOLD_CPU, ENDING_CALLGRIND },
	{ "folded", export_folded, BY_LEVELS, FOLD_COMM, ENDING_FOLDED },
	{ "jsonl", export_jsonl, BY_NOTHING, FOLD_CPU, ENDING_JSONL },
};

struct request {
	const struct target *format;
	const char *const *inputs;
	unsigned int nr_inputs;
	const char *output;
	struct load_request load;
	struct live_request live;
	struct notes notes;
	struct fold_options fold;
	struct selection selection;
	bool grouped;			/* --by was given */
};

static const struct target *find_target(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		if (!strcmp(targets[i].name, name))
			return &targets[i];
	return NULL;
}

static bool is_group(const struct fold_options *fold)
{
	return !fold->nr_by || (fold->nr_by == 1 &&
	       (fold->by[0] == FOLD_CPU || fold->by[0] == FOLD_TID));
}

/* Check for options that do not go together. */
static int check(const struct command *command, struct request *request)
{
	const struct target *format = request->format;

	if (!format)
		return command_usage(command, "--to is missing: name the format, %s",
				     options[OPT_TO].help);
	if (!request->grouped) {
		request->fold.by[0] = format->by;
		request->fold.nr_by = 1;
	} else if (format->grouping == BY_NOTHING) {
		return command_usage(command, "--by does not apply to %s, which contains all levels: leave it out",
				     format->name);
	} else if (format->grouping == BY_ONE && !is_group(&request->fold)) {
		return command_usage(command, "--by for %s is cpu, tid or none",
				     format->name);
	}
	if (format->write == export_pprof && isatty(STDOUT_FILENO) &&
	    (!request->output || !strcmp(request->output, "-")))
		return command_usage(command, "pprof is a binary format, and standard output is a terminal: name a file with -o");
	return EXIT_DONE;
}

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	const struct shared_requests requests = {
		&request->selection, &request->load, &request->live,
	};
	struct error error;
	const char *arg;
	int position;

	while (command_next(command, argc, argv, &position, &arg)) {
		switch (position) {
		case OPT_TO:
			request->format = find_target(arg);
			if (!request->format)
				return command_usage(command, "--to %s: there are %s",
						     arg, options[OPT_TO].help);
			break;
		case OPT_OUTPUT:
			request->output = arg;
			break;
		case OPT_BY:
			if (fold_options_by(&request->fold, arg, &error))
				return command_usage(command, "%s", error.text);
			request->grouped = true;
			break;
		default:
			if (shared_option_add(&requests, position, arg, &error))
				return command_usage(command, "%s", error.text);
			break;
		}
	}
	if (argc == optind)
		return command_usage(command, "export needs a profile: name a file, - for stdin, or live for the module's profile");
	request->inputs = (const char *const *)argv + optind;
	request->nr_inputs = (unsigned int)(argc - optind);
	request->selection.sliced = request->format &&
				    request->format->write == export_pprof;
	return check(command, request);
}

struct exported {
	const struct request *request;
	const struct profile *profile;
};

static int export(const void *what, FILE *out, struct error *error)
{
	const struct exported *exported = what;
	const struct request *request = exported->request;

	return request->format->write(exported->profile, &request->fold, out, error);
}

/* Choose the groups: what was asked for, or by CPU, unless that is not known. */
static int group(struct request *request, const struct profile *profile, struct error *error)
{
	int err = source_check_by(&request->fold, profile, error);

	if (request->grouped || !err)
		return err;
	request->fold.nr_by = 0;
	return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = { .format = NULL };
	struct profile *profile;
	struct error error;
	char missed[SELECT_MISSED_TEXT];
	uint64_t left_out;
	int code = parse(command, argc, argv, &request);

	code = code ?: ending_check(request.output, request.format->written);
	if (code != EXIT_DONE)
		return code;
	if (source_spares(request.output, request.inputs, request.nr_inputs,
			  &error))
		return command_fail(EXIT_FAILED, "cannot export: %s", error.text);
	request.load.by_host = true;
	request.load.by_cgroup = source_by_cgroup(&(struct fold_options){ .nr_by = 0 }, &request.selection);
	code = source_load(request.inputs, request.nr_inputs, &request.load,
			   &request.live, &request.notes, &profile, &error);
	if (code != EXIT_DONE)
		return command_fail(code, "cannot export: %s", error.text);
	command_notes(&request.notes);
	command_note(select_missed_in(&request.selection, profile, missed));
	if (profile_check(profile, &error) ||
	    select_profile(&request.selection, &profile, &left_out, &error) ||
	    group(&request, profile, &error))
		code = command_fail(EXIT_FAILED, "cannot export: %s", error.text);
	else
		code = (request.format->write == export_pprof ? save_private : save)
			(request.output, export, &(struct exported){ &request, profile });
	profile_destroy(profile);
	return code;
}

const struct command cmd_export = {
	.name = "export",
	.args = "FILE...|live|-",
	.summary = "write a profile in another viewer's format",
	.details =
"  speedscope  JSON for https://www.speedscope.app\n"
"  pprof       the format of record, including slices of time, for go tool pprof;\n"
"              only you may read the file\n"
"  firefox     JSON for https://profiler.firefox.com, contexts as categories\n"
"  callgrind   for callgrind_annotate and KCachegrind\n"
"  folded      for flamegraph.pl and similar tools\n"
"  jsonl       a JSON object a line, for jq: a header, programs and libraries,\n"
"              then every record\n"
"\n"
"Weights are nanoseconds if the period is known and the format has a unit,\n"
"otherwise sampling periods, or whatever the profile counts. Lost periods are\n"
"stacks [lost: reason], so that all weights of a file sum to the books (the counts\n"
"of timer periods), in which periods that are not selected count as filtered. FILE\n"
"is a saved profile, or another input that flamectl import --help lists; several\n"
"are summed. live is the module's profile.\n"
"\n"
"  flamectl export --to speedscope -o web.json web.pb.gz\n"
"  flamectl export --to pprof --comm nginx --no-idle -o nginx.pb.gz web.pb.gz",
	.options = options,
	.shared = select_options,
	.reads = load_options,
	.live = live_options,
	.variables = COMMAND_FLEET,
	.run = run,
};
