// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of functions: real probes on functions of this module, and what is refused.
 */
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/call.h"
#include "../../module/hit.h"
#include "../../module/session.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"
#include "switched.h"

#define FM_PORT		4711

static const struct fm_level_case {
	const char *name;
	unsigned long preempt, left;
	bool traps, nmi;
} fm_level_cases[] = {
	{ "a task", 1, 1, false, false },
	{ "a task, by a trap", 1 + NMI_OFFSET + HARDIRQ_OFFSET, 1, true, false },
	{ "a task, by a jump", 1, 1, true, false },
	{ "an interrupt", HARDIRQ_OFFSET, HARDIRQ_OFFSET, false, false },
	{ "an interrupt, by a trap", NMI_OFFSET + 2 * HARDIRQ_OFFSET, HARDIRQ_OFFSET, true,
	  false },
	{ "an NMI", NMI_OFFSET + HARDIRQ_OFFSET, NMI_OFFSET + HARDIRQ_OFFSET, false, true },
	{ "an NMI, by a trap", 2 * (NMI_OFFSET + HARDIRQ_OFFSET), NMI_OFFSET + HARDIRQ_OFFSET,
	  true, true },
};

FM_ARRAY_PARAM(level);

static void a_trap_is_no_nmi(struct kunit *test)
{
	const struct fm_level_case *c = test->param_value;
	struct fm_call_level level = fm_call_level_of(c->preempt, c->traps);

	KUNIT_EXPECT_EQ(test, level.preempt, c->left);
	KUNIT_EXPECT_EQ(test, level.nmi, c->nmi);
}

#ifdef CONFIG_KPROBES
static noinline __noclone u64 fm_call_target(u64 number, int negative)
{
	/* Else a call whose result nobody wants is none. */
	barrier();
	return number + negative;
}

static struct fm_source_request fm_requests[] = {
	{ .kind = FLAMEMOD_SOURCE_KIND_FUNC, .name = "count", .function = "fm_call_target" },
	{ .kind = FLAMEMOD_SOURCE_KIND_FUNC, .name = "sum", .function = "fm_call_target",
	  .weight = { .argument = 1, .size = 8 },
	  .conditions = { 1, { { { .argument = 2, .size = 4, .is_signed = true },
				 FLAMEMOD_COMPARE_LT, (u64)-5 } } } },
	{ .kind = FLAMEMOD_SOURCE_KIND_LATENCY, .name = "latency",
	  .function = "fm_call_target" },
	{ .kind = FLAMEMOD_SOURCE_KIND_FUNC, .name = "weight alone", .function = "fm_call_target",
	  .weight = { .argument = 1, .size = 8 } },
	{ .kind = FLAMEMOD_SOURCE_KIND_FUNC, .name = "condition alone",
	  .function = "fm_call_target",
	  .conditions = { 1, { { { .argument = 2, .size = 4, .is_signed = true },
				 FLAMEMOD_COMPARE_LT, (u64)-5 } } } },
};

static struct fm_attach fm_calls = {
	.states = FM_TASK_STATES_ALL, .sources = fm_requests,
	.nr_sources = ARRAY_SIZE(fm_requests),
};

static struct fm_event_books fm_books_of(u8 number)
{
	struct fm_event_books books;

	fm_session_lock(fm_session);
	fm_events_drain(fm_session);
	books = fm_events_books(fm_events, FLAMEMOD_SOURCE_FIRST + number);
	fm_session_unlock(fm_session);
	return books;
}

static void n_calls_are_n_hits(struct kunit *test)
{
	struct netlink_ext_ack extack = {};
	struct fm_event_books books;
	unsigned int i;

	fm_clock = fm_real_clock;
	/* The calls may be on any CPU. */
	fm_online = cpu_online_mask;
	KUNIT_ASSERT_EQ(test, fm_events_attach(fm_session, &fm_calls, FM_PORT, &extack), 0);
	for (i = 1; i <= 10; i++)
		fm_call_target(i, -(int)i);
	books = fm_books_of(0);
	KUNIT_EXPECT_EQ(test, books.hits.seen, 10);
	KUNIT_EXPECT_EQ(test, books.weight.seen, 10);
	KUNIT_EXPECT_EQ(test, books.hits.lost[FLAMEMOD_EVENT_LOST_NMI], 0);
	KUNIT_EXPECT_EQ(test, books.hits.lost[FLAMEMOD_EVENT_LOST_NESTED], 0);
	KUNIT_EXPECT_EQ(test, books.hits.lost[FLAMEMOD_EVENT_LOST_MISSED], 0);
	books = fm_books_of(1);
	KUNIT_EXPECT_EQ(test, books.weight.seen, 55);
	/* 6 to 10 */
	KUNIT_EXPECT_EQ(test, books.weight.filtered, 15);
	KUNIT_EXPECT_EQ(test, books.hits.filtered, 5);
	books = fm_books_of(2);
	KUNIT_EXPECT_EQ(test, books.hits.seen, 10);
	KUNIT_EXPECT_GT(test, books.weight.seen, 0);
	books = fm_books_of(3);
	KUNIT_EXPECT_EQ(test, books.weight.seen, 55);
	KUNIT_EXPECT_EQ(test, books.hits.filtered, 0);
	books = fm_books_of(4);
	KUNIT_EXPECT_EQ(test, books.weight.seen, 10);
	KUNIT_EXPECT_EQ(test, books.hits.filtered, 5);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
	KUNIT_EXPECT_EQ(test, fm_events_detach(fm_session, FM_PORT, &extack), 0);
	KUNIT_EXPECT_EQ(test, fm_events->nr_sources, 0);
}

/* The worker detaches what is hot, and nothing else. */
static void what_is_hot_is_detached(struct kunit *test)
{
	struct netlink_ext_ack extack = {};

	fm_clock = fm_real_clock;
	/* The calls may be on any CPU. */
	fm_online = cpu_online_mask;
	KUNIT_ASSERT_EQ(test, fm_events_attach(fm_session, &fm_calls, FM_PORT, &extack), 0);
	WRITE_ONCE(fm_events->sources[0]->hot, true);
	fm_call_target(1, 0);
	irq_work_queue(&fm_events->sources[0]->suspend_work);
	irq_work_sync(&fm_events->sources[0]->suspend_work);
	flush_work(&fm_events->suspend_work);
	KUNIT_EXPECT_FALSE(test, fm_events->sources[0]->attached);
	KUNIT_EXPECT_GT(test, fm_events->sources[0]->suspended_ns, 0);
	KUNIT_EXPECT_TRUE(test, fm_events->sources[1]->attached);
	fm_call_target(1, 0);
	KUNIT_EXPECT_EQ(test, fm_books_of(0).hits.seen, 1);
	KUNIT_EXPECT_EQ(test, fm_books_of(0).hits.lost[FLAMEMOD_EVENT_LOST_SUSPENDED], 1);
	KUNIT_EXPECT_EQ(test, fm_books_of(1).hits.seen, 2);
}

static const struct fm_forbidden_case {
	const char *name;
	struct fm_source_request request;
	int err;
	const char *says;
} fm_forbidden_cases[] = {
	{ "no function", { .kind = FLAMEMOD_SOURCE_KIND_FUNC, .name = "x",
			   .function = "fm_no_such_function" }, -EINVAL,
	  "x: cannot attach to fm_no_such_function(): the kernel has no such function" },
	{ "no function, latency", { .kind = FLAMEMOD_SOURCE_KIND_LATENCY, .name = "y",
				    .function = "fm_no_such_function" }, -EINVAL,
	  "y: cannot attach to fm_no_such_function(): the kernel has no such function" },
	{ "a handler of ours", { .kind = FLAMEMOD_SOURCE_KIND_FUNC, .name = "x",
				 .function = "fm_func_hit" }, -EINVAL,
	  "x: cannot attach to fm_func_hit(): the kernel forbids probes there" },
	{ "no name", { .kind = FLAMEMOD_SOURCE_KIND_FUNC, .name = "x" }, -EINVAL,
	  "x: function: missing" },
	{ "no kind", { .kind = 77, .name = "x" }, -EOPNOTSUPP, "kind: " },
};

FM_ARRAY_PARAM(forbidden);

static void what_is_forbidden_is_refused(struct kunit *test)
{
	const struct fm_forbidden_case *c = test->param_value;
	struct fm_source_request requests[2] = { fm_requests[0], c->request };
	struct fm_attach request = { .nr_sources = 2, .sources = requests, .states = 1 };
	struct netlink_ext_ack extack = {};

	KUNIT_EXPECT_EQ(test, fm_events_attach(fm_session, &request, FM_PORT, &extack),
			c->err);
	KUNIT_ASSERT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_TRUE(test, strstarts(extack._msg, c->says));
	KUNIT_EXPECT_FALSE(test, fm_events->attached);
	KUNIT_EXPECT_EQ(test, fm_events->nr_sources, 0);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_events->memory), 0);
	/* The function before it is not probed any more. */
	KUNIT_EXPECT_EQ(test, fm_call_target(4, -1), 3);
}
#endif

static struct kunit_case fm_call_tests[] = {
	KUNIT_CASE_PARAM(a_trap_is_no_nmi, fm_level_gen_params),
#ifdef CONFIG_KPROBES
	KUNIT_CASE(n_calls_are_n_hits),
	KUNIT_CASE(what_is_hot_is_detached),
	KUNIT_CASE_PARAM(what_is_forbidden_is_refused, fm_forbidden_gen_params),
#endif
	{}
};

struct kunit_suite fm_call_suite = {
	.name = "flamemod_call",
	.init = fm_switched_begin,
	.exit = fm_switched_end,
	.test_cases = fm_call_tests,
};
