/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hits that wait until the user stack of their task can be taken.
 *
 * A handler may run with the lock of a run queue held. There user memory must not be read:
 * a fault could print or wake somebody. So a hit of a task that has a user stack waits, with
 * the rest of its key, for an interrupt that the CPU sends to itself. The interrupt comes as
 * soon as interrupts are on. The task still has the CPU then: a task that was just switched
 * to is still in the scheduler. In that interrupt the user stack is taken as the timer takes
 * it (user/walk.h), and the hit is stored.
 *
 * If another task has the CPU by then, the stack is "away". So it is for hits beyond those
 * that there is room for. Before a swap of tables all hits that wait are stored, since their
 * keys belong to the table in use, and so that the books balance.
 *
 * Locking: as "handler" members of struct fm_event_cpu.
 */
#ifndef _FLAMEMOD_PENDING_H
#define _FLAMEMOD_PENDING_H

#include <linux/irq_work.h>
#include <linux/sched.h>

#include "sample.h"

struct fm_event_cpu;

/* A turn has at most two, off-cpu and waiting; a few turns may pass with interrupts off. */
#define FM_PENDING_MAX	16

struct fm_pending {
	const struct task_struct *task;	/* only compared */
	struct fm_key key;		/* all but the user stack */
	u64 weight;
	u32 *last;			/* of a hot table: the entry to try first */
};

bool fm_pending_wants(const struct task_struct *task, u8 context);
bool fm_pending_add(struct fm_event_cpu *c, const struct task_struct *task, u64 weight,
		    u32 *last);
void fm_pending_flush(struct fm_event_cpu *c);
void fm_pending_work(struct irq_work *work);

#endif /* _FLAMEMOD_PENDING_H */
