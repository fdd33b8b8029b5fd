// SPDX-License-Identifier: GPL-2.0
/*
 * Remember names of functions: see cache.h.
 */
#include "symbols/cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "symbols/kept_name.h"

/* A place that was looked for. */
struct entry {
	uint64_t offset;
	uint32_t path, build_id;	/* numbers of texts */
	uint32_t name;			/* the same, plus one; 0: it has none */
	uint32_t first_inlined, nr_inlined;	/* in the cache's list */
	enum symbols_state state;
};

struct symbols_cache {
	struct symbols *symbols;
	struct intern texts;
	struct map map;			/* of entries, by a hash of their places */
	struct entry *entries;
	uint32_t nr;
	size_t room;
	uint32_t *inlined;		/* numbers of texts */
	size_t nr_inlined, max_inlined;
};

struct symbols_cache *symbols_cache_create(const struct symbols_options *options)
{
	struct symbols_cache *cache = calloc(1, sizeof(*cache));

	if (!cache)
		return NULL;
	cache->symbols = symbols_create(options);
	if (cache->symbols)
		return cache;
	free(cache);
	return NULL;
}

void symbols_cache_destroy(struct symbols_cache *cache)
{
	if (!cache)
		return;
	symbols_destroy(cache->symbols);
	intern_deinit(&cache->texts);
	map_deinit(&cache->map);
	free(cache->entries);
	free(cache->inlined);
	free(cache);
}

static uint64_t key_of(const struct entry *entry)
{
	return hash_numbers(entry->path, entry->build_id,
			    (uint32_t)(entry->offset >> 32), (uint32_t)entry->offset);
}

static const struct entry *find(const struct symbols_cache *cache,
				const struct entry *sought)
{
	uint64_t key = key_of(sought);
	const struct map_slot *slot;

	for (slot = map_first(&cache->map, key); slot;
	     slot = map_next(&cache->map, key, slot)) {
		const struct entry *entry = &cache->entries[slot->number - 1];

		if (entry->offset == sought->offset && entry->path == sought->path &&
		    entry->build_id == sought->build_id)
			return entry;
	}
	return NULL;
}

static int add_text(struct symbols_cache *cache, const char *text, uint32_t *number)
{
	return intern_add(&cache->texts, text, strlen(text), number);
}

static int add_inlined(struct symbols_cache *cache, const struct symbols_name *found,
		       struct entry *entry)
{
	int err = 0;

	if (cache->nr_inlined + found->nr_inlined > UINT32_MAX ||
	    vec_reserve(cache->inlined, cache->max_inlined,
			cache->nr_inlined + found->nr_inlined))
		return -ENOMEM;
	entry->first_inlined = (uint32_t)cache->nr_inlined;
	entry->nr_inlined = (uint32_t)found->nr_inlined;
	for (size_t i = 0; i < found->nr_inlined && !err; i++)
		err = kept_name_add(&cache->texts, found->inlined[i],
				    &cache->inlined[cache->nr_inlined++]);
	return err;
}

/* Look for a name in the file, and keep it. */
static int look(struct symbols_cache *cache, const struct symbols_place *place,
		struct entry *entry)
{
	struct symbols_name found;
	int err = vec_reserve(cache->entries, cache->room, (size_t)cache->nr + 1) ?:
		  map_reserve(&cache->map, 1);

	if (err)
		return err;
	err = symbols_find(cache->symbols, place, &found);
	if (err < 0)
		return err;
	entry->state = found.state;
	if (err) {
		err = kept_name_add(&cache->texts, found.name, &entry->name) ?:
		      add_inlined(cache, &found, entry);
		if (err)
			return err;
		entry->name++;
	}
	cache->entries[cache->nr] = *entry;
	map_put(&cache->map, key_of(entry), cache->nr++);
	return 0;
}

/* @looks: look for a place that is not known. Return: 0, -ENOENT if it is not, or -ENOMEM. */
static int get(struct symbols_cache *cache, const struct symbols_place *place, bool looks,
	       struct symbols_known *known)
{
	struct entry sought = { .offset = place->offset, .state = SYMBOLS_ABSENT };
	const struct entry *entry;
	int err = add_text(cache, place->path, &sought.path) ?:
		  add_text(cache, place->build_id, &sought.build_id);

	*known = (struct symbols_known){ .state = SYMBOLS_ABSENT };
	if (err)
		return -ENOMEM;
	entry = find(cache, &sought);
	if (entry)
		sought = *entry;
	else if (!looks)
		return -ENOENT;
	else if (cache->nr < SYMBOLS_CACHE_MAX)
		err = look(cache, place, &sought);
	if (err)
		return -ENOMEM;
	known->state = sought.state;
	if (sought.name)
		known->name = intern_text(&cache->texts, sought.name - 1);
	known->first_inlined = sought.first_inlined;
	known->nr_inlined = sought.nr_inlined;
	return 0;
}

int symbols_cache_find(struct symbols_cache *cache, const struct symbols_place *place,
		       struct symbols_known *known)
{
	return get(cache, place, true, known);
}

int symbols_cache_recall(struct symbols_cache *cache, const struct symbols_place *place,
			 struct symbols_known *known)
{
	return get(cache, place, false, known);
}

const char *symbols_cache_inlined(const struct symbols_cache *cache,
				  const struct symbols_known *known, uint32_t number)
{
	return intern_text(&cache->texts, cache->inlined[known->first_inlined + number]);
}

const struct symbols *symbols_cache_symbols(const struct symbols_cache *cache)
{
	return cache->symbols;
}
