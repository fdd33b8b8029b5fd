/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A walk and its functions, of which functions.c, made by Kbuild, has a thousand.
 */
#ifndef _WALKS_WALK_H
#define _WALKS_WALK_H

#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/types.h>

#define WALK_MAX_DEPTH	64

struct walk {
	u64 until_ns;
	unsigned int nr_left;
	u16 left[WALK_MAX_DEPTH];	/* functions still to call, the last one first */
};

typedef void (*walk_fn)(struct walk *walk);

#define WALK_NR_FUNCTIONS	1000
extern const walk_fn walk_functions[WALK_NR_FUNCTIONS];

/*
 * The name makes the texts differ: otherwise the compiler would merge the functions.
 * 1000 instructions without effect take a microsecond if one takes a nanosecond, so
 * no interrupt waits for longer than that.
 */
#define WALK_FUNCTION(n)						\
static noinline void walk_function_##n(struct walk *walk)		\
{									\
	u64 now_ns;							\
									\
	if (walk->nr_left) {						\
		walk_functions[walk->left[--walk->nr_left]](walk);	\
		barrier();						\
		return;							\
	}								\
	do {								\
		local_irq_disable();					\
		asm volatile("/* " #n " */\n.rept 1000\n\tnop\n.endr");	\
		now_ns = ktime_get_ns();				\
		local_irq_enable();					\
	} while (now_ns < walk->until_ns);				\
}

#endif /* _WALKS_WALK_H */
