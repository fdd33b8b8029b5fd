// SPDX-License-Identifier: GPL-2.0
/*
 * Detect that the reader of stdout is gone, and end by SIGPIPE: see broken_pipe.h.
 */
#include "base/broken_pipe.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* SIGPIPE would have ended flamectl: it was not ignored at the start. */
static bool expected;

void broken_pipe_expect(void)
{
	expected = signal(SIGPIPE, SIG_IGN) == SIG_DFL;
}

bool broken_pipe_seen(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return expected && ferror(stdout) && poll(&out, 1, 0) == 1 &&
	       out.revents & POLLERR;
}

void broken_pipe_die(void)
{
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
}
