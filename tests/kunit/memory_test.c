// SPDX-License-Identifier: GPL-2.0
/*
 * Memory under a limit, and what grows in it: pools. See set_test.c for sets.
 */
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/memory.h"
#include "../../module/pool.h"
#include "allocations.h"
#include "cached.h"
#include "suites.h"

/* What kmemleak was told of: see redirect.h. */
extern int fm_nr_leaks_known;

/* Sizes that are allocated in turn and kept; they are charged as fm_memory_bytes() says. */
static const struct fm_limit_case {
	const char *name;
	size_t limit, first, second;
	bool has_first, has_second;
} fm_limit_cases[] = {
	{ "both fit", 1024, 256, 512, true, true },
	{ "both fit to the byte", 1024, 512, 512, true, true },
	{ "a byte too much", 1023, 512, 512, true, false },
	{ "the first alone is the limit", 1024, 1024, 1, true, false },
	{ "the first is a byte too much", 1023, 1024, 512, false, true },
	{ "what kmalloc adds fits", 1024, 512, 500, true, true },
	{ "what kmalloc adds is too much", 1023, 512, 500, true, false },
	{ "whole pages fit", 7 * PAGE_SIZE, 6 * PAGE_SIZE - 1, PAGE_SIZE, true, true },
	{ "whole pages are too much", 7 * PAGE_SIZE - 1, PAGE_SIZE, 6 * PAGE_SIZE - 1, true,
	  false },
	/* The kernel would map it page by page: see memory.h. */
	{ "more than a block", SIZE_MAX / 2, FM_MEMORY_BLOCK + 1, FM_MEMORY_BLOCK, false, true },
	{ "so much that the sum overflows", SIZE_MAX / 2, 1, SIZE_MAX, true, false },
	{ "nothing is allowed", 0, 1, 1, false, false },
};

FM_ARRAY_PARAM(limit);

static void alloc_stays_within_the_limit(struct kunit *test)
{
	const struct fm_limit_case *c = test->param_value;
	size_t held = (c->has_first ? fm_memory_bytes(c->first) : 0) +
		      (c->has_second ? fm_memory_bytes(c->second) : 0);
	struct fm_memory memory;
	void *first, *second;

	fm_memory_init(&memory, c->limit);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
	first = fm_memory_alloc(&memory, c->first);
	second = fm_memory_alloc(&memory, c->second);
	KUNIT_EXPECT_EQ(test, !!first, c->has_first);
	KUNIT_EXPECT_EQ(test, !!second, c->has_second);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), held);
	KUNIT_EXPECT_TRUE(test, fm_memory_has_room(&memory, c->limit - held));
	KUNIT_EXPECT_FALSE(test, fm_memory_has_room(&memory, c->limit - held + 1));
	KUNIT_EXPECT_FALSE(test, fm_memory_has_room(&memory, SIZE_MAX));
	fm_memory_free(&memory, second, c->second);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory),
			c->has_first ? fm_memory_bytes(c->first) : 0);
	fm_memory_free(&memory, first, c->first);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
	fm_memory_free(&memory, NULL, 5);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
}

static void alloc_that_fails_is_not_charged(struct kunit *test)
{
	struct fm_memory memory;

	fm_memory_init(&memory, 1000);
	fm_allocations_fail(1);
	KUNIT_EXPECT_NULL(test, fm_memory_alloc(&memory, 100));
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
}

/* What the kernel takes for @p, which was allocated in one of two ways. */
static size_t fm_taken(struct kunit *test, const void *p, size_t bytes)
{
	size_t taken;
	void *real;

	if (fm_allocations_are_pages(p))
		return PAGE_ALIGN(bytes);
	real = kmalloc(bytes, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, real);
	taken = ksize(real);
	kfree(real);
	return taken;
}

static void what_the_kernel_takes_is_charged(struct kunit *test)
{
	struct fm_memory memory;
	size_t bytes, charged;
	void *p;

	fm_memory_init(&memory, 1000000);
	KUNIT_EXPECT_EQ(test, fm_memory_bytes(0), 0);
	for (bytes = 1; bytes <= FM_MEMORY_BLOCK; bytes += bytes / 5 + 1) {
		p = fm_memory_alloc(&memory, bytes);
		KUNIT_ASSERT_NOT_NULL(test, p);
		KUNIT_EXPECT_PTR_EQ(test, memchr_inv(p, 0, bytes), NULL);
		charged = fm_memory_used(&memory);
		KUNIT_EXPECT_EQ(test, charged, fm_memory_bytes(bytes));
		KUNIT_EXPECT_GE(test, charged, fm_taken(test, p, bytes));
		if (bytes > PAGE_SIZE)
			KUNIT_EXPECT_LT(test, charged, bytes + PAGE_SIZE);
		else
			KUNIT_EXPECT_LE(test, charged, 2 * max_t(size_t, bytes, KMALLOC_MIN_SIZE));
		fm_memory_free(&memory, p, bytes);
		KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
	}
}

/* kmemleak searches pages for pointers if it was told of them. */
static void kmemleak_knows_pages(struct kunit *test)
{
	int before = fm_nr_leaks_known;
	struct fm_memory memory;
	void *small, *large;

	fm_memory_init(&memory, 1000000);
	small = fm_memory_alloc(&memory, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, fm_nr_leaks_known, before);
	large = fm_memory_alloc(&memory, PAGE_SIZE + 1);
	KUNIT_EXPECT_EQ(test, fm_nr_leaks_known, before + 1);
	KUNIT_EXPECT_TRUE(test, fm_allocations_are_pages(large));
	KUNIT_EXPECT_FALSE(test, fm_allocations_are_pages(small));
	fm_memory_free(&memory, large, PAGE_SIZE + 1);
	fm_memory_free(&memory, small, PAGE_SIZE);
	fm_allocations_fail(1);
	KUNIT_EXPECT_NULL(test, fm_memory_alloc(&memory, PAGE_SIZE + 1));
	KUNIT_EXPECT_EQ(test, fm_nr_leaks_known, before);
}

static void what_is_cached_is_free(struct kunit *test)
{
	struct fm_memory memory;
	void *block;

	fm_memory_init(&memory, 640);
	fm_cached_begin(&memory);
	KUNIT_EXPECT_TRUE(test, fm_memory_has_room(&memory, 640));
	KUNIT_EXPECT_FALSE(test, fm_memory_has_room(&memory, 641));
	KUNIT_EXPECT_TRUE(test, fm_memory_has_unused(&memory, 256));
	KUNIT_EXPECT_FALSE(test, fm_memory_has_unused(&memory, 257));
	/* No more is given back than is needed. */
	block = fm_memory_alloc(&memory, 256);
	KUNIT_EXPECT_EQ(test, fm_cached_nr(), 3);
	fm_memory_free(&memory, block, 256);
	block = fm_memory_alloc(&memory, 512);
	KUNIT_EXPECT_NOT_NULL(test, block);
	KUNIT_EXPECT_EQ(test, fm_cached_nr(), 1);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 640);
	/* The limit was lowered: there is less than nothing. */
	memory.limit_bytes = 639;
	KUNIT_EXPECT_FALSE(test, fm_memory_has_unused(&memory, 0));
	memory.limit_bytes = 640;
	/* The kernel has no memory, and then it has. */
	fm_memory_free(&memory, block, 512);
	fm_allocations_fail(1);
	block = fm_memory_alloc(&memory, 256);
	KUNIT_EXPECT_NOT_NULL(test, block);
	KUNIT_EXPECT_EQ(test, fm_cached_nr(), 0);
	/* Nothing is left to give. */
	KUNIT_EXPECT_NULL(test, fm_memory_alloc(&memory, 385));
	fm_memory_free(&memory, block, 256);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
}

static void pool_elements_stay(struct kunit *test)
{
	const u32 nr = 2 * FM_POOL_CHUNK + 1;
	struct fm_memory memory;
	struct fm_pool pool;
	u32 **at, *elem, i;

	at = kunit_kcalloc(test, nr, sizeof(*at), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, at);
	fm_memory_init(&memory, 1000000);
	KUNIT_ASSERT_EQ(test, fm_pool_init(&pool, &memory, 24), 0);
	for (i = 0; i < nr; i++) {
		at[i] = fm_pool_add(&pool);
		KUNIT_ASSERT_NOT_NULL(test, at[i]);
		KUNIT_EXPECT_EQ(test, pool.nr, i + 1);
		KUNIT_EXPECT_EQ(test, at[i][0] + at[i][5], 0);
		at[i][0] = i;
		at[i][5] = ~i;
	}
	for (i = 0; i < nr; i++) {
		elem = fm_pool_at(&pool, i);
		KUNIT_EXPECT_PTR_EQ(test, elem, at[i]);
		KUNIT_EXPECT_EQ(test, elem[0], i);
		KUNIT_EXPECT_EQ(test, elem[5], ~i);
	}
	KUNIT_EXPECT_EQ(test, fm_pool_bytes(&pool), fm_memory_used(&memory));
	fm_pool_deinit(&pool);
	KUNIT_EXPECT_EQ(test, pool.nr, 0);
	KUNIT_EXPECT_EQ(test, fm_pool_bytes(&pool), 0);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
	/* A second deinit does no harm. */
	fm_pool_deinit(&pool);
}

/*
 * The limit: a directory of so many chunks, and so many bytes. And how many elements of
 * 16 bytes a pool then takes.
 */
static const struct fm_pool_case {
	u32 dir;
	size_t bytes;
	u32 nr;
} fm_pool_cases[] = {
	{ 1, 0, 0 },
	{ 2, 8192 - 1, 0 },		/* more than a chunk rounds up to two */
	{ 2, 8192, 512 },
	{ 3, 2 * 8192 - 1, 512 },
	{ 3, 2 * 8192, 1024 },
	{ 0, 9 * 8192, 8 * 512 },
};

static void fm_pool_name(const struct fm_pool_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "a directory of %u, %zu bytes", c->dir, c->bytes);
}

KUNIT_ARRAY_PARAM(fm_pool, fm_pool_cases, fm_pool_name);

static void pool_ends_at_the_limit(struct kunit *test)
{
	const struct fm_pool_case *c = test->param_value;
	size_t limit = fm_memory_bytes(c->dir * sizeof(void *)) + c->bytes;
	struct fm_memory memory;
	struct fm_pool pool;
	u32 nr = 0;

	fm_memory_init(&memory, limit);
	KUNIT_ASSERT_EQ(test, fm_pool_init(&pool, &memory, 16), 0);
	while (nr < 100000 && fm_pool_add(&pool))
		nr++;
	KUNIT_EXPECT_EQ(test, nr, c->nr);
	KUNIT_EXPECT_EQ(test, pool.nr, c->nr);
	KUNIT_EXPECT_LE(test, fm_memory_used(&memory), limit);
	KUNIT_EXPECT_NULL(test, fm_pool_add(&pool));
	fm_pool_deinit(&pool);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
}

/* With memory left, the pool ends with its directory. */
static void pool_ends_with_its_directory(struct kunit *test)
{
	struct fm_memory memory;
	struct fm_pool pool;
	u32 nr = 0;

	fm_memory_init(&memory, 2 * 8192);
	KUNIT_ASSERT_EQ(test, fm_pool_init(&pool, &memory, 16), 0);
	memory.limit_bytes = 1000000;
	while (nr < 100000 && fm_pool_add(&pool))
		nr++;
	KUNIT_EXPECT_EQ(test, nr, 2 * FM_POOL_CHUNK);
	fm_pool_deinit(&pool);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
}

/* A directory has room for 4096 chunks; here they have 512 bytes. */
static void pool_grows_beyond_a_directory(struct kunit *test)
{
	const u32 nr_chunks = FM_POOL_DIR + 2;
	struct fm_memory memory;
	struct fm_pool pool;
	u32 i, wrong = 0;
	u8 *elem;

	fm_memory_init(&memory, nr_chunks * FM_POOL_CHUNK + FM_MEMORY_BLOCK);
	KUNIT_ASSERT_EQ(test, fm_pool_init(&pool, &memory, 1), 0);
	KUNIT_EXPECT_EQ(test, fm_allocations_live(), 1);
	memory.limit_bytes *= 2;
	for (i = 0; i < (nr_chunks - 1) * FM_POOL_CHUNK; i++) {
		elem = fm_pool_add(&pool);
		if (!elem)
			break;
		*elem = i / FM_POOL_CHUNK % 251;
	}
	KUNIT_EXPECT_EQ(test, pool.nr, (nr_chunks - 1) * FM_POOL_CHUNK);
	KUNIT_EXPECT_EQ(test, fm_allocations_live(), 2 + nr_chunks - 1);
	for (i = 0; i < pool.nr; i++) {
		elem = fm_pool_at(&pool, i);
		wrong += *elem != i / FM_POOL_CHUNK % 251;
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	fm_pool_deinit(&pool);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
}

/* There are directories for 1 GiB in chunks of 8 KiB, whatever the limit says. */
static void pool_has_so_many_directories(struct kunit *test)
{
	struct fm_memory memory;
	struct fm_pool pool;

	fm_memory_init(&memory, 1l << 30);
	KUNIT_ASSERT_EQ(test, fm_pool_init(&pool, &memory, 16), 0);
	KUNIT_EXPECT_EQ(test, pool.nr_chunks_max, FM_POOL_DIRS * FM_POOL_DIR);
	fm_pool_deinit(&pool);
	KUNIT_ASSERT_EQ(test, fm_pool_init(&pool, &memory, 1), 0);
	KUNIT_EXPECT_EQ(test, pool.nr_chunks_max, FM_POOL_DIRS * FM_POOL_DIR);
	fm_pool_deinit(&pool);
}

/* Pools of a fixed size: elements, the chunks that they are stored in. */
static const struct fm_fixed_case {
	u32 elem_bytes, nr, nr_chunks;
} fm_fixed_cases[] = {
	{ 8, 0, 0 }, { 8, 1, 1 }, { 8, 4096, 1 }, { 8, 4097, 2 }, { 8, 3 * 4096, 3 },
	{ 24, 1024, 1 }, { 24, 1025, 2 }, { 1, 32768, 1 }, { 1, 32769, 2 },
	{ FM_MEMORY_BLOCK, 3, 3 }, { 20000, 4097, 4097 },
};

static void fm_fixed_name(const struct fm_fixed_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%u of %u bytes", c->nr, c->elem_bytes);
}

KUNIT_ARRAY_PARAM(fm_fixed, fm_fixed_cases, fm_fixed_name);

/* What arrays of so many elements in all, and at most so many each, are charged. */
static size_t fm_arrays_bytes(size_t elem_bytes, u32 nr, u32 most)
{
	size_t bytes = 0;

	for (; nr > most; nr -= most)
		bytes += fm_memory_bytes(most * elem_bytes);
	return bytes + fm_memory_bytes(nr * elem_bytes);
}

static void a_fixed_pool_has_all_its_elements(struct kunit *test)
{
	const struct fm_fixed_case *c = test->param_value;
	size_t bytes = fm_pool_fixed_bytes(c->elem_bytes, c->nr);
	u32 nr_dirs = DIV_ROUND_UP(c->nr_chunks, FM_POOL_DIR), i, wrong = 0;
	u32 chunk = rounddown_pow_of_two(FM_MEMORY_BLOCK / c->elem_bytes);
	struct fm_memory memory;
	struct fm_pool pool;
	u8 *elem;

	KUNIT_EXPECT_EQ(test, bytes, fm_arrays_bytes(c->elem_bytes, c->nr, chunk) +
			fm_arrays_bytes(sizeof(void *), c->nr_chunks, FM_POOL_DIR));
	KUNIT_EXPECT_GE(test, bytes, (size_t)c->elem_bytes * c->nr +
			c->nr_chunks * sizeof(void *));
	fm_memory_init(&memory, bytes);
	KUNIT_ASSERT_EQ(test, fm_pool_init_fixed(&pool, &memory, c->elem_bytes, c->nr), 0);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), bytes);
	KUNIT_EXPECT_EQ(test, fm_pool_bytes(&pool), bytes);
	KUNIT_EXPECT_EQ(test, fm_allocations_live(), nr_dirs + c->nr_chunks);
	for (i = 0; i < c->nr; i++) {
		elem = fm_pool_at(&pool, i);
		wrong += elem[0] || elem[c->elem_bytes - 1];
		elem[0] = i % 251;
		elem[c->elem_bytes - 1] = i % 251;
	}
	for (i = 0; i < c->nr; i++) {
		elem = fm_pool_at(&pool, i);
		wrong += elem[0] != i % 251 || elem[c->elem_bytes - 1] != i % 251;
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	fm_pool_deinit(&pool);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
	if (!c->nr)
		return;
	/* A byte is missing. */
	memory.limit_bytes--;
	KUNIT_EXPECT_EQ(test, fm_pool_init_fixed(&pool, &memory, c->elem_bytes, c->nr),
			-ENOMEM);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
	fm_pool_deinit(&pool);
}

static struct kunit_case fm_memory_cases[] = {
	KUNIT_CASE_PARAM(alloc_stays_within_the_limit, fm_limit_gen_params),
	KUNIT_CASE(alloc_that_fails_is_not_charged),
	KUNIT_CASE(what_the_kernel_takes_is_charged),
	KUNIT_CASE(kmemleak_knows_pages),
	KUNIT_CASE(what_is_cached_is_free),
	KUNIT_CASE(pool_elements_stay),
	KUNIT_CASE_PARAM(pool_ends_at_the_limit, fm_pool_gen_params),
	KUNIT_CASE(pool_ends_with_its_directory),
	KUNIT_CASE(pool_grows_beyond_a_directory),
	KUNIT_CASE(pool_has_so_many_directories),
	KUNIT_CASE_PARAM(a_fixed_pool_has_all_its_elements, fm_fixed_gen_params),
	{}
};

struct kunit_suite fm_memory_suite = {
	.name = "flamemod_memory",
	.init = fm_allocations_init,
	.exit = fm_allocations_exit,
	.test_cases = fm_memory_cases,
};
