// SPDX-License-Identifier: GPL-2.0
/*
 * A profile without ids and CPUs: the copy of a difference is the difference of copies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "made_profile.h"
#include "profile/coarse.h"
#include "profile/merge.h"
#include "profile/origin.h"
#include "saved.h"

static struct profile *coarse_of(const struct profile *profile, bool hides_jit)
{
	struct profile *coarse;
	struct error error;

	assert_int_equal(profile_coarse(profile, hides_jit, &coarse), 0);
	assert_int_equal(profile_check(coarse, &error), 0);
	return coarse;
}

/* A profile with all that a dump may have; more of it the later it is. */
static struct profile *dump_of(unsigned int time)
{
	struct profile *profile = made_profile();
	struct profile_record record = {
		.context = FLAMEMOD_CONTEXT_USER, .count = 2, .periods = 2,
	};
	struct profile_cpu books = {
		.books = { .expected = 4, .fires = 4, .stored = 4 },
	};
	uint32_t object, frame;

	made_origin(profile);
	for (uint32_t i = 1; i <= time; i++)
		add_sampled(profile, 0, "cat", 99 + i, 1, FLAMEMOD_CONTEXT_USER, 3);
	assert_int_equal(profile_add_object(profile, "[jit 77]", "", &object), 0);
	assert_int_equal(profile_add_frame_at(profile, NULL, object, 0x7f0012345678, &frame), 0);
	assert_int_equal(profile_add_node(profile, 0, frame, &record.node), 0);
	assert_int_equal(profile_add_object(profile, "/bin/a b", "c0ffee", &object), 0);
	assert_int_equal(profile_add_frame_at(profile, NULL, object, 0x1234, &frame), 0);
	assert_int_equal(profile_add_node(profile, record.node, frame, &record.node), 0);
	assert_int_equal(profile_add_task(profile, 77, 77, "node", &record.task), 0);
	/* a followed one beside one that is not */
	for (int followed = 0; followed < 2; followed++) {
		record.followed = followed;
		assert_int_equal(profile_add_record(profile, &record), 0);
	}
	assert_int_equal(profile_add_cpu(profile, &books), 0);
	profile->meta.instant_ns += time * SEC;
	return profile;
}

static void a_coarse_difference_is_the_difference_of_coarse(void **state)
{
	struct profile *earlier = dump_of(1), *later = dump_of(4);
	struct profile *a = coarse_of(earlier, true), *b = coarse_of(later, true);
	struct profile *whole = coarse_of(later, false), *c, *saved;
	struct bytes file;
	struct error error;
	char cpus[ORIGIN_CPUS];

	(void)state;
	assert_int_equal(a->nr_cpus, 1);
	assert_int_equal(b->meta.nr_summed_cpus, 3);
	assert_memory_equal(&b->books, &later->books, sizeof(b->books));
	for (uint32_t i = 0; i < b->nr_tasks; i++)
		assert_int_equal(b->tasks[i].pid | b->tasks[i].tid, 0);
	for (uint32_t i = 0; i < b->nr_records; i++)
		assert_false(b->records[i].followed);
	assert_string_equal(origin_cpus(cpus, b), "3 of 4 CPUs");
	/* one more than the places of the other program, and that without a name */
	assert_int_equal(whole->nr_objects, 2);
	assert_int_equal(b->nr_objects, 1);
	assert_int_equal(whole->nr_records, b->nr_records);
	/* from a file it is the same */
	file = written(a);
	assert_int_equal(read_bytes(file.bytes, file.size, &saved, &error), 0);
	assert_same(saved, a);
	assert_int_equal(saved->meta.nr_summed_cpus, 3);
	if (profile_subtract(b, saved, &error))
		fail_msg("%s", error.text);
	assert_int_equal(profile_subtract(later, earlier, &error), 0);
	c = coarse_of(later, true);
	c->meta.duration_ns = b->meta.duration_ns;
	c->cpus[0].sampled_ns = b->cpus[0].sampled_ns;
	assert_same(b, c);
	profile_destroy(earlier);
	profile_destroy(later);
	profile_destroy(a);
	profile_destroy(b);
	profile_destroy(c);
	profile_destroy(whole);
	profile_destroy(saved);
	free(file.bytes);
}

/* A window of an agent has the books of three CPUs as one's, a recording its own. */
static void a_sum_has_the_cpus_of_the_larger(void **state)
{
	struct profile *dump = dump_of(1), *coarse = coarse_of(dump, true);
	struct profile *recording = part_of("entry;vfs_read", "cat", 0, 7);
	struct merge merge;
	struct error error;
	char cpus[ORIGIN_CPUS];

	(void)state;
	recording->meta.period_ns = coarse->meta.period_ns;
	assert_int_equal(merge_init(&merge, false), 0);
	assert_int_equal(merge_add(&merge, coarse, "agent", &error), 0);
	assert_int_equal(merge_add(&merge, recording, "recording", &error), 0);
	assert_string_equal(origin_cpus(cpus, merge.sum), "3 CPUs");
	for (uint32_t cpu = 1; cpu < 16; cpu++)
		assert_int_equal(profile_add_cpu(recording, &(struct profile_cpu){ .cpu = cpu }), 0);
	assert_int_equal(merge_add(&merge, recording, "another", &error), 0);
	assert_string_equal(origin_cpus(cpus, merge.sum), "16 CPUs");
	merge_deinit(&merge);
	profile_destroy(dump);
	profile_destroy(coarse);
	profile_destroy(recording);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_coarse_difference_is_the_difference_of_coarse),
		cmocka_unit_test(a_sum_has_the_cpus_of_the_larger),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
