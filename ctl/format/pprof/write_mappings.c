// SPDX-License-Identifier: GPL-2.0
/*
 * Write the mappings of a saved profile: what its frames are in.
 *
 * An object's mapping says where its file could have been mapped, so that its
 * frames' offsets in that file become addresses, as other programs expect them.
 * Where it was in truth nobody knows here: it differs from process to process.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/pprof/layout.h"
#include "format/pprof/write.h"
#include "profile/profile.h"

/* Objects begin at multiples of it, in a space of their own. */
#define OBJECT_ALIGN	(1ULL << 32)

/* The end of that space. */
#define OBJECT_END	(1ULL << 62)

/* The ids of objects' mappings begin above those of all others. */
#define OBJECT_FIRST_ID	(1ULL << 32)

#define PAGE		4096ULL

struct pprof_object {
	uint64_t id;			/* 0: not written yet */
	uint64_t start;			/* 0: has no addresses */
	uint64_t limit_offset;		/* beyond the last frame's */
	bool has_unnamed;
};

int pprof_find_objects(struct pprof_writer *w)
{
	const struct profile *profile = w->profile;

	w->objects = calloc((size_t)profile->nr_objects + 1,
			    sizeof(*w->objects));
	if (!w->objects)
		return -ENOMEM;
	w->next_start = OBJECT_ALIGN;
	for (uint32_t i = 0; i < profile->nr_frames; i++) {
		const struct profile_frame *frame = &profile->frames[i];
		struct pprof_object *object;

		if (!frame->object)
			continue;
		object = &w->objects[frame->object - 1];
		if (frame->offset >= object->limit_offset)
			object->limit_offset = frame->offset + 1;
		object->has_unnamed |= profile_frame_unnamed(profile, i);
	}
	return 0;
}

static void emit_mapping(struct pprof_writer *w, Pprof__Mapping *mapping)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;

	part.n_mapping = 1;
	part.mapping = &mapping;
	pprof_emit(w, &part);
}

/* Return the id of this file's mapping; write the mapping if it is new. */
static uint64_t file_mapping(struct pprof_writer *w, const char *file)
{
	Pprof__Mapping new = PPROF__MAPPING__INIT;
	uint32_t number = 0;

	if (w->err)
		return 0;
	if (!pprof_intern(w, w->mappings, file, &number))
		return (uint64_t)number + 1;
	new.id = (uint64_t)number + 1;
	new.filename = pprof_write_string(w, file);
	new.has_functions = true;
	emit_mapping(w, &new);
	return new.id;
}

/* Write an object's mapping, below which no other object is. */
static void write_object(struct pprof_writer *w, struct pprof_object *object,
			 const struct profile_object *names)
{
	Pprof__Mapping new = PPROF__MAPPING__INIT;
	uint64_t size = (object->limit_offset + PAGE - 1) / PAGE * PAGE;

	object->id = OBJECT_FIRST_ID + w->nr_objects++;
	new.id = object->id;
	if (w->next_start + size < OBJECT_END) {
		object->start = w->next_start;
		w->next_start += (size / OBJECT_ALIGN + 1) * OBJECT_ALIGN;
		new.memory_start = object->start;
		new.memory_limit = object->start + (size ?: PAGE);
	}
	new.filename = pprof_write_string(w, names->path);
	new.build_id = pprof_write_string(w, names->build_id);
	new.has_functions = !object->has_unnamed;
	emit_mapping(w, &new);
}

static uint64_t object_mapping(struct pprof_writer *w,
			       const struct profile_frame *frame,
			       uint64_t *address)
{
	struct pprof_object *object = &w->objects[frame->object - 1];

	if (!object->id)
		write_object(w, object, &w->profile->objects[frame->object - 1]);
	if (frame->offset && object->start)
		*address = object->start + frame->offset;
	return object->id;
}

void pprof_write_kernel_mapping(struct pprof_writer *w)
{
	file_mapping(w, PPROF_KERNEL_MAPPING);
}

/* Names of a module's frames end in " [module]". */
uint64_t pprof_frame_mapping(struct pprof_writer *w,
			     const struct profile_frame *frame,
			     uint64_t *address)
{
	const char *suffix;

	*address = 0;
	switch (frame->kind) {
	case FLAMEMOD_FRAME_KERNEL:
		return file_mapping(w, PPROF_KERNEL_MAPPING);
	case FLAMEMOD_FRAME_MODULE:
		suffix = strrchr(frame->name, ' ');
		if (!suffix || suffix[1] != '[' ||
		    suffix[strlen(suffix) - 1] != ']' ||
		    !strcmp(suffix + 1, PPROF_KERNEL_MAPPING))
			return file_mapping(w, "[unknown]");
		return file_mapping(w, suffix + 1);
	case FLAMEMOD_FRAME_USER:
		return frame->object ? object_mapping(w, frame, address) :
				       file_mapping(w, PPROF_USER_MAPPING);
	default:
		return 0;
	}
}
