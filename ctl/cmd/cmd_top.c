// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl top: show live in a terminal what the module samples. It reads
 * differences of dumps, so that no other reader is affected. top_model.c
 * decides what is shown, top_view.c draws it.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <curses.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/terminal.h"
#include "base/wording.h"
#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/module.h"
#include "cmd/shared_options.h"
#include "tree/wakers.h"
#include "view/terminal/keys.h"
#include "view/terminal/save_graph.h"
#include "view/terminal/screen.h"
#include "view/terminal/top_model.h"
#include "view/terminal/top_view.h"
#include "wire/deltas.h"
#include "wire/live_event.h"
#include "wire/nl.h"

#define NSEC_PER_MSEC	1000000ULL
#define DEFAULT_NS	(2 * NSEC_PER_SEC)
/* Shorter intervals hold too few samples to be useful, and cost more. */
#define DELAY_MIN_NS	(100 * NSEC_PER_MSEC)

enum { OPT_DELAY, OPT_OUTPUT, OPT_BY, OPT_EVENT, OPT_NO_LOAD };

static const struct command_option options[] = {
	[OPT_DELAY] = { "delay", 'd', "TIME", "time between updates: 2s (default), 500ms; at least 100ms" },
	[OPT_OUTPUT] = { "output", 'o', "FILE", "the file that the key w writes (default flamectl-top-DATE-TIME.svg)" },
	[OPT_BY] = { "by", 0, "LEVELS", "initial rows by function (default), or by one or more of comm,pid,tid,cpu,context,host,cgroup,module,function",
		"comm,pid,tid,cpu,context,host,cgroup,module,function" },
	[OPT_EVENT] = { "event", 0, "EVENT", "on-cpu (default), off-cpu: where tasks are blocked or wait for a CPU, or an event such as func:vfs_read, as flamectl record -e has them; EVENT@PID if several programs count it",
		"on-cpu,off-cpu" },
	[OPT_NO_LOAD] = MODULE_NO_LOAD,
	{ 0 }
};

struct session {
	uint64_t delay_ns;
	const char *path;		/* for graphs; NULL: named by time */
	struct fold_options by;		/* the initial grouping */
	struct selection selection;
	struct live_names names;
	struct probes probes;		/* the event, unless it is of tasks or the timer's */
	struct deltas deltas;
	struct top_model model;
	struct top_view view;
	bool skip;			/* next interval began before a pause */
	bool quit;
	bool no_load;
};

/* Refuse options that need CPUs, with an event. */
static int check_cpus(const struct command *command, const struct session *session)
{
	const char *asked = fold_is_by(&session->by, FOLD_CPU) ? WORDING(BY_CPU) : NULL;

	for (unsigned int i = 0; i < session->selection.nr_terms; i++)
		if (session->selection.terms[i].option == SELECT_CPU)
			asked = WORDING(CPU);
	if (!session->deltas.event || !asked)
		return EXIT_DONE;
	return command_usage(command, "%s and --event %s cannot be combined: the module counts it on all CPUs together; leave out one of them",
			     asked, session->deltas.event);
}

/* Return: 0, or -EINVAL with @error. */
static int parse_event(struct session *session, const char *text, struct error *error)
{
	session->probes.nr = 0;
	session->deltas.event = strcmp(text, "on-cpu") ? text : NULL;
	if (!strcmp(text, "on-cpu") || !strcmp(text, "off-cpu"))
		return 0;
	if (!strcmp(text, "wall") || !strcmp(text, "ran"))
		return error_set(error, -EINVAL, "%s: top shows on-cpu, off-cpu, and what flamectl record -e names; flamectl record --wall records all time",
				 text);
	session->deltas.event = session->probes.list[0].name;
	return probes_add(&session->probes, text, error);
}

static int parse(const struct command *command, int argc, char **argv,
		 struct session *session)
{
	const struct shared_requests requests = {
		.selection = &session->selection, .live = &session->names.request,
	};
	struct error error;
	const char *arg;
	int option;

	while (command_next(command, argc, argv, &option, &arg)) {
		if (option == COMMAND_SHARED + SELECT_RANGE)
			return command_usage(command, "--range selects a part of a saved profile, but top shows the present: leave it out");
		if (option >= COMMAND_SHARED) {
			if (shared_option_add(&requests, option, arg, &error))
				return command_usage(command, "%s", error.text);
		} else if (option == OPT_OUTPUT) {
			session->path = arg;
		} else if (option == OPT_NO_LOAD) {
			session->no_load = true;
		} else if (option == OPT_EVENT) {
			if (parse_event(session, arg, &error))
				return command_usage(command, "--event %s", error.text);
		} else if (option == OPT_BY) {
			if (top_by_parse(arg, &session->by, &error))
				return command_usage(command, "%s", error.text);
		} else if (duration_parse(arg, &session->delay_ns, &error)) {
			return command_usage(command, "-d %s", error.text);
		} else if (session->delay_ns < DELAY_MIN_NS) {
			return command_usage(command, "-d %s: at least 100ms", arg);
		}
	}
	if (optind < argc)
		return command_usage(command, "top takes no operand %s",
				     argv[optind]);
	if (session->path && !strcmp(session->path, "-"))
		return command_usage(command, "-o -: standard output is the screen, so it cannot be the output file: name a file");
	return check_cpus(command, session);
}

/* ---- looks ---- */

/* Set what to attach, of all tasks. Return: 0, or -errno as probe_resolve(). */
static int choose(struct session *session, struct nl_source *source, struct error *error)
{
	struct probe *probe = session->probes.list;

	*source = (struct nl_source){
		.probes = probe, .nr_probes = session->probes.nr,
	};
	if (session->probes.nr)
		return probe_resolve(probe, module_root(), error);
	if (session->deltas.event && !strcmp(session->deltas.event, "off-cpu"))
		source->events = 1U << FLAMEMOD_EVENT_OFF_CPU | 1U << FLAMEMOD_EVENT_WAITING;
	return 0;
}

/*
 * Let the module count the event, of all tasks. If others leave no room for that, but one of
 * them counts this event, that is shown.
 */
static int attach(struct session *session, struct error *error)
{
	struct profile *status, *counted;
	struct nl_source source;
	struct error ignored;
	int err = choose(session, &source, error);

	if (err || (!source.events && !source.nr_probes))
		return err;
	err = nl_status(session->deltas.nl, &status, error);
	if (err)
		return err;
	/* as for what the timer samples */
	source.user_stacks = status->meta.settings.user_stacks;
	profile_destroy(status);
	err = nl_attach(session->deltas.nl, &source, error);
	if (err == -EOPNOTSUPP && source.events) {
		source.events = 1U << FLAMEMOD_EVENT_OFF_CPU;
		err = nl_attach(session->deltas.nl, &source, error);
	}
	if (err != -EBUSY || live_event_dump(session->deltas.nl, session->deltas.event, &counted,
					     &ignored))
		return err;
	profile_destroy(counted);
	command_note("another program counts this event: this shows what it counts, as long as it runs");
	return 0;
}

/* So long an update may look for names; the next ones go on. */
#define NAMES_NS	NSEC_PER_SEC

static bool has_ended(void *context)
{
	(void)context;
	return terminal_ended;
}

static int give_names(struct session *session, struct profile *delta, struct error *error)
{
	session->names.limit = (struct live_limit){
		.until_ns = clock_monotonic_ns() + NAMES_NS, .is_over = has_ended,
	};
	return live_names_give(&session->names, delta, error);
}

static int take(struct session *session, struct error *error)
{
	uint64_t before_ns = session->deltas.seen ?
			     session->deltas.seen->meta.instant_ns : 0;
	struct profile *delta;
	uint64_t left_out;
	int err;

	err = deltas_next(&session->deltas, &delta, error);
	if (err == -ERANGE)
		return 0;
	if (err)
		return err;
	session->view.stopped = delta->meta.state != FLAMEMOD_STATE_RUNNING;
	/* samples from before the first look are not an interval */
	if (!before_ns || session->skip ||
	    delta->meta.instant_ns < before_ns) {
		session->skip = false;
		profile_destroy(delta);
		return 0;
	}
	session->view.interval_ns = delta->meta.instant_ns - before_ns;
	err = profile_check(delta, error) ?:
	      give_names(session, delta, error) ?:
	      wakers_turn(delta, error) ?:
	      select_profile(&session->selection, &delta, &left_out, error);
	if (err) {
		profile_destroy(delta);
		return err;
	}
	err = top_model_take(&session->model, delta);
	return err ? error_set(error, err, "%s", strerror(-err)) : 0;
}

/* ---- a graph of what is seen ---- */

static void write_graph(struct session *session)
{
	struct top_model *model = &session->model;
	struct svg_options svg = {
		.title = "flamectl top", .profile = model->delta,
		.unit = model->delta ? profile_unit(&model->delta->meta) : "periods",
	};
	const char *filter = model->filter;
	char note[TOP_FILTER_MAX + 64];

	if (!model->tree) {
		snprintf(session->view.message, sizeof(session->view.message),
			 "there is nothing to write yet");
		return;
	}
	snprintf(note, sizeof(note), "%s%s%s%s",
		 model->show_idle ? "" : "without idle time",
		 !model->show_idle && *filter ? ", " : "",
		 *filter ? "only stacks with " : "", filter);
	svg.note = note[0] ? note : NULL;
	save_graph(model->tree, &svg, session->path, "top",
		   session->view.message, sizeof(session->view.message));
}

/* ---- keys ---- */

static int type(struct session *session, int key)
{
	struct top_model *model = &session->model;
	char text[TOP_FILTER_MAX + 1];

	strcpy(text, model->filter);
	switch (keys_type(text, TOP_FILTER_MAX, key)) {
	case KEYS_DONE:
		session->view.typing = false;
		return 0;
	case KEYS_CANCELLED:
		session->view.typing = false;
		return top_model_filter(model, "");
	case KEYS_CHANGED:
		return top_model_filter(model, text);
	default:
		return 0;
	}
}

static void toggle_pause(struct session *session)
{
	session->view.paused = !session->view.paused;
	/* the time of the pause is not an interval */
	session->skip = !session->view.paused;
}

static int move_or_open(struct session *session, int key)
{
	struct top_model *model = &session->model;
	int64_t rows;

	if (keys_move(key, model->cursor.height, &rows)) {
		top_model_move(model, rows);
		return 0;
	}
	if (key == KEY_RIGHT || key == 'l' || keys_is_enter(key))
		return top_model_open(model);
	return key == KEY_LEFT || key == 'h' ? top_model_close(model) : 0;
}

static int press(struct session *session, int key)
{
	struct top_model *model = &session->model;

	if (keys_resized(key))
		return 0;
	session->view.message[0] = '\0';
	if (session->view.typing)
		return type(session, key);
	if (session->view.help) {
		session->view.help = false;
		return 0;
	}
	switch (key) {
	case 'q':
		session->quit = true;
		return 0;
	case '?':
		session->view.help = true;
		return 0;
	case '1': case '2': case '3':
		return top_model_show(model, (enum top_page)(key - '1'));
	case '\t':
		return top_model_show(model, (model->page + 1) % TOP_PAGES);
	case 'b':
		return top_model_group(model);
	case 's':
		return top_model_sort(model);
	case 'i':
		return top_model_idle(model);
	case '/':
		session->view.typing = true;
		return 0;
	case KEYS_ESCAPE:
		return top_model_filter(model, "");
	case 'p': case ' ':
		toggle_pause(session);
		return 0;
	case 'w':
		write_graph(session);
		return 0;
	default:
		return move_or_open(session, key);
	}
}

static int press_all(struct session *session, struct error *error)
{
	int key, err;

	while ((key = getch()) != ERR) {
		err = press(session, key);
		if (err)
			return error_set(error, err, "%s", strerror(-err));
	}
	return 0;
}

/* ---- until it ends ---- */

static int watch(struct session *session, struct error *error)
{
	uint64_t due_ns = clock_monotonic_ns(), now;
	int err = 0;

	while (!session->quit && !terminal_ended && !err) {
		now = clock_monotonic_ns();
		if (now >= due_ns && !session->view.paused) {
			err = take(session, error);
			due_ns = clock_monotonic_ns() + session->delay_ns;
			/* the first look gives no interval: look again soon */
			if (!session->model.delta &&
			    session->delay_ns > NSEC_PER_SEC)
				due_ns = clock_monotonic_ns() + NSEC_PER_SEC;
		}
		if (err)
			break;
		top_view_draw(&session->view, &session->model);
		now = clock_monotonic_ns();
		err = terminal_wait(session->view.paused ? 60 * 1000 :
				    due_ns > now ? (unsigned int)
				    ((due_ns - now) / NSEC_PER_MSEC + 1) : 0);
		if (err == -EIO)
			return 0;
		err = press_all(session, error);
	}
	return err == -EINTR && terminal_ended ? 0 : err;
}

static int show(struct session *session)
{
	char said[MODULE_SAID_MAX];
	int number, err, code;
	struct error error;

	if (terminal_check("flamectl report live prints where the time went as text", &error))
		return command_fail(EXIT_FAILED, "cannot show: %s", error.text);
	err = top_model_init(&session->model);
	if (err)
		return command_fail(EXIT_FAILED, "cannot show: %s", strerror(-err));
	top_model_by(&session->model, &session->by);
	err = module_open_sampling(&session->deltas.nl, !session->no_load, said,
				   &error);
	command_note(said);
	err = err ?: attach(session, &error);
	if (err)
		return command_fail(exit_code_of(err), "cannot show: %s", error.text);
	if (terminal_start(&error))
		return command_fail(EXIT_FAILED, "cannot show: %s", error.text);
	nl_interrupt(session->deltas.nl, &terminal_ended);
	screen_start();
	err = watch(session, &error);
	terminal_stop();
	number = terminal_ended;
	code = err ? exit_code_of(err) : EXIT_DONE;
	if (err)
		command_fail(code, "cannot go on: %s", error.text);
	/* end by the signal, so that its sender sees it; Ctrl-C just quits */
	if (number && number != SIGINT)
		raise(number);
	return code;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct session session = { .delay_ns = DEFAULT_NS };
	int code = parse(command, argc, argv, &session) ?:
		   ending_check(session.path, ENDING_GRAPH);

	if (code == EXIT_DONE)
		code = show(&session);
	top_model_deinit(&session.model);
	deltas_forget(&session.deltas);
	live_names_deinit(&session.names);
	nl_close(session.deltas.nl);
	return code;
}

const struct command cmd_top = {
	.name = "top",
	.args = "",
	.summary = "watch in a terminal where the time goes",
	.details =
"Shows every two seconds what was sampled since the last update: functions with\n"
"the share of all CPUs' time that is their own and that is spent below them, and\n"
"its history over the last intervals; a call tree that can be opened; the load of\n"
"each CPU. Other readers of the module's profile are not disturbed. Sampling must\n"
"run: flamectl start starts it. If the module is installed but not loaded, and you\n"
"are root, top loads it, and samples until top ends. The key ? lists the keys.\n\n"
"With --event off-cpu it shows where all tasks were blocked or waited for a CPU, in\n"
"shares of all that time; with --event func:vfs_read who calls that function, and so on:\n"
"flamectl record --help describes events. Four programs at a time can count events, top\n"
"among them; if four others do, top shows the event of that name of one of them.",
	.options = options,
	.shared = select_options,
	.live = live_options,
	.variables = COMMAND_NO_COLOR | COMMAND_TERM,
	.run = run,
};
