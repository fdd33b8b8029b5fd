/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The programs and libraries that user stacks lead through, and their rows.
 *
 * An object is a file, identified by what changes when its content does; or the
 * kernel's vdso. It has a number, which stands for it in frames and is never used
 * again. Its text is compiled to rows in chunks of 64 kB (cfi.h), each when a sample
 * first needs it, by a worker (compile.c). No reference to a file is held for longer
 * than a request waits and the worker reads.
 *
 * Locking: none for finding and adding: the table of objects only grows, by
 * cmpxchg(). Chunks are published with release semantics, and freed after an RCU grace
 * period; the timer's interrupt is a reader. Each CPU asks for chunks through a ring
 * of its own, which the timer fills and the worker empties. The rest is the worker's.
 */
#ifndef _FLAMEMOD_USER_OBJECT_H
#define _FLAMEMOD_USER_OBJECT_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/time64.h>
#include <linux/workqueue.h>

#include "cfi.h"
#include "elf.h"

#define FM_OBJECTS_MAX		8192	/* a power of two */
#define FM_OBJECT_PATH_MAX	512	/* bytes kept of a path, the NUL included */
#define FM_OBJECT_TEXT_MAX	(256u << 20)	/* of a file; the rest has no rows */
#define FM_REQUESTS		64	/* a power of two */
#define FM_CREDIT_MAX_NS	(100 * NSEC_PER_MSEC)	/* see compile.c */
#define FM_ROWS_KB_MIN		1024
#define FM_ROWS_KB_MAX		1048576

struct file;
struct vdso_image;

/* A file, and its content as far as the file system tells; or an image of the vdso. */
struct fm_object_id {
	u64 ino;
	s64 size;
	s64 ctime_s;
	u64 version;
	u64 vdso;
	u32 ctime_ns;
	u32 generation;
	u32 dev;
	u32 zero;
};

struct fm_chunk {
	struct list_head lru;	/* the worker's */
	struct fm_chunk **place;	/* the worker's: in its object's chunks */
	u64 base;		/* the offset in the file that rows are relative to */
	u64 function;		/* the offset where the function that @base is in starts, or 0 */
	u8 used;		/* set by timers, cleared by the worker */
	u32 nr;
	struct fm_row rows[];
};

enum fm_object_state {
	FM_OBJECT_NEW,
	FM_OBJECT_READY,
	FM_OBJECT_NO_ROWS,	/* its text has no table that can be compiled */
};

/* What is read of an object, by the worker: constant once the state is not new. */
struct fm_object_file {
	struct fm_elf elf;
	char path[FM_OBJECT_PATH_MAX];	/* as the process that was first seen had it */
};

struct fm_object {
	struct fm_object_id id;
	u32 number;
	u8 state;		/* enum fm_object_state; written by the worker */
	u32 nr_chunks;
	struct fm_chunk **chunks;	/* by offset / 64 kB; a NULL has no rows now */
	u64 entry;		/* the offset of the program's first instruction, or 0 */
	struct fm_object_file *file;	/* or NULL: memory was short */
};

/* What a CPU's timer asks of the worker. */
struct fm_request {
	struct fm_object *object;
	struct file *file;	/* a reference, which the worker drops; or NULL: the vdso */
	u32 chunk;
};

struct fm_requests {
	struct fm_request ring[FM_REQUESTS];
	u32 head;		/* written by the timer */
	u32 tail;		/* written by the worker */
	struct irq_work wake;
	struct fm_objects *objects;
};

struct fm_objects {
	struct fm_object *slots[2 * FM_OBJECTS_MAX];	/* by hash */
	struct fm_object *list;		/* FM_OBJECTS_MAX of them, by number - 1 */
	atomic_t nr;			/* may be above FM_OBJECTS_MAX: see fm_objects_nr() */
	u32 secret;			/* of the hash: users choose files */
	bool any_fs;			/* see fm_objects_find() */
	bool stopping;			/* the worker only drops references */
	struct fm_requests __percpu *requests;
	struct workqueue_struct *wq;
	struct work_struct work;

	/* The worker's. */
	size_t bytes;			/* of chunks and of what is kept of files */
	size_t kept_bytes;		/* of these, what is kept of files */
	size_t max_bytes;
	s64 credit_ns;			/* CPU time that it may use */
	u64 credit_at_ns;		/* when it had that */
	struct list_head lru;		/* all chunks, the one to look at next first */
	struct fm_cfi cfi;
	struct fm_row *rows;		/* FM_CHUNK_ROWS */
	u8 *entry;			/* FM_CFI_ENTRY_MAX */
};

#define FM_CHUNK_ROWS	16384	/* rows of one chunk; one that has more has none */

struct fm_objects *fm_objects_create(size_t max_bytes, bool any_fs);
void fm_objects_destroy(struct fm_objects *objects);

struct fm_object *fm_objects_find(struct fm_objects *objects, struct file *file);
struct fm_object *fm_objects_find_vdso(struct fm_objects *objects,
				       const struct vdso_image *image);
bool fm_objects_request(struct fm_objects *objects, struct fm_object *object,
			struct file *file, u64 offset);
u64 fm_object_function(const struct fm_object *object, u64 offset);

/* In compile.c: for the worker alone. */
void fm_object_answer(struct fm_objects *objects, const struct fm_request *request);
void fm_object_drop(const struct fm_request *request);
void fm_objects_free_chunks(struct fm_objects *objects);

/* The memory of a set of objects without rows. */
#define FM_OBJECTS_BYTES	(sizeof(struct fm_objects) + \
				 FM_OBJECTS_MAX * sizeof(struct fm_object) + \
				 FM_CHUNK_ROWS * sizeof(struct fm_row) + FM_CFI_ENTRY_MAX)

/* Return: the memory in use; in any context. */
static inline size_t fm_objects_bytes(const struct fm_objects *objects)
{
	return FM_OBJECTS_BYTES + READ_ONCE(objects->bytes);
}

/* Return: how many objects there are. */
static inline u32 fm_objects_nr(const struct fm_objects *objects)
{
	return min_t(u32, atomic_read(&objects->nr), FM_OBJECTS_MAX);
}

/* Return: the chunk of an offset in a file, or NULL if it is not compiled now. */
static inline struct fm_chunk *fm_object_chunk(const struct fm_object *object, u64 offset)
{
	u64 chunk = offset / FM_CHUNK_BYTES;

	/* Pairs with fm_object_open(). */
	if (smp_load_acquire(&object->state) != FM_OBJECT_READY ||
	    chunk >= object->nr_chunks)
		return NULL;
	/* Pairs with fm_object_compile(). */
	return smp_load_acquire(&object->chunks[chunk]);
}

/* Return: the row of an offset in the file, which is in the chunk. */
static inline const struct fm_row *fm_chunk_row(const struct fm_chunk *chunk,
						u64 offset)
{
	u32 low = 1, high = chunk->nr;
	u64 within = offset - chunk->base;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (chunk->rows[middle].start <= within)
			low = middle + 1;
		else
			high = middle;
	}
	return &chunk->rows[low - 1];
}

#endif /* _FLAMEMOD_USER_OBJECT_H */
