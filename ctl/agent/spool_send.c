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

/* Find the oldest window that a target does not have. Return: its index, or list->nr. */
static size_t find(const struct spool_list *list, const struct cursor *cursor)
{
	size_t i = 0;

	while (i < list->nr && list->entries[i].window.last <= cursor->done)
		i++;
	return i;
}

/*
 * Note what is being sent: from @first on, up to the number @trying. What is missing before
 * it was dropped.
 */
static int note(struct spool *spool, struct cursor *cursor, const struct window *first,
		uint64_t trying, bool is_new, struct error *error)
{
	if (first->first > cursor->done + 1) {
		if (!is_new)
			cursor->missed += first->first - 1 - cursor->done;
		cursor->done = first->first - 1;
	}
	cursor->trying = trying;
	return cursor_write(spool->state, cursor, error);
}

/* Choose what is sent together, from @first on. Return: how many. */
static size_t choose(const struct spool_list *list, size_t first,
		     const struct spool_batch *batch, const struct cursor *cursor)
{
	bool is_doubtful = cursor->trying >= list->entries[first].window.last;
	uint64_t bytes = 0;
	size_t nr = 0;

	while (first + nr < list->nr && nr < batch->windows) {
		const struct spool_entry *entry = &list->entries[first + nr];

		bytes += entry->bytes;
		if (nr && (bytes > batch->bytes ||
			   (cursor->trying >= entry->window.last) != is_doubtful))
			break;
		nr++;
	}
	return nr;
}

static void destroy_all(struct spool_sending *sending, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		profile_destroy(sending[i].profile);
}

/* Read what was chosen. Return: how many, or as next(). */
static int read_all(struct spool *spool, const struct spool_entry *entries, size_t nr,
		    bool is_doubtful, struct spool_sending *sending, struct error *error)
{
	for (size_t i = 0; i < nr; i++) {
		int err = spool_read(spool, &entries[i].window, &sending[i].profile, error);

		if (err) {
			destroy_all(sending, i);
			if (err == -EBADMSG)
				err = spool_drop(spool, &entries[i].window,
						 LEDGER_DROP_DAMAGED, error) ?: err;
			return err;
		}
		sending[i].window = entries[i].window;
		sending[i].is_doubtful = is_doubtful;
	}
	return (int)nr;
}

/* Return: as spool_next_batch(); -EBADMSG if a window is damaged: it is dropped then. */
static int next(struct spool *spool, const char *target, const struct spool_batch *batch,
		struct spool_list *list, struct spool_sending *sending, struct error *error)
{
	bool is_new = !has_cursor(spool, target), is_doubtful;
	const struct spool_entry *entries;
	struct cursor cursor;
	uint64_t before, trying;
	size_t first, nr;
	int err, found;

	err = spool_cursor(spool, target, &cursor, error) ?:
	      spool_scan(spool, list, error);
	if (err)
		return err;
	first = find(list, &cursor);
	if (first == list->nr)
		return 0;
	entries = &list->entries[first];
	before = cursor.trying;
	is_doubtful = before >= entries->window.last;
	nr = choose(list, first, batch, &cursor);
	found = read_all(spool, entries, nr, is_doubtful, sending, error);
	if (found < 0)
		return found;
	/* of windows in doubt, those that are not in this batch stay so */
	trying = entries[nr - 1].window.last;
	err = note(spool, &cursor, &entries->window, before > trying ? before : trying,
		   is_new, error);
	if (err)
		destroy_all(sending, nr);
	return err ?: found;
}

int spool_next_batch(struct spool *spool, const char *target,
		     const struct spool_batch *batch, struct spool_sending *sending,
		     struct error *error)
{
	struct spool_list list = { .nr = 0 };
	int found = spool_enter(spool, error);

	if (found)
		return found;
	do
		found = next(spool, target, batch, &list, sending, error);
	while (found == -EBADMSG);
	spool_leave(spool);
	free(list.entries);
	return found;
}

int spool_next(struct spool *spool, const char *target, struct spool_sending *sending,
	       struct error *error)
{
	const struct spool_batch one = { .windows = 1 };

	return spool_next_batch(spool, target, &one, sending, error);
}

int spool_peek(struct spool *spool, const char *target, struct spool_sending *sending,
	       struct error *error)
{
	struct spool_list list = { .nr = 0 };
	const struct window *window = NULL;
	struct cursor cursor;
	int found = spool_look(spool, error);

	if (found)
		return found;
	found = cursor_read(spool->state, target, &cursor, error) ?:
		spool_scan(spool, &list, error);
	if (!found && find(&list, &cursor) < list.nr)
		window = &list.entries[find(&list, &cursor)].window;
	if (window) {
		sending->window = *window;
		sending->is_doubtful = cursor.trying >= window->last;
		found = spool_read(spool, window, &sending->profile, error) ?: 1;
	}
	spool_leave(spool);
	free(list.entries);
	return found;
}

static void done(struct cursor *cursor, const struct window *window,
		 enum spool_outcome outcome, uint64_t now_s)
{
	uint64_t nr = window->last - window->first + 1;
	struct { uint64_t *windows, *periods; } counts[] = {
		[SPOOL_TAKEN] = { &cursor->taken, &cursor->taken_periods },
		[SPOOL_REFUSED] = { &cursor->refused, &cursor->refused_periods },
		[SPOOL_TOO_OLD] = { &cursor->too_old, &cursor->too_old_periods },
		[SPOOL_DOUBTFUL] = { &cursor->doubtful, &cursor->doubtful_periods },
	};

	*counts[outcome].windows += nr;
	*counts[outcome].periods += window->periods;
	cursor->done = window->last;
	/* what else is in its batch is not settled yet */
	if (cursor->trying < cursor->done)
		cursor->trying = cursor->done;
	if (outcome == SPOOL_TAKEN) {
		cursor->success = now_s;
		cursor->failures = 0;
		*cursor->error = '\0';
	}
}

int spool_done_batch(struct spool *spool, const char *target,
		     const struct spool_sending *sending, size_t nr,
		     enum spool_outcome outcome, uint64_t now_s, struct error *error)
{
	struct cursor cursor;
	int err = spool_enter(spool, error);

	if (err)
		return err;
	err = spool_cursor(spool, target, &cursor, error);
	for (size_t i = 0; i < nr && !err; i++)
		done(&cursor, &sending[i].window, outcome, now_s);
	err = err ?: cursor_write(spool->state, &cursor, error);
	spool_leave(spool);
	return err;
}

int spool_done(struct spool *spool, const char *target, const struct window *window,
	       enum spool_outcome outcome, uint64_t now_s, struct error *error)
{
	const struct spool_sending one = { .window = *window };

	return spool_done_batch(spool, target, &one, 1, outcome, now_s, error);
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
		if (why) {
			cursor.failures++;
			snprintf(cursor.error, sizeof(cursor.error), "%s", why);
		}
		if (!is_doubtful)
			cursor.trying = cursor.done;
		err = cursor_write(spool->state, &cursor, error);
	}
	spool_leave(spool);
	return err;
}
