// SPDX-License-Identifier: GPL-2.0
/*
 * Keep the spool within its limits: see spool_tidy().
 */
#include "agent/spool_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/disk.h"
#include "base/vec.h"
#include "profile/merge.h"

/* All cursors in the directory, also of targets that are not used now. */
struct cursors {
	struct cursor *list;
	size_t nr, room;
	int directory;
};

static int note_cursor(void *context, const char *name)
{
	struct cursors *cursors = context;
	int err;

	if (strncmp(name, CURSOR_PREFIX, strlen(CURSOR_PREFIX)))
		return 0;
	if (vec_reserve(cursors->list, cursors->room, cursors->nr + 1))
		return -ENOMEM;
	err = cursor_read_file(cursors->directory, name, &cursors->list[cursors->nr], NULL);
	/* its target starts anew, with whole windows */
	if (!err)
		cursors->nr++;
	return err == -ENOMEM ? err : 0;
}

static const struct cursor *find_cursor(const struct cursors *cursors, const char *target)
{
	for (size_t i = 0; i < cursors->nr; i++)
		if (!strcmp(cursors->list[i].target, target))
			return &cursors->list[i];
	return NULL;
}

/* The last window that all targets have; 0: none. */
static uint64_t done_by_all(const struct cursors *cursors, const char *const *targets,
			    size_t nr)
{
	uint64_t done = nr ? UINT64_MAX : 0;

	for (size_t i = 0; i < nr; i++) {
		const struct cursor *cursor = find_cursor(cursors, targets[i]);

		if (!cursor)
			return 0;
		if (cursor->done < done)
			done = cursor->done;
	}
	return done;
}

static bool is_being_sent(const struct cursors *cursors, const struct window *window)
{
	for (size_t i = 0; i < cursors->nr; i++)
		if (cursors->list[i].trying >= window->last &&
		    cursors->list[i].done < window->last)
			return true;
	return false;
}

/* Each target must have all of both, or nothing of them. */
static bool may_merge(const struct cursors *cursors, const struct window *a,
		      const struct window *b)
{
	for (size_t i = 0; i < cursors->nr; i++) {
		const struct cursor *cursor = &cursors->list[i];

		if (cursor->done < b->last &&
		    (cursor->done >= a->first || cursor->trying >= a->first))
			return false;
	}
	return true;
}

struct tidying {
	struct spool *spool;
	const struct spool_now *now;
	struct spool_list list;
	struct cursors cursors;
	uint64_t *apart;		/* last numbers of windows that cannot be added to the next */
	size_t nr_apart, room_apart;
	struct error *error;
};

/* ---- merge ---- */

static struct window join(const struct window *a, const struct window *b)
{
	struct window both = *a;

	both.last = b->last;
	both.end_ns = b->end_ns;
	both.periods += b->periods;
	return both;
}

/* Their rates differ, or they are too large together. */
static bool is_apart(const struct tidying *t, const struct window *window)
{
	for (size_t i = 0; i < t->nr_apart; i++)
		if (t->apart[i] == window->last)
			return true;
	return false;
}

static int set_apart(struct tidying *t, const struct window *window)
{
	if (vec_reserve(t->apart, t->room_apart, t->nr_apart + 1))
		return error_set(t->error, -ENOMEM, "%s", strerror(ENOMEM));
	t->apart[t->nr_apart++] = window->last;
	return 0;
}

/* Find what to merge. Return: the index of the first of the two, or SIZE_MAX. */
static size_t choose(const struct tidying *t)
{
	uint64_t shortest_ns = UINT64_MAX, ns;
	size_t chosen = SIZE_MAX;

	for (size_t i = 0; i + 1 < t->list.nr; i++) {
		const struct window *a = &t->list.entries[i].window;
		const struct window *b = &t->list.entries[i + 1].window;

		ns = b->end_ns - a->begin_ns;
		if (!window_follows(a, b) || ns >= shortest_ns ||
		    ns > t->spool->limits.merged_max_ns || is_apart(t, a) ||
		    !may_merge(&t->cursors, a, b))
			continue;
		shortest_ns = ns;
		chosen = i;
	}
	return chosen;
}

/* Sum two windows as one, with an identity (profile/identity.h). Return: 0 with @sum set, or -errno. */
static int sum(const struct profile *a, const struct profile *b, struct profile **sum,
	       struct error *error)
{
	struct merge merge;
	int err = merge_init(&merge, false);

	if (err)
		return error_set(error, err, "%s", strerror(-err));
	merge.of_one_host = true;
	err = merge_add(&merge, a, "the earlier window", error) ?:
	      merge_add(&merge, b, "the later window", error) ?:
	      profile_check(merge.sum, error);
	if (err) {
		merge_deinit(&merge);
		return err;
	}
	merge.sum->meta.state = b->meta.state;
	/* of several epochs, the first is a part of its identity */
	merge.sum->meta.epoch = a->meta.epoch;
	merge.sum->meta.since_ns = a->meta.since_ns;
	merge.sum->meta.begin_ns = a->meta.begin_ns;
	merge.sum->meta.instant_ns = b->meta.instant_ns;
	merge.sum->meta.memory_bytes = b->meta.memory_bytes;
	merge.sum->meta.memory_limit_bytes = b->meta.memory_limit_bytes;
	*sum = merge.sum;
	return 0;
}

/* Read a window; a damaged one is dropped. Return: 0, -EBADMSG or another -errno. */
static int read_or_drop(struct tidying *t, const struct window *window,
			struct profile **profile)
{
	int err = spool_read(t->spool, window, profile, t->error), dropped;

	if (err != -EBADMSG)
		return err;
	dropped = spool_drop(t->spool, window, LEDGER_DROP_DAMAGED, t->error);
	return dropped ?: err;
}

static int replace(struct tidying *t, const struct window *a, const struct window *b,
		   const struct profile *profile)
{
	struct window both = join(a, b);
	int windows = t->spool->windows;
	char name[WINDOW_NAME];

	/* from its rename on, the parts are not listed any more */
	return disk_replace(windows, window_name(&both, name), spool_write_profile, profile,
			    t->error) ?:
	       disk_remove(windows, window_name(a, name), t->error) ?:
	       disk_remove(windows, window_name(b, name), t->error) ?:
	       disk_sync(windows, t->error);
}

/* Return: 0, -EBADMSG if one is damaged and dropped, or another -errno. */
static int merge_two(struct tidying *t, size_t first)
{
	const struct window *a = &t->list.entries[first].window;
	const struct window *b = &t->list.entries[first + 1].window;
	struct profile *left = NULL, *right = NULL, *both = NULL;
	int err;

	err = read_or_drop(t, a, &left);
	if (err)
		return err;
	err = read_or_drop(t, b, &right);
	if (!err)
		err = sum(left, right, &both, t->error) ?: replace(t, a, b, both);
	profile_destroy(left);
	if (right)
		profile_destroy(right);
	profile_destroy(both);
	if (!err)
		t->spool->ledger.merged++;
	return err;
}

/* ---- drop ---- */

static int drop_oldest(struct tidying *t)
{
	size_t oldest = 0;

	while (oldest + 1 < t->list.nr &&
	       is_being_sent(&t->cursors, &t->list.entries[oldest].window))
		oldest++;
	return spool_drop(t->spool, &t->list.entries[oldest].window, LEDGER_DROP_FULL,
			  t->error);
}

static int shrink(struct tidying *t)
{
	uint64_t merged = t->spool->ledger.merged;
	int err = 0;

	while (!err && t->list.nr && t->list.bytes > t->spool->limits.bytes_max) {
		size_t first = choose(t);

		err = first == SIZE_MAX ? drop_oldest(t) : merge_two(t, first);
		/*
		 * They cannot be summed, but others can. If the disk is full, nothing is
		 * dropped: to add another window takes as much room as to merge two.
		 */
		if (first != SIZE_MAX && (err == -EINVAL || err == -EOVERFLOW || err == -EFBIG))
			err = set_apart(t, &t->list.entries[first].window);
		if (!err || err == -EBADMSG)
			err = spool_scan(t->spool, &t->list, t->error);
	}
	if (!err && t->spool->ledger.merged != merged)
		err = ledger_write(t->spool->state, &t->spool->ledger, t->error);
	return err;
}

static bool is_too_old(const struct tidying *t, const struct spool_entry *entry)
{
	const struct window *window = &entry->window;
	uint64_t age_ns = 0;

	if (!strcmp(window->boot, t->now->boot)) {
		/* a clock that is set makes nothing older */
		if (t->now->monotonic_ns > window->end_ns)
			age_ns = t->now->monotonic_ns - window->end_ns;
	} else if (t->now->real_ns > entry->time_ns) {
		age_ns = (uint64_t)(t->now->real_ns - entry->time_ns);
	}
	return age_ns > t->spool->limits.age_max_ns;
}

/* Remove what all targets have, and drop what is too old. */
static int remove_done(struct tidying *t, uint64_t done)
{
	char name[WINDOW_NAME];
	bool removed = false;
	int err = 0;

	for (size_t i = 0; i < t->list.nr && !err; i++) {
		const struct spool_entry *entry = &t->list.entries[i];

		if (entry->window.last <= done) {
			err = disk_remove(t->spool->windows,
					  window_name(&entry->window, name), t->error);
			removed = true;
		} else if (is_too_old(t, entry)) {
			err = spool_drop(t->spool, &entry->window, LEDGER_DROP_AGE, t->error);
		}
	}
	if (!err && removed)
		err = disk_sync(t->spool->windows, t->error);
	return err ?: spool_scan(t->spool, &t->list, t->error);
}

/* ---- what a crash left ---- */

/* Remove files that are not whole, and parts of merged windows. */
static int remove_left(void *context, const char *name)
{
	const struct tidying *t = context;
	size_t length = strlen(name), ending = strlen(DISK_TEMPORARY);
	struct window window;

	if (length > ending && !strcmp(name + length - ending, DISK_TEMPORARY))
		return disk_remove(t->spool->windows, name, t->error);
	if (!window_parse(name, &window))
		return 0;
	for (size_t i = 0; i < t->list.nr; i++) {
		const struct window *kept = &t->list.entries[i].window;

		if (kept->first <= window.first && window.last <= kept->last &&
		    kept->last - kept->first > window.last - window.first)
			return disk_remove(t->spool->windows, name, t->error);
	}
	return 0;
}

int spool_tidy(struct spool *spool, const char *const *targets, size_t nr,
	       const struct spool_now *now, struct error *error)
{
	struct tidying t = {
		.spool = spool, .now = now, .error = error,
		.cursors.directory = spool->state,
	};
	int err = spool_enter(spool, error);

	if (err)
		return err;
	err = disk_each(spool->state, note_cursor, &t.cursors, error);
	if (err == -ENOMEM)
		error_set(error, err, "%s", strerror(-err));
	err = err ?: spool_scan(spool, &t.list, error) ?:
	      disk_each(spool->windows, remove_left, &t, error) ?:
	      remove_done(&t, done_by_all(&t.cursors, targets, nr)) ?: shrink(&t);
	spool_leave(spool);
	free(t.list.entries);
	free(t.cursors.list);
	free(t.apart);
	return err;
}
