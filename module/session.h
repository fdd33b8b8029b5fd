/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sampling session: its settings, its CPUs and the profile that they collect.
 *
 *           set            start                 stop
 *   stopped ----> stopped -------> running ---------------> stopped
 *                                     | an invariant fails
 *                                     +-------------------> broken (for good)
 *
 * Locking: session->lock protects everything here. It is taken inside
 * cpus_read_lock(), because CPU hotplug takes it while holding that lock for
 * writing. See cpu.h for what the timer callback touches.
 */
#ifndef _FLAMEMOD_SESSION_H
#define _FLAMEMOD_SESSION_H

#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "aggregate.h"
#include "kept.h"
#include "memory.h"
#include "owner.h"
#include "path.h"
#include "sampler.h"
#include "settings.h"
#include "symbols.h"

struct fm_events;
struct fm_follow;
struct netlink_ext_ack;

/*
 * A third of the memory is kept for readers, so that every profile that fits
 * can be read: a record takes 48 bytes and one or two 4-byte buckets, its copy
 * 24. If the other two thirds held only records, their copies would take 24/52
 * of them: 31 % of all.
 */
#define FM_READERS_SHARE	3

/* What is fixed when the module is loaded. */
struct fm_limits {
	size_t cpu_bytes;		/* hot tables of one CPU */
	size_t aggregate_bytes;		/* profile, names and readers' copies */
	fm_stack_fn take_stack;
	u32 verify;			/* one stack in this many; 0: none */
	size_t user_bytes;		/* user stacks of one CPU */
	bool user_any_fs;		/* read programs on FUSE and network file systems */
	size_t rows_bytes;		/* rows of programs: see user/object.h */
	size_t events_bytes;		/* slots and profile of events, while attached */
};

/*
 * What is known of user stacks that were drained: see drain_user.c. The frames of the last
 * one with their nodes, the outermost first. The list ends before the first frame that may
 * have another name in the next stack.
 */
struct fm_drained {
	const struct fm_aggregate *aggregate;	/* the profile of these nodes */
	u64 frames[FM_USER_FRAMES_MAX];
	u32 nodes[FM_USER_FRAMES_MAX];
	u32 nr;
	struct fm_pool callees;	/* of struct fm_callee, of the session's profile; or all zero */
	u64 noted;		/* fm_session_noted() when they were */
};

struct fm_session {
	struct mutex lock;		/* see above */
	struct fm_limits limits;
	struct fm_settings *settings;
	struct fm_owner owner;
	enum flamemod_state state;
	struct fm_follow *follow;	/* the followed process, or NULL */
	struct fm_claim follower;	/* the socket that asked for it */
	u64 period_ns;
	u32 epoch;
	u64 since_ns;
	bool steal_clock;		/* a CPU's steal clock has run: see late.h */

	struct fm_memory memory;	/* profile and names */
	struct fm_memory readers;	/* readers' copies of the counts */
	struct fm_symbols symbols;
	struct fm_objects *objects;	/* of user stacks; NULL: none were ever taken */
	unsigned long wait_jiffies;	/* how long this drain may still wait for its worker */
	u64 sides[__FLAMEMOD_USER_MAX];	/* periods stored with a user stack, in this epoch */
	struct fm_aggregate *aggregate;
	struct fm_aggregate *spare;		/* for the next epoch, or NULL */
	size_t spare_bytes;		/* its size; withheld from memory while there is none */
	struct fm_kept kept;		/* epochs that were closed */
	u32 frames[FM_PATH_CALLERS_MAX + 2];	/* the stack being folded */
	unsigned long callers[FM_PATH_CALLERS_MAX];	/* its addresses, before they have names */
	u64 users[FM_USER_FRAMES_MAX];	/* a user stack's frames, before they have names */
	struct fm_drained drained;	/* the user stack that was drained before it */

	struct workqueue_struct *wq;
	struct delayed_work drain_work;
	struct work_struct undo_work;	/* the owner's socket was closed */
	/* Called in interrupt context when a table fills up; set before the first start. */
	void (*ask_drain)(struct irq_work *work);
	/* Called without locks after each start and stop; set before, or NULL. */
	void (*watch_idle)(struct fm_session *session);
	void (*watch_follow)(struct fm_session *session);
	struct fm_events *events[FLAMEMOD_EVENT_CLIENTS_MAX];	/* each has a lock of its own */
	struct mutex places_lock;	/* who looks for a free one of them */
	u32 events_epoch;		/* of the last attach */
	struct fm_cpu **cpus;		/* by CPU number, for every possible CPU */
	struct cpumask isolated;	/* as of the last start, or found since a stop */
};

struct fm_session *fm_session_create(const struct fm_limits *limits, u32 hz,
				     u32 max_depth);
void fm_session_destroy(struct fm_session *session);

void fm_session_lock(struct fm_session *session);
void fm_session_unlock(struct fm_session *session);
bool fm_session_runs(struct fm_session *session);
void fm_session_watch(struct fm_session *session);

int fm_session_start(struct fm_session *session, struct fm_change *change,
		     struct netlink_ext_ack *extack);
int fm_session_stop(struct fm_session *session, struct netlink_ext_ack *extack);
int fm_session_stop_by(struct fm_session *session, u32 owner, struct netlink_ext_ack *extack);
int fm_session_set(struct fm_session *session, struct fm_change *change,
		   struct netlink_ext_ack *extack);
int fm_session_reset(struct fm_session *session,
		     struct netlink_ext_ack *extack);
int fm_session_follow(struct fm_session *session, u32 vpid, u32 port,
		      struct netlink_ext_ack *extack);
void fm_session_unfollow(struct fm_session *session);
void fm_session_close(struct fm_session *session, u32 port);
void fm_session_undo_work(struct work_struct *work);

/* With the lock held. */
void fm_session_undo(struct fm_session *session);
struct fm_follow *fm_session_release(struct fm_session *session);
struct fm_cpu *fm_session_next_cpu(const struct fm_session *session,
				   const struct fm_cpu *previous);
void fm_session_filter(struct fm_session *session, struct fm_cpu *c);
void fm_session_filter_all(struct fm_session *session);
/*
 * Return: when notes about the session's profile are valid: in one epoch, and while user
 * functions are named in one way.
 */
static inline u64 fm_session_noted(const struct fm_session *session)
{
	return (u64)session->epoch << 1 | session->settings->user_places;
}

unsigned int fm_session_nr_sampled(const struct fm_session *session);
void fm_session_find_isolated(struct fm_session *session);
bool fm_session_samples(const struct fm_session *session,
			const struct fm_settings *settings, unsigned int cpu);
int fm_session_equip_objects(struct fm_session *session);
int fm_session_equip(struct fm_session *session, const struct fm_settings *settings,
		     unsigned int cpu);
int fm_session_equip_all(struct fm_session *session,
			 const struct fm_settings *settings);
void fm_session_find_clock(struct fm_session *session);
void fm_session_arm(struct fm_session *session, struct fm_cpu *c);
void fm_session_disarm(struct fm_session *session, struct fm_cpu *c);
void fm_session_disarm_all(struct fm_session *session);
void fm_session_forget_modules(struct fm_session *session);
void fm_session_break(struct fm_session *session);
struct fm_aggregate *fm_session_take_spare(struct fm_session *session);
void fm_session_refill(struct fm_session *session);
void fm_session_forget(struct fm_session *session);
size_t fm_session_memory(struct fm_session *session);
size_t fm_session_memory_limit(struct fm_session *session);
struct fm_books fm_session_books(const struct fm_cpu *c);

/* Return: the memory that a CPU takes for samples, or for events; with user stacks or not. */
static inline size_t fm_session_cpu_bytes(const struct fm_session *session, bool user)
{
	return session->limits.cpu_bytes +
	       (user ? session->limits.user_bytes + FM_USER_CPU_BYTES : 0);
}

#endif /* _FLAMEMOD_SESSION_H */
