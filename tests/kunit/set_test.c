// SPDX-License-Identifier: GPL-2.0
/*
 * Sets, and what else grows by allocating anew: extents.
 */
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/extents.h"
#include "../../module/memory.h"
#include "../../module/set.h"
#include "allocations.h"
#include "cached.h"
#include "suites.h"

struct fm_elem {
	struct fm_link link;
	u32 key;
	u32 value;
};

#define FM_CHUNK_BYTES	(FM_POOL_CHUNK * sizeof(struct fm_elem))

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

/* A set of 256 elements, with as many buckets. Return: the next key. */
static u32 fm_full_buckets(struct kunit *test, struct fm_set_fixture *f)
{
	u32 key;

	fm_memory_init(&f->memory, 10000000);
	KUNIT_ASSERT_EQ(test, fm_set_init(&f->set, &f->memory,
					  sizeof(struct fm_elem)), 0);
	for (key = 0; key < 256; key++)
		KUNIT_ASSERT_NOT_NULL(test, fm_set_put(&f->set, key, NULL));
	return key;
}

/* It tries again when it has grown by an eighth. */
static void set_goes_on_without_more_buckets(struct kunit *test)
{
	struct fm_set_fixture f;
	u32 key = fm_full_buckets(test, &f);
	size_t used = fm_memory_used(&f.memory);

	for (; key < 256 + 32 + 36; key++) {
		fm_allocations_fail(1);
		KUNIT_ASSERT_NOT_NULL(test, fm_set_put(&f.set, key, NULL));
		KUNIT_EXPECT_EQ(test, fm_allocations_failed(), key == 256 || key == 256 + 32);
	}
	KUNIT_EXPECT_EQ(test, f.set.nr_heads, 256);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&f.memory), used);
	fm_expect_in_set(test, &f.set, key);
	fm_allocations_fail(0);
	KUNIT_ASSERT_NOT_NULL(test, fm_set_put(&f.set, key, NULL));
	KUNIT_EXPECT_EQ(test, f.set.nr_heads, 512);
	fm_expect_in_set(test, &f.set, key + 1);
	/* Once it has grown, the next time is when these are full. */
	fm_allocations_fail(0);
	while (++key < 512)
		KUNIT_ASSERT_NOT_NULL(test, fm_set_put(&f.set, key, NULL));
	KUNIT_EXPECT_EQ(test, fm_allocations_made(), 0);
	KUNIT_ASSERT_NOT_NULL(test, fm_set_put(&f.set, key, NULL));
	KUNIT_EXPECT_EQ(test, f.set.nr_heads, 1024);
	fm_set_deinit(&f.set);
}

/* More buckets are not worth what is cached, and without room nothing is tried. */
static void more_buckets_take_nothing_from_others(struct kunit *test)
{
	size_t bytes = fm_pool_fixed_bytes(sizeof(u32), 512);
	struct fm_set_fixture f;
	u32 key = fm_full_buckets(test, &f);

	fm_cached_begin(&f.memory);
	f.memory.limit_bytes = fm_memory_used(&f.memory) + bytes - 1;
	fm_allocations_fail(0);
	for (; key < 256 + 32; key++)
		KUNIT_ASSERT_NOT_NULL(test, fm_set_put(&f.set, key, NULL));
	KUNIT_EXPECT_EQ(test, fm_allocations_made(), 0);
	KUNIT_EXPECT_EQ(test, fm_cached_nr(), 3);
	KUNIT_EXPECT_EQ(test, f.set.nr_heads, 256);
	/* There is room now. */
	f.memory.limit_bytes++;
	KUNIT_ASSERT_NOT_NULL(test, fm_set_put(&f.set, key, NULL));
	KUNIT_EXPECT_EQ(test, f.set.nr_heads, 512);
	KUNIT_EXPECT_EQ(test, fm_cached_nr(), 3);
	fm_cached_end(&f.memory);
	fm_set_deinit(&f.set);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&f.memory), 0);
}

/* Extents need room, so what is cached is given back for them, but not in vain. */
static void extents_without_room_take_nothing_from_others(struct kunit *test)
{
	size_t bytes = fm_pool_fixed_bytes(sizeof(struct fm_extent), 256);
	const struct fm_extent extent = { .start = 0x1000, .bytes = 16 };
	struct fm_extents extents;
	struct fm_memory memory;

	fm_memory_init(&memory, 100000);
	fm_cached_begin(&memory);
	fm_extents_init(&extents, &memory);
	memory.limit_bytes = bytes - 1;
	fm_allocations_fail(0);
	KUNIT_EXPECT_EQ(test, fm_extents_add(&extents, &extent, 0x1000), -ENOSPC);
	KUNIT_EXPECT_EQ(test, fm_allocations_made(), 0);
	KUNIT_EXPECT_EQ(test, fm_cached_nr(), 3);
	memory.limit_bytes = bytes;
	KUNIT_EXPECT_EQ(test, fm_extents_add(&extents, &extent, 0x1000), 0);
	KUNIT_EXPECT_EQ(test, fm_cached_nr(), 0);
	fm_extents_deinit(&extents);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&memory), 0);
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

static struct kunit_case fm_set_suite_cases[] = {
	KUNIT_CASE_PARAM(set_finds_what_was_added, fm_set_gen_params),
	KUNIT_CASE(set_compares_keys),
	KUNIT_CASE(set_fails_cleanly),
	KUNIT_CASE(set_goes_on_without_more_buckets),
	KUNIT_CASE(more_buckets_take_nothing_from_others),
	KUNIT_CASE(extents_without_room_take_nothing_from_others),
	KUNIT_CASE(set_is_whole_when_it_is_full),
	{}
};

struct kunit_suite fm_set_suite = {
	.name = "flamemod_set",
	.init = fm_allocations_init,
	.exit = fm_allocations_exit,
	.test_cases = fm_set_suite_cases,
};
