/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When the ticks of a sampled clock are.
 *
 * Tick k is somewhere in the period from k * period to (k + 1) * period, at a
 * place that a hash of k says. So each period is sampled once, work that
 * comes back at the sampling rate or a multiple of it is met at all its
 * moments instead of at one for ever, and CPUs do not fire together. And how many
 * ticks have passed is known of any instant without looking at a timer.
 *
 * Pure functions of a clock's nanoseconds.
 */
#ifndef _FLAMEMOD_TICKS_H
#define _FLAMEMOD_TICKS_H

#include <linux/hash.h>
#include <linux/math64.h>
#include <linux/types.h>

struct fm_ticks {
	u64 period_ns;
	u64 spread_ns;		/* how much of its period a tick may come early */
	u32 seed;		/* of this clock */
};

/* Two rounds of multiply and fold: every bit of the number decides about all 32. */
static inline u32 fm_ticks_hash(const struct fm_ticks *ticks, u64 k)
{
	u64 hash = (k ^ (u64)ticks->seed << 32) * GOLDEN_RATIO_64;

	hash = (hash ^ hash >> 32) * GOLDEN_RATIO_64;
	return hash >> 32;
}

/**
 * fm_ticks_offset() - where in its period a tick is.
 * @ticks: the clock's
 * @k: the tick's number, from 0
 *
 * Return: nanoseconds from the period's begin, 1..period_ns.
 */
static inline u64 fm_ticks_offset(const struct fm_ticks *ticks, u64 k)
{
	return ticks->period_ns - mul_u64_u32_shr(ticks->spread_ns,
						  fm_ticks_hash(ticks, k), 32);
}

/**
 * fm_ticks_passed() - how many ticks there are up to an instant.
 * @ticks: the clock's
 * @ns: the instant on that clock
 *
 * Return: a number, which is the number of the next tick, too.
 */
static inline u64 fm_ticks_passed(const struct fm_ticks *ticks, u64 ns)
{
	u64 into_ns, k = div64_u64_rem(ns, ticks->period_ns, &into_ns);

	return k + (fm_ticks_offset(ticks, k) <= into_ns);
}

#endif /* _FLAMEMOD_TICKS_H */
