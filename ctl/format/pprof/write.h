/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the writer of saved profiles share.
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

/* An event's samples and its weight, or samples, weight and late of the only one. */
#define PPROF_WRITE_TYPES	(2 * EVENTS_MAX)

/* A sample type: the name of the event, or that and "-samples", and a NUL. */
struct pprof_type {
	char name[EVENTS_NAME + 8];
	const char *unit;
};

/* The places of an event's values. */
struct pprof_event_types {
	unsigned int weight, samples;	/* the same where each is a sample's number */
	bool has_samples;		/* else nobody knows how many there were */
};

struct pprof_writer {
	const struct events *events;
	const struct profile *profile;	/* the only one, or stacks and tasks of all */
	struct profile *united;		/* the latter; owned */
	int layout;
	struct pprof_type types[PPROF_WRITE_TYPES];
	unsigned int nr_types, default_type, main_type;
	struct pprof_event_types event_types[EVENTS_MAX];
	int64_t *rows;			/* of several: nr_types values a record */
	bool only_weights;		/* of one: each is the number of its samples */
	struct gzip *gzip;
	/* as frames, which are numbered as they come and found by their names */
	struct profile *strings;	/* escaped; by index */
	struct profile *mappings;	/* their files; id is number + 1 */
	uint8_t *scratch;
	size_t scratch_bytes;
	int err;			/* the first; nothing is written after it */
};

/** pprof_emit() - write a part of the message. */
void pprof_emit(struct pprof_writer *w, const Pprof__Profile *part);

/**
 * pprof_intern() - the number of @text among @names.
 *
 * Return: is it new? Also false where w->err is set.
 */
bool pprof_intern(struct pprof_writer *w, struct profile *names,
		  const char *text, uint32_t *number);

/**
 * pprof_write_string() - the index of @text in the string table, where it is put
 * if need be.
 */
int64_t pprof_write_string(struct pprof_writer *w, const char *text);

/** pprof_write_comments() - settings, session, machine and books. */
void pprof_write_comments(struct pprof_writer *w);

/**
 * pprof_choose_types() - what the file's values are, and its layout.
 *
 * Return: 0, or -errno, with @w->profile and @w->rows set where there are several
 * events: -EOVERFLOW where a value is no int64_t.
 */
int pprof_choose_types(struct pprof_writer *w);

/**
 * pprof_values_of() - one event's values, the others' being 0.
 * @values: nr_types of them.
 *
 * Return: 0, or -EOVERFLOW.
 */
int pprof_values_of(const struct pprof_writer *w, unsigned int event,
		    const struct profile_record *record, int64_t *values);

#endif /* FLAMECTL_PPROF_WRITE_H */
