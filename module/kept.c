// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps closed epochs for readers that take differences: see kept.h.
 */
#include <linux/bitops.h>
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>

#include "kept.h"
#include "session.h"
#include "snapshot.h"

struct fm_kept_epoch {
	struct list_head list;
	struct fm_snapshot *snapshot;
	unsigned long readers;	/* bits of those who have not had it yet */
	size_t bytes;		/* of the profile's memory, that are cached */
};

static void fm_kept_remove(struct fm_session *session, struct fm_kept_epoch *epoch)
{
	list_del(&epoch->list);
	session->kept.counts.nr_epochs--;
	session->memory.cached_bytes -= epoch->bytes;
	fm_snapshot_put(epoch->snapshot);
	fm_memory_free(&session->memory, epoch, sizeof(*epoch));
}

/* A reader does not need an epoch any more. */
static void fm_kept_release(struct fm_session *session, struct fm_kept_epoch *epoch,
			    unsigned long reader)
{
	epoch->readers &= ~reader;
	if (!epoch->readers)
		fm_kept_remove(session, epoch);
}

static struct fm_kept_epoch *fm_kept_oldest(struct fm_kept *kept)
{
	return list_first_entry_or_null(&kept->epochs, struct fm_kept_epoch, list);
}

/* Give up the oldest epoch, for its memory: see memory.h. */
static bool fm_kept_reclaim(struct fm_memory *memory)
{
	struct fm_session *session = container_of(memory, struct fm_session, memory);
	struct fm_kept_epoch *epoch = fm_kept_oldest(&session->kept);

	if (!epoch)
		return false;
	lockdep_assert_held(&session->lock);
	session->kept.counts.reclaimed += hweight_long(epoch->readers);
	fm_kept_remove(session, epoch);
	return true;
}

/* End epochs that are too old, and look again when the next one is. */
static void fm_kept_work(struct work_struct *work)
{
	struct fm_session *session = container_of(to_delayed_work(work), struct fm_session,
						  kept.work);
	struct fm_kept_epoch *epoch;
	u64 now_ns, age_ns;

	fm_session_lock(session);
	now_ns = ktime_get_ns();
	while ((epoch = fm_kept_oldest(&session->kept))) {
		age_ns = now_ns - epoch->snapshot->instant_ns;
		if (age_ns < FM_KEPT_NS) {
			queue_delayed_work(session->wq, &session->kept.work,
					   nsecs_to_jiffies(FM_KEPT_NS - age_ns) + 1);
			break;
		}
		session->kept.counts.expired += hweight_long(epoch->readers);
		fm_kept_remove(session, epoch);
	}
	fm_session_unlock(session);
}

/**
 * fm_kept_init() - set up a session that keeps nothing, for nobody.
 * @session: the session, with its memory set up
 *
 * Context: Process context.
 */
void fm_kept_init(struct fm_session *session)
{
	INIT_LIST_HEAD(&session->kept.epochs);
	INIT_DELAYED_WORK(&session->kept.work, fm_kept_work);
	session->memory.reclaim = fm_kept_reclaim;
}

/**
 * fm_kept_deinit() - free what is kept.
 * @session: the session, out of reach of readers
 *
 * Context: Process context, may sleep.
 */
void fm_kept_deinit(struct fm_session *session)
{
	struct fm_kept_epoch *epoch;

	cancel_delayed_work_sync(&session->kept.work);
	while ((epoch = fm_kept_oldest(&session->kept)))
		fm_kept_remove(session, epoch);
}

/* Return: a reader's bit, or 0 if there is none of this port. */
static unsigned long fm_kept_reader(const struct fm_kept *kept, u32 port)
{
	unsigned int i;

	for (i = 0; i < FLAMEMOD_KEPT_READERS_MAX; i++)
		if (port && fm_claim_is(&kept->readers[i], port))
			return BIT(i);
	return 0;
}

/* Return: the bits of all readers. */
static unsigned long fm_kept_readers(const struct fm_kept *kept)
{
	unsigned long readers = 0;
	unsigned int i;

	for (i = 0; i < FLAMEMOD_KEPT_READERS_MAX; i++)
		if (!fm_claim_is(&kept->readers[i], 0))
			readers |= BIT(i);
	return readers;
}

/**
 * fm_kept_check() - check whether epochs can be kept for a socket.
 * @session: locked
 * @port: the socket's port, not 0
 *
 * Context: Process context, may sleep.
 * Return: 0, or -EUSERS if they are kept for so many others already.
 */
int fm_kept_check(struct fm_session *session, u32 port)
{
	const struct fm_kept *kept = &session->kept;

	/* The port may have been that of a socket that was closed. */
	fm_kept_leave(session);
	if (fm_kept_reader(kept, port) || kept->counts.nr_readers < FLAMEMOD_KEPT_READERS_MAX)
		return 0;
	return -EUSERS;
}

/**
 * fm_kept_join() - keep epochs for a socket from now on, if they are not yet.
 * @session: locked
 * @port: the socket's port, which fm_kept_check() allowed
 *
 * If the socket was closed since then, there may be no place, and nobody to keep epochs for.
 *
 * Context: Process context.
 */
void fm_kept_join(struct fm_session *session, u32 port)
{
	struct fm_kept *kept = &session->kept;
	unsigned long place = ffz(fm_kept_readers(kept));

	if (fm_kept_reader(kept, port) || place >= FLAMEMOD_KEPT_READERS_MAX)
		return;
	fm_claim_set(&kept->readers[place], port);
	kept->counts.nr_readers++;
}

/**
 * fm_kept_close() - mark the port of a socket that was closed.
 * @kept: what a session keeps
 * @port: the socket's port
 *
 * Context: Any.
 * Return: true if epochs were kept for it, and fm_kept_leave() has to be called.
 */
bool fm_kept_close(struct fm_kept *kept, u32 port)
{
	bool closed = false;
	unsigned int i;

	for (i = 0; i < FLAMEMOD_KEPT_READERS_MAX; i++)
		closed |= fm_claim_close(&kept->readers[i], port);
	return closed;
}

/* Release what a reader has had: all that was closed before @epoch. */
static void fm_kept_release_before(struct fm_session *session, unsigned long reader,
				   u32 epoch)
{
	struct fm_kept_epoch *e, *next;

	list_for_each_entry_safe(e, next, &session->kept.epochs, list)
		if (e->readers & reader && e->snapshot->epoch < epoch)
			fm_kept_release(session, e, reader);
}

/**
 * fm_kept_leave() - keep nothing any more for sockets that were closed.
 * @session: locked
 *
 * Context: Process context, may sleep.
 */
void fm_kept_leave(struct fm_session *session)
{
	struct fm_kept *kept = &session->kept;
	unsigned int i;

	for (i = 0; i < FLAMEMOD_KEPT_READERS_MAX; i++) {
		if (!fm_claim_is_closed(&kept->readers[i]))
			continue;
		fm_kept_release_before(session, BIT(i), session->epoch);
		fm_claim_set(&kept->readers[i], 0);
		kept->counts.nr_readers--;
	}
}

/**
 * fm_kept_get() - get the oldest closed epoch that a socket has not had.
 * @session: locked
 * @port: the socket's port
 * @epoch: the reader has had all epochs before this one; 0: all closed ones
 *
 * Context: Process context, may sleep.
 * Return: a snapshot to be put, or NULL if the current epoch is next.
 */
struct fm_snapshot *fm_kept_get(struct fm_session *session, u32 port, u32 epoch)
{
	unsigned long reader = fm_kept_reader(&session->kept, port);
	struct fm_kept_epoch *e;

	fm_kept_release_before(session, reader, epoch ?: session->epoch);
	list_for_each_entry(e, &session->kept.epochs, list)
		if (e->readers & reader) {
			fm_snapshot_get(e->snapshot);
			return e->snapshot;
		}
	return NULL;
}

/* Return: the current epoch, to be kept for these readers, or NULL if memory is short. */
static struct fm_kept_epoch *fm_kept_make(struct fm_session *session, unsigned long readers)
{
	struct fm_kept_epoch *epoch = fm_memory_alloc(&session->memory, sizeof(*epoch));

	if (!epoch)
		return NULL;
	if (fm_snapshot_make(session, FM_SNAPSHOT_PROFILE | FM_SNAPSHOT_CLOSED, NULL,
			     &epoch->snapshot)) {
		fm_memory_free(&session->memory, epoch, sizeof(*epoch));
		return NULL;
	}
	epoch->readers = readers;
	epoch->bytes = fm_memory_bytes(sizeof(*epoch)) + fm_snapshot_bytes(epoch->snapshot);
	return epoch;
}

/**
 * fm_kept_end_epoch() - start a new epoch, as of the last drain, and keep the old one for
 *                       those who have not had it.
 * @session: locked, just drained
 * @port: the socket that gets the old one anyway; or 0
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM; nothing has changed on an error.
 */
int fm_kept_end_epoch(struct fm_session *session, u32 port)
{
	struct fm_kept *kept = &session->kept;
	struct fm_kept_epoch *epoch = NULL;
	unsigned long readers;

	/* Nothing may fail once the epoch is a kept one. */
	if (!session->spare)
		return -ENOMEM;
	fm_kept_leave(session);
	readers = fm_kept_readers(kept) & ~fm_kept_reader(kept, port);
	if (readers)
		epoch = fm_kept_make(session, readers);
	fm_session_forget(session);
	if (!epoch) {
		kept->counts.reclaimed += hweight_long(readers);
		return 0;
	}
	/* Nobody else has it yet. The new epoch began before: this takes a while. */
	fm_snapshot_mark_frames(epoch->snapshot);
	list_add_tail(&epoch->list, &kept->epochs);
	kept->counts.nr_epochs++;
	session->memory.cached_bytes += epoch->bytes;
	queue_delayed_work(session->wq, &kept->work, nsecs_to_jiffies(FM_KEPT_NS) + 1);
	return 0;
}
