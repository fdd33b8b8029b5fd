// SPDX-License-Identifier: GPL-2.0
/*
 * Drawing of flamectl top: see top_view.h. Four lines of head, the rows, and a
 * line of keys; only figures change between intervals.
 */
#include "view/terminal/top_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <curses.h>

#include "base/percent.h"
#include "base/terminal.h"
#include "base/weight.h"
#include "view/terminal/screen.h"
#include "view/terminal/top_columns.h"
#include "view/terminal/top_rows.h"

#define HEAD_LINES	5
#define FOOT_LINES	1
#define SHARES_WIDTH	18	/* "  12.34   56.78  " and one more */
#define NAME_WIDTH_MIN	24
#define SPARK_MIN	8
#define SPARK_MAX	HISTORY_INTERVALS
#define SPARK_TOP	100	/* 1 %: smaller values are drawn low */
#define CPU_WIDTH	10
#define INDENT		2

/* ---- sparklines ---- */

/* Characters by height, in eighths of a cell; the first is empty. */
static wchar_t level_char(unsigned int level)
{
	static const wchar_t blocks[] = L" \x2581\x2582\x2583\x2584\x2585\x2586\x2587\x2588";
	static const wchar_t ascii[] = L" ..--==##";

	return (terminal_unicode() ? blocks : ascii)[level];
}

/*
 * Draw the last @cells intervals. Full height is the highest value, but at
 * least
 * @top, in hundredths of a percent.
 */
static void put_spark(struct history *history, const char *name, int cells,
		      uint16_t top)
{
	uint16_t values[HISTORY_INTERVALS];

	history_get(history, name, values);
	for (int i = 0; i < HISTORY_INTERVALS; i++)
		if (values[i] > top)
			top = values[i];
	attron(COLOR_PAIR(SCREEN_CALM));
	for (int i = HISTORY_INTERVALS - cells; i < HISTORY_INTERVALS; i++)
		screen_char(level_char((values[i] * 8U + top - 1) / top));
	attroff(COLOR_PAIR(SCREEN_CALM));
}

static bool has_columns(const struct top_model *model)
{
	return model->bys[model->by].nr_by > 1;
}

/* Return the width of sparklines in the list. */
static int spark_width(const struct top_model *model)
{
	int names = has_columns(model) ?
		    top_columns_width(&model->bys[model->by]) : NAME_WIDTH_MIN;
	int room = COLS - SHARES_WIDTH - 2 - names;
	int wanted = COLS / 5;

	if (wanted > SPARK_MAX)
		wanted = SPARK_MAX;
	return room < SPARK_MIN ? 0 : room < wanted ? room : wanted;
}

static void put_spark_title(int width)
{
	printw("%-*.*s", width, width, width < 16 ? "LAST" : "LAST INTERVALS");
}

/* ---- the CPUs' columns ---- */

static const char *const load_titles[] = {
	"BUSY%", "USER%", "KERNEL%", "SOFT%", "HARD%", "LOST%",
};

#define NR_LOADS	((int)(sizeof(load_titles) / sizeof(load_titles[0])))

/* Return how many columns fit. Never truncate a number; omit it. */
static int nr_loads(void)
{
	int room = (COLS - CPU_WIDTH - 1) / SCREEN_SHARE;

	return room < NR_LOADS ? room : NR_LOADS;
}

static int load_spark_width(void)
{
	int room = COLS - CPU_WIDTH - NR_LOADS * SCREEN_SHARE - 3;

	return room < SPARK_MIN ? 0 : room < SPARK_MAX ? room : SPARK_MAX;
}

/* ---- the head ---- */

/* Write a share in the head. Never truncate a number; omit it. */
static void put_part(const char *name, uint64_t part, uint64_t whole)
{
	char text[PERCENT_TEXT];

	if (getcurx(stdscr) + (int)strlen(name) + 3 + (int)strlen("100.00") >= COLS)
		return;
	printw("  %s ", name);
	attron(A_BOLD);
	printw("%s", whole ? percent_text(text, part, whole) : "-");
	attroff(A_BOLD);
}

static void put_session(const struct top_view *view,
			const struct top_model *model)
{
	const struct profile *delta = model->delta;
	const char *state = view->paused ? "paused" :
			    view->stopped ? "stopped" : "running";
	char text[96] = "waiting for the first interval";

	screen_line(0, "flamectl top  ");
	if (delta) {
		if (delta->meta.intervals.known)
			snprintf(text, sizeof(text), "%s  %.1f s",
				 profile_event(&delta->meta), (double)view->interval_ns / 1e9);
		else
			snprintf(text, sizeof(text), "%u CPU%s  %u Hz  %.1f s",
			 delta->nr_cpus, delta->nr_cpus == 1 ? "" : "s",
			 delta->meta.settings.hz,
			 (double)view->interval_ns / 1e9);
		attron(A_BOLD);
		screen_name(delta->meta.host, COLS / 4);
		attroff(A_BOLD);
		addstr("  Linux ");
		screen_name(delta->meta.release, COLS / 4);
		addstr("  ");
	}
	screen_name(text, COLS - getcurx(stdscr) - (int)strlen(state) - 3);
	move(0, COLS - (int)strlen(state) - 3);
	addstr("  ");
	attron(view->paused || view->stopped ? A_REVERSE : A_DIM);
	addstr(state);
	attroff(A_REVERSE | A_DIM);
	clrtoeol();
}

/* Of an event: its weight, and how many hits it has. */
static void put_hits(const struct profile *delta)
{
	char stored[WEIGHT_TEXT], lost[WEIGHT_TEXT], text[192];
	const char *unit = profile_unit(&delta->meta);
	size_t length = weight_unit_length(delta->books.stored, unit);

	snprintf(text, sizeof(text), "  %s%s%.*s, %" PRIu64 " hits, lost %s",
		 weight_text(stored, delta->books.stored, unit), length ? " " : "", (int)length,
		 unit, delta->meta.intervals.seen,
		 weight_text(lost, profile_lost(&delta->books), unit));
	screen_name(text, COLS - 1);
}

/* Of an event of tasks: its time, and how many intervals it has. */
static void put_intervals(const struct profile *delta)
{
	char stored[WEIGHT_TEXT], lost[WEIGHT_TEXT], text[128];
	const char *unit = profile_unit(&delta->meta);

	if (delta->meta.intervals.of_hits) {
		put_hits(delta);
		return;
	}
	snprintf(text, sizeof(text), "  %s of tasks, %" PRIu64 " intervals, lost %s",
		 weight_text(stored, delta->books.stored, unit), delta->meta.intervals.seen,
		 weight_text(lost, profile_lost(&delta->books), unit));
	screen_name(text, COLS - 1);
}

static void put_sums(const struct top_model *model)
{
	const struct top_load *sum = &model->sum;

	screen_line(1, "");
	if (top_model_of_event(model)) {
		put_intervals(model->delta);
		return;
	}
	put_part("busy", top_busy(sum), sum->whole);
	put_part("user", sum->contexts[FLAMEMOD_CONTEXT_USER], sum->whole);
	put_part("kernel", sum->contexts[FLAMEMOD_CONTEXT_TASK], sum->whole);
	put_part("softirq", sum->contexts[FLAMEMOD_CONTEXT_SOFTIRQ], sum->whole);
	put_part("hardirq", sum->contexts[FLAMEMOD_CONTEXT_HARDIRQ], sum->whole);
	if (COLS >= 100)
		put_part("idle", sum->contexts[FLAMEMOD_CONTEXT_IDLE], sum->whole);
	if (sum->lost)
		put_part("lost", sum->lost, sum->whole);
}

/* Draw the load of each CPU in a cell, for as many as fit. */
static void put_cpus(const struct top_model *model)
{
	uint32_t room = COLS > 20 ? (uint32_t)COLS - 20 : 1;

	if (top_model_of_event(model)) {
		screen_line(2, "");
		return;
	}
	screen_line(2, "  CPUs ");
	for (uint32_t i = 0; i < model->nr_cpus && i < room; i++) {
		const struct top_load *load = &model->cpus[i];
		uint64_t busy = top_busy(load);
		unsigned int level = load->whole ?
			(percent_hundredths(busy, load->whole) * 8 + 9999) /
			10000 : 0;

		attron(screen_heat(busy / 10, load->whole ?: 1));
		screen_char(level ? level_char(level) :
				 terminal_unicode() ? L'\x2581' : L'.');
		attrset(A_NORMAL);
	}
	if (model->nr_cpus > room)
		printw(" +%u", model->nr_cpus - room);
}

static void put_tabs(const struct top_view *view, const struct top_model *model)
{
	char text[TOP_BY_TEXT + 20], by[TOP_BY_TEXT];

	screen_line(3, "  ");
	screen_tab("1 list", model->page == TOP_LIST);
	screen_tab("2 tree", model->page == TOP_TREE);
	if (!top_model_of_event(model))
		screen_tab("3 CPUs", model->page == TOP_CPUS);
	if (model->page != TOP_CPUS) {
		snprintf(text, sizeof(text), "  by %s%s",
			 top_by_text(by, &model->bys[model->by]),
			 model->show_idle ? "  with idle" : "");
		screen_name(text, COLS - getcurx(stdscr));
	}
	if (!view->typing && !model->filter[0])
		return;
	addstr("  filter ");
	attron(A_BOLD);
	screen_name(model->filter, COLS - getcurx(stdscr) - 2);
	attroff(A_BOLD);
	if (view->typing) {
		attron(A_REVERSE);
		addch(' ');
		attroff(A_REVERSE);
	}
}

static void put_heading(const struct top_model *model)
{
	const struct fold_options *by = &model->bys[model->by];
	int spark = spark_width(model);

	move(4, 0);
	clrtoeol();
	attron(A_UNDERLINE | A_DIM);
	if (model->page == TOP_CPUS) {
		printw("  %-*s", CPU_WIDTH - 2, "CPU");
		for (int i = 0; i < nr_loads(); i++)
			printw("%*s", SCREEN_SHARE, load_titles[i]);
		addstr("  ");
		put_spark_title(load_spark_width());
	} else if (model->page == TOP_TREE) {
		printw("%8s%8s  %s", "TOTAL%", "SELF%", "CALL TREE");
	} else {
		printw("%8s%8s  ", "SELF%", "TOTAL%");
		put_spark_title(spark);
		if (spark)
			addstr("  ");
		top_columns_heading(by, COLS - getcurx(stdscr) - 1);
	}
	while (getcury(stdscr) == 4 && getcurx(stdscr) < COLS - 1)
		addch(' ');
	attroff(A_UNDERLINE | A_DIM);
}

/* ---- rows ---- */

static void put_row_name(const struct top_row *row)
{
	attron(screen_kind(row->kind));
	screen_name(row->name, COLS - getcurx(stdscr) - 1);
	attroff(screen_kind(row->kind));
}

static void put_listed(const struct top_model *model, const struct top_row *row)
{
	int spark = spark_width(model);

	screen_share(row->self, model->whole, true);
	screen_share(row->total, model->whole, !row->self);
	addstr("  ");
	if (spark) {
		put_spark(model->histories[model->by], row->name, spark,
			  SPARK_TOP);
		addstr("  ");
	}
	if (!has_columns(model)) {
		put_row_name(row);
		return;
	}
	if (row->kind == TREE_LOST)
		attron(screen_kind(TREE_LOST));
	top_columns_row(model, row, COLS - getcurx(stdscr) - 1);
	if (row->kind == TREE_LOST)
		attroff(screen_kind(TREE_LOST));
}

static void put_branch(const struct top_model *model, const struct top_row *row)
{
	/* limit the indentation of deep calls */
	int indent = (int)row->depth * INDENT, most = COLS / 3;

	screen_share(row->total, model->whole, true);
	screen_share(row->self, model->whole, false);
	printw("  %*s", indent < most ? indent : most, "");
	screen_sign(row->may_open, row->is_open);
	put_row_name(row);
}

static void put_load(const struct top_model *model, const struct top_load *load)
{
	const uint64_t shares[NR_LOADS] = {
		top_busy(load), load->contexts[FLAMEMOD_CONTEXT_USER],
		load->contexts[FLAMEMOD_CONTEXT_TASK],
		load->contexts[FLAMEMOD_CONTEXT_SOFTIRQ],
		load->contexts[FLAMEMOD_CONTEXT_HARDIRQ], load->lost,
	};
	int spark = load_spark_width();
	char name[TOP_CPU_NAME];

	top_cpu_name(name, load->cpu);
	printw("  %-*u", CPU_WIDTH - 2, load->cpu);
	for (int i = 0; i < nr_loads(); i++)
		screen_share(shares[i], load->whole, !i);
	addstr("  ");
	if (spark)
		put_spark(model->loads, name, spark, 10000);
}

static void put_row(const struct top_model *model, uint32_t row, int y)
{
	move(y, 0);
	clrtoeol();
	if (model->page == TOP_CPUS)
		put_load(model, &model->cpus[row]);
	else if (model->page == TOP_TREE)
		put_branch(model, &model->rows[row]);
	else
		put_listed(model, &model->rows[row]);
	if (row == model->cursor.selected)
		mvchgat(y, 0, -1, A_REVERSE, 0, NULL);
}

static void put_nothing(const struct top_view *view,
			const struct top_model *model)
{
	const char *why = "nothing was sampled in this interval";

	if (!model->delta)
		why = "";
	else if (view->stopped)
		why = "sampling is stopped: flamectl start starts it";
	else if (model->filter[0])
		why = "nothing matches the filter: Esc removes it";
	else if (!model->show_idle)
		why = "all CPUs are idle: i shows idle time";
	mvprintw(HEAD_LINES + 1, 4, "%.*s", COLS > 6 ? COLS - 6 : 0, why);
}

static void put_help(void)
{
	static const char *const lines[] = {
		"1 2 3, Tab      the list, the call tree, the CPUs (of samples)",
		"b               by function, comm, CPU (of samples), context, pid, module",
		"s               the list by self or by total",
		"i               with idle time, or without",
		"arrows, j k     up and down; Page, Home, End further",
		"right, Enter    open a call, and all single callees below",
		"left            close it, or go to its caller",
		"/               type to filter; Enter keeps it, Esc removes it",
		"p, Space        pause, and continue with new samples",
		"w               write a flame graph of what is seen",
		"q               quit",
		"",
		"100 % is all time of all CPUs in the interval.",
	};

	for (int i = 0; i < (int)(sizeof(lines) / sizeof(lines[0])); i++) {
		move(HEAD_LINES + 1 + i, 4);
		screen_name(lines[i], COLS - 5);
	}
}

/* Return the keys that do something on that page. */
static const char *keys_of(enum top_page page)
{
	switch (page) {
	case TOP_CPUS:
		return "q quit   p pause   w svg   ? help";
	case TOP_TREE:
		return "q quit   arrows open   / filter   b by   i idle   p pause   w svg   ? help";
	default:
		return "q quit   / filter   b by   s sort   i idle   p pause   w svg   ? help";
	}
}

static void put_foot(const struct top_view *view, const struct top_model *model)
{
	const char *keys = view->typing ?
		"type to filter   Enter keep   Esc remove" :
		keys_of(model->page);

	screen_foot(view->message[0] ? view->message : keys, view->message[0]);
}

void top_view_draw(const struct top_view *view, struct top_model *model)
{
	int height = LINES - HEAD_LINES - FOOT_LINES;
	uint32_t nr;

	erase();
	top_model_resize(model, height > 0 ? (uint32_t)height : 1);
	nr = top_model_nr_rows(model);
	put_session(view, model);
	put_sums(model);
	put_cpus(model);
	put_tabs(view, model);
	if (!view->help)
		put_heading(model);
	if (view->help)
		put_help();
	else if (!nr)
		put_nothing(view, model);
	for (int i = 0; !view->help && i < height; i++)
		if (model->cursor.first + (uint32_t)i < nr)
			put_row(model, model->cursor.first + (uint32_t)i,
				HEAD_LINES + i);
	put_foot(view, model);
	refresh();
}
