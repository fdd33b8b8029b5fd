// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-ups of tasks: which of them end a wait, how long that was, and who woke.
 *
 * The tasks are made up, and nothing is known of their stacks; that of the waker is what is
 * in made-up registers.
 */
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/compat/compat.h"
#include "../../module/hit.h"
#include "../../module/session.h"
#include "../../module/waking.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"
#include "switched.h"

#define FM_LEAF		(FM_TEST_TEXT + 0x1230)
#define FM_BLOCKED	FLAMEMOD_TASK_STATE_SLEEPING

static struct fm_source_request fm_request = {
	.kind = FLAMEMOD_SOURCE_KIND_WAKERS, .name = "wakers",
};

static struct fm_attach fm_wakes = {
	.states = FM_TASK_STATES_ALL, .nr_sources = 1, .sources = &fm_request,
};

static struct task_struct *fm_one, *fm_swapper;
static struct fm_source *fm_source;
static struct pt_regs fm_regs;

static void fm_begin_with(struct kunit *test, const struct fm_attach *request)
{
	fm_one = fm_switched_task(test, 101);
	fm_swapper = fm_switched_task(test, 0);
	fm_switched_attach(test, request);
	fm_source = fm_events->sources[0];
	memset(&fm_regs, 0, sizeof(fm_regs));
}

static void fm_begin(struct kunit *test)
{
	fm_begin_with(test, &fm_wakes);
}

/* The current task wakes another one, on CPU 0's tables. */
static void fm_wake(struct task_struct *task)
{
	const struct fm_spot spot = { .regs = &fm_regs, .leaf = FM_LEAF, .inside = true };
	struct fm_event_cpu **c, *other;

	preempt_disable();
	c = &fm_events->cpus[smp_processor_id()];
	other = *c;
	*c = fm_events->cpus[0];
	fm_waking_count(fm_source, task, &spot);
	*c = other;
	preempt_enable();
}

/* The same by an interrupt of this CPU. */
static void fm_wake_by_interrupt(struct task_struct *task)
{
	preempt_disable();
	__preempt_count_add(HARDIRQ_OFFSET);
	fm_wake(task);
	__preempt_count_sub(HARDIRQ_OFFSET);
	preempt_enable();
}

/* A task is blocked for so long. */
static void fm_block(struct task_struct *task, unsigned int state, u64 ns)
{
	fm_switched(task, false, state, fm_swapper);
	fm_hand.now_ns += ns;
}

static struct fm_event_books *fm_books(void)
{
	return fm_switched_books(fm_source->event);
}

static void fm_expect(struct kunit *test, u64 hits, u64 weight)
{
	KUNIT_EXPECT_EQ(test, fm_books()->hits.stored, hits);
	KUNIT_EXPECT_EQ(test, fm_books()->weight.stored, weight);
	KUNIT_EXPECT_TRUE(test, fm_event_books_balance(fm_books()));
}

static void fm_expect_seen(struct kunit *test, u64 hits)
{
	KUNIT_EXPECT_EQ(test, fm_books()->hits.seen, hits);
	KUNIT_EXPECT_TRUE(test, fm_event_books_balance(fm_books()));
}

static void fm_expect_lost(struct kunit *test, enum flamemod_event_lost why)
{
	KUNIT_EXPECT_EQ(test, fm_books()->hits.lost[why], 1);
	fm_expect_seen(test, 1);
}

/* Drain, and return the only record. */
static const struct fm_record *fm_record_of(struct kunit *test)
{
	struct fm_set *records = &fm_events->aggregate->records;

	fm_session_lock(fm_session);
	fm_events_drain(fm_session);
	fm_session_unlock(fm_session);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
	KUNIT_ASSERT_EQ(test, fm_set_nr(records), 1);
	return fm_set_at(records, 0);
}

/* The frame so many steps from the leaf. Return: NULL if there are not so many. */
static const struct fm_frame *fm_frame_from(const struct fm_record *record, u32 steps)
{
	struct fm_set *nodes = &fm_events->aggregate->nodes;
	u32 at;

	for (at = record->node; at && steps; steps--)
		at = ((struct fm_node *)fm_set_at(nodes, at))->parent;
	if (!at)
		return NULL;
	return fm_set_at(&fm_session->symbols.frames,
			 ((struct fm_node *)fm_set_at(nodes, at))->frame);
}

/* Count the steps from the leaf to the frame that says who woke. Return: the frame. */
static const struct fm_frame *fm_waker_of(struct kunit *test, const struct fm_record *record,
					  u32 *steps)
{
	const struct fm_frame *frame;

	*steps = 0;
	do {
		frame = fm_frame_from(record, ++*steps);
		KUNIT_ASSERT_NOT_NULL(test, frame);
	} while (frame->kind != FLAMEMOD_FRAME_WAKER);
	return frame;
}

static void a_wake_up_weighs_as_long_as_the_wait(struct kunit *test)
{
	const struct fm_record *record;
	const struct fm_task *task;

	fm_begin(test);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 500);
	fm_wake(fm_one);
	fm_expect(test, 1, 500);
	record = fm_record_of(test);
	task = fm_set_at(&fm_events->aggregate->tasks, record->task);
	KUNIT_EXPECT_EQ(test, task->pid, 101);
	KUNIT_EXPECT_EQ(test, (u32)record->state, FM_BLOCKED);
	KUNIT_EXPECT_EQ(test, (u32)record->context, FLAMEMOD_CONTEXT_TASK);
	KUNIT_EXPECT_EQ(test, record->counts.count, 1);
	KUNIT_EXPECT_EQ(test, record->counts.periods, 500);
}

/* Above the stack of the woken task, of which nothing is known here, is who woke it. */
static void who_woke_is_between_the_stacks(struct kunit *test)
{
	const struct fm_record *record;
	const struct fm_frame *frame;
	u32 steps;

	fm_begin(test);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 500);
	fm_wake(fm_one);
	record = fm_record_of(test);
	frame = fm_waker_of(test, record, &steps);
	KUNIT_EXPECT_STREQ(test, frame->name, current->comm);
	/* Below it there are marks alone. */
	while ((frame = fm_frame_from(record, ++steps)))
		KUNIT_EXPECT_EQ(test, frame->kind, FLAMEMOD_FRAME_MARK);
}

static void an_interrupt_is_nobody(struct kunit *test)
{
	const struct fm_record *record;
	u32 steps;

	fm_begin(test);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 500);
	fm_wake_by_interrupt(fm_one);
	record = fm_record_of(test);
	KUNIT_EXPECT_EQ(test, (u32)record->context, FLAMEMOD_CONTEXT_HARDIRQ);
	KUNIT_EXPECT_STREQ(test, fm_waker_of(test, record, &steps)->name, "[hardirq]");
}

/* Wake, and drain when half of the session's memory is used. Return: who woke. */
static const char *fm_woken_when_full(struct kunit *test, void (*wake)(struct task_struct *task))
{
	struct fm_memory *memory = &fm_session->memory;
	const struct fm_record *record;
	u32 steps;

	fm_begin(test);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 500);
	wake(fm_one);
	atomic_long_add(memory->limit_bytes / 4 * 3, &memory->used_bytes);
	record = fm_record_of(test);
	atomic_long_sub(memory->limit_bytes / 4 * 3, &memory->used_bytes);
	return fm_waker_of(test, record, &steps)->name;
}

static void without_memory_a_waker_is_another(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, fm_woken_when_full(test, fm_wake), "[other]");
}

static void without_memory_an_interrupt_is_one(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, fm_woken_when_full(test, fm_wake_by_interrupt), "[hardirq]");
}

/* The same stacks were joined a moment ago, by somebody else. */
static void another_waker_is_another_stack(struct kunit *test)
{
	fm_begin(test);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 500);
	fm_wake(fm_one);
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 500);
	fm_wake_by_interrupt(fm_one);
	fm_expect(test, 2, 1000);
	KUNIT_EXPECT_EQ(test, fm_events->cpus[0]->tables[0].nr, 2);
	KUNIT_EXPECT_NE(test, fm_events->cpus[0]->tables[0].entries[0].key.path,
			fm_events->cpus[0]->tables[0].entries[1].key.path);
}

/* Another waker's path has taken the place in which its own was kept. */
static void a_path_of_another_waker_is_not_taken(struct kunit *test)
{
	struct fm_table *table;
	struct fm_paths *paths;
	u32 i, nr = 0;

	fm_begin(test);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 500);
	fm_wake(fm_one);
	table = &fm_events->cpus[0]->tables[0];
	paths = table->paths;
	for (i = 0; i < ARRAY_SIZE(paths->wakers.joined); i++) {
		struct fm_joined *joined = &paths->wakers.joined[i];

		if (!joined->path)
			continue;
		nr++;
		joined->waker += 1000;
		joined->path = fm_paths_add(paths, FM_PATH_NONE, FM_TEST_TEXT);
	}
	KUNIT_ASSERT_EQ(test, nr, 1);
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 500);
	fm_wake(fm_one);
	fm_expect(test, 2, 1000);
	KUNIT_EXPECT_EQ(test, table->nr, 1);
}

static void who_is_not_blocked_does_not_count(struct kunit *test)
{
	fm_begin(test);
	/* It runs. */
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_hand.now_ns += 10;
	fm_wake(fm_one);
	fm_expect_seen(test, 0);
	/* It was preempted before it could block. */
	fm_switched(fm_one, true, TASK_INTERRUPTIBLE, fm_swapper);
	fm_hand.now_ns += 10;
	fm_wake(fm_one);
	fm_expect_seen(test, 0);
}

/* Claim a task's slot as if it was blocked before the events were attached. */
static struct fm_slot *fm_blocked_before(struct kunit *test, struct task_struct *task)
{
	struct fm_slot *slot;
	bool unseen;

	slot = fm_slots_claim(&fm_events->slots, task, &unseen);
	KUNIT_ASSERT_NOT_NULL(test, slot);
	slot->state = FM_BLOCKED;
	slot->since = FM_SINCE_UNSEEN;
	return slot;
}

static void a_wait_that_began_before_counts_from_the_beginning(struct kunit *test)
{
	fm_begin(test);
	fm_blocked_before(test, fm_one);
	fm_hand.now_ns += 70;
	/* It may as well be on its CPU. */
#ifdef CONFIG_SMP
	fm_one->on_cpu = 1;
	fm_wake(fm_one);
	fm_expect_seen(test, 0);
	fm_one->on_cpu = 0;
#endif
	fm_wake(fm_one);
	fm_expect(test, 1, 70);
}

/* It set its state and was preempted, before the events were attached or after. */
static void who_is_in_a_run_queue_does_not_count(struct kunit *test)
{
	struct fm_slot *slot;

	fm_begin(test);
	slot = fm_blocked_before(test, fm_one);
	fm_one->on_rq = 1;
	fm_wake(fm_one);
	/* So far a dump has counted it as off its CPU. */
	slot->since = fm_since(fm_hand.now_ns, FM_SINCE_COUNTED);
	fm_wake(fm_one);
	fm_expect_seen(test, 0);
#ifdef FM_HAVE_SCHED_DELAYED
	fm_one->se.sched_delayed = 1;
	fm_wake(fm_one);
	fm_expect_seen(test, 1);
#endif
}

/* What off-cpu has counted already was a wait for the same waker. */
static void a_dump_makes_no_wait_shorter(struct kunit *test)
{
	struct fm_slot *slot;

	fm_begin(test);
	fm_block(fm_one, TASK_UNINTERRUPTIBLE, 300);
	slot = fm_slots_find(&fm_events->slots, fm_one);
	KUNIT_ASSERT_NOT_NULL(test, slot);
	slot->since = fm_since(fm_hand.now_ns, FM_SINCE_COUNTED);
	fm_hand.now_ns += 200;
	fm_wake(fm_one);
	fm_expect(test, 1, 500);
	KUNIT_EXPECT_EQ(test, (u32)fm_record_of(test)->state,
			FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE);
}

static void a_slot_of_another_task_says_nothing(struct kunit *test)
{
	struct fm_slot *slot;
	bool unseen;

	fm_begin(test);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 300);
	slot = fm_slots_find(&fm_events->slots, fm_one);
	KUNIT_ASSERT_NOT_NULL(test, slot);
	fm_slot_free(slot);
	slot = fm_slots_claim(&fm_events->slots, fm_one, &unseen);
	KUNIT_ASSERT_NOT_NULL(test, slot);
	KUNIT_EXPECT_EQ(test, slot->off_ns, 0);
}

#if defined(CONFIG_SMP) && FM_STACK_HAS_REGS
static struct task_struct *fm_unwound;		/* another task whose stack was taken */

/* The end of every stack is found at once: nothing is missing. */
static void fm_unwind_whole(struct unwind_state *state, struct task_struct *task,
			    struct pt_regs *regs, unsigned long *first_frame)
{
	memset(state, 0, sizeof(*state));
	state->task = task;
#ifdef CONFIG_UNWINDER_ORC
	state->sp = (unsigned long)task_pt_regs(task);
#endif
	if (task != current)
		fm_unwound = task;
}

/* While it is still on its CPU its stack is not read, and the key says that it is missing. */
static void who_is_about_to_leave_its_cpu_has_no_stack(struct kunit *test)
{
	fm_unwound = NULL;
	fm_unwind_start = fm_unwind_whole;
	fm_begin(test);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 3);
	fm_one->on_cpu = 1;
	fm_wake(fm_one);
	fm_expect(test, 1, 3);
	KUNIT_EXPECT_NULL(test, fm_unwound);
	KUNIT_EXPECT_TRUE(test, fm_events->cpus[0]->tables[0].entries[0].key.marks &
			  FM_STACK_INCOMPLETE);
}
#endif

#if defined(CONFIG_SMP) && FM_STACK_HAS_REGS
static void fm_run_one(void)
{
	fm_one->on_cpu = 1;
}

/*
 * It waited for a CPU, got one and blocks there, between the two looks at it. Its stack is
 * in use.
 */
static void who_gets_a_cpu_meanwhile_has_no_stack(struct kunit *test)
{
	fm_unwind_start = fm_unwind_whole;
	fm_begin(test);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 3);
	fm_unwound = NULL;
	fm_wake(fm_one);
	KUNIT_EXPECT_PTR_EQ(test, fm_unwound, fm_one);
	fm_unwound = NULL;
	fm_at_rmb = fm_run_one;
	fm_wake(fm_one);
	fm_at_rmb = NULL;
	fm_expect(test, 2, 6);
	KUNIT_EXPECT_NULL(test, fm_unwound);
}
#endif

static void without_a_slot_nothing_is_known(struct kunit *test)
{
	fm_begin(test);
	fm_wake(fm_one);
	fm_expect_lost(test, FLAMEMOD_EVENT_LOST_NO_SLOT);
#ifdef CONFIG_SMP
	/* One on its CPU was not blocked. */
	fm_one->on_cpu = 1;
	fm_wake(fm_one);
	fm_expect_seen(test, 1);
#endif
}

static void after_a_switch_that_was_not_seen_nothing_is_known(struct kunit *test)
{
	fm_begin(test);
	fm_switched_nested(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_wake(fm_one);
	fm_expect_lost(test, FLAMEMOD_EVENT_LOST_NESTED);
}

static void only_what_is_asked_for_is_stored(struct kunit *test)
{
	struct fm_source_request source = fm_request;
	struct fm_attach request = fm_wakes;

	source.min_ns = 100;
	request.sources = &source;
	request.states = BIT(FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE);
	fm_begin_with(test, &request);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 500);
	fm_wake(fm_one);
	KUNIT_EXPECT_EQ(test, fm_books()->weight.filtered, 500);
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_block(fm_one, TASK_UNINTERRUPTIBLE, 99);
	fm_wake(fm_one);
	KUNIT_EXPECT_EQ(test, fm_books()->weight.below, 99);
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_block(fm_one, TASK_UNINTERRUPTIBLE, 100);
	fm_wake(fm_one);
	fm_expect(test, 1, 100);
	fm_expect_seen(test, 3);
}

static void tasks_not_asked_for_are_not_seen(struct kunit *test)
{
	struct fm_attach request = fm_wakes;

	request.nr_pids = 1;
	request.pids[0] = 102;
	fm_begin_with(test, &request);
	fm_wake(fm_one);
	fm_expect_seen(test, 0);
	KUNIT_EXPECT_EQ(test, fm_events->cpus[0]->heat[fm_source->number].hits, 0);
}

static void overload_takes_no_stack_of_a_wake_up(struct kunit *test)
{
	fm_begin(test);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 40);
	fm_throttle_spend(fm_events->cpus[0]->throttle, fm_hand.now_ns, NSEC_PER_SEC);
	fm_wake(fm_one);
	fm_expect_lost(test, FLAMEMOD_EVENT_LOST_OVERLOAD);
	KUNIT_EXPECT_EQ(test, fm_books()->weight.lost[FLAMEMOD_EVENT_LOST_OVERLOAD], 40);
}

static void a_wake_up_without_room_is_lost(struct kunit *test)
{
	struct fm_paths *paths;

	fm_begin(test);
	paths = fm_events->cpus[0]->sample.paths;
	fm_block(fm_one, TASK_INTERRUPTIBLE, 40);
	paths->nr = paths->max;
	fm_wake(fm_one);
	paths->nr = FM_PATH_NOWHERE + 1;
	fm_expect_lost(test, FLAMEMOD_EVENT_LOST_TABLE_FULL);
}

static void events_of_tasks_go_on_beside(struct kunit *test)
{
	struct fm_attach request = fm_wakes;

	request.events = FM_EVENT(OFF_CPU);
	fm_begin_with(test, &request);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 500);
	fm_wake(fm_one);
	fm_hand.now_ns += 20;
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_expect(test, 1, 500);
	KUNIT_EXPECT_EQ(test, fm_switched_books(FLAMEMOD_EVENT_OFF_CPU)->weight.stored, 520);
}

static void without_them_switches_store_nothing(struct kunit *test)
{
	unsigned int i;

	fm_begin(test);
	KUNIT_EXPECT_NOT_NULL(test, fm_events->switches);
	fm_block(fm_one, TASK_INTERRUPTIBLE, 500);
	fm_switched(fm_swapper, false, 0, fm_one);
	for (i = 0; i < __FLAMEMOD_EVENT_MAX; i++)
		KUNIT_EXPECT_EQ(test, fm_switched_books(i)->hits.seen, 0);
}

static void its_memory_is_counted(struct kunit *test)
{
	struct fm_attach request = fm_wakes;
	size_t before, more = 0;
	unsigned int cpu;

	/* Other events of tasks need the rest of the memory, and it stays when they end. */
	request.nr_sources = 0;
	request.events = FM_EVENT(OFF_CPU);
	fm_switched_attach(test, &request);
	fm_events_end(fm_session);
	before = fm_events_memory(fm_events);
	fm_begin(test);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (fm_events->cpus[cpu])
			more += 2 * FM_WAKERS_BYTES;
	fm_events_end(fm_session);
	KUNIT_EXPECT_EQ(test, fm_events_memory(fm_events), before + more);
}

static struct kunit_case fm_waking_tests[] = {
	KUNIT_CASE(a_wake_up_weighs_as_long_as_the_wait),
	KUNIT_CASE(who_woke_is_between_the_stacks),
	KUNIT_CASE(an_interrupt_is_nobody),
	KUNIT_CASE(without_memory_a_waker_is_another),
	KUNIT_CASE(without_memory_an_interrupt_is_one),
	KUNIT_CASE(another_waker_is_another_stack),
	KUNIT_CASE(a_path_of_another_waker_is_not_taken),
	KUNIT_CASE(who_is_not_blocked_does_not_count),
	KUNIT_CASE(a_wait_that_began_before_counts_from_the_beginning),
	KUNIT_CASE(who_is_in_a_run_queue_does_not_count),
	KUNIT_CASE(a_dump_makes_no_wait_shorter),
	KUNIT_CASE(a_slot_of_another_task_says_nothing),
#if defined(CONFIG_SMP) && FM_STACK_HAS_REGS
	KUNIT_CASE(who_is_about_to_leave_its_cpu_has_no_stack),
	KUNIT_CASE(who_gets_a_cpu_meanwhile_has_no_stack),
#endif
	KUNIT_CASE(without_a_slot_nothing_is_known),
	KUNIT_CASE(after_a_switch_that_was_not_seen_nothing_is_known),
	KUNIT_CASE(only_what_is_asked_for_is_stored),
	KUNIT_CASE(tasks_not_asked_for_are_not_seen),
	KUNIT_CASE(overload_takes_no_stack_of_a_wake_up),
	KUNIT_CASE(a_wake_up_without_room_is_lost),
	KUNIT_CASE(events_of_tasks_go_on_beside),
	KUNIT_CASE(without_them_switches_store_nothing),
	KUNIT_CASE(its_memory_is_counted),
	{}
};

struct kunit_suite fm_waking_suite = {
	.name = "flamemod_waking",
	.init = fm_switched_begin,
	.exit = fm_switched_end,
	.test_cases = fm_waking_tests,
};
