// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl svg: folded text or a saved profile in, a flame graph out. The
 * input is read and laid out before the output is begun, so that bad input
 * leaves nothing behind.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "layout.h"
#include "number.h"
#include "output.h"
#include "pprof.h"
#include "svg.h"
#include "tree.h"

#define GZIP_FIRST_BYTE 0x1f

#define MIN_WIDTH_MAX_PX 1000
#define MIN_WIDTH_MAX_PERCENT 100

enum {
	OPT_OUTPUT, OPT_INVERTED, OPT_TITLE, OPT_SUBTITLE, OPT_WIDTH,
	OPT_MIN_WIDTH, OPT_BY, OPT_NO_IDLE, OPT_WEIGHT,
};

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_INVERTED] = { "inverted", 'i', NULL, "the root on top: an icicle graph" },
	[OPT_TITLE] = { "title", 0, "TEXT", "the title" },
	[OPT_SUBTITLE] = { "subtitle", 0, "TEXT", "a line below the title" },
	[OPT_WIDTH] = { "width", 0, "PIXELS", "keep this width, 320..100000; without it browsers use the window's, other viewers 1200" },
	[OPT_MIN_WIDTH] = { "min-width", 0, "PIXELS|PERCENT%", "collapse what is narrower (default 0.1)" },
	[OPT_BY] = { "by", 0, "LEVELS", "of a profile: group by comm,pid,tid,cpu,context, or none (default comm)" },
	[OPT_NO_IDLE] = { "no-idle", 0, NULL, "of a profile: leave out idle time" },
	[OPT_WEIGHT] = { "weight", 0, "WHAT", "of a profile: periods (default) or count" },
	{ 0 }
};

struct request {
	const char *input;		/* as named, "-" for stdin */
	const char *output;
	struct svg_options svg;
	struct fold_options fold;
	double min_px;
	double min_percent;
	int profile_option;		/* the first given, -1 for none */
};

/* Everything that is made on the way from input to output. */
struct work {
	struct profile *profile;	/* NULL for folded text */
	struct tree *tree;
	struct layout *layout;
	char note[64];
};

/* "0.5", "0.5px", "1%" */
static int parse_min_width(struct request *request, const char *text,
			   struct error *error)
{
	const char *suffix = text + strspn(text, "0123456789.");
	bool percent = !strcmp(suffix, "%");
	double value;
	char *end;

	value = strtod(text, &end);
	if (suffix == text || end != suffix ||
	    !(percent || !*suffix || !strcmp(suffix, "px")) ||
	    value > (percent ? MIN_WIDTH_MAX_PERCENT : MIN_WIDTH_MAX_PX))
		return error_set(error, -EINVAL,
				 "%.40s: pixels from 0 to %d, such as 0.5, or a share of the width from 0%% to %d%%, such as 0.1%%",
				 *text ? text : "nothing", MIN_WIDTH_MAX_PX,
				 MIN_WIDTH_MAX_PERCENT);
	request->min_px = percent ? 0 : value;
	request->min_percent = percent ? value : 0;
	return 0;
}

static int parse_width(struct request *request, const char *text,
		       struct error *error)
{
	uint64_t width;
	int err = number_parse(text, SVG_WIDTH_MIN, SVG_WIDTH_MAX, &width, error);

	if (err)
		return err;
	request->svg.width = width;
	request->svg.fixed = true;
	return 0;
}

static int parse_weight(struct request *request, const char *text,
			struct error *error)
{
	if (strcmp(text, "periods") && strcmp(text, "count"))
		return error_set(error, -EINVAL, "%.40s: periods or count",
				 *text ? text : "nothing");
	request->fold.by_count = !strcmp(text, "count");
	return 0;
}

static int parse_option(struct request *request, int option, const char *arg,
			struct error *error)
{
	if (option >= OPT_BY && request->profile_option < 0)
		request->profile_option = option;

	switch (option) {
	case OPT_OUTPUT:
		request->output = arg;
		return 0;
	case OPT_INVERTED:
		request->svg.inverted = true;
		return 0;
	case OPT_TITLE:
		request->svg.title = arg;
		return 0;
	case OPT_SUBTITLE:
		request->svg.subtitle = *arg ? arg : NULL;
		return 0;
	case OPT_WIDTH:
		return parse_width(request, arg, error);
	case OPT_MIN_WIDTH:
		return parse_min_width(request, arg, error);
	case OPT_BY:
		return fold_options_by(&request->fold, arg, error);
	case OPT_NO_IDLE:
		request->fold.no_idle = true;
		return 0;
	default:
		return parse_weight(request, arg, error);
	}
}

/* Return: EXIT_DONE, or EXIT_USAGE with everything said. */
static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	struct error error;
	const char *arg;
	int option;

	while (command_next(command, argc, argv, &option, &arg)) {
		if (!parse_option(request, option, arg, &error))
			continue;
		if (option == OPT_BY)	/* says all by itself */
			return command_usage(command, "%s", error.text);
		return command_usage(command, "--%s %s", options[option].name,
				     error.text);
	}
	if (argc - optind > 1)
		return command_usage(command, "svg draws one file, and \"%s\" is one too many",
				     argv[optind + 1]);
	if (optind < argc)
		request->input = argv[optind];
	if (!strcmp(request->input, "-") && isatty(STDIN_FILENO))
		return command_usage(command, "there is nothing to draw: standard input is a terminal; name a file, or pipe one in, as in: flamectl dump | flamectl svg -o graph.svg");
	return EXIT_DONE;
}

/* What a viewer must know to compare the picture with the books. */
static void make_note(struct work *work, struct request *request)
{
	const struct fold_options *fold = &request->fold;

	snprintf(work->note, sizeof(work->note), "%s%s%s",
		 fold->no_idle ? "drawn without idle time" : "",
		 fold->no_idle && fold->by_count ? ", " : "",
		 fold->by_count ? "drawn by samples, lost ones by periods" : "");
	if (work->note[0])
		request->svg.note = work->note;
}

static int read_profile(struct work *work, struct request *request, FILE *in,
			struct error *error)
{
	struct error why;
	int err = pprof_read(in, request->input, &work->profile, &why);

	if (err)
		return error_set(error, err, "cannot read %s", why.text);
	request->svg.profile = work->profile;
	request->svg.unit = request->fold.by_count ? "samples" : "periods";
	make_note(work, request);
	work->tree = fold_profile(work->profile, &request->fold, &why);
	return work->tree ? 0 : error_set(error, -ENOMEM, "cannot fold %.100s: %.300s",
					  request->input, why.text);
}

static int read_folded(struct work *work, struct request *request, FILE *in,
		       struct error *error)
{
	struct error why;
	int err;

	work->tree = tree_create();
	if (!work->tree)
		return error_set(error, -ENOMEM, "cannot read %s: memory is short",
				 request->input);
	err = fold_read(work->tree, in, &why);
	if (err)
		return error_set(error, err, "cannot read %s: %s",
				 request->input, why.text);
	tree_sum(work->tree);
	request->svg.unit = "samples";
	return 0;
}

static int read_input(const struct command *command, struct work *work,
		      struct request *request, FILE *in)
{
	int first = getc(in), err;
	struct error error;

	if (first != EOF)
		ungetc(first, in);
	if (first != GZIP_FIRST_BYTE && request->profile_option >= 0)
		return command_usage(command, "--%s is for saved profiles; %s is folded text, whose stacks and weights are as they are",
				     options[request->profile_option].name,
				     request->input);

	if (first == GZIP_FIRST_BYTE)
		err = read_profile(work, request, in, &error);
	else
		err = read_folded(work, request, in, &error);
	return err ? command_fail(EXIT_FAILED, "%s", error.text) : EXIT_DONE;
}

static int lay_out(struct work *work, const struct request *request)
{
	struct layout_options layout = {
		.width_px = request->svg.width - 2.0 * SVG_PAD,
		.min_width_px = request->min_px,
		.inverted = request->svg.inverted,
	};
	struct error error;

	if (request->min_percent > 0)
		layout.min_width_px =
			request->min_percent / 100 * layout.width_px;
	if (layout_create(&work->layout, work->tree, &layout, &error))
		return command_fail(EXIT_FAILED, "cannot draw %s: %s",
				    request->input, error.text);
	return EXIT_DONE;
}

static int write_output(const struct work *work, const struct request *request)
{
	struct output output;
	struct error error;
	int err;

	if (output_open(&output, request->output, &error))
		return command_fail(EXIT_FAILED, "cannot write %s", error.text);
	err = svg_write(work->tree, work->layout, &request->svg, output.stream);
	if (err) {
		output_discard(&output);
		return command_fail(EXIT_FAILED, "cannot write %s: %s",
				    request->output ? request->output : "stdout",
				    strerror(-err));
	}
	if (output_commit(&output, &error))
		return command_fail(EXIT_FAILED, "%s", error.text);
	return EXIT_DONE;
}

static int draw(const struct command *command, struct work *work,
		struct request *request)
{
	FILE *in = stdin;
	int code;

	if (strcmp(request->input, "-"))
		in = fopen(request->input, "re");
	else
		request->input = "stdin";
	if (!in)
		return command_fail(EXIT_FAILED, "cannot read %s: %s",
				    request->input, strerror(errno));

	code = read_input(command, work, request, in);
	if (in != stdin)
		fclose(in);
	if (code == EXIT_DONE)
		code = lay_out(work, request);
	if (code == EXIT_DONE)
		code = write_output(work, request);
	return code;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = {
		.input = "-",
		.svg = { .width = 1200 },
		.fold = { .by = { FOLD_COMM }, .nr_by = 1 },
		.min_px = 0.1,
		.profile_option = -1,
	};
	struct work work = { 0 };
	int code = parse(command, argc, argv, &request);

	if (code != EXIT_DONE)
		return code;
	if (!request.svg.title)
		request.svg.title = request.svg.inverted ?
			"Kernel icicle graph" : "Kernel flame graph";
	code = draw(command, &work, &request);
	layout_destroy(work.layout);
	tree_destroy(work.tree);
	profile_destroy(work.profile);
	return code;
}

const struct command cmd_svg = {
	.name = "svg",
	.args = "[FILE|-]",
	.summary = "draw a flame graph of folded text or of a saved profile",
	.details =
"Without FILE the input is standard input. The graph is one SVG file that needs\n"
"nothing else. In a browser a click on a frame zooms, Ctrl-F searches by a\n"
"regular expression and tells the share of time in what matches, and the arrow\n"
"keys walk from frame to frame. Colours tell the core kernel (orange), modules\n"
"(blue), user mode (green), idle time (grey) and lost samples (hatched) apart;\n"
"a function has the same colour in every graph.\n"
"\n"
"  flamectl dump | flamectl svg -o graph.svg\n"
"  flamectl svg --no-idle --by cpu,comm -o graph.svg profile.pb.gz",
	.options = options,
	.run = run,
};
