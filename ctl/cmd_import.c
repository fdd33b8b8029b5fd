// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl import: another tool's text, or pprof file, as a saved profile. It
 * is read whole before the output is begun, so that bad input leaves nothing
 * behind.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "content.h"
#include "import.h"
#include "input.h"
#include "number.h"
#include "output.h"
#include "pprof.h"

enum { OPT_FROM, OPT_OUTPUT, OPT_FREQUENCY, OPT_WEIGHT, OPT_EVENT };

static const struct command_option options[] = {
	[OPT_FROM] = { "from", 'f', "FORMAT", "perf-script, bcc, bpftrace, stap, folded or pprof",
		"perf-script bcc bpftrace stap folded pprof" },
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_FREQUENCY] = { "frequency", 'F', "HZ", "it was sampled at HZ, so that weights are time" },
	[OPT_WEIGHT] = { "weight", 0, "WHAT", "of perf-script: count of samples (default) or period of the event",
		"count period" },
	[OPT_EVENT] = { "event", 0, "NAME", "of perf-script: this event's samples only" },
	{ 0 }
};

static const struct format {
	const char *name;
	import_fn read;			/* NULL for pprof */
} formats[] = {
	{ "perf-script", import_perf },
	{ "bcc", import_bcc },
	{ "bpftrace", import_bpftrace },
	{ "stap", import_stap },
	{ "folded", import_folded },
	{ "pprof", NULL },
};

struct request {
	const struct format *format;
	const char *input, *output;
	struct import_options import;
};

static const struct format *find_format(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

static int parse_option(const struct command *command, struct request *request,
			int position, const char *arg)
{
	struct error error;
	uint64_t hz;

	switch (position) {
	case OPT_FROM:
		request->format = find_format(arg);
		if (!request->format)
			return command_usage(command, "--from %s: there are %s",
					     arg, options[OPT_FROM].help);
		break;
	case OPT_OUTPUT:
		request->output = arg;
		break;
	case OPT_FREQUENCY:
		if (number_parse(arg, 1, 1000000000, &hz, &error))
			return command_usage(command, "-F %s", error.text);
		request->import.hz = (uint32_t)hz;
		break;
	case OPT_WEIGHT:
		if (strcmp(arg, "count") && strcmp(arg, "period"))
			return command_usage(command, "--weight %s: there are count and period",
					     arg);
		request->import.by_period = !strcmp(arg, "period");
		break;
	default:
		request->import.event = arg;
		break;
	}
	return EXIT_DONE;
}

/* What options say of each other. */
static int check(const struct command *command, const struct request *request)
{
	const struct format *format = request->format;
	const struct import_options *import = &request->import;

	if (!format)
		return command_usage(command, "--from is missing: name the format, %s",
				     options[OPT_FROM].help);
	if (format->read != import_perf && (import->by_period || import->event))
		return command_usage(command, "--weight period and --event are for perf-script, not for %s",
				     format->name);
	if (import->hz && (!format->read || import->by_period))
		return command_usage(command, "-F is for counts of samples, %s",
				     format->read ? "not for an event's periods" :
				     "a pprof file says itself how long they were");
	if (isatty(STDOUT_FILENO) &&
	    (!request->output || !strcmp(request->output, "-")))
		return command_usage(command, "a saved profile is no text, and standard output is a terminal: name a file by -o");
	return EXIT_DONE;
}

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	const char *arg;
	int position, code;

	while (command_next(command, argc, argv, &position, &arg)) {
		code = parse_option(command, request, position, arg);
		if (code != EXIT_DONE)
			return code;
	}
	if (argc - optind != 1)
		return command_usage(command, argc == optind ?
				     "import needs a file, or - for stdin" :
				     "import takes one file, and merge puts several profiles together");
	request->input = argv[optind];
	return check(command, request);
}

/* Text may be gzip'd, as profiles are. */
static int read_lines(const struct request *request, FILE *in,
		      struct profile *profile, struct error *error)
{
	struct content content;
	int err = content_open(&content, in, error);

	if (err)
		return err;
	if (content.is_pprof)
		err = error_set(error, -EBADMSG, "a pprof file, and not %s: import it --from pprof",
				request->format->name);
	else
		err = request->format->read(content.stream, &request->import,
					    profile, error);
	content_close(&content);
	return err;
}

static int read_text(const struct request *request, struct profile **profile,
		     struct error *error)
{
	struct input input;
	struct error why;
	int err, changed;

	err = input_open(&input, request->input, error);
	if (err)
		return err;
	*profile = profile_create();
	err = *profile ? read_lines(request, input.stream, *profile, &why) :
			 error_set(&why, -ENOMEM, "%s", strerror(ENOMEM));
	if (!err && !(*profile)->nr_records && !profile_lost(&(*profile)->books))
		err = error_set(&why, -EBADMSG, "there is no %s stack in it",
				request->format->name);
	changed = input_close(&input, error);
	if (!err && !changed)
		return 0;
	profile_destroy(*profile);
	return changed ?: error_set(error, err, "%.100s: %.400s", input.name,
				    why.text);
}

static int write_output(const struct request *request,
			const struct profile *profile)
{
	struct output output;
	struct error error;

	if (output_open(&output, request->output, &error))
		return command_fail(EXIT_FAILED, "cannot import: %s", error.text);
	if (pprof_write(profile, output.stream, &error)) {
		command_fail(EXIT_FAILED, "cannot write %s: %s", output.name,
			     error.text);
		output_discard(&output);
		return EXIT_FAILED;
	}
	if (output_commit(&output, &error))
		return command_fail(EXIT_FAILED, "%s", error.text);
	return EXIT_DONE;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = { 0 };
	struct profile *profile;
	struct error error;
	int code = parse(command, argc, argv, &request), err;

	if (code != EXIT_DONE)
		return code;
	if (output_spares(request.output, &request.input, 1, &error))
		return command_fail(EXIT_FAILED, "cannot import: %s", error.text);
	err = request.format->read ?
	      read_text(&request, &profile, &error) :
	      pprof_load(request.input, &profile, &error);
	if (err)
		return command_fail(EXIT_FAILED, "cannot import %s", error.text);
	if (profile_check(profile, &error))
		code = command_fail(EXIT_FAILED, "cannot import %s: %s",
				    request.input, error.text);
	else
		code = write_output(&request, profile);
	profile_destroy(profile);
	return code;
}

const struct command cmd_import = {
	.name = "import",
	.args = "FILE|-",
	.summary = "make a saved profile of another tool's output",
	.details =
"  perf-script  what perf script prints, with or without call chains\n"
"  bcc          what profile -f prints, with -d or without\n"
"  bpftrace     maps of counts, @[kstack, ustack, comm] and the like\n"
"  stap         print_stack() or print_backtrace(), then a line of the count\n"
"  folded       one stack a line, \"root;...;leaf COUNT\"\n"
"  pprof        a pprof file\n"
"\n"
"Each may be gzip'd. Every view opens what is written. Such a profile has no books\n"
"but those of what it holds. Its periods have a length where the input tells it or\n"
"-F does; where neither does, weights are numbers of samples, or what a pprof file\n"
"says that they are, such as bytes.\n"
"\n"
"  perf script | flamectl import --from perf-script -o perf.pb.gz -",
	.options = options,
	.run = run,
};
