// SPDX-License-Identifier: GPL-2.0
/*
 * The identity of windows: they chain, are the same after saving, and what is no window
 * has none.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_profile.h"
#include "profile/identity.h"
#include "profile/merge.h"
#include "saved.h"

static void saved_windows_keep_it(void **state)
{
	struct profile *profile = made_profile(), *saved;
	struct profile_identity identity, again;
	struct bytes file;
	struct error error;

	(void)state;
	made_origin(profile);
	profile->meta.begin_ns = 6000000001;
	assert_int_equal(profile_identify(profile, &identity, &error), 0);
	assert_string_equal(identity.host, profile->meta.host);
	assert_string_equal(identity.boot_id, "01234567-89ab-cdef-0123-456789abcdef");
	assert_int_equal(identity.epoch, 7);
	assert_int_equal(identity.begin_ns, 6000000001);
	assert_int_equal(identity.end_ns, 15000000001);
	assert_int_equal(identity.time_ns, 1700000000123456789);
	file = written(profile);
	assert_int_equal(read_bytes(file.bytes, file.size, &saved, &error), 0);
	assert_int_equal(profile_identify(saved, &again, &error), 0);
	assert_memory_equal(&identity, &again, sizeof(identity));
	free(file.bytes);
	profile_destroy(saved);
	profile_destroy(profile);
}

static void windows_chain(void **state)
{
	struct profile *first = made_profile(), *second = made_profile();
	struct profile_identity of_first, of_second;
	struct error error;

	(void)state;
	second->meta.instant_ns += 1000000000;
	assert_int_equal(profile_subtract(second, first, &error), 0);
	assert_int_equal(profile_identify(first, &of_first, &error), 0);
	assert_int_equal(profile_identify(second, &of_second, &error), 0);
	assert_int_equal(of_first.begin_ns, first->meta.since_ns);
	assert_int_equal(of_second.begin_ns, of_first.end_ns);
	assert_int_equal(of_second.end_ns, of_first.end_ns + 1000000000);
	profile_destroy(first);
	profile_destroy(second);
}

static void old_files_get_a_start(void **state)
{
	struct profile *profile = made_profile();
	struct profile_identity identity;
	struct error error;

	(void)state;
	profile->meta.begin_ns = 0;
	assert_int_equal(profile_identify(profile, &identity, &error), 0);
	assert_int_equal(identity.begin_ns, 5000000000);
	/* of a duration that is not possible, nothing is derived */
	profile->meta.duration_ns = UINT64_MAX;
	assert_int_equal(profile_identify(profile, &identity, &error), 0);
	assert_int_equal(identity.begin_ns, 0);
	profile_destroy(profile);
}

static void refuse(const struct profile *profile, const char *why)
{
	struct profile_identity identity;
	struct error error;

	assert_int_equal(profile_identify(profile, &identity, &error), -EINVAL);
	if (!strstr(error.text, why))
		fail_msg("%s", error.text);
}

static void what_is_no_window_is_refused(void **state)
{
	struct profile *profile = made_profile();
	struct merge merge;
	struct error error;

	(void)state;
	assert_int_equal(merge_init(&merge, false), 0);
	assert_int_equal(merge_add(&merge, profile, "a", &error), 0);
	assert_int_equal(merge_add(&merge, profile, "b", &error), 0);
	refuse(merge.sum, "it is a sum");
	merge_deinit(&merge);
	profile->meta.begin_ns = profile->meta.instant_ns + 1;
	refuse(profile, "it starts at 15000000002 ns, after its end at 15000000001 ns");
	profile->meta.time_ns = 0;
	refuse(profile, "when it was recorded");
	*profile->meta.host = '\0';
	refuse(profile, "of which host");
	profile->meta.period_ns = 0;
	refuse(profile, "from another program");
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(saved_windows_keep_it),
		cmocka_unit_test(windows_chain),
		cmocka_unit_test(old_files_get_a_start),
		cmocka_unit_test(what_is_no_window_is_refused),
	};

	return cmocka_run_group_tests_name("identity", tests, NULL, NULL);
}
