// SPDX-License-Identifier: GPL-2.0
/*
 * A look for names stops when something else is due, and a later one goes on. It may be
 * given frames alone. Here the cache of names is one that knows each function, and counts
 * what it was asked for.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/live_names.h"
#include "profile/profile.h"

#define NR_FUNCTIONS	5

static unsigned int asked;
static unsigned int nr_changes;		/* how often the next one was in another file */
static char path_asked[64];
static bool is_away;			/* the file is not here, so its users are asked for */
static uint32_t user;			/* the process that was named for it last, or 0 */

struct symbols_cache *symbols_cache_create(const struct symbols_options *options)
{
	(void)options;
	return (struct symbols_cache *)&asked;
}

void symbols_cache_destroy(struct symbols_cache *cache)
{
	(void)cache;
}

int symbols_cache_find(struct symbols_cache *cache, const struct symbols_place *place,
		       struct symbols_known *known)
{
	size_t nr = 0;

	(void)cache;
	asked++;
	nr_changes += strcmp(path_asked, place->path) != 0;
	snprintf(path_asked, sizeof(path_asked), "%s", place->path);
	if (is_away) {
		const uint32_t *pids = place->users->list(place->users->context, &nr);

		user = nr ? pids[0] : 0;
	}
	*known = (struct symbols_known){ .name = "function", .state = SYMBOLS_READ };
	return 0;
}

static bool is_known;			/* each place was looked for before */

int symbols_cache_recall(struct symbols_cache *cache, const struct symbols_place *place,
			 struct symbols_known *known)
{
	(void)cache;
	(void)place;
	*known = (struct symbols_known){ .name = "function", .state = SYMBOLS_READ };
	return is_known ? 0 : -ENOENT;
}

const char *symbols_cache_inlined(const struct symbols_cache *cache,
				  const struct symbols_known *known, uint32_t number)
{
	(void)cache;
	(void)known;
	(void)number;
	return NULL;
}

const struct symbols *symbols_cache_symbols(const struct symbols_cache *cache)
{
	(void)cache;
	return NULL;
}

bool symbols_next(const struct symbols *symbols, size_t *position, struct symbols_file *file)
{
	(void)symbols;
	(void)position;
	(void)file;
	return false;
}

/* @left: how many functions may be looked for before it is late. */
static bool is_late(void *left)
{
	unsigned int *nr = left;

	if (!*nr)
		return true;
	--*nr;
	return false;
}

/* A profile with a sample in each of NR_FUNCTIONS functions, and none in two more. */
static struct profile *made(void)
{
	struct profile *profile = profile_create();
	struct profile_record record = { .context = FLAMEMOD_CONTEXT_USER };
	uint32_t object, frame;

	assert_non_null(profile);
	assert_int_equal(profile_add_object(profile, "/usr/bin/program", "abcd", &object), 0);
	assert_int_equal(profile_add_task(profile, 1, 1, "program", &record.task), 0);
	for (uint64_t i = 0; i < NR_FUNCTIONS + 2; i++) {
		assert_int_equal(profile_add_frame_at(profile, NULL, object, 0x1000 * (i + 1), &frame), 0);
		if (i == NR_FUNCTIONS + 1)	/* in no stack */
			continue;
		assert_int_equal(profile_add_node(profile, 0, frame, &record.node), 0);
		record.count = record.periods = i < NR_FUNCTIONS;
		assert_int_equal(profile_add_record(profile, &record), 0);
	}
	return profile;
}

static void a_look_stops_when_it_is_late(void **state)
{
	struct profile *profile = made();
	struct live_names names = { 0 };
	unsigned int left = 2;
	struct error error;

	(void)state;
	asked = 0;
	assert_int_equal(live_names_learn_files(&names, profile, is_late, &left, &error), -EAGAIN);
	assert_int_equal(asked, 2);
	left = NR_FUNCTIONS;
	assert_int_equal(live_names_learn_files(&names, profile, is_late, &left, &error), 0);
	assert_int_equal(asked, 2 + NR_FUNCTIONS);
	/* what was not learned in time is looked for at the end */
	assert_int_equal(live_names_give(&names, profile, &error), 0);
	assert_int_equal(names.nr, NR_FUNCTIONS);
	/* then all have names, and nothing is looked for, however late it is */
	left = 0;
	assert_int_equal(live_names_learn_files(&names, profile, is_late, &left, &error), 0);
	live_names_deinit(&names);
	profile_destroy(profile);
}

/* A program can be made so that its names take hours: what is not found in time has none. */
static void no_more_is_looked_for_when_the_time_is_over(void **state)
{
	unsigned int left = 2;
	struct live_names names = { .limit = { .is_over = is_late, .context = &left } };
	struct profile *profile = made();
	char text[LIVE_NAMES_MISSED];
	struct error error;

	(void)state;
	asked = 0;
	assert_int_equal(live_names_give(&names, profile, &error), 0);
	assert_int_equal(asked, 2);
	assert_int_equal(names.nr, NR_FUNCTIONS);
	assert_int_equal(names.nr_unsought, NR_FUNCTIONS - 2);
	assert_string_equal(live_names_missed(&names, text), "3 of 5 user functions have no name: 3 that were not looked for, as names took too long or a signal came; flamectl symbolize names them in a saved profile");
	/* a clock that says so is as good */
	left = NR_FUNCTIONS;
	names.limit.until_ns = 1;
	assert_int_equal(live_names_give(&names, profile, &error), 0);
	assert_int_equal(asked, 2);
	assert_int_equal(names.nr_unsought, NR_FUNCTIONS - 2);
	/* what is known is given in any case */
	is_known = true;
	assert_int_equal(live_names_give(&names, profile, &error), 0);
	is_known = false;
	assert_int_equal(asked, 2);
	assert_int_equal(names.nr, NR_FUNCTIONS - 2);
	assert_int_equal(names.nr_unsought, 0);
	live_names_deinit(&names);
	profile_destroy(profile);
}

static void without_a_limit_it_is_half_a_minute(void **state)
{
	uint64_t before_ns = clock_monotonic_ns();
	struct profile *profile = made();
	struct live_names names = { 0 };
	struct error error;

	(void)state;
	assert_int_equal(live_names_give(&names, profile, &error), 0);
	assert_true(names.limit.until_ns >= before_ns + LIVE_NAMES_NS);
	assert_true(names.limit.until_ns <= clock_monotonic_ns() + LIVE_NAMES_NS);
	assert_int_equal(names.nr_unsought, 0);
	live_names_deinit(&names);
	profile_destroy(profile);
}

static void only_what_has_samples_is_looked_for(void **state)
{
	struct profile *profile = made();
	struct live_names names = { 0 };
	unsigned int left = NR_FUNCTIONS + 2;
	struct error error;

	(void)state;
	asked = 0;
	assert_int_equal(live_names_learn_files(&names, profile, is_late, &left, &error), 0);
	assert_int_equal(asked, NR_FUNCTIONS);
	assert_int_equal(live_names_give(&names, profile, &error), 0);
	assert_int_equal(names.nr, NR_FUNCTIONS);
	for (uint32_t i = 0; i < profile->nr_frames; i++)
		assert_int_equal(profile_frame_unnamed(profile, i),
				 profile->frames[i].offset > 0x1000 * NR_FUNCTIONS);
	live_names_deinit(&names);
	profile_destroy(profile);
}

#define NR_FILES	300
#define NR_IN_FILE	20

/* Not all files can be open at a time, so each is read as a whole before the next one. */
static void functions_are_looked_for_file_by_file(void **state)
{
	struct profile_record record = {
		.context = FLAMEMOD_CONTEXT_USER, .count = 1, .periods = 1,
	};
	struct profile *profile = profile_create();
	struct live_names names = { 0 };
	unsigned int left = 2 * NR_FILES * NR_IN_FILE;
	struct error error;
	uint32_t object, frame;
	char path[32];

	(void)state;
	assert_non_null(profile);
	assert_int_equal(profile_add_task(profile, 1, 1, "program", &record.task), 0);
	for (unsigned int i = 0; i < NR_FILES * NR_IN_FILE; i++) {
		snprintf(path, sizeof(path), "/usr/lib/library%u.so", i % NR_FILES);
		assert_int_equal(profile_add_object(profile, path, "abcd", &object), 0);
		assert_int_equal(profile_add_frame_at(profile, NULL, object,
						      0x1000 * (i + 1), &frame), 0);
		assert_int_equal(profile_add_node(profile, 0, frame, &record.node), 0);
		assert_int_equal(profile_add_record(profile, &record), 0);
	}
	asked = nr_changes = 0;
	assert_int_equal(live_names_learn_files(&names, profile, is_late, &left, &error), 0);
	assert_int_equal(asked, NR_FILES * NR_IN_FILE);
	assert_in_range(nr_changes, 1, NR_FILES);
	asked = nr_changes = 0;
	assert_int_equal(live_names_give(&names, profile, &error), 0);
	assert_int_equal(asked, NR_FILES * NR_IN_FILE);
	assert_in_range(nr_changes, 1, NR_FILES);
	live_names_deinit(&names);
	profile_destroy(profile);
}

/* What the module sends of its frames alone: the same functions, and others than functions. */
static struct profile *frames_of(const struct profile *from)
{
	struct profile *profile = profile_create();
	uint32_t made;

	assert_non_null(profile);
	for (uint32_t i = 0; i < from->nr_frames; i++)
		assert_int_equal(profile_add_frame_of(profile, from, i, NULL), 0);
	assert_int_equal(profile_add_frame(profile, "vfs_read", FLAMEMOD_FRAME_KERNEL, NULL), 0);
	assert_int_equal(profile_add_object(profile, "[jit 7]", "", &made), 0);
	assert_int_equal(profile_add_frame_at(profile, NULL, made, 0x1000, NULL), 0);
	return profile;
}

static void of_frames_alone_all_are_looked_for(void **state)
{
	struct profile *profile = made(), *frames = frames_of(profile);
	unsigned int left = NR_FUNCTIONS + 2;
	struct live_names names = { 0 };
	struct error error;
	bool *wanted;

	(void)state;
	asked = 0;
	assert_int_equal(live_names_learn_files(&names, frames, is_late, &left, &error), 0);
	assert_int_equal(asked, NR_FUNCTIONS + 2);
	wanted = live_names_wanted(frames);
	assert_non_null(wanted);
	for (uint32_t i = 0; i < frames->nr_frames; i++)
		assert_int_equal(wanted[i], frames->frames[i].kind == FLAMEMOD_FRAME_USER);
	free(wanted);
	wanted = live_names_wanted(profile);
	assert_non_null(wanted);
	for (uint32_t i = 0; i < profile->nr_frames; i++)
		assert_int_equal(wanted[i], i < NR_FUNCTIONS);
	free(wanted);
	live_names_deinit(&names);
	profile_destroy(frames);
	profile_destroy(profile);
}

static unsigned int nr_read;

static int read_made(void *context, struct profile **profile)
{
	(void)context;
	nr_read++;
	*profile = made();
	return 0;
}

static int read_nothing(void *context, struct profile **profile)
{
	(void)context;
	(void)profile;
	nr_read++;
	return -EAGAIN;
}

static void users_are_looked_for_in_the_stacks(void **state)
{
	struct profile *profile = made(), *frames = frames_of(profile);
	struct live_names names = { .stacks.read = read_made };
	unsigned int left = 100;
	struct error error;

	(void)state;
	is_away = true;
	nr_read = user = 0;
	/* in its own stacks, if it has some */
	assert_int_equal(live_names_learn_files(&names, profile, is_late, &left, &error), 0);
	assert_int_equal(user, 1);
	assert_int_equal(nr_read, 0);
	/* else they are read, once for all functions */
	user = 0;
	assert_int_equal(live_names_learn_files(&names, frames, is_late, &left, &error), 0);
	assert_int_equal(user, 1);
	assert_int_equal(nr_read, 1);
	names.stacks.read = read_nothing;
	assert_int_equal(live_names_learn_files(&names, frames, is_late, &left, &error), 0);
	assert_int_equal(user, 0);
	assert_int_equal(nr_read, 2);
	is_away = false;
	assert_int_equal(live_names_learn_files(&names, frames, is_late, &left, &error), 0);
	assert_int_equal(nr_read, 2);
	live_names_deinit(&names);
	profile_destroy(frames);
	profile_destroy(profile);
}

/* Another build of the program has other users. */
static void users_are_those_of_the_same_build(void **state)
{
	struct profile *frames = profile_create();
	struct live_names names = { .stacks.read = read_made };
	unsigned int left = 100;
	struct error error;
	uint32_t object;

	(void)state;
	assert_non_null(frames);
	assert_int_equal(profile_add_object(frames, "/usr/bin/program", "beef", &object), 0);
	assert_int_equal(profile_add_frame_at(frames, NULL, object, 0x1000, NULL), 0);
	is_away = true;
	user = 1;
	assert_int_equal(live_names_learn_files(&names, frames, is_late, &left, &error), 0);
	assert_int_equal(user, 0);
	is_away = false;
	live_names_deinit(&names);
	profile_destroy(frames);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_look_stops_when_it_is_late),
		cmocka_unit_test(no_more_is_looked_for_when_the_time_is_over),
		cmocka_unit_test(without_a_limit_it_is_half_a_minute),
		cmocka_unit_test(only_what_has_samples_is_looked_for),
		cmocka_unit_test(functions_are_looked_for_file_by_file),
		cmocka_unit_test(of_frames_alone_all_are_looked_for),
		cmocka_unit_test(users_are_looked_for_in_the_stacks),
		cmocka_unit_test(users_are_those_of_the_same_build),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
