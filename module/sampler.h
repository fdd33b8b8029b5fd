/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One CPU's sampler: the callback of its timer, and what starts, stops and swaps it.
 *
 * Locking: as the members of struct fm_cpu (cpu.h) that a function uses.
 */
#ifndef _FLAMEMOD_SAMPLER_H
#define _FLAMEMOD_SAMPLER_H

#include <linux/types.h>

#include "cpu.h"

/* The argument of fm_sampler_refilter(). */
struct fm_refilter {
	struct fm_cpu *c;
	const struct fm_filter *filter;	/* complete: see fm_filter_begin() */
};

/* The argument of fm_sampler_forget_modules(), which is called until done is set. */
struct fm_forgetting {
	struct fm_cpu *c;
	u32 next;		/* where to continue; 0 at first */
	bool done;
};

int fm_sampler_init(struct fm_cpu *c, unsigned int cpu, size_t table_bytes,
		    void (*ask_drain)(struct irq_work *work));
int fm_sampler_init_user(struct fm_cpu *c, struct fm_objects *objects,
			 size_t bytes);
void fm_sampler_quiesce(struct fm_cpu *c);
void fm_sampler_deinit(struct fm_cpu *c);

void fm_sampler_set_period(struct fm_cpu *c, u64 period_ns);
void fm_sampler_refilter(void *data);
void fm_sampler_arm(void *cpu);
void fm_sampler_disarm(void *cpu);
void fm_sampler_swap(void *cpu);
void fm_sampler_forget_modules(void *forgetting);

bool fm_sampler_quiet(const struct fm_cpu *c, u64 now_ns);
u64 fm_sampler_sampled_ns(const struct fm_cpu *c, u64 now_ns);

#endif /* _FLAMEMOD_SAMPLER_H */
