// SPDX-License-Identifier: GPL-2.0
/*
 * A session without timers: see held.h.
 *
 * Only CPU 0 is sampled, and it has its tables from the start.
 */
#include "../../module/drain.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"

#define FM_HELD_HZ	1000

struct fm_session *fm_session;
struct fm_cpu *fm_cpu;

static int fm_held_name(char *buffer, unsigned long address)
{
	return sprintf(buffer, "function_%lx", address - FM_TEST_TEXT);
}

struct fm_session *fm_held_create(size_t aggregate_bytes)
{
	const struct fm_limits limits = {
		.cpu_bytes = 2 * FM_TABLE_BYTES_MIN,
		.aggregate_bytes = aggregate_bytes,
		.take_stack = fm_hand_stack,
	};
	struct fm_session *session;

	fm_hand_begin();
	fm_nr_errors = 0;
	fm_symbol_printer = fm_held_name;
	session = fm_session_create(&limits, FM_HELD_HZ, FLAMEMOD_MAX_DEPTH_MAX);
	if (!session)
		return NULL;
	session->ask_drain = fm_hand_ask;
	fm_online = cpumask_of(0);
	if (fm_session_equip(session, session->settings, 0)) {
		fm_session_destroy(session);
		return NULL;
	}
	session->cpus[0]->ticks.spread_ns = 0;
	return session;
}

void fm_held_destroy(struct fm_session *session)
{
	if (session)
		fm_session_destroy(session);
	fm_symbol_printer = fm_real_symbol;
	fm_online = NULL;
	fm_housekeeping = NULL;
	fm_goes_offline = false;
	fm_hand_end();
}

/* Fire @nr times, with @nr stacks that share no frame. */
void fm_held_sample(struct fm_session *session, u32 nr, u32 nr_frames,
		    unsigned long leaf)
{
	fm_hand.nr_frames = nr_frames;
	for (; nr--; leaf += nr_frames) {
		fm_hand.leaf = leaf;
		fm_hand_fire(session->cpus[0], 0);
	}
}

/* As after a reset: the next reset must allocate. */
void fm_held_drop_spare(struct fm_session *session)
{
	struct fm_aggregate *spare = fm_session_take_spare(session);

	if (spare)
		fm_aggregate_put(spare);
}

/* The periods that the aggregate holds. */
u64 fm_held_sum(struct fm_session *session)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < fm_set_nr(&session->aggregate->records); i++) {
		struct fm_record *record =
			fm_set_at(&session->aggregate->records, i);

		sum += record->counts.periods;
	}
	return sum;
}

int fm_held_begin(struct kunit *test)
{
	fm_allocations_init(test);
	fm_resolution = 0;
	return fm_held_renew(FM_HELD_BYTES);
}

void fm_held_end(struct kunit *test)
{
	fm_held_destroy(fm_session);
	fm_session = NULL;
	fm_cpu = NULL;
	fm_resolution = 0;
	fm_allocations_exit(test);
}

/* Replace this case's session by another. */
int fm_held_renew(size_t aggregate_bytes)
{
	fm_held_destroy(fm_session);
	fm_session = fm_held_create(aggregate_bytes);
	if (!fm_session)
		return -ENOMEM;
	fm_cpu = fm_session->cpus[0];
	return 0;
}

void fm_held_start(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, fm_session_start(fm_session, NULL, NULL), 0);
	/* A test's sample does not run in an interrupt: the worker could drain during it. */
	cancel_delayed_work_sync(&fm_session->drain_work);
	KUNIT_ASSERT_TRUE(test, fm_cpu->armed);
}

void fm_held_drain(void)
{
	fm_session_lock(fm_session);
	fm_drain(fm_session, true);
	fm_session_unlock(fm_session);
}
