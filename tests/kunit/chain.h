/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A chain of calls whose leaf a timer hits: fm_chain_outer(), _middle(), any
 * number of _deeper() and one more, _leaf().
 */
#ifndef _FM_CHAIN_H
#define _FM_CHAIN_H

#include <linux/types.h>

#include "timer.h"

struct kunit;

extern unsigned long fm_chain_ip;

void fm_chain_take(struct kunit *test, fm_timer_fn take, u32 depth);
bool fm_chain_is_in(unsigned long address, const char *function);
void fm_chain_leaf(void);

#endif /* _FM_CHAIN_H */
