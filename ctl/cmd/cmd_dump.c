// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl dump: write the profile of the module or of files as folded text.
 * Nothing else is written to stdout.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/save.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "tree/tree.h"
#include "wire/live_event.h"
#include "wire/nl.h"

enum { OPT_OUTPUT, OPT_INPUT, OPT_BY, OPT_WEIGHT, OPT_RESET };

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_INPUT] = { "input", 'i', "FILE", "the same as the operand FILE" },
	[OPT_BY] = { "by", 0, "LEVELS", "group by comm,pid,tid,cpu,context,host,cgroup,module,function, or none (default comm); module and function are those of the leaf, followed by the whole stack",
		FOLD_BY_VALUES },
	[OPT_WEIGHT] = { "weight", 0, "WHAT", "periods (default), including missed ones, or count of samples",
		FOLD_WEIGHT_VALUES },
	[OPT_RESET] = { "reset", 0, NULL, "delete all samples from the module, in the same step" },
	{ 0 }
};

struct request {
	const char *const *inputs;	/* NULL: the module */
	unsigned int nr_inputs;
	const char *output;
	bool reset;
	struct load_request load;
	struct live_request live;
	struct fold_options fold;
	struct selection selection;
};

static int parse_rest(struct request *request, int position, const char *arg,
		      struct error *error)
{
	const struct shared_requests requests = {
		&request->selection, &request->load, &request->live,
	};

	return shared_option_add(&requests, position, arg, error);
}

/* Return: a given option that leaves samples out, or NULL. */
static const char *leaves_out(const struct selection *selection)
{
	static const bool keeps_all[SELECT_OPTIONS] = {
		[SELECT_CUT] = true, [SELECT_NO_IRQS_OFF] = true, [SELECT_USER] = true,
		[SELECT_KERNEL] = true, [SELECT_MERGE_THREADS] = true,
		[SELECT_MERGE_KTHREADS] = true,
	};

	for (unsigned int i = 0; i < selection->nr_terms; i++)
		if (!keeps_all[selection->terms[i].option])
			return select_options[selection->terms[i].option].name;
	return NULL;
}

/* @input: the value of -i, or NULL; kept */
static int take_operands(const struct command *command, int argc, char **argv,
			 const char *const *input, struct request *request)
{
	if (*input && optind < argc)
		return command_usage(command, "-i %s is the same as an operand, and there is %s: name all files as operands",
				     *input, argv[optind]);
	if (*input || optind < argc) {
		request->inputs = *input ? input :
					   (const char *const *)argv + optind;
		request->nr_inputs = *input ? 1 : (unsigned int)(argc - optind);
	}
	/* live alone is what is dumped without an operand */
	if (request->reset && request->nr_inputs == 1 && !strcmp(request->inputs[0], "live")) {
		request->inputs = NULL;
		request->nr_inputs = 0;
	}
	if (request->reset && leaves_out(&request->selection))
		return command_usage(command, "--reset and --%s cannot be combined: all samples are deleted, also those that are not selected; dump all to a file, and select from that",
				     leaves_out(&request->selection));
	if (request->reset && request->load.import.event)
		return command_usage(command, "--reset and --event cannot be combined: only what the timer sampled can be reset");
	if (request->inputs && request->reset)
		return command_usage(command, "--reset works only on the module's samples, not on a saved profile: leave it out");
	return 0;
}

/* @input: set to the value of -i */
static int parse(const struct command *command, int argc, char **argv,
		 const char **input, struct request *request)
{
	struct error error;
	const char *arg;
	int position;

	while (command_next(command, argc, argv, &position, &arg)) {
		switch (position) {
		case OPT_OUTPUT:
			request->output = arg;
			break;
		case OPT_INPUT:
			*input = arg;
			break;
		case OPT_BY:
			if (fold_options_by(&request->fold, arg, &error))
				return command_usage(command, "%s", error.text);
			break;
		case OPT_WEIGHT:
			if (strcmp(arg, "periods") && strcmp(arg, "count"))
				return command_usage(command, "--weight %s: there are periods and count",
						     arg);
			request->fold.by_count = !strcmp(arg, "count");
			break;
		case OPT_RESET:
			request->reset = true;
			break;
		default:
			if (parse_rest(request, position, arg, &error))
				return command_usage(command, "%s", error.text);
			break;
		}
	}
	return take_operands(command, argc, argv, input, request);
}

/* Check what can be known before samples are deleted. */
static int check_reset(struct nl *nl, const struct live_names *names, struct error *error)
{
	struct profile *status;
	int err = nl_status(nl, &status, error);

	if (err)
		return err;
	err = live_names_check(names, status, error);
	profile_destroy(status);
	return err;
}

/* Get the module's profile; the module forgets it if that was asked for. */
static int get_live(const struct request *request, struct profile **profile,
		    struct error *error)
{
	struct live_names names = { .request = request->live };
	char text[LIVE_NAMES_MISSED];
	struct nl *nl;
	int err = nl_open(&nl, error);

	if (err)
		return exit_code_of(err);
	err = request->reset ?
	      check_reset(nl, &names, error) ?: nl_dump(nl, true, profile, error) :
	      live_event_dump(nl, request->load.import.event, profile, error);
	nl_close(nl);
	err = err ?: live_names_give(&names, *profile, error);
	if (!err) {
		command_note(live_names_missed(&names, text));
		command_note(live_names_unproven(&names, text));
	}
	live_names_deinit(&names);
	return err ? exit_code_of(err) : EXIT_DONE;
}

static int get_profile(const struct request *request,
		       struct profile **profile, struct error *error)
{
	struct notes notes = { .nr = 0 };
	int code;

	if (request->inputs) {
		struct load_request load = request->load;

		load.by_host = source_by_host(&request->fold);
		load.by_cgroup = source_by_cgroup(&request->fold, &request->selection);
		code = source_load(request->inputs, request->nr_inputs, &load,
				   &request->live, &notes,
				   profile, error);
		if (code == EXIT_DONE)
			command_notes(&notes);
		return code;
	}
	return get_live(request, profile, error);
}

static int fold(const struct request *request, const struct profile *profile,
		FILE *out)
{
	struct error error;
	struct tree *tree = fold_profile(profile, &request->fold, &error);
	int err;

	if (!tree)
		return command_fail(EXIT_FAILED, "cannot dump: %s", error.text);
	/* fail if nothing is selected, as grep does if nothing matches */
	if (!tree->nodes[0].total && request->selection.nr_terms)
		err = command_fail(EXIT_FAILED, "cannot dump: nothing is selected");
	else
		err = fold_write(tree, out);
	tree_destroy(tree);
	return err;
}

/*
 * The output is open before a reset, so that no samples are lost for want of a
 * file.
 */
static int write_profile(const void *what, FILE *out, struct error *error)
{
	const struct request *request = what;
	char missed[SELECT_MISSED_TEXT];
	struct profile *profile = NULL;
	uint64_t left_out;
	int err = get_profile(request, &profile, error);

	if (err) {
		profile_destroy(profile);
		return command_fail(err, "cannot dump: %s", error->text);
	}
	command_note(select_missed_in(&request->selection, profile, missed));
	if (profile_check(profile, error) || fold_check(profile, &request->fold, error) ||
	    select_profile(&request->selection, &profile, &left_out, error) ||
	    source_check_by(&request->fold, profile, error))
		err = command_fail(EXIT_FAILED, "cannot dump: %s", error->text);
	else
		err = fold(request, profile, out);
	profile_destroy(profile);
	return err;
}

static int dump(const struct request *request)
{
	struct error error;

	if (source_spares(request->output, request->inputs, request->nr_inputs,
			  &error))
		return command_fail(EXIT_FAILED, "cannot write %s", error.text);
	return save(request->output, write_profile, request);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = {
		.fold = { .by = { FOLD_COMM }, .nr_by = 1 },
	};
	const char *input = NULL;
	int code;

	code = parse(command, argc, argv, &input, &request) ?:
	       ending_check(request.output, ENDING_FOLDED);
	return code ?: dump(&request);
}

const struct command cmd_dump = {
	.name = "dump",
	.args = "[FILE...|live|-]",
	.summary = "print the samples as folded stacks",
	.details =
"FILE is a saved profile, folded text, or the output of another tool (flamectl\n"
"import --help lists them); several are summed. The default is the module's\n"
"profile.\n"
"\n"
"Each line is a stack, its frames from the root to the leaf joined by ';', and\n"
"its weight in sampling periods. Periods whose sample was lost are separate\n"
"stacks, [lost: reason], so that all weights sum to the sampled time. Sampling\n"
"goes on during the dump.\n"
"\n"
"  flamectl dump profile.pb.gz\n"
"  flamectl dump --by cpu,comm live",
	.options = options,
	.shared = select_options,
	.reads = load_options,
	.live = live_options,
	.variables = COMMAND_FLEET,
	.run = run,
};
