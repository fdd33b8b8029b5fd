// SPDX-License-Identifier: GPL-2.0
/*
 * Open, lock and list the spool: see spool.h.
 */
#include "agent/spool_private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/disk.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/vec.h"
#include "format/pprof/pprof.h"

#define WINDOWS		"windows"
#define DAMAGED		"damaged"
#define LOCK		"lock"
#define AGENT_LOCK	"agent.lock"

/* ---- open and close ---- */

/* Open the directory itself, which whoever names it may name by a link. */
static int open_state(const char *path, struct error *error)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd >= 0 ? fd : error_set(error, -errno, "cannot open the directory %.200s: %s",
					path, strerror(errno));
}

/* @create: make it if it is missing. */
static int open_lock(int directory, const char *name, bool create, struct error *error)
{
	int err = create ? disk_make_file(directory, name, error) : 0;

	return err ?: disk_open_file(directory, name, O_RDWR, error);
}

int spool_open(struct spool *spool, const char *path, bool create, struct error *error)
{
	int err = 0;

	spool->state = spool->windows = spool->ready = spool->lock = spool->agent_lock = -1;
	memset(&spool->ledger, 0, sizeof(spool->ledger));
	if (create)
		err = disk_make_directory(AT_FDCWD, path, error);
	if (!err)
		spool->state = open_state(path, error);
	if (err || spool->state < 0)
		return err ?: spool->state;
	if (create)
		err = disk_make_directory(spool->state, WINDOWS, error) ?:
		      disk_make_directory(spool->state, DAMAGED, error) ?:
		      disk_sync(spool->state, error);
	if (err)
		return err;
	spool->windows = disk_open_inside(spool->state, WINDOWS, error);
	if (spool->windows < 0)
		return spool->windows;
	spool->lock = open_lock(spool->state, LOCK, create, error);
	return spool->lock < 0 ? spool->lock : 0;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void spool_close(struct spool *spool)
{
	close_one(&spool->state);
	close_one(&spool->windows);
	close_one(&spool->ready);
	close_one(&spool->lock);
	close_one(&spool->agent_lock);
}

/* ---- the locks ---- */

/* Read which process has a lock. Return: its id as written there, or "another process". */
static const char *read_owner(int fd, char text[32])
{
	ssize_t size = pread(fd, text, 31, 0);

	text[size > 0 ? size : 0] = '\0';
	text[strspn(text, "0123456789")] = '\0';
	return *text ? text : "another process";
}

bool spool_is_owned(const struct spool *spool)
{
	int fd = disk_open_file(spool->state, AGENT_LOCK, O_RDONLY, NULL);
	bool owned;

	if (fd < 0)
		return false;
	owned = flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
	close(fd);
	return owned;
}

/* Try to lock a file for some time. Return: 0, -EBUSY or another -errno. */
static int try_lock(int fd, int how, uint64_t wait_ns)
{
	const struct timespec pause = { .tv_nsec = 20000000 };
	uint64_t end_ns = clock_monotonic_ns() + wait_ns;

	while (flock(fd, how | LOCK_NB)) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (clock_monotonic_ns() >= end_ns)
			return -EBUSY;
		nanosleep(&pause, NULL);
	}
	return 0;
}

int spool_own(struct spool *spool, struct error *error)
{
	int fd = open_lock(spool->state, AGENT_LOCK, true, error);
	/* spool_is_owned() may have it for a moment */
	int err = fd < 0 ? fd : try_lock(fd, LOCK_EX, 200000000);
	char text[32];

	if (fd < 0)
		return fd;
	if (err) {
		error_set(error, err, err == -EBUSY ?
			  "an agent already uses this directory (process %s): stop it, or name another directory" :
			  "cannot lock the directory, of %s", read_owner(fd, text));
		close(fd);
		return err;
	}
	spool->agent_lock = fd;
	/* only for the message above */
	if (ftruncate(fd, 0) || dprintf(fd, "%d", (int)getpid()) < 0)
		return error_set(error, -errno, "cannot write " AGENT_LOCK ": %s",
				 strerror(errno));
	err = spool_enter(spool, error);
	if (!err)
		spool_leave(spool);
	return err;
}

/* Remove the file of a window that was counted as dropped, if it is still there. */
static int finish_removing(struct spool *spool, struct error *error)
{
	if (!*spool->ledger.removing ||
	    faccessat(spool->windows, spool->ledger.removing, F_OK, AT_SYMLINK_NOFOLLOW))
		return 0;
	return disk_remove(spool->windows, spool->ledger.removing, error) ?:
	       disk_sync(spool->windows, error);
}

static int note_last(void *context, const char *name)
{
	struct window window;
	uint64_t *last = context;

	if (window_parse(name, &window) && window.last > *last)
		*last = window.last;
	return 0;
}

struct last_of_cursors {
	int directory;
	uint64_t last;
};

static int note_cursor(void *context, const char *name)
{
	struct last_of_cursors *of = context;
	struct cursor cursor;

	if (strncmp(name, CURSOR_PREFIX, strlen(CURSOR_PREFIX)) ||
	    cursor_read_file(of->directory, name, &cursor, NULL))
		return 0;
	if (cursor.done > of->last)
		of->last = cursor.done;
	if (cursor.trying > of->last)
		of->last = cursor.trying;
	return 0;
}

/* Call @each for the names of all windows, wherever they are. Return: as disk_each(). */
static int each_window(const struct spool *spool, int (*each)(void *context, const char *name),
		       void *context, struct error *error)
{
	int err = disk_each(spool->windows, each, context, error);

	return !err && spool->ready >= 0 ? disk_each(spool->ready, each, context, error) : err;
}

/*
 * Get a new ledger in place of a damaged one. No window may have the number of an
 * earlier one, as some target would take it for done.
 */
static int renew_ledger(struct spool *spool, struct error *error)
{
	struct last_of_cursors of = { .directory = spool->state };
	uint64_t last = 0;
	int err;

	err = each_window(spool, note_last, &last, error) ?:
	      disk_each(spool->state, note_cursor, &of, error);
	memset(&spool->ledger, 0, sizeof(spool->ledger));
	spool->ledger.made = last > of.last ? last : of.last;
	return err;
}

/* Wait without end for a lock. Return: 0 or -errno. */
static int wait_lock(int fd, int how)
{
	while (flock(fd, how))
		if (errno != EINTR)
			return -errno;
	return 0;
}

static int lock(const struct spool *spool, int how, struct error *error)
{
	uint64_t wait_ns = spool->limits.lock_max_ns;
	char time[DURATION_TEXT];
	struct stat status;
	int err;

	if (fstat(spool->state, &status) || status.st_uid == geteuid())
		err = wait_lock(spool->lock, how);
	else
		err = try_lock(spool->lock, how, wait_ns);
	if (err == -EBUSY)
		return error_set(error, err, "cannot lock the spool: another process has kept it locked for %s: end that process, or try again later",
				 duration_text(time, wait_ns));
	return err ? error_set(error, err, "cannot lock the spool: %s", strerror(-err)) : 0;
}

int spool_enter(struct spool *spool, struct error *error)
{
	int err = lock(spool, LOCK_EX, error);

	if (err)
		return err;
	err = spool_redo(spool, error);
	if (!err) {
		err = ledger_read(spool->state, &spool->ledger, error);
		if (err == -EBADMSG)
			err = renew_ledger(spool, error) ?:
			      spool_set_aside(spool, spool->state, LEDGER_FILE, error) ?:
			      ledger_write(spool->state, &spool->ledger, error);
	}
	err = err ?: finish_removing(spool, error);
	if (err)
		spool_leave(spool);
	return err;
}

int spool_look(struct spool *spool, struct error *error)
{
	int err = lock(spool, LOCK_SH, error);

	if (err)
		return err;
	spool->ready = disk_open_inside(spool->state, SPOOL_READY, error);
	if (spool->ready < 0 && spool->ready != -ENOENT)
		err = spool->ready;
	if (!err) {
		err = ledger_read(spool_place(spool, spool->state, LEDGER_FILE),
				  &spool->ledger, error);
		if (err == -EBADMSG)
			err = renew_ledger(spool, error);
	}
	if (err)
		spool_leave(spool);
	return err;
}

void spool_leave(struct spool *spool)
{
	close_one(&spool->ready);
	flock(spool->lock, LOCK_UN);
}

int spool_place(const struct spool *spool, int usual, const char *name)
{
	return spool->ready >= 0 &&
	       !faccessat(spool->ready, name, F_OK, AT_SYMLINK_NOFOLLOW) ? spool->ready : usual;
}

/* ---- the windows ---- */

struct scan {
	const struct spool *spool;
	struct spool_list *list;
};

static int scan_name(void *context, const char *name)
{
	const struct scan *scan = context;
	struct spool_list *list = scan->list;
	struct spool_entry entry;
	struct stat status;

	if (!window_parse(name, &entry.window) ||
	    !strcmp(name, scan->spool->ledger.removing) ||
	    fstatat(spool_place(scan->spool, scan->spool->windows, name), name, &status,
		    AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(status.st_mode))
		return 0;
	entry.bytes = (uint64_t)status.st_size;
	entry.time_ns = status.st_mtim.tv_sec * INT64_C(1000000000) + status.st_mtim.tv_nsec;
	if (vec_reserve(list->entries, list->room, list->nr + 1))
		return -ENOMEM;
	list->entries[list->nr++] = entry;
	return 0;
}

/* In order of the first window; of those that start together, the longest first. */
static int compare(const void *left, const void *right)
{
	const struct window *a = &((const struct spool_entry *)left)->window;
	const struct window *b = &((const struct spool_entry *)right)->window;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return a->last > b->last ? -1 : a->last < b->last;
}

int spool_scan(const struct spool *spool, struct spool_list *list, struct error *error)
{
	struct scan scan = { spool, list };
	size_t kept = 0;
	int err;

	list->nr = 0;
	list->bytes = 0;
	err = each_window(spool, scan_name, &scan, error);
	if (err == -ENOMEM)
		error_set(error, err, "%s", strerror(-err));
	if (err)
		return err;
	if (list->nr)
		qsort(list->entries, list->nr, sizeof(*list->entries), compare);
	for (size_t i = 0; i < list->nr; i++) {
		list->bytes += list->entries[i].bytes;
		/* a merge did not come to remove its parts */
		if (kept && list->entries[i].window.last <=
			    list->entries[kept - 1].window.last)
			continue;
		list->entries[kept++] = list->entries[i];
	}
	list->nr = kept;
	return 0;
}

int spool_list(struct spool *spool, struct spool_list *list, struct error *error)
{
	int err = spool_look(spool, error);

	if (err)
		return err;
	err = spool_scan(spool, list, error);
	spool_leave(spool);
	return err;
}

int spool_write_profile(const void *profile, FILE *out, struct error *error)
{
	return pprof_write(profile, out, error);
}

int spool_write_last(const void *profile, FILE *out, struct error *error)
{
	return pprof_write_fast(profile, out, error);
}

int spool_read_file(int directory, const char *name, struct profile **profile,
		    struct error *error)
{
	FILE *in;
	int err = disk_read(directory, name, &in, error);

	if (err)
		return err;
	err = pprof_read(in, name, profile, error);
	fclose(in);
	if (err)
		return err;
	err = profile_check(*profile, error);
	if (err)
		profile_destroy(*profile);
	return err;
}

int spool_read(const struct spool *spool, const struct window *window,
	       struct profile **profile, struct error *error)
{
	char name[WINDOW_NAME];
	uint64_t periods;
	int err;

	window_name(window, name);
	err = spool_read_file(spool_place(spool, spool->windows, name), name, profile, error);
	if (err)
		return err;
	periods = (*profile)->books.fires + (*profile)->books.missed;
	if (periods == window->periods)
		return 0;
	profile_destroy(*profile);
	return error_set(error, -EBADMSG, "%s: it has %" PRIu64 " periods", name, periods);
}

/* ---- what is given up ---- */

static int count_name(void *context, const char *name)
{
	(void)name;
	return ++*(unsigned int *)context > SPOOL_DAMAGED_MAX;
}

int spool_set_aside(const struct spool *spool, int directory, const char *name,
		    struct error *error)
{
	int damaged = disk_open_inside(spool->state, DAMAGED, error), err;
	unsigned int nr = 0;

	if (damaged < 0)
		return damaged;
	err = disk_each(damaged, count_name, &nr, error);
	if (err >= 0)
		err = nr < SPOOL_DAMAGED_MAX ?
		      disk_rename(directory, name, damaged, name, error) :
		      disk_remove(directory, name, error);
	err = err ?: disk_sync(directory, error);
	close(damaged);
	return err;
}

int spool_drop(struct spool *spool, const struct window *window, enum ledger_drop reason,
	       struct error *error)
{
	struct ledger *ledger = &spool->ledger;
	char name[WINDOW_NAME];
	int err = 0;

	window_name(window, name);
	/* once, even if it could not be removed after it was counted */
	if (strcmp(ledger->removing, name)) {
		ledger->dropped[reason] += window->last - window->first + 1;
		ledger->dropped_periods[reason] += window->periods;
		strcpy(ledger->removing, name);
		err = ledger_write(spool->state, ledger, error);
	}
	if (err)
		return err;
	return reason == LEDGER_DROP_DAMAGED ?
	       spool_set_aside(spool, spool->windows, name, error) :
	       disk_remove(spool->windows, name, error) ?:
	       disk_sync(spool->windows, error);
}
