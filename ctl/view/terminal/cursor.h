/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which of many rows is selected, and which of them the screen shows.
 */
#ifndef FLAMECTL_CURSOR_H
#define FLAMECTL_CURSOR_H

#include <stdint.h>

struct cursor {
	uint32_t selected;		/* below the number of rows, or 0 */
	uint32_t first;			/* on top of the screen */
	uint32_t height;		/* rows that the screen has; 0 is taken for 1 */
};

/**
 * cursor_move() - select the row so many below, as far as there is one, and
 * bring it onto the screen.
 * @nr: how many rows there are.
 * @rows: 0 where only @nr or the height has changed.
 */
void cursor_move(struct cursor *cursor, uint32_t nr, int64_t rows);

/** cursor_go() - select @row. */
void cursor_go(struct cursor *cursor, uint32_t nr, uint32_t row);

#endif /* FLAMECTL_CURSOR_H */
