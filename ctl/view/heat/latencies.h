/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rows and cells of HEAT_LATENCIES, see heat.h: how many calls took how long.
 */
#ifndef FLAMECTL_HEAT_LATENCIES_H
#define FLAMECTL_HEAT_LATENCIES_H

#include <stdint.h>

#include "base/error.h"
#include "view/heat/heat.h"

/**
 * latencies_rows() - set the rows: from the longest call in the slices @first to @end - 1 to
 * the shortest.
 *
 * Return: 0, -EINVAL with @error if there is no histogram, or it cannot be selected from, or
 * -ENODATA with @error if it is empty.
 */
int latencies_rows(struct heat *heat, const struct profile *profile,
		   const struct selection *selection, uint32_t first, uint32_t end,
		   struct error *error);

/** latencies_fill() - fill in the cells of the slices @first to @end - 1. */
void latencies_fill(struct heat *heat, const struct profile *profile, uint32_t first,
		    uint32_t end);

#endif /* FLAMECTL_HEAT_LATENCIES_H */
