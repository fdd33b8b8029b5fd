// SPDX-License-Identifier: GPL-2.0
/*
 * A set of distinct, numbered elements: see set.h.
 */
#include <linux/errno.h>
#include <linux/sched.h>

#include "memory.h"
#include "set.h"

#define FM_SET_HEADS_MIN	256

/**
 * fm_set_init() - set up an empty set.
 * @set: to set up
 * @memory: the limit that it is charged to
 * @elem_bytes: the size of an element, which starts with a struct fm_link
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_set_init(struct fm_set *set, struct fm_memory *memory,
		size_t elem_bytes)
{
	int err;

	set->nr_heads = FM_SET_HEADS_MIN;
	set->grow_at = set->nr_heads;
	err = fm_pool_init_fixed(&set->heads, memory, sizeof(u32),
				 set->nr_heads);
	if (err)
		return err;
	err = fm_pool_init(&set->pool, memory, elem_bytes);
	if (err)
		fm_pool_deinit(&set->heads);
	return err;
}

/**
 * fm_set_deinit() - free a set and its elements.
 * @set: the set, set up or all zero
 *
 * Context: Process context.
 */
void fm_set_deinit(struct fm_set *set)
{
	fm_pool_deinit(&set->heads);
	fm_pool_deinit(&set->pool);
}

/**
 * fm_set_bytes() - compute how much a set takes now.
 * @set: the set
 *
 * Context: Process context. The caller serialises with adding.
 * Return: what fm_set_deinit() would free, in bytes.
 */
size_t fm_set_bytes(const struct fm_set *set)
{
	return fm_pool_bytes(&set->heads) + fm_pool_bytes(&set->pool);
}

/* Allocate buckets, for which nothing that is cached is given back. Return: 0 or -ENOMEM. */
static int fm_set_alloc_heads(struct fm_set *set, struct fm_pool *heads, u32 nr)
{
	struct fm_memory *memory = set->pool.memory;

	if (!fm_memory_has_unused(memory, fm_pool_fixed_bytes(sizeof(u32), nr)))
		return -ENOMEM;
	return fm_pool_init_fixed(heads, memory, sizeof(u32), nr);
}

/*
 * Double the buckets. If that fails, chains get longer, which does no harm, and it is not
 * tried again for each element: zeroing buckets in vain takes long.
 */
static void fm_set_grow(struct fm_set *set)
{
	u32 nr_heads = set->nr_heads * 2, i;
	struct fm_pool heads;

	if (fm_set_alloc_heads(set, &heads, nr_heads)) {
		set->grow_at = set->pool.nr + set->pool.nr / 8;
		return;
	}
	fm_pool_deinit(&set->heads);
	set->heads = heads;
	set->nr_heads = nr_heads;
	set->grow_at = nr_heads;
	for (i = 0; i < set->pool.nr; i++) {
		struct fm_link *link = fm_set_at(set, i);
		u32 *head = fm_set_head(set, link->hash);

		if (i % FM_POOL_CHUNK == 0)
			cond_resched();
		link->next = *head;
		*head = i + 1;
	}
}

/**
 * fm_set_add() - add an element that fm_set_find() did not find.
 * @set: the set
 * @hash: the element's hash
 * @id: where to put its number, or NULL
 *
 * Context: Process context, may sleep. The caller serialises.
 * Return: the element, all zero after its link, for the caller to fill in; or
 * NULL if there is no memory left.
 */
void *fm_set_add(struct fm_set *set, u32 hash, u32 *id)
{
	struct fm_link *link;
	u32 *head;

	if (set->pool.nr >= set->grow_at)
		fm_set_grow(set);
	link = fm_pool_add(&set->pool);
	if (!link)
		return NULL;
	head = fm_set_head(set, hash);
	link->hash = hash;
	link->next = *head;
	*head = set->pool.nr;
	if (id)
		*id = set->pool.nr - 1;
	return link;
}
