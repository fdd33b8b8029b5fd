// SPDX-License-Identifier: GPL-2.0
/*
 * The registers that perf gives with a hit of a tracepoint, and those of a CPU.
 */
#include <linux/ptrace.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/caller_regs.h"
#include "suites.h"

#define FM_CALLER	0x1234

#if defined(CONFIG_X86_64)
/* What is on the stack of perf's function. */
static unsigned long fm_frame[4] = { 0xb9, FM_CALLER, 0x5b, 0 };

static void the_callers_frame_is_above_perfs(struct kunit *test)
{
	struct pt_regs regs = { .ip = FM_CALLER, .sp = (unsigned long)fm_frame }, caller;

	memset(&caller, 0xff, sizeof(caller));
	KUNIT_EXPECT_TRUE(test, fm_caller_regs(&caller, &regs));
	KUNIT_EXPECT_EQ(test, caller.ip, FM_CALLER);
	KUNIT_EXPECT_EQ(test, caller.sp, (unsigned long)&fm_frame[2]);
	KUNIT_EXPECT_EQ(test, caller.bp, 0xb9);
	/* Others stay as they are. */
	KUNIT_EXPECT_EQ(test, caller.r10, ~0UL);
}

static void a_cpus_registers_stay(struct kunit *test)
{
	struct pt_regs regs = { .flags = 2 }, caller;

	KUNIT_EXPECT_FALSE(test, fm_caller_regs(&caller, &regs));
}
#elif defined(CONFIG_ARM64)
static unsigned long fm_frame[4] = { 0xb9, FM_CALLER, 0x5b, 0 };

static void the_callers_frame_is_above_perfs(struct kunit *test)
{
	struct pt_regs regs = { .pc = FM_CALLER, .pstate = PSR_MODE_EL1h }, caller;

	regs.regs[29] = (unsigned long)fm_frame;
	KUNIT_EXPECT_TRUE(test, fm_caller_regs(&caller, &regs));
	KUNIT_EXPECT_EQ(test, caller.pc, FM_CALLER);
	KUNIT_EXPECT_EQ(test, caller.regs[29], 0xb9);
}

static void a_cpus_registers_stay(struct kunit *test)
{
	struct pt_regs regs = { .pstate = PSR_MODE_EL1h | PSR_I_BIT }, caller;

	KUNIT_EXPECT_FALSE(test, fm_caller_regs(&caller, &regs));
}
#endif

static struct kunit_case fm_caller_regs_tests[] = {
#if defined(CONFIG_X86_64) || defined(CONFIG_ARM64)
	KUNIT_CASE(the_callers_frame_is_above_perfs),
	KUNIT_CASE(a_cpus_registers_stay),
#endif
	{}
};

struct kunit_suite fm_caller_regs_suite = {
	.name = "flamemod_caller_regs",
	.test_cases = fm_caller_regs_tests,
};
