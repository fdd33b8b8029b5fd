/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Handle a standard output whose reader has gone, for example head.
 *
 * flamectl then ends as git, perf and cat do: without a message, killed by
 * SIGPIPE, which shells show as status 141. It raises the signal last, after
 * cleaning up: sampling is stopped, temporary files are removed. If flamectl
 * was started with SIGPIPE ignored, it prints a message and exits with status
 * 1.
 */
#ifndef FLAMECTL_BROKEN_PIPE_H
#define FLAMECTL_BROKEN_PIPE_H

#include <stdbool.h>

/**
 * broken_pipe_expect() - make writes fail instead of killing; call once, first.
 */
void broken_pipe_expect(void);

/**
 * broken_pipe_seen() - report whether a write to stdout failed for want of a
 * reader.
 */
bool broken_pipe_seen(void);

/** broken_pipe_die() - end by SIGPIPE. Returns only if that is blocked. */
void broken_pipe_die(void);

#endif /* FLAMECTL_BROKEN_PIPE_H */
