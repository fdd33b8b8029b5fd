/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hits of two made-up sources.
 *
 * No handler of a source is called: the test hits it. The stack is what is in made-up
 * registers, of which no unwinder finds any caller.
 */
#ifndef _FM_HITS_H
#define _FM_HITS_H

#include <linux/ptrace.h>
#include <kunit/test.h>

#include "../../module/hit.h"
#include "text.h"

#define FM_LEAF		(FM_TEST_TEXT + 0x1230)

/* What is done with a hit whose turn began. */
typedef void (*fm_hit_fn)(struct fm_turn *turn, struct fm_source *source, u64 weight);

/* A request of both sources. */
extern struct fm_attach fm_two;
extern struct fm_source *fm_one, *fm_other;
extern struct pt_regs fm_regs;

void fm_hits_begin(struct kunit *test);
bool fm_hit_with(struct fm_source *source, u64 weight, bool nmi, fm_hit_fn count);
bool fm_hit_untimed(struct fm_source *source, u64 weight, fm_hit_fn count);
void fm_store(struct fm_turn *turn, struct fm_source *source, u64 weight);
void fm_store_user(struct fm_turn *turn, struct fm_source *source, u64 weight);
struct fm_event_books fm_hits_books(const struct fm_source *source);
void fm_expect_lost(struct kunit *test, const struct fm_source *source,
		    enum flamemod_event_lost reason, u64 weight);

#endif /* _FM_HITS_H */
