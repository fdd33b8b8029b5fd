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
#include "profile/jit.h"
#include "profile/settings.h"

#define MS		UINT64_C(1000000)
#define BEGAN_NS	(5000 * MS)
#define NR_FUNCTIONS	10

static uint64_t clock_ns;
static uint64_t files;			/* that the module has seen */
static unsigned int left;		/* functions whose symbols were not read */
/* A: read the profile, N: new frames, J: the maps, F: symbols of a function, C: of cgroups */
static char did[64];
static bool is_ended;
static bool is_busy;			/* the module refuses a dump */
static bool is_old;			/* it cannot send frames alone */
static uint32_t first_frame;		/* that was asked for last */
static bool is_away;			/* the file is not here, so stacks are read */
static int stacks_error;		/* what that returned */
static int reduce_error;

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

/* A function of a program, and code that was made at run time. */
static struct profile *make_frames(uint32_t next_frame)
{
	struct profile *profile = profile_create();
	uint32_t program, made;

	assert_non_null(profile);
	assert_int_equal(profile_add_object(profile, "/bin/a", "", &program), 0);
	assert_int_equal(profile_add_object(profile, "[jit 7]", "", &made), 0);
	assert_int_equal(profile_add_frame_at(profile, NULL, program, 0x10, NULL), 0);
	assert_int_equal(profile_add_frame_at(profile, NULL, made, 0x1000, NULL), 0);
	profile->meta.next_frame = next_frame;
	return profile;
}

int nl_dump(struct nl *nl, bool reset, struct profile **profile, struct error *error)
{
	(void)nl;
	assert_false(reset);
	if (is_busy)
		return error_set(error, -EBUSY, "readers");
	clock_ns += 100 * MS;
	strcat(did, "A");
	*profile = make_frames(5);
	return 0;
}

int nl_dump_frames(struct nl *nl, uint32_t first, struct profile **profile,
		   struct error *error)
{
	(void)nl;
	if (is_old)
		return error_set(error, -EINVAL, "unknown attribute");
	clock_ns += 100 * MS;
	strcat(did, "N");
	first_frame = first;
	*profile = make_frames(9);
	return 0;
}

bool *live_names_wanted(const struct profile *profile)
{
	bool *wanted = calloc(profile->nr_frames, sizeof(*wanted));

	assert_non_null(wanted);
	memset(wanted, true, profile->nr_frames);
	return wanted;
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
	return reduce_error ? error_set(error, reduce_error, "cannot reduce") : 0;
}

int live_names_learn_jit(struct live_names *names, const struct profile *profile,
			 bool (*is_late)(void *context), void *context, struct error *error)
{
	(void)names;
	(void)error;
	assert_int_equal(profile->nr_frames, 1);
	assert_int_equal(jit_frame_pid(profile, 0), 7);
	if (is_late(context))
		return -EAGAIN;
	strcat(did, "J");
	return 0;
}

int live_names_learn_files(struct live_names *names, const struct profile *profile,
			   bool (*is_late)(void *context), void *context, struct error *error)
{
	struct profile *stacks = NULL;

	(void)error;
	assert_int_equal(profile->nr_frames, 1);
	assert_string_equal(profile->objects[0].path, "/bin/a");
	if (is_away) {
		stacks_error = names->stacks.read(names->stacks.context, &stacks);
		assert_int_equal(!stacks, stacks_error != 0);
		profile_destroy(stacks);
	}
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
	is_ended = is_busy = is_old = is_away = false;
	stacks_error = reduce_error = 0;
	first_frame = UINT32_MAX;
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
	assert_string_equal(did, "AJFFFFF");
	/* it comes at once, and has something new */
	files++;
	assert_int_equal(look(&r), 0);
	assert_string_equal(did, "AJFFFFFNJFFFFF");
	assert_int_equal(first_frame, 5);
	/* then all are read, and further looks find nothing new */
	assert_int_equal(left, 0);
	look(&r);
	assert_int_equal(look(&r), 250);
	assert_string_equal(did, "AJFFFFFNJFFFFF");
	/* what comes next begins where the last look ended */
	files++;
	look(&r);
	assert_string_equal(did, "AJFFFFFNJFFFFFNJ");
	assert_int_equal(first_frame, 9);
	name_search_deinit(&r.search);
}

static void symbols_are_read_on_if_nothing_is_new(void **state)
{
	struct recording r = begin();

	(void)state;
	look(&r);
	look(&r);
	assert_string_equal(did, "AJFFFFFFFFFF");
	assert_null(r.search.sought);
	assert_int_equal(left, 0);
	name_search_deinit(&r.search);
}

static void the_end_stops_all(void **state)
{
	struct recording r = begin();

	(void)state;
	is_ended = true;
	look(&r);
	assert_string_equal(did, "A");
	/* the look that was stopped is done again */
	is_ended = false;
	look(&r);
	assert_int_equal(did[1], 'F');
	look(&r);
	assert_string_equal(did, "AFFFFFAJFFFFF");
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
	assert_string_equal(did, "AJFFFFF");
	name_search_deinit(&r.search);
}

static void an_old_module_sends_its_profile(void **state)
{
	struct recording r = begin();

	(void)state;
	is_old = true;
	look(&r);
	files++;
	look(&r);
	assert_string_equal(did, "AJFFFFFAJFFFFF");
	name_search_deinit(&r.search);
}

/* Their time is that of looks. */
static void stacks_are_read_if_a_file_is_away(void **state)
{
	struct recording r = begin();

	(void)state;
	left = 0;
	is_away = true;
	look(&r);
	assert_string_equal(did, "AJA");
	assert_int_equal(stacks_error, 0);
	assert_int_equal(r.search.looks.paid_ns, BEGAN_NS + 250 * MS + 10 * 200 * MS);
	/* the look has succeeded, but not what reads the stacks for its file */
	files++;
	reduce_error = -ERANGE;
	look(&r);
	assert_string_equal(did, "AJANJA");
	assert_int_equal(stacks_error, -EAGAIN);
	reduce_error = -ENOMEM;
	files++;
	look(&r);
	assert_int_equal(stacks_error, -ENOMEM);
	name_search_deinit(&r.search);
}

/* Frames do not tell whose they are, if the module samples others, too. */
static void the_profile_is_read_for_some_tasks_alone(void **state)
{
	struct recording r = begin();

	(void)state;
	r.only = r.running = true;
	look(&r);
	files++;
	look(&r);
	assert_string_equal(did, "AJFFFFFAJFFFFF");
	r.running = false;
	files++;
	look(&r);
	assert_string_equal(did, "AJFFFFFAJFFFFFNJ");
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
	assert_string_equal(did, "CCCAJFFFFF");
	name_search_deinit(&r.search);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_read_between_looks),
		cmocka_unit_test(symbols_are_read_on_if_nothing_is_new),
		cmocka_unit_test(the_end_stops_all),
		cmocka_unit_test(a_dump_that_is_refused_is_tried_again),
		cmocka_unit_test(an_old_module_sends_its_profile),
		cmocka_unit_test(stacks_are_read_if_a_file_is_away),
		cmocka_unit_test(the_profile_is_read_for_some_tasks_alone),
		cmocka_unit_test(no_names_are_sought_without_user_stacks),
		cmocka_unit_test(cgroups_are_sought_each_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
