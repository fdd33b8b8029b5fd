/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hot tables are emptied into the session's aggregate.
 *
 * By a worker, now and then and when a table fills up; by a reader, for its
 * instant; by a module that goes, while its names can still be told.
 */
#ifndef _FLAMEMOD_DRAIN_H
#define _FLAMEMOD_DRAIN_H

#include <linux/jiffies.h>

struct fm_session;
struct irq_work;
struct work_struct;

/*
 * The longest that an address waits for its name: the text of a BPF program or a
 * trampoline may be another's by then, and nobody tells when it goes.
 */
#define FM_DRAIN_INTERVAL	(HZ / 4)
/* And where there was no more than that to drain: idle machines are left asleep. */
#define FM_DRAIN_FIRES		16
#define FM_DRAIN_INTERVAL_IDLE	HZ

u64 fm_drain(struct fm_session *session, bool wake);
void fm_drain_work(struct work_struct *work);

#endif /* _FLAMEMOD_DRAIN_H */
