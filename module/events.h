/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events: what is counted beside what the timer samples. Of tasks: how long they are off
 * their CPUs and where, how long they wait for a CPU, and how long they run. Of functions
 * of the kernel: who calls them, and how long they take.
 *
 * Events come from sources (source.h). One attach names several, and each event has a
 * number, a name, a unit and books of its own. Hits are counted in hot tables of their
 * own, one pair for each CPU, and are drained to a profile of their own. So what the
 * timer samples, its books and its readers are not affected, and the end of the events
 * gives all of it back but slots and tables.
 *
 * Events belong to the socket that attached them, their client, and end with it: see
 * owner.h. Each client has a struct fm_events of its own, with its own tables, profile and
 * books. A session has FLAMEMOD_EVENT_CLIENTS_MAX of these places, in use or not. Clients
 * share a CPU's guard, and the credit that all stacks of events are paid from.
 *
 * Locking: events->lock serialises attaching and detaching of one client. It is taken
 * outside the session's lock, because registering a probe takes cpus_read_lock(); nobody
 * takes two of them. places_lock of the session serialises the search for a free place, and
 * is taken outside all of these. Members marked
 * "session" are protected by the session's lock. The handler reads those marked
 * "constant" while @on is set; after it is cleared, and the probe is unregistered,
 * nobody reads them any more. "handler" members of struct fm_event_cpu belong to
 * whoever holds the guard (guard.h) on that CPU with interrupts off: to the handler, and
 * to functions called on that CPU; while the CPU is offline, or no events are attached, to
 * the holder of the session's lock. Only @outside needs no guard.
 */
#ifndef _FLAMEMOD_EVENTS_H
#define _FLAMEMOD_EVENTS_H

#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/workqueue.h>
#include <asm/local.h>

#include "event_books.h"
#include "filter.h"
#include "heat.h"
#include "learned.h"
#include "memory.h"
#include "owner.h"
#include "pending.h"
#include "pool.h"
#include "slots.h"
#include "source.h"
#include "table.h"
#include "throttle.h"

struct fm_aggregate;
struct fm_session;
struct netlink_ext_ack;

#define FM_EVENT(name)		BIT(FLAMEMOD_EVENT_##name)
#define FM_EVENTS_ALL		(FM_EVENT(OFF_CPU) | FM_EVENT(WAITING) | FM_EVENT(RAN))
#define FM_TASK_STATES_ALL	(BIT(__FLAMEMOD_TASK_STATE_MAX) - 1)

/* Numbers of events: those of enum flamemod_event, then a request's sources. */
#define FM_EVENTS_NR		(FLAMEMOD_SOURCE_FIRST + FLAMEMOD_SOURCES_MAX)
static_assert(FLAMEMOD_SOURCE_FIRST > (int)FLAMEMOD_EVENT_MAX);
static_assert(FM_EVENTS_NR <= 32);

/* What a request asks to attach, and to which tasks. */
struct fm_attach {
	u32 events;			/* bits of FM_EVENT() */
	u32 states;			/* bits of enum flamemod_task_state */
	u64 min_ns;
	u32 nr_pids;			/* 0: all tasks, or those that are followed */
	u32 pids[FLAMEMOD_PIDS_MAX];	/* processes or threads */
	bool followed;			/* the followed process and its descendants */
	bool user_stacks;		/* take them, too */
	u32 nr_sources;
	struct fm_source_request *sources;	/* the request's; NULL afterwards */
};

/* Hits that could not be counted in the books, as these may have been in use. */
struct fm_event_outside {
	local_t nested;
	local_t weight;			/* of those, where it is known */
	local_t nmi;
};

struct fm_event_cpu {
	unsigned int cpu;
	struct fm_events *events;

	/* handler */
	bool drain_asked;
	struct fm_table *table;		/* the one in use; the other is empty */
	struct fm_table tables[2];
	struct fm_event_books books[FM_EVENTS_NR];
	struct fm_event_outside outside[FLAMEMOD_SOURCES_MAX];
	struct fm_heat heat[FLAMEMOD_SOURCES_MAX];
	struct fm_throttle *throttle;	/* the CPU's, for all clients */
	struct fm_learned learned;
	struct fm_sample sample;	/* the interval being counted */
	struct irq_work drain_work;
	struct fm_maps *maps;		/* of user stacks; NULL: none were ever taken here */
	struct fm_pending pending[FM_PENDING_MAX];
	u32 nr_pending;
	struct irq_work user_work;
	struct pt_regs caller;		/* of a tracepoint: only what fm_caller_regs() sets */
	unsigned long woken[FLAMEMOD_MAX_DEPTH_MAX];	/* the stack of a task that is woken */

	/* session */
	bool renew;			/* the next swap changes to the other table */
	struct fm_table *swapped_table;	/* its unused half is drained */
	u32 swapped_entries;
	struct fm_event_books swapped[FM_EVENTS_NR];	/* at the last swap */
	struct fm_event_books refused[FM_EVENTS_NR];	/* the aggregate had no room */
	struct fm_learned_counts swapped_learned;	/* at the last swap */
	u32 swapped_copies;		/* the number of the next copy at the last swap */
};

/*
 * The books of a source on a CPU, and its heat. Their places are kept, since the size of
 * either is no power of two, and a hit needs them several times.
 */
static inline struct fm_event_books *fm_source_books(const struct fm_source *source,
						     struct fm_event_cpu *c)
{
	return (void *)c + source->books_at;
}

static inline struct fm_heat *fm_source_heat(const struct fm_source *source,
					     struct fm_event_cpu *c)
{
	return (void *)c + source->heat_at;
}

struct fm_events {
	struct mutex lock;		/* see above */
	struct fm_session *session;
	u8 number;			/* among the session's */
	struct fm_event_cpu **cpus;	/* by CPU number; kept until unload */

	/* constant */
	struct fm_attach request;
	u32 numbers;			/* of the events that are attached, as bits */
	bool selects;			/* not all tasks */
	bool wakers;			/* one of the sources is of that kind */
	const struct fm_follow *follow;	/* whose tasks; session: see fm_events_unfollow() */
	struct fm_slots slots;
	u64 begin_ns;			/* 0: see fm_events_begun() */
	u32 max_depth;
	bool learns;			/* take stacks by learned steps */
	bool places;			/* keep places in user functions apart */
	bool on;			/* the handler counts; session: changes under its lock */

	/* session */
	bool attached;			/* there are slots, tables and a profile */
	bool broken;			/* an invariant failed: nothing is counted any more */
	u32 epoch;			/* of this attach: no other of the session has it */
	size_t slots_bytes;		/* the most that slots use */
	struct fm_memory memory;	/* the profile */
	struct fm_aggregate *aggregate;
	struct fm_event_books cut[__FLAMEMOD_EVENT_MAX];	/* parts that a dump counted */
	struct fm_event_books before[FM_EVENTS_NR];	/* for a drain */
	struct fm_counts drained[FM_EVENTS_NR];		/* for a drain */
	/* Weight by what became of user stacks. */
	u64 sides[FM_EVENTS_NR][__FLAMEMOD_USER_MAX];
	u64 instant_ns;			/* of the last dump */
	struct fm_pool tasks;		/* struct task_struct *: see events_cut.c */
	struct fm_sample *sample;	/* for stacks that a cut takes */

	/* lock */
	struct fm_source *switches;	/* of enum flamemod_event, or for slots; or NULL */
	struct fm_source *sources[FLAMEMOD_SOURCES_MAX];	/* session: also */
	u32 nr_sources;
	struct work_struct suspend_work;	/* detaches hot sources */
	struct fm_claim claim;		/* the socket that attached them */
	u32 pid;			/* the process that did; session: also */
};

int fm_events_create(struct fm_session *session, u8 number, size_t bytes,
		     work_func_t suspend);
void fm_events_destroy(struct fm_events *events);

struct fm_events *fm_events_next(const struct fm_session *session,
				 const struct fm_events *previous);
int fm_events_attach(struct fm_session *session, const struct fm_attach *request,
		     u32 port, struct netlink_ext_ack *extack);
int fm_events_detach(struct fm_session *session, u32 port,
		     struct netlink_ext_ack *extack);
bool fm_events_close_claims(struct fm_session *session, u32 port);
void fm_events_close(struct fm_session *session);
void fm_events_end(struct fm_session *session);

void fm_events_suspend_work(struct work_struct *work);

/* With events->lock held. */
int fm_events_check_request(const struct fm_attach *request, struct netlink_ext_ack *extack);
int fm_events_prepare(struct fm_events *events, const struct fm_attach *request,
		      struct netlink_ext_ack *extack);
int fm_events_start(struct fm_events *events, const struct fm_attach *request,
		    struct netlink_ext_ack *extack);
void fm_events_stop(struct fm_events *events);

/* With the session's lock held. */

/*
 * Return: whether events began to count, so that readers can be given them. Before that they
 * are only being attached.
 */
static inline bool fm_events_begun(const struct fm_events *events)
{
	return events->attached && events->begin_ns;
}

struct fm_events *fm_events_of_epoch(const struct fm_session *session, u32 epoch);
struct fm_events *fm_events_of_socket(const struct fm_session *session, u32 port);
struct fm_events *fm_events_oldest(const struct fm_session *session);
unsigned int fm_events_nr_attached(const struct fm_session *session);
int fm_events_equip(struct fm_events *events, unsigned int cpu, bool user_stacks);
void fm_events_cpu_online(struct fm_events *events, unsigned int cpu);
void fm_events_cpu_offline(struct fm_events *events, unsigned int cpu);
void fm_events_unfollow(struct fm_session *session);
void fm_events_break(struct fm_events *events);
u64 fm_events_drain(struct fm_session *session);
void fm_events_cut(struct fm_events *events);
void fm_events_renew(struct fm_events *events);
void fm_events_forget_modules(struct fm_events *events);
struct fm_event_books fm_events_books(const struct fm_events *events, u8 event);
void fm_events_add_learned(const struct fm_events *events,
			   struct fm_learned_counts *sum);
size_t fm_events_memory(const struct fm_events *events);
size_t fm_events_memory_limit(const struct fm_events *events);

#endif /* _FLAMEMOD_EVENTS_H */
