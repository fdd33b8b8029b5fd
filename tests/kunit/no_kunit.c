// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the suites in kernels whose module loader does not: see no_kunit.h.
 *
 * With first= that suite runs before the others, and the first failure ends the run.
 * tests/kunit/mutants needs no more.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <kunit/test.h>

static char *first;
module_param(first, charp, 0);
MODULE_PARM_DESC(first, "the suite to start with; the run ends with the first that fails");

static int fm_nr_suites(void)
{
	int nr = 0;

	while (fm_suites[nr])
		nr++;
	return nr;
}

/* Move the suite named by first= to the front. An unknown name changes nothing. */
static void fm_suites_order(void)
{
	struct kunit_suite *suite;
	int i;

	for (i = 0; fm_suites[i]; i++)
		if (!strcmp(fm_suites[i]->name, first))
			break;
	suite = fm_suites[i];
	for (; suite && i; i--)
		fm_suites[i] = fm_suites[i - 1];
	if (suite)
		fm_suites[0] = suite;
}

static int __init fm_suites_init(void)
{
	int i, err = 0;

	if (!first)
		return __kunit_test_suites_init(fm_suites, fm_nr_suites());
	fm_suites_order();
	for (i = 0; fm_suites[i] && !err; i++) {
		err = __kunit_test_suites_init(&fm_suites[i], 1);
		if (kunit_suite_has_succeeded(fm_suites[i]) == KUNIT_FAILURE)
			fm_suites[i + 1] = NULL;
	}
	return err;
}

static void __exit fm_suites_exit(void)
{
	__kunit_test_suites_exit(fm_suites, fm_nr_suites());
}

module_init(fm_suites_init);
module_exit(fm_suites_exit);
