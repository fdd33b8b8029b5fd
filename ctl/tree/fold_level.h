/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The grouping levels of a folded profile: what a record is called at each.
 */
#ifndef FLAMECTL_FOLD_LEVEL_H
#define FLAMECTL_FOLD_LEVEL_H

#include <stddef.h>

#include "profile/profile.h"
#include "tree/tree.h"

/* "cpu 4294967295", "[softirq]"; of a host's name, which has 64 at most */
#define FOLD_LEVEL_TEXT	160

/**
 * fold_level_text() - the name of @record's group at @level.
 * @text: room for a name that has to be made.
 * @length: set to the name's length in bytes.
 *
 * Return: the name, in @text or in @profile. It need not end with a NUL.
 */
const char *fold_level_text(const struct profile *profile,
			    const struct profile_record *record,
			    enum fold_level level, char text[FOLD_LEVEL_TEXT],
			    size_t *length);

#endif /* FLAMECTL_FOLD_LEVEL_H */
