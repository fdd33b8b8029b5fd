// SPDX-License-Identifier: GPL-2.0
/*
 * What is said of the hits of an event, and of those that were lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "profile/intervals.h"
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

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_known_weight_is_not_called_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
