// SPDX-License-Identifier: GPL-2.0
/*
 * Decodes the messages of a dump, and compares them with the snapshot: see wire_seen.h.
 */
#include <linux/string.h>
#include <net/netlink.h>

#include "../../module/symbols.h"
#include "name.h"
#include "wire_seen.h"

#define FM_NUMBERS_MAX	256

/* Decode a column as common/flamemod.yaml describes; freed when the test ends. */
static u64 *fm_numbers(struct kunit *test, const struct nlattr *column, u32 *nr)
{
	u64 *numbers = kunit_kzalloc(test, FM_NUMBERS_MAX * sizeof(*numbers),
				     GFP_KERNEL);
	const u8 *at = nla_data(column), *end = at + nla_len(column);
	u32 shift = 0;

	KUNIT_ASSERT_NOT_NULL(test, numbers);
	for (*nr = 0; at < end; at++) {
		KUNIT_ASSERT_LT(test, *nr, FM_NUMBERS_MAX);
		KUNIT_ASSERT_LT(test, shift, 64);
		numbers[*nr] |= (u64)(*at & 0x7f) << shift;
		/* No number has more bytes than it needs. */
		KUNIT_EXPECT_TRUE(test, *at || !shift);
		shift = *at & 0x80 ? shift + 7 : 0;
		*nr += !shift;
	}
	KUNIT_ASSERT_EQ(test, shift, 0);
	KUNIT_ASSERT_GT(test, *nr, 0);
	return numbers;
}

static u64 *fm_differences(struct kunit *test, const struct nlattr *column,
			   u32 *nr)
{
	u64 *numbers = fm_numbers(test, column, nr), last = 0;
	u32 i;

	for (i = 0; i < *nr; i++) {
		last += numbers[i] & 1 ? -(numbers[i] / 2) - 1 : numbers[i] / 2;
		numbers[i] = last;
	}
	return numbers;
}

/* The same for a column that must have @nr numbers. */
static u64 *fm_more_numbers(struct kunit *test, const struct nlattr *column,
			    u32 nr)
{
	u64 *numbers;
	u32 own;

	numbers = fm_numbers(test, column, &own);
	KUNIT_ASSERT_EQ(test, own, nr);
	return numbers;
}

static u64 *fm_more_differences(struct kunit *test,
				const struct nlattr *column, u32 nr)
{
	u64 *numbers;
	u32 own;

	numbers = fm_differences(test, column, &own);
	KUNIT_ASSERT_EQ(test, own, nr);
	return numbers;
}

static void fm_see_frames(struct kunit *test, struct fm_seen *seen,
			  const struct nlattr *nest)
{
	const u64 *ids = NULL, *kinds = NULL;
	u32 nr = 0, names = 0, id;
	const struct fm_frame *frame;
	const struct nlattr *attr;
	int rest;

	nla_for_each_nested(attr, nest, rest) {
		if (nla_type(attr) == FLAMEMOD_A_FRAMES_ID)
			ids = fm_differences(test, attr, &nr);
		if (nla_type(attr) == FLAMEMOD_A_FRAMES_KIND)
			kinds = fm_more_numbers(test, attr, nr);
		if (nla_type(attr) != FLAMEMOD_A_FRAMES_NAME)
			continue;
		KUNIT_ASSERT_TRUE(test, ids && kinds);
		KUNIT_ASSERT_LT(test, names, nr);
		id = ids[names];
		KUNIT_EXPECT_TRUE(test, !seen->nr_frames || id > seen->last_frame);
		KUNIT_ASSERT_LT(test, id, seen->snapshot->nr_frames);
		frame = fm_set_at(&seen->snapshot->symbols->frames, id);
		KUNIT_EXPECT_STREQ(test, (char *)nla_data(attr), fm_frame_text(frame));
		KUNIT_EXPECT_EQ(test, kinds[names], frame->kind);
		seen->last_frame = id;
		seen->nr_frames++;
		names++;
	}
	KUNIT_ASSERT_TRUE(test, ids && kinds);
	KUNIT_EXPECT_EQ(test, names, nr);
}

static void fm_see_nodes(struct kunit *test, struct fm_seen *seen,
			 const struct nlattr *nest)
{
	struct nlattr *tb[FLAMEMOD_A_NODES_MAX + 1];
	const struct fm_node *node;
	u64 *parents, *frames;
	u32 nr, i, first;

	KUNIT_ASSERT_EQ(test, nla_parse_nested(tb, FLAMEMOD_A_NODES_MAX, nest,
					       NULL, NULL), 0);
	first = nla_get_u32(tb[FLAMEMOD_A_NODES_FIRST]);
	KUNIT_EXPECT_EQ(test, first, seen->nr_nodes + 1);
	parents = fm_differences(test, tb[FLAMEMOD_A_NODES_PARENT], &nr);
	frames = fm_more_differences(test, tb[FLAMEMOD_A_NODES_FRAME], nr);
	for (i = 0; i < nr; i++) {
		node = fm_set_at(&seen->snapshot->aggregate->nodes, first + i);
		KUNIT_EXPECT_EQ(test, parents[i], node->parent);
		KUNIT_EXPECT_EQ(test, frames[i], node->frame);
	}
	seen->nr_nodes += nr;
}

static void fm_see_tasks(struct kunit *test, struct fm_seen *seen,
			 const struct nlattr *nest)
{
	const struct nlattr *attr, *first = NULL;
	const u64 *pids = NULL, *tids = NULL, *cgroups = NULL;
	const struct fm_task *task;
	u32 comms = 0, nr = 0;
	int rest;

	nla_for_each_nested(attr, nest, rest) {
		if (nla_type(attr) == FLAMEMOD_A_TASKS_FIRST)
			first = attr;
		if (nla_type(attr) == FLAMEMOD_A_TASKS_PID)
			pids = fm_differences(test, attr, &nr);
		if (nla_type(attr) == FLAMEMOD_A_TASKS_TID)
			tids = fm_more_differences(test, attr, nr);
		if (nla_type(attr) == FLAMEMOD_A_TASKS_CGROUP)
			cgroups = fm_more_differences(test, attr, nr);
		if (nla_type(attr) != FLAMEMOD_A_TASKS_COMM)
			continue;
		KUNIT_ASSERT_TRUE(test, first && pids && tids);
		KUNIT_ASSERT_LT(test, comms, nr);
		task = fm_set_at(&seen->snapshot->aggregate->tasks,
				 nla_get_u32(first) + comms);
		KUNIT_EXPECT_STREQ(test, (char *)nla_data(attr), task->comm);
		KUNIT_EXPECT_EQ(test, pids[comms], task->pid);
		KUNIT_EXPECT_EQ(test, tids[comms], task->tid);
		KUNIT_EXPECT_EQ(test, cgroups ? cgroups[comms] : 0, task->cgroup);
		comms++;
	}
	KUNIT_ASSERT_TRUE(test, first && pids && tids);
	KUNIT_EXPECT_EQ(test, nla_get_u32(first), seen->nr_tasks);
	KUNIT_EXPECT_EQ(test, comms, nr);
	/* The column is not sent if it would be all zero. */
	seen->nr_batches_in_cgroups += !!cgroups;
	KUNIT_EXPECT_TRUE(test, !cgroups || memchr_inv(cgroups, 0, nr * sizeof(*cgroups)));
	seen->nr_tasks += comms;
}

static void fm_see_records(struct kunit *test, struct fm_seen *seen,
			   const struct nlattr *nest)
{
	u64 *nodes, *tasks, *cpus, *contexts, *count, *periods, *late_us;
	u64 *followed = NULL;
	struct nlattr *tb[FLAMEMOD_A_RECORDS_MAX + 1];
	const struct fm_record *record;
	u32 nr, i, first;

	KUNIT_ASSERT_EQ(test, nla_parse_nested(tb, FLAMEMOD_A_RECORDS_MAX, nest,
					       NULL, NULL), 0);
	first = nla_get_u32(tb[FLAMEMOD_A_RECORDS_FIRST]);
	KUNIT_EXPECT_EQ(test, first, seen->nr_records);
	nodes = fm_differences(test, tb[FLAMEMOD_A_RECORDS_NODE], &nr);
	tasks = fm_more_differences(test, tb[FLAMEMOD_A_RECORDS_TASK], nr);
	cpus = fm_more_numbers(test, tb[FLAMEMOD_A_RECORDS_CPU], nr);
	contexts = fm_more_numbers(test, tb[FLAMEMOD_A_RECORDS_CONTEXT], nr);
	count = fm_more_numbers(test, tb[FLAMEMOD_A_RECORDS_COUNT], nr);
	periods = fm_more_numbers(test, tb[FLAMEMOD_A_RECORDS_PERIODS], nr);
	late_us = fm_more_numbers(test, tb[FLAMEMOD_A_RECORDS_LATE_US], nr);
	if (tb[FLAMEMOD_A_RECORDS_FOLLOWED])
		followed = fm_more_numbers(test, tb[FLAMEMOD_A_RECORDS_FOLLOWED],
					   nr);
	/* The column is not sent if it would be all zero. */
	seen->nr_batches_followed += !!followed;
	KUNIT_EXPECT_TRUE(test, !followed || memchr_inv(followed, 0, nr * sizeof(*followed)));
	for (i = 0; i < nr; i++) {
		record = fm_set_at(&seen->snapshot->aggregate->records, first + i);
		KUNIT_EXPECT_EQ(test, nodes[i], record->node);
		KUNIT_EXPECT_EQ(test, tasks[i], record->task);
		KUNIT_EXPECT_EQ(test, cpus[i], record->cpu);
		KUNIT_EXPECT_EQ(test, contexts[i], (u8)record->context);
		KUNIT_EXPECT_EQ(test, count[i],
				fm_snapshot_counts(seen->snapshot, first + i)->count);
		KUNIT_EXPECT_EQ(test, followed ? followed[i] : 0, (u8)record->followed);
		seen->count += count[i];
		seen->periods += periods[i];
		seen->late_us += late_us[i];
	}
	seen->nr_records += nr;
}

/* Expect that each attribute of a message agrees with the snapshot. */
void fm_see_message(struct kunit *test, struct fm_seen *seen,
		    const struct sk_buff *skb)
{
	const struct nlattr *attr;
	int rest;

	KUNIT_EXPECT_GT(test, skb->len, 0);
	nla_for_each_attr(attr, (struct nlattr *)skb->data, skb->len, rest) {
		switch (nla_type(attr)) {
		case FLAMEMOD_A_STATE:
			seen->nr_heads++;
			break;
		case FLAMEMOD_A_CPU:
			seen->nr_cpus++;
			break;
		case FLAMEMOD_A_FRAMES:
			fm_see_frames(test, seen, attr);
			break;
		case FLAMEMOD_A_NODES:
			fm_see_nodes(test, seen, attr);
			break;
		case FLAMEMOD_A_TASKS:
			fm_see_tasks(test, seen, attr);
			break;
		case FLAMEMOD_A_RECORDS:
			fm_see_records(test, seen, attr);
			break;
		case FLAMEMOD_A_SESSION:
		case FLAMEMOD_A_SETTINGS:
			break;
		default:
			KUNIT_FAIL(test, "attribute %u", nla_type(attr));
		}
	}
	KUNIT_EXPECT_EQ(test, rest, 0);
	seen->nr_messages++;
}
