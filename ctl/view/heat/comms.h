/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rows and cells of HEAT_COMMS, see heat.h: which commands an event's weight is of.
 */
#ifndef FLAMECTL_HEAT_COMMS_H
#define FLAMECTL_HEAT_COMMS_H

#include <stdint.h>

#include "base/error.h"
#include "view/heat/heat.h"

/* Names of commands, each once, and the weight of each. */
struct comms {
	const char **names;		/* sorted; the profile's */
	uint64_t *weights;
	uint32_t *rows;			/* of each: its row */
	uint32_t nr;
};

/**
 * comms_init() - list the commands of a profile, which must stay.
 *
 * Call comms_deinit() afterwards, also after an error.
 *
 * Return: 0 or -ENOMEM.
 */
int comms_init(struct comms *comms, const struct profile *profile);

/** comms_deinit() - free what @comms holds. */
void comms_deinit(struct comms *comms);

/** comms_weigh() - add the records of the selected part of a slice to the weights. */
void comms_weigh(struct comms *comms, const struct profile *part);

/**
 * comms_rows() - set the rows: the commands of the largest weights, the largest first, then
 * all others in one.
 *
 * Return: 0, -ENOMEM, or -ENODATA with @error if there is nothing.
 */
int comms_rows(struct heat *heat, struct comms *comms, struct error *error);

/** comms_fill() - fill in a column. @part: the selected part of its slice. */
void comms_fill(struct heat *heat, const struct comms *comms, const struct profile *part,
		struct heat_cell *cells);

#endif /* FLAMECTL_HEAT_COMMS_H */
