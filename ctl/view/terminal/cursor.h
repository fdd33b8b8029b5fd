/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A cursor in a list of rows: which row is selected, and which ones are shown.
 */
#ifndef FLAMECTL_CURSOR_H
#define FLAMECTL_CURSOR_H

#include <stdint.h>

struct cursor {
	uint32_t selected;		/* below the number of rows, or 0 */
	uint32_t first;			/* the top row of the screen */
	uint32_t height;		/* rows on the screen; 0 counts as 1 */
};

/**
 * cursor_move() - move the selection by @rows, within the list, and scroll it
 * into view.
 * @nr: the number of rows.
 * @rows: 0 if only @nr or the height has changed.
 */
void cursor_move(struct cursor *cursor, uint32_t nr, int64_t rows);

/** cursor_go() - select @row. */
void cursor_go(struct cursor *cursor, uint32_t nr, uint32_t row);

#endif /* FLAMECTL_CURSOR_H */
