// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of two made-up sources: see hits.h.
 */
#include <linux/preempt.h>
#include <linux/string.h>

#include "../../module/session.h"
#include "held.h"
#include "hits.h"
#include "redirect.h"
#include "switched.h"

struct fm_source *fm_one, *fm_other;
struct pt_regs fm_regs;

static struct fm_source_request fm_requests[2] = {
	{ .kind = FLAMEMOD_SOURCE_KIND_FUNC, .name = "func:one", .function = "one" },
	{ .kind = FLAMEMOD_SOURCE_KIND_FUNC, .name = "func:other", .function = "other",
	  .unit = "bytes" },
};

struct fm_attach fm_two = {
	.states = FM_TASK_STATES_ALL, .nr_sources = 2, .sources = fm_requests,
};

void fm_hits_begin(struct kunit *test)
{
	fm_switched_attach(test, &fm_two);
	fm_one = fm_events->sources[0];
	fm_other = fm_events->sources[1];
	memset(&fm_regs, 0, sizeof(fm_regs));
}

/*
 * Do what a handler does, on CPU 0's tables. If @timed, the source needs the time of its
 * hits. Return: true if the turn began.
 */
static bool fm_hit_as(struct fm_source *source, u64 weight, bool timed, bool nmi,
		      fm_hit_fn count)
{
	struct fm_event_cpu **c, *other;
	struct fm_turn turn;
	bool begun;

	preempt_disable();
	c = &fm_events->cpus[smp_processor_id()];
	other = *c;
	*c = fm_events->cpus[0];
	turn = timed ? fm_hit_begin(source, nmi) : fm_hit_begin_untimed(source, nmi);
	begun = turn.c;
	if (begun) {
		count(&turn, source, weight);
		fm_hit_end(&turn, source);
	}
	*c = other;
	preempt_enable();
	return begun;
}

bool fm_hit_with(struct fm_source *source, u64 weight, bool nmi, fm_hit_fn count)
{
	return fm_hit_as(source, weight, true, nmi, count);
}

bool fm_hit_untimed(struct fm_source *source, u64 weight, fm_hit_fn count)
{
	return fm_hit_as(source, weight, false, false, count);
}

void fm_store(struct fm_turn *turn, struct fm_source *source, u64 weight)
{
	const struct fm_spot spot = { .regs = &fm_regs, .leaf = FM_LEAF };

	fm_hit(turn, source, &spot, 0, weight, 3);
}

void fm_store_user(struct fm_turn *turn, struct fm_source *source, u64 weight)
{
	fm_hit(turn, source, NULL, 0, weight, 0);
}

struct fm_event_books fm_hits_books(const struct fm_source *source)
{
	struct fm_event_books books;

	fm_session_lock(fm_session);
	fm_events_drain(fm_session);
	books = fm_events_books(fm_events, source->event);
	fm_session_unlock(fm_session);
	return books;
}

/* Expect that a source's only hit was lost for a reason, with a weight. */
void fm_expect_lost(struct kunit *test, const struct fm_source *source,
		    enum flamemod_event_lost reason, u64 weight)
{
	struct fm_event_books books = fm_hits_books(source);

	KUNIT_EXPECT_EQ(test, books.hits.seen, 1);
	KUNIT_EXPECT_EQ(test, books.hits.lost[reason], 1);
	KUNIT_EXPECT_EQ(test, books.weight.lost[reason], weight);
	KUNIT_EXPECT_TRUE(test, fm_event_books_balance(&books));
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
}
