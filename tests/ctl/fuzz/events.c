// SPDX-License-Identifier: GPL-2.0
/*
 * Checks files of several events: each event adds up, and is read back as it was saved.
 */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format/pprof/pprof.h"
#include "profile/slices.h"

struct sums {
	uint64_t count, periods;
};

/* Sums may overflow, in the same way on both sides. */
static struct sums sum(const struct profile *profile)
{
	struct sums sums = { 0 };

	for (uint32_t i = 0; i < profile->nr_records; i++) {
		sums.count += profile->records[i].count;
		sums.periods += profile->records[i].periods;
	}
	return sums;
}

static void expect_alike(const struct event *event, const struct event *again)
{
	const struct profile *a = event->profile, *b = again->profile;
	const struct sums first = sum(a), second = sum(b);

	must(!memcmp(&first, &second, sizeof(first)));
	must(!memcmp(&a->books, &b->books, sizeof(a->books)));
	must(a->nr_cpus == b->nr_cpus);
	/* except records without periods */
	must(b->nr_records <= a->nr_records);
	must(!strcmp(profile_unit(&a->meta), profile_unit(&b->meta)));
	must(slices_same_times(a, b));
}

void fuzz_events(const struct events *events)
{
	const struct events_wanted wanted = { .all = true };
	struct fuzz_bytes file;
	FILE *stream = open_memstream(&file.bytes, &file.size);
	struct events again;
	struct error error;
	int err;

	must(stream && events->nr && events->nr <= EVENTS_MAX);
	for (unsigned int i = 0; i < events->nr; i++)
		must(!profile_check(events->list[i].profile, &error) &&
		     !slices_check(events->list[i].profile, &error));
	err = pprof_write_events(events, stream, &error);
	must(!fclose(stream));
	must(!err || err == -EOVERFLOW);
	if (!err) {
		stream = fuzz_open(file.bytes, file.size);
		if (pprof_read_events(stream, "saved", &wanted, &again, &error))
			fuzz_broken("saved events", 0, error.text);
		fclose(stream);
		must(again.nr == events->nr);
		for (unsigned int i = 0; i < events->nr; i++)
			expect_alike(&events->list[i], &again.list[i]);
		events_deinit(&again);
	}
	free(file.bytes);
}
