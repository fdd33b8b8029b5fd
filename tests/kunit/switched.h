/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of made-up tasks, which the test switches. Nothing is known of their stacks.
 */
#ifndef _FM_SWITCHED_H
#define _FM_SWITCHED_H

#include <kunit/test.h>

#include "../../module/events.h"

/* When events are attached: later than the machine's own tasks began. */
#define FM_SWITCHED_BEGIN	(1000000 * NSEC_PER_SEC)

extern struct fm_events *fm_events;

int fm_switched_begin(struct kunit *test);
void fm_switched_end(struct kunit *test);
void fm_switched_client(unsigned int number);
void fm_switched_attach(struct kunit *test, const struct fm_attach *request);

struct task_struct *fm_switched_task(struct kunit *test, u32 pid);
#ifdef CONFIG_CGROUPS
void fm_switched_move(struct kunit *test, struct task_struct *task, u64 id);
#endif
void fm_switched(struct task_struct *prev, bool preempted, unsigned int state,
		 struct task_struct *next);
void fm_switched_nested(struct task_struct *prev, bool preempted, unsigned int state,
			struct task_struct *next);
void fm_switched_elsewhere(struct task_struct *prev, bool preempted, unsigned int state,
			   struct task_struct *next);
struct fm_event_books *fm_switched_books(u8 event);
void fm_expect_left_out(struct kunit *test, const struct fm_event_books *books, u64 filtered,
			u64 below);
u64 fm_switched_sum(u8 event, int state);
u64 fm_switched_sum_in(u8 event, u64 cgroup);

#endif /* _FM_SWITCHED_H */
