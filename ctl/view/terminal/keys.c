// SPDX-License-Identifier: GPL-2.0
/*
 * Meaning of keys: see keys.h.
 */
#include "view/terminal/keys.h"

#include <string.h>

#define KEY_DELETE	127

bool keys_move(int key, uint32_t height, int64_t *rows)
{
	/* keep one row of the previous page, for orientation */
	int64_t page = height > 1 ? (int64_t)height - 1 : 1;

	switch (key) {
	case KEY_UP: case 'k':
		*rows = -1;
		return true;
	case KEY_DOWN: case 'j':
		*rows = 1;
		return true;
	case KEY_PPAGE:
		*rows = -page;
		return true;
	case KEY_NPAGE:
		*rows = page;
		return true;
	case KEY_HOME: case 'g':
		*rows = -(int64_t)UINT32_MAX;
		return true;
	case KEY_END: case 'G':
		*rows = UINT32_MAX;
		return true;
	default:
		return false;
	}
}

bool keys_is_enter(int key)
{
	return key == '\r' || key == '\n' || key == KEY_ENTER;
}

bool keys_resized(int key)
{
	return key == KEY_RESIZE;
}

static bool take_back(char *text)
{
	size_t length = strlen(text);

	if (!length)
		return false;
	while (--length && ((unsigned char)text[length] & 0xc0) == 0x80)
		continue;
	text[length] = '\0';
	return true;
}

enum keys_typed keys_type(char *text, size_t max, int key)
{
	size_t length = strlen(text);

	if (keys_is_enter(key))
		return KEYS_DONE;
	switch (key) {
	case KEYS_ESCAPE:
		return KEYS_CANCELLED;
	case KEY_BACKSPACE:
	case KEY_DELETE:
	case '\b':
		return take_back(text) ? KEYS_CHANGED : KEYS_SAME;
	default:
		if (key < ' ' || key > 0xff || length >= max)
			return KEYS_SAME;
		text[length] = (char)key;
		text[length + 1] = '\0';
		return KEYS_CHANGED;
	}
}
