/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The locations of a saved profile, as frames.
 */
#ifndef FLAMECTL_PPROF_LOCATIONS_H
#define FLAMECTL_PPROF_LOCATIONS_H

#include <stddef.h>
#include <stdint.h>

struct pprof_reader;

/** pprof_read_locations() - convert every location to its frames. */
int pprof_read_locations(struct pprof_reader *r);

/**
 * pprof_find_location() - return the index of the location with this id, or
 * SIZE_MAX.
 */
size_t pprof_find_location(const struct pprof_reader *r, uint64_t id);

/** pprof_locations_deinit() - free what pprof_read_locations() allocated. */
void pprof_locations_deinit(struct pprof_reader *r);

#endif /* FLAMECTL_PPROF_LOCATIONS_H */
