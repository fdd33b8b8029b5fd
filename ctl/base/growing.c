// SPDX-License-Identifier: GPL-2.0
/*
 * A text that grows: see growing.h.
 */
#include "base/growing.h"

#include <stdarg.h>
#include <stdio.h>

void growing_add(struct growing *to, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(to->text + to->used, to->room - to->used, format, args);
	va_end(args);
	if (length > 0)
		to->used += (size_t)length;
	if (to->used >= to->room)
		to->used = to->room - 1;
}
