// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl top on a screen: see top_view.h. Four lines of head, the rows, a
 * line of keys; nothing moves between intervals but figures.
 */
#include "top_view.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <curses.h>

#include "percent.h"
#include "report.h"
#include "terminal.h"
#include "top_rows.h"
#include "utf8.h"

#define HEAD_LINES	5
#define FOOT_LINES	1
#define SHARE_WIDTH	8
#define SHARES_WIDTH	18	/* "  12.34   56.78  " and one more */
#define NAME_WIDTH_MIN	24
#define SPARK_MIN	8
#define SPARK_MAX	HISTORY_INTERVALS
#define SPARK_TOP	100	/* a percent: less than that looks like little */
#define CPU_WIDTH	10
#define INDENT		2

/* Pairs of colours on the terminal's own ground. */
enum { PAIR_HOT = 1, PAIR_WARM, PAIR_CALM, PAIR_USER, PAIR_MODULE };

void top_view_start(void)
{
	static const short colors[] = {
		[PAIR_HOT] = COLOR_RED, [PAIR_WARM] = COLOR_YELLOW,
		[PAIR_CALM] = COLOR_CYAN, [PAIR_USER] = COLOR_GREEN,
		[PAIR_MODULE] = COLOR_BLUE,
	};

	for (short i = PAIR_HOT; i <= PAIR_MODULE; i++)
		init_pair(i, colors[i], -1);
}

/* ---- text ---- */

static void put_char(wchar_t c)
{
	wchar_t text[2] = { c, 0 };

	addwstr(text);
}

/*
 * As much of @text as @cells hold. Return: the cells that were used. What
 * steers, what has no width of its own, and, where the terminal knows nothing
 * but ASCII, all else, is a '?'.
 */
static int put_name(const char *text, int cells)
{
	int used = 0;
	uint32_t c;

	while (used < cells && (c = utf8_next(&text))) {
		int width = utf8_steers(c) || (c >= 0x80 && !terminal_unicode()) ?
			    0 : wcwidth((wchar_t)c);

		if (width <= 0) {
			c = '?';
			width = 1;
		}
		/* more than fits: say so in the last cell */
		if (used + width > cells || (used + width == cells && *text)) {
			put_char(terminal_unicode() ? L'\x2026' : L'>');
			return used + 1;
		}
		put_char((wchar_t)c);
		used += width;
	}
	return used;
}

static void put_line(int y, const char *text)
{
	move(y, 0);
	clrtoeol();
	put_name(text, COLS);
}

static attr_t heat(uint64_t part, uint64_t whole)
{
	if (!percent_below(part, whole, REPORT_HOT_PPM))
		return A_BOLD | COLOR_PAIR(PAIR_HOT);
	if (!percent_below(part, whole, REPORT_WARM_PPM))
		return COLOR_PAIR(PAIR_WARM);
	return A_DIM;
}

/* "   12.34", or a dash for nothing, to keep the eye on what there is. */
static void put_share(uint64_t part, uint64_t whole, bool colored)
{
	char text[PERCENT_TEXT];

	if (!part || !whole) {
		printw("%8s", "-");
		return;
	}
	if (colored)
		attron(heat(part, whole));
	printw("%8s", percent_text(text, part, whole));
	if (colored)
		attroff(heat(part, whole));
}

/* Eighths of a cell's height; the first is no height. */
static wchar_t level_char(unsigned int level)
{
	static const wchar_t blocks[] = L" \x2581\x2582\x2583\x2584\x2585\x2586\x2587\x2588";
	static const wchar_t ascii[] = L" ..--==##";

	return (terminal_unicode() ? blocks : ascii)[level];
}

/*
 * The last @cells intervals. Full height is the highest of them, or @top where
 * that is more, in hundredths of a percent.
 */
static void put_spark(struct history *history, const char *name, int cells,
		      uint16_t top)
{
	uint16_t values[HISTORY_INTERVALS];

	history_get(history, name, values);
	for (int i = 0; i < HISTORY_INTERVALS; i++)
		if (values[i] > top)
			top = values[i];
	attron(COLOR_PAIR(PAIR_CALM));
	for (int i = HISTORY_INTERVALS - cells; i < HISTORY_INTERVALS; i++)
		put_char(level_char((values[i] * 8U + top - 1) / top));
	attroff(COLOR_PAIR(PAIR_CALM));
}

static int spark_width(void)
{
	int room = COLS - SHARES_WIDTH - 2 - NAME_WIDTH_MIN;
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

/* As many as there is room for, whole: a part would look like another figure. */
static int nr_loads(void)
{
	int room = (COLS - CPU_WIDTH - 1) / SHARE_WIDTH;

	return room < NR_LOADS ? room : NR_LOADS;
}

static int load_spark_width(void)
{
	int room = COLS - CPU_WIDTH - NR_LOADS * SHARE_WIDTH - 3;

	return room < SPARK_MIN ? 0 : room < SPARK_MAX ? room : SPARK_MAX;
}

/* ---- the head ---- */

/* A part of one would look like another figure: whole, or not at all. */
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

	put_line(0, "flamectl top  ");
	if (delta) {
		snprintf(text, sizeof(text), "%u CPU%s  %u Hz  %.1f s",
			 delta->nr_cpus, delta->nr_cpus == 1 ? "" : "s",
			 delta->meta.settings.hz,
			 (double)view->interval_ns / 1e9);
		attron(A_BOLD);
		put_name(delta->meta.host, COLS / 4);
		attroff(A_BOLD);
		addstr("  Linux ");
		put_name(delta->meta.release, COLS / 4);
		addstr("  ");
	}
	put_name(text, COLS - getcurx(stdscr) - (int)strlen(state) - 3);
	move(0, COLS - (int)strlen(state) - 3);
	addstr("  ");
	attron(view->paused || view->stopped ? A_REVERSE : A_DIM);
	addstr(state);
	attroff(A_REVERSE | A_DIM);
	clrtoeol();
}

static void put_sums(const struct top_model *model)
{
	const struct top_load *sum = &model->sum;

	put_line(1, "");
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

/* One cell a CPU, its height the load; as many as the line holds. */
static void put_cpus(const struct top_model *model)
{
	uint32_t room = COLS > 20 ? (uint32_t)COLS - 20 : 1;

	put_line(2, "  CPUs ");
	for (uint32_t i = 0; i < model->nr_cpus && i < room; i++) {
		const struct top_load *load = &model->cpus[i];
		uint64_t busy = top_busy(load);
		unsigned int level = load->whole ?
			(percent_hundredths(busy, load->whole) * 8 + 9999) /
			10000 : 0;

		attron(heat(busy / 10, load->whole ?: 1));
		put_char(level ? level_char(level) :
				 terminal_unicode() ? L'\x2581' : L'.');
		attrset(A_NORMAL);
	}
	if (model->nr_cpus > room)
		printw(" +%u", model->nr_cpus - room);
}

static void put_tab(const char *name, bool chosen)
{
	if (chosen)
		attron(A_REVERSE | A_BOLD);
	printw(" %s ", name);
	attroff(A_REVERSE | A_BOLD);
	addch(' ');
}

static void put_tabs(const struct top_view *view, const struct top_model *model)
{
	char text[40];

	put_line(3, "  ");
	put_tab("1 list", model->page == TOP_LIST);
	put_tab("2 tree", model->page == TOP_TREE);
	put_tab("3 CPUs", model->page == TOP_CPUS);
	if (model->page != TOP_CPUS) {
		snprintf(text, sizeof(text), "  by %s%s", top_by_name(model->by),
			 model->show_idle ? "  with idle" : "");
		put_name(text, COLS - getcurx(stdscr));
	}
	if (!view->typing && !model->filter[0])
		return;
	addstr("  filter ");
	attron(A_BOLD);
	put_name(model->filter, COLS - getcurx(stdscr) - 2);
	attroff(A_BOLD);
	if (view->typing) {
		attron(A_REVERSE);
		addch(' ');
		attroff(A_REVERSE);
	}
}

static void put_heading(const struct top_model *model)
{
	static const char *const titles[TOP_BYS] = {
		"FUNCTION", "COMM", "CPU", "CONTEXT", "PID",
	};
	int spark = spark_width();

	move(4, 0);
	clrtoeol();
	attron(A_UNDERLINE | A_DIM);
	if (model->page == TOP_CPUS) {
		printw("  %-*s", CPU_WIDTH - 2, "CPU");
		for (int i = 0; i < nr_loads(); i++)
			printw("%*s", SHARE_WIDTH, load_titles[i]);
		addstr("  ");
		put_spark_title(load_spark_width());
	} else if (model->page == TOP_TREE) {
		printw("%8s%8s  %s", "TOTAL%", "SELF%", "CALL TREE");
	} else {
		printw("%8s%8s  ", "SELF%", "TOTAL%");
		put_spark_title(spark);
		if (spark)
			addstr("  ");
		addstr(titles[model->by]);
	}
	while (getcury(stdscr) == 4 && getcurx(stdscr) < COLS - 1)
		addch(' ');
	attroff(A_UNDERLINE | A_DIM);
}

/* ---- rows ---- */

static attr_t kind_color(enum tree_kind kind)
{
	switch (kind) {
	case TREE_USER:
		return COLOR_PAIR(PAIR_USER);
	case TREE_MODULE:
		return COLOR_PAIR(PAIR_MODULE);
	case TREE_IDLE:
	case TREE_MARK:
		return A_DIM;
	case TREE_TASK:
		return A_BOLD;
	case TREE_LOST:
		return COLOR_PAIR(PAIR_HOT);
	default:
		return A_NORMAL;
	}
}

static void put_row_name(const struct top_row *row)
{
	attron(kind_color(row->kind));
	put_name(row->name, COLS - getcurx(stdscr) - 1);
	attroff(kind_color(row->kind));
}

static void put_listed(const struct top_model *model, const struct top_row *row)
{
	int spark = spark_width();

	put_share(row->self, model->whole, true);
	put_share(row->total, model->whole, !row->self);
	addstr("  ");
	if (spark) {
		put_spark(model->histories[model->by], row->name, spark,
			  SPARK_TOP);
		addstr("  ");
	}
	put_row_name(row);
}

static void put_branch(const struct top_model *model, const struct top_row *row)
{
	/* deep calls stay on the screen, by where they are from there on */
	int indent = (int)row->depth * INDENT, most = COLS / 3;

	put_share(row->total, model->whole, true);
	put_share(row->self, model->whole, false);
	printw("  %*s", indent < most ? indent : most, "");
	if (!row->may_open)
		addstr("  ");
	else if (terminal_unicode())
		addwstr(row->is_open ? L"\x25be " : L"\x25b8 ");
	else
		addstr(row->is_open ? "- " : "+ ");
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
		put_share(shares[i], load->whole, !i);
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
	if (row == model->selected)
		mvchgat(y, 0, -1, A_REVERSE, 0, NULL);
}

static void put_nothing(const struct top_view *view,
			const struct top_model *model)
{
	const char *why = "nothing was sampled in this interval";

	if (!model->delta)
		why = "";
	else if (view->stopped)
		why = "sampling is stopped: flamectl start begins it";
	else if (model->filter[0])
		why = "nothing matches the filter: Esc takes it away";
	else if (!model->show_idle)
		why = "all CPUs are idle: i shows that, too";
	mvprintw(HEAD_LINES + 1, 4, "%.*s", COLS > 6 ? COLS - 6 : 0, why);
}

static void put_help(void)
{
	static const char *const lines[] = {
		"1 2 3, Tab      the list, the call tree, the CPUs",
		"b               by function, comm, CPU, context, pid",
		"s               the list by self or by total",
		"i               with idle time, or without",
		"arrows, j k     up and down; Page, Home, End further",
		"right, Enter    open a call, with all only callees below",
		"left            close it, or go to its caller",
		"/               type to filter; Enter keeps it, Esc takes it away",
		"p, Space        pause, and go on with what comes then",
		"w               write a flame graph of what is seen",
		"q               quit",
		"",
		"100 % is all time of all CPUs in the interval.",
	};

	for (int i = 0; i < (int)(sizeof(lines) / sizeof(lines[0])); i++) {
		move(HEAD_LINES + 1 + i, 4);
		put_name(lines[i], COLS - 5);
	}
}

/* Those that do something on that page. */
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
		"type to filter   Enter keep   Esc take away" :
		keys_of(model->page);

	move(LINES - 1, 0);
	clrtoeol();
	attron(view->message[0] ? A_BOLD : A_DIM);
	addch(' ');
	/* never into the last cell, which some terminals scroll for */
	put_name(view->message[0] ? view->message : keys, COLS - 2);
	attroff(A_BOLD | A_DIM);
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
		if (model->first + (uint32_t)i < nr)
			put_row(model, model->first + (uint32_t)i,
				HEAD_LINES + i);
	put_foot(view, model);
	refresh();
}
