/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts the intervals of tasks at each switch from one to another.
 */
#ifndef _FLAMEMOD_SWITCH_H
#define _FLAMEMOD_SWITCH_H

#include <linux/types.h>

struct fm_events;
struct fm_slot;
struct task_struct;

bool fm_switch_exists(void);
bool fm_switch_accounts_wait(void);
int fm_switch_listen(struct fm_events *events);
void fm_switch_ignore(struct fm_events *events);

bool fm_switch_wants(const struct fm_events *events, const struct task_struct *task);
u8 fm_switch_state(bool preempted, unsigned int state);
u64 fm_switch_run_delay(const struct task_struct *task);
u64 fm_switch_waited(const struct task_struct *task, u64 run_delay);
void fm_switch_count(struct fm_events *events, bool preempted, unsigned int state,
		     struct task_struct *prev, struct task_struct *next);

#endif /* _FLAMEMOD_SWITCH_H */
