// SPDX-License-Identifier: GPL-2.0
/*
 * Drawing of flamectl browse: see browse_view.h. Up to four lines of head, the
 * rows, and a line for books or messages.
 */
#include "view/terminal/browse_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <curses.h>

#include "base/percent.h"
#include "base/terminal.h"
#include "base/weight.h"
#include "profile/books.h"
#include "view/terminal/screen.h"

#define GUIDE_WIDTH	2
#define GUIDES_MAX	64
#define NAME_MIN	20	/* cells for names before figures get any */
#define FILE_MIN	12	/* cells for the file of the selected function */
#define AND_OTHERS	" and others"

/* Positions on the screen; a low screen uses its lines for rows. */
struct frame {
	int tabs, caption, heading, rows;	/* line numbers; -1: hidden */
	int height;				/* of the rows */
	bool has_self;
	int count_width;			/* 0: not shown */
};

#define UNIT_WIDTH	8	/* "PERIODS", "SAMPLES"; longer units are cut */

/* In the list the amount is a function's own, and its heading says so. */
#define OWN	"self "

static int count_width(const struct browse *browse)
{
	size_t own = browse->page == BROWSE_LIST ? strlen(OWN) : 0;
	size_t width = weight_is_time(browse->unit) ? strlen("999.99 us") :
		       own + strnlen(browse->unit, UNIT_WIDTH);
	char text[WEIGHT_TEXT];
	size_t longest;

	weight_text(text, browse->tree->nodes[0].total, browse->unit);
	longest = strlen(text);
	return (int)(longest > width ? longest : width);
}

/* Lay out what there is room for. Never truncate a number; omit it. */
static struct frame lay_out(const struct browse_view *view,
			    const struct browse *browse)
{
	struct frame frame = { .tabs = -1, .caption = -1 };
	int line = 1, room = COLS - SCREEN_SHARE - 3 - NAME_MIN;
	int width = count_width(browse);

	if (LINES >= 14 && *view->caption)
		frame.caption = line++;
	if (LINES >= 6)
		frame.tabs = line++;
	frame.heading = line++;
	frame.rows = line;
	frame.height = LINES - line - 1 > 1 ? LINES - line - 1 : 1;
	frame.has_self = room >= SCREEN_SHARE;
	if (room - SCREEN_SHARE >= width + 2)
		frame.count_width = width;
	return frame;
}

/* ---- the head ---- */

static void put_tabs(const struct browse *browse, int y)
{
	const struct tree_node *zoomed = browse_zoomed(browse);
	const char *sought = browse->search.name ?: browse->search.text;
	char place[32];
	int room;

	screen_line(y, " ");
	screen_tab("t tree", browse->page == BROWSE_TREE);
	screen_tab("c callers", browse->page == BROWSE_CALLERS);
	screen_tab("f list", browse->page == BROWSE_LIST);
	snprintf(place, sizeof(place), "  %u/%u",
		 browse_nr_rows(browse) ? browse_cursor(browse)->selected + 1 : 0,
		 browse_nr_rows(browse));
	room = COLS - getcurx(stdscr) - (int)strlen(place) - 1;
	if (zoomed && room > 12) {
		addstr(" in ");
		attron(A_BOLD);
		room -= 4 + screen_name(zoomed->name, room / 2);
		attroff(A_BOLD);
	}
	if (search_is_any(&browse->search) && room > 6) {
		addstr("  /");
		attron(A_BOLD);
		screen_name(sought, room - 4);
		attroff(A_BOLD);
	}
	if (COLS > 50)
		mvaddstr(y, COLS - (int)strlen(place) - 1, place);
}

static void put_unit_title(const struct browse *browse, int cells)
{
	/* in capitals, as other headings are; other characters as they are */
	char text[sizeof(OWN) + PROFILE_UNIT_MAX];
	size_t length;

	snprintf(text, sizeof(text), "%s%s",
		 browse->page == BROWSE_LIST ? OWN : "",
		 weight_is_time(browse->unit) ? "time" : browse->unit);
	for (char *at = text; *at; at++)
		if (*at >= 'a' && *at <= 'z')
			*at = (char)(*at - 'a' + 'A');
	length = strlen(text);
	if ((int)length < cells)
		printw("%*s", cells - (int)length, "");
	screen_name(text, cells);
}

static void put_heading(const struct browse *browse, const struct frame *frame)
{
	bool is_list = browse->page == BROWSE_LIST;

	move(frame->heading, 0);
	clrtoeol();
	attron(A_UNDERLINE | A_DIM);
	printw("%*s", SCREEN_SHARE, is_list ? "SELF%" : "TOTAL%");
	if (frame->has_self)
		printw("%*s", SCREEN_SHARE, is_list ? "TOTAL%" : "SELF%");
	if (frame->count_width) {
		addstr("  ");
		put_unit_title(browse, frame->count_width);
	}
	addstr("  ");
	screen_name(is_list ? "FUNCTION" : browse->page == BROWSE_CALLERS ?
		    "FUNCTION, THEN ITS CALLERS" : "CALL TREE",
		    COLS - getcurx(stdscr) - 1);
	while (getcury(stdscr) == frame->heading && getcurx(stdscr) < COLS - 1)
		addch(' ');
	attroff(A_UNDERLINE | A_DIM);
}

/* ---- rows ---- */

static void put_guides(const struct tree_rows *rows, uint32_t row)
{
	static const wchar_t *const lines[] = {
		[TREE_GUIDE_NONE] = L"  ", [TREE_GUIDE_PAST] = L"\x2502 ",
		[TREE_GUIDE_BRANCH] = L"\x251c\x2500",
		[TREE_GUIDE_LAST] = L"\x2514\x2500",
	};
	static const char *const ascii[] = {
		[TREE_GUIDE_NONE] = "  ", [TREE_GUIDE_PAST] = "| ",
		[TREE_GUIDE_BRANCH] = "|-", [TREE_GUIDE_LAST] = "`-",
	};
	enum tree_guide guides[GUIDES_MAX];
	/* limit the indentation of deep calls, by omitting outer guides */
	int most = COLS / 3 / GUIDE_WIDTH;
	uint32_t nr = tree_rows_guides(rows, row, guides, most < GUIDES_MAX ?
				       (uint32_t)most : GUIDES_MAX);

	attron(A_DIM);
	for (uint32_t i = 0; i < nr; i++) {
		if (terminal_unicode())
			addwstr(lines[guides[i]]);
		else
			addstr(ascii[guides[i]]);
	}
	attroff(A_DIM);
}

/*
 * Return the program or library that a function of this name is in; NULL if it is not
 * known. @several: others have such a function, too.
 */
static const char *file_of(const struct profile *profile, const char *name, bool *several)
{
	uint32_t first = 0;

	for (uint32_t i = 0; i < profile->nr_frames; i++) {
		const struct profile_frame *frame = &profile->frames[i];

		if (!frame->object || frame->object == first || strcmp(frame->name, name))
			continue;
		*several = first;
		first = first ?: frame->object;
	}
	return first ? profile->objects[first - 1].path : NULL;
}

/* Write the file of the selected function after its name, as far as there is room. */
static void put_file(const struct browse_view *view, const struct browse_row *shown)
{
	const char *path = NULL;
	bool several = false;

	if (view->profile && shown->kind == TREE_USER)
		path = file_of(view->profile, shown->name, &several);
	if (!path || COLS - getcurx(stdscr) < FILE_MIN)
		return;
	addstr("  ");
	screen_name(path, COLS - getcurx(stdscr) - 1);
	if (several && COLS - getcurx(stdscr) > (int)strlen(AND_OTHERS))
		addstr(AND_OTHERS);
}

static void put_row(const struct browse_view *view, const struct browse *browse,
		    const struct frame *frame, uint32_t row, int y)
{
	const struct tree_rows *rows = browse_rows(browse);
	struct browse_row shown = browse_row(browse, row);
	uint64_t whole = browse->tree->nodes[0].total;
	uint64_t first = rows ? shown.total : shown.self;
	attr_t attributes = screen_kind(shown.kind) |
			    (shown.matches ? A_UNDERLINE | A_BOLD : A_NORMAL);
	char text[WEIGHT_TEXT];

	move(y, 0);
	clrtoeol();
	screen_share(first, whole, true);
	if (frame->has_self)
		screen_share(rows ? shown.self : shown.total, whole, false);
	if (frame->count_width)
		printw("  %*s", frame->count_width,
		       weight_text(text, first, browse->unit));
	addstr("  ");
	if (rows) {
		put_guides(rows, row);
		screen_sign(shown.may_open, shown.is_open);
	}
	attron(attributes);
	screen_name(shown.name, COLS - getcurx(stdscr) - 1);
	attroff(attributes);
	if (row == browse_cursor(browse)->selected) {
		put_file(view, &shown);
		mvchgat(y, 0, -1, A_REVERSE, 0, NULL);
	}
}

static void put_rows(const struct browse_view *view, const struct browse *browse,
		     const struct frame *frame)
{
	uint32_t first = browse_cursor(browse)->first;
	uint32_t nr = browse_nr_rows(browse);

	for (int i = 0; i < frame->height; i++)
		if (first + (uint32_t)i < nr)
			put_row(view, browse, frame, first + (uint32_t)i,
				frame->rows + i);
}

static void put_help(const struct frame *frame)
{
	static const char *const lines[] = {
		"arrows, j k     up and down; Page, Home, End further",
		"right           open; what is open: zoom in",
		"left            close, else go to the caller, else zoom out",
		"Enter           open or close; in the list: show in the tree",
		"t c f           the tree, from functions to callers, the list",
		"/               search for a regular expression; n, N: next, previous",
		"z, Esc          zoom in and out; Esc also ends a search",
		"w               write what is shown as a flame graph",
		"q               quit",
		"100 % is all that was selected, zoomed in or not.",
	};

	for (int i = 0; i < (int)(sizeof(lines) / sizeof(lines[0])); i++) {
		if (i >= frame->height + 1)
			return;
		move(frame->heading + i, 1);
		screen_name(lines[i], COLS - 2);
	}
}

/* ---- the foot ---- */

static void put_figure(const char *text)
{
	if (getcurx(stdscr) + (int)strlen(text) < COLS)
		addstr(text);
}

/*
 * Write what became of each period, or of an event's weight, which has no timer. Never
 * truncate a number; omit it.
 */
static void put_books(const struct browse_view *view)
{
	const struct profile_books *books = view->books;
	const struct profile_meta *meta = &view->profile->meta;
	bool is_event = meta->intervals.known;
	const struct {
		const char *name;	/* NULL: there is no such figure */
		uint64_t figure;
	} parts[] = {
		{ is_event ? "seen" : "fires", books->fires },
		{ is_event ? NULL : " + missed", books->missed },
		{ " = stored", books->stored },
		{ " + filtered", books->filtered },
		{ " + lost", profile_lost(books) },
	};
	char text[64], weight[WEIGHT_TEXT], read[BOOKS_READ_MAX];

	move(LINES - 1, 0);
	clrtoeol();
	attron(A_DIM);
	addch(' ');
	screen_name(is_event ? profile_event(meta) : view->books_unit, COLS / 4);
	put_figure(": ");
	if (view->is_imported)
		put_figure(books_read(books, read));
	for (size_t i = 0; !view->is_imported && i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i].name)
			continue;
		snprintf(text, sizeof(text), "%s %s", parts[i].name,
			 weight_text(weight, parts[i].figure, view->books_unit));
		put_figure(text);
	}
	put_figure("   ? help");
	attroff(A_DIM);
}

static void put_foot(const struct browse_view *view,
		     const struct browse *browse)
{
	char text[SEARCH_TEXT_MAX + 2];

	if (view->typing) {
		snprintf(text, sizeof(text), "/%s", view->typed);
		screen_foot(text, true);
		attron(A_REVERSE);
		if (getcurx(stdscr) < COLS - 1)
			addch(' ');
		attroff(A_REVERSE);
	} else if (browse->message[0]) {
		screen_foot(browse->message, true);
	} else if (view->books && !view->help) {
		put_books(view);
	} else {
		screen_foot("q quit   arrows move, open   / search   ? help",
			    false);
	}
}

void browse_view_draw(const struct browse_view *view, struct browse *browse)
{
	struct frame frame = lay_out(view, browse);

	erase();
	browse_resize(browse, (uint32_t)frame.height);
	attron(A_BOLD);
	screen_line(0, view->title);
	attroff(A_BOLD);
	if (frame.caption >= 0)
		screen_line(frame.caption, view->caption);
	if (frame.tabs >= 0)
		put_tabs(browse, frame.tabs);
	if (view->help) {
		put_help(&frame);
	} else {
		put_heading(browse, &frame);
		put_rows(view, browse, &frame);
	}
	put_foot(view, browse);
	refresh();
}
