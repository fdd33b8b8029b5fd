/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes snapshots as netlink messages, as common/flamemod.yaml defines them.
 */
#ifndef _FLAMEMOD_WIRE_H
#define _FLAMEMOD_WIRE_H

#include <linux/types.h>

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
