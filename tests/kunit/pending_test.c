// SPDX-License-Identifier: GPL-2.0
/*
 * Hits that wait for their user stacks: which do, when they are stored, and as what.
 *
 * The test is a thread of the kernel, which has no user stack: so the walk, and what tells
 * such threads apart, are the test's. The interrupt never comes by itself.
 */
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/sched/task_stack.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/aggregate.h"
#include "../../module/compat/compat.h"
#include "../../module/hit.h"
#include "../../module/session.h"
#include "../../module/user_room.h"
#include "../../module/user/walk.h"
#include "allocations.h"
#include "by_hand.h"
#include "held.h"
#include "name.h"
#include "redirect.h"
#include "suites.h"
#include "switched.h"

#define FM_LEAF		(FM_TEST_TEXT + 0x1230)

static struct {
	bool has_memory;	/* tasks have user memory */
	unsigned int cpu;	/* where this is said to run */
	unsigned int nr_walks;
	unsigned int nr_asked;	/* interrupts that were asked for */
	u64 walk_ns;		/* how long a walk takes */
	bool slow;		/* it looks up frames */
	enum flamemod_user_side side;
} fm_here;

static struct fm_user_stack fm_walk_by_hand(struct fm_maps *maps, struct fm_user_paths *paths)
{
	u32 path = fm_user_paths_add(paths, 0, fm_user_frame(0, FM_USER_MADE));

	fm_here.nr_walks++;
	fm_hand.now_ns += fm_here.walk_ns;
	maps->slow = fm_here.slow;
	return (struct fm_user_stack){ path, fm_here.side };
}

#undef FM_COMPAT_NO_USER_MODE
#define FM_COMPAT_NO_USER_MODE	0
#undef raw_smp_processor_id
#define raw_smp_processor_id()	fm_here.cpu
#define fm_context_has_memory(task)	((void)(task), fm_here.has_memory)
#define fm_user_walk(maps, paths, regs, from_user)	fm_walk_by_hand(maps, paths)
#define irq_work_queue(work)	((void)(work), fm_here.nr_asked++)
#include "../../module/pending.c"
#undef irq_work_queue
#undef fm_user_walk
#undef fm_context_has_memory

static struct fm_source_request fm_request = {
	.kind = FLAMEMOD_SOURCE_KIND_FUNC, .name = "func:one", .function = "one",
};

static const struct fm_attach fm_attach = {
	.states = FM_TASK_STATES_ALL, .nr_sources = 1, .sources = &fm_request,
	.user_stacks = true,
};

static struct fm_source *fm_source;
static struct fm_event_cpu *fm_c;
static struct pt_regs fm_regs;

static int fm_pending_begin(struct kunit *test)
{
	int err = fm_switched_begin(test);

	memset(&fm_here, 0, sizeof(fm_here));
	fm_here.has_memory = true;
	if (!err)
		fm_session->limits.user_bytes = FM_USER_KB_MIN * 1024;
	return err;
}

static void fm_attach_to(struct kunit *test, const struct fm_attach *attach)
{
	fm_switched_attach(test, attach);
	fm_source = fm_events->sources[0];
	fm_c = fm_events->cpus[0];
}

/* What a handler does, with a state that tells its record apart. */
static void fm_hit_in(unsigned long preempt, u64 weight, u8 state)
{
	const struct fm_spot spot = { .regs = &fm_regs, .leaf = FM_LEAF };
	struct fm_turn turn;
	struct fm_event_cpu **c, *other;

	preempt_disable();
	c = &fm_events->cpus[task_cpu(current)];
	other = *c;
	*c = fm_c;
	turn = fm_hit_begin(fm_source, false);
	if (turn.c) {
		fm_hit(&turn, fm_source, &spot, preempt, weight, state);
		fm_hit_end(&turn, fm_source);
	}
	*c = other;
	preempt_enable();
}

static void fm_hit_now(u64 weight, u8 state)
{
	fm_hit_in(0, weight, state);
}

/* Two hits of a moment, told apart by their states 1 and 2. */
static void fm_hit_twice(struct kunit *test)
{
	fm_attach_to(test, &fm_attach);
	fm_hit_now(5, 1);
	fm_hit_now(6, 2);
}

static void fm_interrupt(void)
{
	preempt_disable();
	fm_pending_work(&fm_c->user_work);
	preempt_enable();
}

static void fm_drain_now(void)
{
	fm_session_lock(fm_session);
	fm_events_drain(fm_session);
	fm_session_unlock(fm_session);
}

static const struct fm_event_books *fm_books(void)
{
	return &fm_c->books[fm_source->event];
}

/* The name of a record's user stack's frame, of those of a state; "" without one. */
static const char *fm_user_of(int state)
{
	struct fm_aggregate *aggregate = fm_events->aggregate;
	u32 i;

	for (i = 0; i < fm_set_nr(&aggregate->records); i++) {
		struct fm_record *record = fm_set_at(&aggregate->records, i);
		struct fm_node *node = fm_set_at(&aggregate->nodes, record->user);
		struct fm_frame *frame;

		if (record->state != state)
			continue;
		if (!record->user)
			return "";
		frame = fm_set_at(&fm_session->symbols.frames, node->frame);
		return fm_frame_text(frame);
	}
	return "no record";
}

static u64 fm_side(enum flamemod_user_side side)
{
	return fm_events->sides[fm_source->event][side];
}

static void a_hit_waits_for_its_user_stack(struct kunit *test)
{
	fm_attach_to(test, &fm_attach);
	fm_hit_now(5, 1);
	KUNIT_EXPECT_EQ(test, fm_books()->hits.seen, 1);
	KUNIT_EXPECT_EQ(test, fm_books()->hits.stored, 0);
	KUNIT_EXPECT_EQ(test, fm_here.nr_asked, 1);
	KUNIT_EXPECT_EQ(test, fm_here.nr_walks, 0);
	fm_interrupt();
	KUNIT_EXPECT_EQ(test, fm_here.nr_walks, 1);
	KUNIT_EXPECT_EQ(test, fm_books()->hits.stored, 1);
	KUNIT_EXPECT_EQ(test, fm_books()->weight.stored, 5);
	/* Nothing waits any more. */
	fm_interrupt();
	KUNIT_EXPECT_EQ(test, fm_here.nr_walks, 1);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_side(FLAMEMOD_USER_WHOLE), 5);
	KUNIT_EXPECT_STREQ(test, fm_user_of(1), "[jit]");
	/* Found again, by its note. */
	fm_hit_now(6, 1);
	fm_interrupt();
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_side(FLAMEMOD_USER_WHOLE), 11);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_events->aggregate->records), 1);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
}

static void hits_of_a_moment_have_one_stack(struct kunit *test)
{
	fm_here.side = FLAMEMOD_USER_BY_FP;
	fm_hit_twice(test);
	fm_interrupt();
	KUNIT_EXPECT_EQ(test, fm_here.nr_walks, 1);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_side(FLAMEMOD_USER_BY_FP), 11);
	KUNIT_EXPECT_STREQ(test, fm_user_of(1), "[jit]");
	KUNIT_EXPECT_STREQ(test, fm_user_of(2), "[jit]");
}

static void who_left_the_cpu_is_away(struct kunit *test)
{
	fm_hit_twice(test);
	fm_c->pending[0].task = &init_task;
	fm_interrupt();
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_side(FLAMEMOD_USER_AWAY), 5);
	KUNIT_EXPECT_EQ(test, fm_side(FLAMEMOD_USER_WHOLE), 6);
	KUNIT_EXPECT_STREQ(test, fm_user_of(1), "[user: away]");
	KUNIT_EXPECT_STREQ(test, fm_user_of(2), "[jit]");
}

static void who_gave_up_its_memory_is_away(struct kunit *test)
{
	fm_attach_to(test, &fm_attach);
	fm_hit_now(5, 1);
	fm_here.has_memory = false;
	fm_interrupt();
	KUNIT_EXPECT_EQ(test, fm_here.nr_walks, 0);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_side(FLAMEMOD_USER_AWAY), 5);
}

static void what_has_no_user_stack_does_not_wait(struct kunit *test)
{
	fm_attach_to(test, &fm_attach);
	fm_hit_in(HARDIRQ_OFFSET, 5, 1);
	fm_here.has_memory = false;
	fm_hit_now(6, 2);
	KUNIT_EXPECT_EQ(test, fm_books()->hits.stored, 2);
	KUNIT_EXPECT_EQ(test, fm_here.nr_asked, 0);
	fm_drain_now();
	KUNIT_EXPECT_STREQ(test, fm_user_of(1), "");
	KUNIT_EXPECT_STREQ(test, fm_user_of(2), "");
	KUNIT_EXPECT_EQ(test, fm_side(FLAMEMOD_USER_WHOLE) + fm_side(FLAMEMOD_USER_AWAY), 0);
}

static void nobody_waits_unless_asked_to(struct kunit *test)
{
	struct fm_attach attach = fm_attach;

	attach.user_stacks = false;
	fm_attach_to(test, &attach);
	fm_hit_now(5, 1);
	KUNIT_EXPECT_EQ(test, fm_books()->hits.stored, 1);
	KUNIT_EXPECT_NULL(test, fm_c->maps);
	KUNIT_EXPECT_NULL(test, fm_session->objects);
}

static void there_is_room_for_so_many(struct kunit *test)
{
	u32 i;

	fm_attach_to(test, &fm_attach);
	for (i = 0; i < FM_PENDING_MAX; i++)
		fm_hit_now(1, 1);
	KUNIT_EXPECT_EQ(test, fm_books()->hits.stored, 0);
	fm_hit_now(100, 2);
	KUNIT_EXPECT_EQ(test, fm_books()->hits.stored, 1);
	fm_interrupt();
	KUNIT_EXPECT_EQ(test, fm_books()->hits.stored, FM_PENDING_MAX + 1);
	/* The next one, without a user stack, has none. */
	fm_here.has_memory = false;
	fm_hit_now(7, 3);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_side(FLAMEMOD_USER_AWAY), 100);
	KUNIT_EXPECT_EQ(test, fm_side(FLAMEMOD_USER_WHOLE), FM_PENDING_MAX);
	KUNIT_EXPECT_STREQ(test, fm_user_of(2), "[user: away]");
	KUNIT_EXPECT_STREQ(test, fm_user_of(3), "");
}

static void a_drain_stores_those_that_wait(struct kunit *test)
{
	struct fm_event_books books;

	fm_attach_to(test, &fm_attach);
	fm_hit_now(5, 1);
	fm_session_lock(fm_session);
	fm_events_drain(fm_session);
	books = fm_events_books(fm_events, fm_source->event);
	fm_session_unlock(fm_session);
	KUNIT_EXPECT_EQ(test, books.hits.stored, 1);
	KUNIT_EXPECT_TRUE(test, fm_event_books_balance(&books));
	/* CPU 0 may run another task at the moment. */
	KUNIT_EXPECT_EQ(test, fm_side(FLAMEMOD_USER_WHOLE) + fm_side(FLAMEMOD_USER_AWAY), 5);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
}

/* Another CPU stores them then; even if the task runs there, that is not the hit's moment. */
static void on_a_cpu_that_went_offline_all_are_away(struct kunit *test)
{
	fm_attach_to(test, &fm_attach);
	fm_hit_now(5, 1);
	fm_here.cpu = 1;
	fm_interrupt();
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_here.nr_walks, 0);
	KUNIT_EXPECT_EQ(test, fm_side(FLAMEMOD_USER_AWAY), 5);
}

static void its_walk_is_paid_for(struct kunit *test)
{
	s64 credit_ns;

	fm_attach_to(test, &fm_attach);
	fm_hit_now(5, 1);
	credit_ns = fm_c->throttle->credit_ns;
	fm_here.walk_ns = 100000;
	fm_here.slow = true;
	fm_interrupt();
	KUNIT_EXPECT_LE(test, fm_c->throttle->credit_ns, credit_ns - 70000);
}

static void events_of_tasks_wait_as_well(struct kunit *test)
{
	static const struct fm_attach tasks = {
		.events = FM_EVENTS_ALL, .states = FM_TASK_STATES_ALL, .user_stacks = true,
	};
	struct task_struct *one = fm_switched_task(test, 101);
	struct task_struct *other = fm_switched_task(test, 102);

	fm_switched_attach(test, &tasks);
	fm_c = fm_events->cpus[0];
	fm_hand.now_ns += 1000;
	fm_switched(one, false, TASK_INTERRUPTIBLE, other);
	KUNIT_EXPECT_EQ(test, fm_switched_books(FLAMEMOD_EVENT_RAN)->hits.stored, 1);
	KUNIT_EXPECT_EQ(test, fm_switched_books(FLAMEMOD_EVENT_OFF_CPU)->hits.stored, 0);
	KUNIT_ASSERT_EQ(test, fm_c->nr_pending, 1);
	KUNIT_EXPECT_PTR_EQ(test, fm_c->pending[0].task, other);
	fm_c->pending[0].task = current;
	fm_interrupt();
	KUNIT_EXPECT_EQ(test, fm_switched_books(FLAMEMOD_EVENT_OFF_CPU)->hits.stored, 1);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_events->sides[FLAMEMOD_EVENT_OFF_CPU][FLAMEMOD_USER_WHOLE], 1000);
	KUNIT_EXPECT_EQ(test, fm_events->sides[FLAMEMOD_EVENT_RAN][FLAMEMOD_USER_WHOLE], 0);
}

/* What they have is given back, and the next ones start with nothing. */
static void the_next_events_have_their_own(struct kunit *test)
{
	fm_attach_to(test, &fm_attach);
	fm_hit_now(5, 1);
	fm_interrupt();
	fm_hit_now(6, 1);
	fm_drain_now();
	fm_hit_now(7, 1);
	fm_events_end(fm_session);
	KUNIT_EXPECT_EQ(test, fm_c->nr_pending, 0);
	fm_attach_to(test, &fm_attach);
	KUNIT_EXPECT_EQ(test, fm_side(FLAMEMOD_USER_WHOLE), 0);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_events->aggregate->records), 0);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
}

/* What a CPU needs for user stacks. */
struct fm_room {
	struct fm_objects *objects;
	struct fm_maps *maps;
	struct fm_table tables[2];
};

static int fm_attempt_room(struct kunit *test, void *data)
{
	struct fm_room *room = data;

	memset(room, 0, sizeof(*room));
	room->objects = fm_objects_create(FM_ROWS_KB_MIN * 1024, false);
	if (!room->objects)
		return -ENOMEM;
	return fm_user_room_init(&room->maps, room->tables, room->objects, 0,
				 FM_TAKER_EVENTS, FM_USER_KB_MIN * 1024);
}

static void fm_cleanup_room(struct kunit *test, void *data)
{
	struct fm_room *room = data;

	fm_user_paths_deinit(&room->tables[0].own.user);
	fm_user_paths_deinit(&room->tables[1].own.user);
	fm_maps_destroy(room->maps);
	if (room->objects)
		fm_objects_destroy(room->objects);
}

static void room_is_allocated_or_not_at_all(struct kunit *test)
{
	struct fm_room *room = kunit_kzalloc(test, sizeof(*room), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, room);
	/* Objects take 4, the cache and the copies 1 each, and paths 3 for each table. */
	fm_allocations_fail_each(test, 12, -ENOMEM, fm_attempt_room, fm_cleanup_room, room);
}

static struct kunit_case fm_pending_tests[] = {
	KUNIT_CASE(a_hit_waits_for_its_user_stack),
	KUNIT_CASE(hits_of_a_moment_have_one_stack),
	KUNIT_CASE(who_left_the_cpu_is_away),
	KUNIT_CASE(who_gave_up_its_memory_is_away),
	KUNIT_CASE(what_has_no_user_stack_does_not_wait),
	KUNIT_CASE(nobody_waits_unless_asked_to),
	KUNIT_CASE(there_is_room_for_so_many),
	KUNIT_CASE(a_drain_stores_those_that_wait),
	KUNIT_CASE(on_a_cpu_that_went_offline_all_are_away),
	KUNIT_CASE(its_walk_is_paid_for),
	KUNIT_CASE(events_of_tasks_wait_as_well),
	KUNIT_CASE(the_next_events_have_their_own),
	KUNIT_CASE(room_is_allocated_or_not_at_all),
	{}
};

struct kunit_suite fm_pending_suite = {
	.name = "flamemod_pending",
	.init = fm_pending_begin,
	.exit = fm_switched_end,
	.test_cases = fm_pending_tests,
};
