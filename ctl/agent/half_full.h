/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The profile fills half of the memory that the module has for it: then the agent resets
 * the module, because a full profile loses what is new.
 */
#ifndef FLAMECTL_AGENT_HALF_FULL_H
#define FLAMECTL_AGENT_HALF_FULL_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

/**
 * is_half_full() - report whether it does.
 * @meta: of a dump
 * @lost: the periods that were lost since the last window, as the profile was full
 */
bool is_half_full(const struct profile_meta *meta, uint64_t lost);

#endif /* FLAMECTL_AGENT_HALF_FULL_H */
