/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides what becomes of the periods that a late fire stands for beyond the first:
 * its excess.
 *
 * A fire is late because interrupts were off, or because a hypervisor ran something
 * else meanwhile. Only the first of its periods certainly belongs to what it
 * interrupted. Where interrupts were off (irqs.h), or the CPU was idle, the excess
 * is counted as the first period is. Else it is a stall: it is counted under the
 * same key, marked as stalled.
 *
 * If the machine has a steal clock, the kernel accounts the time that a hypervisor
 * took, and updates that account at its tick. The account is read at each fire. The
 * time is turned into whole periods as follows; what remains is kept for later:
 *
 * - The excess of a late fire is held until the account was updated after it. Of
 *   this excess as much as was stolen is counted as stolen, the rest as the first
 *   period.
 * - If no excess is held and a period is still owed, the next fire that comes for
 *   one period is counted as stolen. So the first period of a late fire and stalls
 *   shorter than a period are included, too.
 * - Excess that is still held at a swap or a stop, or when a nap starts, is counted as
 *   stalled. If the kernel accounts it as stolen afterwards, it is not counted again.
 * - What was stolen around a nap was idle time, and is dropped.
 *
 * Whether a machine has a steal clock is known once it accounted any stolen time.
 *
 * Locking: as the "callback" members of struct fm_cpu (cpu.h), unless it says
 * otherwise.
 */
#ifndef _FLAMEMOD_LATE_H
#define _FLAMEMOD_LATE_H

#include <linux/jiffies.h>
#include <linux/time64.h>
#include <linux/types.h>

#include "sample.h"

struct fm_cpu;
struct fm_table;

/* A fire that is this late is a stall even on an idle CPU, and is listed. */
#define FM_STALL_NS	NSEC_PER_SEC

/* Stalls that are remembered, of which a reader gets all but the oldest. */
#define FM_STALLS	8

/* The excess of this many late fires is held; for one more, the oldest is given up. */
#define FM_LATE_HELD	8

/* Stolen time is dropped for this long after a nap. */
#define FM_LATE_WAKES_NS	(2 * TICK_NSEC)

struct fm_stall {
	u64 from_ns;		/* when the fire was due */
	u64 ns;			/* how late it was */
};

/* Written on the CPU; other CPUs read it with fm_stalls_copy(). */
struct fm_stalls {
	u64 nr;			/* since the module was loaded */
	struct fm_stall last[FM_STALLS];	/* number n is at n % FM_STALLS */
};

/* The excess of one late fire. */
struct fm_held {
	struct fm_key key;
	u64 periods;
	u64 updates;		/* fm_late_updates() at the fire */
	u8 stalled;		/* the mark that it gets if it stays undecided */
	bool counted;		/* the fire was filtered or lost, and so was this excess */
};

struct fm_late {
	/* Written under the session's lock; in use since the last swap or arm. */
	bool has_clock;
	bool clock;
	u64 stolen_ns;		/* the kernel's account when it was last read */
	u64 owed_ns;		/* stolen, and not yet turned into periods */
	u64 stalled_ns;		/* excess that was given up and may yet be accounted */
	u64 updates;		/* fm_late_updates() when it was given up */
	u32 nr_held;
	struct fm_held held[FM_LATE_HELD];	/* oldest first */
	struct fm_stalls stalls;
};

bool fm_late_found_clock(unsigned int cpu);
u32 fm_stalls_copy(const struct fm_stalls *stalls, struct fm_stall *last);

void fm_late_arm(struct fm_cpu *c);
bool fm_late_steals(struct fm_cpu *c, u64 now_ns, u64 periods);
void fm_late_count(struct fm_cpu *c, u64 *to, u64 excess, u64 late_ns);
void fm_late_flush(struct fm_cpu *c);
void fm_late_swap(struct fm_cpu *c);

#endif /* _FLAMEMOD_LATE_H */
