// SPDX-License-Identifier: GPL-2.0
/*
 * Drawing primitives of terminal views: see screen.h.
 */
#include "view/terminal/screen.h"

#include "base/percent.h"
#include "base/terminal.h"
#include "base/utf8.h"
#include "view/report.h"

void screen_start(void)
{
	static const short colors[] = {
		[SCREEN_HOT] = COLOR_RED, [SCREEN_WARM] = COLOR_YELLOW,
		[SCREEN_CALM] = COLOR_CYAN, [SCREEN_USER] = COLOR_GREEN,
		[SCREEN_MODULE] = COLOR_BLUE,
	};

	for (short i = SCREEN_HOT; i <= SCREEN_MODULE; i++)
		init_pair(i, colors[i], -1);
}

void screen_char(wchar_t c)
{
	wchar_t text[2] = { c, 0 };

	addwstr(text);
}

int screen_name(const char *text, int cells)
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
		/* if the rest does not fit, the last cell shows that */
		if (used + width > cells || (used + width == cells && *text)) {
			screen_char(terminal_unicode() ? L'\x2026' : L'>');
			return used + 1;
		}
		screen_char((wchar_t)c);
		used += width;
	}
	return used;
}

void screen_cell(const char *text, int cells)
{
	int used = screen_name(text, cells);

	if (used < cells)
		printw("%*s", cells - used, "");
}

void screen_line(int y, const char *text)
{
	move(y, 0);
	clrtoeol();
	screen_name(text, COLS);
}

void screen_foot(const char *text, bool bold)
{
	move(LINES - 1, 0);
	clrtoeol();
	attron(bold ? A_BOLD : A_DIM);
	addch(' ');
	/* avoid the last cell, as some terminals scroll after it */
	screen_name(text, COLS - 2);
	attroff(A_BOLD | A_DIM);
}

attr_t screen_heat(uint64_t part, uint64_t whole)
{
	if (!percent_below(part, whole, REPORT_HOT_PPM))
		return A_BOLD | COLOR_PAIR(SCREEN_HOT);
	if (!percent_below(part, whole, REPORT_WARM_PPM))
		return COLOR_PAIR(SCREEN_WARM);
	return A_DIM;
}

void screen_share(uint64_t part, uint64_t whole, bool colored)
{
	char text[PERCENT_TEXT];

	if (!part || !whole) {
		printw("%*s", SCREEN_SHARE, "-");
		return;
	}
	if (colored)
		attron(screen_heat(part, whole));
	printw("%*s", SCREEN_SHARE, percent_text(text, part, whole));
	if (colored)
		attroff(screen_heat(part, whole));
}

attr_t screen_kind(enum tree_kind kind)
{
	switch (kind) {
	case TREE_USER:
		return COLOR_PAIR(SCREEN_USER);
	case TREE_MODULE:
		return COLOR_PAIR(SCREEN_MODULE);
	case TREE_IDLE:
	case TREE_MARK:
		return A_DIM;
	case TREE_TASK:
		return A_BOLD;
	case TREE_LOST:
		return COLOR_PAIR(SCREEN_HOT);
	default:
		return A_NORMAL;
	}
}

void screen_tab(const char *name, bool chosen)
{
	if (chosen)
		attron(A_REVERSE | A_BOLD);
	printw(" %s ", name);
	attroff(A_REVERSE | A_BOLD);
	addch(' ');
}

void screen_sign(bool may_open, bool is_open)
{
	if (!may_open)
		addstr("  ");
	else if (terminal_unicode())
		addwstr(is_open ? L"\x25be " : L"\x25b8 ");
	else
		addstr(is_open ? "- " : "+ ");
}
