// SPDX-License-Identifier: GPL-2.0
/*
 * How busy CPUs were over time: see heat.h. Each slice is made a profile of its
 * own and selected from, so that a cell agrees with a graph of that time.
 */
#include "view/heat/heat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/slices.h"

void heat_destroy(struct heat *heat)
{
	if (!heat)
		return;
	free(heat->begin_ns);
	free(heat->end_ns);
	free(heat->cpus);
	free(heat->cells);
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

static int fill_column(struct heat *heat, const struct profile *profile,
		       const struct selection *selection, uint32_t slice,
		       uint32_t column, struct error *error)
{
	struct heat_cell *cells = &heat->cells[(size_t)column * heat->nr_rows];
	struct profile *part = slices_profile(profile, slice, slice + 1);
	struct heat_cell *cpus;
	uint64_t left_out;
	int err;

	if (!part)
		return error_set(error, -ENOMEM, "memory is short");
	heat->begin_ns[column] = profile->slices->list[slice].begin_ns;
	heat->end_ns[column] = profile->slices->list[slice].end_ns;
	err = select_profile(selection, &part, &left_out, error);
	if (!err && heat->rows == HEAT_CPUS)
		fill_cpus(profile, part, cells);
	if (err || heat->rows == HEAT_CPUS) {
		profile_destroy(part);
		return err;
	}
	cpus = calloc((size_t)profile->nr_cpus + 1, sizeof(*cpus));
	if (cpus) {
		fill_cpus(profile, part, cpus);
		fill_bands(cpus, profile->nr_cpus, cells);
	}
	free(cpus);
	profile_destroy(part);
	return cpus ? 0 : error_set(error, -ENOMEM, "memory is short");
}

int heat_create(struct heat **heat, const struct profile *profile,
		enum heat_rows rows, const struct selection *selection,
		struct error *error)
{
	struct slices_range range = { 0, UINT64_MAX };
	struct selection rest = *selection;
	uint32_t first, end;
	struct heat *grid;
	int err;

	select_take_range(&rest, &range);
	err = slices_find(profile, &range, &first, &end, error);
	if (err)
		return err;
	grid = calloc(1, sizeof(*grid));
	if (!grid)
		return error_set(error, -ENOMEM, "memory is short");
	grid->rows = rows;
	grid->nr_columns = end - first;
	grid->nr_rows = rows == HEAT_CPUS ? profile->nr_cpus : HEAT_BANDS;
	err = allocate(grid);
	if (err)
		error_set(error, err, "memory is short");
	for (uint32_t i = 0; !err && rows == HEAT_CPUS && i < grid->nr_rows; i++)
		grid->cpus[i] = profile->cpus[i].cpu;
	for (uint32_t i = first; i < end && !err; i++)
		err = fill_column(grid, profile, &rest, i, i - first, error);
	if (err) {
		heat_destroy(grid);
		return err;
	}
	*heat = grid;
	return 0;
}
