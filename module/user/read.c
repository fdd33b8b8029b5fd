// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the bytes of objects: see read.h.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/shmem_fs.h>
#include <linux/string.h>
#include <linux/xarray.h>

#include "../compat/compat.h"
#include "object.h"
#include "read.h"

static int fm_object_read_vdso(const struct fm_object *object, u64 offset, void *to,
			       size_t bytes)
{
	const struct fm_object_id *id = &object->id;

	if (offset > id->size || bytes > id->size - offset)
		return -EFAULT;
	memcpy(to, (void *)(unsigned long)id->vdso + offset, bytes);
	return 0;
}

/*
 * Return: whether a page of a file that is in memory only was never written. To read it
 * would allocate it, until the file is deleted, and nobody would be charged for it.
 */
static bool fm_object_is_hole(struct address_space *mapping, pgoff_t index)
{
	if (fm_compat_reads_pages(mapping) && !mapping_unevictable(mapping))
		return false;
	/* A page that was swapped out has an entry. */
	return !xa_load(&mapping->i_pages, index);
}

/* End an attempt before it is done. Return: an error for all that it reads. */
static int fm_attempt_cut(struct fm_attempt *attempt)
{
	attempt->is_cut = true;
	return -EINTR;
}

/* Read a page that is not in memory, of a file without a server. */
static struct page *fm_object_wait_for_page(struct fm_attempt *attempt,
					    struct address_space *mapping, pgoff_t index)
{
	struct file *file = attempt->request->file;
	u64 began_ns = ktime_get_ns();
	struct page *page;

	if (fm_compat_reads_pages(mapping)) {
		/*
		 * While its blocks are given back, no page of it may be read, or that page
		 * would show what others write to them later. Who does so may take long.
		 */
		if (!fm_compat_trylock_pages(mapping))
			return ERR_PTR(fm_attempt_cut(attempt));
		page = read_mapping_page(mapping, index, file);
		fm_compat_unlock_pages(mapping);
	} else if (mapping->host->i_sb->s_magic == TMPFS_MAGIC) {
		page = shmem_read_mapping_page(mapping, index);
	} else {
		page = ERR_PTR(-EIO);
	}
	attempt->waited_ns += ktime_get_ns() - began_ns;
	return page;
}

/*
 * Get a page of a file, with a reference. Return: the page; NULL if it is all zeros; or an
 * error, -EAGAIN if it must be fetched.
 */
static struct page *fm_object_page(struct fm_attempt *attempt, u64 offset)
{
	struct address_space *mapping = attempt->request->file->f_mapping;
	pgoff_t index = offset >> PAGE_SHIFT;
	struct page *page = fm_compat_cached_page(mapping, index);

	/* Memory that has failed must not be read. */
	if (page && !PageHWPoison(page))
		return page;
	if (page)
		put_page(page);
	if (!attempt->is_local) {
		if (attempt->request->is_refused)
			return ERR_PTR(-EIO);
		attempt->lacks = true;
		attempt->lacking = offset;
		return ERR_PTR(-EAGAIN);
	}
	if (fm_object_is_hole(mapping, index))
		return NULL;
	if (attempt->waited_ns > FM_ATTEMPT_WAIT_NS)
		return ERR_PTR(fm_attempt_cut(attempt));
	return fm_object_wait_for_page(attempt, mapping, index);
}

/* Copy a part of a file's page, which is in the kernel's own mapping. */
static int fm_object_read_page(struct fm_attempt *attempt, u64 offset, void *to,
			       size_t bytes)
{
	struct page *page = fm_object_page(attempt, offset);

	if (IS_ERR(page))
		return PTR_ERR(page);
	if (!page) {
		memset(to, 0, bytes);
		return 0;
	}
	memcpy(to, page_address(page) + offset_in_page(offset), bytes);
	put_page(page);
	return 0;
}

/*
 * Read a file from the page cache, as uprobes do. This does not wait for a listener
 * of fanotify, which may never answer, and does not change the time of access. A file that
 * has no pages, such as one on DAX, is not read.
 */
static int fm_object_read_file(struct fm_attempt *attempt, u64 offset, void *to,
			       size_t bytes)
{
	const struct file *file = attempt->request->file;
	loff_t size = i_size_read(file_inode(file));
	int err = 0;

	if (offset > size || bytes > size - offset)
		return -EFAULT;
	if (!fm_compat_reads_pages(file->f_mapping) &&
	    file_inode(file)->i_sb->s_magic != TMPFS_MAGIC)
		return -EOPNOTSUPP;
	while (bytes && !err) {
		size_t part = min_t(size_t, bytes, PAGE_SIZE - offset_in_page(offset));

		err = fm_object_read_page(attempt, offset, to, part);
		to += part;
		offset += part;
		bytes -= part;
	}
	return err;
}

/**
 * fm_object_read() - read an object's bytes, for fm_elf.
 * @arg: the struct fm_attempt that they are read for
 * @offset: where in the file
 * @to: where to store them
 * @bytes: how many
 *
 * Context: Process context, may sleep, in the worker.
 * Return: 0 or -errno; -EAGAIN if a part of the file must be fetched: then the attempt
 * says which; -EINTR if the attempt has taken too long, or the module goes.
 */
int fm_object_read(void *arg, u64 offset, void *to, size_t bytes)
{
	struct fm_attempt *attempt = arg;

	cond_resched();
	if (READ_ONCE(attempt->objects->stopping))
		return fm_attempt_cut(attempt);
	attempt->bytes += bytes;
	if (attempt->request->file)
		return fm_object_read_file(attempt, offset, to, bytes);
	return fm_object_read_vdso(attempt->request->object, offset, to, bytes);
}
