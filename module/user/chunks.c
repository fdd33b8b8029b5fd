// SPDX-License-Identifier: GPL-2.0
/*
 * The memory for rows (object.h). When it is full, rows that no sample used since the last
 * check are freed.
 *
 * Locking: all of it runs in the one worker, without locks.
 */
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../compat/compat.h"
#include "object.h"

/* Return: the memory that is taken for a chunk of so many rows. */
static size_t fm_chunk_bytes(u32 nr)
{
	return fm_compat_alloc_bytes(struct_size((struct fm_chunk *)NULL, rows, nr));
}

/* Hide a chunk from samples, to be freed after a grace period. */
static void fm_chunk_withdraw(struct fm_objects *objects, struct fm_chunk *chunk,
			      struct list_head *victims)
{
	WRITE_ONCE(*chunk->place, NULL);
	objects->bytes -= fm_chunk_bytes(chunk->nr);
	list_move(&chunk->lru, victims);
}

static void fm_chunks_free(struct list_head *chunks)
{
	struct fm_chunk *chunk, *next;

	list_for_each_entry_safe(chunk, next, chunks, lru) {
		kfree(chunk);
		/* Small ones are many: hundreds of thousands at the default size. */
		cond_resched();
	}
}

/*
 * Free rows until there is room for @bytes and for a sixteenth of all memory besides:
 * waiting for a grace period takes long, so more is freed at once than is needed. The
 * first round spares chunks that were used; after the second round there is room, or
 * no chunk is left.
 */
static bool fm_objects_make_room(struct fm_objects *objects, size_t bytes)
{
	size_t spare = objects->max_bytes / 16;
	bool spares = true;
	LIST_HEAD(victims);
	LIST_HEAD(seen);

	if (objects->bytes + bytes <= objects->max_bytes)
		return true;
	while (objects->bytes + bytes + spare > objects->max_bytes) {
		struct fm_chunk *chunk;

		cond_resched();
		if (list_empty(&objects->lru)) {
			if (list_empty(&seen))
				break;
			list_splice_init(&seen, &objects->lru);
			spares = false;
		}
		chunk = list_first_entry(&objects->lru, struct fm_chunk, lru);
		if (spares && READ_ONCE(chunk->used)) {
			WRITE_ONCE(chunk->used, 0);
			list_move_tail(&chunk->lru, &seen);
		} else {
			fm_chunk_withdraw(objects, chunk, &victims);
		}
	}
	list_splice_tail(&seen, &objects->lru);
	if (!list_empty(&victims)) {
		synchronize_rcu();
		fm_chunks_free(&victims);
	}
	return objects->bytes + bytes <= objects->max_bytes;
}

/**
 * fm_chunk_publish() - let samples use the rows that were compiled, if memory is left.
 * @objects: the objects; @objects->rows are those of the chunk
 * @place: where the chunk belongs
 * @nr: how many rows
 * @part: the text that they are for
 *
 * Context: Process context, may sleep, in the worker.
 */
void fm_chunk_publish(struct fm_objects *objects, struct fm_chunk **place, u32 nr,
		      const struct fm_part *part)
{
	struct fm_chunk *chunk;
	size_t bytes = fm_chunk_bytes(nr);

	if (!fm_objects_make_room(objects, bytes))
		return;
	/*
	 * Not mapped page by page: to free that would interrupt isolated CPUs, too: see
	 * memory.h. If there are no pages in a row, a later sample asks again.
	 */
	chunk = kmalloc(struct_size(chunk, rows, nr),
			GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
	if (!chunk)
		return;
	objects->bytes += bytes;
	chunk->place = place;
	chunk->base = part->base;
	chunk->bytes = part->bytes;
	chunk->function = part->function;
	chunk->used = 1;
	chunk->nr = nr;
	memcpy(chunk->rows, objects->rows, nr * sizeof(*chunk->rows));
	list_add_tail(&chunk->lru, &objects->lru);
	/* Pairs with fm_object_chunk(). */
	smp_store_release(place, chunk);
}

/**
 * fm_objects_free_chunks() - free all rows.
 * @objects: the objects, which no timer and no worker uses any more
 *
 * Context: Process context.
 */
void fm_objects_free_chunks(struct fm_objects *objects)
{
	fm_chunks_free(&objects->lru);
}
