/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frames of a profile that its samples have. What was left of a profile by a
 * subtraction or a filter keeps all frames, also those of which no sample is left.
 */
#ifndef FLAMECTL_USED_H
#define FLAMECTL_USED_H

#include <stdbool.h>

#include "profile/profile.h"

/**
 * used_frames() - find the frames that are in a stack with samples.
 *
 * Return: whether each frame is, an array of nr_frames that the caller frees, or NULL when
 * memory is short.
 */
bool *used_frames(const struct profile *profile);

#endif /* FLAMECTL_USED_H */
