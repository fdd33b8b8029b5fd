/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An agent's directory, spool and chain of windows, of a made-up module.
 */
#ifndef AGENT_PLACE_H
#define AGENT_PLACE_H

#include "agent/chain.h"
#include "agent_world.h"

struct place {
	char *directory;
	struct world *world;
	struct spool spool;
	struct chain chain;
};

/** place_start_agent() - start an agent that goes on with what is in the directory. */
void place_start_agent(struct place *place);

/** place_end_agent() - end it; the directory stays. */
void place_end_agent(struct place *place);

/** place_make() - make a place with an agent: cmocka's setup. */
int place_make(void **state);

/** place_remove() - remove it and the directory: cmocka's teardown. */
int place_remove(void **state);

/** place_step() - make a window, which must not fail. */
void place_step(struct place *place);

/** place_window() - get the window @index, counted from the oldest; all zero if none. */
struct window place_window(struct place *place, size_t index);

/** place_expect_window() - check the window @index: seconds @from + 1 to @end. */
void place_expect_window(struct place *place, size_t index, uint64_t begin, uint64_t end,
			 uint64_t from);

/**
 * place_next_profile() - get the profile of the oldest window that the first target does
 * not have. It has the identity that its name says.
 */
struct profile *place_next_profile(struct place *place);

/** place_ledger() - get what was counted by now. */
const struct ledger *place_ledger(struct place *place);

#endif /* AGENT_PLACE_H */
