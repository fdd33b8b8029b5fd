/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A spool in a directory of its own, with windows of a second each.
 */
#ifndef SPOOL_PLACE_H
#define SPOOL_PLACE_H

#include "agent/spool.h"
#include "agent_world.h"

#define OTHER_BOOT	"ffffffffffffffffffffffffffffffff"

struct spool_place {
	char *directory;
	struct spool spool;
};

/** spool_place_make() - make one: cmocka's setup. */
int spool_place_make(void **state);

/** spool_place_remove() - remove it: cmocka's teardown. */
int spool_place_remove(void **state);

/** spool_place_add() - add the window of second @second, of as many periods. */
void spool_place_add(struct spool *spool, const char *boot, uint32_t epoch, uint64_t second);

/** spool_place_add_slower() - add one of this boot whose periods are twice as long. */
void spool_place_add_slower(struct spool *spool, uint32_t epoch, uint64_t second);

/** spool_place_add_all() - add those of seconds @from to @to. */
void spool_place_add_all(struct spool *spool, uint64_t from, uint64_t to);

/** spool_place_tidy() - spool_tidy() at that second, with the first @nr_targets targets. */
int spool_place_tidy(struct spool *spool, uint64_t second, size_t nr_targets);

/** spool_place_list() - list all windows; the caller frees ->entries. */
struct spool_list spool_place_list(struct spool *spool);

/** spool_place_expect() - check the numbers of all windows: "1 2-4 5". */
void spool_place_expect(struct spool *spool, const char *expected);

/**
 * spool_place_next() - get the next window of a target, and leave it.
 *
 * Return: its first number; 0: none.
 */
uint64_t spool_place_next(struct spool *spool, unsigned int target,
			  struct spool_sending *sending);

/** spool_place_send() - get the next window of a target, and note what became of it. */
void spool_place_send(struct spool *spool, unsigned int target, enum spool_outcome outcome);

/** spool_place_cursor() - read the cursor of a target. */
struct cursor spool_place_cursor(const struct spool *spool, unsigned int target);

/** spool_place_limit() - let the limit be the size of all windows, less one byte. */
void spool_place_limit(struct spool *spool);

#endif /* SPOOL_PLACE_H */
