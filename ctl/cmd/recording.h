/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording under way, of flamectl record: what was asked for, what there is to
 * undo, and the steps from one to the other. They print warnings, as the command's.
 */
#ifndef FLAMECTL_RECORDING_H
#define FLAMECTL_RECORDING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/child.h"
#include "base/error.h"
#include "base/output.h"
#include "profile/profile.h"
#include "wire/nl.h"
#include "wire/slicer.h"

#define NSEC_PER_SEC	1000000000ULL

struct recording {
	/* what was asked for */
	struct profile_settings settings;
	unsigned int mask;			/* of SETTING() */
	uint64_t duration_ns;			/* 0: until a signal */
	const char *path;			/* NULL: the default, and its file is kept */
	char **argv;				/* NULL: no command */
	bool only;				/* nothing but that */
	bool shows_progress, tells_result;
	bool no_load, quiet;
	/* what there is to undo */
	struct nl *nl;
	struct output output;
	struct child child;
	struct profile *status;			/* as it was before */
	struct slicer slicer;			/* deltas.seen: NULL: there was nothing */
	bool running;				/* sampling was not started here */
	bool started;				/* it was, and is not yet stopped */
	bool filtered;				/* the module's pids are ours */
	bool follows;				/* the module follows the command */
	int code;				/* to exit with, on an error */
	struct timespec began;			/* of CLOCK_REALTIME */
};

/* The second signal that ends a recording came: it is to be given up. */
extern volatile sig_atomic_t recording_aborted;

/** recording_now_ns() - CLOCK_MONOTONIC. */
uint64_t recording_now_ns(void);

/**
 * recording_plan() - start, or take part in what runs?
 *
 * Return: 0, or -errno with @error saying why neither can be.
 */
int recording_plan(struct recording *r, struct error *error);

/** recording_start() - sample, and let the command go. Return: 0 or -errno. */
int recording_start(struct recording *r, struct error *error);

/** recording_stop() - what was started; more than once is fine. Return: 0 or -errno. */
int recording_stop(struct recording *r, struct error *error);

/** recording_restore() - the module's filters are again what they were. */
void recording_restore(struct recording *r);

/**
 * recording_cut() - what happened from the start until now, of those that were asked
 * for.
 *
 * Return: 0 with @profile the caller's, or -errno; it may be the caller's then, too.
 */
int recording_cut(struct recording *r, struct profile **profile,
		  struct error *error);

/**
 * recording_finish() - say in @profile what was recorded and when, and warn of what
 * others did meanwhile.
 *
 * Return: 0, or -EBADMSG where its books do not balance.
 */
int recording_finish(struct recording *r, struct profile *profile,
		     struct error *error);

/**
 * recording_catch() - from here on signals end the recording.
 * @caught: set to them.
 */
void recording_catch(const struct recording *r, sigset_t *caught);

/**
 * recording_wait() - until the command ends, the time is over, or a signal comes;
 * slices are taken meanwhile.
 *
 * Return: 0 or -errno.
 */
int recording_wait(struct recording *r, const sigset_t *caught,
		   struct error *error);

/** recording_await() - until the command ends. Return: its exit code, as ours. */
int recording_await(struct recording *r, const sigset_t *caught);

#endif /* FLAMECTL_RECORDING_H */
