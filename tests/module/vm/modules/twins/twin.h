/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One of two modules that differ only in their functions' names.
 *
 * Loaded alternately they are at the same addresses, so a name that was kept too long
 * would appear on the other module. Each spins for "init_us" while it is loaded and for
 * "exit_us" while it is unloaded; with "fail" its load fails after that.
 */
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static uint init_us = 1000;
module_param(init_us, uint, 0444);

static uint exit_us = 1000;
module_param(exit_us, uint, 0444);

static bool fail;
module_param(fail, bool, 0444);

/* Inlined, so that each caller is a leaf of its own. */
static __always_inline void spin_us(uint us)
{
	u64 end = ktime_get_ns() + (u64)us * NSEC_PER_USEC;
	uint spin;

	do {
		for (spin = 0; spin < 1000; spin++)
			cpu_relax();
	} while (ktime_get_ns() < end);
}

/*
 * Text that stays until unload. Only init and exit functions call it, so some compilers
 * would place it with unlikely code.
 */
static noinline __section(".text") void TWIN(stays)(uint us)
{
	spin_us(us);
}

static noinline void __init TWIN(loads)(void)
{
	spin_us(init_us / 2);
	TWIN(stays)(init_us / 2);
	barrier();
}

static noinline void __exit TWIN(unloads)(void)
{
	spin_us(exit_us / 2);
	TWIN(stays)(exit_us / 2);
	barrier();
}

static int __init TWIN(init)(void)
{
	TWIN(loads)();
	return fail ? -ENODEV : 0;
}

static void __exit TWIN(exit)(void)
{
	TWIN(unloads)();
	barrier();
}

MODULE_DESCRIPTION("differs from its twin in its functions' names only");
MODULE_LICENSE("GPL");
