// SPDX-License-Identifier: GPL-2.0
/*
 * Samples with user stacks, for a drain: see drained.h.
 */
#include "../../module/aggregate.h"
#include "../../module/user/walk.h"
#include "drained.h"
#include "held.h"
#include "redirect.h"

int fm_drained_begin(struct kunit *test)
{
	int err = fm_held_begin(test);

	if (err)
		return err;
	fm_session->objects = fm_objects_create(FM_ROWS_KB_MIN * 1024, false);
	if (!fm_session->objects)
		return -ENOMEM;
	fm_session->limits.user_bytes = FM_USER_KB_MIN * 1024;
	return fm_sampler_init_user(fm_cpu, fm_session->objects,
				    fm_session->limits.user_bytes);
}

/* A sample with a user stack, as the timer adds it. */
void fm_drained_add(struct kunit *test, u32 user, enum flamemod_user_side side, u64 periods)
{
	struct fm_key key = {
		.context = FLAMEMOD_CONTEXT_USER,
		.pid = 5,
		.tid = 5,
		.comm = "test",
		.user = user,
		.side = side,
	};
	struct fm_table *table = &fm_cpu->tables[fm_cpu->table];

	KUNIT_ASSERT_TRUE(test, fm_table_add(table, &key, periods, 0, &table->last));
	fm_cpu->books.fires += periods;
	fm_cpu->books.stored += periods;
	fm_cpu_pass(fm_cpu, periods);
}

struct fm_user_paths *fm_drained_paths(void)
{
	return &fm_cpu->sample.paths->user;
}
