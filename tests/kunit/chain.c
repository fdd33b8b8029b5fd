// SPDX-License-Identifier: GPL-2.0
/*
 * A chain of calls: see chain.h. Code after each call keeps it from being a tail call.
 */
#include <linux/kallsyms.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "chain.h"

unsigned long fm_chain_ip;		/* the instruction that the timer hit */
static fm_timer_fn fm_chain_then;
static bool fm_chain_taken;

/* Is @address in the function @name? */
bool fm_chain_is_in(unsigned long address, const char *function)
{
	static char name[KSYM_SYMBOL_LEN];
	size_t length = strlen(function);

	sprint_symbol_no_offset(name, address);
	/* The compiler may have split or copied the function: "name.part.0". */
	return !strncmp(name, function, length) &&
	       (!name[length] || name[length] == ' ' || name[length] == '.');
}

static void fm_chain_hit(struct pt_regs *regs)
{
	fm_chain_ip = instruction_pointer(regs);
	fm_chain_taken = fm_chain_is_in(fm_chain_ip, "fm_chain_leaf");
	if (fm_chain_taken)
		fm_chain_then(regs);
}

noinline void fm_chain_leaf(void)
{
	fm_timer_start();
	fm_timer_await();
	barrier();
}

static noinline void fm_chain_deeper(u32 depth)
{
	if (depth)
		fm_chain_deeper(depth - 1);
	else
		fm_chain_leaf();
	barrier();
}

static noinline void fm_chain_middle(u32 depth)
{
	fm_chain_deeper(depth);
	barrier();
}

static noinline void fm_chain_outer(u32 depth)
{
	fm_chain_middle(depth);
	barrier();
}

/* Run @take once, in a timer that hits the leaf. */
void fm_chain_take(struct kunit *test, fm_timer_fn take, u32 depth)
{
	u32 i;

	fm_chain_then = take;
	/* On a busy host the timer may fire before the leaf waits for it. */
	for (i = 0; i < 20; i++) {
		fm_timer_set(fm_chain_hit);
		/* Keep softirqs out. */
		local_bh_disable();
		fm_chain_outer(depth);
		local_bh_enable();
		KUNIT_ASSERT_TRUE(test, fm_timer_cancel());
		if (fm_chain_taken)
			return;
	}
	KUNIT_FAIL(test, "the timer never hit the leaf");
}
