/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Drawing primitives of terminal views: names, shares and rows, in colours, at
 * ncurses' cursor. Names may be any bytes; only characters of known width are
 * sent to the terminal.
 */
#ifndef FLAMECTL_SCREEN_H
#define FLAMECTL_SCREEN_H

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

#include <curses.h>

#include "tree/tree.h"

/* Colour pairs, on the terminal's own background. */
enum { SCREEN_HOT = 1, SCREEN_WARM, SCREEN_CALM, SCREEN_USER, SCREEN_MODULE };

/* Width of a share in cells: "   12.34" */
#define SCREEN_SHARE	8

/** screen_start() - set up colours; call it after terminal_start(). */
void screen_start(void);

/** screen_char() - write one character. */
void screen_char(wchar_t c);

/**
 * screen_name() - write as much of @text as fits into @cells; a part ends in an
 * ellipsis. Control characters, characters without a width of their own and, on
 * an ASCII terminal, all others that are not ASCII become '?'.
 *
 * Return: the number of cells used.
 */
int screen_name(const char *text, int cells);

/** screen_cell() - as screen_name(), padded with spaces to @cells. */
void screen_cell(const char *text, int cells);

/** screen_line() - write @text on line @y, and clear the rest of the line. */
void screen_line(int y, const char *text);

/** screen_foot() - write @text on the last line, bold or dim. */
void screen_foot(const char *text, bool bold);

/** screen_heat() - return the attributes of a share, by its size. */
attr_t screen_heat(uint64_t part, uint64_t whole);

/**
 * screen_share() - write "   12.34", or a dash for 0, to make the other shares
 * stand out.
 */
void screen_share(uint64_t part, uint64_t whole, bool colored);

/** screen_kind() - return the attributes of a frame's name, by its kind. */
attr_t screen_kind(enum tree_kind kind);

/** screen_tab() - write the name of a page or of another choice. */
void screen_tab(const char *name, bool chosen);

/** screen_sign() - write the sign before a row: open, closed, or neither. */
void screen_sign(bool may_open, bool is_open);

#endif /* FLAMECTL_SCREEN_H */
