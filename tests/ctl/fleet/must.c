// SPDX-License-Identifier: GPL-2.0
/*
 * Ends a program: see must.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

void fail(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
	exit(1);
}

void must(int err, const char *what)
{
	if (err)
		fail(what, strerror(-err));
}
