// SPDX-License-Identifier: GPL-2.0
/*
 * Reasons of refusals: each stays as it is until netlink has sent it.
 */
#include <linux/ktime.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/reason.h"
#include "redirect.h"
#include "suites.h"

#define FM_KEPT		64	/* reasons that are kept at the same time */
#define FM_KEPT_NS	(2 * NSEC_PER_SEC)

static u64 fm_now_ns;

static u64 fm_reason_clock(void)
{
	return fm_now_ns;
}

/* Later than all other tests, and before they are used again: nothing is kept at first. */
static int fm_reason_begin(struct kunit *test)
{
	fm_now_ns += 1ULL << 50;
	fm_clock = fm_reason_clock;
	return 0;
}

static void fm_reason_end(struct kunit *test)
{
	fm_clock = fm_real_clock;
}

static const char *fm_say(const char *what, u32 number)
{
	struct netlink_ext_ack extack = {};

	fm_reason(&extack, "%s: number %u", what, number);
	return extack._msg;
}

/* Netlink measures a reason and then copies it: meanwhile others must not write there. */
static void a_reason_stays_as_it_is(struct kunit *test)
{
	const char *first = fm_say("a", 0), *last;
	u32 i;

	KUNIT_ASSERT_STREQ(test, first, "a: number 0");
	for (i = 1; i < FM_KEPT; i++)
		KUNIT_EXPECT_NE(test, strcmp(fm_say("another, longer one", i), ""), 0);
	/* There is no room: what the next get is the same text for all. */
	fm_now_ns += FM_KEPT_NS - 1;
	last = fm_say("b", 1);
	KUNIT_EXPECT_TRUE(test, strstarts(last, "refused; the reason was dropped"));
	for (i = 2; i < 3 * FM_KEPT; i++)
		KUNIT_EXPECT_PTR_EQ(test, fm_say("b", i), last);
	KUNIT_EXPECT_STREQ(test, first, "a: number 0");
	/* Two seconds after it was said it is old enough. */
	fm_now_ns++;
	for (i = 0; i < FM_KEPT; i++)
		KUNIT_EXPECT_TRUE(test, strstarts(fm_say("c", i), "c: number "));
	KUNIT_EXPECT_PTR_EQ(test, fm_say("d", 0), last);
}

/* A program that is refused again and again takes the room of one reason. */
static void the_same_reason_is_kept_once(struct kunit *test)
{
	const char *first = fm_say("a", 0);
	u32 i;

	for (i = 0; i < 3 * FM_KEPT; i++)
		KUNIT_EXPECT_PTR_EQ(test, fm_say("a", 0), first);
	for (i = 1; i < FM_KEPT; i++)
		KUNIT_EXPECT_TRUE(test, strstarts(fm_say("a", i), "a: number "));
	/* It was said again just before the others are old enough: it is not replaced. */
	fm_now_ns += FM_KEPT_NS - 1;
	KUNIT_EXPECT_PTR_EQ(test, fm_say("a", 0), first);
	fm_now_ns++;
	for (i = 1; i < FM_KEPT; i++)
		KUNIT_EXPECT_TRUE(test, strstarts(fm_say("b", i), "b: number "));
	KUNIT_EXPECT_TRUE(test, strstarts(fm_say("b", 0), "refused; "));
	KUNIT_EXPECT_STREQ(test, first, "a: number 0");
}

/* The one that was said least recently is replaced. */
static void the_oldest_is_replaced(struct kunit *test)
{
	const char *said[FM_KEPT];
	u32 i;

	for (i = 0; i < FM_KEPT; i++, fm_now_ns++)
		said[i] = fm_say("a", i);
	fm_now_ns += FM_KEPT_NS;
	for (i = 0; i < FM_KEPT; i++)
		KUNIT_EXPECT_PTR_EQ(test, fm_say("b", i), said[i]);
	KUNIT_EXPECT_STREQ(test, said[5], "b: number 5");
}

static void what_is_too_long_is_cut(struct kunit *test)
{
	struct netlink_ext_ack extack = {};

	fm_reason(&extack, "%0300u", 7);
	KUNIT_ASSERT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_EQ(test, strlen(extack._msg), 255);
	fm_reason(NULL, "%u", 1);
}

static struct kunit_case fm_reason_cases[] = {
	KUNIT_CASE(a_reason_stays_as_it_is),
	KUNIT_CASE(the_same_reason_is_kept_once),
	KUNIT_CASE(the_oldest_is_replaced),
	KUNIT_CASE(what_is_too_long_is_cut),
	{}
};

struct kunit_suite fm_reason_suite = {
	.name = "flamemod_reason",
	.init = fm_reason_begin,
	.exit = fm_reason_end,
	.test_cases = fm_reason_cases,
};
