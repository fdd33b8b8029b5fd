/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A made-up module for tests of the agent, which outlives the process that reads it, and
 * targets that remember what they got.
 *
 * Each dump is a second later than the one before. In second N one task of process N on
 * CPU N % 4 is sampled for world_periods(N) periods.
 */
#ifndef AGENT_WORLD_H
#define AGENT_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/chain.h"
#include "agent/spool.h"

#define WORLD_BOOT	"00112233445566778899aabbccddeeff"
#define WORLD_TARGETS	2
#define WORLD_SENT_MAX	256
#define WORLD_EPOCHS	256

struct world_sent {
	struct window window;
	uint64_t periods;
};

struct world {
	uint64_t seconds;		/* since the machine started */
	uint64_t began;			/* when the epoch began */
	uint32_t epoch;
	uint64_t ends[WORLD_EPOCHS];	/* when each epoch was closed */
	uint32_t first_kept;		/* closed epochs from this one on are kept; 0: none */
	uint64_t limit_bytes;		/* the module's memory grows by 100 bytes a second */
	int64_t clock_ns;		/* added to CLOCK_REALTIME */
	bool is_stopped;		/* time passes, and nothing is sampled */
	struct world_sent sent[WORLD_TARGETS][WORLD_SENT_MAX];
	unsigned int nr_sent[WORLD_TARGETS];
	unsigned int nr_again[WORLD_TARGETS];	/* the same window once more */
};

/** world_create() - make one that child processes share. */
struct world *world_create(void);

void world_destroy(struct world *world);

/** world_source() - get where a chain gets its dumps from. */
struct chain_source world_source(struct world *world);

/** world_dump() - as chain_source.dump; a dump of a closed epoch takes no time. */
int world_dump(void *context, uint32_t epoch, bool reset, struct profile **profile,
	       struct error *error);

/** world_reset() - somebody else makes a dump with a reset. */
void world_reset(struct world *world);

/** world_reload() - load the module again: an epoch of the same number begins. */
void world_reload(struct world *world);

uint64_t world_periods(uint64_t second);

/** world_sum() - return the periods of seconds @from + 1 to @to. */
uint64_t world_sum(uint64_t from, uint64_t to);

/** world_send() - let a target get all windows that it does not have. */
void world_send(struct world *world, struct spool *spool, unsigned int target);

/** world_target() - return a target's name. */
extern const char *const world_targets[WORLD_TARGETS];

/** world_directory() - make an empty directory, in memory if possible; to be freed. */
char *world_directory(void);

/** world_clear() - remove a directory and all in it. */
void world_clear(const char *directory);

#endif /* AGENT_WORLD_H */
