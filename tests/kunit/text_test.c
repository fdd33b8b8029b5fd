// SPDX-License-Identifier: GPL-2.0
/*
 * Text that stays: the kernel's, and pages of modules. A limited number of pages is kept.
 */
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <kunit/test.h>

#include "../../module/text.h"
#include "redirect.h"
#include "suites.h"

#if FM_STACK_HAS_STEPS
/* Three quarters of the places, so that a search always reaches a free one. */
#define FM_PAGES_MOST	768

static struct fm_text fm_text;

static unsigned long fm_page(u32 nr)
{
	return MODULES_VADDR + nr * PAGE_SIZE;
}

static u32 fm_nr_known(u32 nr)
{
	u32 i, known = 0;

	for (i = 0; i < nr; i++)
		known += fm_text_stays(&fm_text, fm_page(i) + 64);
	return known;
}

/*
 * More pages than are kept, but fewer than the table has places. So the search for an
 * unknown page ends even if a bug keeps them all.
 */
static void no_more_pages_are_added_than_a_search_can_pass(struct kunit *test)
{
	u32 i;

	for (i = 0; i < FM_PAGES_MOST; i++)
		fm_text_add(&fm_text, fm_page(i) + i);
	KUNIT_EXPECT_EQ(test, fm_text.nr, FM_PAGES_MOST);
	KUNIT_EXPECT_EQ(test, fm_nr_known(FM_PAGES_MOST), FM_PAGES_MOST);
	for (; i < FM_TEXT_PAGES - 24; i++)
		fm_text_add(&fm_text, fm_page(i));
	KUNIT_EXPECT_EQ(test, fm_text.nr, FM_PAGES_MOST);
	KUNIT_EXPECT_EQ(test, fm_nr_known(FM_TEXT_PAGES - 24), FM_PAGES_MOST);
	fm_text_empty(&fm_text);
	KUNIT_EXPECT_EQ(test, fm_text.nr, 0);
	KUNIT_EXPECT_EQ(test, fm_nr_known(FM_TEXT_PAGES - 24), 0);
}

static void a_page_is_added_once(struct kunit *test)
{
	u32 i;

	for (i = 0; i < 10; i++)
		fm_text_add(&fm_text, fm_page(4) + 100 * i);
	KUNIT_EXPECT_EQ(test, fm_text.nr, 1);
	KUNIT_EXPECT_EQ(test, fm_nr_known(10), 1);
	KUNIT_EXPECT_TRUE(test, fm_text_stays(&fm_text, fm_page(4)));
	KUNIT_EXPECT_TRUE(test, fm_text_stays(&fm_text, fm_page(5) - 1));
	KUNIT_EXPECT_FALSE(test, fm_text_stays(&fm_text, fm_page(5)));
	KUNIT_EXPECT_FALSE(test, fm_text_stays(&fm_text, fm_page(4) - 1));
}

/* The search for each of them starts in the last place and continues in the first. */
static void pages_that_only_share_a_hash(struct kunit *test)
{
	u32 i;

	fm_hashes_collide = true;
	for (i = 0; i < 10; i++)
		fm_text_add(&fm_text, fm_page(2 * i));
	KUNIT_EXPECT_EQ(test, fm_text.nr, 10);
	for (i = 0; i < 20; i++)
		KUNIT_EXPECT_EQ(test, fm_text_stays(&fm_text, fm_page(i)), i % 2 == 0);
	fm_hashes_collide = false;
}

static const struct fm_area_case {
	const char *name;
	unsigned long address;
	bool stays, is_module;
} fm_area_cases[] = {
	{ "the first of the kernel", __START_KERNEL_map, true, false },
	{ "just below it", __START_KERNEL_map - 1, false, false },
	{ "the last of the kernel", MODULES_VADDR - 1, true, false },
	{ "the first of modules", MODULES_VADDR, false, true },
	{ "the last of modules", MODULES_END - 1, false, true },
	{ "behind modules", MODULES_END, false, false },
	{ "user's", 0x401000, false, false },
};

FM_ARRAY_PARAM(area);

static void areas_are_recognised(struct kunit *test)
{
	const struct fm_area_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, fm_text_stays(&fm_text, c->address), c->stays);
	KUNIT_EXPECT_EQ(test, fm_text_is_module(c->address), c->is_module);
	fm_text_add(&fm_text, c->address);
	KUNIT_EXPECT_EQ(test, fm_text.nr, c->is_module);
	KUNIT_EXPECT_EQ(test, fm_text_stays(&fm_text, c->address), c->stays || c->is_module);
}

static int fm_text_begin(struct kunit *test)
{
	fm_hashes_collide = false;
	fm_text_empty(&fm_text);
	return 0;
}

static struct kunit_case fm_text_suite_cases[] = {
	KUNIT_CASE(no_more_pages_are_added_than_a_search_can_pass),
	KUNIT_CASE(a_page_is_added_once),
	KUNIT_CASE(pages_that_only_share_a_hash),
	KUNIT_CASE_PARAM(areas_are_recognised, fm_area_gen_params),
	{}
};
#else
static int fm_text_begin(struct kunit *test)
{
	return 0;
}

static struct kunit_case fm_text_suite_cases[] = { {} };
#endif

struct kunit_suite fm_text_suite = {
	.name = "flamemod_text",
	.init = fm_text_begin,
	.test_cases = fm_text_suite_cases,
};
