/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Standard output whose reader went away, as head does when it has enough.
 *
 * flamectl then ends as git, perf and cat do: without a message, killed by
 * SIGPIPE, which shells show as status 141. The signal comes last, after
 * everything was undone that there was to undo: sampling is stopped, temporary
 * files are removed. Whoever started flamectl with SIGPIPE ignored wants to be
 * told instead, and gets a message and status 1.
 */
#ifndef FLAMECTL_BROKEN_PIPE_H
#define FLAMECTL_BROKEN_PIPE_H

#include <stdbool.h>

/** broken_pipe_expect() - have writes fail instead of killing; once, at first. */
void broken_pipe_expect(void);

/** broken_pipe_seen() - did a write to stdout fail since nobody reads it? */
bool broken_pipe_seen(void);

/** broken_pipe_die() - end by SIGPIPE. Returns only where that is blocked. */
void broken_pipe_die(void);

#endif /* FLAMECTL_BROKEN_PIPE_H */
