// SPDX-License-Identifier: GPL-2.0
/*
 * Look for names of user functions while the module samples: see name_search.h.
 */
#include "cmd/name_search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "profile/jit.h"

uint64_t name_search_due_ns(const struct name_search *search)
{
	return search->sought ? 0 : name_looks_due_ns(&search->looks);
}

static int reduce(const struct name_source *source, struct profile *now, struct error *error)
{
	return source->reduce ? source->reduce(source->context, now, error) : 0;
}

/*
 * Read the module's profile. Who saves the names says why, if the module cannot be read for
 * longer than a moment.
 *
 * Return: 0, -ENOMEM, or -EAGAIN if it could not be read.
 */
static int read_all(const struct name_source *source, struct profile **now,
		    struct error *error)
{
	struct profile *read;
	int err;

	if (nl_dump(source->nl, false, &read, error))
		return -EAGAIN;
	err = reduce(source, read, error);
	if (!err) {
		*now = read;
		return 0;
	}
	profile_destroy(read);
	return err == -ENOMEM ? err : -EAGAIN;
}

/* Read what a look is to read. Return: as read_all(). */
static int read_module(const struct name_search *search, const struct name_source *source,
		       enum name_look what, struct profile **now, struct error *error)
{
	int err = what == NAME_LOOK_ALL || source->selects ? -EINVAL :
		  nl_dump_frames(source->nl, search->next_frame, now, error);

	/* an older module cannot send frames alone */
	if (err == -EINVAL)
		return read_all(source, now, error);
	return err ? -EAGAIN : 0;
}

static int keep_place(struct profile **places, const struct profile *from, uint32_t frame)
{
	if (!*places)
		*places = profile_create();
	return *places ? profile_add_frame_of(*places, from, frame, NULL) : -ENOMEM;
}

/* Keep the places in programs that a look has found. Return: 0 or -ENOMEM. */
static int keep_places(struct name_search *search, const struct profile *now,
		       struct error *error)
{
	bool *wanted = live_names_wanted(now);
	int err = wanted ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < now->nr_frames && !err; i++)
		if (wanted[i])
			err = keep_place(jit_frame_pid(now, i) ? &search->made : &search->sought,
					 now, i);
	free(wanted);
	return err ? error_set(error, -ENOMEM, "cannot name functions: %s", strerror(ENOMEM)) : 0;
}

/*
 * Read what the module has new, and look in the maps of processes that make code.
 *
 * Return: 0, -ENOMEM, or -EAGAIN if @is_late stopped it or the module could not be read.
 */
static int look(struct name_search *search, const struct name_source *source,
		uint64_t now_ns, bool (*is_late)(void *context), void *context,
		struct error *error)
{
	struct profile *now;
	enum name_look what;
	int err;

	if (nl_status(source->nl, &now, error))
		return 0;
	what = name_looks_reads(&search->looks, now_ns, &now->meta.user_stacks);
	profile_destroy(now);
	if (what == NAME_LOOK_NOTHING)
		return 0;
	err = read_module(search, source, what, &now, error);
	if (err)
		return err;
	search->next_frame = now->meta.next_frame;
	err = keep_places(search, now, error);
	profile_destroy(now);
	if (err || !search->made)
		return err;
	return live_names_learn_jit(source->names, search->made, is_late, context, error);
}

/* When to stop reading symbols. */
struct reading {
	const struct name_search *search;
	bool (*is_late)(void *context);
	void *context;
};

static bool another_look_is_due(void *context)
{
	const struct reading *reading = context;

	return clock_monotonic_ns() >= name_looks_due_ns(&reading->search->looks) ||
	       reading->is_late(reading->context);
}

/* What read_stacks() is called for. */
struct reading_stacks {
	struct name_search *search;
	const struct name_source *source;
};

/* A file is not here, but perhaps its users have it. Its time is that of a look, too. */
static int read_stacks(void *context, struct profile **profile)
{
	const struct reading_stacks *reading = context;
	uint64_t from_ns = clock_monotonic_ns();
	struct error error;
	int err = read_all(reading->source, profile, &error);

	name_looks_charge(&reading->search->looks, from_ns, clock_monotonic_ns());
	return err;
}

/*
 * Read symbols of the functions that were found. For large programs that takes long, and
 * meanwhile processes end that no look has seen, so the next look comes first.
 */
static int read_symbols(struct name_search *search, const struct name_source *source,
			bool (*is_late)(void *context), void *context, struct error *error)
{
	struct reading reading = { search, is_late, context };
	struct reading_stacks stacks = { search, source };
	int err;

	source->names->stacks = (struct live_stacks){ read_stacks, &stacks };
	err = live_names_learn_files(source->names, search->sought, another_look_is_due,
				     &reading, error);
	source->names->stacks = (struct live_stacks){ NULL, NULL };
	if (err == -EAGAIN)
		return 0;
	profile_destroy(search->sought);
	search->sought = NULL;
	return err;
}

int name_search_run(struct name_search *search, const struct name_source *source,
		    uint64_t now_ns, bool (*is_late)(void *context), void *context,
		    struct error *error)
{
	int err = 0;

	if (now_ns >= name_looks_due_ns(&search->looks)) {
		err = look(search, source, now_ns, is_late, context, error);
		name_looks_end(&search->looks, now_ns, clock_monotonic_ns(), err != -EAGAIN);
	}
	if (err)
		return err == -EAGAIN ? 0 : err;
	return search->sought ? read_symbols(search, source, is_late, context, error) : 0;
}

void name_search_deinit(struct name_search *search)
{
	profile_destroy(search->sought);
	profile_destroy(search->made);
	search->sought = search->made = NULL;
}
