// SPDX-License-Identifier: GPL-2.0
/*
 * Error messages: see error.h.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

int error_set(struct error *error, int code, const char *format, ...)
{
	va_list args;

	if (!error)
		return code;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return code;
}
