/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The programs and libraries whose functions are in user stacks, and their rows.
 *
 * An object is a file or the kernel's vdso. A file is identified by attributes that change when
 * its content does: it is another object then, of the same file. Frames refer to an object by its
 * number, which is never used again. A worker (compile.c) compiles its text to rows in chunks of
 * 64 kB (cfi.h), each when a sample first needs it. A reference to a file is held only while a
 * request waits and the worker reads.
 *
 * Files whose server may not answer are read apart from the others: see fetch.h.
 *
 * Locking: objects are found and added without locks: their table only grows, by cmpxchg(). It
 * has the newest object of each file, which knows the one before. Chunks are published with
 * release semantics, and freed after an RCU grace period; the timer's interrupt is a reader. Each
 * CPU requests chunks through a ring of its own, which the timer fills and the worker empties.
 * Only the worker uses the rest.
 */
#ifndef _FLAMEMOD_USER_OBJECT_H
#define _FLAMEMOD_USER_OBJECT_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/nospec.h>
#include <linux/workqueue.h>

#include "../../common/uapi/flamemod.h"
#include "../symbols.h"
#include "budget.h"
#include "cfi.h"
#include "elf.h"
#include "runner.h"

#define FM_OBJECTS_MAX		8192	/* a power of two */
/* A file that changes may have so many objects, and then one more in so many seconds. */
#define FM_FILE_OBJECTS		64
#define FM_FILE_REST_S		600
#define FM_OBJECT_TEXT_MAX	(256u << 20)	/* of a file; text beyond has no rows */
#define FM_REQUESTS		64	/* a power of two */
#define FM_ROWS_KB_MIN		1024
#define FM_ROWS_KB_MAX		1048576

struct file;
struct fm_copies;
struct inode;
struct mm_struct;
struct fm_vdso;

/*
 * Identifies a file and, as far as its file system can, its content, for those who run it; or a
 * vdso.
 */
struct fm_object_id {
	u64 ino;
	s64 size;
	s64 ctime_s;
	u64 version;
	u64 vdso;		/* the address of the kernel's image; of a file 0 */
	u64 realm;		/* of who runs it: see runner.h */
	u32 ctime_ns;
	u32 generation;
	u32 dev;
	u32 disk;		/* of all disks that there were; 0: unknown */
};

struct fm_chunk {
	struct list_head lru;	/* for the worker */
	struct fm_chunk **place;	/* for the worker: its place in the object's chunks */
	u64 base;		/* the offset in the file that rows are relative to */
	u64 function;		/* where the function that @base is in starts, or 0 */
	u32 bytes;		/* of text from @base on that rows are for */
	u8 used;		/* set by timers, cleared by the worker */
	u32 nr;
	struct fm_row rows[];
};

/* The part of a chunk's text that is compiled: what is in one segment. */
struct fm_part {
	u64 base;		/* as in struct fm_chunk */
	u64 function;
	u32 bytes;
};

enum fm_object_state {
	FM_OBJECT_NEW,
	FM_OBJECT_READY,
	FM_OBJECT_NO_ROWS,	/* its text has no table that can be compiled */
};

/* Where the functions are of a program without .eh_frame_hdr: see cfi_index.c. */
struct fm_object_index {
	u64 frame;		/* the address of .eh_frame, as linked */
	u32 nr;
	struct fm_cfi_pair pairs[];
};

/* What the worker reads about an object: constant once the state is not new. */
struct fm_object_file {
	struct fm_elf elf;
	struct fm_object_index *index;	/* NULL if it has .eh_frame_hdr */
	u64 plt;		/* the PLT's address, as linked, if no table covers it; or 0 */
	u64 plt_bytes;
	struct fm_symbols_file label;
	const struct fm_symbols_file *shown;	/* @label, or an equal one of another object */
};

struct fm_object {
	struct fm_object_id id;
	u32 number;
	u8 state;		/* enum fm_object_state; written by the worker */
	u16 nr_older;		/* how many objects the file had before */
	u32 older;		/* the number of the last one of these, or 0 */
	u32 met_s;		/* when it was met, in seconds: see fm_object_now() */
	u32 nr_chunks;
	struct fm_chunk **chunks;	/* by offset / 64 kB; NULL: no rows now */
	u64 denied;		/* a bit for each budget that cannot have it opened */
	u64 entry;		/* the offset of the program's first instruction, or 0 */
	u64 text_start;		/* offsets in the file: all text is between them */
	u64 text_end;
	struct fm_object_file *file;	/* NULL if memory was short */
};

/* A request of a CPU's timer to the worker, which drops the references. */
struct fm_request {
	struct fm_object *object;
	struct file *file;	/* a reference; NULL for the vdso, or if it is not known */
	u32 chunk;
	struct mm_struct *mm;	/* a reference to what has the object mapped; or NULL */
	unsigned long address;	/* where */
	struct fm_runner runner;	/* of the process that asks */
	u8 fetches;		/* how often parts of the file were fetched: see fetch.h */
	bool is_refused;	/* its server has answered the last one with an error */
	u64 began_ns;		/* when the worker began with it; 0: it begins now */
};

#define FM_FETCHES		8	/* servers that are asked at a time */

enum fm_fetch_state {
	FM_FETCH_FREE,
	FM_FETCH_READS,
	FM_FETCH_DONE,
};

/* What is being fetched from a server: see fetch.h. */
struct fm_fetch {
	struct work_struct work;
	struct fm_objects *objects;
	struct fm_request request;	/* to answer then */
	u64 offset;			/* in its file */
	u8 state;			/* enum fm_fetch_state */
};

/*
 * Who takes user stacks on a CPU, at different times: each has its own copies and drains.
 * Each client with events has a number from FM_TAKER_EVENTS on.
 */
enum fm_taker {
	FM_TAKER_TIMER,
	FM_TAKER_EVENTS,
	FM_TAKERS = FM_TAKER_EVENTS + FLAMEMOD_EVENT_CLIENTS_MAX,
};

struct fm_requests {
	struct fm_request ring[FM_REQUESTS];
	u32 head;		/* written by the timer */
	u32 tail;		/* written by the worker */
	struct irq_work wake;
	struct fm_objects *objects;
	struct fm_copies *copies[FM_TAKERS];	/* NULL until that takes user stacks here */
};

struct fm_objects {
	struct fm_object *slots[2 * FM_OBJECTS_MAX];	/* the newest of each file, by hash */
	struct fm_object *list;		/* FM_OBJECTS_MAX of them, by number - 1 */
	atomic_t nr;			/* may be above FM_OBJECTS_MAX: see fm_objects_nr() */
	u32 secret;			/* a key for the hash, since users choose files */
	const struct mnt_namespace *machine;	/* only to be compared: see fm_machine() */
	bool any_fs;			/* see fm_objects_find() */
	bool stopping;			/* the worker only drops references */
	struct fm_budgets budgets;
	struct fm_requests __percpu *requests;
	struct work_struct work;
	struct work_struct list_work;	/* lists mappings, before it is too late */

	/* For the worker only. */
	size_t bytes;			/* memory of chunks and of data kept about files */
	size_t kept_bytes;		/* the part of @bytes for data kept about files */
	size_t max_bytes;
	struct list_head lru;		/* all chunks, the one to look at next first */
	struct fm_cfi cfi;
	struct fm_row *rows;		/* FM_CHUNK_ROWS */
	struct fm_cfi_buffer *buffer;
	struct fm_fetch fetches[FM_FETCHES];
};

#define FM_CHUNK_ROWS	16384	/* of one chunk; a chunk that needs more gets none */

bool fm_inode_is_local(const struct inode *inode);
struct fm_object *fm_objects_find(struct fm_objects *objects, const struct inode *inode,
				  struct fm_runner runner);
struct fm_object *fm_objects_find_vdso(struct fm_objects *objects,
				       const struct fm_vdso *vdso);
bool fm_objects_request(struct fm_objects *objects, const struct fm_request *request);
void fm_objects_wake_worker(struct fm_objects *objects);
bool fm_object_is_denied(const struct fm_objects *objects, const struct fm_object *object,
			 u8 budget);
bool fm_object_function(const struct fm_object *object, u64 offset, u64 *start);

/* In worker.c. */
struct fm_objects *fm_objects_create(size_t max_bytes, bool any_fs);
void fm_objects_destroy(struct fm_objects *objects);
void fm_copies_list(struct fm_objects *objects, struct fm_copies *copies);
void fm_copies_walk(struct fm_objects *objects, struct fm_copies *copies);
struct fm_copies *fm_objects_copies(struct fm_objects *objects, unsigned int cpu,
				    enum fm_taker taker);

/* In compile.c, for the worker only. */
u64 fm_object_learn(struct fm_objects *objects, const struct fm_request *request);
void fm_objects_rest(u64 ns);
void fm_object_answer(struct fm_objects *objects, const struct fm_request *request);
void fm_object_drop(const struct fm_request *request);

/* In chunks.c, for the worker only. */
void fm_chunk_publish(struct fm_objects *objects, struct fm_chunk **place, u32 nr,
		      const struct fm_part *part);
void fm_objects_free_chunks(struct fm_objects *objects);

/* The memory of a set of objects without rows. */
#define FM_OBJECTS_BYTES	(sizeof(struct fm_objects) + \
				 FM_OBJECTS_MAX * sizeof(struct fm_object) + \
				 FM_CHUNK_ROWS * sizeof(struct fm_row) + \
				 sizeof(struct fm_cfi_buffer))

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

/* Return: the number of an offset's chunk. */
static inline u32 fm_chunk_number(u64 offset)
{
	return min_t(u64, offset / FM_CHUNK_BYTES, U32_MAX);
}

/* Return: the chunk of an offset in a file, or NULL if it is not compiled now. */
static inline struct fm_chunk *fm_object_chunk(const struct fm_object *object, u64 offset)
{
	u64 chunk = offset / FM_CHUNK_BYTES;

	/* Pairs with fm_object_open(). */
	if (smp_load_acquire(&object->state) != FM_OBJECT_READY ||
	    chunk >= object->nr_chunks)
		return NULL;
	/* Any process chooses the offset: it may map a file far beyond its end. */
	chunk = array_index_nospec(chunk, object->nr_chunks);
	/* Pairs with fm_object_compile(). */
	return smp_load_acquire(&object->chunks[chunk]);
}

/* Return: whether an offset in a file never gets rows. */
static inline bool fm_object_has_none(const struct fm_object *object, u64 offset)
{
	/* Pairs with fm_object_open(). */
	u8 state = smp_load_acquire(&object->state);

	return state == FM_OBJECT_NO_ROWS ||
	       (state == FM_OBJECT_READY && offset / FM_CHUNK_BYTES >= object->nr_chunks);
}

/* Return: whether a chunk has a row for an offset in the file. */
static inline bool fm_chunk_has(const struct fm_chunk *chunk, u64 offset)
{
	return offset >= chunk->base && offset - chunk->base < chunk->bytes;
}

/* Return: the row of an offset in the file, which the chunk has. */
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
