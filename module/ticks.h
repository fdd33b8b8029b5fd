/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computes when the ticks of a sampled clock are.
 *
 * Tick k is in the period from k * period to (k + 1) * period, at a place that a
 * hash of k determines. So each period is sampled once; work that repeats at the
 * sampling rate or a multiple of it is sampled at all its moments, not always at
 * the same one; and CPUs do not fire together. How many ticks have passed at any
 * instant follows from the clock alone, without a timer.
 *
 * These are pure functions of a clock's nanoseconds.
 */
#ifndef _FLAMEMOD_TICKS_H
#define _FLAMEMOD_TICKS_H

#include <linux/hash.h>
#include <linux/math64.h>
#include <linux/types.h>

struct fm_ticks {
	u64 period_ns;
	u64 spread_ns;		/* how much of its period a tick may come early */
	u32 seed;		/* this clock's, for the hash */
};

/* Two rounds of multiply and fold, so that each input bit affects all 32 bits. */
static inline u32 fm_ticks_hash(const struct fm_ticks *ticks, u64 k)
{
	u64 hash = (k ^ (u64)ticks->seed << 32) * GOLDEN_RATIO_64;

	hash = (hash ^ hash >> 32) * GOLDEN_RATIO_64;
	return hash >> 32;
}

/**
 * fm_ticks_offset() - compute where in its period a tick is.
 * @ticks: the clock's
 * @k: the tick's number, from 0
 *
 * Return: nanoseconds from the period's start, 1..period_ns.
 */
static inline u64 fm_ticks_offset(const struct fm_ticks *ticks, u64 k)
{
	return ticks->period_ns - mul_u64_u32_shr(ticks->spread_ns,
						  fm_ticks_hash(ticks, k), 32);
}

/**
 * fm_ticks_passed() - compute how many ticks there are up to an instant.
 * @ticks: the clock's
 * @ns: the instant on that clock
 *
 * Return: the count, which is also the number of the next tick.
 */
static inline u64 fm_ticks_passed(const struct fm_ticks *ticks, u64 ns)
{
	u64 into_ns, k = div64_u64_rem(ns, ticks->period_ns, &into_ns);

	return k + (fm_ticks_offset(ticks, k) <= into_ns);
}

#endif /* _FLAMEMOD_TICKS_H */
