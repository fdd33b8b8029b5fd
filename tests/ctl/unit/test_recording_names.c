// SPDX-License-Identifier: GPL-2.0
/*
 * A recording looks for what may be gone soon before it reads symbols, and reads symbols
 * only until the next look is due. Here the module, the clock and the names are made up:
 * a look takes 100 ms, and the symbols of each function 60 ms.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/recording.h"
#include "profile/settings.h"

#define MS		UINT64_C(1000000)
#define BEGAN_NS	(5000 * MS)
#define NR_FUNCTIONS	10

static uint64_t clock_ns;
static uint64_t files;			/* that the module has seen */
static unsigned int left;		/* functions whose symbols were not read */
static char did[64];			/* J: read the maps, F: symbols of a function, C: look for cgroups */
static bool is_ended;
static bool is_busy;			/* the module refuses a dump */

uint64_t clock_monotonic_ns(void)
{
	return clock_ns;
}

int nl_status(struct nl *nl, struct profile **status, struct error *error)
{
	(void)nl;
	(void)error;
	*status = profile_create();
	assert_non_null(*status);
	(*status)->meta.user_stacks.known = true;
	(*status)->meta.user_stacks.files = files;
	return 0;
}

int nl_dump(struct nl *nl, bool reset, struct profile **profile, struct error *error)
{
	(void)nl;
	assert_false(reset);
	if (is_busy)
		return error_set(error, -EBUSY, "readers");
	clock_ns += 100 * MS;
	*profile = profile_create();
	assert_non_null(*profile);
	return 0;
}

/* No event of tasks is recorded. */
int nl_dump_ended(struct nl *nl, struct events *events, struct error *error)
{
	(void)nl;
	(void)events;
	(void)error;
	abort();
}

int recording_reduce(const struct recording *r, struct profile *profile, struct error *error)
{
	(void)r;
	(void)profile;
	(void)error;
	return 0;
}

int live_names_learn_jit(struct live_names *names, const struct profile *profile,
			 bool (*is_late)(void *context), void *context, struct error *error)
{
	(void)names;
	(void)profile;
	(void)error;
	if (is_late(context))
		return -EAGAIN;
	strcat(did, "J");
	return 0;
}

int live_names_learn_files(struct live_names *names, const struct profile *profile,
			   bool (*is_late)(void *context), void *context, struct error *error)
{
	(void)names;
	(void)profile;
	(void)error;
	for (; left; left--) {
		if (is_late(context))
			return -EAGAIN;
		clock_ns += 60 * MS;
		strcat(did, "F");
	}
	return 0;
}

int live_names_learn_cgroups(struct live_names *names, uint64_t now_ns, uint64_t every_ns,
			     struct error *error)
{
	(void)error;
	if (now_ns < names->cgroups_due_ns)
		return 0;
	names->cgroups_due_ns = now_ns + every_ns;
	strcat(did, "C");
	return 0;
}

static bool has_ended(void *context)
{
	(void)context;
	return is_ended;
}

static struct recording begin(void)
{
	struct recording r = {
		.mask = SETTING(USER_STACKS), .settings.user_stacks = true,
		.names.cgroups_due_ns = UINT64_MAX,
	};
	static struct profile none;

	r.status = &none;
	clock_ns = BEGAN_NS;
	files = 1;
	left = NR_FUNCTIONS;
	is_ended = is_busy = false;
	did[0] = '\0';
	name_looks_begin(&r.search.looks, &name_pace_record, BEGAN_NS);
	return r;
}

/* Wait until names are due, and look. Return: how long it waited, in ms. */
static unsigned int look(struct recording *r)
{
	uint64_t from_ns = clock_ns, due_ns = recording_names_due_ns(r);
	struct error error;

	if (due_ns > clock_ns)
		clock_ns = due_ns;
	from_ns = clock_ns - from_ns;
	assert_int_equal(recording_name(r, clock_ns, has_ended, NULL, &error), 0);
	return (unsigned int)(from_ns / MS);
}

static void symbols_are_read_between_looks(void **state)
{
	struct recording r = begin();

	(void)state;
	/* five functions of 60 ms, and then the next look is due */
	assert_int_equal(look(&r), 250);
	assert_string_equal(did, "JFFFFF");
	/* it comes at once, and has something new */
	files++;
	assert_int_equal(look(&r), 0);
	assert_string_equal(did, "JFFFFFJFFFFF");
	/* then all are read, and further looks find nothing new */
	assert_int_equal(left, 0);
	look(&r);
	assert_int_equal(look(&r), 250);
	assert_string_equal(did, "JFFFFFJFFFFF");
	name_search_deinit(&r.search);
}

static void symbols_are_read_on_if_nothing_is_new(void **state)
{
	struct recording r = begin();

	(void)state;
	look(&r);
	look(&r);
	assert_string_equal(did, "JFFFFFFFFFF");
	assert_null(r.search.sought);
	assert_int_equal(left, 0);
}

static void the_end_stops_all(void **state)
{
	struct recording r = begin();

	(void)state;
	is_ended = true;
	look(&r);
	assert_string_equal(did, "");
	/* the look that was stopped is done again */
	is_ended = false;
	look(&r);
	assert_int_equal(did[0], 'F');
	look(&r);
	assert_string_equal(did, "FFFFFJFFFFF");
	name_search_deinit(&r.search);
}

static void a_dump_that_is_refused_is_tried_again(void **state)
{
	struct recording r = begin();

	(void)state;
	is_busy = true;
	look(&r);
	assert_string_equal(did, "");
	/* what was new to that look is still */
	is_busy = false;
	look(&r);
	assert_int_equal(did[0], 'J');
	name_search_deinit(&r.search);
}

static void no_names_are_sought_without_user_stacks(void **state)
{
	struct recording r = begin();

	(void)state;
	r.settings.user_stacks = false;
	assert_true(recording_names_due_ns(&r) == UINT64_MAX);
	r.settings.user_stacks = true;
	r.names.request.no_names = true;
	assert_true(recording_names_due_ns(&r) == UINT64_MAX);
}

static void cgroups_are_sought_each_second(void **state)
{
	struct recording r = begin();

	(void)state;
	r.settings.user_stacks = false;
	r.names.cgroups_due_ns = 0;
	assert_int_equal(look(&r), 0);
	assert_string_equal(did, "C");
	assert_int_equal(look(&r), 1000);
	assert_int_equal(look(&r), 1000);
	assert_string_equal(did, "CCC");
	/* functions are not sought then, and not later because of them */
	r.settings.user_stacks = true;
	look(&r);
	assert_string_equal(did, "CCCJFFFFF");
	profile_destroy(r.search.sought);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_read_between_looks),
		cmocka_unit_test(symbols_are_read_on_if_nothing_is_new),
		cmocka_unit_test(the_end_stops_all),
		cmocka_unit_test(a_dump_that_is_refused_is_tried_again),
		cmocka_unit_test(no_names_are_sought_without_user_stacks),
		cmocka_unit_test(cgroups_are_sought_each_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
