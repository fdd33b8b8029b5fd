// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers for the comms of wakers: see wakers.h.
 */
#include <linux/errno.h>
#include <linux/random.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "wakers.h"

/**
 * fm_wakers_init() - allocate an empty table of comms, unless there is one.
 * @wakers: all zero, or set up
 * @node: the memory node of the CPU that will use it
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_wakers_init(struct fm_wakers *wakers, int node)
{
	if (wakers->slots)
		return 0;
	wakers->slots = vzalloc_node(FM_WAKERS_BYTES, node);
	if (!wakers->slots)
		return -ENOMEM;
	/* A process chooses its comm; with a known factor it could choose those that collide. */
	get_random_bytes(&wakers->secret, sizeof(wakers->secret));
	wakers->secret |= 1;
	return 0;
}

/**
 * fm_wakers_deinit() - free the table.
 * @wakers: set up, or all zero
 *
 * Context: Process context.
 */
void fm_wakers_deinit(struct fm_wakers *wakers)
{
	vfree(wakers->slots);
	memset(wakers, 0, sizeof(*wakers));
}

/**
 * fm_wakers_clear() - forget all comms.
 * @wakers: set up, or all zero
 *
 * Context: Any; the caller owns the table.
 */
void fm_wakers_clear(struct fm_wakers *wakers)
{
	if (wakers->nr)
		memset(wakers->slots, 0, FM_WAKERS_BYTES);
	wakers->nr = 0;
	wakers->last = 0;
	memset(wakers->joined, 0, sizeof(wakers->joined));
}

/* Copy a comm without what is after its end, so that equal ones have equal bytes. */
static struct fm_waker fm_wakers_copy(const char *comm)
{
	char text[TASK_COMM_LEN] = {};
	struct fm_waker waker;
	unsigned int i;

	for (i = 0; i < TASK_COMM_LEN - 1 && comm[i]; i++)
		text[i] = comm[i];
	memcpy(&waker, text, sizeof(waker));
	return waker;
}

/**
 * fm_wakers_find() - return the number of a comm; see fm_wakers_number().
 * @wakers: the table
 * @comm: a copy of a task's, TASK_COMM_LEN bytes
 *
 * Context: Any; the caller owns the table.
 * Return: as fm_wakers_number().
 */
u32 fm_wakers_find(struct fm_wakers *wakers, const char *comm)
{
	struct fm_waker waker = fm_wakers_copy(comm);
	u64 hash = (waker.comm[0] ^ (waker.comm[1] * wakers->secret >> 17)) * wakers->secret;
	u32 slot = hash >> (64 - FM_WAKERS_BITS), i;

	if (!waker.comm[0])
		return FM_WAKER_OTHER;
	for (i = 0; i < FM_WAKERS_PROBES; i++, slot = (slot + 1) % FM_WAKERS_SLOTS) {
		struct fm_waker *at = &wakers->slots[slot];

		if (at->comm[0] == waker.comm[0] && at->comm[1] == waker.comm[1])
			return slot + 1;
		if (at->comm[0])
			continue;
		if (wakers->nr == FM_WAKERS_MAX)
			break;
		wakers->nr++;
		*at = waker;
		return slot + 1;
	}
	return FM_WAKER_OTHER;
}

/**
 * fm_wakers_name() - return what a note is called.
 * @wakers: the table
 * @note: a number of a comm in it, or a note of an interrupt or of others
 * @comm: room for TASK_COMM_LEN bytes
 *
 * Context: Any; nobody adds to the table meanwhile, or what is added is not @note.
 * Return: @comm, or a constant text.
 */
const char *fm_wakers_name(const struct fm_wakers *wakers, u32 note, char *comm)
{
	switch (note) {
	case FM_WAKER_OTHER:
		return FM_WAKERS_OTHER;
	case FM_WAKER_SOFTIRQ:
		return "[softirq]";
	case FM_WAKER_HARDIRQ:
		return "[hardirq]";
	}
	memcpy(comm, &wakers->slots[note - 1], TASK_COMM_LEN);
	return comm;
}
