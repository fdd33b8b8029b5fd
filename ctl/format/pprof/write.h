/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the parts of the writer of saved profiles share.
 */
#ifndef FLAMECTL_PPROF_WRITE_H
#define FLAMECTL_PPROF_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/gzip.h"
#include "pprof.pb-c.h"
#include "profile/events.h"
#include "profile/profile.h"
#include "profile/profile_map.h"
#include "profile/slices.h"

/* Weight and samples per event; a single event has samples, weight and late. */
#define PPROF_WRITE_TYPES	(2 * EVENTS_MAX)

/*
 * A sample type. Its name is the event's, or that plus "-samples", and a NUL.
 */
struct pprof_type {
	char name[EVENTS_NAME + 8];
	const char *unit;
};

/* Indices of an event's values. */
struct pprof_event_types {
	unsigned int weight, samples;	/* equal if weights are counts */
	bool has_samples;		/* else the sample count is unknown */
};

struct pprof_object;

/*
 * A text that is found by its address, because it stays where it is and does not
 * change; and its index in the string table.
 */
struct pprof_stable {
	const char *text;
	int64_t index;
};

#define PPROF_STABLE	256

struct pprof_writer {
	const struct events *events;
	const struct profile *profile;	/* the only one, or @united */
	struct profile *united;		/* stacks and tasks of all; owned */
	struct profile_map maps[EVENTS_MAX];	/* of several events, to @united */
	const struct slices *slices;	/* their times are those of all events; or NULL */
	int layout;
	struct pprof_type types[PPROF_WRITE_TYPES];
	unsigned int nr_types, default_type, main_type;
	struct pprof_event_types event_types[EVENTS_MAX];
	bool only_weights;		/* one event: weights are counts */
	struct gzip *gzip;
	/*
	 * tables of names, stored as frames: these are numbered in order of
	 * arrival and found by name
	 */
	struct profile *strings;	/* escaped; by index */
	struct profile *mappings;	/* file names; id is number + 1 */
	struct pprof_object *objects;	/* by the profile's numbers */
	uint32_t nr_objects;		/* of them: that were written */
	uint64_t next_start;		/* where the next object is mapped */
	struct pprof_stable stable[PPROF_STABLE];
	uint8_t *scratch;
	size_t scratch_bytes;
	int err;			/* the first; writing then stops */
};

/** pprof_emit() - pack and write a part of the message. */
void pprof_emit(struct pprof_writer *w, const Pprof__Profile *part);

/**
 * pprof_intern() - look up or add @text in @names, and set its number.
 *
 * Return: true if it is new. Also false if w->err is set.
 */
bool pprof_intern(struct pprof_writer *w, struct profile *names,
		  const char *text, uint32_t *number);

/**
 * pprof_write_string() - return the index of @text in the string table; write
 * it if it is new.
 */
int64_t pprof_write_string(struct pprof_writer *w, const char *text);

/**
 * pprof_find_objects() - find out what is written of each object.
 *
 * Return: 0 or -ENOMEM.
 */
int pprof_find_objects(struct pprof_writer *w);

/** pprof_write_kernel_mapping() - write the core kernel's mapping, the first. */
void pprof_write_kernel_mapping(struct pprof_writer *w);

/**
 * pprof_frame_mapping() - return the id of a frame's mapping, 0 if it has none;
 * write the mapping if it is new.
 * @address: set to the frame's address in it, 0 if it has none.
 */
uint64_t pprof_frame_mapping(struct pprof_writer *w,
			     const struct profile_frame *frame,
			     uint64_t *address);

/**
 * pprof_write_stable() - do so with a text that stays where it is, and unchanged,
 * until all is written: it is looked up by its address.
 */
int64_t pprof_write_stable(struct pprof_writer *w, const char *text);

/**
 * pprof_reserve() - make room for a part of the message of @size bytes.
 *
 * Return: the room; NULL if w->err is set.
 */
uint8_t *pprof_reserve(struct pprof_writer *w, size_t size);

/** pprof_write_comments() - write settings, session, machine and books. */
void pprof_write_comments(struct pprof_writer *w);

/**
 * pprof_choose_types() - choose the file's sample types and layout.
 *
 * Return: 0, or -errno; -EOVERFLOW if a value does not fit an int64_t; -EINVAL if
 * events have different slices. Sets @w->slices and, with several events, @w->profile
 * and @w->maps.
 */
int pprof_choose_types(struct pprof_writer *w);

/* The samples of several events, of all time or of one slice. */
struct pprof_rows {
	struct profile_record *records;	/* a stack of a task is there once */
	int64_t *values;		/* nr_types of each */
	uint32_t nr;
};

/**
 * pprof_rows_make() - put the samples of all events in rows.
 * @at: the slice's number; UINT32_MAX: all time.
 *
 * Return: 0, with @rows to be freed by pprof_rows_deinit(); -ENOMEM, or -EOVERFLOW if
 * a value does not fit an int64_t.
 */
int pprof_rows_make(struct pprof_writer *w, uint32_t at, struct pprof_rows *rows);

/** pprof_rows_deinit() - free what @rows holds; fine if all zero. */
void pprof_rows_deinit(struct pprof_rows *rows);

/**
 * pprof_values_of() - fill in one event's values; those of others are 0.
 * @values: nr_types of them.
 *
 * Return: 0, or -EOVERFLOW.
 */
int pprof_values_of(const struct pprof_writer *w, unsigned int event,
		    const struct profile_record *record, int64_t *values);

#endif /* FLAMECTL_PPROF_WRITE_H */
