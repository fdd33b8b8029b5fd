// SPDX-License-Identifier: GPL-2.0
/*
 * Leaves free memory in small pieces: no more than eight pages in a row.
 *
 * It takes all free blocks of sixteen pages and gives back all pages but the first of
 * each. An allocation of more than eight pages then finds none in a row.
 */
#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>

#define ORDER	4

static LIST_HEAD(shatter_kept);

static void shatter_split(struct page *page)
{
	uint i;

	split_page(page, ORDER);
	list_add(&page->lru, &shatter_kept);
	for (i = 1; i < 1 << ORDER; i++)
		__free_page(page + i);
}

static int __init shatter_init(void)
{
	struct page *page;

	while ((page = alloc_pages(GFP_NOWAIT | __GFP_NOWARN, ORDER))) {
		shatter_split(page);
		cond_resched();
	}
	return 0;
}

static void __exit shatter_exit(void)
{
	struct page *page, *next;

	list_for_each_entry_safe(page, next, &shatter_kept, lru)
		__free_page(page);
}

module_init(shatter_init);
module_exit(shatter_exit);
MODULE_DESCRIPTION("leaves free memory in small pieces");
MODULE_LICENSE("GPL");
