// SPDX-License-Identifier: GPL-2.0
/*
 * The hot table: it counts equal samples together and others apart, until it is full.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/table.h"
#include "allocations.h"
#include "suites.h"
#include "text.h"

#define FM_LEAF		(FM_TEST_TEXT + 0x1234560)

static struct fm_table fm_table;

static int fm_table_begin(struct kunit *test)
{
	fm_allocations_init(test);
	return fm_table_init(&fm_table, FM_TABLE_BYTES_MIN, NUMA_NO_NODE);
}

static void fm_table_end(struct kunit *test)
{
	fm_table_deinit(&fm_table);
	fm_allocations_exit(test);
}

/* Make the table again, with another size than the suite's. */
static void fm_table_anew(struct kunit *test, size_t bytes)
{
	fm_table_deinit(&fm_table);
	KUNIT_ASSERT_EQ(test, fm_table_init(&fm_table, bytes, NUMA_NO_NODE), 0);
}

static struct fm_key fm_key_of(u32 seed)
{
	return (struct fm_key) {
		.leaf = FM_LEAF,
		.path = 77,
		.context = FLAMEMOD_CONTEXT_TASK,
		.pid = 1000 + seed,
		.tid = 2000 + seed,
		.comm = "worker",
	};
}

static u32 fm_slots(void)
{
	return 1u << (32 - fm_table.shift);
}

/* The slot where the search for a key starts. The table must be empty, and stays so. */
static u32 fm_slot_of(struct kunit *test, const struct fm_key *key)
{
	const void *at;

	KUNIT_ASSERT_TRUE(test, fm_table_add(&fm_table, key, 1, 0, &fm_table.last));
	at = memchr_inv(fm_table.index, 0, fm_slots() * sizeof(u32));
	fm_table_clear(&fm_table);
	return ((unsigned long)at - (unsigned long)fm_table.index) / sizeof(u32);
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

	/* Entries and their index; cgroups; paths, their index and their notes. */
	fm_allocations_fail_each(test, 6, -ENOMEM, fm_attempt_init,
				 fm_cleanup_init, &table);
}

static void deinit_of_an_unused_table(struct kunit *test)
{
	struct fm_table table = {};

	fm_table_deinit(&table);
	KUNIT_ASSERT_EQ(test, fm_table_init(&table, FM_TABLE_BYTES_MIN,
					    NUMA_NO_NODE), 0);
	fm_table_deinit(&table);
	/* A deinit leaves zeroes, as documented. */
	KUNIT_EXPECT_NULL(test, memchr_inv(&table, 0, sizeof(table)));
	fm_table_deinit(&table);
}

static void add_counts_duplicates(struct kunit *test)
{
	const struct fm_key key = fm_key_of(0), other = fm_key_of(1);
	const struct fm_entry *entry = fm_table.entries;

	KUNIT_EXPECT_FALSE(test, fm_table_grew(&fm_table));
	KUNIT_EXPECT_TRUE(test, fm_table_add(&fm_table, &key, 1, 10, &fm_table.last));
	/* It is said once. */
	KUNIT_EXPECT_TRUE(test, fm_table_grew(&fm_table));
	KUNIT_EXPECT_FALSE(test, fm_table_grew(&fm_table));
	/* Twice in a row, and once with another key in between. */
	KUNIT_EXPECT_TRUE(test, fm_table_add(&fm_table, &key, 7, 100, &fm_table.last));
	KUNIT_EXPECT_EQ(test, fm_table.last, 0);
	KUNIT_EXPECT_FALSE(test, fm_table_grew(&fm_table));
	KUNIT_EXPECT_TRUE(test, fm_table_add(&fm_table, &other, 5, 50, &fm_table.last));
	KUNIT_EXPECT_EQ(test, fm_table.last, 1);
	KUNIT_EXPECT_TRUE(test, fm_table_add(&fm_table, &key, 1ull << 40,
					     1ull << 50, &fm_table.last));
	KUNIT_EXPECT_EQ(test, fm_table.last, 0);
	KUNIT_ASSERT_EQ(test, fm_table.nr, 2);
	KUNIT_EXPECT_EQ(test, entry[0].halves[0].count, 3);
	KUNIT_EXPECT_EQ(test, entry[0].halves[0].periods, 8 + (1ull << 40));
	KUNIT_EXPECT_EQ(test, entry[0].halves[0].late_ns, 110 + (1ull << 50));
	KUNIT_EXPECT_EQ(test, entry[1].halves[0].count, 1);
	KUNIT_EXPECT_EQ(test, entry[1].halves[0].periods, 5);
	KUNIT_EXPECT_EQ(test, entry[1].halves[0].late_ns, 50);
}

/* Make two keys that differ in one byte and start in the same slot. */
static void fm_make_pair(struct kunit *test, u32 byte, struct fm_key *one,
			 struct fm_key *other)
{
	s16 value_in[4];
	u32 value, slot;

	KUNIT_ASSERT_EQ(test, fm_slots(), ARRAY_SIZE(value_in));
	memset(value_in, 0xff, sizeof(value_in));
	*one = fm_key_of(0);
	*other = fm_key_of(0);
	for (value = 0; value <= ARRAY_SIZE(value_in); value++) {
		((u8 *)other)[byte] = value;
		slot = fm_slot_of(test, other);
		if (value_in[slot] >= 0)
			break;
		value_in[slot] = value;
	}
	((u8 *)one)[byte] = value_in[slot];
}

static void every_byte_of_a_key_counts(struct kunit *test)
{
	const struct fm_entry *entry = fm_table.entries;
	struct fm_key one, other;
	u32 byte;

	/* An index of four slots holds two keys, and makes them collide. */
	fm_table.shift = 30;
	for (byte = 0; byte < sizeof(struct fm_key); byte++) {
		fm_make_pair(test, byte, &one, &other);
		/* The last entry is tried first; after another key the index is searched. */
		fm_table_add(&fm_table, &one, 1, 0, &fm_table.last);
		fm_table_add(&fm_table, &other, 10, 0, &fm_table.last);
		fm_table_add(&fm_table, &other, 10, 0, &fm_table.last);
		fm_table_add(&fm_table, &one, 1, 0, &fm_table.last);
		KUNIT_ASSERT_EQ_MSG(test, fm_table.nr, 2, "byte %u", byte);
		KUNIT_EXPECT_EQ_MSG(test, entry[0].halves[0].periods, 2, "byte %u", byte);
		KUNIT_EXPECT_EQ_MSG(test, entry[1].halves[0].periods, 20, "byte %u", byte);
		KUNIT_EXPECT_EQ(test, memcmp(&entry[0].key, &one, sizeof(one)), 0);
		KUNIT_EXPECT_EQ(test, memcmp(&entry[1].key, &other,
					     sizeof(other)), 0);
		fm_table_clear(&fm_table);
	}
}

/* A clear also forgets which entry was the last. */
static void clear_forgets_the_last_one(struct kunit *test)
{
	const struct fm_entry *entry = fm_table.entries;
	const struct fm_key zero = {};
	struct fm_key key;
	u32 nr, last, i;

	/* Also in a table that was always empty. */
	KUNIT_EXPECT_TRUE(test, fm_table_add(&fm_table, &zero, 3, 0, &fm_table.last));
	KUNIT_EXPECT_EQ(test, fm_table.nr, 1);
	KUNIT_EXPECT_EQ(test, entry[0].halves[0].periods, 3);
	for (nr = 1; nr <= 4; nr++)
		for (last = 0; last < nr; last++) {
			fm_table_clear(&fm_table);
			KUNIT_EXPECT_EQ(test, fm_table.nr, 0);
			for (i = 0; i < nr; i++) {
				key = fm_key_of(i);
				fm_table_add(&fm_table, &key, 100, 100, &fm_table.last);
			}
			key = fm_key_of(last);
			fm_table_add(&fm_table, &key, 100, 100, &fm_table.last);
			fm_table_clear(&fm_table);
			KUNIT_EXPECT_TRUE(test, fm_table_add(&fm_table, &key,
							     5, 7, &fm_table.last));
			KUNIT_ASSERT_EQ(test, fm_table.nr, 1);
			KUNIT_EXPECT_EQ(test, memcmp(&entry[0].key, &key,
						     sizeof(key)), 0);
			KUNIT_EXPECT_EQ(test, entry[0].halves[0].count, 1);
			KUNIT_EXPECT_EQ(test, entry[0].halves[0].periods, 5);
			KUNIT_EXPECT_EQ(test, entry[0].halves[0].late_ns, 7);
		}
}

/*
 * Literals, not computed with the table's own code. Half of the bytes are for paths
 * of 20 bytes, a 64th, rounded down to a power of two, for cgroups of 8, the rest for
 * entries of 104. Paths and entries each have an index with slots of
 * 4 bytes. Their number is a power of two, at least two for every 28 or 112 bytes.
 */
static const struct fm_capacity_case {
	size_t bytes;
	u32 nr_full;		/* the number that fits */
	u32 nr_fills;		/* with this number a drain is requested */
	u32 nr_paths;
} fm_capacity_cases[] = {
	{ 12288, 52, 40, 204 },		/* 128 slots, 5504 for entries */
	{ 12295, 52, 40, 204 },
	{ 13824, 60, 46, 243 },		/* half of cpu_kb=32, less steps */
	{ 18432, 76, 58, 256 },
	{ 65536, 265, 199, 1024 },
	{ 442368, 1929, 1447, 7782 },	/* half of the default, less steps */
};

static void fm_capacity_name(const struct fm_capacity_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%zu bytes", c->bytes);
}

KUNIT_ARRAY_PARAM(fm_capacity, fm_capacity_cases, fm_capacity_name);

/* Fill the table, and expect all entries in the order in which they were added. */
static void fm_expect_capacity(struct kunit *test,
			       const struct fm_capacity_case *c)
{
	const struct fm_entry *entry;
	struct fm_key key;
	u32 i;

	for (i = 0; i < c->nr_full; i++) {
		KUNIT_EXPECT_EQ_MSG(test, fm_table_filling(&fm_table),
				    i >= c->nr_fills, "with %u entries", i);
		key = fm_key_of(i);
		KUNIT_ASSERT_TRUE_MSG(test, fm_table_add(&fm_table, &key, 1, 0, &fm_table.last),
				      "entry %u", i);
	}
	key = fm_key_of(i);
	KUNIT_EXPECT_FALSE(test, fm_table_add(&fm_table, &key, 1, 0, &fm_table.last));
	KUNIT_EXPECT_FALSE(test, fm_table_add(&fm_table, &key, 1, 0, &fm_table.last));
	/* A full table still counts known keys. */
	for (i = 0; i < c->nr_full; i++) {
		key = fm_key_of(i);
		KUNIT_EXPECT_TRUE_MSG(test, fm_table_add(&fm_table, &key, i, 3, &fm_table.last),
				      "entry %u", i);
	}
	KUNIT_ASSERT_EQ(test, fm_table.nr, c->nr_full);
	for (i = 0; i < c->nr_full; i++) {
		key = fm_key_of(i);
		entry = &fm_table.entries[i];
		KUNIT_EXPECT_EQ(test, memcmp(&entry->key, &key, sizeof(key)), 0);
		KUNIT_EXPECT_EQ(test, entry->halves[0].count, 2);
		KUNIT_EXPECT_EQ(test, entry->halves[0].periods, i + 1);
		KUNIT_EXPECT_EQ(test, entry->halves[0].late_ns, 3);
	}
}

static void holds_what_it_has_room_for(struct kunit *test)
{
	const struct fm_capacity_case *c = test->param_value;

	fm_table_anew(test, c->bytes);
	KUNIT_EXPECT_EQ(test, fm_table.paths->max, c->nr_paths);
	KUNIT_EXPECT_LE(test, c->nr_full * sizeof(struct fm_entry) +
			fm_slots() * sizeof(u32) +
			c->nr_paths * (FM_PATH_BYTES + 2 * sizeof(u32)),
			c->bytes);
	fm_expect_capacity(test, c);
	fm_table_clear(&fm_table);
	KUNIT_EXPECT_FALSE(test, fm_table_filling(&fm_table));
	/* Fill it again after the clear. */
	fm_expect_capacity(test, c);
}

/* After the last slot a search continues at the first. */
static void keys_of_the_last_slot_are_found(struct kunit *test)
{
	u32 tids[40], nr = 0, i;
	struct fm_key key = fm_key_of(0);

	for (key.tid = 0; nr < ARRAY_SIZE(tids) && key.tid < 100000; key.tid++)
		if (fm_slot_of(test, &key) == fm_slots() - 1)
			tids[nr++] = key.tid;
	KUNIT_ASSERT_EQ(test, nr, ARRAY_SIZE(tids));
	for (i = 0; i < 3 * nr; i++) {
		key.tid = tids[i % nr];
		KUNIT_EXPECT_TRUE(test, fm_table_add(&fm_table, &key, 1, 0, &fm_table.last));
	}
	KUNIT_ASSERT_EQ(test, fm_table.nr, nr);
	for (i = 0; i < nr; i++) {
		KUNIT_EXPECT_EQ(test, fm_table.entries[i].key.tid, tids[i]);
		KUNIT_EXPECT_EQ(test, fm_table.entries[i].halves[0].count, 3);
	}
}

/* A hash that ignores a part of the key, such as the stack, makes searches long. */
static const struct fm_spread_case {
	const char *name;
	u32 leaf, path, pid, tid, context, user;	/* the number of different values */
	const char *comm;
} fm_spread_cases[] = {
	{ "leaves", .leaf = 1024 },
	{ "paths", .path = 1024 },
	{ "threads", .tid = 1024 },
	{ "processes", .pid = 1024 },
	{ "names of digits", .comm = "%u" },
	{ "long names", .comm = "kworker/%7u" },
	{ "contexts and leaves", .context = 4, .leaf = 256 },
	{ "contexts and paths", .context = 4, .path = 256 },
	{ "leaves and paths", .leaf = 32, .path = 32 },
	{ "leaves and threads", .leaf = 32, .tid = 32 },
	{ "leaves and processes", .leaf = 32, .pid = 32 },
	{ "paths and threads", .path = 32, .tid = 32 },
	{ "paths and processes", .path = 32, .pid = 32 },
	{ "threads of processes", .pid = 32, .tid = 32 },
	{ "named threads", .tid = 1024, .comm = "worker-%u" },
	{ "named threads, at the end", .tid = 1024, .comm = "thread-pool-%u" },
	{ "user stacks", .user = 1024 },
	{ "paths and user stacks", .path = 32, .user = 32 },
	{ "threads and user stacks", .tid = 32, .user = 32 },
	{ "leaves, paths and threads", .leaf = 16, .path = 8, .tid = 8 },
};

FM_ARRAY_PARAM(spread);

/* Take the next digit off @i: one of @nr values. */
static u32 fm_digit(u32 *i, u32 nr)
{
	u32 digit = nr ? *i % nr : 0;

	*i /= nr ?: 1;
	return digit;
}

static void hash_spreads(struct kunit *test)
{
	const struct fm_spread_case *c = test->param_value;
	u8 *seen = kunit_kzalloc(test, 4096, GFP_KERNEL);
	struct fm_key key;
	u32 i, rest, slots = 0, slot;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	fm_table_anew(test, 237568);
	KUNIT_ASSERT_EQ(test, fm_slots(), 4096);
	for (i = 0; i < 1024; i++) {
		key = fm_key_of(0);
		rest = i;
		key.leaf += fm_digit(&rest, c->leaf);
		key.path += fm_digit(&rest, c->path);
		key.pid += fm_digit(&rest, c->pid);
		key.tid += fm_digit(&rest, c->tid);
		key.context += fm_digit(&rest, c->context);
		key.user += fm_digit(&rest, c->user);
		if (c->comm)
			snprintf(key.comm, TASK_COMM_LEN, c->comm, i);
		slot = fm_slot_of(test, &key);
		slots += !seen[slot];
		seen[slot] = 1;
	}
	/* 1024 random hits on 4096 slots reach 906 of them, give or take 9. */
	KUNIT_EXPECT_GT(test, slots, 800);
}

/* Fill a sample with frames that depend on @seed, except for the leaf. */
static void fm_fill_frames(struct fm_sample *sample, u32 nr, u32 seed)
{
	u32 i;

	memset(sample, 0x7e, sizeof(*sample));
	sample->paths = fm_table.paths;
	sample->nr_frames = nr;
	for (i = 0; i < nr; i++)
		sample->frames[i] = FM_LEAF + 0x100 * i + (i ? seed : 0);
}

static void a_fold_is_a_leaf_and_its_path(struct kunit *test)
{
	struct fm_sample *sample = kunit_kzalloc(test, sizeof(*sample), GFP_KERNEL);
	unsigned long callers[FLAMEMOD_MAX_DEPTH_MAX];
	u32 nr, path = FM_PATH_NOWHERE;

	KUNIT_ASSERT_NOT_NULL(test, sample);
	for (nr = 1; nr <= FLAMEMOD_MAX_DEPTH_MAX; nr++) {
		fm_fill_frames(sample, nr, 0);
		KUNIT_ASSERT_TRUE(test, fm_sample_fold(sample));
		KUNIT_EXPECT_EQ(test, sample->key.leaf, FM_LEAF);
		/* The first stack has no caller, and each has one more. */
		KUNIT_EXPECT_EQ(test, sample->key.path,
				nr == 1 ? FM_PATH_NONE : ++path);
		KUNIT_ASSERT_EQ(test, fm_paths_callers(fm_table.paths,
						       sample->key.path, callers),
				nr - 1);
		KUNIT_EXPECT_EQ(test, memcmp(callers, sample->frames + 1,
					     (nr - 1) * sizeof(callers[0])), 0);
	}
	KUNIT_EXPECT_EQ(test, fm_table.nr, 0);
	/* A clear of the table removes the paths, too. */
	fm_table_clear(&fm_table);
	KUNIT_EXPECT_EQ(test, fm_table.paths->nr, FM_PATH_NOWHERE + 1);
}

/* A drain comes in time for what has no room among the cgroups, and goes on without them. */
static void a_table_is_full_by_its_cgroups_too(struct kunit *test)
{
	u32 i;

	/* 8 of 16 slots may be used: more than 6 fill it, more than 5 use it up. */
	for (i = 0; i < 8; i++) {
		KUNIT_EXPECT_EQ_MSG(test, fm_table_filling(&fm_table), i > 6, "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, fm_table_used_up(&fm_table), i > 5, "%u", i);
		KUNIT_EXPECT_NE(test, fm_groups_number(&fm_table.groups, 1 + i), FM_GROUP_OTHER);
	}
	KUNIT_EXPECT_EQ(test, fm_groups_number(&fm_table.groups, 9), FM_GROUP_OTHER);
	fm_table_empty(&fm_table);
	KUNIT_EXPECT_FALSE(test, fm_table_used_up(&fm_table));
	KUNIT_EXPECT_NE(test, fm_groups_number(&fm_table.groups, 9), FM_GROUP_OTHER);
}

/* Without room for paths there is still room for entries with known paths or none. */
static void a_table_is_full_by_its_paths_too(struct kunit *test)
{
	struct fm_sample *sample = kunit_kzalloc(test, sizeof(*sample), GFP_KERNEL);
	unsigned long callers[FLAMEMOD_MAX_DEPTH_MAX];
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, sample);
	/* 20 stacks of 10 callers use 200 of 202 paths; 16 are more than three quarters. */
	for (i = 0; i < 20; i++) {
		KUNIT_EXPECT_EQ_MSG(test, fm_table_filling(&fm_table), i > 15,
				    "with %u stacks", i);
		fm_fill_frames(sample, 11, i);
		KUNIT_ASSERT_TRUE(test, fm_sample_fold(sample));
		KUNIT_ASSERT_TRUE(test, fm_table_add(&fm_table, &sample->key, 1, 0,
						     &fm_table.last));
	}
	fm_fill_frames(sample, 11, 20);
	KUNIT_EXPECT_FALSE(test, fm_sample_fold(sample));
	KUNIT_EXPECT_FALSE(test, fm_sample_fold(sample));
	for (i = 0; i < 20; i++) {
		fm_fill_frames(sample, 11, i);
		KUNIT_ASSERT_TRUE(test, fm_sample_fold(sample));
		KUNIT_EXPECT_EQ(test, sample->key.path,
				FM_PATH_NOWHERE + 10 * (i + 1));
		KUNIT_ASSERT_EQ(test, fm_paths_callers(fm_table.paths,
						       sample->key.path, callers),
				10);
		KUNIT_EXPECT_EQ(test, memcmp(callers, sample->frames + 1,
					     10 * sizeof(callers[0])), 0);
		/* Another leaf takes no path. */
		sample->key.leaf++;
		KUNIT_EXPECT_TRUE(test, fm_table_add(&fm_table, &sample->key, 1, 0,
						     &fm_table.last));
	}
	fm_fill_frames(sample, 1, 0);
	KUNIT_EXPECT_TRUE(test, fm_sample_fold(sample));
	KUNIT_EXPECT_EQ(test, sample->key.path, 0);
	KUNIT_EXPECT_EQ(test, fm_table.nr, 40);
}

/* For all sizes from the least to four times that. */
static void one_stack_does_not_fill_the_paths(struct kunit *test)
{
	size_t bytes, slots;

	for (bytes = FM_TABLE_BYTES_MIN; bytes < 4 * FM_TABLE_BYTES_MIN; bytes += 128) {
		fm_table_anew(test, bytes);
		KUNIT_EXPECT_GE_MSG(test, fm_table.own.max, FM_PATHS_MIN,
				    "of %zu bytes", bytes);
		slots = 1u << (32 - fm_table.own.shift);
		KUNIT_EXPECT_GE_MSG(test, slots, 2 * fm_table.own.max,
				    "of %zu bytes", bytes);
		KUNIT_EXPECT_LE_MSG(test,
				    fm_table.own.max * FM_PATH_BYTES + slots * sizeof(u32),
				    bytes / 2, "of %zu bytes", bytes);
	}
}

/*
 * Comms that would share a slot if the hash only used exclusive ors and public
 * constants: the second word cancels the first.
 */
static void chosen_comms_do_not_share_a_slot(struct kunit *test)
{
	u8 *seen = kunit_kzalloc(test, 4096, GFP_KERNEL);
	u32 i, slots = 0, slot;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	fm_table_anew(test, 237568);
	KUNIT_ASSERT_EQ(test, fm_slots(), 4096);
	for (i = 0; i < 1024; i++) {
		struct fm_key key = fm_key_of(0);
		u64 words[2];

		words[1] = (i + 1) * 0x0101010101010101ull;
		words[0] = 0x6162636465666768ull ^ rol64(words[1], 17);
		memcpy(key.comm, words, sizeof(words));
		slot = fm_slot_of(test, &key);
		slots += !seen[slot];
		seen[slot] = 1;
	}
	KUNIT_EXPECT_GT(test, slots, 800);
}

/* The same key starts in different slots, as each table has a random secret. */
static void each_table_has_its_secret(struct kunit *test)
{
	const struct fm_key key = fm_key_of(0);
	u32 slots[4], i;

	for (i = 0; i < ARRAY_SIZE(slots); i++) {
		fm_table_anew(test, 237568);
		slots[i] = fm_slot_of(test, &key);
	}
	/* all four are equal by chance once in 2^36 runs */
	KUNIT_EXPECT_FALSE(test, slots[0] == slots[1] && slots[1] == slots[2] &&
			   slots[2] == slots[3]);
}

static void a_search_is_bounded(struct kunit *test)
{
	const struct fm_key key = fm_key_of(0), other = fm_key_of(1);
	u32 slot, i;

	fm_table_anew(test, 237568);
	KUNIT_ASSERT_GT(test, fm_slots(), 2 * FM_TABLE_PROBES);
	slot = fm_slot_of(test, &key);
	KUNIT_ASSERT_TRUE(test, fm_table_add(&fm_table, &other, 1, 0, &fm_table.last));
	/* fill all but the last slot of the search with the other key's entry */
	for (i = 0; i < FM_TABLE_PROBES - 1; i++)
		fm_table.index[(slot + i) & (fm_slots() - 1)] = 1;
	fm_table.index[(slot + i) & (fm_slots() - 1)] = 0;
	KUNIT_EXPECT_TRUE(test, fm_table_add(&fm_table, &key, 1, 0, &fm_table.last));
	KUNIT_EXPECT_EQ(test, fm_table.nr, 2);
	/* and in the last one too */
	fm_table.index[(slot + i) & (fm_slots() - 1)] = 1;
	fm_table.last = 0;
	KUNIT_EXPECT_FALSE(test, fm_table_add(&fm_table, &key, 1, 0, &fm_table.last));
	KUNIT_EXPECT_EQ(test, fm_table.nr, 2);
}

static struct kunit_case fm_table_cases[] = {
	KUNIT_CASE(init_fails_cleanly),
	KUNIT_CASE(deinit_of_an_unused_table),
	KUNIT_CASE(add_counts_duplicates),
	KUNIT_CASE(every_byte_of_a_key_counts),
	KUNIT_CASE(clear_forgets_the_last_one),
	KUNIT_CASE_PARAM(holds_what_it_has_room_for, fm_capacity_gen_params),
	KUNIT_CASE(one_stack_does_not_fill_the_paths),
	KUNIT_CASE(keys_of_the_last_slot_are_found),
	KUNIT_CASE_PARAM(hash_spreads, fm_spread_gen_params),
	KUNIT_CASE(chosen_comms_do_not_share_a_slot),
	KUNIT_CASE(each_table_has_its_secret),
	KUNIT_CASE(a_search_is_bounded),
	KUNIT_CASE(a_fold_is_a_leaf_and_its_path),
	KUNIT_CASE(a_table_is_full_by_its_paths_too),
	KUNIT_CASE(a_table_is_full_by_its_cgroups_too),
	{}
};

struct kunit_suite fm_table_suite = {
	.name = "flamemod_table",
	.init = fm_table_begin,
	.exit = fm_table_end,
	.test_cases = fm_table_cases,
};
