// SPDX-License-Identifier: GPL-2.0
/*
 * Messages with the state, the books, pauses and stalls: each number is in the
 * attribute of its name.
 */
#include <linux/skbuff.h>
#include <linux/string.h>
#include <net/netlink.h>
#include <kunit/test.h>

#include "../../module/snapshot.h"
#include "../../module/wire.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"

static struct fm_snapshot *fm_snapshot;

static int fm_wire_state_begin(struct kunit *test)
{
	int err = fm_held_begin(test);

	fm_snapshot = NULL;
	if (err)
		return err;
	fm_held_start(test);
	return fm_snapshot_create(fm_session, 0, &fm_snapshot, NULL);
}

static void fm_wire_state_end(struct kunit *test)
{
	if (fm_snapshot)
		fm_snapshot_put(fm_snapshot);
	fm_held_end(test);
}

static struct sk_buff *fm_state_skb(struct kunit *test)
{
	struct sk_buff *skb = alloc_skb(4096, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	return skb;
}

/* Put the head of fm_snapshot into an empty skb, and parse its state. */
static void fm_parse_state(struct kunit *test, struct sk_buff *skb,
			   struct nlattr **state)
{
	struct nlattr *tb[FLAMEMOD_A_MAX + 1];

	KUNIT_ASSERT_EQ(test, fm_wire_put_head(skb, fm_snapshot), 0);
	KUNIT_ASSERT_EQ(test, nla_parse(tb, FLAMEMOD_A_MAX, (void *)skb->data,
					skb->len, NULL, NULL), 0);
	KUNIT_ASSERT_EQ(test, nla_parse_nested(state, FLAMEMOD_A_STATE_MAX,
					       tb[FLAMEMOD_A_STATE], NULL, NULL), 0);
}

/* Each column of the books has the attribute of its name. */
static void books_have_their_attributes(struct kunit *test)
{
	static const u64 values[] = { 11, 22, 33, 44, 1ull << 35, 66, 77, 88, 99 };
	struct nlattr *state[FLAMEMOD_A_STATE_MAX + 1];
	struct nlattr *books[FLAMEMOD_A_BOOKS_MAX + 1];
	struct nlattr *lost[FLAMEMOD_A_LOST_MAX + 1];
	struct sk_buff *skb = fm_state_skb(test);
	u32 i;

	fm_snapshot->expected = values[0];
	fm_snapshot->overdue = -88;
	fm_snapshot->books = (struct fm_books) {
		.fires = values[1], .missed = values[2], .stored = values[3],
		.filtered = values[4], .truncated = values[5],
		.asleep = values[6], .late = values[7], .stolen = values[8],
		.lost = { 101, 102, 103, 104, 105 },
	};
	fm_parse_state(test, skb, state);
	KUNIT_ASSERT_EQ(test, nla_parse_nested(books, FLAMEMOD_A_BOOKS_MAX,
					       state[FLAMEMOD_A_STATE_BOOKS],
					       NULL, NULL), 0);
	KUNIT_ASSERT_EQ(test, nla_parse_nested(lost, FLAMEMOD_A_LOST_MAX,
					       books[FLAMEMOD_A_BOOKS_LOST],
					       NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_EXPECTED]), 11);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_FIRES]), 22);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_MISSED]), 33);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_STORED]), 44);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_TRUNCATED]), 66);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_ASLEEP]), 77);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_LATE]), 88);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_STOLEN]), 99);
	KUNIT_ASSERT_EQ(test, nla_len(books[FLAMEMOD_A_BOOKS_OVERDUE]), 4);
	KUNIT_EXPECT_EQ(test, nla_get_s32(books[FLAMEMOD_A_BOOKS_OVERDUE]), -88);
	/* More than 32 bits take 8 bytes. */
	KUNIT_ASSERT_EQ(test, nla_len(books[FLAMEMOD_A_BOOKS_FILTERED]), 8);
	KUNIT_EXPECT_EQ(test, nla_get_u64(books[FLAMEMOD_A_BOOKS_FILTERED]),
			1ull << 35);
	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		KUNIT_EXPECT_EQ(test, nla_get_u32(lost[i + 1]), 101 + i);
	kfree_skb(skb);
}

/* Each client is an attribute of its own. */
static void clients_have_their_attributes(struct kunit *test)
{
	struct nlattr *state[FLAMEMOD_A_STATE_MAX + 1], *client[FLAMEMOD_A_CLIENT_MAX + 1];
	struct nlattr *attr, *tb[FLAMEMOD_A_MAX + 1];
	struct sk_buff *skb = fm_state_skb(test);
	u32 nr = 0;
	int left;

	fm_snapshot->clients[0] = (struct fm_snapshot_client){ .epoch = 1, .pid = 101 };
	fm_snapshot->clients[1] = (struct fm_snapshot_client){ .epoch = 2, .pid = 102 };
	fm_snapshot->nr_clients = 2;
	fm_parse_state(test, skb, state);
	KUNIT_ASSERT_EQ(test, nla_parse(tb, FLAMEMOD_A_MAX, (void *)skb->data, skb->len,
					NULL, NULL), 0);
	nla_for_each_nested(attr, tb[FLAMEMOD_A_STATE], left) {
		if (nla_type(attr) != FLAMEMOD_A_STATE_CLIENT)
			continue;
		nr++;
		KUNIT_ASSERT_EQ(test, nla_parse_nested(client, FLAMEMOD_A_CLIENT_MAX, attr,
						       NULL, NULL), 0);
		KUNIT_EXPECT_EQ(test, nla_get_u32(client[FLAMEMOD_A_CLIENT_EPOCH]), nr);
		KUNIT_EXPECT_EQ(test, nla_get_u32(client[FLAMEMOD_A_CLIENT_PID]), 100 + nr);
	}
	KUNIT_EXPECT_EQ(test, nr, 2);
	KUNIT_EXPECT_NULL(test, state[FLAMEMOD_A_STATE_EVENTS_EPOCH]);
	kfree_skb(skb);
}

/* A number with a sign takes 4 bytes, or 8. */
static const struct fm_overdue_case {
	const char *name;
	s64 overdue;
	int bytes;
} fm_overdue_cases[] = {
	{ "0", 0, 4 },
	{ "-1", -1, 4 },
	{ "S32_MAX", S32_MAX, 4 },
	{ "S32_MIN", S32_MIN, 4 },
	{ "S32_MAX + 1", S32_MAX + 1ll, 8 },
	{ "S32_MIN - 1", S32_MIN - 1ll, 8 },
	{ "S64_MIN", S64_MIN, 8 },
};

FM_ARRAY_PARAM(overdue);

static void overdue_has_a_sign(struct kunit *test)
{
	const struct fm_overdue_case *c = test->param_value;
	struct nlattr *state[FLAMEMOD_A_STATE_MAX + 1];
	struct nlattr *books[FLAMEMOD_A_BOOKS_MAX + 1];
	struct sk_buff *skb = fm_state_skb(test);
	const struct nlattr *attr;

	fm_snapshot->overdue = c->overdue;
	fm_parse_state(test, skb, state);
	KUNIT_ASSERT_EQ(test, nla_parse_nested(books, FLAMEMOD_A_BOOKS_MAX,
					       state[FLAMEMOD_A_STATE_BOOKS],
					       NULL, NULL), 0);
	attr = books[FLAMEMOD_A_BOOKS_OVERDUE];
	KUNIT_ASSERT_EQ(test, nla_len(attr), c->bytes);
	KUNIT_EXPECT_EQ(test, c->bytes == 4 ? nla_get_s32(attr) : nla_get_s64(attr),
			c->overdue);
	kfree_skb(skb);
}

static void what_is_recognised_is_reported(struct kunit *test)
{
	struct nlattr *state[FLAMEMOD_A_STATE_MAX + 1];
	struct sk_buff *skb = fm_state_skb(test);
	u32 i;

	for (i = 0; i < 2; i++) {
		skb_trim(skb, 0);
		fm_snapshot->marks_irqs_off = i;
		fm_parse_state(test, skb, state);
		KUNIT_ASSERT_NOT_NULL(test, state[FLAMEMOD_A_STATE_IRQS_OFF]);
		KUNIT_EXPECT_EQ(test, nla_get_u8(state[FLAMEMOD_A_STATE_IRQS_OFF]), i);
	}
	kfree_skb(skb);
}

static void what_is_kept_is_reported(struct kunit *test)
{
	struct nlattr *state[FLAMEMOD_A_STATE_MAX + 1], *kept[FLAMEMOD_A_KEPT_MAX + 1];
	struct sk_buff *skb = fm_state_skb(test);

	fm_parse_state(test, skb, state);
	KUNIT_EXPECT_NULL(test, state[FLAMEMOD_A_STATE_CLOSED]);
	skb_trim(skb, 0);
	fm_snapshot->closed = true;
	fm_snapshot->kept = (struct fm_kept_counts) {
		.nr_readers = 11, .nr_epochs = 22, .expired = 33, .reclaimed = 44,
	};
	fm_snapshot->kept_bytes = 55;
	fm_parse_state(test, skb, state);
	KUNIT_ASSERT_NOT_NULL(test, state[FLAMEMOD_A_STATE_CLOSED]);
	KUNIT_EXPECT_EQ(test, nla_get_u8(state[FLAMEMOD_A_STATE_CLOSED]), 1);
	KUNIT_ASSERT_EQ(test, nla_parse_nested(kept, FLAMEMOD_A_KEPT_MAX,
					       state[FLAMEMOD_A_STATE_KEPT], NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, nla_get_u32(kept[FLAMEMOD_A_KEPT_READERS]), 11);
	KUNIT_EXPECT_EQ(test, nla_get_u32(kept[FLAMEMOD_A_KEPT_EPOCHS]), 22);
	KUNIT_EXPECT_EQ(test, nla_get_u32(kept[FLAMEMOD_A_KEPT_EXPIRED]), 33);
	KUNIT_EXPECT_EQ(test, nla_get_u32(kept[FLAMEMOD_A_KEPT_RECLAIMED]), 44);
	KUNIT_EXPECT_EQ(test, nla_get_u32(kept[FLAMEMOD_A_KEPT_BYTES]), 55);
	kfree_skb(skb);
}

static void isolated_cpus_are_named(struct kunit *test)
{
	struct nlattr *state[FLAMEMOD_A_STATE_MAX + 1];
	struct sk_buff *skb = fm_state_skb(test);

	cpumask_clear(&fm_snapshot->isolated);
	fm_parse_state(test, skb, state);
	KUNIT_EXPECT_NULL(test, state[FLAMEMOD_A_STATE_ISOLATED]);
	KUNIT_EXPECT_NULL(test, state[FLAMEMOD_A_STATE_NR_ISOLATED]);
	skb_trim(skb, 0);
	cpumask_set_cpu(0, &fm_snapshot->isolated);
	cpumask_set_cpu(1, &fm_snapshot->isolated);
	fm_parse_state(test, skb, state);
	KUNIT_ASSERT_NOT_NULL(test, state[FLAMEMOD_A_STATE_ISOLATED]);
	KUNIT_EXPECT_STREQ(test, (char *)nla_data(state[FLAMEMOD_A_STATE_ISOLATED]), "0-1");
	KUNIT_ASSERT_NOT_NULL(test, state[FLAMEMOD_A_STATE_NR_ISOLATED]);
	KUNIT_EXPECT_EQ(test, nla_get_u32(state[FLAMEMOD_A_STATE_NR_ISOLATED]), 2);
	kfree_skb(skb);
}

static void pauses_have_their_attributes(struct kunit *test)
{
	struct nlattr *state[FLAMEMOD_A_STATE_MAX + 1];
	struct nlattr *pauses[FLAMEMOD_A_PAUSES_MAX + 1];
	struct sk_buff *skb = fm_state_skb(test);

	fm_snapshot->pauses = (struct fm_pauses) {
		.callbacks = { [0] = 11, [FM_PAUSES_BUCKETS - 1] = 1ull << 35 },
		.callback_ns_max = 22, .swap_ns_max = 33, .forget_ns_max = 44,
	};
	fm_parse_state(test, skb, state);
	KUNIT_ASSERT_EQ(test, nla_parse_nested(pauses, FLAMEMOD_A_PAUSES_MAX,
					       state[FLAMEMOD_A_STATE_PAUSES],
					       NULL, NULL), 0);
	KUNIT_ASSERT_EQ(test, nla_len(pauses[FLAMEMOD_A_PAUSES_CALLBACKS]),
			FM_PAUSES_BUCKETS * 8);
	KUNIT_EXPECT_EQ(test, memcmp(nla_data(pauses[FLAMEMOD_A_PAUSES_CALLBACKS]),
				     fm_snapshot->pauses.callbacks,
				     FM_PAUSES_BUCKETS * 8), 0);
	KUNIT_EXPECT_EQ(test, nla_get_u32(pauses[FLAMEMOD_A_PAUSES_CALLBACK_NS_MAX]), 22);
	KUNIT_EXPECT_EQ(test, nla_get_u32(pauses[FLAMEMOD_A_PAUSES_SWAP_NS_MAX]), 33);
	KUNIT_EXPECT_EQ(test, nla_get_u32(pauses[FLAMEMOD_A_PAUSES_FORGET_NS_MAX]), 44);
	kfree_skb(skb);
}

static void a_steal_clock_is_reported(struct kunit *test)
{
	struct nlattr *state[FLAMEMOD_A_STATE_MAX + 1];
	struct sk_buff *skb;
	u8 clock;

	for (clock = 0; clock < 2; clock++) {
		fm_snapshot->steal_clock = clock;
		skb = fm_state_skb(test);
		fm_parse_state(test, skb, state);
		KUNIT_EXPECT_EQ(test, nla_get_u8(state[FLAMEMOD_A_STATE_STEAL_CLOCK]),
				clock);
		kfree_skb(skb);
	}
}

/* Each stall is a nest of its own; they are in the order of their time. */
static void stalls_have_their_attributes(struct kunit *test)
{
	struct fm_snapshot_cpu *cpu = fm_snapshot_cpu(fm_snapshot, 0);
	struct nlattr *stall[FLAMEMOD_A_STALL_MAX + 1];
	struct fm_wire_cursor cursor = { .part = 1 };
	struct sk_buff *skb = fm_state_skb(test);
	const struct nlattr *attr;
	u32 nr = 0;
	int rest;

	cpu->nr_stalls = 1ull << 33;
	cpu->nr_listed = 3;
	for (nr = 0; nr < 3; nr++)
		cpu->stalls[nr] = (struct fm_stall) { 10 + nr, (1ull << 32) + nr };
	KUNIT_ASSERT_EQ(test, fm_wire_put_batch(skb, fm_snapshot, &cursor), 0);
	nr = 0;
	nla_for_each_nested(attr, (struct nlattr *)skb->data, rest) {
		if (nla_type(attr) == FLAMEMOD_A_CPU_NR_STALLS)
			KUNIT_EXPECT_EQ(test, nla_get_u64(attr), 1ull << 33);
		if (nla_type(attr) != FLAMEMOD_A_CPU_STALL)
			continue;
		KUNIT_ASSERT_EQ(test, nla_parse_nested(stall, FLAMEMOD_A_STALL_MAX,
						       attr, NULL, NULL), 0);
		KUNIT_EXPECT_EQ(test, nla_get_u32(stall[FLAMEMOD_A_STALL_FROM_NS]),
				10 + nr);
		KUNIT_EXPECT_EQ(test, nla_get_u64(stall[FLAMEMOD_A_STALL_NS]),
				(1ull << 32) + nr);
		nr++;
	}
	KUNIT_EXPECT_EQ(test, nr, 3);
	kfree_skb(skb);
}

static struct kunit_case fm_wire_state_cases[] = {
	KUNIT_CASE(books_have_their_attributes),
	KUNIT_CASE(clients_have_their_attributes),
	KUNIT_CASE_PARAM(overdue_has_a_sign, fm_overdue_gen_params),
	KUNIT_CASE(what_is_recognised_is_reported),
	KUNIT_CASE(what_is_kept_is_reported),
	KUNIT_CASE(isolated_cpus_are_named),
	KUNIT_CASE(pauses_have_their_attributes),
	KUNIT_CASE(a_steal_clock_is_reported),
	KUNIT_CASE(stalls_have_their_attributes),
	{}
};

struct kunit_suite fm_wire_state_suite = {
	.name = "flamemod_wire_state",
	.init = fm_wire_state_begin,
	.exit = fm_wire_state_end,
	.test_cases = fm_wire_state_cases,
};
