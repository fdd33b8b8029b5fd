/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decodes the messages of a dump, and compares them with the snapshot.
 */
#ifndef _FM_WIRE_SEEN_H
#define _FM_WIRE_SEEN_H

#include <linux/skbuff.h>
#include <kunit/test.h>

#include "../../module/snapshot.h"

/* What a dump contained. */
struct fm_seen {
	struct fm_snapshot *snapshot;	/* to compare with; the caller sets it */
	u32 nr_messages, nr_heads, nr_cpus, nr_frames, nr_nodes, nr_tasks,
	    nr_records;
	u32 last_frame;
	u32 nr_batches_followed;
	u32 nr_batches_in_cgroups;
	u64 count, periods, late_us;
};

void fm_see_message(struct kunit *test, struct fm_seen *seen,
		    const struct sk_buff *skb);

#endif /* _FM_WIRE_SEEN_H */
