// SPDX-License-Identifier: GPL-2.0
/*
 * Put the samples of several events in rows: one for each stack of a task, with the values
 * of all events. So a stack that several events hit is one sample of the file. Of a profile
 * with slices only one slice is in memory at a time.
 */
#include "format/pprof/write.h"

#include <errno.h>
#include <stdlib.h>

#include "profile/records.h"

/* A record of an event, with the numbers of the united profile. */
struct entry {
	struct profile_record record;
	unsigned int event;
};

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return profile_compare_records(&a->record, &b->record);
}

/* Return: an event's records of a slice, or of all time. */
static const struct profile_record *records_of(const struct profile *profile, uint32_t at,
					       uint32_t *nr)
{
	if (at == UINT32_MAX) {
		*nr = profile->nr_records;
		return profile->records;
	}
	*nr = profile->slices->list[at].nr_records;
	return profile->slices->list[at].records;
}

/* Copy the records of all events to @entries, which has room for them. */
static int collect(struct pprof_writer *w, uint32_t at, struct entry *entries)
{
	size_t used = 0;
	int err = 0;

	for (unsigned int i = 0; i < w->events->nr && !err; i++) {
		const struct profile_record *records;
		uint32_t nr;

		records = records_of(w->events->list[i].profile, at, &nr);
		for (uint32_t j = 0; j < nr && !err; j++) {
			entries[used] = (struct entry){ .record = records[j], .event = i };
			err = profile_map_record(&w->maps[i], &entries[used++].record);
		}
	}
	return err;
}

/* @entries: sorted by their records' keys */
static int fill(struct pprof_writer *w, struct pprof_rows *rows, const struct entry *entries,
		size_t nr)
{
	int err = 0;

	for (size_t i = 0; i < nr && !err; i++) {
		const struct profile_record *record = &entries[i].record;

		if (!rows->nr ||
		    profile_compare_records(&rows->records[rows->nr - 1], record))
			rows->records[rows->nr++] = *record;
		err = pprof_values_of(w, entries[i].event, record, rows->values +
				      (size_t)(rows->nr - 1) * w->nr_types);
	}
	return err;
}

int pprof_rows_make(struct pprof_writer *w, uint32_t at, struct pprof_rows *rows)
{
	struct entry *entries;
	size_t nr = 0;
	uint32_t each;
	int err;

	for (unsigned int i = 0; i < w->events->nr; i++) {
		records_of(w->events->list[i].profile, at, &each);
		nr += each;
	}
	entries = calloc(nr + 1, sizeof(*entries));
	rows->nr = 0;
	rows->records = calloc(nr + 1, sizeof(*rows->records));
	rows->values = calloc(nr + 1, w->nr_types * sizeof(*rows->values));
	err = entries && rows->records && rows->values ? collect(w, at, entries) : -ENOMEM;
	if (!err) {
		qsort(entries, nr, sizeof(*entries), compare_entries);
		err = fill(w, rows, entries, nr);
	}
	free(entries);
	return err;
}

void pprof_rows_deinit(struct pprof_rows *rows)
{
	free(rows->records);
	free(rows->values);
}
