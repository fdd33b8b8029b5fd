/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of functions, each looked for once: whoever reads the module repeatedly
 * meets the same functions each time. What was found, or not, stays: a name is
 * kept when its file is gone, and a function without a name gets none later, so
 * that it is the same frame in all readings.
 */
#ifndef FLAMECTL_SYMBOLS_CACHE_H
#define FLAMECTL_SYMBOLS_CACHE_H

#include "symbols/symbols.h"

/* More functions than the module's memory has room for; others have no name. */
#define SYMBOLS_CACHE_MAX	(1U << 22)

struct symbols_cache;

/**
 * symbols_cache_create() - start with no names.
 * @options: as for symbols_create(), which this calls.
 *
 * Return: the cache, to be freed by symbols_cache_destroy(), or NULL when memory is
 * short.
 */
struct symbols_cache *symbols_cache_create(const struct symbols_options *options);

/** symbols_cache_destroy() - free @cache and close its files; NULL is fine. */
void symbols_cache_destroy(struct symbols_cache *cache);

/* What is known of a place. */
struct symbols_known {
	const char *name;		/* valid as long as the cache; NULL: none */
	enum symbols_state state;	/* of the file when it was looked at */
	uint32_t first_inlined, nr_inlined;	/* for symbols_cache_inlined() */
};

/**
 * symbols_cache_find() - find the function that contains a place, once.
 * @place: its address is not used.
 * @known: set to what is known of it.
 *
 * Return: 0 or -ENOMEM.
 */
int symbols_cache_find(struct symbols_cache *cache, const struct symbols_place *place,
		       struct symbols_known *known);

/**
 * symbols_cache_recall() - the same for a place that was looked for before; no file is read.
 *
 * Return: 0, -ENOENT if it was not, or -ENOMEM.
 */
int symbols_cache_recall(struct symbols_cache *cache, const struct symbols_place *place,
			 struct symbols_known *known);

/**
 * symbols_cache_inlined() - return the name of an inlined function.
 * @number: below @known->nr_inlined. The first one is inlined into the function that
 *	    contains the place, each other one into the one before.
 */
const char *symbols_cache_inlined(const struct symbols_cache *cache,
				  const struct symbols_known *known, uint32_t number);

/**
 * symbols_cache_symbols() - return the files that were looked at, for
 * symbols_next(). Each place counts once there.
 */
const struct symbols *symbols_cache_symbols(const struct symbols_cache *cache);

#endif /* FLAMECTL_SYMBOLS_CACHE_H */
