// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl browse: look around in a profile, in a terminal. The profile is
 * read, selected from and folded as in every view. browse_model.c decides what
 * is shown, browse_view.c draws it.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <curses.h>

#include "base/number.h"
#include "base/terminal.h"
#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "profile/origin.h"
#include "view/terminal/browse_view.h"
#include "view/terminal/keys.h"
#include "view/terminal/save_graph.h"
#include "view/terminal/screen.h"

#define INSTEAD	"flamectl report FILE prints a profile as text"

/* OPT_BY and all after it apply to profiles only, not to folded text. */
enum { OPT_OUTPUT, OPT_BY, OPT_WEIGHT };

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "the file that the key w writes (default flamectl-browse-DATE-TIME.svg)" },
	[OPT_BY] = { "by", 0, "LEVELS", "of a profile: group by comm,pid,tid,cpu,context,host,cgroup,module,function, or none (default comm); module and function are those of the leaf, followed by the whole stack",
		FOLD_BY_VALUES },
	[OPT_WEIGHT] = { "weight", 0, "WHAT", "of a profile: periods (default) or count",
		FOLD_WEIGHT_VALUES },
	{ 0 }
};

struct session {
	struct source_options options;
	const char *path;		/* for graphs; NULL: by date and time */
	struct source source;
	struct browse browse;
	struct browse_view view;
	char title[ORIGIN_TEXT];
	char caption[ORIGIN_TEXT + SOURCE_LEFT_OUT + RANGE_FACT + 2 * DURATION_TEXT];
	bool quit;
};

/*
 * Return: 0, or -EINVAL with @error; the error of --by is complete by itself.
 */
static int parse_option(struct session *session, int option, const char *arg,
			struct error *error)
{
	struct source_options *source = &session->options;

	if (option >= COMMAND_SHARED)
		return source_add(source, option, arg, error);
	if (option >= OPT_BY && !source->of_profiles)
		source->of_profiles = options[option].name;
	switch (option) {
	case OPT_BY:
		return fold_options_by(&source->fold, arg, error);
	case OPT_WEIGHT:
		return source_weight(source, arg, error);
	default:
		session->path = arg;
		return 0;
	}
}

static int parse(const struct command *command, int argc, char **argv,
		 struct session *session)
{
	struct error error;
	const char *arg;
	int option;

	while (command_next(command, argc, argv, &option, &arg)) {
		if (!parse_option(session, option, arg, &error))
			continue;
		if (option == OPT_WEIGHT)
			return command_usage(command, "--weight %s", error.text);
		return command_usage(command, "%s", error.text);
	}
	if (optind >= argc)
		return command_usage(command, "there is nothing to browse: name a file, or live for the module's profile");
	source_operands(&session->options, argc, argv, NULL);
	for (unsigned int i = 0; i < session->options.nr_paths; i++)
		if (!strcmp(session->options.paths[i], "-"))
			return command_usage(command, "-: standard input is the keyboard, so it cannot be a profile: name a file");
	if (session->path && !strcmp(session->path, "-"))
		return command_usage(command, "-o -: standard output is the screen, so it cannot be the output file: name a file");
	return EXIT_DONE;
}

/* ---- the head ---- */

static void add_fact(struct session *session, const char *fact)
{
	size_t used = strlen(session->caption);

	if (*fact)
		snprintf(session->caption + used,
			 sizeof(session->caption) - used, "%s%s",
			 used ? ", " : "", fact);
}

static void make_caption(struct session *session)
{
	const struct source *source = &session->source;
	char text[SOURCE_LEFT_OUT], machine[ORIGIN_TEXT], cpus[ORIGIN_CPUS];

	if (session->view.books) {
		const struct profile_meta *meta = &source->profile->meta;

		add_fact(session, origin_cpus(cpus, source->profile));
		snprintf(text, sizeof(text), "%" PRIu32 " Hz", meta->settings.hz);
		add_fact(session, meta->settings.hz ? text : "");
		if (meta->duration_ns)
			add_fact(session, duration_text(text, meta->duration_ns));
		if (meta->range_end_ns)
			add_fact(session, range_fact(text, meta->range_begin_ns,
						     meta->range_end_ns));
	}
	add_fact(session, source_left_out(source, text));
	if (session->view.books)
		add_fact(session, origin_machine(machine,
						 &source->profile->meta.origin));
}

static void make_head(struct session *session)
{
	const struct source *source = &session->source;
	bool is_text = source_is_text(source);
	char name[ORIGIN_GRAPH];

	session->view.title = is_text ? source->name :
			      origin_title(session->title, source->profile,
					   origin_graph(name, source->profile,
							"profile", false));
	if (!is_text) {
		session->view.books = &source->profile->books;
		session->view.books_unit = source_unit(source);
		session->view.is_imported = profile_is_imported(&source->profile->meta);
	}
	make_caption(session);
	session->view.caption = session->caption;
	session->view.profile = source->profile;
}

/* ---- keys ---- */

static int write_graph(struct session *session)
{
	struct browse *browse = &session->browse;
	const struct tree_node *zoomed = browse_zoomed(browse);
	const struct source *source = &session->source;
	char left_out[SOURCE_LEFT_OUT], note[SOURCE_LEFT_OUT + 200];
	struct svg_options svg = {
		.title = session->view.title, .unit = source->unit,
		.profile = session->view.books ? source->profile : NULL,
	};
	struct tree *made;
	int err = browse_graph(browse, &made);

	if (err)
		return err;
	source_left_out(source, left_out);
	snprintf(note, sizeof(note), "%s%s%.128s%s%s",
		 browse->page == BROWSE_CALLERS ? "from functions to callers" : "",
		 zoomed && browse->page == BROWSE_CALLERS ? ", " : "",
		 zoomed ? zoomed->name : "", zoomed ? " alone" : "",
		 *left_out && (zoomed || browse->page == BROWSE_CALLERS) ? ", " : "");
	strcat(note, left_out);
	svg.note = *note ? note : NULL;
	save_graph(made ?: browse->tree, &svg, session->path, "browse",
		   browse->message, sizeof(browse->message));
	tree_destroy(made);
	return 0;
}

static int type(struct session *session, int key)
{
	struct browse_view *view = &session->view;

	switch (keys_type(view->typed, SEARCH_TEXT_MAX, key)) {
	case KEYS_DONE:
		view->typing = false;
		return browse_search(&session->browse, view->typed);
	case KEYS_CANCELLED:
		view->typing = false;
		return 0;
	default:
		return 0;
	}
}

static int press_page(struct session *session, int key)
{
	struct browse *browse = &session->browse;
	int64_t rows;

	if (keys_move(key, browse_cursor(browse)->height, &rows)) {
		browse_move(browse, rows);
		return 0;
	}
	if (keys_is_enter(key))
		return browse_enter(browse);
	switch (key) {
	case KEY_RIGHT: case 'l':
		return browse_open(browse);
	case KEY_LEFT:
		return browse_close(browse);
	case 't':
		return browse_show(browse, BROWSE_TREE);
	case 'c':
		return browse_show(browse, BROWSE_CALLERS);
	case 'f':
		return browse_show(browse, BROWSE_LIST);
	case 'z':
		return browse_zoom(browse);
	case KEYS_ESCAPE:
		return browse_zoom_out(browse);
	case 'n': case 'N':
		return browse_next(browse, key == 'n');
	case 'w':
		return write_graph(session);
	default:
		return 0;
	}
}

static int press(struct session *session, int key)
{
	struct browse_view *view = &session->view;

	if (keys_resized(key))
		return 0;
	if (view->typing)
		return type(session, key);
	session->browse.message[0] = '\0';
	if (view->help) {
		view->help = false;
		return 0;
	}
	switch (key) {
	case 'q':
		session->quit = true;
		return 0;
	case '?': case 'h':
		view->help = true;
		return 0;
	case '/':
		view->typing = true;
		view->typed[0] = '\0';
		return 0;
	default:
		return press_page(session, key);
	}
}

/*
 * Handle all pending keys. An action that fails is reported; the session goes
 * on.
 */
static void press_all(struct session *session)
{
	int key, err;

	while (!session->quit && (key = getch()) != ERR) {
		err = press(session, key);
		if (err)
			snprintf(session->browse.message,
				 sizeof(session->browse.message), "%s",
				 err == -EOVERFLOW ? "it has too many callers" :
				 strerror(-err));
	}
}

/* ---- until it ends ---- */

static void look_around(struct session *session)
{
	while (!session->quit && !terminal_ended) {
		browse_view_draw(&session->view, &session->browse);
		if (terminal_wait(60 * 1000) == -EIO)
			return;
		press_all(session);
	}
}

static int show(struct session *session)
{
	const struct source *source = &session->source;
	struct error error;
	int number, err;

	if (!source->tree->nodes[0].total)
		return command_fail(EXIT_FAILED, "cannot browse %s: %s",
				    source->name, source->left_out ?
				    "nothing is selected" :
				    source_no_stack(source));
	make_head(session);
	err = browse_init(&session->browse, source->tree, source->unit);
	if (err)
		return command_fail(EXIT_FAILED, "cannot browse %s: %s",
				    source->name, strerror(-err));
	session->browse.is_grouped = !source_is_text(source);
	if (terminal_start(&error))
		return command_fail(EXIT_FAILED, "cannot browse: %s", error.text);
	screen_start();
	look_around(session);
	terminal_stop();
	number = terminal_ended;
	/* end by the signal, so that its sender sees it; Ctrl-C just quits */
	if (number && number != SIGINT)
		raise(number);
	return EXIT_DONE;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct session session = {
		.options.fold = { .by = { FOLD_COMM }, .nr_by = 1 },
	};
	struct error error;
	int code = parse(command, argc, argv, &session);

	code = code ?: ending_check(session.path, ENDING_GRAPH);
	if (code != EXIT_DONE)
		return code;
	/* check the terminal before reading a large file */
	if (terminal_check(INSTEAD, &error))
		return command_fail(EXIT_FAILED, "cannot browse: %s", error.text);
	if (source_spares(session.path, session.options.paths,
			  session.options.nr_paths, &error))
		return command_fail(EXIT_FAILED, "cannot write %s", error.text);
	code = source_read(&session.source, &session.options, &error);
	command_note(session.source.missed);
	if (code == EXIT_DONE) {
		command_notes(&session.source.notes);
		code = show(&session);
	} else if (code == EXIT_USAGE) {
		command_usage(command, "%s", error.text);
	} else {
		command_fail(code, "%s", error.text);
	}
	browse_deinit(&session.browse);
	source_release(&session.source);
	return code;
}

const struct command cmd_browse = {
	.name = "browse",
	.args = "FILE...|live",
	.summary = "explore a profile in a terminal",
	.details =
"FILE is a saved profile, folded text, or the output of another tool (flamectl\n"
"import --help lists them); several are summed. live is the module's profile, read\n"
"once: flamectl top reads it repeatedly. The key t shows the call tree, c shows\n"
"functions with their callers, f lists functions. Arrow keys move, open and close,\n"
"z zooms into a row, / searches for a regular expression, w writes what is shown as\n"
"a flame graph, and ? lists the keys. A program's function is shown with its file when\n"
"it is selected.\n"
"\n"
"  flamectl browse profile.pb.gz\n"
"  flamectl browse --no-idle --by cpu,comm live\n"
"  perf script > perf.txt && flamectl browse perf.txt",
	.options = options,
	.shared = select_options,
	.reads = load_options,
	.live = live_options,
	.variables = COMMAND_FLEET | COMMAND_NO_COLOR | COMMAND_TERM,
	.run = run,
};
