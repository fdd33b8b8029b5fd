/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events other than samples. Of tasks, such as off-cpu: each is a count of intervals of
 * tasks and of their time. Of sources, such as func:vfs_read: each is a count of hits and
 * of their weights, which may be time, bytes, or 1 a hit. The module's books of both
 * balance: seen = stored + filtered + below + lost.
 *
 * In flamectl such an event is a profile. Its books of weights are those that every
 * profile has: fires is what was seen, filtered includes what was below, and all is in
 * the books of one CPU, as an interval may begin and end on two. The number of intervals
 * or hits is here.
 */
#ifndef FLAMECTL_INTERVALS_H
#define FLAMECTL_INTERVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "flamemod.h"

struct profile;
struct profile_books;
struct profile_record;

/* Numbers of hits by powers of two of their weights: [10] has those of 1024 to 2047. */
#define INTERVALS_POWERS	64

struct profile_intervals {
	bool known;			/* the profile is of such an event */
	bool no_waiting;		/* the kernel does not tell [waiting] apart */
	bool of_hits;			/* of a source, not of tasks */
	uint64_t seen;			/* the profile has those that are in none of these: */
	uint64_t below;			/* left out as shorter than min_ns */
	uint64_t below_ns;
	uint64_t min_ns;		/* 0: none was too short */
	uint64_t lost[__FLAMEMOD_EVENT_LOST_MAX];
	uint64_t powers[INTERVALS_POWERS];	/* all 0: not known */
};

/* What became of an event's intervals: their number, or their weight. */
struct profile_tally {
	uint64_t seen, stored, filtered, below;
	uint64_t lost[__FLAMEMOD_EVENT_LOST_MAX];
};

/* Numbers of events are below it: those of tasks, then those of a request's sources. */
#define ATTACHED_MAX	(FLAMEMOD_SOURCE_FIRST + FLAMEMOD_SOURCES_MAX)

/* An event that some client has attached to the module now. */
struct profile_attached {
	bool known;			/* it is attached */
	char name[FLAMEMOD_EVENT_NAME_BYTES_MAX];	/* "off-cpu", "func:vfs_read" */
	char unit[FLAMEMOD_UNIT_BYTES_MAX];	/* as sent: "ns", "count", "bytes" */
	enum flamemod_source_kind kind;
	uint64_t suspended_ns;		/* CLOCK_MONOTONIC; 0: it was not */
	bool broken;			/* it takes no more, see the kernel log */
	bool followed;			/* to the process that is followed */
	uint32_t nr_pids;		/* to so many processes or threads; 0: to all */
	uint32_t pids[FLAMEMOD_PIDS_MAX];
	uint32_t states;		/* 1 << enum flamemod_task_state */
	uint64_t since_ns;		/* CLOCK_MONOTONIC */
	uint64_t min_ns;
	struct profile_tally hits, weight;
	bool user_stacks;		/* they are taken */
	uint64_t sides[__FLAMEMOD_USER_MAX];	/* weight by what became of them */
};

/** profile_event_name() - return "off-cpu" and so on, as in the YAML. */
const char *profile_event_name(enum flamemod_event event);

/** profile_event_lost_name() - return "no-slot" and so on, as in the YAML. */
const char *profile_event_lost_name(enum flamemod_event_lost reason);

/**
 * intervals_check_tally() - report whether a tally balances.
 */
bool intervals_check_tally(const struct profile_tally *tally);

/**
 * intervals_lost_in() - return where books of weights count what was lost for a reason: the
 * place in their lost[].
 */
unsigned int intervals_lost_in(enum flamemod_event_lost reason);

/**
 * intervals_lost() - get how many intervals or hits were lost, where the books have a weight
 * of them: a selection may have moved that to what is filtered.
 * @books: the profile's, or those of a CPU.
 * @lost: PROFILE_LOST_MAX numbers, as in the books.
 */
void intervals_lost(const struct profile_intervals *intervals,
		    const struct profile_books *books, uint64_t *lost);

/** intervals_name() - return what is counted, in the plural: "hits" or "intervals". */
const char *intervals_name(const struct profile_intervals *intervals);

/** intervals_unit() - return the unit of an attached event as profiles have it. */
const char *intervals_unit(const struct profile_attached *attached);

/** intervals_add() - add to @sum. Return: 0, or -EOVERFLOW and no change. */
int intervals_add(struct profile_intervals *sum, const struct profile_intervals *more);

/** intervals_same_counts() - report whether all that is counted is the same. */
bool intervals_same_counts(const struct profile_intervals *a,
			   const struct profile_intervals *b);

/**
 * intervals_subtract() - subtract an earlier instant of the same event.
 *
 * Return: 0, or -ERANGE and no change.
 */
int intervals_subtract(struct profile_intervals *from,
		       const struct profile_intervals *less);

/**
 * intervals_leave_out() - subtract those of a record that is removed from the profile. Their
 * powers are known of a single hit, whose time is the record's; after others, no power is.
 */
void intervals_leave_out(struct profile_intervals *intervals,
			 const struct profile_record *record);

/**
 * intervals_leave_out_lost() - subtract what was lost for the reasons that the books have
 * under one.
 * @reason: below PROFILE_LOST_MAX
 */
void intervals_leave_out_lost(struct profile_intervals *intervals, unsigned int reason);

/**
 * intervals_check() - check that a profile's records have no more intervals than were
 * seen and not left out or lost.
 */
bool intervals_check(const struct profile *profile);

/* Room for the longest text below, and a NUL. */
#define INTERVALS_TEXT	640

/**
 * intervals_books() - write what became of an event's weight: "off-cpu: seen 1.20 s =
 * stored 1.10 s + filtered 100.00 ms + lost 0 ns"; "func:vfs_read, bytes: seen 4096 = ...".
 *
 * Return: @text.
 */
const char *intervals_books(char text[INTERVALS_TEXT], const struct profile *profile);

/**
 * intervals_fact() - write how many intervals there were: "120 intervals, 20 below 10.00 us
 * left out (1.20 ms), 3 lost that are in no sum (no-slot 3)".
 *
 * Return: @text.
 */
const char *intervals_fact(char text[INTERVALS_TEXT], const struct profile *profile);

/**
 * intervals_know_powers() - report whether the powers of two of a profile's hits are known, or
 * it has no hits.
 * @records: @nr of them.
 */
bool intervals_know_powers(const struct profile_intervals *intervals,
			   const struct profile_record *records, uint32_t nr);

/**
 * intervals_powers_fit() - report whether the powers of two sum to the hits, or are not known.
 * @records: @nr of them.
 */
bool intervals_powers_fit(const struct profile_intervals *intervals,
			  const struct profile_record *records, uint32_t nr);

/**
 * intervals_range() - find the powers of two in which there are hits.
 * @first: set to the lowest one.
 * @end: set to the one after the highest.
 *
 * Return: false if there are none, or they are not known.
 */
bool intervals_range(const struct profile_intervals *intervals, unsigned int *first,
		     unsigned int *end);

#endif /* FLAMECTL_INTERVALS_H */
