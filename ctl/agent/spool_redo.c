// SPDX-License-Identifier: GPL-2.0
/*
 * Complete the addition of a window: see spool_add().
 */
#include "agent/spool_private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "agent/disk.h"

struct redo {
	const struct spool *spool;
	int ready;
	char last[WINDOW_NAME];		/* the profile that the next window starts from */
	struct error *error;
};

static int move(void *context, const char *name)
{
	struct redo *redo = context;
	struct window window;

	if (!strncmp(name, SPOOL_LAST_PREFIX, strlen(SPOOL_LAST_PREFIX)))
		snprintf(redo->last, sizeof(redo->last), "%s", name);
	return disk_rename(redo->ready, name, window_parse(name, &window) ?
			   redo->spool->windows : redo->spool->state, name, redo->error);
}

/* Remove what an earlier boot left: nothing can start from it any more. */
static int remove_earlier(void *context, const char *name)
{
	struct redo *redo = context;

	if (strncmp(name, SPOOL_LAST_PREFIX, strlen(SPOOL_LAST_PREFIX)) ||
	    !strcmp(name, redo->last))
		return 0;
	return disk_remove(redo->spool->state, name, redo->error);
}

int spool_redo(const struct spool *spool, struct error *error)
{
	struct redo redo = { .spool = spool, .error = error };
	int err;

	redo.ready = disk_open_inside(spool->state, SPOOL_READY, error);
	if (redo.ready < 0)
		return redo.ready == -ENOENT ? 0 : redo.ready;
	err = disk_each(redo.ready, move, &redo, error) ?:
	      disk_sync(spool->windows, error) ?: disk_sync(spool->state, error);
	close(redo.ready);
	if (!err && *redo.last)
		err = disk_each(spool->state, remove_earlier, &redo, error);
	return err ?: disk_remove_directory(spool->state, SPOOL_READY, error) ?:
	       disk_sync(spool->state, error);
}
