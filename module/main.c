// SPDX-License-Identifier: GPL-2.0
/*
 * flamemod: where does the kernel's time go?
 *
 * Defines the parameters, and sets up every part in order at load; unload takes
 * them down in the reverse order.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "debugfs.h"
#include "events.h"
#include "follow.h"
#include "hotplug.h"
#include "idle.h"
#include "modules.h"
#include "netlink.h"
#include "session.h"
#include "snapshot.h"
#include "step.h"

#define FM_CPU_KB_MIN		32
#define FM_CPU_KB_MAX		65536
#define FM_AGGREGATE_KB_MIN	256
#define FM_AGGREGATE_KB_MAX	(1024 * 1024)

static unsigned int hz = 997;
module_param(hz, uint, 0444);
MODULE_PARM_DESC(hz, "samples per second and CPU at load, 1..20000 (997)");

/*
 * A module starts to sample when it is loaded, because somebody loads it for that, and
 * takes user stacks where they exist. Built into a kernel, it boots every time, so it
 * waits for a request to start, and for one to take user stacks.
 */
#ifdef MODULE
#define FM_IS_LOADED	true
#else
#define FM_IS_LOADED	false
#endif

static bool autostart = FM_IS_LOADED;
module_param(autostart, bool, 0444);
MODULE_PARM_DESC(autostart, "start sampling at load (Y; built in: N)");

static char *cpus = "";
module_param(cpus, charp, 0444);
MODULE_PARM_DESC(cpus, "CPUs to sample, such as 0-3,8, or all (those that are not isolated)");

static unsigned int max_depth = FLAMEMOD_MAX_DEPTH_MAX;
module_param(max_depth, uint, 0444);
MODULE_PARM_DESC(max_depth, "frames kept of a stack, 1..127 (127)");

static unsigned int cpu_kb = 1024;
module_param(cpu_kb, uint, 0444);
MODULE_PARM_DESC(cpu_kb, "KiB for a CPU's hot tables and learned steps, 32..65536 (1024)");

/* 0: chosen at load. Then /sys shows what was chosen. */
static unsigned int aggregate_kb;
module_param(aggregate_kb, uint, 0444);
MODULE_PARM_DESC(aggregate_kb,
		 "KiB for the profile, its names and its readers, 256..1048576, with many CPUs from more on (0: 16384, or with user stacks 1/32 of the memory, but 16384..65536)");

static char *unwinder = "auto";
module_param(unwinder, charp, 0444);
MODULE_PARM_DESC(unwinder,
		 "how stacks are taken: auto, regs (x86), learned (x86) or portable (auto)");

static unsigned int verify = 1000;
module_param(verify, uint, 0444);
MODULE_PARM_DESC(verify,
		 "compare one stack in so many with the kernel's unwinder, 0: none (1000)");

/* Where they do not exist, user_stacks=1 is refused, but the default is just off. */
static bool user_stacks = FM_IS_LOADED;
static bool fm_user_stacks_given;

static int fm_user_stacks_set(const char *value, const struct kernel_param *param)
{
	fm_user_stacks_given = true;
	return param_set_bool(value, param);
}

static const struct kernel_param_ops fm_user_stacks_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = fm_user_stacks_set,
	.get = param_get_bool,
};

module_param_cb(user_stacks, &fm_user_stacks_ops, &user_stacks, 0444);
__MODULE_PARM_TYPE(user_stacks, "bool");
MODULE_PARM_DESC(user_stacks,
		 "take user stacks (Y where they exist: arm64, or x86-64 with a local APIC; built in: N)");

static bool user_any_fs;
module_param(user_any_fs, bool, 0444);
MODULE_PARM_DESC(user_any_fs, "read programs on FUSE and network file systems as well (N)");

static unsigned int user_kb = 2048;
module_param(user_kb, uint, 0444);
MODULE_PARM_DESC(user_kb, "KiB for a CPU's user stacks, 64..65536 (2048)");

static unsigned int rows_kb = 32768;
module_param(rows_kb, uint, 0444);
MODULE_PARM_DESC(rows_kb, "KiB for the unwind tables of programs, 1024..1048576 (32768)");

static unsigned int events_kb = 8192;
module_param(events_kb, uint, 0444);
MODULE_PARM_DESC(events_kb, "KiB for the events of each program while they are attached, 256..1048576 (8192)");

static struct fm_session *fm_session;

static int __init fm_check(const char *name, unsigned int value,
			   unsigned int min, unsigned int max)
{
	if (value >= min && value <= max)
		return 0;
	pr_err("%s=%u: must be %u..%u\n", name, value, min, max);
	return -EINVAL;
}

/* Each reader's copy has a part of each CPU, so many CPUs need more. */
static unsigned int __init fm_least_aggregate_kb(void)
{
	return DIV_ROUND_UP(fm_snapshot_aggregate_least(num_possible_cpus()), 1024);
}

static int __init fm_check_aggregate(void)
{
	unsigned int least_kb = fm_least_aggregate_kb();

	if (!aggregate_kb)
		return 0;
	if (aggregate_kb >= FM_AGGREGATE_KB_MIN && aggregate_kb < least_kb) {
		pr_err("aggregate_kb=%u: nobody could read the profile of a machine with %u possible CPUs: must be at least %u, or left out\n",
		       aggregate_kb, num_possible_cpus(), least_kb);
		return -EINVAL;
	}
	return fm_check("aggregate_kb", aggregate_kb, FM_AGGREGATE_KB_MIN, FM_AGGREGATE_KB_MAX);
}

/*
 * Programs have many more stacks than the kernel, and each short-lived process has
 * records of its own: compilers on two CPUs filled 16 MiB within three minutes. The
 * memory is only allocated as the profile grows.
 */
static unsigned int __init fm_usual_aggregate_kb(void)
{
	u64 part_kb = (u64)totalram_pages() * (PAGE_SIZE / 1024) / 32;
	unsigned int kb = user_stacks ? clamp_t(u64, part_kb, 16384, 65536) : 16384;

	return max(kb, fm_least_aggregate_kb());
}

static int __init fm_check_parameters(struct fm_limits *limits)
{
	int err;

	err = fm_check("hz", hz, 1, FLAMEMOD_HZ_MAX) ?:
	      fm_check("max_depth", max_depth, 1, FLAMEMOD_MAX_DEPTH_MAX) ?:
	      fm_check("cpu_kb", cpu_kb, FM_CPU_KB_MIN, FM_CPU_KB_MAX) ?:
	      fm_check_aggregate() ?:
	      fm_check("user_kb", user_kb, FM_USER_KB_MIN, FM_USER_KB_MAX) ?:
	      fm_check("rows_kb", rows_kb, FM_ROWS_KB_MIN, FM_ROWS_KB_MAX) ?:
	      fm_check("events_kb", events_kb, FM_AGGREGATE_KB_MIN, FM_AGGREGATE_KB_MAX);
	if (err)
		return err;
	limits->cpu_bytes = (size_t)cpu_kb << 10;
	limits->take_stack = fm_stack_find(unwinder);
	if (!limits->take_stack) {
		pr_err("unwinder=%s: must be auto%s\n", unwinder,
		       FM_STACK_NAMES);
		return -EINVAL;
	}
	limits->verify = verify;
	if (user_stacks && fm_user_stacks_given && !fm_user_stacks_exist()) {
		pr_err("user_stacks=1: not on this machine: they need arm64, or x86-64 with a local APIC\n");
		return -EOPNOTSUPP;
	}
	/* what /sys shows, too */
	user_stacks = user_stacks && fm_user_stacks_exist();
	aggregate_kb = aggregate_kb ?: fm_usual_aggregate_kb();
	limits->aggregate_bytes = (size_t)aggregate_kb << 10;
	limits->user_bytes = (size_t)user_kb << 10;
	limits->user_any_fs = user_any_fs;
	limits->rows_bytes = (size_t)rows_kb << 10;
	limits->events_bytes = (size_t)events_kb << 10;
	if (NSEC_PER_SEC / hz < hrtimer_resolution) {
		pr_err("hz=%u: the timers' clock has a resolution of %u ns, so hz can be at most %lu\n",
		       hz, hrtimer_resolution,
		       NSEC_PER_SEC / hrtimer_resolution);
		return -ERANGE;
	}
	return 0;
}

/* Set which CPUs are sampled, as the parameter says. */
static int __init fm_choose_cpus(struct fm_session *session)
{
	struct fm_settings *settings = session->settings;
	int err = fm_settings_parse_cpus(settings, cpus);

	if (err == -ERANGE)
		pr_err("cpus=%s: written out CPU by CPU it must be at most %d bytes\n",
		       cpus, FLAMEMOD_CPUS_BYTES_MAX - 1);
	else if (err)
		pr_err("cpus=%s: must be a list such as 0-3,8, all, or nothing for all that are not isolated; there are CPUs %*pbl\n",
		       cpus, cpumask_pr_args(cpu_possible_mask));
	if (err)
		return err;
	if (fm_session_nr_sampled(session))
		return 0;
	if (*cpus)
		pr_err("cpus=%s: none of them is online: CPUs %*pbl are\n",
		       cpus, cpumask_pr_args(cpu_online_mask));
	else
		pr_err("all CPUs that are online are isolated (isolcpus=, nohz_full=): name those to sample, or all of them: cpus=all\n");
	return -EINVAL;
}

static void __init fm_report_load(struct fm_session *session)
{
	fm_session_lock(session);
	pr_info("%s: %s %u CPUs at %u Hz, %s user stacks, in at most %zu KiB\n",
		FLAMEMOD_VERSION, autostart ? "sampling" : "ready to sample",
		fm_session_nr_sampled(session), hz, user_stacks ? "with" : "without",
		fm_session_memory_limit(session) >> 10);
	if (!*cpus && !cpumask_empty(&session->isolated))
		pr_info("CPUs %*pbl are isolated and not sampled: cpus=all includes them\n",
			cpumask_pr_args(&session->isolated));
	fm_session_unlock(session);
}

static int __init fm_init(void)
{
	struct fm_limits limits;
	int err;

	err = fm_check_parameters(&limits);
	if (err)
		return err;
	fm_step_init();
	fm_session = fm_session_create(&limits, hz, max_depth);
	if (!fm_session)
		return -ENOMEM;
	fm_session->settings->user_stacks = user_stacks;
	err = fm_choose_cpus(fm_session) ?: fm_hotplug_init(fm_session);
	if (err)
		goto destroy_session;
	fm_idle_init(fm_session);
	fm_follow_init(fm_session);
	err = fm_modules_init(fm_session);
	if (err)
		goto deinit_probes;
	if (autostart) {
		err = fm_session_start(fm_session, NULL, NULL);
		if (err == -ENOMEM)
			pr_err("cpu_kb=%u%s: no memory for the tables of %u CPUs: must be less, or load with autostart=0 and sample fewer\n",
			       cpu_kb, user_stacks ? ", user_stacks=1" : "",
			       fm_session_nr_sampled(fm_session));
		if (err)
			goto deinit_modules;
	}
	/*
	 * Requests can arrive from here on, and a reader may hold the module. A
	 * failed load would free it nevertheless, so nothing below may fail.
	 */
	err = fm_netlink_init(fm_session);
	if (err)
		goto stop;
	fm_debugfs_init(fm_session);
	fm_report_load(fm_session);
	return 0;

stop:
	fm_session_stop(fm_session, NULL);
deinit_modules:
	fm_modules_deinit();
deinit_probes:
	fm_follow_deinit(fm_session);
	fm_idle_deinit(fm_session);
	fm_hotplug_deinit(fm_session);
destroy_session:
	fm_session_destroy(fm_session);
	return err;
}

static void __exit fm_exit(void)
{
	fm_debugfs_deinit();
	fm_netlink_deinit();
	fm_events_end(fm_session);
	fm_session_stop(fm_session, NULL);
	fm_modules_deinit();
	fm_follow_deinit(fm_session);
	fm_idle_deinit(fm_session);
	fm_hotplug_deinit(fm_session);
	fm_session_destroy(fm_session);
}

/* When built in, start after the timers have switched to high resolution. */
late_initcall(fm_init);
module_exit(fm_exit);

MODULE_LICENSE("GPL");
MODULE_VERSION(FLAMEMOD_VERSION);
MODULE_DESCRIPTION("Samples kernel stacks and folds them in the kernel");
