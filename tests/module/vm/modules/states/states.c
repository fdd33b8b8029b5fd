// SPDX-License-Identifier: GPL-2.0
/*
 * A cpuidle driver with two states that only halt the CPU, for guests whose
 * machine has no driver of its own.
 *
 * With a driver the kernel's governor chooses a state by the next timers. The second
 * state claims to stop the CPU's timer, as deep states of some hardware do. If that
 * timer has CLOCK_EVT_FEAT_C3STOP (x86 without the feature arat), the kernel shuts it
 * down and has another one wake the CPU.
 *
 * A driver in use cannot be unloaded: there is no exit.
 */
#include <linux/cpuidle.h>
#include <linux/irqflags.h>
#include <linux/module.h>

#ifdef CONFIG_X86
static void states_halt(void)
{
	raw_safe_halt();
	raw_local_irq_disable();
}
#else
static void states_halt(void)
{
	dsb(sy);
	wfi();
}
#endif

static int states_enter(struct cpuidle_device *device,
			struct cpuidle_driver *driver, int index)
{
	states_halt();
	return index;
}

static struct cpuidle_driver states_driver = {
	.name = "states",
	.owner = THIS_MODULE,
	.states = {
		{
			.name = "HALT",
			.desc = "halt",
			.exit_latency = 1,
			.target_residency = 1,
			.enter = states_enter,
		},
		{
			.name = "STOP",
			.desc = "halt, with the timer stopped",
			.exit_latency = 50,
			.target_residency = 500,
			.flags = CPUIDLE_FLAG_TIMER_STOP,
			.enter = states_enter,
		},
	},
	.state_count = 2,
};

static int __init states_init(void)
{
	return cpuidle_register(&states_driver, NULL);
}

module_init(states_init);
MODULE_DESCRIPTION("two idle states, one of which stops the timer");
MODULE_LICENSE("GPL");
