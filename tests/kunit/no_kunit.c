// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the suites where the kernel's module loader does not: see no_kunit.h.
 */
#include <linux/module.h>
#include <kunit/test.h>

static int fm_nr_suites(void)
{
	int nr = 0;

	while (fm_suites[nr])
		nr++;
	return nr;
}

static int __init fm_suites_init(void)
{
	return __kunit_test_suites_init(fm_suites, fm_nr_suites());
}

static void __exit fm_suites_exit(void)
{
	__kunit_test_suites_exit(fm_suites, fm_nr_suites());
}

module_init(fm_suites_init);
module_exit(fm_suites_exit);
