/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of all kinds of servers, for target_parse().
 */
#ifndef FLAMECTL_TARGETS_H
#define FLAMECTL_TARGETS_H

#include "fleet/target.h"

/* NULL at the end. */
extern const struct target_kind *const target_kinds[];

#endif /* FLAMECTL_TARGETS_H */
