/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For how long a sampler kept interrupts off on its CPU: how often its callback
 * took how long, and the longest of each thing that it does there.
 *
 * Time that a hypervisor took in between is in it: nobody can tell it apart.
 *
 * Locking: the CPU's own, with interrupts off; read from anywhere, as each value
 * only grows.
 */
#ifndef _FLAMEMOD_PAUSES_H
#define _FLAMEMOD_PAUSES_H

#include <linux/compiler.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/types.h>

/* By powers of two of nanoseconds; the last has all that took longer. */
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
 * fm_pauses_bucket() - where a callback is counted.
 * @ns: how long it took
 *
 * Context: Any; a pure function.
 * Return: n for 2^n ns and less than twice that, but the last for all longer ones.
 */
static inline unsigned int fm_pauses_bucket(u64 ns)
{
	return min_t(unsigned int, ilog2(ns | 1), FM_PAUSES_BUCKETS - 1);
}

/**
 * fm_pauses_callback() - count callbacks of which one was timed.
 * @pauses: the CPU's
 * @ns: how long it took
 * @nr: for how many it stands
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
 * fm_pauses_add() - add one CPU's to those of others.
 * @sum: nobody else's
 * @pauses: a CPU's, which may go on
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
