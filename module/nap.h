/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Naps: an idle CPU's timer is not set, so that the CPU may sleep.
 *
 * An idle CPU may nap: its timer is cancelled when it switches to the idle task, or
 * is not restarted by a fire that finds the CPU idle. The timer starts again when
 * the CPU switches to a task. The clock runs meanwhile, and the ticks that passed
 * count as missed: as idle time or as interrupts, split by the kernel's account of
 * idle time. What interrupts do in a nap is not seen. To keep that small, a CPU
 * may nap only if samples found it busy for at most a fiftieth of the last second,
 * and the worker ends a nap in which interrupts take more. The rate of naps is
 * limited: each costs FM_NAP_NS of the sampled clock. No CPU naps on kernels whose
 * account of idle time has the time of interrupts in it (idle.c).
 *
 * A CPU may go idle 100 000 times a second. So a flag of the CPU says whether a switch
 * of tasks matters: in a nap, and when the CPU is idle enough and has earned one. Fires
 * set it and ends of naps clear it, so that other switches cost one test.
 *
 * Locking: as the members of struct fm_cpu (cpu.h) that a function uses.
 */
#ifndef _FLAMEMOD_NAP_H
#define _FLAMEMOD_NAP_H

#include <linux/percpu.h>
#include <linux/time64.h>
#include <linux/types.h>

struct fm_cpu;

/* One nap is earned per FM_NAP_NS of the sampled clock; this many may be saved. */
#define FM_NAP_NS	(10 * NSEC_PER_MSEC)
#define FM_NAPS_SAVED	5
/* How often to check if a CPU is idle: busy for at most 1/FM_NAP_BUSY of the time. */
#define FM_NAP_LOOK_NS	NSEC_PER_SEC
#define FM_NAP_BUSY	50
/* The longest time to fall asleep and wake up; it counts as idle time. */
#define FM_NAP_SLACK_NS	(50 * NSEC_PER_USEC)

DECLARE_PER_CPU(bool, fm_nap_attends);

void fm_nap_arm(struct fm_cpu *c);
void fm_nap_look(struct fm_cpu *c);
void fm_nap_count(struct fm_cpu *c, u64 now_ns);
bool fm_nap_nods(struct fm_cpu *c);
void fm_nap_rouse(struct fm_cpu *c);
void fm_nap_sleep(struct fm_cpu *c);
void fm_nap_wake(struct fm_cpu *c);

bool fm_nap_slept(const struct fm_cpu *c);
bool fm_nap_stirs(struct fm_cpu *c, u64 now_ns);

#endif /* _FLAMEMOD_NAP_H */
