// SPDX-License-Identifier: GPL-2.0
/*
 * What is said of the hits of an event, and of those that were lost, and how they are summed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_profile.h"
#include "profile/intervals.h"
#include "profile/merge.h"
#include "profile/profile.h"

/* Hits that the module lost in its own code have a weight, if a counter hit. */
static void a_known_weight_is_not_called_unknown(void **state)
{
	struct profile *profile = profile_create();
	struct profile_intervals *intervals;
	char text[INTERVALS_TEXT];

	(void)state;
	assert_non_null(profile);
	intervals = &profile->meta.intervals;
	intervals->of_hits = true;
	intervals->seen = 9;
	intervals->lost[FLAMEMOD_EVENT_LOST_NESTED] = 4;
	intervals->lost[FLAMEMOD_EVENT_LOST_SUSPENDED] = 3;
	intervals->lost[FLAMEMOD_EVENT_LOST_MISSED] = 2;
	profile->books.lost[PROFILE_LOST_OTHER] = 1;
	assert_string_equal(intervals_fact(text, profile),
			    "9 hits, 4 lost (nested), 2 lost of unknown weight (missed), 3 lost (suspended)");
	profile->books.lost[PROFILE_LOST_OTHER] = 0;
	assert_string_equal(intervals_fact(text, profile),
			    "9 hits, 4 lost of unknown weight (nested), 2 lost of unknown weight (missed), 3 lost of unknown weight (suspended)");
	profile_destroy(profile);
}

/* A latency of three hits from 1024 to 2047 ns, which have no histogram if one was removed. */
static struct profile *latency(bool knows_powers)
{
	struct profile *profile = part_of("vfs_read", "cat", 0, 4000);
	struct profile_intervals *intervals = &profile->meta.intervals;

	profile->records[0].count = 3;
	*intervals = (struct profile_intervals){ .known = true, .of_hits = true, .seen = 3 };
	if (knows_powers)
		intervals->powers[10] = 3;
	return profile;
}

/* A histogram of a sum has all hits, or there is none. */
static void a_sum_knows_powers_if_all_its_parts_do(void **state)
{
	static const bool known[][3] = {
		{ true, true, true }, { false, true, true }, { true, false, true }, { true, true, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct error error = { "" };
		struct merge merge;

		assert_int_equal(merge_init(&merge, false), 0);
		for (size_t j = 0; j < 3; j++) {
			struct profile *profile = latency(known[i][j]);

			if (merge_add(&merge, profile, "a file", &error))
				fail_msg("%s", error.text);
			profile_destroy(profile);
		}
		assert_int_equal(merge.sum->meta.intervals.seen, 9);
		assert_int_equal(merge.sum->meta.intervals.powers[10], i ? 0 : 9);
		merge_deinit(&merge);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_known_weight_is_not_called_unknown),
		cmocka_unit_test(a_sum_knows_powers_if_all_its_parts_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
