/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session whose CPUs have no timers (by_hand.h): the test lets them fire.
 */
#ifndef _FM_HELD_H
#define _FM_HELD_H

#include <kunit/test.h>

#include "../../module/session.h"

#define FM_HELD_BYTES	(4 << 20)

/* The running case's session and its only CPU. */
extern struct fm_session *fm_session;
extern struct fm_cpu *fm_cpu;

int fm_held_begin(struct kunit *test);
void fm_held_end(struct kunit *test);
int fm_held_renew(size_t aggregate_bytes);
void fm_held_start(struct kunit *test);
void fm_held_drain(void);

struct fm_session *fm_held_create(size_t aggregate_bytes);
void fm_held_destroy(struct fm_session *session);

void fm_held_sample(struct fm_session *session, u32 nr, u32 nr_frames,
		    unsigned long leaf);
void fm_held_drop_spare(struct fm_session *session);
u64 fm_held_sum(struct fm_session *session);

#endif /* _FM_HELD_H */
