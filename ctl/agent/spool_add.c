// SPDX-License-Identifier: GPL-2.0
/*
 * Add a window to the spool, and read the profile that the next one starts from: see
 * spool.h.
 */
#include "agent/spool_private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "agent/disk.h"

static const char *last_name(const char *boot, char name[WINDOW_NAME])
{
	snprintf(name, WINDOW_NAME, SPOOL_LAST_PREFIX "%s" WINDOW_ENDING, boot);
	return name;
}

struct staged {
	int directory;
	struct error *error;
};

static int remove_staged(void *context, const char *name)
{
	const struct staged *staged = context;

	return disk_remove(staged->directory, name, staged->error);
}

/* Remove what was written, but not added. */
static int undo(const struct spool *spool, struct error *error)
{
	struct staged staged = { .error = error };
	int err;

	staged.directory = disk_open_inside(spool->state, SPOOL_NEXT, error);
	if (staged.directory < 0)
		return staged.directory == -ENOENT ? 0 : staged.directory;
	err = disk_each(staged.directory, remove_staged, &staged, error);
	close(staged.directory);
	return err ?: disk_remove_directory(spool->state, SPOOL_NEXT, error);
}

static int write_pause(const struct spool *spool, int next, const struct pause *changed,
		       struct error *error)
{
	struct pause pause;
	bool applies;
	int err = spool_pause_change(spool, changed, &pause, &applies, error);

	return err || !applies ? err : disk_write(next, PAUSE_FILE, pause_print, &pause,
						  error);
}

static int write_all(const struct spool *spool, int next,
		     const struct spool_addition *addition, const struct ledger *ledger,
		     struct error *error)
{
	char name[WINDOW_NAME];
	int err = 0;

	if (addition->profile)
		err = disk_write(next, window_name(addition->window, name),
				 spool_write_profile, addition->profile, error);
	if (!err && addition->last)
		err = disk_write(next, last_name(addition->boot, name),
				 spool_write_last, addition->last, error);
	if (!err && addition->pause)
		err = write_pause(spool, next, addition->pause, error);
	return err ?: disk_write(next, LEDGER_FILE, ledger_print, ledger, error) ?:
	       disk_sync(next, error);
}

static int stage(const struct spool *spool, const struct spool_addition *addition,
		 const struct ledger *ledger, struct error *error)
{
	int next, err = disk_make_directory(spool->state, SPOOL_NEXT, error);

	if (err)
		return err;
	next = disk_open_inside(spool->state, SPOOL_NEXT, error);
	if (next < 0)
		return next;
	err = write_all(spool, next, addition, ledger, error);
	close(next);
	return err ?: disk_sync(spool->state, error);
}

static void number(struct spool_addition *addition, struct ledger *ledger)
{
	struct window *window = addition->window;

	ledger_sum(ledger, &addition->counts);
	if (!addition->profile)
		return;
	window->first = window->last = ++ledger->made;
	window->periods = addition->profile->books.fires + addition->profile->books.missed;
	ledger->made_periods += window->periods;
}

static int add(struct spool *spool, struct spool_addition *addition, struct error *error)
{
	struct ledger ledger = spool->ledger;
	struct error later;
	int err = undo(spool, error);

	if (err)
		return err;
	number(addition, &ledger);
	err = stage(spool, addition, &ledger, error) ?:
	      disk_rename(spool->state, SPOOL_NEXT, spool->state, SPOOL_READY, error);
	if (err) {
		undo(spool, &later);
		return err;
	}
	/*
	 * It is added. Whatever fails from here on is tried again by the next one who
	 * has the lock.
	 */
	spool->ledger = ledger;
	if (!disk_sync(spool->state, &later))
		spool_redo(spool, &later);
	return 0;
}

int spool_add(struct spool *spool, struct spool_addition *addition, struct error *error)
{
	int err = spool_enter(spool, error);

	if (err)
		return err;
	err = add(spool, addition, error);
	spool_leave(spool);
	return err;
}

struct boots {
	const char *name;
	bool other;
};

static int note_boot(void *context, const char *name)
{
	struct boots *boots = context;

	if (!strncmp(name, SPOOL_LAST_PREFIX, strlen(SPOOL_LAST_PREFIX)) &&
	    strcmp(name, boots->name))
		boots->other = true;
	return 0;
}

static int read_last(struct spool *spool, const char *name, struct profile **last,
		     struct error *error)
{
	struct error ignored;
	int err = 0;

	*last = NULL;
	if (!faccessat(spool->state, name, F_OK, AT_SYMLINK_NOFOLLOW))
		err = spool_read_file(spool->state, name, last, error);
	if (err == -EBADMSG)
		spool_set_aside(spool, spool->state, name, &ignored);
	if (err)
		*last = NULL;
	return err;
}

int spool_last(struct spool *spool, const char *boot, struct profile **last,
	       bool *other_boot, struct error *error)
{
	char name[WINDOW_NAME];
	struct boots boots = { last_name(boot, name), false };
	int err = spool_enter(spool, error);

	if (err)
		return err;
	err = disk_each(spool->state, note_boot, &boots, error) ?:
	      read_last(spool, name, last, error);
	*other_boot = boots.other;
	spool_leave(spool);
	return err;
}
