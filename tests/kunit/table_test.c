// SPDX-License-Identifier: GPL-2.0
/*
 * The hot table: counting, telling samples apart, and being full.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/table.h"
#include "allocations.h"
#include "suites.h"

struct fm_table_fixture {
	struct fm_table table;
	struct fm_sample sample;
	struct fm_sample other;
};

static void fm_fill(struct fm_sample *sample, u32 nr_frames, u32 seed)
{
	u32 i;

	/* Bytes that are no part of the key are not zero in earnest either. */
	memset(sample, 0x5a, sizeof(*sample));
	sample->nr_frames = nr_frames;
	sample->context = FLAMEMOD_CONTEXT_TASK;
	sample->marks = 0;
	sample->pid = 1000 + seed;
	sample->tid = 2000 + seed;
	memcpy(sample->comm, "worker\0\0\0\0\0\0\0\0\0", TASK_COMM_LEN);
	for (i = 0; i < nr_frames; i++)
		sample->frames[i] = 0x1000000ul + 0x100 * i;
	fm_sample_rehash(sample);
}

static struct fm_table_fixture *fm_fixture(struct kunit *test, size_t bytes)
{
	struct fm_table_fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, f);
	KUNIT_ASSERT_EQ(test, fm_table_init(&f->table, bytes, NUMA_NO_NODE), 0);
	return f;
}

static u32 fm_nr_entries(struct fm_table *table)
{
	u32 position = 0, nr = 0;

	while (fm_table_next(table, &position))
		nr++;
	return nr;
}

static int fm_attempt_init(struct kunit *test, void *data)
{
	return fm_table_init(data, FM_TABLE_BYTES_MIN, NUMA_NO_NODE);
}

static void fm_cleanup_init(struct kunit *test, void *data)
{
	fm_table_deinit(data);
}

static void init_fails_cleanly(struct kunit *test)
{
	struct fm_table table;

	/* Index and arena. */
	fm_allocations_fail_each(test, 2, -ENOMEM, fm_attempt_init,
				 fm_cleanup_init, &table);
}

static void deinit_of_an_unused_table(struct kunit *test)
{
	struct fm_table table = {};

	fm_table_deinit(&table);
	KUNIT_ASSERT_EQ(test, fm_table_init(&table, FM_TABLE_BYTES_MIN,
					    NUMA_NO_NODE), 0);
	fm_table_deinit(&table);
	KUNIT_EXPECT_EQ(test, fm_allocations_live(), 0);
	/* As it is told to be then. */
	KUNIT_EXPECT_NULL(test, table.arena);
	KUNIT_EXPECT_EQ(test, table.nr_index, 0);
	fm_table_deinit(&table);
}

static void add_counts_duplicates(struct kunit *test)
{
	struct fm_table_fixture *f = fm_fixture(test, FM_TABLE_BYTES_MIN);
	const struct fm_entry *entry;
	u32 position = 0;

	fm_fill(&f->sample, 5, 0);
	KUNIT_EXPECT_TRUE(test, fm_table_add(&f->table, &f->sample, 1, 10));
	KUNIT_EXPECT_TRUE(test, fm_table_add(&f->table, &f->sample, 7, 100));
	KUNIT_EXPECT_TRUE(test, fm_table_add(&f->table, &f->sample,
					     1ull << 40, 1ull << 50));
	entry = fm_table_next(&f->table, &position);
	KUNIT_ASSERT_NOT_NULL(test, entry);
	KUNIT_EXPECT_EQ(test, entry->count, 3);
	KUNIT_EXPECT_EQ(test, entry->periods, 8 + (1ull << 40));
	KUNIT_EXPECT_EQ(test, entry->late_ns, 110 + (1ull << 50));
	KUNIT_EXPECT_NULL(test, fm_table_next(&f->table, &position));
	fm_table_deinit(&f->table);
}

/* Each changes one thing about a sample; is it then another one? */
#define FM_CHANGE(text, member, same_) {				\
	.name = text,							\
	.byte = offsetofend(struct fm_sample, member) - 1,		\
	.same = same_,							\
}

static const struct fm_change_case {
	const char *name;
	u32 byte;		/* the last of the member */
	bool same;
} fm_change_cases[] = {
	FM_CHANGE("context", context, false),
	FM_CHANGE("marks", marks, false),
	FM_CHANGE("pid", pid, false),
	FM_CHANGE("tid", tid, false),
	FM_CHANGE("first letter of comm", comm[0], false),
	FM_CHANGE("last letter of comm", comm[TASK_COMM_LEN - 1], false),
	FM_CHANGE("leaf", frames[0], false),
	FM_CHANGE("frame in the middle", frames[4], false),
	FM_CHANGE("root", frames[8], false),
	FM_CHANGE("what lies behind the root", frames[9], true),
	FM_CHANGE("the last of what lies there",
		  frames[FLAMEMOD_MAX_DEPTH_MAX - 1], true),
	{ .name = "nothing", .same = true },
};

static void fm_change_name(const struct fm_change_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(fm_change, fm_change_cases, fm_change_name);

/* The same hash every time: it must be the key that tells them apart. */
static void add_compares_the_whole_key(struct kunit *test)
{
	struct fm_table_fixture *f = fm_fixture(test, FM_TABLE_BYTES_MIN);
	const struct fm_change_case *c = test->param_value;
	const struct fm_entry *entry;
	u32 position = 0;

	fm_fill(&f->sample, 9, 0);
	f->other = f->sample;
	if (c->byte)
		((u8 *)&f->other)[c->byte] ^= 1;
	KUNIT_EXPECT_TRUE(test, fm_table_add(&f->table, &f->sample, 2, 0));
	KUNIT_EXPECT_TRUE(test, fm_table_add(&f->table, &f->other, 3, 0));
	KUNIT_EXPECT_TRUE(test, fm_table_add(&f->table, &f->sample, 5, 0));
	KUNIT_EXPECT_EQ(test, fm_nr_entries(&f->table), c->same ? 1 : 2);
	entry = fm_table_next(&f->table, &position);
	KUNIT_ASSERT_NOT_NULL(test, entry);
	KUNIT_EXPECT_EQ(test, entry->periods, c->same ? 10 : 7);
	fm_table_deinit(&f->table);
}

static void add_tells_a_stack_from_its_prefix(struct kunit *test)
{
	struct fm_table_fixture *f = fm_fixture(test, FM_TABLE_BYTES_MIN);
	u32 nr;

	fm_fill(&f->sample, 9, 0);
	for (nr = 0; nr <= 9; nr++) {
		f->sample.nr_frames = nr;
		KUNIT_EXPECT_TRUE(test, fm_table_add(&f->table, &f->sample, 1, 0));
	}
	KUNIT_EXPECT_EQ(test, fm_nr_entries(&f->table), 10);
	fm_table_deinit(&f->table);
}

/*
 * Literals, not the table's own arithmetic. An entry takes 56 bytes and 8 for
 * each frame; an index slot, of which there is a power of two, at least one
 * for every 64 bytes, takes 4 off the arena, and one stays empty.
 */
static const struct fm_capacity_case {
	size_t bytes;
	u32 nr_frames;
	u32 hash;		/* for all; 0: their own */
	u32 nr_full;		/* as many fit */
	u32 nr_half;		/* with as many it says that it is half full */
} fm_capacity_cases[] = {
	{ 4096, 0, 0, 63, 33 },		/* 64 slots, an arena of 3840 */
	{ 4096, 1, 0, 60, 31 },		/* to the last byte */
	{ 4096, 8, 0, 32, 17 },		/* likewise */
	{ 4096, 9, 0, 30, 16 },
	{ 4096, 127, 0, 3, 2 },
	{ 4096, 1, 63, 60, 31 },	/* all in the last slot: they go on at 0 */
	{ 4096, 1, ~0u, 60, 31 },
	{ 5000, 1, 0, 70, 36 },		/* 128 slots, an arena of 4488 */
	{ 8192, 0, 0, 127, 65 },
	{ 8192, 127, 1, 7, 4 },
	{ 229376, 9, 0, 1664, 833 },	/* half of the default: 4096 slots */
};

static void fm_capacity_name(const struct fm_capacity_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%zu bytes, %u frames, hash %#x",
		 c->bytes, c->nr_frames, c->hash);
}

KUNIT_ARRAY_PARAM(fm_capacity, fm_capacity_cases, fm_capacity_name);

static void fm_fill_case(struct fm_sample *sample,
			 const struct fm_capacity_case *c, u32 i)
{
	fm_fill(sample, c->nr_frames, i);
	if (c->hash)
		sample->hash = c->hash;
}

/* Fill it, and see that all is there, in the order it came. */
static void fm_expect_capacity(struct kunit *test, struct fm_table_fixture *f,
			       const struct fm_capacity_case *c)
{
	const struct fm_entry *entry;
	u32 i, used, position = 0;
	size_t key_bytes;

	for (i = 0; i < c->nr_full; i++) {
		KUNIT_EXPECT_EQ_MSG(test, fm_table_half_full(&f->table),
				    i >= c->nr_half, "with %u entries", i);
		fm_fill_case(&f->sample, c, i);
		KUNIT_ASSERT_TRUE_MSG(test,
				      fm_table_add(&f->table, &f->sample, 1, 0),
				      "entry %u", i);
	}
	used = f->table.used_bytes;
	fm_fill_case(&f->sample, c, i);
	KUNIT_EXPECT_FALSE(test, fm_table_add(&f->table, &f->sample, 1, 0));
	KUNIT_EXPECT_FALSE(test, fm_table_add(&f->table, &f->sample, 1, 0));
	KUNIT_EXPECT_EQ(test, f->table.used_bytes, used);
	/* What is known is counted in a full table too. */
	for (i = 0; i < c->nr_full; i++) {
		fm_fill_case(&f->sample, c, i);
		KUNIT_EXPECT_TRUE_MSG(test,
				      fm_table_add(&f->table, &f->sample, i, 3),
				      "entry %u", i);
	}
	for (i = 0; (entry = fm_table_next(&f->table, &position)); i++) {
		fm_fill_case(&f->sample, c, i);
		key_bytes = fm_sample_key_bytes(&f->sample);
		KUNIT_ASSERT_LT(test, i, c->nr_full);
		KUNIT_EXPECT_EQ(test, entry->count, 2);
		KUNIT_EXPECT_EQ(test, entry->periods, i + 1);
		KUNIT_EXPECT_EQ(test, entry->late_ns, 3);
		KUNIT_EXPECT_EQ(test, memcmp(&entry->sample, &f->sample,
					     FM_SAMPLE_KEY + key_bytes), 0);
	}
	KUNIT_EXPECT_EQ(test, i, c->nr_full);
}

static void holds_what_it_has_room_for(struct kunit *test)
{
	const struct fm_capacity_case *c = test->param_value;
	struct fm_table_fixture *f = fm_fixture(test, c->bytes);

	fm_expect_capacity(test, f, c);
	fm_table_clear(&f->table);
	KUNIT_EXPECT_EQ(test, fm_nr_entries(&f->table), 0);
	KUNIT_EXPECT_FALSE(test, fm_table_half_full(&f->table));
	/* Again, from nothing. */
	fm_expect_capacity(test, f, c);
	fm_table_deinit(&f->table);
}

static void walks_over_entries_of_any_size(struct kunit *test)
{
	struct fm_table_fixture *f = fm_fixture(test, 65536);
	static const u32 depths[] = { 3, 0, FLAMEMOD_MAX_DEPTH_MAX, 1, 64 };
	const struct fm_entry *entry;
	u32 i, position = 0;

	KUNIT_EXPECT_NULL(test, fm_table_next(&f->table, &position));
	KUNIT_EXPECT_EQ(test, position, 0);
	for (i = 0; i < ARRAY_SIZE(depths); i++) {
		fm_fill(&f->sample, depths[i], i);
		KUNIT_EXPECT_TRUE(test, fm_table_add(&f->table, &f->sample, 1, 0));
	}
	for (i = 0; (entry = fm_table_next(&f->table, &position)); i++) {
		KUNIT_ASSERT_LT(test, i, ARRAY_SIZE(depths));
		KUNIT_EXPECT_EQ(test, entry->sample.nr_frames, depths[i]);
		KUNIT_EXPECT_EQ(test, entry->sample.pid, 1000 + i);
	}
	KUNIT_EXPECT_EQ(test, i, ARRAY_SIZE(depths));
	fm_table_deinit(&f->table);
}

/* A hash that did not see the stack, say, would make every search a long one. */
static void hash_spreads(struct kunit *test)
{
	struct fm_table_fixture *f = fm_fixture(test, FM_TABLE_BYTES_MIN);
	u32 *seen = kunit_kcalloc(test, 4096, sizeof(u32), GFP_KERNEL);
	u32 kind, i, slots;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	for (kind = 0; kind < 5; kind++) {
		slots = 0;
		for (i = 0; i < 1024; i++) {
			fm_fill(&f->sample, 10, 0);
			switch (kind) {
			case 0:
				f->sample.tid = i;
				break;
			case 1:
				f->sample.frames[0] += i;
				break;
			case 2:
				f->sample.frames[9] += i;
				break;
			case 3:
				snprintf(f->sample.comm, TASK_COMM_LEN, "%u", i);
				break;
			default:
				snprintf(f->sample.comm, TASK_COMM_LEN,
					 "kworker/%7u", i);
			}
			fm_sample_rehash(&f->sample);
			if (seen[f->sample.hash & 4095] == kind + 1)
				continue;
			seen[f->sample.hash & 4095] = kind + 1;
			slots++;
		}
		/* Of 4096, thrown at random, 1024 hit 906 slots, give or take 9. */
		KUNIT_EXPECT_GT_MSG(test, slots, 800, "kind %u", kind);
	}
	fm_table_deinit(&f->table);
}

static void hash_is_of_the_key_alone(struct kunit *test)
{
	struct fm_table_fixture *f = fm_fixture(test, FM_TABLE_BYTES_MIN);

	fm_fill(&f->sample, 10, 0);
	f->other = f->sample;
	f->other.hash = 12345;
	memset(&f->other.frames[10], 0xff,
	       sizeof(f->other) - offsetof(struct fm_sample, frames[10]));
	fm_sample_rehash(&f->other);
	KUNIT_EXPECT_EQ(test, f->other.hash, f->sample.hash);
	fm_table_deinit(&f->table);
}

static struct kunit_case fm_table_cases[] = {
	KUNIT_CASE(init_fails_cleanly),
	KUNIT_CASE(deinit_of_an_unused_table),
	KUNIT_CASE(add_counts_duplicates),
	KUNIT_CASE_PARAM(add_compares_the_whole_key, fm_change_gen_params),
	KUNIT_CASE(add_tells_a_stack_from_its_prefix),
	KUNIT_CASE_PARAM(holds_what_it_has_room_for, fm_capacity_gen_params),
	KUNIT_CASE(walks_over_entries_of_any_size),
	KUNIT_CASE(hash_spreads),
	KUNIT_CASE(hash_is_of_the_key_alone),
	{}
};

struct kunit_suite fm_table_suite = {
	.name = "flamemod_table",
	.init = fm_allocations_init,
	.exit = fm_allocations_exit,
	.test_cases = fm_table_cases,
};
