// SPDX-License-Identifier: GPL-2.0
/*
 * A CPU's sampler without a timer: see by_hand.h.
 *
 * This file includes the units. The test decides what they learn from the timer,
 * from the interrupt and from the kernel's account of the CPU's time.
 */
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kernel_stat.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tick.h>
#include <asm/irq_regs.h>

#include "allocations.h"
#include "redirect.h"
#include "../../module/cgroup.h"
#include "../../module/context.h"
#include "../../module/guard.h"
#include "../../module/irqs.h"
#include "by_hand.h"

struct fm_hand fm_hand;
static struct pt_regs fm_hand_regs;
#define FM_HAND_IP		0x1234

#define get_irq_regs()		(fm_hand.no_regs ? NULL : &fm_hand_regs)
#define fm_context_has_memory(task)	(fm_hand.has_memory || (task)->mm)
#define fm_cgroup_id(task)	((task) == current ? fm_hand.cgroup : 0)
#define fm_context_get(regs)	((regs) == &fm_hand_regs ? fm_hand.context : \
						__FLAMEMOD_CONTEXT_MAX)
#define fm_irqs_were_off(address)	((address) == FM_HAND_IP && fm_hand.irqs_off)
#define fm_context_idles(task)	((task) == current && fm_hand.idle)
#define fm_context_injects_idle(task)	((task) == current && fm_hand.injected)
#define need_resched()			fm_hand.resched
#define hrtimer_start(timer, at, mode) do {				\
	hrtimer_set_expires(timer, at);					\
	WARN_ON((mode) != HRTIMER_MODE_ABS_PINNED_HARD);		\
	fm_hand.nr_starts++;						\
} while (0)
#define hrtimer_try_to_cancel(timer)	(fm_hand.nr_cancels++)
/*
 * The CPU was idle since boot except for busy_us. Half of the time it waited for a
 * device; moved_us shifts time from the idle account to that of waiting.
 */
#define get_cpu_idle_time_us(cpu, last)					\
	(fm_hand.now_ns / NSEC_PER_USEC / 2 - fm_hand.moved_us)
#define get_cpu_iowait_time_us(cpu, last)				\
	(fm_hand.now_ns / NSEC_PER_USEC - fm_hand.now_ns / NSEC_PER_USEC / 2 - \
	 fm_hand.busy_us + fm_hand.moved_us)
#include "../../module/compat/compat.h"
#undef FM_COMPAT_IDLE_DYNTICK
#define FM_COMPAT_IDLE_DYNTICK		fm_hand.idle_dyntick
#undef kcpustat_this_cpu
#define kcpustat_this_cpu		(&fm_hand.account)
#undef kcpustat_cpu
#define kcpustat_cpu(number)		(*((number) == fm_hand.cpu ? &fm_hand.account : \
					   &fm_hand.others))
#include "../../module/late.c"
#include "../../module/nap.c"
#include "../../module/sampler.c"

static u64 fm_hand_clock(void)
{
	return fm_hand.now_ns;
}

/* From now on the test sets the clock. */
void fm_hand_begin(void)
{
	fm_hand = (struct fm_hand) {
		.now_ns = 1000 * NSEC_PER_SEC,
		.context = FLAMEMOD_CONTEXT_TASK,
		.nr_frames = 3,
		.leaf = 0x1000,
		.cgroup = 1,
	};
	instruction_pointer_set(&fm_hand_regs, FM_HAND_IP);
	fm_clock = fm_hand_clock;
}

void fm_hand_end(void)
{
	fm_clock = fm_real_clock;
}

/* A sampler for one test, or NULL without memory. */
struct fm_cpu *fm_hand_cpu(struct kunit *test, u64 period_ns)
{
	struct fm_cpu *c;

	fm_allocations_init(test);
	fm_hand_begin();
	c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	if (!c || fm_sampler_init(c, 0, 2 * FM_TABLE_BYTES_MIN, fm_hand_ask))
		return NULL;
	c->max_depth = 100;
	c->take_stack = fm_hand_stack;
	fm_sampler_set_period(c, period_ns);
	/* Ticks at equal distances, so that a test knows when each is. */
	c->ticks.spread_ns = 0;
	return c;
}

void fm_hand_cpu_end(struct kunit *test, struct fm_cpu *c)
{
	if (c) {
		fm_sampler_quiesce(c);
		fm_sampler_deinit(c);
	}
	fm_hand_end();
	fm_allocations_exit(test);
}

void fm_hand_stack(struct fm_learned *learned, struct pt_regs *regs,
		   struct fm_sample *sample, unsigned int max_depth)
{
	unsigned long leaf = FM_TEST_TEXT + fm_hand.leaf;
	unsigned long callers = fm_hand.one_caller ? FM_TEST_TEXT + 0x1000 : leaf;
	u32 i;

	sample->key.marks = fm_hand.marks;
	sample->nr_frames = fm_hand.nr_frames;
	sample->frames[0] = leaf;
	for (i = 1; i < fm_hand.nr_frames; i++)
		sample->frames[i] = callers + i;
	sample->slow = !fm_hand.quick;
	if (fm_hand.quick && fm_sample_fold(sample)) {
		sample->nr_frames = 0;
		memset(sample->frames, 0, sizeof(sample->frames));
	}
	fm_hand.now_ns += fm_hand.stack_ns;
	fm_hand.max_depth = max_depth;
	fm_hand.guarded = raw_cpu_read(fm_guard);
	fm_hand.nr_stacks++;
}

/* In interrupt context. */
void fm_hand_ask(struct irq_work *work)
{
	fm_hand.nr_asked++;
}

enum hrtimer_restart fm_hand_fire_now(struct fm_cpu *c)
{
	enum hrtimer_restart restart;
	unsigned int i;

	/* The guard is this CPU's. */
	preempt_disable();
	restart = fm_sampler_fire(&c->timer);
	preempt_enable();
	/* Not irq_work_sync(): on PREEMPT_RT it waits for more than this, and long. */
	for (i = 0; irq_work_is_busy(&c->drain_work) && i < 10000; i++)
		(usleep_range)(50, 100);
	return restart;
}

/* Fire late_ns after the tick. */
enum hrtimer_restart fm_hand_fire(struct fm_cpu *c, u64 late_ns)
{
	fm_hand.now_ns = ktime_to_ns(hrtimer_get_expires(&c->timer)) + late_ns;
	return fm_hand_fire_now(c);
}

/* Fire in time in an idle task that nothing keeps awake. Return: does a nap start? */
bool fm_hand_nap(struct fm_cpu *c)
{
	enum flamemod_context context = fm_hand.context;
	enum hrtimer_restart restart;

	fm_hand.context = FLAMEMOD_CONTEXT_IDLE;
	restart = fm_hand_fire(c, 0);
	fm_hand.context = context;
	return restart == HRTIMER_NORESTART && c->armed && c->napping;
}
