/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the reader of saved profiles share.
 */
#ifndef FLAMECTL_PPROF_READ_H
#define FLAMECTL_PPROF_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "pprof.pb-c.h"
#include "profile/events.h"
#include "profile/profile.h"

/* Frames of a location, from the root's side, in stacks->frames. */
struct pprof_stack {
	size_t first;
	size_t nr;
	uint64_t work;		/* see pprof_pay() */
};

/* How far the stack that was read last is the same as the next one. */
struct pprof_step {
	uint64_t location;
	uint32_t node;
	uint32_t depth;		/* frames */
};

struct pprof_ids;

/* Of the types of values; each sample has one of each. */
#define PPROF_TYPES_MAX	64

/* Which of a sample's values mean what; SIZE_MAX for none. */
struct pprof_places {
	size_t count, weight, late;
	uint64_t scale;			/* of weights that are not ours, to ns; or 0 */
};

/* An event that the file has. */
struct pprof_event {
	const char *name, *unit;	/* of its sample type */
	struct pprof_places places;
	uint64_t period_ns, duration_ns;
	uint32_t hz;
	bool is_named;			/* the type tells what weights are */
};

/* A message, and what was made of it so far. */
struct pprof_reader {
	const Pprof__Profile *message;
	struct profile *profile;
	struct error *error;
	bool ours;			/* laid out as pprof.h says */
	uint64_t layout;		/* then which of the three */
	const struct events_wanted *wanted;
	struct pprof_event events[PPROF_TYPES_MAX];	/* the default first */
	unsigned int nr_events;
	unsigned int nr_kept;		/* the rest are of use only by name */
	unsigned int event;		/* that is read */
	struct pprof_places places;	/* its values */
	char **strings;			/* unescaped where ours; owned */
	struct pprof_ids *locations, *functions, *mappings;
	struct pprof_stack *stacks;	/* by a location's place */
	uint64_t work;			/* done so far */
	uint32_t *frames;
	struct pprof_step *steps;	/* from the root */
	size_t nr_steps, max_steps;
};

/**
 * pprof_string() - entry @index of the string table, or NULL with the error
 * filled in.
 */
const char *pprof_string(const struct pprof_reader *r, int64_t index);

/** pprof_value_of() - VALUE of the text "@key=VALUE", or NULL. */
const char *pprof_value_of(const char *text, const char *key);

/**
 * pprof_find_events() - which events there are, with r->ours known.
 *
 * Return: 0, or -EBADMSG with the error filled in.
 */
int pprof_find_events(struct pprof_reader *r);

/**
 * pprof_choose_events() - which of them to read; those left out are noted.
 * @first: the place of the first one.
 * @nr: how many from there on.
 *
 * Return: 0, or -EBADMSG with the error filled in: there is none of that name.
 */
int pprof_choose_events(struct pprof_reader *r, unsigned int *first,
			unsigned int *nr);

/** pprof_begin_event() - r->profile, which is new, is to become that event's. */
void pprof_begin_event(struct pprof_reader *r, unsigned int number);

/* What a frame or a record costs, in bytes of text that are looked up. */
#define PPROF_WORK_EACH	16

/**
 * pprof_pay() - account for work that does not grow with the file, but with
 * how often it names the same: bytes looked up.
 *
 * Return: 0, or -EBADMSG with the error filled in where it was too much.
 */
int pprof_pay(struct pprof_reader *r, uint64_t work);

/** pprof_read_comments() - settings, session and books from our comments. */
int pprof_read_comments(struct pprof_reader *r);

/** pprof_read_locations() - every location as its frames. */
int pprof_read_locations(struct pprof_reader *r);

/**
 * pprof_find_location() - the place of a location's id, or SIZE_MAX.
 */
size_t pprof_find_location(const struct pprof_reader *r, uint64_t id);

/** pprof_locations_deinit() - free what pprof_read_locations() made. */
void pprof_locations_deinit(struct pprof_reader *r);

/** pprof_read_samples() - records, or lost periods, from the samples. */
int pprof_read_samples(struct pprof_reader *r);

/** pprof_samples_deinit() - free what pprof_read_samples() needed. */
void pprof_samples_deinit(struct pprof_reader *r);

#endif /* FLAMECTL_PPROF_READ_H */
