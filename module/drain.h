/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Drains: move the counts of the hot tables into the session's aggregate.
 *
 * Drains run in a worker, regularly and when a table fills up; for each reader, to
 * be complete at its instant; and when a module goes, while its addresses still
 * have names.
 */
#ifndef _FLAMEMOD_DRAIN_H
#define _FLAMEMOD_DRAIN_H

#include <linux/jiffies.h>
#include <linux/types.h>

struct fm_session;
struct irq_work;
struct work_struct;

/*
 * The longest time until an address gets its name. It is short because the text of
 * a BPF program or a trampoline may be replaced without notice.
 */
#define FM_DRAIN_INTERVAL	(HZ / 4)
/* After a drain with at most this many fires, wait longer: let idle machines sleep. */
#define FM_DRAIN_FIRES		16
#define FM_DRAIN_INTERVAL_IDLE	HZ
/* How long a drain waits, in sum, for user stacks that the worker has not walked. */
#define FM_DRAIN_WAIT		(HZ / 20)

u64 fm_drain(struct fm_session *session, bool wake);
void fm_drain_work(struct work_struct *work);

#endif /* _FLAMEMOD_DRAIN_H */
