// SPDX-License-Identifier: GPL-2.0
/*
 * Memory under a limit, and what grows in it: pools and sets.
 */
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/memory.h"
#include "../../module/set.h"
#include "allocations.h"
#include "suites.h"

struct fm_elem {
	struct fm_link link;
	u32 key;
	u32 value;
};

#define FM_CHUNK_BYTES	(FM_POOL_CHUNK * sizeof(struct fm_elem))

/* Sizes that are allocated in turn and kept. */
static const struct fm_limit_case {
	const char *name;
	size_t limit, first, second;
	bool has_first, has_second;
} fm_limit_cases[] = {
	{ "both fit", 1000, 400, 500, true, true },
	{ "both fit to the byte", 1000, 400, 600, true, true },
	{ "a byte too much", 1000, 400, 601, true, false },
	{ "the first alone is the limit", 1000, 1000, 1, true, false },
	{ "the first is a byte too much", 1000, 1001, 1000, false, true },
	/* The kernel would map it page by page: see memory.h. */
	{ "more than a block", SIZE_MAX / 2, FM_MEMORY_BLOCK + 1, FM_MEMORY_BLOCK, false, true },
	{ "so much that the sum overflows", SIZE_MAX / 2, 1, SIZE_MAX, true, false },
	{ "nothing is allowed", 0, 1, 1, false, false },
};

FM_ARRAY_PARAM(limit);

static void alloc_stays_within_the_limit(struct kunit *test)
{
	const struct fm_limit_case *c = test->param_value;
	size_t held = (c->has_first ? c->first : 0) +
		      (c->has_second ? c->second : 0);
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
			c->has_first ? c->first : 0);
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

/* What is cached: three blocks of 300 bytes. */
static void *fm_cached[3];
static unsigned int fm_nr_cached;

static bool fm_give_back(struct fm_memory *memory)
{
	if (!fm_nr_cached)
		return false;
	memory->cached_bytes -= 300;
	fm_memory_free(memory, fm_cached[--fm_nr_cached], 300);
	return true;
}

static void what_is_cached_is_free(struct kunit *test)
{
	struct fm_memory memory;
	void *block;

	fm_memory_init(&memory, 1000);
	for (fm_nr_cached = 0; fm_nr_cached < ARRAY_SIZE(fm_cached); fm_nr_cached++)
		fm_cached[fm_nr_cached] = fm_memory_alloc(&memory, 300);
	memory.cached_bytes = 900;
	memory.reclaim = fm_give_back;
	KUNIT_EXPECT_TRUE(test, fm_memory_has_room(&memory, 1000));
	KUNIT_EXPECT_FALSE(test, fm_memory_has_room(&memory, 1001));
	/* No more is given back than is needed. */
	block = fm_memory_alloc(&memory, 100);
	KUNIT_EXPECT_EQ(test, fm_nr_cached, 3);
	fm_memory_free(&memory, block, 100);
	block = fm_memory_alloc(&memory, 700);
	KUNIT_EXPECT_NOT_NULL(test, block);
	KUNIT_EXPECT_EQ(test, fm_nr_cached, 1);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 1000);
	/* The kernel has no memory, and then it has. */
	fm_memory_free(&memory, block, 700);
	fm_allocations_fail(1);
	block = fm_memory_alloc(&memory, 100);
	KUNIT_EXPECT_NOT_NULL(test, block);
	KUNIT_EXPECT_EQ(test, fm_nr_cached, 0);
	/* Nothing is left to give. */
	KUNIT_EXPECT_NULL(test, fm_memory_alloc(&memory, 901));
	fm_memory_free(&memory, block, 100);
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

/* The limit in bytes, and how many elements of 16 bytes a pool then takes. */
static const struct fm_pool_case {
	size_t limit;
	u32 nr;
} fm_pool_cases[] = {
	{ 16, 0 },
	{ 8 + 8192 - 1, 0 },		/* a directory of one, and a chunk */
	{ 8 + 8192, 0 },		/* that rounds up to two */
	{ 16 + 8192, 512 },
	{ 24 + 2 * 8192, 1024 },
	{ 9 * 8192, 8 * 512 },
};

static void fm_pool_name(const struct fm_pool_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%zu bytes", c->limit);
}

KUNIT_ARRAY_PARAM(fm_pool, fm_pool_cases, fm_pool_name);

static void pool_ends_at_the_limit(struct kunit *test)
{
	const struct fm_pool_case *c = test->param_value;
	struct fm_memory memory;
	struct fm_pool pool;
	u32 nr = 0;

	fm_memory_init(&memory, c->limit);
	KUNIT_ASSERT_EQ(test, fm_pool_init(&pool, &memory, 16), 0);
	while (nr < 100000 && fm_pool_add(&pool))
		nr++;
	KUNIT_EXPECT_EQ(test, nr, c->nr);
	KUNIT_EXPECT_EQ(test, pool.nr, c->nr);
	KUNIT_EXPECT_LE(test, fm_memory_used(&memory), c->limit);
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

static void a_fixed_pool_has_all_its_elements(struct kunit *test)
{
	const struct fm_fixed_case *c = test->param_value;
	size_t bytes = fm_pool_fixed_bytes(c->elem_bytes, c->nr);
	u32 nr_dirs = DIV_ROUND_UP(c->nr_chunks, FM_POOL_DIR), i, wrong = 0;
	struct fm_memory memory;
	struct fm_pool pool;
	u8 *elem;

	KUNIT_EXPECT_EQ(test, bytes, (size_t)c->elem_bytes * c->nr +
			c->nr_chunks * sizeof(void *));
	fm_memory_init(&memory, bytes);
	KUNIT_ASSERT_EQ(test, fm_pool_init_fixed(&pool, &memory, c->elem_bytes, c->nr), 0);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), bytes);
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

struct fm_set_fixture {
	struct fm_memory memory;
	struct fm_set set;
};

static bool fm_elem_match(const void *elem, const void *key)
{
	return ((const struct fm_elem *)elem)->key == *(const u32 *)key;
}

/* Some share a hash; neighbours do not share a bucket. */
static u32 fm_elem_hash(u32 key)
{
	return (key / 3) * 0x9e3779b1;
}

static struct fm_elem *fm_set_put(struct fm_set *set, u32 key, u32 *id)
{
	struct fm_elem *elem = fm_set_add(set, fm_elem_hash(key), id);

	if (elem) {
		elem->key = key;
		elem->value = key ^ 0xabcdef;
	}
	return elem;
}

static void fm_expect_in_set(struct kunit *test, struct fm_set *set, u32 nr)
{
	struct fm_elem *elem;
	u32 key, id = ~0;

	KUNIT_EXPECT_EQ(test, fm_set_nr(set), nr);
	for (key = 0; key < nr; key++) {
		elem = fm_set_find(set, fm_elem_hash(key), fm_elem_match, &key,
				   &id);
		KUNIT_ASSERT_NOT_NULL_MSG(test, elem, "key %u", key);
		KUNIT_EXPECT_EQ(test, id, key);
		KUNIT_EXPECT_EQ(test, elem->value, key ^ 0xabcdef);
		KUNIT_EXPECT_PTR_EQ(test, elem, fm_set_at(set, id));
	}
	KUNIT_EXPECT_NULL(test, fm_set_find(set, fm_elem_hash(key),
					    fm_elem_match, &key, NULL));
}

/* The number of elements. Buckets start at 256 and double when all are used. */
static const struct fm_set_case {
	u32 nr, nr_heads;
} fm_set_cases[] = {
	{ 0, 256 }, { 1, 256 }, { 256, 256 }, { 257, 512 }, { 512, 512 },
	{ 513, 1024 }, { 5000, 8192 },
	{ 8193, 16384 },		/* buckets in two blocks */
};

static void fm_set_name(const struct fm_set_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%u elements", c->nr);
}

KUNIT_ARRAY_PARAM(fm_set, fm_set_cases, fm_set_name);

static void set_finds_what_was_added(struct kunit *test)
{
	const struct fm_set_case *c = test->param_value;
	struct fm_set_fixture f;
	u32 key, id = ~0;

	fm_memory_init(&f.memory, 10000000);
	KUNIT_ASSERT_EQ(test, fm_set_init(&f.set, &f.memory,
					  sizeof(struct fm_elem)), 0);
	for (key = 0; key < c->nr; key++) {
		KUNIT_ASSERT_NOT_NULL(test, fm_set_put(&f.set, key, &id));
		KUNIT_EXPECT_EQ(test, id, key);
	}
	fm_expect_in_set(test, &f.set, c->nr);
	KUNIT_EXPECT_EQ(test, f.set.nr_heads, c->nr_heads);
	fm_set_deinit(&f.set);
	fm_set_deinit(&f.set);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&f.memory), 0);
}

static void set_compares_keys(struct kunit *test)
{
	struct fm_set_fixture f;
	struct fm_elem *elem;
	u32 key, id;

	fm_memory_init(&f.memory, 1000000);
	KUNIT_ASSERT_EQ(test, fm_set_init(&f.set, &f.memory,
					  sizeof(struct fm_elem)), 0);
	/* One bucket by different hashes, and one hash for all of them. */
	for (key = 0; key < 4; key++) {
		elem = fm_set_add(&f.set, key < 2 ? 7 : 7 + 256 * key, NULL);
		KUNIT_ASSERT_NOT_NULL(test, elem);
		elem->key = key;
	}
	for (key = 0; key < 4; key++) {
		elem = fm_set_find(&f.set, key < 2 ? 7 : 7 + 256 * key,
				   fm_elem_match, &key, &id);
		KUNIT_ASSERT_NOT_NULL(test, elem);
		KUNIT_EXPECT_EQ(test, id, key);
	}
	key = 4;
	KUNIT_EXPECT_NULL(test, fm_set_find(&f.set, 7, fm_elem_match, &key, &id));
	key = 0;
	KUNIT_EXPECT_NULL(test, fm_set_find(&f.set, 7 + 256, fm_elem_match,
					    &key, &id));
	fm_set_deinit(&f.set);
}

static int fm_attempt_set(struct kunit *test, void *data)
{
	struct fm_set_fixture *f = data;

	memset(f, 0, sizeof(*f));
	fm_memory_init(&f->memory, 100000);
	return fm_set_init(&f->set, &f->memory, sizeof(struct fm_elem)) ?:
	       fm_set_put(&f->set, 0, NULL) ? 0 : -ENOMEM;
}

static void fm_cleanup_set(struct kunit *test, void *data)
{
	struct fm_set_fixture *f = data;

	fm_set_deinit(&f->set);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&f->memory), 0);
}

static void set_fails_cleanly(struct kunit *test)
{
	struct fm_set_fixture f;

	/* Buckets and their directory; directory, chunk. */
	fm_allocations_fail_each(test, 4, -ENOMEM, fm_attempt_set,
				 fm_cleanup_set, &f);
}

static void set_goes_on_without_more_buckets(struct kunit *test)
{
	struct fm_set_fixture f;
	size_t used;
	u32 key;

	fm_memory_init(&f.memory, 10000000);
	KUNIT_ASSERT_EQ(test, fm_set_init(&f.set, &f.memory,
					  sizeof(struct fm_elem)), 0);
	for (key = 0; key < 256; key++)
		KUNIT_ASSERT_NOT_NULL(test, fm_set_put(&f.set, key, NULL));
	used = fm_memory_used(&f.memory);
	for (; key < 300; key++) {
		fm_allocations_fail(1);
		KUNIT_ASSERT_NOT_NULL(test, fm_set_put(&f.set, key, NULL));
		KUNIT_EXPECT_TRUE(test, fm_allocations_failed());
	}
	KUNIT_EXPECT_EQ(test, f.set.nr_heads, 256);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&f.memory), used);
	fm_expect_in_set(test, &f.set, 300);
	fm_allocations_fail(0);
	KUNIT_ASSERT_NOT_NULL(test, fm_set_put(&f.set, key, NULL));
	KUNIT_EXPECT_EQ(test, f.set.nr_heads, 512);
	fm_expect_in_set(test, &f.set, 301);
	fm_set_deinit(&f.set);
}

/* A full set stays as it was. */
static void set_is_whole_when_it_is_full(struct kunit *test)
{
	struct fm_set_fixture f;
	u32 id = 4711, key = 0;

	fm_memory_init(&f.memory, 256 * sizeof(u32) + 4 * sizeof(void *) +
				  FM_CHUNK_BYTES + FM_CHUNK_BYTES / 2);
	KUNIT_ASSERT_EQ(test, fm_set_init(&f.set, &f.memory,
					  sizeof(struct fm_elem)), 0);
	while (key < 10000 && fm_set_put(&f.set, key, NULL))
		key++;
	KUNIT_EXPECT_EQ(test, key, FM_POOL_CHUNK);
	KUNIT_EXPECT_NULL(test, fm_set_put(&f.set, key, &id));
	KUNIT_EXPECT_EQ(test, id, 4711);
	fm_expect_in_set(test, &f.set, FM_POOL_CHUNK);
	KUNIT_EXPECT_LE(test, fm_memory_used(&f.memory), f.memory.limit_bytes);
	fm_set_deinit(&f.set);
}

static struct kunit_case fm_memory_cases[] = {
	KUNIT_CASE_PARAM(alloc_stays_within_the_limit, fm_limit_gen_params),
	KUNIT_CASE(alloc_that_fails_is_not_charged),
	KUNIT_CASE(what_is_cached_is_free),
	KUNIT_CASE(pool_elements_stay),
	KUNIT_CASE_PARAM(pool_ends_at_the_limit, fm_pool_gen_params),
	KUNIT_CASE(pool_ends_with_its_directory),
	KUNIT_CASE(pool_grows_beyond_a_directory),
	KUNIT_CASE(pool_has_so_many_directories),
	KUNIT_CASE_PARAM(a_fixed_pool_has_all_its_elements, fm_fixed_gen_params),
	KUNIT_CASE_PARAM(set_finds_what_was_added, fm_set_gen_params),
	KUNIT_CASE(set_compares_keys),
	KUNIT_CASE(set_fails_cleanly),
	KUNIT_CASE(set_goes_on_without_more_buckets),
	KUNIT_CASE(set_is_whole_when_it_is_full),
	{}
};

struct kunit_suite fm_memory_suite = {
	.name = "flamemod_memory",
	.init = fm_allocations_init,
	.exit = fm_allocations_exit,
	.test_cases = fm_memory_cases,
};
