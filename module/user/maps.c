// SPDX-License-Identifier: GPL-2.0
/*
 * A CPU's cache that finds objects by the addresses of processes: see maps.h.
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "../compat/compat.h"
#include "maps.h"
#include "page.h"

#define FM_MAPS_JIFFIES		(HZ / 10 + 1)
/* In one of so many views, the first walk looks up each row. */
#define FM_MAPS_LOOK_UPS	64

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
	maps->may_lock = !IS_ENABLED(CONFIG_PREEMPT_RT);
	maps->shift = maps->may_lock && FM_ARCH_COUNTS_FLUSHES ? 16 : PAGE_SHIFT;
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
	if (!maps->may_lock || maps->unlock || !mmap_read_trylock(mm))
		return false;
	maps->locked = mm;
	return true;
}

/**
 * fm_maps_renew() - replace the view of the current process.
 * @maps: the cache
 * @view: the view
 *
 * The first walk of a process after its view has ended by time looks up each row, and so
 * does the first in one of FM_MAPS_LOOK_UPS views: this marks rows as used, so that those
 * in use are not the first to go when memory is short.
 *
 * Context: Hard interrupt.
 */
void fm_maps_renew(struct fm_maps *maps, struct fm_view *view)
{
	const struct mm_struct *mm = current->mm;
	u64 space = fm_maps_space(mm);

	maps->looks_up = view->space == space && fm_view_is_old(view);
	*view = (struct fm_view){
		.space = space,
		.flushes = fm_mappings_flushes(mm),
		.stamp = fm_maps_stamp(mm),
		.until = jiffies + FM_MAPS_JIFFIES,
		.number = ++maps->nr_views,
	};
	if (FM_ARCH_COUNTS_FLUSHES)
		memset64(maps->base->to_frame, FM_BASE_NONE, FM_BASES);
	maps->looks_up |= view->number % FM_MAPS_LOOK_UPS == 0;
	maps->view = view->number;
}

/**
 * fm_maps_unlock_later() - let the lock be released after this interrupt.
 * @maps: the cache, in a walk that has locked the mappings
 *
 * Context: Hard interrupt.
 */
void fm_maps_unlock_later(struct fm_maps *maps)
{
	/* As in bpf/mmap_unlock_work.h: another context releases the lock. */
	rwsem_release(&maps->locked->mmap_lock.dep_map, _RET_IP_);
	maps->unlock = maps->locked;
	maps->locked = NULL;
	irq_work_queue(&maps->unlock_work);
}

/* Let an entry apply to the current process's mappings, as they look now. */
static void fm_maps_own(const struct fm_maps *maps, struct fm_map *map)
{
	map->space = fm_maps_space(current->mm);
	map->view = maps->view;
}

/* Let an entry describe a page of text. */
static void fm_maps_fill_page(struct fm_maps *maps, struct fm_map *map,
			      const struct fm_page *page, unsigned long address)
{
	struct fm_vdso vdso;

	map->start = address & PAGE_MASK;
	map->end = map->start + PAGE_SIZE;
	map->object = NULL;
	switch (page->kind) {
	case FM_PAGE_FILE:
		map->object = fm_objects_find(maps->objects, page->inode,
					      fm_runner_of_current(maps->objects));
		map->kind = map->object ? FM_MAP_OBJECT : FM_MAP_FOREIGN;
		map->delta = (page->index << PAGE_SHIFT) - map->start;
		return;
	case FM_PAGE_ANONYMOUS:
		map->kind = FM_MAP_ANONYMOUS;
		return;
	case FM_PAGE_DATA:
		map->kind = FM_MAP_NONE;
		return;
	default:
		vdso = fm_arch_vdso_page(current->mm, map->start, page->pfn);
		map->object = fm_objects_find_vdso(maps->objects, &vdso);
		map->kind = map->object ? FM_MAP_OBJECT : FM_MAP_UNSURE;
		if (map->object)
			map->delta = -(unsigned long)current->mm->context.vdso;
	}
}

/*
 * Find what is mapped at an address by the page that is there. So the stack of a process
 * that is changing its mappings itself is known.
 * Return: false if there is no page. Else the entry is the address's: if it was
 * another's or for another place, it is now for that page alone.
 */
static bool fm_maps_by_page(struct fm_maps *maps, struct fm_map *map, bool is_mine,
			    unsigned long address)
{
	struct fm_page page;
	struct fm_map found = {};

	fm_page_look(current->mm, address, &page);
	if (page.kind == FM_PAGE_ABSENT)
		return false;
	fm_maps_fill_page(maps, &found, &page, address);
	if (is_mine && found.kind == FM_MAP_OBJECT && map->object == found.object &&
	    map->delta == found.delta)
		return true;
	fm_maps_own(maps, &found);
	*map = found;
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
	struct fm_map *map = &maps->maps[hash_64((unsigned long)mm ^ address >> maps->shift,
						 ilog2(FM_MAPS))];
	bool is_there = address >= map->start && address < map->end, is_mine;

	if (likely(is_there && map->view == maps->view))
		return map;
	is_mine = is_there && map->space == fm_maps_space(mm);
	/* In each walk, pages are looked at: a lock would take another interrupt to release. */
	if (!FM_ARCH_COUNTS_FLUSHES && fm_maps_by_page(maps, map, false, address) &&
	    map->kind != FM_MAP_UNSURE)
		return map;
	if (!fm_maps_lock(maps)) {
		if (fm_maps_by_page(maps, map, is_mine, address))
			return map;
		maps->unverified = true;
		return is_mine ? map : NULL;
	}
	fm_maps_own(maps, map);
	fm_map_fill(maps->objects, map, fm_compat_find_vma(current->mm, address), address,
		    fm_runner_of_current(maps->objects));
	return map;
}

/**
 * fm_maps_request() - ask for the rows of an address.
 * @maps: the cache, in a walk
 * @object: the object that was found there
 * @address: the address
 *
 * Context: Hard interrupt.
 */
void fm_maps_request(struct fm_maps *maps, struct fm_object *object,
		     unsigned long address)
{
	struct fm_request request = {
		.object = object,
		.runner = fm_runner_of_current(maps->objects),
	};
	const struct vm_area_struct *vma;
	struct fm_map found;

	request.runner.budget = fm_budget_of_current(maps->objects);
	if (!fm_maps_lock(maps)) {
		request.mm = current->mm;
		request.address = address;
		fm_objects_request(maps->objects, &request);
		return;
	}
	vma = fm_compat_find_vma(current->mm, address);
	fm_map_fill(maps->objects, &found, vma, address, request.runner);
	/* The mapping may have changed since it was cached. */
	if (found.kind != FM_MAP_OBJECT || found.object != object)
		return;
	request.file = vma->vm_file;
	request.chunk = fm_chunk_number(address + found.delta);
	fm_objects_request(maps->objects, &request);
}

/**
 * fm_maps_list() - list the current process's mappings of text, or let the worker do so.
 * @maps: the cache, in a walk
 * @mappings: set to them
 *
 * Context: Hard interrupt.
 */
void fm_maps_list(struct fm_maps *maps, struct fm_mappings *mappings)
{
	if (fm_maps_lock(maps))
		fm_mappings_list(maps->objects, mappings, current->mm,
				 fm_runner_of_current(maps->objects));
	else
		fm_mappings_want(mappings, current->mm);
}
