/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the reader of saved profiles share: what was read so far, texts
 * of the string table, and the account of the work that a file causes. It knows none
 * of the parts: events.h, read_comments.h, locations.h and samples.h. read.c calls
 * them in this order.
 */
#ifndef FLAMECTL_PPROF_READER_H
#define FLAMECTL_PPROF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/pprof/decode.h"
#include "format/pprof/pprof.h"
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

/* What a label is, by its key. */
enum pprof_label_role {
	PPROF_ROLE_OTHER, PPROF_ROLE_COMM, PPROF_ROLE_CONTEXT, PPROF_ROLE_LOST,
	PPROF_ROLE_HOST, PPROF_ROLE_CGROUP, PPROF_ROLE_PID, PPROF_ROLE_TID, PPROF_ROLE_CPU,
	PPROF_ROLE_SLICE,
};

/* A task that was looked up; its texts are those of the string table. */
struct pprof_known_task {
	const char *comm, *host, *cgroup;
	uint32_t pid, tid, task;
	uint64_t work;			/* see pprof_pay() */
};

/*
 * What the samples read last had in common: the n-th label of a sample usually has
 * the key of the n-th label of the sample before, and tasks occur again and again.
 */
#define PPROF_KNOWN_LABELS	8
#define PPROF_KNOWN_TASKS	256

struct pprof_known {
	struct {
		int64_t key;
		enum pprof_label_role role;
	} labels[PPROF_KNOWN_LABELS];
	const char *context_text;
	enum flamemod_context context;
	struct pprof_known_task tasks[PPROF_KNOWN_TASKS];
};

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
	uint32_t hz, nr_summed_cpus;
	struct profile_intervals intervals;
	bool is_named;			/* the name says what weights are */
	bool is_perf;			/* of several: one of perf's events */
};

/* The message, and what was read from it so far. */
struct pprof_reader {
	const struct pprof_decoded *message;
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
	uint32_t *objects;		/* by a mapping's index: number plus one */
	struct pprof_stack *stacks;	/* by a location's index */
	uint64_t work;			/* see pprof_pay() */
	uint32_t *frames;
	struct pprof_step *steps;	/* root first */
	size_t nr_steps, max_steps;
	struct pprof_known known;
};

/**
 * pprof_text() - return entry @index of a string table of @nr, or NULL with the
 * error filled in.
 */
const char *pprof_text(char *const *strings, size_t nr, int64_t index,
		       struct error *error);

/** pprof_string() - do so with the reader's string table. */
static inline const char *pprof_string(const struct pprof_reader *r, int64_t index)
{
	return pprof_text(r->strings, r->message->n_string_table, index, r->error);
}

/** pprof_value_of() - return VALUE if @text is "@key=VALUE", else NULL. */
const char *pprof_value_of(const char *text, const char *key);

/* The work charged per frame or record, in bytes of text looked up. */
#define PPROF_WORK_EACH	16

/* Fill in the error of pprof_pay(). Return: -EBADMSG. */
int pprof_refuse_work(struct pprof_reader *r);

/**
 * pprof_pay() - charge work, in bytes looked up. It depends not on the file's
 * size but on how often the file refers to the same things.
 *
 * Return: 0, or -EBADMSG with the error filled in if it exceeds the limit.
 */
static inline int pprof_pay(struct pprof_reader *r, uint64_t work)
{
	r->work += work + PPROF_WORK_EACH;
	return r->work <= PPROF_WORK_MAX ? 0 : pprof_refuse_work(r);
}

#endif /* FLAMECTL_PPROF_READER_H */
