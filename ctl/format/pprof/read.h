/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the parts of the reader of saved profiles share.
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

/* A location's frames in r->frames, the outermost first. */
struct pprof_stack {
	size_t first;
	size_t nr;
	uint64_t work;		/* see pprof_pay() */
};

/*
 * One location of the stack read last. The next stack reuses the steps that it
 * has in common with it.
 */
struct pprof_step {
	uint64_t location;
	uint32_t node;
	uint32_t depth;		/* in frames */
};

struct pprof_ids;

/* Limit of sample types; each sample has one value of each. */
#define PPROF_TYPES_MAX	64

/* Index of each value in a sample; SIZE_MAX if there is none. */
struct pprof_places {
	size_t count, weight, late;
	uint64_t scale;			/* other weights: factor to ns, or 0 */
};

/* One event of the file. */
struct pprof_event {
	const char *name, *unit;	/* of its sample type */
	struct pprof_places places;
	uint64_t period_ns, duration_ns;
	uint32_t hz;
	bool is_named;			/* the name says what weights are */
	bool is_perf;			/* of several: one of perf's events */
};

/* The message, and what was read from it so far. */
struct pprof_reader {
	const Pprof__Profile *message;
	struct profile *profile;
	struct error *error;
	bool ours;			/* laid out as in pprof.h */
	uint64_t layout;		/* if ours, the layout's version */
	const struct events_wanted *wanted;
	struct pprof_event events[PPROF_TYPES_MAX];	/* the default first */
	unsigned int nr_events;
	const char *perf_name;		/* of the only event, or NULL */
	unsigned int nr_kept;		/* the others are used only by name */
	unsigned int event;		/* the event being read */
	struct pprof_places places;	/* of that event's values */
	char **strings;			/* unescaped if ours; owned */
	struct pprof_ids *locations, *functions, *mappings;
	struct pprof_stack *stacks;	/* by a location's index */
	uint64_t work;			/* see pprof_pay() */
	uint32_t *frames;
	struct pprof_step *steps;	/* root first */
	size_t nr_steps, max_steps;
};

/**
 * pprof_string() - return entry @index of the string table, or NULL with the
 * error filled in.
 */
const char *pprof_string(const struct pprof_reader *r, int64_t index);

/** pprof_value_of() - return VALUE if @text is "@key=VALUE", else NULL. */
const char *pprof_value_of(const char *text, const char *key);

/**
 * pprof_find_events() - find the file's events; r->ours must be set.
 *
 * Return: 0, or -EBADMSG with the error filled in.
 */
int pprof_find_events(struct pprof_reader *r);

/**
 * pprof_choose_events() - choose the events to read, and note those left out.
 * @first: set to the index of the first one.
 * @nr: set to how many to read from there on.
 *
 * Return: 0, or -EBADMSG with the error filled in if there is no event of the
 * wanted name.
 */
int pprof_choose_events(struct pprof_reader *r, unsigned int *first,
			unsigned int *nr);

/**
 * pprof_event_name() - the name by which --event finds event @number, "" if it
 * has none.
 */
const char *pprof_event_name(const struct pprof_reader *r, unsigned int number);

/** pprof_begin_event() - set up r->profile, which is new, for event @number. */
void pprof_begin_event(struct pprof_reader *r, unsigned int number);

/* The work charged per frame or record, in bytes of text looked up. */
#define PPROF_WORK_EACH	16

/**
 * pprof_pay() - charge work, in bytes looked up. It depends not on the file's
 * size but on how often the file refers to the same things.
 *
 * Return: 0, or -EBADMSG with the error filled in if it exceeds the limit.
 */
int pprof_pay(struct pprof_reader *r, uint64_t work);

/**
 * pprof_read_comments() - read settings, session and books from our comments.
 */
int pprof_read_comments(struct pprof_reader *r);

/** pprof_read_locations() - convert every location to its frames. */
int pprof_read_locations(struct pprof_reader *r);

/**
 * pprof_find_location() - return the index of the location with this id, or
 * SIZE_MAX.
 */
size_t pprof_find_location(const struct pprof_reader *r, uint64_t id);

/** pprof_locations_deinit() - free what pprof_read_locations() allocated. */
void pprof_locations_deinit(struct pprof_reader *r);

/** pprof_read_samples() - convert samples to records or to lost periods. */
int pprof_read_samples(struct pprof_reader *r);

/** pprof_samples_deinit() - free what pprof_read_samples() allocated. */
void pprof_samples_deinit(struct pprof_reader *r);

#endif /* FLAMECTL_PPROF_READ_H */
