/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A window as the pprof message that views want, which is stricter than our own files:
 * one sample type, no labels, no table entry that no sample uses, ids from 1 in order.
 * The fields are those of ctl/format/pprof/pprof.proto.
 */
#ifndef FLAMECTL_VIEW_PPROF_H
#define FLAMECTL_VIEW_PPROF_H

#include <stdint.h>

#include "fleet/view/message.h"
#include "fleet/view/stacks.h"

/**
 * view_pprof() - write some of a window's samples as a pprof message.
 * @first, @nr: which samples; the others are left out, and all that only they use.
 * @message: an empty message; the caller frees it, also after an error.
 *
 * Values are CPU time in nanoseconds: periods times their length. Each function is also a
 * location of the same id. The profile's time is the window's begin.
 *
 * Return: 0 or -ENOMEM.
 */
int view_pprof(const struct view_stacks *stacks, uint32_t first, uint32_t nr,
	       struct message *message);

/**
 * view_gzip() - compress bytes into memory.
 * @packed: set to @packed_size bytes, which the caller frees.
 *
 * Return: 0 or -ENOMEM.
 */
int view_gzip(const struct message *message, char **packed, size_t *packed_size);

#endif /* FLAMECTL_VIEW_PPROF_H */
