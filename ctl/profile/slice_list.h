/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One slice's lists of records and of CPUs, which grow as they are filled.
 */
#ifndef FLAMECTL_SLICE_LIST_H
#define FLAMECTL_SLICE_LIST_H

#include "profile/slices.h"

/** slice_deinit() - free the lists; the slice is the caller's. */
void slice_deinit(struct slice *slice);

/**
 * slice_reserve_records() - make room for @more records.
 *
 * Return: 0, -ENOMEM or -EOVERFLOW, with nothing changed.
 */
int slice_reserve_records(struct slice *slice, uint32_t more);

/**
 * slice_add_cpu() - append a CPU's books.
 * @cpu: copied; its number must be above the last one's.
 *
 * Return: 0, -EINVAL for another order, -ENOMEM or -EOVERFLOW.
 */
int slice_add_cpu(struct slice *slice, const struct profile_cpu *cpu);

#endif /* FLAMECTL_SLICE_LIST_H */
