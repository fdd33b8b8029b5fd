/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lists of records and of CPUs of one slice. They grow as they are filled.
 */
#ifndef FLAMECTL_SLICE_LIST_H
#define FLAMECTL_SLICE_LIST_H

#include "profile/slices.h"

/** slice_deinit() - free the lists; the caller owns the slice itself. */
void slice_deinit(struct slice *slice);

/**
 * slice_reserve_records() - make room for @more records.
 *
 * Return: 0, -ENOMEM or -EOVERFLOW, with nothing changed.
 */
int slice_reserve_records(struct slice *slice, uint32_t more);

/**
 * slice_add_cpu() - append a CPU's books (the counts of what became of each
 * timer period).
 * @cpu: copied; its number must be higher than that of the last CPU.
 *
 * Return: 0, -EINVAL if it is not, -ENOMEM or -EOVERFLOW.
 */
int slice_add_cpu(struct slice *slice, const struct profile_cpu *cpu);

#endif /* FLAMECTL_SLICE_LIST_H */
