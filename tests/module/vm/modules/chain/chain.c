// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that call each other in a known order and are called from nowhere else.
 *
 * Writing milliseconds to the parameter "ms" runs for that long, on the
 * writer's CPU, chain_run() -> chain_one() -> chain_two() -> chain_three() ->
 * chain_four(), many thousand times a second: a tracer of functions is then
 * entered all the time, and what a stack must look like is known.
 */
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>

#include "chain.h"

noinline void chain_four(void)
{
	chain_spin();
}
EXPORT_SYMBOL_GPL(chain_four);

/* The barriers keep the calls from being jumps. */
static noinline void chain_three(void)
{
	chain_spin();
	chain_four();
	barrier();
}

static noinline void chain_two(void)
{
	chain_spin();
	chain_three();
	barrier();
}

static noinline void chain_one(void)
{
	chain_spin();
	chain_two();
	barrier();
}

static noinline void chain_run(uint ms)
{
	u64 end = ktime_get_ns() + (u64)ms * NSEC_PER_MSEC;

	do {
		chain_one();
		cond_resched();
	} while (ktime_get_ns() < end);
}

static int chain_ms_set(const char *text, const struct kernel_param *param)
{
	uint ms;
	int err;

	err = kstrtouint(text, 10, &ms);
	if (err)
		return err;
	chain_run(ms);
	return 0;
}

static const struct kernel_param_ops chain_ms_ops = { .set = chain_ms_set };
module_param_cb(ms, &chain_ms_ops, NULL, 0200);

static int __init chain_init(void)
{
	return 0;
}

static void __exit chain_exit(void)
{
}

module_init(chain_init);
module_exit(chain_exit);
MODULE_DESCRIPTION("calls functions in a known order");
MODULE_LICENSE("GPL");
