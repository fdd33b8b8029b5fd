// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl diff: compare two profiles and write a flame graph or a table of
 * their difference. Both are read and compared before the output is opened.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/percent.h"
#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/save.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "profile/events.h"
#include "profile/estimate.h"
#include "tree/diff.h"
#include "view/diff_paint.h"
#include "view/diff_text.h"
#include "view/layout.h"
#include "view/look.h"
#include "view/paint.h"
#include "view/svg/svg.h"
#include "view/svg/text.h"

/* A tenth of a percent of all; smaller changes are mostly chance. */
#define THRESHOLD_PPM	1000

#define MIN_WIDTH_PX	0.1

/* Room for a description of weights. */
#define DESCRIPTION_TEXT (2 * PROFILE_UNIT_MAX + 64)

enum {
	OPT_OUTPUT, OPT_TEXT, OPT_THRESHOLD, OPT_NO_NORMALIZE, OPT_INVERTED,
	OPT_NEGATE, OPT_TITLE, OPT_WIDTH, OPT_BY, OPT_WEIGHT,
};

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_TEXT] = { "text", 0, NULL, "print a table of the functions that changed, the largest change first" },
	[OPT_THRESHOLD] = { "threshold", 0, "PERCENT", "with --text: sum up functions whose share changed by less (default 0.1)" },
	[OPT_NO_NORMALIZE] = { "no-normalize", 0, NULL, "compare weights, not shares of the total" },
	[OPT_INVERTED] = { "inverted", 'i', NULL, "draw the root at the top: an icicle graph" },
	[OPT_NEGATE] = { "negate", 0, NULL, "exchange red and blue: use it if A is the later profile, so that widths are the earlier one's" },
	[OPT_TITLE] = { "title", 0, "TEXT", "the title" },
	[OPT_WIDTH] = { "width", 0, "PIXELS", "fixed width, 320..100000 (default: the window's width in browsers, 1200 elsewhere)" },
	[OPT_BY] = { "by", 0, "LEVELS", "of profiles: group by comm,pid,tid,cpu,context,host,cgroup,module,function, or none (default comm); module and function are those of the leaf, followed by the whole stack",
		FOLD_BY_VALUES },
	[OPT_WEIGHT] = { "weight", 0, "WHAT", "of profiles: periods (default) or count",
		FOLD_WEIGHT_VALUES },
	{ 0 }
};

struct request {
	struct source_options source;	/* without the path */
	const char *paths[2];		/* A and B */
	const char *output;
	struct svg_options svg;
	unsigned int given;		/* 1 << option, for each one given */
	uint32_t threshold_ppm;
};

static bool is_given(const struct request *request, int option)
{
	return request->given & 1U << option;
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
	case OPT_THRESHOLD:
		return percent_parse(arg, &request->threshold_ppm, error);
	case OPT_INVERTED:
		request->svg.inverted = true;
		return 0;
	case OPT_TITLE:
		request->svg.title = arg;
		return 0;
	case OPT_WIDTH:
		return look_width(&request->svg, arg, error);
	case OPT_BY:
		return fold_options_by(&request->source.fold, arg, error);
	case OPT_WEIGHT:
		return source_weight(&request->source, arg, error);
	default:
		return 0;
	}
}

/* Refuse options of one form (graph or table) that are given with the other. */
static int check_options(const struct command *command,
			 const struct request *request)
{
	static const int of_graphs[] = {
		OPT_INVERTED, OPT_NEGATE, OPT_TITLE, OPT_WIDTH, OPT_BY,
	};

	if (!is_given(request, OPT_TEXT) && is_given(request, OPT_THRESHOLD))
		return command_usage(command, "--threshold works only with --text: add --text, or leave it out");
	for (size_t i = 0; i < sizeof(of_graphs) / sizeof(of_graphs[0]); i++)
		if (is_given(request, OPT_TEXT) &&
		    is_given(request, of_graphs[i]))
			return command_usage(command, "--%s is for the graph, but --text prints a table: leave out one of them",
					     options[of_graphs[i]].name);
	return EXIT_DONE;
}

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
		if (parse_option(request, option, arg, &error))
			return command_usage(command, "--%s %s",
					     options[option].name, error.text);
	}
	if (argc - optind != 2)
		return command_usage(command, "diff compares two files, and %d %s named",
				     argc - optind, argc - optind == 1 ?
				     "is" : "are");
	request->paths[0] = argv[optind];
	request->paths[1] = argv[optind + 1];
	if (!strcmp(argv[optind], "-") && !strcmp(argv[optind + 1], "-"))
		return command_usage(command, "A and B cannot both be standard input: name a file for one of them");
	if (is_given(request, OPT_TEXT))
		request->source.fold.nr_by = 0;
	return check_options(command, request);
}

/* ---- what can be compared ---- */

/*
 * Return: what shares are shares of: time, both for samples and for periods, the intervals or
 * hits of an event, or what another program counted. NULL for folded text, where it is not
 * known.
 */
static const char *kind_of(const struct source *source, bool by_count)
{
	const struct profile_meta *meta;

	if (!source->profile)
		return NULL;
	meta = &source->profile->meta;
	if (by_count && meta->intervals.known)
		return meta->weight_type;
	if (by_count || (!*meta->weight_type && !*meta->weight_unit))
		return "time";
	return *meta->weight_type ? meta->weight_type : meta->weight_unit;
}

/* Report different events, which are not comparable unless both are time. */
static bool other_events(const struct source *a, const struct source *b)
{
	const struct profile_meta *of_a, *of_b;

	if (!a->profile || !b->profile)
		return false;
	of_a = &a->profile->meta;
	of_b = &b->profile->meta;
	return *of_a->event && *of_b->event &&
	       !(of_a->period_ns && of_b->period_ns) &&
	       !events_same(of_a->event, of_b->event);
}

/* Report whether a weight of 1 means the same in A and B. */
static bool same_weights(const struct source *a, const struct source *b,
			 bool by_count)
{
	if (!a->profile || !b->profile)
		return !strcmp(a->unit, b->unit);
	return by_count ||
	       (!strcmp(a->unit, b->unit) &&
		!strcmp(a->profile->meta.weight_type,
			b->profile->meta.weight_type) &&
		a->profile->meta.period_ns == b->profile->meta.period_ns);
}

/* Describe weights: "periods of 1000000 ns", "inuse_space in bytes". */
static const char *describe(char text[DESCRIPTION_TEXT],
			    const struct source *source)
{
	const struct profile_meta *meta = source->profile ?
					  &source->profile->meta : NULL;

	if (!meta)
		snprintf(text, DESCRIPTION_TEXT, "of an unknown unit, as in all folded text");
	else if (!strcmp(source->unit, "periods"))
		snprintf(text, DESCRIPTION_TEXT, "periods of %" PRIu64 " ns",
			 meta->period_ns);
	else if (*meta->weight_type)
		snprintf(text, DESCRIPTION_TEXT, "%s in %s", meta->weight_type,
			 source->unit);
	else
		snprintf(text, DESCRIPTION_TEXT, "%s%s%.100s", source->unit,
			 *meta->event ? " of " : "", meta->event);
	return text;
}

static int check_weights(const struct request *request,
			 const struct source sources[2])
{
	bool by_count = request->source.fold.by_count;
	const char *a = kind_of(&sources[0], by_count);
	const char *b = kind_of(&sources[1], by_count);
	char of_a[DESCRIPTION_TEXT], of_b[DESCRIPTION_TEXT];
	const char *advice;

	if (other_events(&sources[0], &sources[1]) || (a && b && strcmp(a, b)))
		advice = "different events or units cannot be compared";
	else if (is_given(request, OPT_NO_NORMALIZE) &&
		 !same_weights(&sources[0], &sources[1], by_count))
		advice = "leave out --no-normalize to compare shares";
	else
		return EXIT_DONE;
	return command_fail(EXIT_FAILED, "cannot compare A, %.150s, with B, %.150s: weights of A are %s, those of B are %s; %s",
			    sources[0].name, sources[1].name,
			    describe(of_a, &sources[0]),
			    describe(of_b, &sources[1]), advice);
}

/* ---- the two forms ---- */

static int draw(const struct request *request, const struct source sources[2],
		FILE *out, struct error *error)
{
	struct svg_options svg = request->svg;
	struct layout_options laying = {
		.width_px = svg.width - 2.0 * SVG_PAD,
		.min_width_px = MIN_WIDTH_PX,
		.inverted = svg.inverted,
	};
	const struct tree *a = sources[0].tree, *b = sources[1].tree;
	struct layout *layout = NULL;
	struct paint *paint = NULL;
	char subtitle[512], note[256], before[SVG_AMOUNT_MAX], after[SVG_AMOUNT_MAX];
	struct diff *diff;
	int err = diff_create(&diff, a, b, !is_given(request, OPT_NO_NORMALIZE),
			      sources[1].unit, error);

	if (err)
		return err;
	snprintf(subtitle, sizeof(subtitle), "from A, %.200s, to B, %.200s",
		 sources[0].name, sources[1].name);
	snprintf(note, sizeof(note), "A has %s, B %s, %s",
		 svg_format_amount(before, diff->whole.a, sources[0].unit),
		 svg_format_amount(after, diff->whole.b, sources[1].unit),
		 diff->normalize ? "compared by their shares" :
				   "compared as they are");
	svg.subtitle = subtitle;
	svg.note = note;
	svg.unit = sources[1].unit;
	svg.profile = sources[1].profile;
	err = layout_create(&layout, diff->tree, &laying, error);
	if (!err) {
		err = paint_create_view(&paint, diff->tree, layout,
					is_given(request, OPT_NEGATE) ?
					&diff_view_negated : &diff_view, diff);
		svg.paint = paint;
		err = err ?: svg_write(diff->tree, layout, &svg, out);
		if (err)
			error_set(error, err, "%s", strerror(-err));
	}
	paint_destroy(paint);
	layout_destroy(layout);
	diff_destroy(diff);
	return err;
}

static int print(const struct request *request, const struct source sources[2],
		 FILE *out, struct error *error)
{
	struct estimate estimate = { .threshold = 0 };
	int err = diff_text(sources[0].tree, sources[1].tree,
			    !is_given(request, OPT_NO_NORMALIZE),
			    sources[1].unit, request->threshold_ppm, out, error);

	for (int i = 0; i < 2; i++)
		if (sources[i].profile)
			estimate_add(&estimate, estimate_of(&sources[i].profile->meta));
	estimate_print(estimate, out);
	return err;
}

struct output_parts {
	const struct request *request;
	const struct source *sources;	/* A and B */
};

static int write_output(const void *what, FILE *out, struct error *error)
{
	const struct output_parts *parts = what;
	const struct source *sources = parts->sources;
	bool text = is_given(parts->request, OPT_TEXT);
	int err = (text ? print : draw)(parts->request, sources, out, error);

	if (err == -ENODATA && (sources[0].is_empty || sources[1].is_empty))
		error_set(error, err, "%s is " LOAD_EMPTY, sources[0].is_empty ? "A" : "B");
	if (err == -ENODATA || err == -ENOMEM || err == -EOVERFLOW)
		return command_fail(EXIT_FAILED, "cannot compare A, %.150s, with B, %.150s: %s",
				    sources[0].name, sources[1].name,
				    error->text);
	return err;
}

static int read_both(const struct command *command, struct request *request,
		     struct source sources[2])
{
	char missed[SELECT_MISSED_TEXT];

	for (int i = 0; i < 2; i++) {
		struct error error;
		int code;

		request->source.paths = &request->paths[i];
		request->source.nr_paths = 1;
		code = source_read(&sources[i], &request->source, &error);
		if (code == EXIT_USAGE)
			return command_usage(command, "%s", error.text);
		if (code != EXIT_DONE)
			return command_fail(code, "%s", error.text);
		command_notes(&sources[i].notes);
	}
	/*
	 * report only what matched in neither: one may lack what the other has
	 */
	for (unsigned int i = 0; i < SELECT_TERMS_MAX; i++)
		sources[0].met.bits[i] |= sources[1].met.bits[i];
	command_note(select_missed(&request->source.selection, &sources[0].met,
				   missed));
	return EXIT_DONE;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = {
		.source = {
			.fold = { .by = { FOLD_COMM }, .nr_by = 1 },
		},
		.svg = { .width = 1200, .title = "Differential flame graph" },
		.threshold_ppm = THRESHOLD_PPM,
	};
	struct source sources[2] = { 0 };
	struct error error;
	int code = parse(command, argc, argv, &request);

	if (code != EXIT_DONE)
		return code;
	code = ending_check(request.output, is_given(&request, OPT_TEXT) ?
					    ENDING_TEXT : ENDING_GRAPH);
	if (code != EXIT_DONE)
		return code;
	if (source_spares(request.output, request.paths, 2, &error))
		return command_fail(EXIT_FAILED, "cannot write %s", error.text);
	code = read_both(command, &request, sources);
	if (code == EXIT_DONE)
		code = check_weights(&request, sources);
	if (code == EXIT_DONE)
		code = save(request.output, write_output,
			    &(struct output_parts){ &request, sources });
	source_release(&sources[0]);
	source_release(&sources[1]);
	return code;
}

const struct command cmd_diff = {
	.name = "diff",
	.args = "FILE-A FILE-B",
	.summary = "show what changed between two profiles",
	.details =
"A and B are each a saved profile, folded text, the output of another tool, - for\n"
"standard input, or live for the module's profile. The graph shows B, with B's\n"
"widths: red frames have a larger share of B than of A, blue ones a smaller one; a\n"
"deeper colour means a larger change. Stacks of A that B does not have are at the\n"
"side, below [gone], with their width in A. Shares are of time, or of what both\n"
"files count: time and bytes cannot be compared. With --no-normalize a weight must\n"
"mean the same in A and B: periods of the same length, or the same unit.\n"
"\n"
"  flamectl diff before.pb.gz after.pb.gz -o diff.svg\n"
"  flamectl diff --negate after.pb.gz before.pb.gz -o diff-as-before.svg\n"
"  flamectl diff --text --no-idle before.pb.gz live",
	.options = options,
	.shared = select_options,
	.reads = load_options,
	.live = live_options,
	.variables = COMMAND_FLEET,
	.run = run,
};
