// SPDX-License-Identifier: GPL-2.0
/*
 * What there was over time: see heat.h. Each slice is made a profile of its
 * own and selected from, so that a cell agrees with a graph of that time.
 */
#include "view/heat/heat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/wording.h"
#include "profile/slices.h"
#include "view/heat/comms.h"
#include "view/heat/latencies.h"

void heat_destroy(struct heat *heat)
{
	if (!heat)
		return;
	free(heat->begin_ns);
	free(heat->end_ns);
	free(heat->cpus);
	free(heat->cells);
	for (uint32_t i = 0; heat->comms && i < heat->nr_rows; i++)
		free(heat->comms[i]);
	free(heat->comms);
	free(heat);
}

static int allocate(struct heat *heat)
{
	heat->begin_ns = calloc(heat->nr_columns, sizeof(*heat->begin_ns));
	heat->end_ns = calloc(heat->nr_columns, sizeof(*heat->end_ns));
	heat->cpus = calloc((size_t)heat->nr_rows + 1, sizeof(*heat->cpus));
	heat->cells = calloc((size_t)heat->nr_columns * heat->nr_rows + 1,
			     sizeof(*heat->cells));
	return heat->begin_ns && heat->end_ns && heat->cpus && heat->cells ?
	       0 : -ENOMEM;
}

/* Find a CPU's cell in a column, by the CPU's index in the profile. */
static struct heat_cell *cell_of(const struct profile *profile,
				 struct heat_cell *cells, uint32_t cpu)
{
	uint32_t low = 0, high = profile->nr_cpus;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (profile->cpus[middle].cpu < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return &cells[low];
}

/* @cells: by CPU, of one slice; @part: the selected part of that slice */
static void fill_cpus(const struct profile *profile, const struct profile *part,
		      struct heat_cell *cells)
{
	for (uint32_t i = 0; i < part->nr_cpus; i++) {
		const struct profile_books *books = &part->cpus[i].books;
		struct heat_cell *cell = cell_of(profile, cells,
						 part->cpus[i].cpu);

		cell->whole = books->fires + books->missed;
		cell->lost = profile_lost(books);
	}
	for (uint32_t i = 0; i < part->nr_records; i++)
		if (part->records[i].context != FLAMEMOD_CONTEXT_IDLE)
			cell_of(profile, cells, part->records[i].cpu)->part +=
				part->records[i].periods;
}

static void fill_bands(const struct heat_cell *cpus, uint32_t nr_cpus,
		       struct heat_cell *bands)
{
	uint64_t known = 0;

	for (uint32_t i = 0; i < nr_cpus; i++) {
		unsigned int band;

		if (!cpus[i].whole)
			continue;
		band = (unsigned int)((unsigned __int128)cpus[i].part *
				      HEAT_BANDS / cpus[i].whole);
		if (band >= HEAT_BANDS)
			band = HEAT_BANDS - 1;
		/* the lowest load is the bottom row */
		bands[HEAT_BANDS - 1 - band].part++;
		known++;
	}
	for (uint32_t i = 0; i < HEAT_BANDS; i++)
		bands[i].whole = known;
}

/* Make a profile of the selected part of a slice. */
static int part_of(const struct profile *profile, const struct selection *selection,
		   uint32_t slice, struct profile **part, struct error *error)
{
	uint64_t left_out;
	int err;

	*part = slices_profile(profile, slice, slice + 1);
	if (!*part)
		return error_set(error, -ENOMEM, "memory is short");
	err = select_profile(selection, part, &left_out, error);
	if (err)
		profile_destroy(*part);
	return err;
}

static int fill_loads(const struct profile *profile, const struct profile *part,
		      struct heat_cell *cells)
{
	struct heat_cell *cpus = calloc((size_t)profile->nr_cpus + 1, sizeof(*cpus));

	if (!cpus)
		return -ENOMEM;
	fill_cpus(profile, part, cpus);
	fill_bands(cpus, profile->nr_cpus, cells);
	free(cpus);
	return 0;
}

/* A map being made, and of what. */
struct making {
	struct heat *heat;
	const struct profile *profile;
	const struct selection *selection;	/* without the range */
	uint32_t first, end;			/* slices */
	struct comms comms;
};

static int fill_column(struct making *making, uint32_t column, struct error *error)
{
	struct heat *heat = making->heat;
	struct heat_cell *cells = &heat->cells[(size_t)column * heat->nr_rows];
	struct profile *part;
	int err = part_of(making->profile, making->selection, making->first + column, &part,
			  error);

	if (err)
		return err;
	if (heat->rows == HEAT_CPUS)
		fill_cpus(making->profile, part, cells);
	else if (heat->rows == HEAT_COMMS)
		comms_fill(heat, &making->comms, part, cells);
	else
		err = fill_loads(making->profile, part, cells);
	profile_destroy(part);
	return err ? error_set(error, err, "memory is short") : 0;
}

/* Weigh the commands in all columns, and give the heaviest a row each. */
static int weigh_comms(struct making *making, struct error *error)
{
	struct profile *part;
	int err = 0;

	if (comms_init(&making->comms, making->profile))
		return error_set(error, -ENOMEM, "memory is short");
	for (uint32_t i = making->first; i < making->end && !err; i++) {
		err = part_of(making->profile, making->selection, i, &part, error);
		if (err)
			break;
		comms_weigh(&making->comms, part);
		profile_destroy(part);
	}
	return err ?: comms_rows(making->heat, &making->comms, error);
}

/* Decide how many rows there are, and refuse those that do not suit the profile. */
static int choose_rows(struct making *making, struct error *error)
{
	const struct profile *profile = making->profile;
	struct heat *heat = making->heat;

	if (heat->rows == HEAT_LATENCIES)
		return latencies_rows(heat, profile, making->selection, making->first,
				      making->end, error);
	if (heat->rows == HEAT_COMMS)
		return weigh_comms(making, error);
	if (profile->meta.intervals.known)
		return error_set(error, -EINVAL, "%.100s is counted on all CPUs together, so there is no load of CPUs: %s",
				 profile_event(&profile->meta), WORDING(ROWS_OF_SAMPLES));
	heat->nr_rows = heat->rows == HEAT_CPUS ? profile->nr_cpus : HEAT_BANDS;
	return 0;
}

static int fill(struct making *making, struct error *error)
{
	const struct slice *slices = &making->profile->slices->list[making->first];
	struct heat *heat = making->heat;
	int err = 0;

	for (uint32_t i = 0; heat->rows == HEAT_CPUS && i < heat->nr_rows; i++)
		heat->cpus[i] = making->profile->cpus[i].cpu;
	for (uint32_t i = 0; i < heat->nr_columns; i++) {
		heat->begin_ns[i] = slices[i].begin_ns;
		heat->end_ns[i] = slices[i].end_ns;
	}
	if (heat->rows == HEAT_LATENCIES) {
		latencies_fill(heat, making->profile, making->first, making->end);
		return 0;
	}
	for (uint32_t i = 0; i < heat->nr_columns && !err; i++)
		err = fill_column(making, i, error);
	return err;
}

static int make(struct making *making, struct error *error)
{
	struct heat *heat = making->heat;
	int err = choose_rows(making, error);

	if (err)
		return err;
	if (allocate(heat))
		return error_set(error, -ENOMEM, "memory is short");
	/* cannot overflow: it is a part of the profile's */
	slices_sum_intervals(making->profile, making->first, making->end, &heat->drawn);
	return fill(making, error);
}

enum heat_rows heat_rows_of(const struct profile *profile)
{
	unsigned int first, end;

	if (intervals_range(&profile->meta.intervals, &first, &end))
		return HEAT_LATENCIES;
	return profile->meta.intervals.known ? HEAT_COMMS : HEAT_CPUS;
}

int heat_create(struct heat **heat, const struct profile *profile,
		enum heat_rows rows, const struct selection *selection,
		struct error *error)
{
	struct slices_range range = { 0, UINT64_MAX };
	struct selection rest = *selection;
	struct making making = { .profile = profile, .selection = &rest };
	int err;

	select_take_range(&rest, &range);
	err = slices_find(profile, &range, &making.first, &making.end, error);
	if (err)
		return err;
	making.heat = calloc(1, sizeof(*making.heat));
	if (!making.heat)
		return error_set(error, -ENOMEM, "memory is short");
	making.heat->rows = rows;
	making.heat->nr_columns = making.end - making.first;
	err = make(&making, error);
	comms_deinit(&making.comms);
	if (err) {
		heat_destroy(making.heat);
		return err;
	}
	*heat = making.heat;
	return 0;
}
