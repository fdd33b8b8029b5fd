// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl query: ask a store of many hosts' profiles. Graphs and reports of a fleet are
 * those of other commands, with "fleet:..." as their source; here are the questions whose
 * answers are tables of hosts, or of functions.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/fleet_source.h"
#include "cmd/save.h"
#include "fleet/clickhouse/costs.h"
#include "fleet/clickhouse/read.h"
#include "fleet/clickhouse/shifts.h"
#include "profile/estimate.h"
#include "view/diff_text.h"
#include "view/report.h"

#define THRESHOLD_PPM	5000	/* half a percent, as in report */
#define OVER_PPM	10000
#define EFFECT_PPM	1000
#define FALSE_PPM	50000
#define STEP_S		3600
#define STEPS_MAX	1000	/* columns of a heat map */

#define PPM		1e6

enum {
	OPT_OUTPUT, OPT_FUNCTION, OPT_OVER, OPT_STEP, OPT_THRESHOLD, OPT_EFFECT, OPT_FALSE,
};

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_FUNCTION] = { "function", 0, "NAME", "of hosts and heat: the function, with all that it calls" },
	[OPT_OVER] = { "over", 0, "PERCENT", "of hosts: list those that spend this share in it, or more (default 1)" },
	[OPT_STEP] = { "step", 0, "TIME", "of heat: the time of a column, in whole seconds (default 1h)" },
	[OPT_THRESHOLD] = { "threshold", 0, "PERCENT", "of top and diff: sum up lines below this share (default 0.5)" },
	[OPT_EFFECT] = { "effect", 0, "PERCENT", "of regressions: list only changes of the mean by this share of all time (default 0.1)" },
	[OPT_FALSE] = { "false", 0, "PERCENT", "regressions: chance causes at most this part of the list (default 5)" },
	{ 0 }
};

/* One of several questions. */
struct question {
	const char *name;
	int nr_choices;
	bool wants_function;
	int (*answer)(const void *request, FILE *out, struct error *error);
};

struct request {
	struct server_request server_options;
	const struct question *question;
	const char *output, *function;
	const char *paths[2];
	struct choice choices[2];
	uint32_t over_ppm, threshold_ppm, effect_ppm, false_ppm;
	uint64_t step_s;
	struct server *server;
	/* computed before the output is opened */
	struct profile *profiles[2];
	struct costs costs;
	struct shifts shifts;
};

/* ---- top and diff ---- */

static int read_profile(struct request *request, int i, struct error *error)
{
	return clickhouse_read(request->server->sender, &request->server->target,
			       &request->choices[i], (struct fleet_keys){ .hosts = false },
			       &request->profiles[i], error);
}

static struct tree *fold_all(const struct profile *profile, struct error *error)
{
	return fold_profile(profile, &(struct fold_options){ .nr_by = 0 }, error);
}

static int answer_top(const void *what, FILE *out, struct error *error)
{
	const struct request *request = what;
	const struct profile *profile = request->profiles[0];
	const struct report_options report = {
		.profile = profile, .unit = profile_unit(&profile->meta),
		.threshold_ppm = request->threshold_ppm,
	};
	struct tree *tree = fold_all(profile, error);
	struct flat *flat = NULL;
	int err = tree ? flat_create(&flat, tree) : -ENOMEM;

	err = err ?: report_flat(flat, &report, out);
	flat_destroy(flat);
	tree_destroy(tree);
	return err;
}

static int answer_diff(const void *what, FILE *out, struct error *error)
{
	const struct request *request = what;
	struct estimate estimate = { .threshold = 0 };
	struct tree *a = fold_all(request->profiles[0], error);
	struct tree *b = a ? fold_all(request->profiles[1], error) : NULL;
	int err = !b ? -ENOMEM :
		  diff_text(a, b, true, profile_unit(&request->profiles[1]->meta),
			    request->threshold_ppm, out, error);

	tree_destroy(a);
	tree_destroy(b);
	for (int i = 0; i < 2; i++)
		estimate_add(&estimate, estimate_of(&request->profiles[i]->meta));
	estimate_print(estimate, out);
	return err;
}

/* ---- hosts ---- */

static int compare_costs(const void *a, const void *b)
{
	const struct cost *left = a, *right = b;
	/* shares, without division: both products are below 2^128 */
	unsigned __int128 of_left = (unsigned __int128)left->function_ns * right->all_ns;
	unsigned __int128 of_right = (unsigned __int128)right->function_ns * left->all_ns;

	return (of_left < of_right) - (of_left > of_right) ?: strcmp(left->host, right->host);
}

static int answer_hosts(const void *what, FILE *out, struct error *error)
{
	const struct request *request = what;
	const struct costs *costs = &request->costs;
	size_t listed = 0;
	bool has_it = false;

	(void)error;
	for (size_t i = 0; i < costs->nr; i++) {
		const struct cost *cost = &costs->list[i];
		char share[PERCENT_TEXT];

		has_it |= cost->function_ns;
		if (percent_below(cost->function_ns, cost->all_ns, request->over_ppm))
			continue;
		fprintf(out, "%6s %%  ", percent_text(share, cost->function_ns, cost->all_ns));
		utf8_print(cost->host, out);
		putc('\n', out);
		listed++;
	}
	fprintf(out, "# %zu of %zu hosts spend %.4g %% or more in ", listed, costs->nr,
		request->over_ppm / 1e4);
	utf8_print(request->function, out);
	fputs(has_it ? "\n" : "; no matching window has a function of this name\n", out);
	estimate_print(costs->estimate, out);
	return ferror(out) ? -EIO : 0;
}

/* ---- heat ---- */

static void steps_of(const struct costs *costs, int64_t *first_s, int64_t *last_s)
{
	*first_s = INT64_MAX;
	*last_s = 0;
	for (size_t i = 0; i < costs->nr; i++) {
		*first_s = costs->list[i].from_s < *first_s ? costs->list[i].from_s : *first_s;
		*last_s = costs->list[i].from_s > *last_s ? costs->list[i].from_s : *last_s;
	}
}

/* Print "2026-11-27 14:05 UTC", or of that only "14:05". */
static void print_time(FILE *out, int64_t seconds, bool in_full)
{
	time_t time = (time_t)seconds;
	char text[32] = "";
	struct tm tm;

	if (gmtime_r(&time, &tm) && in_full)
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &tm);
	else if (gmtime_r(&time, &tm))
		strftime(text, sizeof(text), "%H:%M", &tm);
	fputs(text, out);
}

/* Print one host's line, from *@at on, which is moved past its costs. */
static void print_line(const struct request *request, size_t *at, int64_t first_s,
		       int64_t last_s, FILE *out)
{
	const struct costs *costs = &request->costs;
	const char *host = costs->list[*at].host;

	for (int64_t step = first_s; step <= last_s; step += (int64_t)request->step_s) {
		const struct cost *cost = *at < costs->nr ? &costs->list[*at] : NULL;
		char share[PERCENT_TEXT];

		if (!cost || strcmp(cost->host, host) || cost->from_s != step) {
			fputs("      -", out);
			continue;
		}
		fprintf(out, " %6s", percent_text(share, cost->function_ns, cost->all_ns));
		++*at;
	}
	fputs("  ", out);
	utf8_print(host, out);
	putc('\n', out);
}

static int answer_heat(const void *what, FILE *out, struct error *error)
{
	const struct request *request = what;
	int64_t first_s, last_s;
	size_t at = 0;

	(void)error;
	steps_of(&request->costs, &first_s, &last_s);
	fputs("# percent of each host's time in ", out);
	utf8_print(request->function, out);
	fputs(", from ", out);
	print_time(out, first_s, true);
	fprintf(out, "; a column is %" PRIu64 " s\n", request->step_s);
	estimate_print(request->costs.estimate, out);
	for (int64_t step = first_s; step <= last_s; step += (int64_t)request->step_s) {
		fputs("  ", out);
		print_time(out, step, false);
	}
	fputs("  host\n", out);
	while (at < request->costs.nr)
		print_line(request, &at, first_s, last_s, out);
	return ferror(out) ? -EIO : 0;
}

/* Refuse a map that is too wide. Return: an exit code. */
static int check_steps(const struct request *request)
{
	int64_t first_s, last_s, nr;

	steps_of(&request->costs, &first_s, &last_s);
	nr = (last_s - first_s) / (int64_t)request->step_s + 1;
	if (nr <= STEPS_MAX)
		return EXIT_DONE;
	return command_fail(EXIT_FAILED, "the map would have %" PRId64 " columns, and the limit is %d: choose less time, or give a longer --step",
			    nr, STEPS_MAX);
}

/* ---- regressions ---- */

static double effect(const struct shift *shift)
{
	return sample_mean(&shift->b) - sample_mean(&shift->a);
}

/* Return: how many of the first shifts are more than chance. */
static size_t count_found(const struct request *request)
{
	const struct shifts *shifts = &request->shifts;
	double *p = calloc(shifts->nr + 1, sizeof(*p));
	size_t found;

	for (size_t i = 0; p && i < shifts->nr; i++)
		p[i] = shifts->list[i].p;
	found = p ? false_discovery(p, shifts->nr, request->false_ppm / PPM) : 0;
	free(p);
	return found;
}

static int answer_regressions(const void *what, FILE *out, struct error *error)
{
	const struct request *request = what;
	const struct shifts *shifts = &request->shifts;
	size_t found = count_found(request), listed = 0;

	(void)error;
	for (size_t i = 0; i < found; i++) {
		const struct shift *shift = &shifts->list[i];
		double change = effect(shift);

		if (change < request->effect_ppm / PPM && -change < request->effect_ppm / PPM)
			continue;
		if (!listed++)
			fputs("# change     from       to   p        function\n", out);
		fprintf(out, "%+7.3f %%  %6.3f %% %6.3f %%  %-8.2g ", 100 * change,
			100 * sample_mean(&shift->a), 100 * sample_mean(&shift->b), shift->p);
		utf8_print(shift->function, out);
		putc('\n', out);
	}
	fprintf(out, "# %zu of %zu functions changed from %.0f host%s to %.0f\n", listed,
		shifts->nr, shifts->hosts_a, shifts->hosts_a == 1 ? "" : "s", shifts->hosts_b);
	if (shifts->hosts_a < 2 || shifts->hosts_b < 2)
		fputs("# a comparison needs at least two hosts on each side\n",
		      out);
	estimate_print(shifts->estimate, out);
	return ferror(out) ? -EIO : 0;
}

/* ---- all ---- */

static const struct question questions[] = {
	{ "top", 1, false, answer_top },
	{ "diff", 2, false, answer_diff },
	{ "hosts", 1, true, answer_hosts },
	{ "heat", 1, true, answer_heat },
	{ "regressions", 2, false, answer_regressions },
};

static int parse_step(struct request *request, const char *text, struct error *error)
{
	const uint64_t second = 1000000000;
	uint64_t ns;
	int err = duration_parse(text, &ns, error);

	if (!err && ns % second)
		err = error_set(error, -EINVAL, "%.40s: give whole seconds", text);
	if (!err)
		request->step_s = ns / second;
	return err;
}

/*
 * Return: 0, or -EINVAL; @error is the text to print after the option's name.
 */
static int parse_option(struct request *request, int option, const char *arg,
			struct error *error)
{
	switch (option) {
	case OPT_OUTPUT:
		request->output = arg;
		return 0;
	case OPT_FUNCTION:
		request->function = arg;
		return 0;
	case OPT_OVER:
		return percent_parse(arg, &request->over_ppm, error);
	case OPT_STEP:
		return parse_step(request, arg, error);
	case OPT_THRESHOLD:
		return percent_parse(arg, &request->threshold_ppm, error);
	case OPT_EFFECT:
		return percent_parse(arg, &request->effect_ppm, error);
	default:
		return percent_parse(arg, &request->false_ppm, error);
	}
}

static const struct question *find_question(const char *name)
{
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
		if (!strcmp(questions[i].name, name))
			return &questions[i];
	return NULL;
}

/* Take the operands: a question, and its choices; one that is left out is all. */
static int parse_operands(const struct command *command, int argc, char **argv,
			  struct request *request)
{
	const struct question *question;
	struct error error;

	if (optind == argc)
		return command_usage(command, "query needs a question: top, diff, hosts, heat or regressions");
	question = find_question(argv[optind]);
	if (!question)
		return command_usage(command, "%s is no question: there are top, diff, hosts, heat and regressions",
				     argv[optind]);
	request->question = question;
	argc -= ++optind;
	if (question->nr_choices == 2 && argc != 2)
		return command_usage(command, "%s compares two choices of windows, and %d %s named",
				     question->name, argc, argc == 1 ? "is" : "are");
	if (argc > question->nr_choices)
		return command_usage(command, "%s takes one choice of windows, and %d are named",
				     question->name, argc);
	if (question->wants_function && !request->function)
		return command_usage(command, "%s needs --function NAME", question->name);
	for (int i = 0; i < question->nr_choices; i++) {
		request->paths[i] = i < argc ? argv[optind + i] : "fleet:";
		if (fleet_source_choice(&request->choices[i], request->paths[i], &error))
			return command_usage(command, "%s", error.text);
	}
	return EXIT_DONE;
}

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	struct error error;
	const char *arg;
	int option;

	while (command_next(command, argc, argv, &option, &arg)) {
		if (option >= COMMAND_SHARED)
			request->server_options.values[option - COMMAND_SHARED] = arg;
		else if (parse_option(request, option, arg, &error))
			return command_usage(command, "--%s %s", options[option].name,
					     error.text);
	}
	return parse_operands(command, argc, argv, request);
}

/* Ask the store all that the answer needs. */
static int ask(struct request *request, struct error *error)
{
	const struct target *target = &request->server->target;
	struct sender *sender = request->server->sender;
	const struct question *question = request->question;
	int err = 0;

	if (question->nr_choices == 2 &&
	    strcmp(request->choices[0].event, request->choices[1].event))
		return error_set(error, -EINVAL, "windows of different events cannot be compared: give both the same event=");
	if (question->answer == answer_regressions)
		return shifts_ask(sender, target, &request->choices[0],
				  &request->choices[1], &request->shifts, error);
	if (question->wants_function) {
		err = costs_ask(sender, target, &request->choices[0], request->function,
				question->answer == answer_heat ? request->step_s : 0,
				&request->costs, error);
		if (!err && question->answer == answer_hosts)
			qsort(request->costs.list, request->costs.nr,
			      sizeof(*request->costs.list), compare_costs);
		return err;
	}
	for (int i = 0; i < question->nr_choices && !err; i++)
		err = read_profile(request, i, error);
	return err;
}

/* Return: an exit code. */
static int answer(struct request *request)
{
	struct error error;
	int code = EXIT_DONE;

	if (fleet_source_open(request->server, &request->server_options, &error) ||
	    ask(request, &error))
		return command_fail(EXIT_FAILED, "cannot ask for %s: %s",
				    request->question->name, error.text);
	if (request->question->answer == answer_heat)
		code = check_steps(request);
	return code ?: save(request->output, request->question->answer, request);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = {
		.over_ppm = OVER_PPM, .threshold_ppm = THRESHOLD_PPM,
		.effect_ppm = EFFECT_PPM, .false_ppm = FALSE_PPM, .step_s = STEP_S,
	};
	struct server server = { .sender = NULL };
	int code = parse(command, argc, argv, &request);

	code = code ?: ending_check(request.output, ENDING_TEXT);
	if (code != EXIT_DONE)
		return code;
	request.server = &server;
	code = answer(&request);
	server_close(&server);
	profile_destroy(request.profiles[0]);
	profile_destroy(request.profiles[1]);
	costs_deinit(&request.costs);
	shifts_deinit(&request.shifts);
	return code;
}

const struct command cmd_query = {
	.name = "query",
	.args = "top|diff|hosts|heat|regressions [CHOICE...]",
	.summary = "ask a store of many hosts' profiles",
	.details =
"FLAMECTL_FLEET in the environment is the store's URL: clickhouse://localhost/fleet.\n"
"CHOICE says which windows: NAME=VALUE,... with the names host, release, machine, hour\n"
"(14, the last one that has started, or 2026-11-27T14), day, from, to, last (2h), and\n"
"those of labels. cgroup=PATH chooses what ran in a cgroup or below it, as --cgroup does,\n"
"if cgroups were sent; shares stay those of all of a host's time. event=NAME chooses an\n"
"event, such as off-cpu; without it, answers are about samples of CPUs. A window belongs\n"
"to the time in which it starts; all times are UTC. * matches any text, and release=6.12\n"
"is also 6.12.3-amd64. Values of one name are alternatives. Without CHOICE it is all.\n"
"\n"
"top lists functions by self, and diff those that changed from one choice to another.\n"
"hosts lists the hosts that spend much of their time in a function; heat shows its share\n"
"by host and time. regressions lists functions whose own share of time changed, from\n"
"one choice to another, by more than hosts differ among themselves: each host is one\n"
"observation (Welch's t-test), and chance is bounded over all functions (Benjamini and\n"
"Hochberg). Shares are of all time that was sampled on a host, lost periods included.\n"
"\n"
"Other commands take fleet:CHOICE in place of a file.\n"
"\n"
"  flamectl query hosts --function copy_user_enhanced_fast_string --over 5 hour=14\n"
"  flamectl query regressions release=6.1,last=24h release=6.12,last=24h\n"
"  flamectl svg fleet:release=6.12,hour=14 -o fleet.svg\n"
"  flamectl report fleet:event=off-cpu,last=1h",
	.options = options,
	.shared = server_options,
	.variables = COMMAND_FLEET,
	.run = run,
};
