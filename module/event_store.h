/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stores hits in the hot table of a CPU.
 *
 * Context: A handler's turn (hit.h), or an interrupt on that CPU with the guard set.
 */
#ifndef _FLAMEMOD_EVENT_STORE_H
#define _FLAMEMOD_EVENT_STORE_H

#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/smp.h>

#include "events.h"

/*
 * Request a drain if a CPU's table fills up. A CPU that goes offline runs what was queued for
 * the last time before its last hits: what is queued later would wait until it comes back,
 * and who detaches would wait for that. It is drained as usual.
 */
static inline void fm_event_ask_drain(struct fm_event_cpu *c)
{
	if (c->drain_asked || !fm_table_filling(c->table) ||
	    !cpu_active(raw_smp_processor_id()))
		return;
	c->drain_asked = true;
	irq_work_queue(&c->drain_work);
}

/* Store what was seen in a CPU's table, with a key. */
static __always_inline void fm_event_store(struct fm_table *table, struct fm_event_books *books,
					   const struct fm_key *key, u64 weight, u32 *last)
{
	if (!fm_table_add(table, key, weight, 0, last)) {
		fm_event_lose(books, weight, FLAMEMOD_EVENT_LOST_TABLE_FULL);
		return;
	}
	books->hits.stored++;
	books->weight.stored += weight;
}

#endif /* _FLAMEMOD_EVENT_STORE_H */
