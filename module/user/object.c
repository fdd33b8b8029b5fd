// SPDX-License-Identifier: GPL-2.0
/*
 * The programs and libraries whose functions are in user stacks: see object.h.
 */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/iversion.h>
#include <linux/jhash.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "../compat/compat.h"
#include "arch.h"
#include "object.h"

/* Identify a file. Reads only the inode, so it works in any context. */
static struct fm_object_id fm_object_identify(const struct inode *inode, u64 realm)
{
	struct timespec64 ctime = fm_compat_ctime(inode);
	u64 version = inode_peek_iversion_raw(inode);

	return (struct fm_object_id){
		.ino = inode->i_ino,
		.realm = realm,
		.size = i_size_read(inode),
		.ctime_s = ctime.tv_sec,
		.ctime_ns = ctime.tv_nsec,
		/* Where the kernel counts, without the flag that somebody has read it. */
		.version = IS_I_VERSION(inode) ? version >> I_VERSION_QUERIED_SHIFT : version,
		.generation = inode->i_generation,
		.dev = new_encode_dev(inode->i_sb->s_dev),
		/* An image on a loop device may be like another one that was there before. */
		.disk = fm_compat_disk(inode->i_sb),
	};
}

/**
 * fm_inode_is_local() - ask whether a file is on a device, or in memory.
 * @inode: the file's inode
 *
 * Context: Any.
 * Return: false if it has a server, of FUSE or of a network file system, that may not
 * answer.
 */
bool fm_inode_is_local(const struct inode *inode)
{
	/* These have no device in their superblock: they are in memory or find theirs. */
	static const char *const local[] = {
		"tmpfs", "devtmpfs", "ramfs", "rootfs", "btrfs", "bcachefs", "ubifs", "zfs",
	};
	const struct super_block *sb = inode->i_sb;
	u32 i;

	/* fuseblk is on a block device, but has a server. */
	if (sb->s_bdev || sb->s_mtd)
		return strncmp(sb->s_type->name, "fuse", 4);
	for (i = 0; i < ARRAY_SIZE(local); i++)
		if (!strcmp(sb->s_type->name, local[i]))
			return true;
	return false;
}

/*
 * Return: whether a file may be read. If the superblock is of another user namespace,
 * anyone may have mounted it.
 */
static bool fm_object_allowed(const struct fm_objects *objects, const struct inode *inode)
{
	/* A file on DAX has no pages to read. */
	if (!S_ISREG(inode->i_mode) || IS_DAX(inode) ||
	    inode->i_sb->s_user_ns != &init_user_ns)
		return false;
	return objects->any_fs || fm_inode_is_local(inode);
}

/* Return: whether two ids are of one file, which may have changed between them. */
static bool fm_object_id_is_of(const struct fm_object_id *id, const struct fm_object_id *other)
{
	return id->ino == other->ino && id->generation == other->generation &&
	       id->dev == other->dev && id->disk == other->disk && id->vdso == other->vdso &&
	       id->realm == other->realm;
}

/*
 * Return: the slot of a file's newest object, or the empty one where it belongs; @newest is
 * set to what is there. Another file's may be there later.
 */
static struct fm_object **fm_objects_slot(struct fm_objects *objects,
					  const struct fm_object_id *id,
					  struct fm_object **newest)
{
	const u32 file[] = {
		lower_32_bits(id->ino), upper_32_bits(id->ino), id->generation, id->dev, id->disk,
		lower_32_bits(id->vdso), upper_32_bits(id->vdso),
		lower_32_bits(id->realm), upper_32_bits(id->realm),
	};
	u32 slot = jhash2(file, ARRAY_SIZE(file), objects->secret);
	struct fm_object *object;

	/* The table is at most half full, so every search ends. */
	for (;; slot++) {
		slot %= 2 * FM_OBJECTS_MAX;
		/* Pairs with cmpxchg() in fm_objects_add(). */
		object = smp_load_acquire(&objects->slots[slot]);
		if (!object || fm_object_id_is_of(&object->id, id)) {
			*newest = object;
			return &objects->slots[slot];
		}
	}
}

/* Return: a clock that only differences of are used, in seconds. */
static u32 fm_object_now(void)
{
	return jiffies / HZ;
}

/* Find an id among the last objects of its file. Return: the object, or NULL. */
static struct fm_object *fm_object_among(const struct fm_objects *objects,
					 struct fm_object *newest,
					 const struct fm_object_id *id)
{
	struct fm_object *object = newest;
	u32 i;

	for (i = 0; object && i < FM_FILE_OBJECTS; i++) {
		if (!memcmp(&object->id, id, sizeof(*id)))
			return object;
		object = object->older ? &objects->list[object->older - 1] : NULL;
	}
	return NULL;
}

/* Return: whether a file that has changed may have another object. */
static bool fm_object_may_change(const struct fm_object *newest)
{
	return newest->nr_older < FM_FILE_OBJECTS - 1 ||
	       fm_object_now() - newest->met_s >= FM_FILE_REST_S;
}

/* Let an object be the one that its file had after another, or its first one. */
static void fm_object_follow(struct fm_object *object, const struct fm_object *newest)
{
	object->older = newest ? newest->number : 0;
	object->nr_older = newest ? newest->nr_older + 1 : 0;
}

/*
 * Find or add the object of an id, for the user with a budget.
 * Return: NULL if there are too many, in all or of its file.
 */
static struct fm_object *fm_objects_add(struct fm_objects *objects,
					const struct fm_object_id *id, u8 budget)
{
	struct fm_object *newest, *object, *same;
	struct fm_object **slot = fm_objects_slot(objects, id, &newest);
	u32 nr;

	same = fm_object_among(objects, newest, id);
	if (same)
		return same;
	if (newest && !fm_object_may_change(newest))
		return NULL;
	if (budget == FM_BUDGET_OF_CURRENT)
		budget = fm_budget_of_current(objects);
	if (atomic_read(&objects->nr) >= FM_OBJECTS_MAX ||
	    !fm_budget_add_file(&objects->budgets, budget, newest))
		return NULL;
	nr = atomic_inc_return(&objects->nr);
	if (nr > FM_OBJECTS_MAX)
		return NULL;
	object = &objects->list[nr - 1];
	object->id = *id;
	object->number = nr;
	object->met_s = fm_object_now();
	fm_object_follow(object, newest);
	/*
	 * If another CPU added the same id first, its object is used, and this one
	 * never is. cmpxchg() pairs with fm_objects_slot(): the object is complete.
	 */
	while (cmpxchg(slot, newest, object) != newest) {
		slot = fm_objects_slot(objects, id, &newest);
		same = fm_object_among(objects, newest, id);
		if (same)
			return same;
		fm_object_follow(object, newest);
	}
	return object;
}

/**
 * fm_objects_find() - find or add a file's object.
 * @objects: the objects
 * @inode: the file's inode
 * @runner: who runs it
 *
 * Context: Any; the caller keeps @inode alive, or runs within the RCU grace period in
 * which it was in use.
 * Return: the object; NULL if the file may not be read, or there are too many, of it, of that
 * user (budget.h) or in all.
 */
struct fm_object *fm_objects_find(struct fm_objects *objects, const struct inode *inode,
				  struct fm_runner runner)
{
	struct fm_object_id id;

	if (!fm_object_allowed(objects, inode))
		return NULL;
	id = fm_object_identify(inode, runner.realm);
	return fm_objects_add(objects, &id, runner.budget);
}

/**
 * fm_objects_find_vdso() - find or add the object of the kernel's vdso.
 * @objects: the objects
 * @vdso: the vdso
 *
 * Context: Any.
 * Return: the object; NULL if @vdso is none, or there are too many.
 */
struct fm_object *fm_objects_find_vdso(struct fm_objects *objects,
				       const struct fm_vdso *vdso)
{
	struct fm_object_id id = {
		.vdso = (unsigned long)vdso->image,
		.size = vdso->bytes,
	};

	return vdso->image ? fm_objects_add(objects, &id, FM_BUDGET_OF_ROOT) : NULL;
}

/**
 * fm_objects_request() - ask for the rows of an offset in a file.
 * @objects: the objects
 * @request: the request; references to its file or memory are taken for the worker
 *
 * Context: Hard interrupt; the caller keeps what @request refers to alive meanwhile.
 * Return: false if too many requests are waiting.
 */
bool fm_objects_request(struct fm_objects *objects, const struct fm_request *request)
{
	struct fm_requests *requests = this_cpu_ptr(objects->requests);
	u32 head = requests->head;

	/* Pairs with fm_objects_work(): the slot is free again. */
	if (head - smp_load_acquire(&requests->tail) == FM_REQUESTS)
		return false;
	if (request->file)
		get_file(request->file);
	if (request->mm)
		mmgrab(request->mm);
	requests->ring[head % FM_REQUESTS] = *request;
	/* Pairs with fm_objects_work(): the request is complete. */
	smp_store_release(&requests->head, head + 1);
	irq_work_queue(&requests->wake);
	return true;
}

/**
 * fm_objects_wake_worker() - let the worker look for work of this CPU.
 * @objects: the objects
 *
 * Context: Hard interrupt.
 */
void fm_objects_wake_worker(struct fm_objects *objects)
{
	irq_work_queue(&this_cpu_ptr(objects->requests)->wake);
}

/**
 * fm_object_is_denied() - ask whether a user gets no rows of an object.
 * @objects: the objects
 * @object: the object
 * @budget: the user's, or FM_BUDGET_OF_CURRENT
 *
 * Context: Any.
 * Return: whether that user cannot have it opened, and nobody else has: see compile.c.
 */
bool fm_object_is_denied(const struct fm_objects *objects, const struct fm_object *object,
			 u8 budget)
{
	u64 denied = READ_ONCE(object->denied);

	static_assert(FM_BUDGETS <= 64);
	if (likely(!denied) || READ_ONCE(object->state) != FM_OBJECT_NEW)
		return false;
	if (budget == FM_BUDGET_OF_CURRENT)
		budget = fm_budget_of_current(objects);
	return denied & BIT_ULL(budget);
}

/* Find where a function starts in a chunk. Return: its offset, or @offset itself. */
static u64 fm_chunk_function(const struct fm_chunk *chunk, u64 offset)
{
	const struct fm_row *row = fm_chunk_row(chunk, offset);

	if (row->kind == FM_CFA_NONE || row->kind == FM_CFA_GAP)
		return offset;
	/*
	 * Tables of signal frames begin one byte before the function, for unwinders that
	 * look up return addresses minus 1.
	 */
	for (; row >= chunk->rows; row--)
		if (row->is_first)
			return chunk->base + row->start + (row->kind == FM_CFA_SIGNAL);
	return chunk->function ? chunk->function : offset;
}

/**
 * fm_object_function() - find the start of the function that an offset is in.
 * @object: the object, not new
 * @offset: an offset in its file
 * @start: set to the offset of the function's first instruction, or to @offset itself if
 * that is not known
 *
 * Context: Any.
 * Return: false if it may become known later.
 */
bool fm_object_function(const struct fm_object *object, u64 offset, u64 *start)
{
	const struct fm_chunk *chunk;

	*start = offset;
	if (fm_object_has_none(object, offset))
		return true;
	rcu_read_lock();
	chunk = fm_object_chunk(object, offset);
	if (chunk && fm_chunk_has(chunk, offset))
		*start = fm_chunk_function(chunk, offset);
	rcu_read_unlock();
	return chunk;
}
