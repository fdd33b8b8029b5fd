/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KUnit, and tests that use it, in a kernel without KUnit.
 *
 * Included before anything else. struct module and struct task_struct must match
 * the kernel's, so they are declared under its configuration. CONFIG_KUNIT_MODULE is
 * defined only after that.
 */
#ifndef _FM_NO_KUNIT_H
#define _FM_NO_KUNIT_H

/* As in module/, where it comes after printk.h here. Results have no prefix. */
#ifndef FM_KUNIT_LIBRARY
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#endif

#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/kref.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#define CONFIG_KUNIT_MODULE 1

/*
 * A task has no test in this kernel: in KUnit's test.c, and in what its headers
 * define, this stands in for the task. One test runs at a time.
 */
struct fm_task_of_kunit {
	struct kunit *kunit_test;
};

static struct fm_task_of_kunit fm_task_of_kunit __maybe_unused;
#undef current
#define current (&fm_task_of_kunit)
#include <kunit/test-bug.h>
#include <kunit/test.h>

#ifndef FM_KUNIT_TEST_C
#undef current
#define current get_current()
#else
/* No notifier for the section of suites: struct module does not know it. */
#undef CONFIG_MODULES
/* Defined in executor.c, which frees built-in suites: there are none. */
#define kunit_free_boot_suites() do { } while (0)
#endif

/* no_kunit.c runs the suites of this list. */
extern struct kunit_suite *fm_suites[];
#undef kunit_test_suites
#define kunit_test_suites(suites...) \
	struct kunit_suite *fm_suites[] = { suites, NULL }

#endif /* _FM_NO_KUNIT_H */
