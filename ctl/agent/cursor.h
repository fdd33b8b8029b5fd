/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How far a target has got: a small file for each in the spool's directory, "cursor-HASH".
 */
#ifndef FLAMECTL_AGENT_CURSOR_H
#define FLAMECTL_AGENT_CURSOR_H

#include <stdint.h>

#include "base/error.h"

#define CURSOR_PREFIX		"cursor-"
#define CURSOR_TARGET_MAX	1024

struct cursor {
	char target[CURSOR_TARGET_MAX];	/* as the caller names it; no secret */
	uint64_t done;			/* windows up to this number need no more */
	/*
	 * The window that is being sent, by its last number. If it is above done when an
	 * agent starts, the earlier agent ended while it was sending: the target may have it.
	 */
	uint64_t trying;
	uint64_t taken, taken_periods;	/* windows that the target has, and theirs */
	uint64_t refused, refused_periods;	/* that it does not want */
	uint64_t too_old, too_old_periods;	/* that came too late for it */
	uint64_t doubtful, doubtful_periods;	/* given up, as it may have them */
	uint64_t missed;		/* dropped before it got them, by number */
	uint64_t success;		/* CLOCK_REALTIME in s of the last that was taken */
	uint64_t failures;		/* attempts that failed since then */
	char error[256];		/* why the last one failed; "" after a success */
};

/**
 * cursor_read() - read the cursor of a target.
 * @directory: of the spool.
 * @cursor: set; all zero except the target if there is none yet.
 *
 * Return: 0, -EBADMSG for a damaged file, or another -errno; @error is set.
 */
int cursor_read(int directory, const char *target, struct cursor *cursor,
		struct error *error);

/** cursor_read_file() - the same by the file's name. */
int cursor_read_file(int directory, const char *name, struct cursor *cursor,
		     struct error *error);

/** cursor_write() - replace the file; it is on disk then. */
int cursor_write(int directory, const struct cursor *cursor, struct error *error);

/* "cursor-0123456789abcdef" and a NUL */
#define CURSOR_NAME	24

/** cursor_name() - write the file's name. Return: @name. */
const char *cursor_name(const char *target, char name[CURSOR_NAME]);

#endif /* FLAMECTL_AGENT_CURSOR_H */
