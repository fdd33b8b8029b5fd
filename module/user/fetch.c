// SPDX-License-Identifier: GPL-2.0
/*
 * Files whose server may not answer: see fetch.h.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/pagemap.h>
#include <linux/sched.h>

#include "../compat/compat.h"
#include "fetch.h"

/* Read pages into memory. Return: 0, or -errno if there is not even the first one. */
static int fm_fetch_read(const struct fm_fetch *fetch)
{
	struct file *file = fetch->request.file;
	u64 size = i_size_read(file_inode(file)), at = fetch->offset & PAGE_MASK;
	u64 end = min_t(u64, size, at + FM_FETCH_BYTES);
	struct page *page;

	/* It is in memory, and read in another way. */
	if (!fm_compat_reads_pages(file->f_mapping))
		return -EIO;
	for (; at < end && !READ_ONCE(fetch->objects->stopping); at += PAGE_SIZE) {
		/* As in read.c, but this may wait. */
		fm_compat_lock_pages(file->f_mapping);
		page = read_mapping_page(file->f_mapping, at >> PAGE_SHIFT, file);
		fm_compat_unlock_pages(file->f_mapping);
		if (IS_ERR(page))
			return at <= fetch->offset ? PTR_ERR(page) : 0;
		put_page(page);
		cond_resched();
	}
	return 0;
}

/* Process context, may sleep for as long as the server does not answer. */
static void fm_fetch_work(struct work_struct *work)
{
	struct fm_fetch *fetch = container_of(work, struct fm_fetch, work);

	fetch->request.is_refused = fm_fetch_read(fetch);
	/* Pairs with fm_fetch_take(): all is written. */
	smp_store_release(&fetch->state, FM_FETCH_DONE);
	queue_work(system_unbound_wq, &fetch->objects->work);
}

/**
 * fm_fetches_init() - begin without fetches.
 * @objects: the objects
 *
 * Context: Any.
 */
void fm_fetches_init(struct fm_objects *objects)
{
	u32 i;

	for (i = 0; i < FM_FETCHES; i++) {
		struct fm_fetch *fetch = &objects->fetches[i];

		fetch->objects = objects;
		fetch->state = FM_FETCH_FREE;
		INIT_WORK(&fetch->work, fm_fetch_work);
	}
}

/**
 * fm_fetches_wait() - wait until no server is asked any more.
 * @objects: the objects, which are stopping: no fetch begins
 *
 * Context: Process context, may sleep for as long as a server does not answer.
 */
void fm_fetches_wait(struct fm_objects *objects)
{
	u32 i;

	for (i = 0; i < FM_FETCHES; i++)
		flush_work(&objects->fetches[i].work);
}

/**
 * fm_fetch_is_busy() - ask whether a file's server has something to answer already.
 * @objects: the objects
 * @file: the file
 *
 * Context: The worker.
 * Return: true if a file of its file system is being fetched.
 */
bool fm_fetch_is_busy(const struct fm_objects *objects, const struct file *file)
{
	u32 i;

	for (i = 0; i < FM_FETCHES; i++) {
		const struct fm_fetch *fetch = &objects->fetches[i];

		if (READ_ONCE(fetch->state) != FM_FETCH_FREE &&
		    file_inode(fetch->request.file)->i_sb == file_inode(file)->i_sb)
			return true;
	}
	return false;
}

/**
 * fm_fetch_begin() - fetch a part of a file into memory, and then answer a request.
 * @objects: the objects
 * @request: the request, whose server is not busy; a reference is taken to its file
 * @offset: where in its file the part begins
 *
 * Nothing is done if too many servers are busy, or this was done too often for
 * this request: then a later sample asks again.
 *
 * Context: The worker.
 */
void fm_fetch_begin(struct fm_objects *objects, const struct fm_request *request,
		    u64 offset)
{
	u32 i;

	if (request->fetches == FM_FETCHES_OF_REQUEST)
		return;
	for (i = 0; i < FM_FETCHES; i++) {
		struct fm_fetch *fetch = &objects->fetches[i];

		if (READ_ONCE(fetch->state) != FM_FETCH_FREE)
			continue;
		fetch->request = *request;
		fetch->request.file = get_file(request->file);
		fetch->request.fetches++;
		fetch->request.began_ns = 0;
		fetch->offset = offset;
		fetch->state = FM_FETCH_READS;
		queue_work(system_unbound_wq, &fetch->work);
		return;
	}
}

/**
 * fm_fetch_take() - get a request whose fetch is done.
 * @objects: the objects
 * @request: set to the request, to be answered again, with its reference to the file
 *
 * Context: The worker.
 * Return: false if there is none.
 */
bool fm_fetch_take(struct fm_objects *objects, struct fm_request *request)
{
	u32 i;

	for (i = 0; i < FM_FETCHES; i++) {
		struct fm_fetch *fetch = &objects->fetches[i];

		/* Pairs with fm_fetch_work(). */
		if (smp_load_acquire(&fetch->state) != FM_FETCH_DONE)
			continue;
		*request = fetch->request;
		fetch->state = FM_FETCH_FREE;
		return true;
	}
	return false;
}
