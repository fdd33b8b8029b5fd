// SPDX-License-Identifier: GPL-2.0
/*
 * Name user functions in profiles of the module: see live_names.h.
 */
#include "cmd/live_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int look(struct live_names *names, const struct profile *profile,
		uint32_t frame, const char **name)
{
	const struct symbols_options options = { .mangled = names->request.mangled };
	const struct profile_frame *sought = &profile->frames[frame];
	const struct profile_object *object;
	struct symbols_place place;

	*name = NULL;
	if (!profile_frame_unnamed(profile, frame))
		return 0;
	if (!names->cache)
		names->cache = symbols_cache_create(&options);
	if (!names->cache)
		return -ENOMEM;
	object = &profile->objects[sought->object - 1];
	place = (struct symbols_place){
		.path = object->path, .build_id = object->build_id,
		.offset = sought->offset,
	};
	return symbols_cache_find(names->cache, &place, name);
}

int live_names_learn(struct live_names *names, const struct profile *profile,
		     struct error *error)
{
	const char *name;
	int err = 0;

	for (uint32_t i = 0; !names->request.no_names && i < profile->nr_frames && !err; i++)
		err = look(names, profile, i, &name);
	return err ? error_set(error, err, "cannot name user functions: %s",
			       strerror(-err)) : 0;
}

int live_names_give(struct live_names *names, struct profile *profile,
		    struct error *error)
{
	const char *name;
	int err = 0;

	for (uint32_t i = 0; !names->request.no_names && i < profile->nr_frames && !err; i++) {
		err = look(names, profile, i, &name);
		if (!err && name)
			err = profile_name_frame(profile, i, name);
	}
	return err ? error_set(error, err, "cannot name user functions: %s",
			       strerror(-err)) : 0;
}

/* What became of functions: of all, and of those that have no name. */
struct outcome {
	uint64_t nr, unnamed;
	uint64_t no_symbol, absent, different, strange, unsupported;
};

static void add(struct outcome *outcome, const struct symbols_file *file)
{
	outcome->nr += file->nr_named + file->nr_unnamed;
	outcome->unnamed += file->nr_unnamed;
	switch (file->state) {
	case SYMBOLS_READ:
	case SYMBOLS_UNPROVEN:
		outcome->no_symbol += file->nr_unnamed;
		break;
	case SYMBOLS_ABSENT:
		outcome->absent += file->nr_unnamed;
		break;
	case SYMBOLS_DIFFERENT:
		outcome->different += file->nr_unnamed;
		break;
	case SYMBOLS_STRANGE:
		outcome->strange += file->nr_unnamed;
		break;
	case SYMBOLS_UNSUPPORTED:
		outcome->unsupported += file->nr_unnamed;
		break;
	}
}

const char *live_names_missed(const struct live_names *names,
			      char text[LIVE_NAMES_MISSED])
{
	struct outcome outcome = { .nr = 0 };
	const struct {
		const uint64_t *nr;
		const char *why;
	} reasons[] = {
		{ &outcome.no_symbol, "without a symbol in their files" },
		{ &outcome.absent, "in files that are gone or cannot be read" },
		{ &outcome.different, "in files whose build-id differs from what was sampled" },
		{ &outcome.strange, "in files that are no ELF files, or damaged" },
		{ &outcome.unsupported, "since a static flamectl cannot read symbols" },
	};
	struct symbols_file file;
	size_t position = 0, used;

	*text = '\0';
	while (names->cache && symbols_next(symbols_cache_symbols(names->cache),
					    &position, &file))
		add(&outcome, &file);
	if (!outcome.unnamed)
		return text;
	used = (size_t)snprintf(text, LIVE_NAMES_MISSED, "%" PRIu64 " of %" PRIu64
				" user functions have no name", outcome.unnamed,
				outcome.nr);
	for (size_t i = 0, said = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (*reasons[i].nr && used < LIVE_NAMES_MISSED)
			used += (size_t)snprintf(text + used, LIVE_NAMES_MISSED - used,
						 "%s %" PRIu64 " %s", said++ ? "," : ":",
						 *reasons[i].nr, reasons[i].why);
	return text;
}

void live_names_deinit(struct live_names *names)
{
	symbols_cache_destroy(names->cache);
	names->cache = NULL;
}
