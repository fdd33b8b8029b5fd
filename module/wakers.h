/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers for the comms of tasks that woke others.
 *
 * The stack of a waker is stored as a path (path.h) that goes on, after the waker's last
 * caller, with a note that says who woke, and then with the stack of the task that was
 * woken. A note is a number: of a comm here, or of an interrupt, which is nobody's. A
 * comm's number is the slot that it is in, plus one. It is searched in the scheduler, so a
 * search looks at few slots. A comm that finds none is FM_WAKER_OTHER until the next drain,
 * which then goes on without any.
 *
 * Locking: as in path.h, since they are a part of the paths. A comm never changes until all
 * are forgotten.
 */
#ifndef _FLAMEMOD_WAKERS_H
#define _FLAMEMOD_WAKERS_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>

#define FM_WAKERS_BITS		10
#define FM_WAKERS_SLOTS		BIT(FM_WAKERS_BITS)

/* The most comms: half of the slots, so that searches are short. */
#define FM_WAKERS_MAX		(FM_WAKERS_SLOTS / 2)

/* The most slots that a search looks at: see FM_GROUPS_PROBES. */
#define FM_WAKERS_PROBES	32

/* Notes that are no comms. */
#define FM_WAKER_OTHER		(FM_WAKERS_SLOTS + 1)
#define FM_WAKER_SOFTIRQ	(FM_WAKERS_SLOTS + 2)
#define FM_WAKER_HARDIRQ	(FM_WAKERS_SLOTS + 3)
#define FM_WAKER_MAX		FM_WAKER_HARDIRQ

/* What those comms are called for which there is no room. */
#define FM_WAKERS_OTHER		"[other]"

struct fm_waker {
	u64 comm[TASK_COMM_LEN / sizeof(u64)];	/* all 0: free */
};

/* A path that goes on from a waker's to the stack of a task that it woke. */
struct fm_joined {
	unsigned long leaf;	/* of the woken task */
	u32 callers;		/* the path of that leaf's callers */
	u32 waker;		/* the path of the waker's callers */
	u32 note;
	u32 path;		/* the whole; 0: none */
};

#define FM_JOINED_BITS		4

struct fm_wakers {
	struct fm_waker *slots;	/* FM_WAKERS_SLOTS; or NULL */
	u64 secret;		/* an odd factor: key of the hash */
	u32 nr;
	u32 last;		/* the number of @last_comm; 0: none */
	struct fm_waker last_comm;	/* as the task had it, with what is after its end */
	struct fm_joined joined[BIT(FM_JOINED_BITS)];	/* the latest ones */
};

#define FM_WAKERS_BYTES		(FM_WAKERS_SLOTS * sizeof(struct fm_waker))

int fm_wakers_init(struct fm_wakers *wakers, int node);
void fm_wakers_deinit(struct fm_wakers *wakers);
void fm_wakers_clear(struct fm_wakers *wakers);

u32 fm_wakers_find(struct fm_wakers *wakers, const char *comm);
const char *fm_wakers_name(const struct fm_wakers *wakers, u32 note, char *comm);

/**
 * fm_wakers_number() - return the number of a comm, which gets one if it is new.
 * @wakers: the table
 * @comm: a task's, TASK_COMM_LEN bytes
 *
 * One task often wakes several times in a row, so the last comm is tried first.
 *
 * Context: Any; the caller owns the table.
 * Return: the number, or FM_WAKER_OTHER if there is no room, or the comm is empty.
 */
static inline u32 fm_wakers_number(struct fm_wakers *wakers, const char *comm)
{
	struct fm_waker waker;

	/* Another thread may be changing it; a mix of the old and new bytes is harmless. */
	memcpy(&waker, comm, sizeof(waker));
	if (likely(waker.comm[0] == wakers->last_comm.comm[0] &&
		   waker.comm[1] == wakers->last_comm.comm[1] && wakers->last))
		return wakers->last;
	wakers->last = fm_wakers_find(wakers, (const char *)&waker);
	wakers->last_comm = waker;
	return wakers->last;
}

/* Return: where in @joined a path may be that goes on from @waker to @callers. */
static inline struct fm_joined *fm_wakers_joined(struct fm_wakers *wakers, u32 waker, u32 callers)
{
	return &wakers->joined[hash_32(waker ^ callers << 16, FM_JOINED_BITS)];
}

/* Is it time for a drain? The rest of the slots must last until it runs. */
static inline bool fm_wakers_filling(const struct fm_wakers *wakers)
{
	return wakers->nr > FM_WAKERS_MAX / 4 * 3;
}

/* After a drain: are they so many that it would need another soon? */
static inline bool fm_wakers_used_up(const struct fm_wakers *wakers)
{
	return wakers->nr > FM_WAKERS_MAX / 8 * 5;
}

#endif /* _FLAMEMOD_WAKERS_H */
