// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a real timer's callback once: see timer.h.
 */
#include <linux/hrtimer.h>
#include <asm/irq_regs.h>

#include "../../module/compat/compat.h"
#include "timer.h"

/* Long enough for the test to reach the code to be hit. */
#define FM_TIMER_AFTER_NS	2000000

static struct hrtimer fm_timer;
static fm_timer_fn fm_timer_function;
bool fm_timer_done;

static enum hrtimer_restart fm_timer_fire(struct hrtimer *timer)
{
	fm_timer_function(get_irq_regs());
	WRITE_ONCE(fm_timer_done, true);
	return HRTIMER_NORESTART;
}

/* What the callback does; it gets the interrupted registers. */
void fm_timer_set(fm_timer_fn function)
{
	fm_timer_done = false;
	fm_timer_function = function;
	hrtimer_setup(&fm_timer, fm_timer_fire, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
}

void fm_timer_start(void)
{
	hrtimer_start(&fm_timer, ns_to_ktime(FM_TIMER_AFTER_NS),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

/* Return: has it fired? It will not fire later. */
bool fm_timer_cancel(void)
{
	hrtimer_cancel(&fm_timer);
	return fm_timer_done;
}
