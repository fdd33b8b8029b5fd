/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A snapshot: a session as of one instant, which a reader can send slowly.
 *
 * The counts are copied. The rest only grows, so a reference to it is enough. It is
 * enough for the counts, too, of an epoch that is closed: see kept.h.
 * The records of a snapshot sum exactly to its books (books.h) while sampling
 * goes on, however slow or numerous the readers are.
 *
 * Locking: none after it is created, since it does not change.
 */
#ifndef _FLAMEMOD_SNAPSHOT_H
#define _FLAMEMOD_SNAPSHOT_H

#include <linux/cpumask.h>
#include <linux/refcount.h>

#include "aggregate.h"
#include "books.h"
#include "events.h"
#include "kept.h"
#include "late.h"
#include "learned.h"
#include "pauses.h"
#include "pool.h"

struct fm_session;
struct fm_settings;
struct fm_symbols;
struct netlink_ext_ack;

struct fm_snapshot_cpu {
	u32 cpu;
	bool sampling;
	u64 sampled_ns;
	u64 expected;
	s64 overdue;			/* overdue now less overdue at the epoch's start */
	struct fm_books books;
	u64 nr_stalls;			/* since the module was loaded */
	struct fm_stall stalls[FM_STALLS - 1];
	u32 nr_listed;			/* of stalls */
};

struct fm_snapshot_source {
	u32 kind;
	char name[FLAMEMOD_EVENT_NAME_BYTES_MAX];
	char unit[FLAMEMOD_UNIT_BYTES_MAX];
	u64 min_ns;
	u64 suspended_ns;		/* 0: it is not */
};

/* The events of a client, and their books. */
struct fm_snapshot_events {
	u32 epoch;
	bool broken;
	struct fm_attach request;
	u64 since_ns;
	u32 numbers;			/* which, as bits */
	struct fm_event_books books[FM_EVENTS_NR];
	u64 sides[FM_EVENTS_NR][__FLAMEMOD_USER_MAX];
	struct fm_snapshot_source sources[FLAMEMOD_SOURCES_MAX];
};

/* Who has events attached. */
struct fm_snapshot_client {
	u32 epoch;
	u32 pid;
};

struct fm_snapshot {
	refcount_t refs;
	bool closed;			/* of a closed epoch: its counts are the aggregate's */
	struct fm_memory *memory;
	size_t size_bytes;
	struct fm_settings *settings;
	enum flamemod_state state;
	u32 epoch;
	u32 followed;			/* the followed process, or 0 */
	bool steal_clock;
	struct cpumask isolated;	/* isolated CPUs that are online */
	u64 period_ns;
	u64 since_ns;
	u64 instant_ns;
	struct fm_kept_counts kept;
	size_t kept_bytes;
	size_t memory_bytes;
	size_t memory_limit_bytes;
	u64 expected;
	s64 overdue;
	struct fm_books books;
	bool learns;			/* stacks by learned steps */
	bool marks_irqs_off;		/* time with interrupts off is recognised */
	struct fm_learned_counts learned;	/* since the module was loaded */
	struct fm_pauses pauses;	/* since the module was loaded */
	bool user_stacks;		/* they are taken */
	u64 sides[__FLAMEMOD_USER_MAX];	/* periods by what became of their user stack */
	u32 user_files;
	size_t rows_bytes;
	size_t rows_limit_bytes;
	struct fm_pool cpus;		/* struct fm_snapshot_cpu */
	u32 nr_cpus;			/* of them are filled in */

	struct fm_snapshot_events *events;	/* NULL: none of those that were asked for */
	struct fm_snapshot_client clients[FLAMEMOD_EVENT_CLIENTS_MAX];	/* of a status */
	u32 nr_clients;

	/* The profile; all zero in a snapshot without one. */
	const struct fm_symbols *symbols;
	struct fm_aggregate *aggregate;	/* NULL: frames alone */
	u32 first_frame;		/* to be sent */
	struct fm_pool counts;		/* struct fm_counts, by record number; see closed */
	struct fm_pool frames_used;	/* bool, by frame number */
	u32 nr_frames, nr_nodes, nr_tasks, nr_records;
};

static inline struct fm_snapshot_cpu *
fm_snapshot_cpu(const struct fm_snapshot *snapshot, u32 i)
{
	return fm_pool_at(&snapshot->cpus, i);
}

static inline struct fm_counts *
fm_snapshot_counts(const struct fm_snapshot *snapshot, u32 record)
{
	if (snapshot->closed)
		return &((struct fm_record *)fm_set_at(&snapshot->aggregate->records,
						       record))->counts;
	return fm_pool_at(&snapshot->counts, record);
}

static inline bool *fm_snapshot_uses(const struct fm_snapshot *snapshot,
				     u32 frame)
{
	return fm_pool_at(&snapshot->frames_used, frame);
}

#define FM_SNAPSHOT_PROFILE	1	/* with records, not only books */
#define FM_SNAPSHOT_RESET	2	/* start a new epoch at its instant */
#define FM_SNAPSHOT_EVENTS	4	/* of the events, not of the timer's samples */
#define FM_SNAPSHOT_CLOSED	8	/* of an epoch that ends now, to be kept */
#define FM_SNAPSHOT_ENDED	16	/* of events: without what lasts */
#define FM_SNAPSHOT_FRAMES	32	/* of a profile: frames alone, of all epochs */

/* What a reader asks for. */
struct fm_wanted {
	unsigned int flags;	/* FM_SNAPSHOT_*; a closed epoch is not reset */
	u32 port;		/* of the socket to keep epochs for; 0: of none */
	/* With a port: the reader has had every epoch before this one. 0: it wants the current. */
	u32 epoch;
	u32 asker;		/* the socket that asks, for its events; 0: none */
	u32 events_epoch;	/* of the events to list or to dump; 0: those of the asker */
	u32 first_frame;	/* of frames alone: those from this number on */
};

int fm_snapshot_create(struct fm_session *session, unsigned int flags,
		       struct fm_snapshot **snapshot,
		       struct netlink_ext_ack *extack);
int fm_snapshot_answer(struct fm_session *session, const struct fm_wanted *wanted,
		       struct fm_snapshot **snapshot, struct netlink_ext_ack *extack);

/* With the session's lock held. */
int fm_snapshot_make(struct fm_session *session, unsigned int flags,
		     const struct fm_events *events, struct fm_snapshot **snapshot);

void fm_snapshot_mark_frames(struct fm_snapshot *snapshot);
size_t fm_snapshot_bytes(const struct fm_snapshot *snapshot);
size_t fm_snapshot_aggregate_least(u32 nr_cpus);
void fm_snapshot_get(struct fm_snapshot *snapshot);
void fm_snapshot_put(struct fm_snapshot *snapshot);

#endif /* _FLAMEMOD_SNAPSHOT_H */
