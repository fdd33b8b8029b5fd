/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a question reads: the rollups of the hours that are wholly chosen and up to date,
 * and the windows themselves of all other hours. The answer is the same as from the
 * windows alone.
 */
#ifndef FLAMECTL_CLICKHOUSE_COVER_H
#define FLAMECTL_CLICKHOUSE_COVER_H

#include <stdio.h>

#include "fleet/clickhouse/hours.h"

/* How often all is read, if the store changes meanwhile. */
#define COVER_TRIES	3

/* Which rows of rollups would do. */
enum cover_by {
	COVER_WINDOWS,			/* none: read all windows */
	COVER_STACKS,			/* those of stacks, of all hosts */
	COVER_HOSTS,			/* those of hosts */
};

struct cover {
	const struct choice *choice;
	enum cover_by by;
	const char *final;		/* to follow the name of the table profiles */
	uint64_t windows;		/* that are chosen */
	bool has_rollups, has_windows;	/* what is to be read */
	struct hours hours, rollups;	/* empty if no rollup would do */
};

/**
 * cover_look() - find out what is to be read for a choice, which must stay.
 *
 * Return: 0; -ENODATA if there is no window; or -errno with @error. Call cover_deinit() in
 * all cases.
 */
int cover_look(struct cover *cover, struct sender *sender, const struct target *target,
	       const struct choice *choice, enum cover_by by, struct error *error);

/** cover_put_windows() - write which windows are to be read, as a condition. */
void cover_put_windows(const struct cover *cover, FILE *out);

/** cover_put_rollups() - write which rows of rollups are to be read, as a condition. */
void cover_put_rollups(const struct cover *cover, FILE *out);

/**
 * cover_check() - look again, after all was read.
 *
 * Return: 0 if windows and rollups are the same as before; -EBADMSG if not: then what was
 * read may be of different times, and is to be read again; or -errno with @error.
 */
int cover_check(const struct cover *cover, struct sender *sender,
		const struct target *target, struct error *error);

/** cover_deinit() - free what it holds. */
void cover_deinit(struct cover *cover);

#endif /* FLAMECTL_CLICKHOUSE_COVER_H */
