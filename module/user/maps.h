/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A CPU's cache that finds objects (object.h) by the addresses of processes.
 *
 * An entry holds one mapping of one process, or one page of it. On a miss the process's
 * own mappings are searched, if they can be locked at once. irq_work releases the lock,
 * since the timer may have interrupted code in which nothing may be woken. If they
 * cannot be locked, most often because the process is changing them itself, the page
 * that is mapped at the address tells which file it is of (page.h). What that does not
 * tell is found by the worker, which can wait (mappings.h).
 *
 * On PREEMPT_RT the timer never locks them. What irq_work does there, a thread does, and
 * while a task of a higher priority keeps that from running, the process could not
 * change its mappings. So there only pages tell.
 *
 * Entries belong to a view of a process's mappings, which is valid while nothing that was
 * in use is unmapped: that flushes the TLB, and x86 counts the flushes of each process
 * before anything else can be mapped there. A view also ends when the number or size of
 * the mappings of text changes, and after a tenth of a second. After that, a walk uses an
 * entry only if it can see neither the mapping nor a page, and the stack is unverified.
 *
 * A process's memory is known by its ctx_id, which x86 never uses again: so an exec, or
 * another process with the same pid or mm, has entries of its own.
 *
 * What a walk needs to know of an address, its frame and its row, is kept beside, and
 * belongs to the same view: most frames of a stack were in an earlier one. Where a
 * process has mapped an object is kept as well: with it, a walk can tell whether the
 * frames that followed last time, perhaps in another process, follow again. Which path
 * (paths.h) a leaf had last is kept too, by the leaf's address; that is only a hint.
 *
 * Locking: belongs to the CPU's timer callback.
 */
#ifndef _FLAMEMOD_USER_MAPS_H
#define _FLAMEMOD_USER_MAPS_H

#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/log2.h>
#include <linux/mm_types.h>

#include "mappings.h"
#include "paths.h"

struct fm_copies;
struct fm_copy;

#define FM_MAPS		512	/* a power of two */
#define FM_VIEWS	64	/* a power of two */
#define FM_PLACES	1024	/* a power of two */
#define FM_BASES	64	/* a power of two; of a view */
#define FM_LEAVES	512	/* a power of two */

/* A process's mappings, as they looked at some time. */
struct fm_view {
	u64 space;		/* as in struct fm_map */
	u64 flushes;		/* see fm_mappings_flushes() */
	u64 stamp;		/* of the mappings: see fm_maps_stamp() */
	unsigned long until;	/* jiffies */
	u64 number;		/* no other view had it */
};

/* An address in text that has rows. */
struct fm_place {
	unsigned long address;
	u64 view;		/* as in struct fm_map */
	u64 frame;		/* see paths.h */
	struct fm_row row;	/* one that leads to a caller */
};

/*
 * Where a process has mapped its objects: what is added to a return address in an object's
 * text to get the frame (paths.h) of the call, whose last byte is before that address.
 * Objects share slots; the slot of an object that is not known has FM_BASE_NONE. The frame
 * that a slot's other object would get is at an address which no process has.
 */
struct fm_bases {
	u64 to_frame[FM_BASES];
};

/* No frame (paths.h) is this and an address below FM_BASE_LIMIT. */
#define FM_BASE_NONE	BIT_ULL(62)
/* Bases are for addresses below this, so that two objects are never mixed up. */
#define FM_BASE_LIMIT	BIT_ULL(47)

/* A callee-saved register: its value, or where it was saved last. */
struct fm_saved {
	unsigned long value;
	unsigned long at;	/* an address; 0: see @value; or FM_LOST */
};

/* Where a walk is. */
struct fm_frame_state {
	const struct fm_copy *copy;	/* what is walked; NULL: the current task's stack */
	unsigned long ip;
	unsigned long sp;
	struct fm_saved bp;
	union {
		struct fm_saved bx;
		struct fm_saved lr;	/* if FM_ARCH_HAS_LINK */
	};
	bool is_exact;		/* ip is an instruction, not a return address */
	bool by_fp;
	bool has_process;	/* the path tells whose code made at run time is in it */
	u32 path;		/* of the frames before this one; 0: none */
	u32 depth;		/* how many they are */
	u64 frame;
	const struct fm_row *row;	/* which the step to the caller took; or NULL */
};

/* What samples with a leaf at some address had last; nothing is known from this alone. */
struct fm_leaf {
	u32 path;		/* of the leaf alone */
	u32 entry;		/* of the table: see fm_table_add() */
};

struct fm_maps {
	struct fm_objects *objects;
	u64 view;			/* of the current walk */
	u64 nr_views;			/* so far */
	struct fm_view views[FM_VIEWS];
	struct fm_map maps[FM_MAPS];
	struct fm_place places[FM_PLACES];
	struct fm_bases bases[FM_VIEWS];	/* of each view */
	struct fm_bases *base;		/* of the current walk's view */
	struct fm_leaf leaves[FM_LEAVES];
	struct fm_frame_state state;	/* of the current walk */
	unsigned long cfas[FM_USER_FRAMES_MAX];	/* of the current walk's frames */
	struct mm_struct *locked;	/* whose mappings the current walk has locked */
	bool unverified;		/* the walk used an entry that may be old */
	bool looks_up;			/* the walk looks up each row: see fm_maps_begin() */
	bool slow;			/* the walk looked up a frame: see struct fm_sample */
	struct mm_struct *unlock;	/* to be unlocked by the work */
	struct irq_work unlock_work;
	struct fm_copies *copies;	/* the CPU's; or NULL */
	bool may_lock;			/* mappings may be locked: not on PREEMPT_RT */
	u32 shift;			/* the log2 of the addresses that share an entry */
};

/* Return: where an address is kept, if it is; it may be another one's place. */
static inline struct fm_place *fm_maps_place(struct fm_maps *maps, unsigned long address)
{
	return &maps->places[hash_64(address, ilog2(FM_PLACES))];
}

/* Return: where a leaf's last path is kept; it may be that of another leaf. */
static inline struct fm_leaf *fm_maps_leaf(struct fm_maps *maps, unsigned long address)
{
	return &maps->leaves[address % FM_LEAVES];
}

/* Return: where a view keeps the base of an object. */
static inline u32 fm_bases_slot(u32 object)
{
	return object % FM_BASES;
}

struct fm_maps *fm_maps_create(struct fm_objects *objects, int node);
void fm_maps_destroy(struct fm_maps *maps);

void fm_maps_renew(struct fm_maps *maps, struct fm_view *view);
const struct fm_map *fm_maps_find(struct fm_maps *maps, unsigned long address);
void fm_maps_request(struct fm_maps *maps, struct fm_object *object,
		     unsigned long address);
void fm_maps_list(struct fm_maps *maps, struct fm_mappings *mappings);
void fm_maps_unlock_later(struct fm_maps *maps);

/* Return: a number of this memory that no other ever has. */
static inline u64 fm_maps_space(const struct mm_struct *mm)
{
	return fm_arch_space(mm);
}

/*
 * Return: a number that changes when a process maps or unmaps text, unless text of the
 * same size is mapped instead: then fm_mappings_flushes() changes.
 */
static inline u64 fm_maps_stamp(const struct mm_struct *mm)
{
	return READ_ONCE(mm->exec_vm) + ((u64)READ_ONCE(mm->map_count) << 40);
}

static inline bool fm_view_is_old(const struct fm_view *view)
{
	return !time_before(jiffies, view->until);
}

/*
 * Return: whether a view is of a process's mappings as they look now. Without a count of
 * flushes that is not known, and each walk has a view of its own.
 */
static inline bool fm_view_holds(const struct fm_view *view, const struct mm_struct *mm)
{
	return FM_ARCH_COUNTS_FLUSHES && view->space == fm_maps_space(mm) &&
	       view->flushes == fm_mappings_flushes(mm) &&
	       view->stamp == fm_maps_stamp(mm) && !fm_view_is_old(view);
}

/**
 * fm_maps_begin() - start a walk of the current process.
 * @maps: the cache
 *
 * Context: Hard interrupt.
 */
static __always_inline void fm_maps_begin(struct fm_maps *maps)
{
	const struct mm_struct *mm = current->mm;
	u32 slot = hash_ptr(mm, ilog2(FM_VIEWS));
	struct fm_view *view = &maps->views[slot];

	maps->unverified = false;
	maps->looks_up = false;
	maps->base = &maps->bases[slot];
	if (likely(fm_view_holds(view, mm)))
		maps->view = view->number;
	else
		fm_maps_renew(maps, view);
}

/* End a walk. */
static inline void fm_maps_end(struct fm_maps *maps)
{
	if (unlikely(maps->locked))
		fm_maps_unlock_later(maps);
}

#endif /* _FLAMEMOD_USER_MAPS_H */
