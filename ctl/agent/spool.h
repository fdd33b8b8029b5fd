/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The spool: a directory of saved windows that wait to be sent, what the agent needs to
 * make the next one, and how far each target has got.
 *
 *   windows/FIRST-LAST-BOOT-EPOCH-BEGIN-END-PERIODS.pb.gz    see window.h
 *   last-BOOT.pb.gz    what the module held at the end of the last window, see chain.h
 *   cursor-HASH        see cursor.h
 *   ledger             see ledger.h
 *   pause              see pause.h
 *   damaged/           files that could not be read, at most SPOOL_DAMAGED_MAX
 *   next/, ready/      a window that is being added: see spool_add()
 *   agent.lock, lock   see below
 *
 * A process may be killed, and the machine may lose power, at any moment: what was added
 * is there once. Other processes may use the directory meanwhile.
 *
 * Locking: one agent has a directory at a time; it holds agent.lock until it ends. Each
 * function here holds the flock(2) of lock while it looks at files or changes them. Those
 * that change files first complete what another process that ended has left; spool_list(),
 * spool_pause() and spool_peek() change none. Each process opens the spool itself, because
 * processes that inherit a descriptor would share its lock.
 *
 * The directory may belong to another user than the caller: root asks what the agent does.
 * So nothing here follows a link in it, waits for a pipe, or trusts a name in a file.
 */
#ifndef FLAMECTL_AGENT_SPOOL_H
#define FLAMECTL_AGENT_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/cursor.h"
#include "agent/ledger.h"
#include "agent/pause.h"
#include "agent/window.h"
#include "base/error.h"
#include "profile/profile.h"

#define SPOOL_DAMAGED_MAX	16

struct spool_limits {
	uint64_t bytes_max;		/* of all windows */
	uint64_t age_max_ns;		/* since a window ended */
	uint64_t merged_max_ns;		/* the longest window that others are merged to */
	uint64_t lock_max_ns;		/* another user than the agent's waits so long for it */
};

#define SPOOL_LIMITS_DEFAULT { \
	.bytes_max = 256 << 20, \
	.age_max_ns = 7ULL * 24 * 3600 * 1000000000, \
	.merged_max_ns = 3600ULL * 1000000000, \
	.lock_max_ns = 30ULL * 1000000000 \
}

struct spool {
	struct spool_limits limits;	/* by the caller */
	int state, windows;		/* directories */
	int ready;			/* -1, but while it is looked at: see spool_look() */
	int lock, agent_lock;		/* files; agent_lock -1: not owned */
	struct ledger ledger;		/* while locked, and as it was at the last time */
};

/* A file in windows/. */
struct spool_entry {
	struct window window;
	uint64_t bytes;
	int64_t time_ns;		/* CLOCK_REALTIME when it was written */
};

/* In order of number. */
struct spool_list {
	struct spool_entry *entries;
	size_t nr, room;
	uint64_t bytes;			/* of all */
};

/**
 * spool_open() - open the spool in a directory.
 * @create: make what is missing, also the directory itself, but not its parent.
 *
 * Return: 0, or -errno with @error; call spool_close() in both cases.
 */
int spool_open(struct spool *spool, const char *path, bool create, struct error *error);

/** spool_close() - close it, and let another agent have it. */
void spool_close(struct spool *spool);

/**
 * spool_own() - become the agent of this directory, and remove what an earlier one left
 * unfinished.
 *
 * Return: 0, -EBUSY if another agent has it, or another -errno.
 */
int spool_own(struct spool *spool, struct error *error);

/** spool_is_owned() - report whether an agent has this directory now. */
bool spool_is_owned(const struct spool *spool);

/* What is added at once. */
struct spool_addition {
	const struct profile *profile;	/* of the window; NULL: there is none */
	struct window *window;		/* its numbers are set */
	const struct profile *last;	/* replaces last-BOOT.pb.gz; NULL: it stays */
	const char *boot;
	/* what became of this pause: all but its times, which users may change; or NULL */
	const struct pause *pause;
	struct ledger counts;		/* to be added to the ledger */
};

/**
 * spool_add() - add a window, and replace the profile that the next one starts from.
 *
 * All files are written to next/, which is then renamed to ready/: from then on they are
 * added. They are moved to their places after that, by this process or by the next one.
 *
 * Return: 0 if they are added; or -errno, and nothing has changed.
 */
int spool_add(struct spool *spool, struct spool_addition *addition, struct error *error);

/**
 * spool_last() - read what the module held at the end of the last window of this boot.
 * @last: NULL if there is none
 * @other_boot: set to whether there is one of another boot
 *
 * Return: 0, -EBADMSG if it is damaged, which is set aside; or another -errno.
 */
int spool_last(struct spool *spool, const char *boot, struct profile **last,
	       bool *other_boot, struct error *error);

/**
 * spool_list() - list all windows, and update ->ledger.
 * @list: all zero at first; free ->entries in the end.
 */
int spool_list(struct spool *spool, struct spool_list *list, struct error *error);

/** spool_pause() - read the pause; all zero if there is none, or it was damaged. */
int spool_pause(struct spool *spool, struct pause *pause, struct error *error);

/**
 * spool_pause_ask() - ask the agent of this directory to pause.
 * @ns: from now on, at most PAUSE_MAX_NS.
 * @pause: set to what is in the file then.
 *
 * If it pauses already, that pause lasts until then.
 */
int spool_pause_ask(struct spool *spool, const struct pause_now *now, uint64_t ns,
		    struct pause *pause, struct error *error);

/** spool_pause_end() - ask it to go on. @pause: as for spool_pause_ask(). */
int spool_pause_end(struct spool *spool, const struct pause_now *now, struct pause *pause,
		    struct error *error);

/* A window to be sent. */
struct spool_sending {
	struct window window;
	struct profile *profile;
	/* an earlier attempt was neither taken nor refused: the target may have it */
	bool is_doubtful;
};

/* How many windows are sent together: the first one, and more up to both. */
struct spool_batch {
	size_t windows;
	uint64_t bytes;			/* of their files, as they are all in memory at once */
};

/**
 * spool_next() - get the oldest window that a target does not have.
 * @target: its name, as CURSOR_TARGET_MAX bounds it. A new target starts with the oldest
 *	    window of all.
 *
 * It is noted as being sent, until spool_done() or spool_failed(), and stays as it is.
 *
 * Return: 1 with @sending set, whose profile the caller destroys; 0 if there is none; or
 * -errno.
 */
int spool_next(struct spool *spool, const char *target, struct spool_sending *sending,
	       struct error *error);

/**
 * spool_next_batch() - get the oldest windows that a target does not have, in order.
 * @batch: how many at most
 * @sending: @batch->windows of them
 *
 * All are noted as being sent, as by spool_next(). Those that are doubtful, as an earlier
 * attempt may have been taken, are never together with others.
 *
 * Return: how many; or -errno.
 */
int spool_next_batch(struct spool *spool, const char *target,
		     const struct spool_batch *batch, struct spool_sending *sending,
		     struct error *error);

/** spool_peek() - the same, but note nothing; a window that is damaged is an error. */
int spool_peek(struct spool *spool, const char *target, struct spool_sending *sending,
	       struct error *error);

/* What became of a window. */
enum spool_outcome {
	SPOOL_TAKEN,
	SPOOL_REFUSED,			/* and it would be again */
	SPOOL_TOO_OLD,			/* it came too late for this target */
	SPOOL_DOUBTFUL,			/* it is given up, though the target may have it */
};

/**
 * spool_done() - go on to the next window of a target.
 *
 * If a batch is being sent, its other windows still are.
 */
int spool_done(struct spool *spool, const char *target, const struct window *window,
	       enum spool_outcome outcome, uint64_t now_s, struct error *error);

/** spool_done_batch() - the same for @nr windows in order, at once. */
int spool_done_batch(struct spool *spool, const char *target,
		     const struct spool_sending *sending, size_t nr,
		     enum spool_outcome outcome, uint64_t now_s, struct error *error);

/**
 * spool_failed() - note why windows were not sent; they are tried again.
 * @why: NULL: they are sent again at once, in smaller batches.
 * @is_doubtful: the target may have it.
 */
int spool_failed(struct spool *spool, const char *target, const char *why,
		 bool is_doubtful, struct error *error);

/* The time, for ages. */
struct spool_now {
	const char *boot;
	uint64_t monotonic_ns;
	int64_t real_ns;
};

/**
 * spool_tidy() - remove windows that all targets have, and keep the limits.
 * @targets: @nr names; with none, windows stay until a limit is reached.
 *
 * Windows above the age are dropped. If there are too many bytes, neighbours that
 * follow each other are merged: those that are shortest together, the oldest of these.
 * Windows that no merge makes smaller are dropped, the oldest first. What a target has in
 * part, or perhaps has, is not merged: its sum would count twice.
 *
 * Return: 0 or -errno.
 */
int spool_tidy(struct spool *spool, const char *const *targets, size_t nr,
	       const struct spool_now *now, struct error *error);

#endif /* FLAMECTL_AGENT_SPOOL_H */
