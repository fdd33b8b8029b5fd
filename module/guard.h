/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The guard: is this CPU in code of ours that a hit must not interrupt?
 *
 * A source may be a probe of any function, also of one that our own code calls. Such a
 * hit comes while the tables of its CPU are being changed. So whoever changes them sets
 * the guard, and a hit that finds it set is only counted, as nested. The timer's callback
 * sets it as well: what it calls is nobody's work.
 *
 * Locking: belongs to its CPU with interrupts off. Non-maskable interrupts may set it
 * too; they clear it before they return.
 */
#ifndef _FLAMEMOD_GUARD_H
#define _FLAMEMOD_GUARD_H

#include <linux/compiler.h>
#include <linux/percpu.h>

DECLARE_PER_CPU(bool, fm_guard);

/**
 * fm_guard_enter() - set this CPU's guard.
 *
 * Context: Interrupts off.
 * Return: false if it is set already; the caller may touch nothing then.
 */
static __always_inline bool fm_guard_enter(void)
{
	if (unlikely(raw_cpu_read(fm_guard)))
		return false;
	raw_cpu_write(fm_guard, true);
	barrier();
	return true;
}

/**
 * fm_guard_leave() - clear this CPU's guard.
 *
 * Context: Interrupts off, after fm_guard_enter() returned true.
 */
static __always_inline void fm_guard_leave(void)
{
	barrier();
	raw_cpu_write(fm_guard, false);
}

#endif /* _FLAMEMOD_GUARD_H */
