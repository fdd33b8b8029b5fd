// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl svg: write a flame graph of folded text or a saved profile. The
 * input is read and laid out before the output is opened, so that bad input
 * leaves no file.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/output.h"
#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/save.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "profile/origin.h"
#include "tree/tree.h"
#include "view/layout.h"
#include "view/look.h"
#include "view/paint.h"
#include "view/palette.h"
#include "view/svg/svg.h"

/* OPT_BY and all after it apply to profiles only, not to folded text. */
enum {
	OPT_OUTPUT, OPT_INVERTED, OPT_REVERSE, OPT_FLAMECHART, OPT_TITLE,
	OPT_SUBTITLE, OPT_NOTES, OPT_WIDTH, OPT_MIN_WIDTH, OPT_HEIGHT, OPT_FONT,
	OPT_FONT_SIZE, OPT_COLORS, OPT_PALETTE, OPT_THEME, OPT_BACKGROUND,
	OPT_COUNT_NAME, OPT_NAME_TYPE, OPT_TOTAL, OPT_BY, OPT_WEIGHT,
};

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_INVERTED] = { "inverted", 'i', NULL, "draw the root at the top: an icicle graph" },
	[OPT_REVERSE] = { "reverse", 'r', NULL, "start at the leaves: each function with all of its callers" },
	[OPT_FLAMECHART] = { "flamechart", 0, NULL, "draw stacks in order of time, joining only neighbours: folded text in its order, a recording by its --slices" },
	[OPT_TITLE] = { "title", 0, "TEXT", "the title (default: what was recorded, where and when)" },
	[OPT_SUBTITLE] = { "subtitle", 0, "TEXT", "a line below the title" },
	[OPT_NOTES] = { "notes", 0, "TEXT", "lines below the graph" },
	[OPT_WIDTH] = { "width", 0, "PIXELS", "fixed width, 320..100000 (default: the window's width in browsers, 1200 elsewhere)" },
	[OPT_MIN_WIDTH] = { "min-width", 0, "PIXELS|PERCENT%", "collapse narrower frames (default 0.1)" },
	[OPT_HEIGHT] = { "height", 0, "PIXELS", "the height of a row, 8..100 (default 18)" },
	[OPT_FONT] = { "font", 0, "FAMILY", "the font of labels (default monospaced)" },
	[OPT_FONT_SIZE] = { "font-size", 0, "PIXELS", "the font size of labels, 4..72 (default 12)" },
	[OPT_COLORS] = { "colors", 'c', "SCHEME", "the meaning of colours: kind (default), subsystem, module, language, chain, hash, or one of hot, mem, io, wakeup, red, orange, yellow, green, aqua, blue, purple",
		"kind subsystem module language chain hash hot mem io wakeup red orange yellow green aqua blue purple" },
	[OPT_PALETTE] = { "palette", 0, "FILE", "read colours of functions from FILE, and add new functions to it" },
	[OPT_THEME] = { "theme", 0, "WHAT", "light, dark, or auto (default): as set in the viewer",
		"light dark auto" },
	[OPT_BACKGROUND] = { "background", 0, "COLOUR", "the page's colour, #rrggbb" },
	[OPT_COUNT_NAME] = { "count-name", 0, "TEXT", "what weights count, in the plural" },
	[OPT_NAME_TYPE] = { "name-type", 0, "TEXT", "the text before names in the status line" },
	[OPT_TOTAL] = { "total", 0, "WEIGHT", "the weight of the whole width (default: that of all stacks)" },
	[OPT_BY] = { "by", 0, "LEVELS", "of a profile: group by comm,pid,tid,cpu,context,host,cgroup,module,function, or none (default comm); module and function are those of the leaf, followed by the whole stack",
		FOLD_BY_VALUES },
	[OPT_WEIGHT] = { "weight", 0, "WHAT", "of a profile: periods (default) or count",
		FOLD_WEIGHT_VALUES },
	{ 0 }
};

struct request {
	struct source_options source;
	const char *output;
	struct svg_options svg;
	struct look_narrow narrow;
	const struct paint_scheme *scheme;
	bool has_scheme;		/* it was asked for */
	const char *palette;		/* the file's name, NULL for none */
	uint64_t total;			/* 0: the sum of the stacks */
	bool reverse;
};

/* Room for the longest text about the widths of slices, and a NUL. */
#define NOTE_WIDTHS	(PROFILE_UNIT_MAX + 128)

/* All objects made between input and output. */
struct work {
	struct source source;
	struct layout *layout;
	struct palette palette;
	struct paint *paint;
	char left_out[SOURCE_LEFT_OUT];
	char note[SOURCE_LEFT_OUT + NOTE_WIDTHS + 128];
	char title[ORIGIN_TEXT];
};

static int parse_palette(struct request *request, const char *text,
			 struct error *error)
{
	if (!*text || !strcmp(text, "-"))
		return error_set(error, -EINVAL,
				 "%s: name a file, because the palette is read and written",
				 *text ? text : "nothing");
	request->palette = text;
	return 0;
}

static int parse_look(struct request *request, int option, const char *arg,
		      struct error *error)
{
	struct svg_options *svg = &request->svg;

	switch (option) {
	case OPT_WIDTH:
		return look_width(svg, arg, error);
	case OPT_MIN_WIDTH:
		return look_narrow(&request->narrow, arg, error);
	case OPT_HEIGHT:
		return look_height(svg, arg, error);
	case OPT_FONT:
		return look_font(svg, arg, error);
	case OPT_FONT_SIZE:
		return look_font_size(svg, arg, error);
	case OPT_COLORS:
		request->scheme = paint_scheme_find(arg, error);
		request->has_scheme = true;
		return request->scheme || !error->text[0] ? 0 : -EINVAL;
	case OPT_PALETTE:
		return parse_palette(request, arg, error);
	case OPT_THEME:
		return look_theme(svg, arg, error);
	case OPT_BACKGROUND:
		return look_background(svg, arg, error);
	default:
		return number_parse(arg, 1, UINT64_MAX, &request->total, error);
	}
}

/* Set an option that accepts any text. Return: false if @option is another. */
static bool take_text(struct svg_options *svg, int option, const char *arg)
{
	switch (option) {
	case OPT_TITLE:
		svg->title = arg;
		return true;
	case OPT_SUBTITLE:
		svg->subtitle = *arg ? arg : NULL;
		return true;
	case OPT_NOTES:
		svg->notes = *arg ? arg : NULL;
		return true;
	case OPT_COUNT_NAME:
		svg->unit = arg;
		return true;
	case OPT_NAME_TYPE:
		svg->name_type = *arg ? arg : NULL;
		return true;
	default:
		return false;
	}
}

static int parse_option(struct request *request, int option, const char *arg,
			struct error *error)
{
	if (option >= COMMAND_SHARED)
		return source_add(&request->source, option, arg, error);
	if (option >= OPT_BY && !request->source.of_profiles)
		request->source.of_profiles = options[option].name;

	switch (option) {
	case OPT_OUTPUT:
		request->output = arg;
		return 0;
	case OPT_INVERTED:
		request->svg.inverted = true;
		return 0;
	case OPT_REVERSE:
		request->reverse = true;
		return 0;
	case OPT_FLAMECHART:
		request->source.in_order = options[option].name;
		request->source.selection.sliced = true;
		return 0;
	case OPT_BY:
		return fold_options_by(&request->source.fold, arg, error);
	case OPT_WEIGHT:
		return source_weight(&request->source, arg, error);
	default:
		return take_text(&request->svg, option, arg) ? 0 :
		       parse_look(request, option, arg, error);
	}
}

static const char *const standard_input[] = { "-" };

/* Return: EXIT_DONE, or EXIT_USAGE after printing the error. */
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
			/* the error is complete by itself */
			return command_usage(command, "%s", error.text);
		return command_usage(command, "--%s %s", options[option].name,
				     error.text);
	}
	source_operands(&request->source, argc, argv, standard_input);
	if (source_is_terminal(&request->source))
		return command_usage(command, "there is nothing to draw: standard input is a terminal; name a file, or live for the module's profile");
	return EXIT_DONE;
}

/*
 * Write how wide the slices of a flame chart are, unless their widths are how long they lasted.
 * They are if all samples of the timer are shown, as it takes as many in each second. Return:
 * @text.
 */
static const char *write_widths(char text[NOTE_WIDTHS], const struct source *source,
				const struct request *request)
{
	const struct profile *profile = source->profile;
	bool is_count = request->source.fold.by_count;
	const char *event, *what;

	*text = '\0';
	if (!request->source.in_order || request->reverse || !profile || !profile->slices)
		return text;
	event = is_count ? source->unit : profile_event(&profile->meta);
	what = is_count ? "number of " : *event ? "sum of " : "samples that are shown";
	if (is_count || *event || source->left_out || profile->books.filtered)
		snprintf(text, NOTE_WIDTHS,
			 ", slices are in the order of time, but each is as wide as its %s%s, not as long as it lasted",
			 what, event);
	return text;
}

/*
 * Write the note that a viewer needs to compare the picture with the books (the
 * counts of what became of each timer period).
 */
static void make_note(struct work *work, struct request *request)
{
	const struct source *source = &work->source;
	const struct fold_options *fold = &request->source.fold;
	char widths[NOTE_WIDTHS];

	snprintf(work->note, sizeof(work->note), "%s%s%s%s%s%s%s",
		 write_widths(widths, source, request),
		 fold->by_count ? ", drawn by " : "", fold->by_count ? source->unit : "",
		 source_mixes(source, fold) ? SOURCE_MIXES : "",
		 source->left_out ? ", " : "",
		 source_left_out(source, work->left_out),
		 source->left_out && source->profile ? " as filtered" : "");
	if (work->note[0])
		request->svg.note = work->note + strlen(", ");
}

static int lay_out(struct work *work, const struct request *request)
{
	struct layout_options layout = {
		.width_px = request->svg.width - 2.0 * SVG_PAD,
		.inverted = request->svg.inverted,
		.total = request->total,
	};
	struct error error;
	int err;

	if (work->source.is_empty)
		return command_fail(EXIT_FAILED, "cannot draw %s: %s", work->source.name,
				    source_no_stack(&work->source));
	layout.min_width_px = look_narrow_px(&request->narrow, layout.width_px);
	if (layout_create(&work->layout, work->source.tree, &layout, &error))
		return command_fail(EXIT_FAILED, "cannot draw %s: %s%s%s",
				    work->source.name, error.text,
				    *work->left_out ? ", " : "", work->left_out);
	err = paint_create(&work->paint, work->source.tree, work->layout,
			   request->has_scheme ? request->scheme :
						 paint_scheme_usual(work->source.tree),
			   request->palette ? &work->palette : NULL);
	if (err)
		return command_fail(EXIT_FAILED, "cannot draw %s: %s",
				    work->source.name, strerror(-err));
	return EXIT_DONE;
}

static int turn(struct work *work, const struct request *request)
{
	struct tree *reversed;
	int err;

	if (!request->reverse)
		return EXIT_DONE;
	err = tree_reverse(&reversed, work->source.tree);
	if (err)
		return command_fail(EXIT_FAILED, "cannot reverse the stacks of %s: %s",
				    work->source.name, err == -EOVERFLOW ?
				    "there would be too many frames" : strerror(-err));
	tree_destroy(work->source.tree);
	work->source.tree = reversed;
	return EXIT_DONE;
}

struct drawing {
	const struct work *work;
	const struct svg_options *options;
};

static int write_drawing(const void *what, FILE *out, struct error *error)
{
	const struct drawing *drawing = what;

	(void)error;
	return svg_write(drawing->work->source.tree, drawing->work->layout,
			 drawing->options, out);
}

static int write_output(struct work *work, struct request *request)
{
	struct error error;

	/* write the palette first: unused colours in it do no harm */
	if (request->palette &&
	    palette_write(&work->palette, request->palette, &error))
		return command_fail(EXIT_FAILED, "cannot save colours: %s", error.text);
	request->svg.paint = work->paint;
	return save(request->output, write_drawing,
		    &(struct drawing){ work, &request->svg });
}

/* Check that input, output and palette are three different files. */
static int check_files(const struct request *request, struct error *error)
{
	const struct source_options *source = &request->source;
	int err = source_spares(request->output, source->paths,
				source->nr_paths, error) ?:
		  output_spares(request->output, &request->palette, 1, error);

	if (!err && request->palette)
		err = source_spares(request->palette, source->paths,
				    source->nr_paths, error);
	return err;
}

static const char *make_title(struct work *work, const struct request *request)
{
	const struct source *source = &work->source;
	const char *graph = request->source.in_order ? "flame chart" :
			    request->svg.inverted ? "icicle graph" : "flame graph";
	char name[ORIGIN_GRAPH];

	origin_graph(name, source->profile, graph, source_is_text(source));
	return origin_title(work->title, source->profile, name);
}

static int draw(const struct command *command, struct work *work,
		struct request *request)
{
	struct error error;
	int code;

	if (check_files(request, &error))
		return command_fail(EXIT_FAILED, "cannot write %s", error.text);
	if (request->palette &&
	    palette_read(&work->palette, request->palette, &error))
		return command_fail(EXIT_FAILED, "cannot read colours: %s", error.text);
	code = source_read(&work->source, &request->source, &error);
	command_note(work->source.missed);
	if (code == EXIT_USAGE)
		return command_usage(command, "%s", error.text);
	if (code != EXIT_DONE)
		return command_fail(code, "%s", error.text);
	command_notes(&work->source.notes);
	request->svg.profile = source_is_text(&work->source) ?
			       NULL : work->source.profile;
	if (!request->svg.title)
		request->svg.title = make_title(work, request);
	if (!request->svg.unit)
		request->svg.unit = work->source.unit;
	make_note(work, request);
	code = turn(work, request);
	if (code == EXIT_DONE)
		code = lay_out(work, request);
	if (code == EXIT_DONE)
		code = write_output(work, request);
	return code;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = {
		.source = {
			.fold = { .by = { FOLD_COMM }, .nr_by = 1 },
		},
		.svg = { .width = 1200 },
		.narrow = { .px = 0.1 },
	};
	struct work work = { 0 };
	int code = parse(command, argc, argv, &request);

	if (code != EXIT_DONE)
		return code;
	look_complete(&request.svg);
	code = ending_check(request.output, ENDING_GRAPH) ?:
	       draw(command, &work, &request);
	paint_destroy(work.paint);
	palette_deinit(&work.palette);
	layout_destroy(work.layout);
	source_release(&work.source);
	return code;
}

const struct command cmd_svg = {
	.name = "svg",
	.args = "[FILE...|live|-]",
	.summary = "draw a flame graph of files or of the module's profile",
	.details =
"FILE is a saved profile, folded text, or the output of another tool (flamectl\n"
"import --help lists them); several are summed. live is the module's profile. The\n"
"default is standard input, or " SOURCE_RECORDED ", as record names its file, if that is a\n"
"terminal. The graph is one SVG file that needs no other file. In\n"
"a browser, click a frame to zoom; Ctrl-F searches for a regular expression and\n"
"shows the share of time in matching frames (a lower bound if frames are too narrow\n"
"to draw: --min-width 0 draws all); the arrow keys move from frame to frame. The\n"
"address contains zoom and search, so that you can send it to others. Colours\n"
"distinguish the core kernel (orange), modules (blue-green), user mode (green), idle\n"
"time (grey), lost samples (hatched) and functions most of whose time was off the\n"
"CPU (blue); else a function has the same colour in every graph of a scheme. A palette file has a line \"function->rgb(R,G,B)\" for each function,\n"
"like that of flamegraph.pl.\n"
"\n"
"In a flame chart time runs from left to right. The chart of a profile saved by\n"
"record --slices 1s has a frame for each second, and above it the call tree of that\n"
"second. If an event such as latency:FUNCTION is drawn, or only some processes, a second is\n"
"as wide as what is shown of it, which the text below the chart says.\n"
"\n"
"  flamectl svg -o graph.svg live\n"
"  flamectl svg --no-idle --by cpu,comm -o graph.svg profile.pb.gz\n"
"  flamectl svg --reverse --colors subsystem -o callers.svg profile.pb.gz\n"
"  flamectl svg --flamechart --range 10s,20s -o chart.svg sliced.pb.gz",
	.options = options,
	.shared = select_options,
	.reads = load_options,
	.live = live_options,
	.variables = COMMAND_FLEET,
	.run = run,
};
