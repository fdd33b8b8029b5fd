// SPDX-License-Identifier: GPL-2.0
/*
 * Read the locations of a saved profile, and convert each to its frames.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/pprof/layout.h"
#include "format/pprof/locations.h"
#include "format/pprof/reader.h"

/* Limit of functions in one location; more than any inlining yields. */
#define LINES_MAX	1024

/* The only object that is no file. */
#define VDSO		"[vdso]"

/* Ids in ascending order, each with the index of what it names. */
struct pprof_ids {
	size_t nr;
	struct pprof_id {
		uint64_t id;
		size_t place;
	} ids[];
};

static int compare_ids(const void *left, const void *right)
{
	const struct pprof_id *a = left, *b = right;

	return (a->id > b->id) - (a->id < b->id);
}

static struct pprof_ids *ids_alloc(size_t nr)
{
	struct pprof_ids *ids = calloc(1, sizeof(*ids) +
					  nr * sizeof(ids->ids[0]));

	if (ids)
		ids->nr = nr;
	return ids;
}

static void ids_put(struct pprof_ids *ids, size_t place, uint64_t id)
{
	ids->ids[place].id = id;
	ids->ids[place].place = place;
}

static int ids_sort(struct pprof_ids *ids, const char *what,
		    struct error *error)
{
	size_t i;

	/* most files have them in order */
	for (i = 1; i < ids->nr && ids->ids[i - 1].id < ids->ids[i].id; i++)
		;
	if (i < ids->nr)
		qsort(ids->ids, ids->nr, sizeof(ids->ids[0]), compare_ids);
	for (i = 0; i < ids->nr; i++) {
		if (!ids->ids[i].id)
			return error_set(error, -EBADMSG, "a %s has no id", what);
		if (i && ids->ids[i].id == ids->ids[i - 1].id)
			return error_set(error, -EBADMSG, "there are two %ss %"
					 PRIu64, what, ids->ids[i].id);
	}
	return 0;
}

static size_t ids_find(const struct pprof_ids *ids, uint64_t id)
{
	const struct pprof_id key = { .id = id }, *found;
	uint64_t next = ids->nr ? id - ids->ids[0].id : 0;

	/* most files number them consecutively */
	if (next < ids->nr && ids->ids[next].id == id)
		return ids->ids[next].place;
	found = bsearch(&key, ids->ids, ids->nr, sizeof(key), compare_ids);
	return found ? found->place : SIZE_MAX;
}

size_t pprof_find_location(const struct pprof_reader *r, uint64_t id)
{
	return ids_find(r->locations, id);
}

void pprof_locations_deinit(struct pprof_reader *r)
{
	free(r->locations);
	free(r->functions);
	free(r->mappings);
	free(r->objects);
	free(r->stacks);
	free(r->frames);
	r->locations = r->functions = r->mappings = NULL;
	r->objects = NULL;
	r->stacks = NULL;
	r->frames = NULL;
}

/*
 * Collect all ids, and allocate room for all frames: at least one per location.
 */
static int prepare(struct pprof_reader *r)
{
	const struct pprof_decoded *m = r->message;
	size_t i, lines = 0;

	r->locations = ids_alloc(m->n_location);
	r->functions = ids_alloc(m->n_function);
	r->mappings = ids_alloc(m->n_mapping);
	r->objects = calloc(m->n_mapping + 1, sizeof(*r->objects));
	r->stacks = calloc(m->n_location + 1, sizeof(*r->stacks));
	if (!r->locations || !r->functions || !r->mappings || !r->objects ||
	    !r->stacks)
		return -ENOMEM;
	for (i = 0; i < m->n_location; i++) {
		ids_put(r->locations, i, m->location[i].id);
		lines += m->location[i].n_line ?: 1;
		if (m->location[i].n_line > LINES_MAX)
			return error_set(r->error, -EBADMSG, "location %" PRIu64
					 " has more than %d lines",
					 m->location[i].id, LINES_MAX);
	}
	for (i = 0; i < m->n_function; i++)
		ids_put(r->functions, i, m->function[i].id);
	for (i = 0; i < m->n_mapping; i++)
		ids_put(r->mappings, i, m->mapping[i].id);
	r->frames = calloc(lines + 1, sizeof(*r->frames));
	if (!r->frames)
		return -ENOMEM;
	return ids_sort(r->locations, "location", r->error) ?:
	       ids_sort(r->functions, "function", r->error) ?:
	       ids_sort(r->mappings, "mapping", r->error);
}

/* What a location is in. */
struct place {
	const char *file;		/* "" if there is none */
	uint32_t object;		/* its number plus one; 0: none */
	uint64_t offset;		/* in that object; 0: not known */
};

static bool bracketed(const char *text)
{
	return *text == '[' && text[strlen(text) - 1] == ']';
}

static enum flamemod_frame_kind our_kind(const char *file)
{
	if (!*file)
		return FLAMEMOD_FRAME_MARK;
	if (!strcmp(file, PPROF_KERNEL_MAPPING))
		return FLAMEMOD_FRAME_KERNEL;
	if (!strcmp(file, VDSO))
		return FLAMEMOD_FRAME_USER;
	return bracketed(file) ? FLAMEMOD_FRAME_MODULE : FLAMEMOD_FRAME_USER;
}

/*
 * Guess a frame's kind in another program's file: these have several names for
 * the kernel, and name modules by their files.
 */
static enum flamemod_frame_kind other_kind(const char *file, const char *name)
{
	const char *suffix = strrchr(name, ' ');

	if (bracketed(name))
		return FLAMEMOD_FRAME_MARK;
	if (suffix && bracketed(suffix + 1))
		return FLAMEMOD_FRAME_MODULE;
	if (strstr(file, "vmlinux") || !strncmp(file, "[kernel", 7) ||
	    !strncmp(file, "[guest.kernel", 13))
		return FLAMEMOD_FRAME_KERNEL;
	return FLAMEMOD_FRAME_USER;
}

/*
 * Find or add the object of a mapping; of files only, and of the vDSO. A mapping
 * of all addresses says that the writer did not know where the file was.
 */
static int find_object(struct pprof_reader *r, size_t place, const char *file,
		       uint32_t *object)
{
	const struct pprof_mapping *mapping = &r->message->mapping[place];
	const char *build_id = pprof_string(r, mapping->build_id);
	uint32_t number;
	int err;

	*object = r->objects[place];
	if (!build_id)
		return -EBADMSG;
	if (*object || (*file != '/' && strcmp(file, VDSO)) ||
	    mapping->memory_limit <= mapping->memory_start ||
	    mapping->memory_limit == UINT64_MAX)
		return 0;
	err = profile_add_object(r->profile, file, build_id, &number);
	if (!err)
		*object = r->objects[place] = number + 1;
	return err;
}

static int find_place(struct pprof_reader *r,
		      const struct pprof_location *location,
		      struct place *place)
{
	const struct pprof_mapping *mapping;
	size_t at;
	int err;

	*place = (struct place){ .file = "" };
	if (!location->mapping_id)
		return 0;
	at = ids_find(r->mappings, location->mapping_id);
	if (at == SIZE_MAX)
		return error_set(r->error, -EBADMSG, "mapping %" PRIu64
				 " is referred to, there is none",
				 location->mapping_id);
	mapping = &r->message->mapping[at];
	place->file = pprof_string(r, mapping->filename);
	if (!place->file)
		return -EBADMSG;
	err = find_object(r, at, place->file, &place->object);
	if (err || !place->object || location->address < mapping->memory_start ||
	    location->address >= mapping->memory_limit)
		return err;
	if (__builtin_add_overflow(location->address - mapping->memory_start,
				   mapping->file_offset, &place->offset) ||
	    place->offset >= PROFILE_OFFSET_MAX)
		place->offset = 0;
	return 0;
}

/*
 * Add a function. In other programs' files a function has as many places as it
 * has addresses, and only that of the function would matter.
 */
static int add_function(struct pprof_reader *r, const char *name,
			const struct place *in, uint32_t *frame)
{
	enum flamemod_frame_kind kind = r->ours ? our_kind(in->file) :
						  other_kind(in->file, name);

	if (in->object && kind == FLAMEMOD_FRAME_USER)
		return profile_add_frame_at(r->profile, name, in->object - 1,
					    r->ours ? in->offset : 0, frame);
	return profile_add_frame(r->profile, name, kind, frame);
}

/* Convert a line to a frame. Return: 1 if the line has no frame. */
static int line_frame(struct pprof_reader *r, uint64_t id,
		      const struct place *in, uint32_t *frame)
{
	size_t place = ids_find(r->functions, id);
	const struct pprof_decoded_function *function;
	const char *name, *file;
	int err;

	if (place == SIZE_MAX)
		return error_set(r->error, -EBADMSG, "function %" PRIu64
				 " is referred to, there is none", id);
	function = &r->message->function[place];
	name = pprof_string(r, function->name);
	file = pprof_string(r, function->filename);
	if (!name || !file)
		return -EBADMSG;
	if (r->ours && !strcmp(file, PPROF_NO_FILE))
		return 1;
	if (!*name && !r->ours)
		name = "[unknown]";
	err = pprof_pay(r, strlen(name));
	return err ?: add_function(r, name, in, frame);
}

/*
 * A location without a function: name it by its place in its file, else by its
 * file alone. Its address differs from process to process.
 */
static int bare_frame(struct pprof_reader *r, const struct place *in,
		      uint32_t *frame)
{
	const char *base = strrchr(in->file, '/');
	char name[256] = "[unknown]";

	if (in->object && in->offset &&
	    other_kind(in->file, "") == FLAMEMOD_FRAME_USER)
		return pprof_pay(r, strlen(in->file)) ?:
		       profile_add_frame_at(r->profile, NULL, in->object - 1,
					    in->offset, frame);
	base = base ? base + 1 : in->file;
	if (*base)
		snprintf(name, sizeof(name), bracketed(base) ? "%s" : "[%s]",
			 base);
	return pprof_pay(r, strlen(name)) ?:
	       profile_add_frame(r->profile, name, FLAMEMOD_FRAME_MARK, frame);
}

int pprof_read_locations(struct pprof_reader *r)
{
	const struct pprof_decoded *m = r->message;
	size_t i, line, used = 0;
	struct place in;
	int err;

	err = prepare(r);
	for (i = 0; i < m->n_location && !err; i++) {
		const struct pprof_location *location = &m->location[i];
		uint64_t work = r->work;

		r->stacks[i].first = used;
		err = find_place(r, location, &in);
		if (!err && !location->n_line)
			err = bare_frame(r, &in, &r->frames[used++]);
		/* pprof has the innermost first, we the outermost */
		for (line = location->n_line; line > 0 && !err; line--) {
			err = line_frame(r, m->function_ids[location->line + line - 1],
					 &in, &r->frames[used]);
			used += !err;
			if (err == 1)
				err = 0;
		}
		r->stacks[i].nr = used - r->stacks[i].first;
		r->stacks[i].work = r->work - work;
	}
	return err;
}
