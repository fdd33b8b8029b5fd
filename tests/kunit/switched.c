// SPDX-License-Identifier: GPL-2.0
/*
 * Events of made-up tasks: see switched.h.
 *
 * The session is the running case's (held.h), and so is the clock. Events are attached
 * by hand, without the probe: the test calls what it calls.
 */
#include <linux/cgroup-defs.h>
#include <linux/kernfs.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../../module/aggregate.h"
#include "../../module/guard.h"
#include "../../module/session.h"
#include "../../module/switch.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "switched.h"

#define FM_SWITCHED_BYTES	BIT(20)

struct fm_events *fm_events;
static struct fm_event_cpu *fm_event_cpu;

int fm_switched_begin(struct kunit *test)
{
	int err = fm_held_begin(test);
	unsigned int i;

	if (err)
		return err;
	for (i = 0; i < FLAMEMOD_EVENT_CLIENTS_MAX; i++) {
		fm_memory_init(&fm_session->events[i]->memory, FM_SWITCHED_BYTES);
		fm_session->events[i]->slots_bytes = FM_SWITCHED_BYTES / 4;
	}
	fm_switched_client(0);
#if FM_STACK_HAS_REGS
	fm_unwind_start = fm_unwind_nothing;
#endif
	return 0;
}

void fm_switched_end(struct kunit *test)
{
	unsigned int i;

	fm_events_end(fm_session);
	for (i = 0; i < FLAMEMOD_EVENT_CLIENTS_MAX; i++)
		KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_session->events[i]->memory), 0);
	fm_held_end(test);
#if FM_STACK_HAS_REGS
	fm_unwinder_reset();
#endif
}

/* What follows is a client's, the first one's at the start of a case. */
void fm_switched_client(unsigned int number)
{
	fm_events = fm_session->events[number];
	fm_event_cpu = fm_events->cpus[0];
}

/* Attach as fm_events_attach() does, but to no tasks that exist. */
void fm_switched_attach(struct kunit *test, const struct fm_attach *request)
{
	fm_hand.now_ns = FM_SWITCHED_BEGIN;
	KUNIT_ASSERT_EQ(test, fm_events_prepare(fm_events, request, NULL), 0);
	fm_event_cpu = fm_events->cpus[0];
	fm_throttle_init(fm_event_cpu->throttle, fm_hand.now_ns);
	fm_events->begin_ns = fm_hand.now_ns;
	fm_events->on = true;
}

struct task_struct *fm_switched_task(struct kunit *test, u32 pid)
{
	struct task_struct *task = kunit_kzalloc(test, sizeof(*task), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, task);
	task->pid = pid;
	task->tgid = pid;
	strscpy(task->comm, "made-up", sizeof(task->comm));
#ifdef CONFIG_CGROUPS
	RCU_INIT_POINTER(task->cgroups, rcu_access_pointer(current->cgroups));
#endif
	return task;
}

#ifdef CONFIG_CGROUPS
/* Move a made-up task to a made-up cgroup. */
void fm_switched_move(struct kunit *test, struct task_struct *task, u64 id)
{
	struct css_set *set = kunit_kzalloc(test, sizeof(*set), GFP_KERNEL);
	struct cgroup *group = kunit_kzalloc(test, sizeof(*group), GFP_KERNEL);
	struct kernfs_node *node = kunit_kzalloc(test, sizeof(*node), GFP_KERNEL);

	KUNIT_ASSERT_TRUE(test, set && group && node);
	node->id = id;
	group->kn = node;
	set->dfl_cgrp = group;
	rcu_assign_pointer(task->cgroups, set);
}
#endif

static void fm_switch_with(struct fm_event_cpu *tables, struct task_struct *prev,
			   bool preempted, unsigned int state, struct task_struct *next)
{
	struct fm_event_cpu **c, *other;

	preempt_disable();
	c = &fm_events->cpus[smp_processor_id()];
	other = *c;
	*c = tables;
	fm_switch_count(fm_events, preempted, state, prev, next);
	*c = other;
	preempt_enable();
}

/* Switch on CPU 0, wherever this runs. */
void fm_switched(struct task_struct *prev, bool preempted, unsigned int state,
		 struct task_struct *next)
{
	fm_switch_with(fm_event_cpu, prev, preempted, state, next);
}

/* Switch while this CPU is in code of ours. */
void fm_switched_nested(struct task_struct *prev, bool preempted, unsigned int state,
			struct task_struct *next)
{
	bool owns;

	preempt_disable();
	owns = fm_guard_enter();
	fm_switched(prev, preempted, state, next);
	if (owns)
		fm_guard_leave();
	preempt_enable();
}

/* Switch on a CPU without tables. */
void fm_switched_elsewhere(struct task_struct *prev, bool preempted, unsigned int state,
			   struct task_struct *next)
{
	fm_switch_with(NULL, prev, preempted, state, next);
}

struct fm_event_books *fm_switched_books(u8 event)
{
	return &fm_event_cpu->books[event];
}

/* The weight of an event in the profile; state: -1 for all. */
u64 fm_switched_sum(u8 event, int state)
{
	struct fm_set *records = &fm_events->aggregate->records;
	u64 sum = 0;
	u32 i;

	for (i = 0; i < fm_set_nr(records); i++) {
		struct fm_record *record = fm_set_at(records, i);

		if (record->event == event && (state < 0 || record->state == state))
			sum += record->counts.periods;
	}
	return sum;
}

/* One hit was filtered, and one was below the minimum, with these weights; the books balance. */
void fm_expect_left_out(struct kunit *test, const struct fm_event_books *books, u64 filtered,
			u64 below)
{
	KUNIT_EXPECT_EQ(test, books->hits.filtered, 1);
	KUNIT_EXPECT_EQ(test, books->weight.filtered, filtered);
	KUNIT_EXPECT_EQ(test, books->hits.below, 1);
	KUNIT_EXPECT_EQ(test, books->weight.below, below);
	KUNIT_EXPECT_TRUE(test, fm_event_books_balance(books));
}

/* The weight of an event in the profile, of tasks in a cgroup. */
u64 fm_switched_sum_in(u8 event, u64 cgroup)
{
	struct fm_aggregate *aggregate = fm_events->aggregate;
	u64 sum = 0;
	u32 i;

	for (i = 0; i < fm_set_nr(&aggregate->records); i++) {
		struct fm_record *record = fm_set_at(&aggregate->records, i);
		struct fm_task *task = fm_set_at(&aggregate->tasks, record->task);

		if (record->event == event && task->cgroup == cgroup)
			sum += record->counts.periods;
	}
	return sum;
}
