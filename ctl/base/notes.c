// SPDX-License-Identifier: GPL-2.0
/*
 * Collect remarks about an input: see notes.h.
 */
#include "base/notes.h"

#include <stdarg.h>
#include <stdio.h>

void notes_add(struct notes *notes, const char *format, ...)
{
	char text[480];
	va_list args;

	if (!notes || notes->nr++ >= NOTES_MAX)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(notes->text[notes->nr - 1], sizeof(notes->text[0]),
		 "%.100s%s%s", notes->file ?: "", notes->file ? ": " : "", text);
}
