// SPDX-License-Identifier: GPL-2.0
/*
 * Tracks what the units under test allocate: see allocations.h.
 *
 * Locking: the lock is for workers of a session that is under test; a case
 * itself is one thread.
 */
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "allocations.h"

/* Stands before each allocation; its size keeps the allocation aligned. */
struct fm_allocation {
	struct list_head list;
	size_t bytes;
	u64 mark;
	bool pages;		/* to be freed as such */
} __aligned(64);

#define FM_MARK		0x5afe600d5afe600dull
#define FM_MARK_FREED	0xdeadf1eedeadf1eeull

static DEFINE_SPINLOCK(fm_lock);
static LIST_HEAD(fm_live);
static unsigned int fm_nr_live;
static unsigned int fm_nr_made;
static unsigned int fm_nr_damaged;
static unsigned int fm_nth;		/* the one that fails, 0 for none */
static bool fm_has_failed;

bool fm_allocations_refuse(void)
{
	unsigned long flags;
	bool refuse;

	spin_lock_irqsave(&fm_lock, flags);
	fm_nr_made++;
	refuse = fm_nth && !--fm_nth;
	fm_has_failed |= refuse;
	spin_unlock_irqrestore(&fm_lock, flags);
	return refuse;
}

void *fm_allocations_zeroed(size_t bytes)
{
	const u64 mark = FM_MARK;
	struct fm_allocation *a;
	unsigned long flags;

	if (fm_allocations_refuse())
		return NULL;
	a = kvzalloc(sizeof(*a) + bytes + sizeof(mark), GFP_KERNEL);
	if (!a)
		return NULL;
	a->bytes = bytes;
	a->mark = mark;
	a->pages = false;
	memcpy((void *)(a + 1) + bytes, &mark, sizeof(mark));
	spin_lock_irqsave(&fm_lock, flags);
	list_add(&a->list, &fm_live);
	fm_nr_live++;
	spin_unlock_irqrestore(&fm_lock, flags);
	return a + 1;
}

/* Not zeroed, like kmalloc(). */
void *fm_allocations_dirty(size_t bytes)
{
	void *p = fm_allocations_zeroed(bytes);

	return p ? memset(p, 0xa5, bytes) : NULL;
}

/* Whole pages, like alloc_pages_exact(). */
void *fm_allocations_pages(size_t bytes, gfp_t flags)
{
	void *p = flags & __GFP_ZERO ? fm_allocations_zeroed(bytes) : fm_allocations_dirty(bytes);

	if (p)
		((struct fm_allocation *)p - 1)->pages = true;
	return p;
}

/* Of what is allocated, and not freed yet. */
bool fm_allocations_are_pages(const void *p)
{
	return ((const struct fm_allocation *)p - 1)->pages;
}

void *fm_allocations_copy(const void *from, size_t bytes)
{
	void *p = fm_allocations_zeroed(bytes);

	return p ? memcpy(p, from, bytes) : NULL;
}

char *fm_allocations_printf(const char *format, ...)
{
	va_list args;
	size_t bytes;
	char *p;

	va_start(args, format);
	bytes = vsnprintf(NULL, 0, format, args) + 1;
	va_end(args);
	p = fm_allocations_zeroed(bytes);
	if (!p)
		return NULL;
	va_start(args, format);
	vsnprintf(p, bytes, format, args);
	va_end(args);
	return p;
}

static void fm_allocations_end(const void *p, bool pages, size_t bytes)
{
	struct fm_allocation *a = (struct fm_allocation *)p - 1;
	const u64 mark = FM_MARK;
	unsigned long flags;
	bool known;

	spin_lock_irqsave(&fm_lock, flags);
	known = a->mark == mark;
	if (!known || memcmp(p + a->bytes, &mark, sizeof(mark)) || a->pages != pages ||
	    (pages && a->bytes != bytes))
		fm_nr_damaged++;
	if (known) {
		a->mark = FM_MARK_FREED;
		list_del(&a->list);
		fm_nr_live--;
	}
	spin_unlock_irqrestore(&fm_lock, flags);
	if (known)
		kvfree(a);
}

void fm_allocations_free(const void *p)
{
	if (p)
		fm_allocations_end(p, false, 0);
}

void fm_allocations_free_pages(const void *p, size_t bytes)
{
	if (p)
		fm_allocations_end(p, true, bytes);
}

/* Make the nth allocation from now on fail, and no other. */
void fm_allocations_fail(unsigned int nth)
{
	fm_nth = nth;
	fm_nr_made = 0;
	fm_has_failed = false;
}

bool fm_allocations_failed(void)
{
	return fm_has_failed;
}

unsigned int fm_allocations_live(void)
{
	return fm_nr_live;
}

/* Allocations since the last fm_allocations_fail(), including the failed one. */
unsigned int fm_allocations_made(void)
{
	return fm_nr_made;
}

int fm_allocations_init(struct kunit *test)
{
	fm_allocations_fail(0);
	fm_nr_damaged = 0;
	return 0;
}

void fm_allocations_exit(struct kunit *test)
{
	struct fm_allocation *a, *next;

	KUNIT_EXPECT_EQ_MSG(test, fm_nr_live, 0, "not freed");
	KUNIT_EXPECT_EQ_MSG(test, fm_nr_damaged, 0,
			    "freed and not so allocated, or written past the end");
	/* Do not report this case's leak in the next case, too. */
	list_for_each_entry_safe(a, next, &fm_live, list)
		fm_allocations_end(a + 1, a->pages, a->bytes);
	fm_allocations_fail(0);
}

void fm_allocations_fail_each(struct kunit *test, unsigned int expected_nr,
			      int expected_err,
			      int (*attempt)(struct kunit *test, void *data),
			      void (*cleanup)(struct kunit *test, void *data),
			      void *data)
{
	unsigned int before = fm_allocations_live(), nth;
	bool failed = true;
	int err;

	for (nth = 1; failed && nth <= expected_nr + 1; nth++) {
		fm_allocations_fail(nth);
		err = attempt(test, data);
		failed = fm_allocations_failed();
		fm_allocations_fail(0);
		KUNIT_EXPECT_EQ_MSG(test, err, failed ? expected_err : 0,
				    "allocation %u failing", nth);
		cleanup(test, data);
		KUNIT_EXPECT_EQ_MSG(test, fm_allocations_live(), before,
				    "after allocation %u had failed", nth);
	}
	KUNIT_EXPECT_FALSE_MSG(test, failed, "more than %u allocations",
			       expected_nr);
	KUNIT_EXPECT_EQ_MSG(test, nth - 2, expected_nr, "allocations");
}
