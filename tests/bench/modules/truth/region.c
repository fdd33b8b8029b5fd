// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that burn known amounts of CPU time: see region.h.
 *
 * A round is a fixed number of instructions without any effect, which an emulator
 * that counts instructions runs at almost no cost.
 */
#include <linux/bottom_half.h>
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "region.h"

#define CALIBRATION_ROUNDS	65536
#define CALIBRATIONS		8
#define RECURSIONS		20

/*
 * The clock is read once in so many rounds. They take some 10 us in an emulator whose
 * clock is the host's, and 262 us in one that counts instructions.
 */
#define LOOK_ROUNDS		4096

static u64 calibration_ns;

/* The rest of a burst, and the time that it has taken so far. */
struct truth_burst {
	u64 left;		/* rounds */
	u64 looked_ns;		/* when the clock was read last */
	u64 ran_ns;		/* without stalls */
};

/*
 * Read the clock between two parts of a burst. If a part took TRUTH_STALL_NS or
 * longer, the host had the CPU meanwhile, and all of the part is left out of ran_ns.
 *
 * Return: the rounds to do next, 0 at the end.
 */
static noinline u64 truth_next(struct truth_burst *burst)
{
	u64 now_ns = ktime_get_ns(), took_ns = now_ns - burst->looked_ns;
	u64 rounds = min_t(u64, burst->left, LOOK_ROUNDS);

	if (took_ns < TRUTH_STALL_NS)
		burst->ran_ns += took_ns;
	burst->looked_ns = now_ns;
	burst->left -= rounds;
	return rounds;
}

/*
 * A macro, so that each caller burns in its own function. The name makes the texts
 * differ: otherwise the compiler would merge the callers to one function.
 */
#define truth_spin(burst, name) do {					\
	u64 left;							\
									\
	while ((left = truth_next(burst)))				\
		for (; left; left--)					\
			asm volatile("/* " name " */\n"			\
				     ".rept 62\n\tnop\n.endr");		\
} while (0)

#define TRUTH_BURNER(name)						\
static noinline void truth_##name(struct truth_burst *burst)		\
{									\
	truth_spin(burst, #name);					\
}

TRUTH_BURNER(calibration)
TRUTH_BURNER(depth_02)
TRUTH_BURNER(depth_05)
TRUTH_BURNER(depth_10)
TRUTH_BURNER(depth_20)
TRUTH_BURNER(depth_40)
TRUTH_BURNER(depth_60)
TRUTH_BURNER(softirq)
TRUTH_BURNER(preempt_off)
TRUTH_BURNER(kthread)
TRUTH_BURNER(syscall)
TRUTH_BURNER(periodic_1000)
TRUTH_BURNER(periodic_997_1)
TRUTH_BURNER(periodic_997_2)
TRUTH_BURNER(periodic_997_3)
TRUTH_BURNER(periodic_997_4)
TRUTH_BURNER(periodic_997_5)
TRUTH_BURNER(idle)
TRUTH_BURNER(filler)

/*
 * A timer that was due fires one instruction after interrupts are enabled again. That
 * may be an instruction of the caller. The barrier prevents a tail call.
 */
#define TRUTH_IRQS_OFF(name)						\
static noinline void truth_##name(struct truth_burst *burst)		\
{									\
	local_irq_disable();						\
	truth_spin(burst, #name);					\
	local_irq_enable();						\
}									\
									\
static noinline void truth_calls_##name(struct truth_burst *burst)	\
{									\
	truth_##name(burst);						\
	barrier();							\
}

TRUTH_IRQS_OFF(irqs_off_tenth)
TRUTH_IRQS_OFF(irqs_off_1)
TRUTH_IRQS_OFF(irqs_off_10)
TRUTH_IRQS_OFF(irqs_off_100)

static noinline void truth_recurse(unsigned int left, struct truth_burst *burst)
{
	if (left)
		truth_recurse(left - 1, burst);
	else
		truth_spin(burst, "recursion");
	barrier();
}

static noinline void truth_recursion(struct truth_burst *burst)
{
	truth_recurse(RECURSIONS, burst);
	barrier();
}

static noinline void truth_burn(struct truth_region *region, u64 rounds)
{
	u64 start_ns = ktime_get_ns();
	struct truth_burst burst = { .left = rounds, .looked_ns = start_ns };

	region->burn(&burst);
	atomic64_add(burst.ran_ns, &region->ran_ns);
	truth_region_count(region, rounds, start_ns);
}

/* A ring of functions. Each calls the next one until @left levels were called. */
#define TRUTH_LEVEL(name, next)						\
static noinline void name(struct truth_region *region,			\
			  unsigned int left, u64 rounds)		\
{									\
	if (left)							\
		next(region, left - 1, rounds);				\
	else								\
		truth_burn(region, rounds);				\
	barrier();							\
}

static void truth_level_0(struct truth_region *region, unsigned int left,
			  u64 rounds);

TRUTH_LEVEL(truth_level_9, truth_level_0)
TRUTH_LEVEL(truth_level_8, truth_level_9)
TRUTH_LEVEL(truth_level_7, truth_level_8)
TRUTH_LEVEL(truth_level_6, truth_level_7)
TRUTH_LEVEL(truth_level_5, truth_level_6)
TRUTH_LEVEL(truth_level_4, truth_level_5)
TRUTH_LEVEL(truth_level_3, truth_level_4)
TRUTH_LEVEL(truth_level_2, truth_level_3)
TRUTH_LEVEL(truth_level_1, truth_level_2)
TRUTH_LEVEL(truth_level_0, truth_level_1)

static void truth_enter_deep(struct truth_region *region, u64 rounds)
{
	truth_level_0(region, region->nr_levels - 1, rounds);
}

static void truth_enter_preempt_off(struct truth_region *region, u64 rounds)
{
	preempt_disable();
	truth_burn(region, rounds);
	preempt_enable();
}

struct truth_tasklet {
	struct tasklet_struct tasklet;
	struct truth_region *region;
	u64 rounds;
};

static void truth_tasklet_run(struct tasklet_struct *tasklet)
{
	struct truth_tasklet *t = container_of(tasklet, struct truth_tasklet,
					       tasklet);

	truth_burn(t->region, t->rounds);
}

static void truth_enter_softirq(struct truth_region *region, u64 rounds)
{
	struct truth_tasklet t = { .region = region, .rounds = rounds };

	tasklet_setup(&t.tasklet, truth_tasklet_run);
	local_bh_disable();
	tasklet_schedule(&t.tasklet);
	local_bh_enable();
	tasklet_kill(&t.tasklet);
}

struct truth_region truth_regions[] = {
	{ "depth_02", truth_depth_02, truth_burn },
	{ "depth_05", truth_depth_05, truth_enter_deep, .nr_levels = 3 },
	{ "depth_10", truth_depth_10, truth_enter_deep, .nr_levels = 8 },
	{ "depth_20", truth_depth_20, truth_enter_deep, .nr_levels = 18 },
	{ "depth_40", truth_depth_40, truth_enter_deep, .nr_levels = 38 },
	{ "depth_60", truth_depth_60, truth_enter_deep, .nr_levels = 58 },
	{ "recursion", truth_recursion, truth_burn },
	{ "syscall", truth_syscall, truth_burn },
	{ "kthread", truth_kthread, truth_burn, .in_thread = true },
	{ "softirq", truth_softirq, truth_enter_softirq },
	{ "preempt_off", truth_preempt_off, truth_enter_preempt_off },
	{ "irqs_off_tenth", truth_calls_irqs_off_tenth, truth_burn },
	{ "irqs_off_1", truth_calls_irqs_off_1, truth_burn },
	{ "irqs_off_10", truth_calls_irqs_off_10, truth_burn },
	{ "irqs_off_100", truth_calls_irqs_off_100, truth_burn },
	{ "periodic_1000", truth_periodic_1000, truth_burn, .in_thread = true },
	{ "periodic_997_1", truth_periodic_997_1, truth_burn, .in_thread = true },
	{ "periodic_997_2", truth_periodic_997_2, truth_burn, .in_thread = true },
	{ "periodic_997_3", truth_periodic_997_3, truth_burn, .in_thread = true },
	{ "periodic_997_4", truth_periodic_997_4, truth_burn, .in_thread = true },
	{ "periodic_997_5", truth_periodic_997_5, truth_burn, .in_thread = true },
	{ "idle", truth_idle, truth_burn },
	{ "filler", truth_filler, truth_burn },
};

const unsigned int truth_nr_regions = ARRAY_SIZE(truth_regions);

/**
 * truth_region_find() - find a region by its name.
 * @name: its name
 *
 * Context: Any.
 * Return: the region, or NULL if there is none of that name.
 */
struct truth_region *truth_region_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < truth_nr_regions; i++)
		if (!strcmp(truth_regions[i].name, name))
			return &truth_regions[i];
	return NULL;
}

/**
 * truth_region_count() - count a burst that has ended.
 * @region: its region
 * @rounds: the rounds that it burnt
 * @start_ns: when it started, by ktime_get_ns()
 *
 * Context: Any.
 */
void truth_region_count(struct truth_region *region, u64 rounds, u64 start_ns)
{
	atomic64_inc(&region->nr_bursts);
	atomic64_add(rounds, &region->nr_rounds);
	atomic64_add(ktime_get_ns() - start_ns, &region->measured_ns);
}

static u64 truth_calibrate_once(void)
{
	struct truth_burst burst = { .left = CALIBRATION_ROUNDS };
	u64 start_ns, took_ns;

	local_irq_disable();
	start_ns = ktime_get_ns();
	truth_calibration(&burst);
	took_ns = ktime_get_ns() - start_ns;
	local_irq_enable();
	return took_ns;
}

/**
 * truth_calibrate() - measure how long a round takes.
 *
 * The shortest of some attempts counts: the host may take the CPU away, and the first
 * attempt includes the time to translate or cache the code.
 *
 * Context: Process context; before any other function here.
 */
void truth_calibrate(void)
{
	unsigned int i;

	calibration_ns = truth_calibrate_once();
	for (i = 1; i < CALIBRATIONS; i++)
		calibration_ns = min(calibration_ns, truth_calibrate_once());
}

/**
 * truth_rounds() - compute how many rounds take so long.
 * @burnt_ns: nanoseconds, less than an hour
 *
 * Context: Any.
 * Return: the number of rounds.
 */
u64 truth_rounds(u64 burnt_ns)
{
	return div64_u64(burnt_ns * CALIBRATION_ROUNDS, calibration_ns);
}

/**
 * truth_burnt_ns() - compute how long so many rounds take.
 * @rounds: the number of rounds, of less than an hour
 *
 * Context: Any.
 * Return: nanoseconds.
 */
u64 truth_burnt_ns(u64 rounds)
{
	return div64_u64(rounds * calibration_ns, CALIBRATION_ROUNDS);
}
