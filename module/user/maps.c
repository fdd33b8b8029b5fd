// SPDX-License-Identifier: GPL-2.0
/*
 * A CPU's cache that finds objects by the addresses of processes: see maps.h.
 */
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "../compat/compat.h"
#include "maps.h"

#define FM_MAPS_JIFFIES		(HZ / 10 + 1)
/* The most mappings that are looked at to list those of text. */
#define FM_MAPS_VISITS		256
/* In one of so many views, the first walk looks up each row. */
#define FM_MAPS_LOOK_UPS	64

#ifdef CONFIG_X86_64
/* Return: a number of this memory that no other ever has. */
static u64 fm_maps_space(const struct mm_struct *mm)
{
	return mm->context.ctx_id;
}

/*
 * Return: how often the TLB was flushed for this memory. A page that is unmapped is
 * flushed before munmap() or mmap() lets anything else be mapped there. Text that was run
 * since it was read last is mapped.
 */
static u64 fm_maps_flushes(const struct mm_struct *mm)
{
	return atomic64_read(&mm->context.tlb_gen);
}
#else
/* There are no user stacks: see fm_user_stacks_exist(). */
static u64 fm_maps_space(const struct mm_struct *mm)
{
	return 0;
}

static u64 fm_maps_flushes(const struct mm_struct *mm)
{
	return 0;
}
#endif

/*
 * Return: a number that changes when a process maps or unmaps text, unless text of the
 * same size is mapped instead: then fm_maps_flushes() changes.
 */
static u64 fm_maps_stamp(const struct mm_struct *mm)
{
	return READ_ONCE(mm->exec_vm) + ((u64)READ_ONCE(mm->map_count) << 40);
}

static void fm_maps_unlock(struct irq_work *work)
{
	struct fm_maps *maps = container_of(work, struct fm_maps, unlock_work);
	struct mm_struct *mm = maps->unlock;

	maps->unlock = NULL;
	mmap_read_unlock_non_owner(mm);
}

/**
 * fm_maps_create() - create an empty cache.
 * @objects: the objects that it finds
 * @node: the memory node of the CPU that will use it
 *
 * Context: Process context, may sleep.
 * Return: the cache, or NULL when memory is short.
 */
struct fm_maps *fm_maps_create(struct fm_objects *objects, int node)
{
	struct fm_maps *maps = vzalloc_node(sizeof(*maps), node);

	if (!maps)
		return NULL;
	maps->objects = objects;
	init_irq_work(&maps->unlock_work, fm_maps_unlock);
	return maps;
}

/**
 * fm_maps_destroy() - free a cache.
 * @maps: the cache, no longer in use; or NULL
 *
 * Context: Process context, may sleep.
 */
void fm_maps_destroy(struct fm_maps *maps)
{
	if (maps)
		irq_work_sync(&maps->unlock_work);
	vfree(maps);
}

/* Lock the current process's mappings, unless that would wait. */
static bool fm_maps_lock(struct fm_maps *maps)
{
	struct mm_struct *mm = current->mm;

	if (maps->locked)
		return true;
	/* The irq_work that releases the last walk's lock may not have run yet. */
	if (maps->unlock || !mmap_read_trylock(mm))
		return false;
	maps->locked = mm;
	return true;
}

/**
 * fm_maps_begin() - start a walk of the current process.
 * @maps: the cache
 *
 * The first walk of a process after its view has ended by time looks up each row, and so
 * does the first in one of FM_MAPS_LOOK_UPS views: this marks rows as used, so that those
 * in use are not the first to go when memory is short.
 *
 * Context: Hard interrupt.
 */
void fm_maps_begin(struct fm_maps *maps)
{
	const struct mm_struct *mm = current->mm;
	u32 slot = hash_ptr(mm, ilog2(FM_VIEWS));
	struct fm_view *view = &maps->views[slot];
	u64 space = fm_maps_space(mm), flushes = fm_maps_flushes(mm);
	bool is_old = !time_before(jiffies, view->until);
	bool is_same = view->space == space;
	u64 stamp = fm_maps_stamp(mm);

	maps->unverified = false;
	maps->looks_up = is_same && is_old;
	maps->base = &maps->bases[slot];
	if (!is_same || view->flushes != flushes || view->stamp != stamp || is_old) {
		*view = (struct fm_view){
			.space = space,
			.flushes = flushes,
			.stamp = stamp,
			.until = jiffies + FM_MAPS_JIFFIES,
			.number = ++maps->nr_views,
		};
		memset64(maps->base->to_frame, FM_BASE_NONE, FM_BASES);
		maps->looks_up |= view->number % FM_MAPS_LOOK_UPS == 0;
	}
	maps->view = view->number;
}

/**
 * fm_maps_end() - end a walk; the lock is released after this interrupt.
 * @maps: the cache
 *
 * Context: Hard interrupt.
 */
void fm_maps_end(struct fm_maps *maps)
{
	if (!maps->locked)
		return;
	/* As in bpf/mmap_unlock_work.h: another context releases the lock. */
	rwsem_release(&maps->locked->mmap_lock.dep_map, _RET_IP_);
	maps->unlock = maps->locked;
	maps->locked = NULL;
	irq_work_queue(&maps->unlock_work);
}

#ifdef CONFIG_X86_64
static const struct vdso_image *fm_maps_vdso(const struct vm_area_struct *vma)
{
	const struct mm_struct *mm = vma->vm_mm;

	return vma->vm_start == (unsigned long)mm->context.vdso ?
	       mm->context.vdso_image : NULL;
}
#else
static const struct vdso_image *fm_maps_vdso(const struct vm_area_struct *vma)
{
	return NULL;
}
#endif

/* Fill an entry from the mapping of an address. The mappings are locked. */
static void fm_maps_fill(struct fm_maps *maps, struct fm_map *map,
			 const struct vm_area_struct *vma, unsigned long address)
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
		map->object = fm_objects_find_vdso(maps->objects, fm_maps_vdso(vma));
		map->kind = map->object ? FM_MAP_OBJECT : FM_MAP_ANONYMOUS;
		/* The image is mapped from its start. */
		if (map->object)
			map->delta = -vma->vm_start;
		return;
	}
	map->object = fm_objects_find(maps->objects, vma->vm_file);
	map->kind = map->object ? FM_MAP_OBJECT : FM_MAP_FOREIGN;
}

/* Let an entry apply to the current process's mappings, as they look now. */
static void fm_maps_own(const struct fm_maps *maps, struct fm_map *map)
{
	map->space = fm_maps_space(current->mm);
	map->view = maps->view;
}

/*
 * Look at the page that is mapped at an address, which needs no lock: it tells the file
 * and the place in it, if it is a page of a file that was met before. So the stack of a
 * process that is changing its mappings itself is known.
 * Return: false if the page does not tell. Else the entry is the address's: if it was
 * another's or for another place, it is now for that page alone.
 */
static bool fm_maps_by_page(struct fm_maps *maps, struct fm_map *map, bool is_mine,
			    unsigned long address)
{
	unsigned long start = address & PAGE_MASK;
	struct fm_object *object;
	struct page *page;
	u64 offset;

	if (!get_user_page_fast_only(start, 0, &page))
		return false;
	object = fm_objects_find_page(maps->objects, page, &offset);
	put_page(page);
	if (!object)
		return false;
	if (is_mine && map->object == object && map->delta == offset - start)
		return true;
	fm_maps_own(maps, map);
	map->kind = FM_MAP_OBJECT;
	map->object = object;
	map->start = start;
	map->end = start + PAGE_SIZE;
	map->delta = offset - start;
	return true;
}

/**
 * fm_maps_find() - find the mapping of an address of the current process.
 * @maps: the cache, in a walk
 * @address: an address of user space
 *
 * Context: Hard interrupt.
 * Return: the mapping, or NULL if it cannot be looked up now.
 */
const struct fm_map *fm_maps_find(struct fm_maps *maps, unsigned long address)
{
	const struct mm_struct *mm = current->mm;
	struct fm_map *map = &maps->maps[hash_64((unsigned long)mm ^ address >> 16,
						 ilog2(FM_MAPS))];
	bool is_there = address >= map->start && address < map->end, is_mine;

	if (likely(is_there && map->view == maps->view))
		return map;
	is_mine = is_there && map->space == fm_maps_space(mm);
	if (!fm_maps_lock(maps)) {
		if (fm_maps_by_page(maps, map, is_mine, address))
			return map;
		maps->unverified = true;
		return is_mine ? map : NULL;
	}
	fm_maps_own(maps, map);
	fm_maps_fill(maps, map, fm_compat_find_vma(current->mm, address), address);
	return map;
}

/**
 * fm_maps_request() - ask for the rows of an address.
 * @maps: the cache, in a walk
 * @object: the object that was found there
 * @address: the address
 *
 * Does nothing if the mappings cannot be locked now: the next sample asks again.
 *
 * Context: Hard interrupt.
 */
void fm_maps_request(struct fm_maps *maps, struct fm_object *object,
		     unsigned long address)
{
	const struct vm_area_struct *vma;
	struct fm_map found;

	if (!fm_maps_lock(maps))
		return;
	vma = fm_compat_find_vma(current->mm, address);
	fm_maps_fill(maps, &found, vma, address);
	/* The mapping may have changed since it was cached. */
	if (found.kind == FM_MAP_OBJECT && found.object == object)
		fm_objects_request(maps->objects, object, vma->vm_file,
				   address + found.delta);
}

/**
 * fm_maps_list() - list the current process's mappings of text.
 * @maps: the cache, in a walk
 * @list: room for @max mappings
 * @files: for each of them the file, with a reference, if it is an object's; else NULL
 * @max: how many at most
 * @is_cut: set if there may be more
 *
 * Context: Hard interrupt.
 * Return: how many there are; 0 if they cannot be locked now.
 */
u32 fm_maps_list(struct fm_maps *maps, struct fm_map *list, struct file **files,
		 u32 max, bool *is_cut)
{
	struct vm_area_struct *vma;
	unsigned long at = 0;
	u32 nr = 0, visits;

	*is_cut = true;
	if (!fm_maps_lock(maps))
		return 0;
	for (visits = 0; visits < FM_MAPS_VISITS && nr < max; visits++) {
		vma = fm_compat_find_vma(current->mm, at);
		if (!vma) {
			*is_cut = false;
			break;
		}
		at = vma->vm_end;
		if (!(vma->vm_flags & VM_EXEC))
			continue;
		fm_maps_fill(maps, &list[nr], vma, vma->vm_start);
		files[nr] = list[nr].kind == FM_MAP_OBJECT && vma->vm_file ?
			    get_file(vma->vm_file) : NULL;
		nr++;
	}
	return nr;
}
