/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records for how long a sampler kept interrupts off on its CPU: a histogram of its
 * callbacks, and the longest time of each operation.
 *
 * The times include what a hypervisor took meanwhile, which cannot be separated.
 *
 * Locking: written on the CPU itself with interrupts off; read from anywhere, since
 * each value only grows.
 */
#ifndef _FLAMEMOD_PAUSES_H
#define _FLAMEMOD_PAUSES_H

#include <linux/compiler.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/types.h>

/* Powers of two in nanoseconds; the last bucket has all longer callbacks. */
#define FM_PAUSES_BUCKETS	32

struct fm_pauses {
	u64 callbacks[FM_PAUSES_BUCKETS];
	u64 callback_ns_max;
	u64 swap_ns_max;
	u64 forget_ns_max;
};

static inline void fm_pauses_longest(u64 *max_ns, u64 ns)
{
	if (ns > *max_ns)
		WRITE_ONCE(*max_ns, ns);
}

/**
 * fm_pauses_bucket() - find the bucket in which a callback is counted.
 * @ns: how long it took
 *
 * Context: Any; a pure function.
 * Return: n for 2^n ns to less than twice that; the last bucket for all longer ones.
 */
static inline unsigned int fm_pauses_bucket(u64 ns)
{
	return min_t(unsigned int, ilog2(ns | 1), FM_PAUSES_BUCKETS - 1);
}

/**
 * fm_pauses_callback() - count callbacks, one of which was timed.
 * @pauses: the CPU's
 * @ns: how long the timed one took
 * @nr: how many callbacks it stands for
 *
 * Context: On that CPU with interrupts off.
 */
static inline void fm_pauses_callback(struct fm_pauses *pauses, u64 ns, u32 nr)
{
	u64 *bucket = &pauses->callbacks[fm_pauses_bucket(ns)];

	WRITE_ONCE(*bucket, *bucket + nr);
	fm_pauses_longest(&pauses->callback_ns_max, ns);
}

/**
 * fm_pauses_add() - add one CPU's times to a sum.
 * @sum: the sum, which nobody else uses
 * @pauses: a CPU's, which may be sampling
 *
 * Context: Any.
 */
static inline void fm_pauses_add(struct fm_pauses *sum,
				 const struct fm_pauses *pauses)
{
	unsigned int i;

	for (i = 0; i < FM_PAUSES_BUCKETS; i++)
		sum->callbacks[i] += READ_ONCE(pauses->callbacks[i]);
	fm_pauses_longest(&sum->callback_ns_max,
			  READ_ONCE(pauses->callback_ns_max));
	fm_pauses_longest(&sum->swap_ns_max, READ_ONCE(pauses->swap_ns_max));
	fm_pauses_longest(&sum->forget_ns_max, READ_ONCE(pauses->forget_ns_max));
}

#endif /* _FLAMEMOD_PAUSES_H */
