/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracks what the units under test allocate, and fails allocations on request.
 *
 * Each allocation is listed until it is freed, and has a mark after its end.
 * A test case fails if it leaves anything allocated, frees what was not
 * allocated, or writes past an end.
 */
#ifndef _FM_ALLOCATIONS_H
#define _FM_ALLOCATIONS_H

#include <linux/types.h>

struct kunit;

/* For every suite's .init and .exit. */
int fm_allocations_init(struct kunit *test);
void fm_allocations_exit(struct kunit *test);

void fm_allocations_fail(unsigned int nth);
bool fm_allocations_failed(void);
bool fm_allocations_are_pages(const void *p);
unsigned int fm_allocations_live(void);
unsigned int fm_allocations_made(void);

/*
 * Call attempt() with its first allocation failing, then with its second, and
 * so on until none failed. attempt() must return an error exactly if one failed.
 * cleanup() must then leave nothing allocated that was not before. Expects this
 * to take expected_nr failures.
 */
void fm_allocations_fail_each(struct kunit *test, unsigned int expected_nr,
			      int expected_err,
			      int (*attempt)(struct kunit *test, void *data),
			      void (*cleanup)(struct kunit *test, void *data),
			      void *data);

/* These replace the kernel's functions: see redirect.h. */
void *fm_allocations_zeroed(size_t bytes);
void *fm_allocations_dirty(size_t bytes);
void *fm_allocations_pages(size_t bytes, gfp_t flags);
void *fm_allocations_copy(const void *from, size_t bytes);
char *fm_allocations_printf(const char *format, ...) __printf(1, 2);
void fm_allocations_free(const void *p);
void fm_allocations_free_pages(const void *p, size_t bytes);
bool fm_allocations_refuse(void);

#endif /* _FM_ALLOCATIONS_H */
