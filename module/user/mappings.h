/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a process has mapped as text, by its own list of mappings.
 *
 * The timer looks at the list if it can lock it at once. If it cannot, it notes the
 * process for the worker, which may wait. The worker finds the list as it is then:
 * it tells which rows are needed, and, if nothing that was in use was unmapped since,
 * what was mapped. If the process is gone by then, nothing is known. The note keeps the
 * process's struct mm_struct, but not its memory, which goes when the process does.
 *
 * Locking: the current process's list, or that of a process that the worker has a
 * reference to, is locked for reading by who looks at it.
 */
#ifndef _FLAMEMOD_USER_MAPPINGS_H
#define _FLAMEMOD_USER_MAPPINGS_H

#include <linux/atomic.h>
#include <linux/mm_types.h>

#include "arch.h"
#include "object.h"

#define FM_MAPPINGS		32	/* of text of one process */

enum fm_map_kind {
	FM_MAP_NONE,		/* no text is mapped there */
	FM_MAP_OBJECT,		/* text of a file, or of the vdso */
	FM_MAP_ANONYMOUS,	/* text without a file: made at run time */
	FM_MAP_FOREIGN,		/* a file that may not be read: see fm_objects_find() */
	FM_MAP_UNSURE,		/* text; the page does not know its file */
};

struct fm_map {
	unsigned long start;
	unsigned long end;
	u64 delta;		/* from an address to an offset in the file */
	struct fm_object *object;
	u64 space;		/* whose memory: see fm_maps_space() */
	u64 view;		/* the number of the view that it belongs to: see maps.h */
	u8 kind;		/* enum fm_map_kind */
};

/* A process's mappings of text. */
struct fm_mappings {
	u32 nr;
	bool is_cut;		/* there are more */
	struct fm_map maps[FM_MAPPINGS];
	struct file *files[FM_MAPPINGS];	/* references, of maps that are of a file */

	/* What the worker is to list: */
	struct mm_struct *mm;	/* a reference; NULL: nothing, or that is done */
	u64 flushes;		/* see fm_mappings_flushes() */
	bool is_other;		/* what the worker listed may be mapped since then */
};

/**
 * fm_mappings_flushes() - count the flushes of the TLB for a process's memory.
 * @mm: its memory
 *
 * A page that is unmapped is flushed before munmap() or mmap() lets anything else be
 * mapped there. Text that was run since it was read last is mapped.
 *
 * Context: Any. Takes no lock.
 * Return: how many there were so far; 0 if nothing counts them (FM_ARCH_COUNTS_FLUSHES).
 */
static inline u64 fm_mappings_flushes(const struct mm_struct *mm)
{
	return fm_arch_flushes(mm);
}

void fm_map_fill(struct fm_objects *objects, struct fm_map *map,
		 const struct vm_area_struct *vma, unsigned long address,
		 struct fm_runner runner);
void fm_mappings_list(struct fm_objects *objects, struct fm_mappings *mappings,
		      struct mm_struct *mm, struct fm_runner runner);
void fm_mappings_want(struct fm_mappings *mappings, struct mm_struct *mm);

/* For the worker. */
void fm_mappings_list_wanted(struct fm_objects *objects, struct fm_mappings *mappings,
			     struct fm_runner runner);
bool fm_mappings_open(struct fm_objects *objects, struct fm_request *request);

#endif /* _FLAMEMOD_USER_MAPPINGS_H */
