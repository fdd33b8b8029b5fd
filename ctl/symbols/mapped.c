// SPDX-License-Identifier: GPL-2.0
/*
 * Survive files that are truncated while they are read: see mapped.h. Copies of files
 * would do too, but programs can be large, and anyone's may be read.
 */
#include "symbols/mapped.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

/* Where to go on; NULL while no mapped file is read. Only one thread reads them. */
static sigjmp_buf *volatile way_out;

static void leave(int number)
{
	if (way_out)
		siglongjmp(*way_out, 1);
	signal(number, SIG_DFL);
	raise(number);
}

bool mapped_read(void (*function)(void *context), void *context)
{
	const struct sigaction action = { .sa_handler = leave };
	volatile bool has_returned = false;
	struct sigaction before;
	sigjmp_buf here;

	sigaction(SIGBUS, &action, &before);
	if (!sigsetjmp(here, 1)) {
		way_out = &here;
		function(context);
		has_returned = true;
	}
	way_out = NULL;
	sigaction(SIGBUS, &before, NULL);
	return has_returned;
}
