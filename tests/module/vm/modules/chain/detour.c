// SPDX-License-Identifier: GPL-2.0
/*
 * Replaces chain_three() by detour_three() as livepatch does: by an
 * ftrace_ops that changes the instruction pointer. "hits" counts its calls.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/version.h>

#include "chain.h"

static ulong hits;
module_param(hits, ulong, 0444);

/* struct ftrace_regs came with 5.11; registers are not saved everywhere. */
#if defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS) && \
	LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)

static noinline void detour_three(void)
{
	hits++;
	chain_spin();
	chain_four();
	barrier();
}

static void notrace detour_take(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops,
				struct ftrace_regs *fregs)
{
	instruction_pointer_set(ftrace_get_regs(fregs),
				(unsigned long)detour_three);
}

static struct ftrace_ops detour_ops = {
	.func = detour_take,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
};

static int __init detour_init(void)
{
	static unsigned char name[] = "chain_three";
	int err;

	err = ftrace_set_filter(&detour_ops, name, sizeof(name) - 1, 1);
	return err ?: register_ftrace_function(&detour_ops);
}

static void __exit detour_exit(void)
{
	unregister_ftrace_function(&detour_ops);
	ftrace_free_filter(&detour_ops);
}

#else

static int __init detour_init(void)
{
	return -EOPNOTSUPP;
}

static void __exit detour_exit(void)
{
}

#endif

module_init(detour_init);
module_exit(detour_exit);
MODULE_DESCRIPTION("replaces a function as livepatch does");
MODULE_LICENSE("GPL");
