// SPDX-License-Identifier: GPL-2.0
/*
 * Report whether the module should be reset: see half_full.h.
 */
#include "agent/half_full.h"

/*
 * The memory that the profile takes, with its readers. The module only says what all of
 * its tables take: those of CPUs and of programs are not the profile's, and closed epochs
 * only take what is free. CPUs that were not sampled yet make this too little; then the
 * module says at last that it is full.
 */
static uint64_t profile_bytes(const struct profile_meta *meta, uint64_t most_bytes)
{
	const struct profile_user_stacks *user = &meta->user_stacks;
	uint64_t rest = meta->memory_limit_bytes - most_bytes + meta->kept.bytes;

	if (user->known && user->rows_limit_bytes - user->rows_bytes < rest)
		rest -= user->rows_limit_bytes - user->rows_bytes;
	return meta->memory_bytes > rest ? meta->memory_bytes - rest : 0;
}

bool is_half_full(const struct profile_meta *meta, uint64_t lost)
{
	uint64_t limit = meta->memory_limit_bytes;
	uint64_t most = meta->origin.aggregate_kb << 10;

	if (lost)
		return true;
	if (!most || most > limit)
		return meta->memory_bytes > limit / 2;
	/* its readers may take a third of it, FM_READERS_SHARE in module/session_create.c */
	return profile_bytes(meta, most) > most / 3;
}
