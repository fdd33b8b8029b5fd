/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What keys mean in every view of a terminal: moving among rows, and typing a
 * line of text.
 */
#ifndef FLAMECTL_KEYS_H
#define FLAMECTL_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curses.h>

#define KEYS_ESCAPE	27

/**
 * keys_move() - does @key move among rows: arrows, j and k, Page, Home and g,
 * End and G?
 * @height: rows that the screen has.
 * @rows: set to how many rows down, negative for up; more than there are for
 *	  the first and the last.
 */
bool keys_move(int key, uint32_t height, int64_t *rows);

/** keys_is_enter() - is it one of those that Enter sends? */
bool keys_is_enter(int key);

/** keys_resized() - did the terminal change its size? Then there is no key. */
bool keys_resized(int key);

/* What a key did to a line that is typed. */
enum keys_typed {
	KEYS_SAME,			/* nothing */
	KEYS_CHANGED,
	KEYS_DONE,			/* Enter */
	KEYS_CANCELLED,			/* Esc */
};

/**
 * keys_type() - a key for the line @text. Backspace takes a whole character.
 * @max: the most bytes that it may have, without its NUL.
 */
enum keys_typed keys_type(char *text, size_t max, int key);

#endif /* FLAMECTL_KEYS_H */
