/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A real timer's callback, in hard interrupt context, run once over code that
 * a test is in.
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
 * To be written out where the timer is to hit: it calls nothing. It ends some
 * time without the timer, too.
 */
#define fm_timer_await() do {						\
	unsigned int fm_spins = 1u << 29;				\
	while (!READ_ONCE(fm_timer_done) && --fm_spins)			\
		cpu_relax();						\
} while (0)

#endif /* _FM_TIMER_H */
