// SPDX-License-Identifier: GPL-2.0
/*
 * Modules that go: before a module goes, its samples get their names; then its steps
 * and names are forgotten.
 *
 * This file includes modules.c. The test decides which addresses belong to a module;
 * there is no such module.
 */
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/pgtable.h>
#include <kunit/test.h>

#include "redirect.h"
#include "../../module/learned_steps.h"
#include "by_hand.h"
#include "held.h"
#include "suites.h"

/* The addresses of its text, and of its init text, which is freed after loading. */
static struct fm_area {
	unsigned long from, to;
} fm_core, fm_init;

static struct notifier_block *fm_registered;
static int fm_err;

static bool fm_lies_in(const struct fm_area *area, unsigned long address)
{
	return address >= area->from && address < area->to;
}

static bool fm_within(unsigned long address, const struct module *mod)
{
	return fm_lies_in(&fm_core, address) || fm_lies_in(&fm_init, address);
}

static bool fm_within_init(unsigned long address, const struct module *mod)
{
	return fm_lies_in(&fm_init, address);
}

static int fm_register(struct notifier_block *nb)
{
	fm_registered = fm_err ? NULL : nb;
	return fm_err;
}

static void fm_unregister(struct notifier_block *nb)
{
	if (fm_registered == nb)
		fm_registered = NULL;
}

#define within_module		fm_within
#define within_module_init	fm_within_init
#define register_module_notifier(nb)	fm_register(nb)
#define unregister_module_notifier(nb)	fm_unregister(nb)
#include "../../module/modules.c"

static u32 fm_nr_asked;

static int fm_modules_name(char *buffer, unsigned long address)
{
	fm_nr_asked++;
	return sprintf(buffer, "function_%lx", address - FM_TEST_TEXT);
}

static int fm_modules_begin(struct kunit *test)
{
	int err = fm_held_begin(test);

	fm_symbol_printer = fm_modules_name;
	fm_nr_asked = 0;
	fm_err = 0;
	return err ?: fm_modules_init(fm_session);
}

static void it_listens_until_it_is_deinitialised(struct kunit *test)
{
	KUNIT_EXPECT_PTR_EQ(test, fm_registered, &fm_modules_nb);
	fm_modules_deinit();
	KUNIT_EXPECT_NULL(test, fm_registered);
	fm_err = -ENOMEM;
	KUNIT_EXPECT_EQ(test, fm_modules_init(fm_session), -ENOMEM);
}

/* A step learned from each of the two, as a leaf and as a caller. */
static void fm_learn_steps(struct kunit *test)
{
#if FM_STACK_HAS_STEPS
	struct fm_learned *learned = &fm_cpu->learned;
	u32 i;

	KUNIT_ASSERT_EQ(test, fm_learned_init(learned, 1 << 12, NUMA_NO_NODE), 0);
	for (i = 0; i < 2; i++) {
		learned->leaves.sets[i].ways[i].key = fm_step_key(MODULES_VADDR + 64, true);
		learned->returns.sets[i].ways[i].key = fm_step_key(MODULES_VADDR + 64, false);
	}
#endif
}

static u32 fm_nr_steps(void)
{
	u32 i, nr = 0;

	for (i = 0; FM_STACK_HAS_STEPS && i < 2; i++)
		nr += !!fm_cpu->learned.leaves.sets[i].ways[i].key +
		      !!fm_cpu->learned.returns.sets[i].ways[i].key;
	return nr;
}

/* Of 8 functions sampled at 0x1000 to 0x1003 and 0x2000 to 0x2003: how many are forgotten. */
static const struct fm_event_case {
	const char *name;
	unsigned long state;
	struct fm_area core, init;
	bool ignored;
	u32 forgotten;
} fm_event_cases[] = {
	{ "it goes", MODULE_STATE_GOING, { 0x1000, 0x2000 }, .forgotten = 4 },
	{ "it goes, with its init", MODULE_STATE_GOING, { 0x1000, 0x2000 }, { 0x2000, 0x3000 },
	  .forgotten = 8 },
	{ "another goes", MODULE_STATE_GOING, { 0x5000, 0x6000 } },
	{ "it comes", MODULE_STATE_COMING, { 0x1000, 0x2000 }, .forgotten = 4 },
	/* Its init text is freed; its other text stays. */
	{ "it lives", MODULE_STATE_LIVE, { 0x1000, 0x2000 }, { 0x2000, 0x3000 },
	  .forgotten = 4 },
	{ "it lives, without init", MODULE_STATE_LIVE, { 0x1000, 0x2000 } },
	{ "it is only begun", MODULE_STATE_UNFORMED, { 0x1000, 0x2000 }, .ignored = true },
};

FM_ARRAY_PARAM(event);

static void what_a_module_leaves_is_forgotten(struct kunit *test)
{
	const struct fm_event_case *event = test->param_value;
	u32 steps;

	fm_core = (struct fm_area){ FM_TEST_TEXT + event->core.from,
				    FM_TEST_TEXT + event->core.to };
	fm_init = (struct fm_area){ FM_TEST_TEXT + event->init.from,
				    FM_TEST_TEXT + event->init.to };
	fm_learn_steps(test);
	steps = fm_nr_steps();
	fm_held_start(test);
	fm_held_sample(fm_session, 1, 4, 0x1000);
	fm_held_sample(fm_session, 1, 4, 0x2000);
	KUNIT_EXPECT_EQ(test, fm_modules_nb.notifier_call(&fm_modules_nb, event->state, NULL),
			NOTIFY_OK);
	/* The samples got their names first, and new ones go to a table without paths. */
	KUNIT_EXPECT_EQ(test, fm_nr_asked, event->ignored ? 0 : 8);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), event->ignored ? 0 : 2);
	KUNIT_EXPECT_EQ(test, fm_cpu->table, !event->ignored);
	KUNIT_EXPECT_EQ(test, fm_nr_steps(), event->forgotten ? 0 : steps);
	fm_nr_asked = 0;
	fm_held_sample(fm_session, 1, 4, 0x1000);
	fm_held_sample(fm_session, 1, 4, 0x2000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_nr_asked, event->ignored ? 8 : event->forgotten);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 4);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
}

static struct kunit_case fm_modules_suite_cases[] = {
	KUNIT_CASE(it_listens_until_it_is_deinitialised),
	KUNIT_CASE_PARAM(what_a_module_leaves_is_forgotten, fm_event_gen_params),
	{}
};

struct kunit_suite fm_modules_suite = {
	.name = "flamemod_modules",
	.init = fm_modules_begin,
	.exit = fm_held_end,
	.test_cases = fm_modules_suite_cases,
};
