/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes parts of a profile as batches of columns, as defined in
 * common/flamemod.yaml.
 */
#ifndef _FLAMEMOD_COLUMNS_H
#define _FLAMEMOD_COLUMNS_H

#include <linux/types.h>

struct fm_part;
struct fm_snapshot;
struct sk_buff;

extern const struct fm_part fm_part_frames, fm_part_nodes, fm_part_tasks,
			    fm_part_records;

u32 fm_columns_put(struct sk_buff *skb, const struct fm_snapshot *snapshot,
		   const struct fm_part *part, u32 from);
u32 fm_columns_next(const struct fm_snapshot *snapshot,
		    const struct fm_part *part, u32 from);
u32 fm_columns_end(const struct fm_snapshot *snapshot,
		   const struct fm_part *part);

#endif /* _FLAMEMOD_COLUMNS_H */
