/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A pause of the agent: until when it does not sample. It is the file "pause" in the
 * spool's directory, so that an agent that starts again knows of it.
 *
 * A user asks for a pause, the agent begins it once it has saved a window and stopped
 * sampling, and the agent notes its end once it samples again. The file stays; ->over says
 * that it means nothing any more.
 */
#ifndef FLAMECTL_AGENT_PAUSE_H
#define FLAMECTL_AGENT_PAUSE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "agent/window.h"
#include "base/error.h"

#define PAUSE_FILE	"pause"

/* The longest: a pause that somebody forgot ends within a day. */
#define PAUSE_MAX_NS	(24ULL * 3600 * 1000000000)
#define PAUSE_MIN_NS	1000000000ULL

/* The time, for pauses. */
struct pause_now {
	const char *boot;		/* this run of the kernel */
	uint64_t boot_ns;		/* CLOCK_BOOTTIME, which nobody can set */
};

struct pause {
	char boot[WINDOW_BOOT];		/* the run of the kernel in which it was asked for */
	uint64_t number;		/* counts the pauses of this directory; 0: none yet */
	uint64_t asked_ns, until_ns;	/* CLOCK_BOOTTIME of that run */
	uint64_t begun;			/* 1: the agent has stopped sampling */
	uint64_t over;			/* 1: the agent has gone on */
	uint64_t shared;		/* 1: what others had started went on */
	uint64_t hz;			/* the rate to go on at; 0: as set then */
};

/**
 * pause_read() - read the pause of a directory; all zero if there was none yet.
 *
 * Return: 0, -EBADMSG for a damaged file, one that lasts too long among them, or another
 * -errno; @error is set.
 */
int pause_read(int directory, struct pause *pause, struct error *error);

/** pause_write() - replace the file; it is on disk then. */
int pause_write(int directory, const struct pause *pause, struct error *error);

/** pause_print() - write the file's content; a disk_write_fn. */
int pause_print(const void *pause, FILE *out, struct error *error);

/**
 * pause_left_ns() - return for how long the agent is not to sample from now on; 0: it may.
 */
uint64_t pause_left_ns(const struct pause *pause, const struct pause_now *now);

/** pause_is_held() - report whether the agent has begun a pause and not gone on since. */
bool pause_is_held(const struct pause *pause, const struct pause_now *now);

#endif /* FLAMECTL_AGENT_PAUSE_H */
