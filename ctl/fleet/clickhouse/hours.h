/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hours of a store, and whether the rollup of an hour is up to date.
 *
 * A rollup says of which windows it was made: how many, and a mark, the XOR of a hash of
 * each window. It is up to date if the table profiles, of which each window counts once,
 * has the same now. So it does not matter when, by whom, or how often an hour was rolled up.
 */
#ifndef FLAMECTL_CLICKHOUSE_HOURS_H
#define FLAMECTL_CLICKHOUSE_HOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "fleet/choice.h"
#include "fleet/send.h"
#include "fleet/target.h"

#define SECONDS_OF_HOUR	3600

/* What the rows of the table rollups are. */
enum rollup_kind {
	ROLLUP_HOUR,			/* one row: the hour, with windows and mark */
	ROLLUP_STACKS,			/* a stack, command and context; of all hosts */
	ROLLUP_HOSTS,			/* a host and stack; of all commands and contexts */
};

struct hour {
	uint32_t hour;			/* hours since 1970, UTC */
	uint64_t windows, mark;
	/* only of hours of the table profiles */
	uint64_t chosen;		/* windows that the choice's terms match */
	uint64_t stored;		/* periods of all windows, weighted by 1/inclusion */
};

struct hours {
	struct hour *list;		/* in rising order */
	size_t nr, room;
	/* only of the table profiles */
	const char *final;		/* " FINAL" if windows are there several times; or "" */
	bool shared;			/* one key is in several hours */
};

/**
 * hours_of_windows() - ask which hours the table profiles has, as far as they start in
 * the choice's time; duplicates are left out.
 *
 * Return: 0 with @hours set, or -errno with @error. Call hours_deinit() in both cases.
 */
int hours_of_windows(struct sender *sender, const struct target *target,
		     const struct choice *choice, struct hours *hours, struct error *error);

/**
 * hours_of_rollups() - ask which hours are rolled up, in the choice's time; none if the
 * store has no table for them.
 *
 * Return: as hours_of_windows().
 */
int hours_of_rollups(struct sender *sender, const struct target *target,
		     const struct choice *choice, struct hours *hours, struct error *error);

/** hours_find() - return an hour, or NULL. */
const struct hour *hours_find(const struct hours *hours, uint32_t hour);

/** hours_equal() - report whether two lists have the same hours, windows and marks. */
bool hours_equal(const struct hours *a, const struct hours *b);

/** hours_deinit() - free the list. */
void hours_deinit(struct hours *hours);

#endif /* FLAMECTL_CLICKHOUSE_HOURS_H */
