/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What views of a terminal are drawn from: names, shares and rows, in colours,
 * at ncurses' cursor. Names are anybody's bytes: nothing of them reaches the
 * terminal but characters of a known width.
 */
#ifndef FLAMECTL_SCREEN_H
#define FLAMECTL_SCREEN_H

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

#include <curses.h>

#include "tree/tree.h"

/* Pairs of colours on the terminal's own ground. */
enum { SCREEN_HOT = 1, SCREEN_WARM, SCREEN_CALM, SCREEN_USER, SCREEN_MODULE };

/* The cells of a share: "   12.34" */
#define SCREEN_SHARE	8

/** screen_start() - set up the colours; after terminal_start(). */
void screen_start(void);

/** screen_char() - put one character. */
void screen_char(wchar_t c);

/**
 * screen_name() - put as much of @text as @cells hold; a part of it ends in an
 * ellipsis. What steers, what has no width of its own, and, where the terminal
 * knows nothing but ASCII, all else, is a '?'.
 *
 * Return: the cells that were used.
 */
int screen_name(const char *text, int cells);

/** screen_cell() - screen_name(), and spaces up to @cells. */
void screen_cell(const char *text, int cells);

/** screen_line() - put @text on line @y, with nothing behind it. */
void screen_line(int y, const char *text);

/** screen_foot() - put @text on the last line: bold, or dim. */
void screen_foot(const char *text, bool bold);

/** screen_heat() - the attributes of a share, by how large it is. */
attr_t screen_heat(uint64_t part, uint64_t whole);

/**
 * screen_share() - put "   12.34", or a dash for nothing, to keep the eye on what
 * there is.
 */
void screen_share(uint64_t part, uint64_t whole, bool colored);

/** screen_kind() - the attributes of a frame's name. */
attr_t screen_kind(enum tree_kind kind);

/** screen_tab() - put the name of a page, or of what else may be chosen. */
void screen_tab(const char *name, bool chosen);

/**
 * screen_sign() - put the sign before a row: is it open, or could it be?
 */
void screen_sign(bool may_open, bool is_open);

#endif /* FLAMECTL_SCREEN_H */
