/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts wake-ups of tasks that were blocked: see waking.c.
 */
#ifndef _FLAMEMOD_WAKING_H
#define _FLAMEMOD_WAKING_H

#include <linux/types.h>

struct fm_events;
struct fm_slot;
struct fm_source;
struct fm_spot;
struct task_struct;

/* How long a task was blocked that is being woken. */
struct fm_wait {
	struct fm_slot *slot;	/* or NULL */
	u64 since_ns;	/* 0: not known */
	u8 state;	/* enum flamemod_task_state */
	u8 why;		/* enum flamemod_event_lost, if it is not known */
	bool off;	/* it has left its CPU, so its stack may be read */
};

bool fm_waking_look(const struct fm_events *events, const struct task_struct *task,
		    struct fm_wait *wait);
void fm_waking_count(struct fm_source *source, struct task_struct *task,
		     const struct fm_spot *spot);

#endif /* _FLAMEMOD_WAKING_H */
