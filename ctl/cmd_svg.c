// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl svg: folded text or a saved profile in, a flame graph out. The
 * input is read and laid out before the output is begun, so that bad input
 * leaves nothing behind.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "layout.h"
#include "number.h"
#include "output.h"
#include "select.h"
#include "source.h"
#include "svg.h"
#include "tree.h"

#define MIN_WIDTH_MAX_PX 1000
#define MIN_WIDTH_MAX_PERCENT 100

enum {
	OPT_OUTPUT, OPT_INVERTED, OPT_TITLE, OPT_SUBTITLE, OPT_WIDTH,
	OPT_MIN_WIDTH, OPT_BY, OPT_WEIGHT,
};

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_INVERTED] = { "inverted", 'i', NULL, "the root on top: an icicle graph" },
	[OPT_TITLE] = { "title", 0, "TEXT", "the title" },
	[OPT_SUBTITLE] = { "subtitle", 0, "TEXT", "a line below the title" },
	[OPT_WIDTH] = { "width", 0, "PIXELS", "keep this width, 320..100000; without it browsers use the window's, other viewers 1200" },
	[OPT_MIN_WIDTH] = { "min-width", 0, "PIXELS|PERCENT%", "collapse what is narrower (default 0.1)" },
	[OPT_BY] = { "by", 0, "LEVELS", "of a profile: group by comm,pid,tid,cpu,context,host, or none (default comm)" },
	[OPT_WEIGHT] = { "weight", 0, "WHAT", "of a profile: periods (default) or count" },
	{ 0 }
};

struct request {
	struct source_options source;
	const char *output;
	struct svg_options svg;
	double min_px;
	double min_percent;
};

/* Everything that is made on the way from input to output. */
struct work {
	struct source source;
	struct layout *layout;
	char left_out[64];		/* ", N periods left out", or "" */
	char note[128];
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

static int parse_option(struct request *request, int option, const char *arg,
			struct error *error)
{
	if (option >= COMMAND_SHARED)
		return select_add(&request->source.selection,
				  option - COMMAND_SHARED, arg, error);
	if (option >= OPT_BY && !request->source.of_profiles)
		request->source.of_profiles = options[option].name;

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
		return fold_options_by(&request->source.fold, arg, error);
	default:
		return source_weight(&request->source, arg, error);
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
		if (option == OPT_BY || option >= COMMAND_SHARED)
			/* says all by itself */
			return command_usage(command, "%s", error.text);
		return command_usage(command, "--%s %s", options[option].name,
				     error.text);
	}
	if (argc - optind > 1)
		return command_usage(command, "svg draws one file, and \"%s\" is one too many",
				     argv[optind + 1]);
	if (optind < argc)
		request->source.path = argv[optind];
	if (!strcmp(request->source.path, "-") && isatty(STDIN_FILENO))
		return command_usage(command, "there is nothing to draw: standard input is a terminal; name a file, or pipe one in, as in: flamectl dump | flamectl svg -o graph.svg");
	return EXIT_DONE;
}

/* What a viewer must know to compare the picture with the books. */
static void make_note(struct work *work, struct request *request)
{
	const struct source *source = &work->source;
	bool by_count = request->source.fold.by_count;

	if (source->left_out)
		snprintf(work->left_out, sizeof(work->left_out),
			 ", %" PRIu64 " %s left out", source->left_out,
			 source->profile ? "periods" : source->unit);
	snprintf(work->note, sizeof(work->note), "%s%s%s",
		 by_count ? ", drawn by samples, lost ones by periods" : "",
		 work->left_out,
		 source->left_out && source->profile ? " as filtered" : "");
	if (work->note[0])
		request->svg.note = work->note + strlen(", ");
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
	if (layout_create(&work->layout, work->source.tree, &layout, &error))
		return command_fail(EXIT_FAILED, "cannot draw %s: %s%s",
				    work->source.name, error.text,
				    work->left_out);
	return EXIT_DONE;
}

static int write_output(const struct work *work, const struct request *request)
{
	struct output output;
	struct error error;
	int err;

	if (output_open(&output, request->output, &error))
		return command_fail(EXIT_FAILED, "cannot write %s", error.text);
	err = svg_write(work->source.tree, work->layout, &request->svg, output.stream);
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
	struct error error;
	int code = source_read(&work->source, &request->source, &error);

	if (code == EXIT_USAGE)
		return command_usage(command, "%s", error.text);
	if (code != EXIT_DONE)
		return command_fail(code, "%s", error.text);
	request->svg.profile = work->source.profile;
	request->svg.unit = work->source.unit;
	make_note(work, request);
	code = lay_out(work, request);
	if (code == EXIT_DONE)
		code = write_output(work, request);
	return code;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = {
		.source = {
			.path = "-", .fold = { .by = { FOLD_COMM }, .nr_by = 1 },
		},
		.svg = { .width = 1200 },
		.min_px = 0.1,
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
	source_release(&work.source);
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
	.shared = select_options,
	.run = run,
};
