// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl html: write a page from folded text or a saved profile. As in svg,
 * the input is read before the output is opened.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/save.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "profile/origin.h"
#include "view/html/html.h"

enum { OPT_OUTPUT, OPT_TITLE, OPT_BY };

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_TITLE] = { "title", 0, "TEXT", "the title" },
	[OPT_BY] = { "by", 0, "LEVELS", "of a profile: initially group by comm,pid,tid,cpu,context,host,cgroup, or none (default comm)",
		"comm,pid,tid,cpu,context,host,cgroup,none" },
	{ 0 }
};

struct request {
	struct source_options source;
	struct html_options html;
	const char *output;
};

static int group_by(struct source_options *source, const char *levels,
		    struct error *error)
{
	int err = fold_options_by(&source->fold, levels, error);

	source->of_profiles = options[OPT_BY].name;
	for (unsigned int i = 0; !err && i < source->fold.nr_by; i++) {
		enum fold_level level = source->fold.by[i];

		if (level == FOLD_MODULE || level == FOLD_FUNCTION)
			return error_set(error, -EINVAL,
					 "cannot group a page by \"%s\": the levels are comm, pid, tid, cpu, context, host and cgroup, with commas between, or none; its table is by function",
					 fold_level_name(level));
	}
	return err;
}

static int parse_rest(struct source_options *source, int option,
		      const char *arg, struct error *error)
{
	if (option >= COMMAND_SHARED)
		return source_add(source, option, arg, error);
	return group_by(source, arg, error);
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
		if (option == OPT_OUTPUT)
			request->output = arg;
		else if (option == OPT_TITLE)
			request->html.title = arg;
		else if (parse_rest(&request->source, option, arg, &error))
			return command_usage(command, "%s", error.text);
	}
	source_operands(&request->source, argc, argv, standard_input);
	if (source_is_terminal(&request->source))
		return command_usage(command, "there is nothing to show: standard input is a terminal; name a file, or live for the module's profile");
	return EXIT_DONE;
}

static bool has_weight(const struct source *source)
{
	if (source->tree)
		return source->tree->nodes[0].total;
	return source->profile->books.stored || profile_lost(&source->profile->books);
}

static int write_page(const void *html, FILE *out, struct error *error)
{
	(void)error;
	return html_write(html, out);
}

static int show(const struct command *command, struct source *source,
		struct request *request)
{
	char left_out[SOURCE_LEFT_OUT], title[ORIGIN_TEXT], name[ORIGIN_GRAPH];
	struct error error;
	int code;

	if (source_spares(request->output, request->source.paths,
			  request->source.nr_paths, &error))
		return command_fail(EXIT_FAILED, "cannot write %s", error.text);
	code = source_read(source, &request->source, &error);
	command_note(source->missed);
	if (code == EXIT_USAGE)
		return command_usage(command, "%s", error.text);
	if (code != EXIT_DONE)
		return command_fail(code, "%s", error.text);
	command_notes(&source->notes);
	if (*source_left_out(source, left_out))
		request->html.note = left_out;
	if (!has_weight(source))
		return command_fail(EXIT_FAILED, "cannot show %s: %s%s%s",
				    source->name, source_no_stack(source), *left_out ? ", " : "", left_out);
	if (!request->html.title)
		request->html.title = origin_title(title, source->profile,
				origin_graph(name, source->profile, "profile",
					     source_is_text(source)));
	/* folded text has only a tree, no profile */
	request->html.profile = source_is_text(source) ? NULL : source->profile;
	request->html.tree = request->html.profile ? NULL : source->tree;
	request->html.by = &request->source.fold;
	return save(request->output, write_page, &request->html);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = {
		.source = {
			.without_tree = true,
			.fold = { .by = { FOLD_COMM }, .nr_by = 1 },
		},
	};
	struct source source = { 0 };
	int code = parse(command, argc, argv, &request);

	if (code != EXIT_DONE)
		return code;
	code = ending_check(request.output, ENDING_PAGE) ?:
	       show(command, &source, &request);
	source_release(&source);
	return code;
}

const struct command cmd_html = {
	.name = "html",
	.args = "[FILE...|live|-]",
	.summary = "make an HTML page of files or of the module's profile",
	.details =
"FILE is a saved profile, folded text, or the output of another tool (flamectl\n"
"import --help lists them); several are summed. live is the module's profile. The\n"
"default is standard input, or " SOURCE_RECORDED ", as record names its file, if that is a\n"
"terminal. The page is one HTML file that needs no other file and\n"
"no network. It has a flame graph, an icicle graph and a graph of callers, functions\n"
"by their own and their total time, filters by command, host, cgroup, CPU and context, a\n"
"search, and the books (the counts of timer periods). It is light or dark as set in\n"
"the browser, or by its switch. The address contains what is shown, so that you can\n"
"send it to others. The page has a menu of levels to group by, to which --by adds\n"
"its own, such as the commands of each CPU.\n"
"\n"
"  flamectl html -o page.html profile.pb.gz\n"
"  flamectl html --by cpu,comm -o page.html profile.pb.gz\n"
"  flamectl html --no-idle --merge-threads -o page.html profile.pb.gz",
	.options = options,
	.shared = select_options,
	.reads = load_options,
	.live = live_options,
	.variables = COMMAND_FLEET,
	.run = run,
};
