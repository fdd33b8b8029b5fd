// SPDX-License-Identifier: GPL-2.0
/*
 * Commands over time: see comms.h.
 */
#include "view/heat/comms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

int comms_init(struct comms *comms, const struct profile *profile)
{
	uint32_t kept = 0;

	comms->names = calloc((size_t)profile->nr_tasks + 1, sizeof(*comms->names));
	comms->weights = calloc((size_t)profile->nr_tasks + 1, sizeof(*comms->weights));
	comms->rows = calloc((size_t)profile->nr_tasks + 1, sizeof(*comms->rows));
	comms->nr = 0;
	if (!comms->names || !comms->weights || !comms->rows)
		return -ENOMEM;
	for (uint32_t i = 0; i < profile->nr_tasks; i++)
		comms->names[i] = profile->tasks[i].comm;
	qsort(comms->names, profile->nr_tasks, sizeof(*comms->names), compare_names);
	for (uint32_t i = 0; i < profile->nr_tasks; i++)
		if (!kept || strcmp(comms->names[kept - 1], comms->names[i]))
			comms->names[kept++] = comms->names[i];
	comms->nr = kept;
	return 0;
}

void comms_deinit(struct comms *comms)
{
	free(comms->names);
	free(comms->weights);
	free(comms->rows);
}

/* Return: the number of a command; all of a part are known. */
static uint32_t find(const struct comms *comms, const char *name)
{
	const char **found = bsearch(&name, comms->names, comms->nr, sizeof(name),
				     compare_names);

	return found ? (uint32_t)(found - comms->names) : 0;
}

void comms_weigh(struct comms *comms, const struct profile *part)
{
	/* cannot overflow: the sum of all is in the profile's books */
	for (uint32_t i = 0; i < part->nr_records; i++)
		comms->weights[find(comms, part->tasks[part->records[i].task].comm)] +=
			part->records[i].periods;
}

/* Return: the number of the heaviest command that has no row yet; UINT32_MAX if none has. */
static uint32_t heaviest(const struct comms *comms)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < comms->nr; i++)
		if (comms->weights[i] && comms->rows[i] == UINT32_MAX &&
		    (best == UINT32_MAX || comms->weights[i] > comms->weights[best]))
			best = i;
	return best;
}

int comms_rows(struct heat *heat, struct comms *comms, struct error *error)
{
	uint32_t nr = 0, others = 0, at;

	for (uint32_t i = 0; i < comms->nr; i++) {
		nr += !!comms->weights[i];
		comms->rows[i] = UINT32_MAX;
	}
	if (!nr)
		return error_set(error, -ENODATA, "nothing is in that range and selection");
	heat->nr_rows = nr > HEAT_COMMS_MAX ? HEAT_COMMS_MAX : nr;
	heat->comms = calloc(heat->nr_rows, sizeof(*heat->comms));
	if (!heat->comms)
		return error_set(error, -ENOMEM, "memory is short");
	others = nr > HEAT_COMMS_MAX;
	for (uint32_t row = 0; row < heat->nr_rows - others; row++) {
		at = heaviest(comms);
		comms->rows[at] = row;
		heat->comms[row] = strdup(comms->names[at]);
		if (!heat->comms[row])
			return error_set(error, -ENOMEM, "memory is short");
	}
	for (uint32_t i = 0; i < comms->nr; i++)
		if (comms->rows[i] == UINT32_MAX)
			comms->rows[i] = heat->nr_rows - 1;
	return 0;
}

void comms_fill(struct heat *heat, const struct comms *comms, const struct profile *part,
		struct heat_cell *cells)
{
	uint64_t whole = 0;

	for (uint32_t i = 0; i < part->nr_records; i++) {
		const char *name = part->tasks[part->records[i].task].comm;

		cells[comms->rows[find(comms, name)]].part += part->records[i].periods;
		whole += part->records[i].periods;
	}
	for (uint32_t row = 0; row < heat->nr_rows; row++) {
		cells[row].whole = whole;
		if (cells[row].part > heat->most)
			heat->most = cells[row].part;
	}
}
