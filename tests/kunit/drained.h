/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples with user stacks, which a test adds for a drain.
 */
#ifndef _FM_DRAINED_H
#define _FM_DRAINED_H

#include <kunit/test.h>

#include "../../module/user/paths.h"

/* A suite's init, in place of fm_held_begin(): user stacks are taken, too. */
int fm_drained_begin(struct kunit *test);

/* A sample with a user stack, as the timer adds it. */
void fm_drained_add(struct kunit *test, u32 user, enum flamemod_user_side side, u64 periods);

/* Return: the paths of the samples that are added now. */
struct fm_user_paths *fm_drained_paths(void);

#endif /* _FM_DRAINED_H */
