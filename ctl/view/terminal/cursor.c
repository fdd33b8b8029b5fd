// SPDX-License-Identifier: GPL-2.0
/*
 * The selected row: see cursor.h.
 */
#include "view/terminal/cursor.h"

void cursor_move(struct cursor *cursor, uint32_t nr, int64_t rows)
{
	uint32_t height = cursor->height ?: 1;
	int64_t to = (int64_t)cursor->selected + rows;

	if (to >= nr)
		to = (int64_t)nr - 1;
	cursor->selected = to > 0 ? (uint32_t)to : 0;
	if (cursor->first > cursor->selected)
		cursor->first = cursor->selected;
	if (cursor->selected - cursor->first >= height)
		cursor->first = cursor->selected - height + 1;
	/* no empty lines at the bottom while rows are hidden above */
	if (cursor->first > nr || height > nr - cursor->first)
		cursor->first = nr > height ? nr - height : 0;
}

void cursor_go(struct cursor *cursor, uint32_t nr, uint32_t row)
{
	cursor_move(cursor, nr, (int64_t)row - cursor->selected);
}
