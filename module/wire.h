/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes snapshots as netlink messages, as common/flamemod.yaml defines them.
 */
#ifndef _FLAMEMOD_WIRE_H
#define _FLAMEMOD_WIRE_H

#include <linux/types.h>

/*
 * The most bytes of the first message. With the longest lists of CPUs it fits into
 * NLMSG_DEFAULT_SIZE; three events of tasks with 16 processes each take up to 2064 more,
 * what is kept of closed epochs 64, and a source with a long name 920. A reader needs as
 * much for each message, so this is no more than it has to be.
 */
#define FM_WIRE_HEAD_BYTES(nr_sources)	(NLMSG_DEFAULT_SIZE + 2268 + (nr_sources) * 924)

struct fm_snapshot;
struct sk_buff;

/* The position in a dump; all zero at first. */
struct fm_wire_cursor {
	u32 part;
	u32 next;
};

int fm_wire_put_head(struct sk_buff *skb, const struct fm_snapshot *snapshot);
int fm_wire_put_batch(struct sk_buff *skb, const struct fm_snapshot *snapshot,
		      struct fm_wire_cursor *cursor);
bool fm_wire_done(const struct fm_wire_cursor *cursor);

#endif /* _FLAMEMOD_WIRE_H */
