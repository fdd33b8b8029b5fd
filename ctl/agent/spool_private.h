/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that the files of the spool share. They hold no lock: their callers do.
 */
#ifndef FLAMECTL_AGENT_SPOOL_PRIVATE_H
#define FLAMECTL_AGENT_SPOOL_PRIVATE_H

#include "agent/spool.h"

#define SPOOL_LAST_PREFIX	"last-"
#define SPOOL_NEXT		"next"
#define SPOOL_READY		"ready"

/**
 * spool_enter() - take the lock, complete what was left, and read the ledger.
 *
 * Return: 0, and then the caller calls spool_leave(); or -errno.
 */
int spool_enter(struct spool *spool, struct error *error);

/**
 * spool_look() - take the lock for looking only, and read the ledger.
 *
 * This changes nothing on disk, so that who looks may be another user than the agent's. What
 * spool_enter() would complete is seen as if it had been.
 *
 * Return: as spool_enter().
 */
int spool_look(struct spool *spool, struct error *error);

/** spool_leave() - release the lock. */
void spool_leave(struct spool *spool);

/** spool_place() - return the directory that has @name now: ready/ or the @usual one. */
int spool_place(const struct spool *spool, int usual, const char *name);

/** spool_scan() - list all windows; parts of merged ones are left out. */
int spool_scan(const struct spool *spool, struct spool_list *list, struct error *error);

/**
 * spool_read() - read a window, and check it.
 *
 * Return: 0, -EBADMSG if it is damaged, -ENOENT, or another -errno.
 */
int spool_read(const struct spool *spool, const struct window *window,
	       struct profile **profile, struct error *error);

/** spool_drop() - count a window as dropped, then remove its file or set it aside. */
int spool_drop(struct spool *spool, const struct window *window, enum ledger_drop reason,
	       struct error *error);

/** spool_set_aside() - move a damaged file to damaged/. */
int spool_set_aside(const struct spool *spool, int directory, const char *name,
		    struct error *error);

/** spool_redo() - move the files of ready/ to their places. */
int spool_redo(const struct spool *spool, struct error *error);

/**
 * spool_pause_change() - apply what became of a pause to the one that the spool has now.
 * @pause: the spool's, changed
 * @applies: set to whether it is to be written: it is still the same pause
 *
 * Return: 0 or -errno.
 */
int spool_pause_change(const struct spool *spool, const struct pause *changed,
		       struct pause *pause, bool *applies, struct error *error);

/** spool_cursor() - read a cursor; a damaged one is counted, set aside and all zero. */
int spool_cursor(struct spool *spool, const char *target, struct cursor *cursor,
		 struct error *error);

/** spool_write_profile() - save a profile; a disk_write_fn. */
int spool_write_profile(const void *profile, FILE *out, struct error *error);

/** spool_write_last() - the same, of what the next window starts from: it is soon replaced. */
int spool_write_last(const void *profile, FILE *out, struct error *error);

/** spool_read_file() - read a profile. Return: as spool_read(). */
int spool_read_file(int directory, const char *name, struct profile **profile,
		    struct error *error);

#endif /* FLAMECTL_AGENT_SPOOL_PRIVATE_H */
