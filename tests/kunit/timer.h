/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs a real timer's callback once, in hard interrupt context, while a test runs
 * some code.
 */
#ifndef _FM_TIMER_H
#define _FM_TIMER_H

#include <linux/compiler.h>
#include <linux/processor.h>
#include <linux/types.h>

struct pt_regs;

typedef void (*fm_timer_fn)(struct pt_regs *regs);

void fm_timer_set(fm_timer_fn function);
void fm_timer_start(void);
bool fm_timer_cancel(void);

extern bool fm_timer_done;

/*
 * Inlined where the timer has to hit; calls nothing. Ends after some time even
 * without the timer.
 */
#define fm_timer_await() do {						\
	unsigned int fm_spins = 1u << 29;				\
	while (!READ_ONCE(fm_timer_done) && --fm_spins)			\
		cpu_relax();						\
} while (0)

#endif /* _FM_TIMER_H */
