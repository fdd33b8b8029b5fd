/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Meaning of keys that all terminal views share: moving among rows, and typing
 * a line of text.
 */
#ifndef FLAMECTL_KEYS_H
#define FLAMECTL_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curses.h>

#define KEYS_ESCAPE	27

/**
 * keys_move() - report whether @key moves among rows: arrows, j and k, Page,
 * Home and g, End and G.
 * @height: rows on the screen.
 * @rows: set to the number of rows to move down, negative for up; larger than
 *        any list for the first and the last row.
 */
bool keys_move(int key, uint32_t height, int64_t *rows);

/** keys_is_enter() - report whether @key is one that Enter sends. */
bool keys_is_enter(int key);

/** keys_resized() - report whether @key means that the terminal was resized. */
bool keys_resized(int key);

/* What a key did to the line being typed. */
enum keys_typed {
	KEYS_SAME,			/* nothing */
	KEYS_CHANGED,
	KEYS_DONE,			/* Enter */
	KEYS_CANCELLED,			/* Esc */
};

/**
 * keys_type() - apply a key to the line @text. Backspace removes a whole
 * character.
 * @max: limit of the text in bytes, without its NUL.
 */
enum keys_typed keys_type(char *text, size_t max, int key);

#endif /* FLAMECTL_KEYS_H */
