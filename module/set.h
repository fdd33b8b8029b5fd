/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of distinct elements, numbered in the order they were added.
 *
 * It is a pool (pool.h) with a hash index. The hash finds candidates; the
 * caller's full comparison identifies the element.
 *
 * Locking: the caller serialises everything except reading elements below a
 * known count, as in pool.h. Such readers must not read the link, which the
 * index changes.
 */
#ifndef _FLAMEMOD_SET_H
#define _FLAMEMOD_SET_H

#include "pool.h"

/* The first member of every element. */
struct fm_link {
	u32 hash;
	u32 next;		/* the next number in this bucket + 1, or 0 */
};

struct fm_set {
	struct fm_pool pool;
	struct fm_pool heads;	/* the first number of each bucket + 1, or 0 */
	u32 nr_heads;		/* a power of two */
	u32 grow_at;		/* with so many elements more buckets are tried for */
};

typedef bool (*fm_set_match_fn)(const void *elem, const void *key);

int fm_set_init(struct fm_set *set, struct fm_memory *memory,
		size_t elem_bytes);
void fm_set_deinit(struct fm_set *set);
size_t fm_set_bytes(const struct fm_set *set);

void *fm_set_add(struct fm_set *set, u32 hash, u32 *id);

static inline u32 fm_set_nr(const struct fm_set *set)
{
	return set->pool.nr;
}

static inline void *fm_set_at(const struct fm_set *set, u32 i)
{
	return fm_pool_at(&set->pool, i);
}

/* Return: where the number of the first element of a hash's bucket is. */
static inline u32 *fm_set_head(const struct fm_set *set, u32 hash)
{
	return fm_pool_at(&set->heads, hash & (set->nr_heads - 1));
}

/**
 * fm_set_find() - find the element that matches a key.
 * @set: the set
 * @hash: the key's hash
 * @match: the full compare
 * @key: the key, for @match
 * @id: where to put the element's number, or NULL
 *
 * It is inline for @match to be inline, too: a drain calls it for each frame of a stack.
 *
 * Context: Process context. The caller serialises.
 * Return: the element or NULL.
 */
static __always_inline void *fm_set_find(const struct fm_set *set, u32 hash,
					 fm_set_match_fn match, const void *key, u32 *id)
{
	u32 i = *fm_set_head(set, hash);

	while (i) {
		struct fm_link *link = fm_set_at(set, i - 1);

		if (link->hash == hash && match(link, key)) {
			if (id)
				*id = i - 1;
			return link;
		}
		i = link->next;
	}
	return NULL;
}

#endif /* _FLAMEMOD_SET_H */
