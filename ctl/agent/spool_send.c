// SPDX-License-Identifier: GPL-2.0
/*
 * Give the windows of the spool to targets, one after another: see spool.h.
 */
#include "agent/spool_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

int spool_cursor(struct spool *spool, const char *target, struct cursor *cursor,
		 struct error *error)
{
	char name[CURSOR_NAME];
	int err = cursor_read(spool->state, target, cursor, error);

	if (err != -EBADMSG)
		return err;
	memset(cursor, 0, sizeof(*cursor));
	strcpy(cursor->target, target);
	spool->ledger.lost_cursors++;
	return ledger_write(spool->state, &spool->ledger, error) ?:
	       spool_set_aside(spool, spool->state, cursor_name(target, name), error);
}

static bool has_cursor(const struct spool *spool, const char *target)
{
	char name[CURSOR_NAME];

	return !faccessat(spool->state, cursor_name(target, name), F_OK,
			  AT_SYMLINK_NOFOLLOW);
}

/* Find the oldest window that a target does not have. Return: it, or NULL. */
static const struct window *find(const struct spool_list *list, const struct cursor *cursor)
{
	for (size_t i = 0; i < list->nr; i++)
		if (list->entries[i].window.last > cursor->done)
			return &list->entries[i].window;
	return NULL;
}

/* Note that @window is being sent. What is missing before it was dropped. */
static int note(struct spool *spool, struct cursor *cursor, const struct window *window,
		bool is_new, struct error *error)
{
	if (window->first > cursor->done + 1) {
		if (!is_new)
			cursor->missed += window->first - 1 - cursor->done;
		cursor->done = window->first - 1;
	}
	cursor->trying = window->last;
	return cursor_write(spool->state, cursor, error);
}

/* Return: as spool_next(); -EBADMSG if the window is damaged: it is dropped then. */
static int next(struct spool *spool, const char *target, struct spool_list *list,
		struct spool_sending *sending, struct error *error)
{
	bool is_new = !has_cursor(spool, target);
	const struct window *window;
	struct cursor cursor;
	int err, dropped;

	err = spool_cursor(spool, target, &cursor, error) ?:
	      spool_scan(spool, list, error);
	if (err)
		return err;
	window = find(list, &cursor);
	if (!window)
		return 0;
	sending->is_doubtful = cursor.trying >= window->last;
	err = note(spool, &cursor, window, is_new, error) ?:
	      spool_read(spool, window, &sending->profile, error);
	if (err == -EBADMSG) {
		dropped = spool_drop(spool, window, LEDGER_DROP_DAMAGED, error);
		return dropped ?: err;
	}
	sending->window = *window;
	return err ?: 1;
}

int spool_next(struct spool *spool, const char *target, struct spool_sending *sending,
	       struct error *error)
{
	struct spool_list list = { .nr = 0 };
	int found = spool_enter(spool, error);

	if (found)
		return found;
	do
		found = next(spool, target, &list, sending, error);
	while (found == -EBADMSG);
	spool_leave(spool);
	free(list.entries);
	return found;
}

int spool_peek(struct spool *spool, const char *target, struct spool_sending *sending,
	       struct error *error)
{
	struct spool_list list = { .nr = 0 };
	const struct window *window;
	struct cursor cursor;
	int found = spool_enter(spool, error);

	if (found)
		return found;
	found = cursor_read(spool->state, target, &cursor, error) ?:
		spool_scan(spool, &list, error);
	window = found ? NULL : find(&list, &cursor);
	if (window) {
		sending->window = *window;
		sending->is_doubtful = cursor.trying >= window->last;
		found = spool_read(spool, window, &sending->profile, error) ?: 1;
	}
	spool_leave(spool);
	free(list.entries);
	return found;
}

static int done(struct spool *spool, struct cursor *cursor, const struct window *window,
		enum spool_outcome outcome, uint64_t now_s, struct error *error)
{
	uint64_t nr = window->last - window->first + 1;
	struct { uint64_t *windows, *periods; } counts[] = {
		[SPOOL_TAKEN] = { &cursor->taken, &cursor->taken_periods },
		[SPOOL_REFUSED] = { &cursor->refused, &cursor->refused_periods },
		[SPOOL_DOUBTFUL] = { &cursor->doubtful, &cursor->doubtful_periods },
	};

	*counts[outcome].windows += nr;
	*counts[outcome].periods += window->periods;
	cursor->done = cursor->trying = window->last;
	if (outcome == SPOOL_TAKEN) {
		cursor->success = now_s;
		cursor->failures = 0;
		*cursor->error = '\0';
	}
	return cursor_write(spool->state, cursor, error);
}

int spool_done(struct spool *spool, const char *target, const struct window *window,
	       enum spool_outcome outcome, uint64_t now_s, struct error *error)
{
	struct cursor cursor;
	int err = spool_enter(spool, error);

	if (err)
		return err;
	err = spool_cursor(spool, target, &cursor, error) ?:
	      done(spool, &cursor, window, outcome, now_s, error);
	spool_leave(spool);
	return err;
}

int spool_failed(struct spool *spool, const char *target, const char *why,
		 bool is_doubtful, struct error *error)
{
	struct cursor cursor;
	int err = spool_enter(spool, error);

	if (err)
		return err;
	err = spool_cursor(spool, target, &cursor, error);
	if (!err) {
		cursor.failures++;
		snprintf(cursor.error, sizeof(cursor.error), "%s", why);
		if (!is_doubtful)
			cursor.trying = cursor.done;
		err = cursor_write(spool->state, &cursor, error);
	}
	spool_leave(spool);
	return err;
}
