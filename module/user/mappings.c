// SPDX-License-Identifier: GPL-2.0
/*
 * What a process has mapped as text, by its own list of mappings: see mappings.h.
 */
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/sched/mm.h>

#include "../compat/compat.h"
#include "mappings.h"

/* The most mappings that are looked at to list those of text. */
#define FM_MAPPINGS_VISITS	256
/* How often the worker tries to lock a process's list, some 50 us apart. */
#define FM_MAPPINGS_TRIES	20

/**
 * fm_map_fill() - describe the mapping of an address.
 * @objects: the objects
 * @map: set to the mapping; what says whose it is stays
 * @vma: what find_vma() finds for the address; NULL if that is nothing
 * @address: the address
 * @runner: who runs the process
 *
 * Context: Any; the list of mappings is locked.
 */
void fm_map_fill(struct fm_objects *objects, struct fm_map *map,
		 const struct vm_area_struct *vma, unsigned long address,
		 struct fm_runner runner)
{
	map->object = NULL;
	if (!vma || vma->vm_start > address || !(vma->vm_flags & VM_EXEC)) {
		map->kind = FM_MAP_NONE;
		map->start = address;
		map->end = address + 1;
		return;
	}
	map->start = vma->vm_start;
	map->end = vma->vm_end;
	map->delta = ((u64)vma->vm_pgoff << PAGE_SHIFT) - vma->vm_start;
	if (!vma->vm_file) {
		const struct fm_vdso vdso = fm_arch_vdso(vma);

		map->object = fm_objects_find_vdso(objects, &vdso);
		map->kind = map->object ? FM_MAP_OBJECT : FM_MAP_ANONYMOUS;
		/* The image is mapped from its start. */
		if (map->object)
			map->delta = -vma->vm_start;
		return;
	}
	map->object = fm_objects_find(objects, file_inode(vma->vm_file), runner);
	map->kind = map->object ? FM_MAP_OBJECT : FM_MAP_FOREIGN;
}

/**
 * fm_mappings_list() - list a process's mappings of text.
 * @objects: the objects
 * @mappings: set to them; references are taken to their files
 * @mm: the process's memory
 * @runner: who runs the process
 *
 * Context: Any; the list is locked.
 */
void fm_mappings_list(struct fm_objects *objects, struct fm_mappings *mappings,
		      struct mm_struct *mm, struct fm_runner runner)
{
	struct vm_area_struct *vma;
	unsigned long at = 0;
	u32 nr = 0, visits;

	mappings->is_cut = true;
	for (visits = 0; visits < FM_MAPPINGS_VISITS && nr < FM_MAPPINGS; visits++) {
		struct fm_map *map = &mappings->maps[nr];

		vma = fm_compat_find_vma(mm, at);
		if (!vma) {
			mappings->is_cut = false;
			break;
		}
		at = vma->vm_end;
		if (!(vma->vm_flags & VM_EXEC))
			continue;
		fm_map_fill(objects, map, vma, vma->vm_start, runner);
		mappings->files[nr] = map->kind == FM_MAP_OBJECT && vma->vm_file ?
				      get_file(vma->vm_file) : NULL;
		nr++;
	}
	mappings->nr = nr;
}

/**
 * fm_mappings_want() - let the worker list a process's mappings of text.
 * @mappings: none so far
 * @mm: the current process's memory, to which a reference is taken
 *
 * Context: Hard interrupt. Takes no lock.
 */
void fm_mappings_want(struct fm_mappings *mappings, struct mm_struct *mm)
{
	mmgrab(mm);
	mappings->nr = 0;
	mappings->is_cut = true;
	mappings->flushes = fm_mappings_flushes(mm);
	mappings->is_other = false;
	/* Pairs with fm_copies_list(). */
	smp_store_release(&mappings->mm, mm);
}

/*
 * Lock another process's list. Who holds that lock may wait for the server of a file
 * system, so there is an end to trying. If the process ends meanwhile, its memory is freed
 * by a work of the kernel, if it lets modules ask for that: to free it may take long, and
 * waits for requests of aio, which a server may never answer.
 * Return: false if the process is gone, or it took too long.
 */
static bool fm_mappings_lock(struct mm_struct *mm)
{
	u32 tries;

	if (!mmget_not_zero(mm))
		return false;
	for (tries = 0; tries < FM_MAPPINGS_TRIES; tries++) {
		if (mmap_read_trylock(mm))
			return true;
		usleep_range(25, 75);
	}
	fm_compat_mmput(mm);
	return false;
}

static void fm_mappings_unlock(struct mm_struct *mm)
{
	mmap_read_unlock(mm);
	fm_compat_mmput(mm);
}

/**
 * fm_mappings_list_wanted() - list what fm_mappings_want() noted.
 * @objects: the objects
 * @mappings: the note; none are listed if the process is gone
 * @runner: who runs the process
 *
 * Context: Process context, may sleep, in the worker.
 */
void fm_mappings_list_wanted(struct fm_objects *objects, struct fm_mappings *mappings,
			     struct fm_runner runner)
{
	struct mm_struct *mm = mappings->mm;

	if (!fm_mappings_lock(mm))
		return;
	fm_mappings_list(objects, mappings, mm, runner);
	/* While the list is locked, nothing is mapped. */
	mappings->is_other = mappings->flushes != fm_mappings_flushes(mm) ||
			     !FM_ARCH_COUNTS_FLUSHES;
	fm_mappings_unlock(mm);
}

/**
 * fm_mappings_open() - find the file of a request that has only an address.
 * @objects: the objects
 * @request: the request; its file, with a reference, and its chunk are set
 *
 * Context: Process context, may sleep, in the worker.
 * Return: false if the object is no longer mapped there, or that cannot be told.
 */
bool fm_mappings_open(struct fm_objects *objects, struct fm_request *request)
{
	const struct vm_area_struct *vma;
	struct fm_map map;
	bool is_there;

	if (!fm_mappings_lock(request->mm))
		return false;
	vma = fm_compat_find_vma(request->mm, request->address);
	fm_map_fill(objects, &map, vma, request->address, request->runner);
	is_there = map.kind == FM_MAP_OBJECT && map.object == request->object;
	if (is_there) {
		request->file = vma->vm_file ? get_file(vma->vm_file) : NULL;
		request->chunk = fm_chunk_number(request->address + map.delta);
	}
	fm_mappings_unlock(request->mm);
	return is_there;
}
