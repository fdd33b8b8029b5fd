// SPDX-License-Identifier: GPL-2.0
/*
 * Return addresses that the kernel has replaced, in the list of a made-up task.
 */
#include <linux/sched.h>
#include <kunit/test.h>

#include "../../module/traced.h"
#include "suites.h"

#ifdef CONFIG_RETHOOK
static void a_traced_return_is_found(struct kunit *test)
{
	struct task_struct *task = kunit_kzalloc(test, sizeof(*task), GFP_KERNEL);
	struct rethook_node nodes[4] = {
		{ .frame = 0x100, .ret_addr = 1 },
		/* Two probes of one function. */
		{ .frame = 0x200, .ret_addr = 2 },
		{ .frame = 0x200, .ret_addr = 3 },
		{ .frame = 0x300, .ret_addr = 4 },
	};
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, task);
	KUNIT_EXPECT_FALSE(test, fm_traced(task));
	KUNIT_EXPECT_EQ(test, fm_traced_return(task, 0x100), 0);
	for (i = 0; i < 3; i++)
		nodes[i].llist.next = &nodes[i + 1].llist;
	task->rethooks.first = &nodes[0].llist;
	KUNIT_EXPECT_TRUE(test, fm_traced(task));
	KUNIT_EXPECT_EQ(test, fm_traced_return(task, 0x100), 1);
	KUNIT_EXPECT_EQ(test, fm_traced_return(task, 0x200), 3);
	KUNIT_EXPECT_EQ(test, fm_traced_return(task, 0x300), 4);
	KUNIT_EXPECT_EQ(test, fm_traced_return(task, 0x400), 0);
	/* A list that never ends. */
	nodes[3].llist.next = &nodes[3].llist;
	KUNIT_EXPECT_EQ(test, fm_traced_return(task, 0x400), 0);
}
#endif

static struct kunit_case fm_traced_tests[] = {
#ifdef CONFIG_RETHOOK
	KUNIT_CASE(a_traced_return_is_found),
#endif
	{}
};

struct kunit_suite fm_traced_suite = {
	.name = "flamemod_traced",
	.test_cases = fm_traced_tests,
};
