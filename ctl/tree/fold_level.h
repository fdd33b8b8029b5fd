/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Name a record's group at each grouping level of a folded profile.
 */
#ifndef FLAMECTL_FOLD_LEVEL_H
#define FLAMECTL_FOLD_LEVEL_H

#include <stddef.h>

#include "profile/profile.h"
#include "tree/tree.h"

/*
 * room for "cpu 4294967295", "[softirq]", or a host's name of at most 64 bytes
 */
#define FOLD_LEVEL_TEXT	160

/**
 * fold_level_text() - get the name of @record's group at @level.
 * @text: room for a name that has to be composed.
 * @length: set to the name's length in bytes.
 *
 * Return: the name, in @text or in @profile. It need not end with a NUL.
 */
const char *fold_level_text(const struct profile *profile,
			    const struct profile_record *record,
			    enum fold_level level, char text[FOLD_LEVEL_TEXT],
			    size_t *length);

#endif /* FLAMECTL_FOLD_LEVEL_H */
