// SPDX-License-Identifier: GPL-2.0
/*
 * Look for names of user functions while the module samples: see name_search.h.
 */
#include "cmd/name_search.h"

#include <errno.h>

#include "base/clock.h"

uint64_t name_search_due_ns(const struct name_search *search)
{
	return search->sought ? 0 : name_looks_due_ns(&search->looks);
}

static int reduce(const struct name_source *source, struct profile *now, struct error *error)
{
	return source->reduce ? source->reduce(source->context, now, error) : 0;
}

/*
 * Read the module's profile if it has something new. Who saves the names says why, if the
 * module cannot be read for longer than a moment.
 *
 * Return: 0, -ENOMEM, or -EAGAIN if @is_late stopped it or the profile could not be read.
 */
static int look(struct name_search *search, const struct name_source *source,
		uint64_t now_ns, bool (*is_late)(void *context), void *context,
		struct error *error)
{
	struct profile *now;
	bool reads;
	int err;

	if (nl_status(source->nl, &now, error))
		return 0;
	reads = name_looks_reads(&search->looks, now_ns, &now->meta.user_stacks);
	profile_destroy(now);
	if (!reads)
		return 0;
	if (nl_dump(source->nl, false, &now, error))
		return -EAGAIN;
	err = reduce(source, now, error);
	if (err) {
		profile_destroy(now);
		return err == -ENOMEM ? err : 0;
	}
	profile_destroy(search->sought);
	search->sought = now;
	return live_names_learn_jit(source->names, now, is_late, context, error);
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

/*
 * Read symbols of the files in the profile that was read last. For large programs that
 * takes long, and meanwhile processes end that no look has seen, so the next look comes
 * first; its profile has these files, too.
 */
static int read_symbols(struct name_search *search, const struct name_source *source,
			bool (*is_late)(void *context), void *context, struct error *error)
{
	struct reading reading = { search, is_late, context };
	int err = live_names_learn_files(source->names, search->sought, another_look_is_due,
					 &reading, error);

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
	search->sought = NULL;
}
