// SPDX-License-Identifier: GPL-2.0
/*
 * The profile as text: what the two files contain, and who may open them.
 *
 * This file includes debugfs.c. The test replaces the file system, and decides which
 * rights the reader has.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/netlink.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "redirect.h"
#include "../../module/nap.h"
#include "../../module/permit.h"
#include "../../module/snapshot.h"
#include "by_hand.h"
#include "held.h"
#include "suites.h"

static int fm_locked_down, fm_permission;
static u32 fm_nr_files;
static bool fm_removed;

#define fm_permit_current()		fm_permission
#define security_locked_down(what)	((what) == LOCKDOWN_DEBUGFS ? fm_locked_down : 0)
#define debugfs_create_dir(name, parent)	((struct dentry *)&fm_nr_files)
#define debugfs_create_file(name, mode, parent, data, operations)		\
	(fm_nr_files += (mode) == 0400 && (data) == fm_session &&		\
			(parent) == (struct dentry *)&fm_nr_files && (operations)->open)
#undef debugfs_remove_recursive
#define debugfs_remove_recursive(dir)	\
	(fm_removed = (dir) == (struct dentry *)&fm_nr_files)
#include "../../module/debugfs.c"

#define FM_TEXT_BYTES	8192

static struct seq_file fm_seq;

static int fm_debugfs_begin(struct kunit *test)
{
	int err = fm_held_begin(test);

	fm_locked_down = 0;
	fm_permission = 0;
	fm_nr_files = 0;
	fm_removed = false;
	fm_debugfs_dir = NULL;
	fm_seq = (struct seq_file) {
		.buf = kunit_kzalloc(test, FM_TEXT_BYTES, GFP_KERNEL),
		.size = FM_TEXT_BYTES - 1,
	};
	return fm_seq.buf ? err : -ENOMEM;
}

static struct fm_snapshot *fm_take(struct kunit *test, unsigned int flags)
{
	struct fm_snapshot *s = NULL;

	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, flags, &s, NULL), 0);
	memset(fm_seq.buf, 0, FM_TEXT_BYTES);
	fm_seq.count = 0;
	fm_seq.private = s;
	return s;
}

/* Read the file "folded", if asked for with no periods in the first record. */
static const char *fm_folded(struct kunit *test, bool without_first)
{
	struct fm_snapshot *s = fm_take(test, FM_SNAPSHOT_PROFILE);
	loff_t position = 0;
	void *v;

	if (without_first)
		fm_snapshot_counts(s, 0)->periods = 0;
	for (v = fm_debugfs_seq_ops.start(&fm_seq, &position); v;
	     v = fm_debugfs_seq_ops.next(&fm_seq, v, &position))
		fm_debugfs_seq_ops.show(&fm_seq, v);
	fm_debugfs_seq_ops.stop(&fm_seq, v);
	fm_snapshot_put(s);
	return fm_seq.buf;
}

static void a_line_is_a_stack_and_its_periods(struct kunit *test)
{
	static const char stack[] = "function_1002;function_1001;function_1000";
	char expected[256];

	fm_held_start(test);
	/* Each address was called by the next one. */
	fm_held_sample(fm_session, 1, 3, 0x1000);
	fm_hand_fire(fm_cpu, 4000000);
	fm_hand.context = FLAMEMOD_CONTEXT_USER;
	fm_hand_fire(fm_cpu, 3000000);
	fm_hand.context = FLAMEMOD_CONTEXT_TASK;
	fm_hand.no_regs = true;
	fm_hand_fire(fm_cpu, 0);
	fm_hand_fire(fm_cpu, 0);
	fm_hand.no_regs = false;
	snprintf(expected, sizeof(expected),
		 "%s;%s 2\n%s;%s;[stalled] 4\n"
		 "%s;[user] 1\n%s;[user];[stalled] 3\n[lost: no-regs] 2\n",
		 current->comm, stack, current->comm, stack, current->comm, current->comm);
	KUNIT_EXPECT_STREQ(test, fm_folded(test, false), expected);
}

/* With a user stack alone, the line has no "[user]" or "[unknown]". */
static void a_user_stack_is_a_stack(struct kunit *test)
{
	struct fm_aggregate *aggregate;
	struct fm_record *record;
	char expected[128];

	fm_held_start(test);
	fm_hand.context = FLAMEMOD_CONTEXT_USER;
	fm_hand_fire(fm_cpu, 0);
	fm_hand.context = FLAMEMOD_CONTEXT_TASK;
	fm_held_sample(fm_session, 1, 2, 0x1000);
	fm_held_drain();
	aggregate = fm_session->aggregate;
	KUNIT_ASSERT_EQ(test, fm_set_nr(&aggregate->records), 2);
	record = fm_set_at(&aggregate->records, 1);
	swap(record->user, record->node);
	snprintf(expected, sizeof(expected), "%s;[user] 1\n%s;function_1001;function_1000 1\n",
		 current->comm, current->comm);
	KUNIT_EXPECT_STREQ(test, fm_folded(test, false), expected);
}

/* Drain a stack of two functions. Return: its leaf's node, for another frame. */
static struct fm_node *fm_leaf_of_two(struct kunit *test)
{
	struct fm_record *record;

	fm_held_start(test);
	fm_held_sample(fm_session, 1, 2, 0x1000);
	fm_held_drain();
	record = fm_set_at(&fm_session->aggregate->records, 0);
	return fm_set_at(&fm_session->aggregate->nodes, record->node);
}

/* A text may be kept by anyone, so it has no address of a program's memory. */
static void code_made_at_run_time_has_no_address(struct kunit *test)
{
	char expected[128];
	struct fm_node *node = fm_leaf_of_two(test);

	KUNIT_ASSERT_EQ(test, fm_symbols_user(&fm_session->symbols, "[jit 7]+0x7f0012345678",
					      &node->frame), 0);
	snprintf(expected, sizeof(expected), "%s;function_1001;[jit] 1\n", current->comm);
	KUNIT_EXPECT_STREQ(test, fm_folded(test, false), expected);
}

/* The path is anyone's choice, so it is written as other names are. */
static void a_user_function_has_its_file_and_offset(struct kunit *test)
{
	static const struct fm_symbols_file file = {
		.path = "/a;b", .path_bytes = 4, .id = "0123ab", .id_bytes = 6,
	};
	char expected[128];
	struct fm_node *node = fm_leaf_of_two(test);

	KUNIT_ASSERT_EQ(test, fm_symbols_place(&fm_session->symbols, &file, 0x1f0,
					       &node->frame), 0);
	snprintf(expected, sizeof(expected), "%s;function_1001;/a_b+0x1f0 0123ab 1\n",
		 current->comm);
	KUNIT_EXPECT_STREQ(test, fm_folded(test, false), expected);
}

/* The deepest stack with all marks that it can have: the outermost function is there. */
static void a_line_has_all_of_a_stack(struct kunit *test)
{
	static const char * const marks[] = { "[irqs-off]", "[stalled]" };
	struct fm_aggregate *aggregate;
	struct fm_record *record;
	char begin[128];
	u32 i, frame;

	fm_held_start(test);
	fm_hand.marks = FM_STACK_TRUNCATED | FM_STACK_INCOMPLETE;
	fm_held_sample(fm_session, 1, FLAMEMOD_MAX_DEPTH_MAX, 0x1000);
	fm_held_drain();
	aggregate = fm_session->aggregate;
	record = fm_set_at(&aggregate->records, 0);
	for (i = 0; i < ARRAY_SIZE(marks); i++) {
		KUNIT_ASSERT_EQ(test, fm_symbols_mark(&fm_session->symbols, marks[i], &frame), 0);
		KUNIT_ASSERT_EQ(test, fm_aggregate_node(aggregate, record->node, &frame, 1,
							&record->node), 0);
	}
	snprintf(begin, sizeof(begin), "%s;[truncated];[incomplete];function_107e;",
		 current->comm);
	KUNIT_EXPECT_TRUE(test, str_has_prefix(fm_folded(test, false), begin));
	KUNIT_EXPECT_PTR_NE(test, strstr(fm_seq.buf, ";function_1000;[irqs-off];[stalled] 1\n"),
			    NULL);
}

static void idle_and_nothing_have_their_marks(struct kunit *test)
{
	char expected[128];

	fm_held_start(test);
	fm_cpu->may_nap = true;
	fm_cpu->is_idle = true;
	fm_cpu->look_tick = U64_MAX;
	KUNIT_ASSERT_TRUE(test, fm_hand_nap(fm_cpu));
	fm_hand.now_ns += 7000000;
	fm_nap_wake(fm_cpu);
	KUNIT_EXPECT_PTR_NE(test, strstr(fm_folded(test, false), "swapper;[idle] 7\n"), NULL);
	snprintf(expected, sizeof(expected), "[lost: %s] ", fm_lost_name(0));
	KUNIT_EXPECT_NULL(test, strstr(fm_seq.buf, expected));
}

static void a_record_without_periods_is_no_line(struct kunit *test)
{
	char expected[128];

	fm_held_start(test);
	fm_held_sample(fm_session, 1, 3, 0x1000);
	fm_held_sample(fm_session, 1, 2, 0x2000);
	snprintf(expected, sizeof(expected), "%s;function_2001;function_2000 1\n",
		 current->comm);
	KUNIT_EXPECT_STREQ(test, fm_folded(test, true), expected);
}

static void status_has_the_books(struct kunit *test)
{
	static const char passed[] = "expected 9 fires 6 missed 3 overdue 0";
	static const char ended[] = "stored 8 filtered 0 truncated 1 asleep 0 late 3 stolen 0";
	static const char full[] = "lost-table-full 0 lost-aggregate-full 0";
	static const char lost[] = "lost-overload 0 lost-no-regs 1 lost-stopped 0";
	char books[256], expected[768];
	struct fm_snapshot *s;

	snprintf(books, sizeof(books), "%s %s %s %s\n", passed, ended, full, lost);
	fm_held_start(test);
	fm_held_sample(fm_session, 4, 3, 0x1000);
	fm_hand.marks = FM_STACK_TRUNCATED;
	fm_hand_fire(fm_cpu, 3000000);
	fm_hand.no_regs = true;
	fm_hand_fire(fm_cpu, 0);
	s = fm_take(test, 0);
	KUNIT_EXPECT_EQ(test, fm_debugfs_show_status(&fm_seq, NULL), 0);
	snprintf(expected, sizeof(expected),
		 "version %s\nstate running\nhz 1000\nperiod_ns 1000000\n"
		 "resolution_ns %u\nepoch 1\nmemory_bytes %zu\nmemory_limit_bytes %zu\n"
		 "pauses callback_ns_max 0 swap_ns_max 0 forget_ns_max 0\n"
		 "total %scpu0 %s", FLAMEMOD_VERSION, hrtimer_resolution, s->memory_bytes,
		 s->memory_limit_bytes, books, books);
	KUNIT_EXPECT_STREQ(test, fm_seq.buf, expected);
	fm_snapshot_put(s);
}

/* They open with rights and memory. Without either, open fails and nothing is left. */
static void who_may_not_read_is_refused(struct kunit *test)
{
	const struct file_operations *both[] = { &fm_debugfs_folded, &fm_debugfs_status };
	struct inode *inode = kunit_kzalloc(test, sizeof(*inode), GFP_KERNEL);
	struct file *file = kunit_kzalloc(test, sizeof(*file), GFP_KERNEL);
	u32 i, live = fm_allocations_live();

	KUNIT_ASSERT_NOT_NULL(test, inode);
	KUNIT_ASSERT_NOT_NULL(test, file);
	inode->i_private = fm_session;
	for (i = 0; i < ARRAY_SIZE(both); i++) {
		fm_permission = -EPERM;
		KUNIT_EXPECT_EQ(test, both[i]->open(inode, file), -EPERM);
		fm_permission = 0;
		fm_allocations_fail(1);
		KUNIT_EXPECT_EQ(test, both[i]->open(inode, file), -ENOMEM);
		fm_allocations_fail(0);
		KUNIT_EXPECT_EQ(test, fm_allocations_live(), live);
		KUNIT_ASSERT_EQ(test, both[i]->open(inode, file), 0);
		/* A snapshot, and its CPUs with their directory. */
		KUNIT_EXPECT_EQ(test, fm_allocations_live(), live + 3);
		KUNIT_EXPECT_EQ(test, both[i]->release(inode, file), 0);
		KUNIT_EXPECT_EQ(test, fm_allocations_live(), live);
		file->private_data = NULL;
	}
}

static void lockdown_leaves_no_files(struct kunit *test)
{
	fm_locked_down = -EPERM;
	fm_debugfs_init(fm_session);
	KUNIT_EXPECT_EQ(test, fm_nr_files, 0);
	KUNIT_EXPECT_NULL(test, fm_debugfs_dir);
	fm_locked_down = 0;
	fm_debugfs_init(fm_session);
	KUNIT_EXPECT_EQ(test, fm_nr_files, 2);
	fm_debugfs_deinit();
	KUNIT_EXPECT_TRUE(test, fm_removed);
}

static struct kunit_case fm_debugfs_suite_cases[] = {
	KUNIT_CASE(a_line_is_a_stack_and_its_periods),
	KUNIT_CASE(a_user_stack_is_a_stack),
	KUNIT_CASE(code_made_at_run_time_has_no_address),
	KUNIT_CASE(a_user_function_has_its_file_and_offset),
	KUNIT_CASE(a_line_has_all_of_a_stack),
	KUNIT_CASE(idle_and_nothing_have_their_marks),
	KUNIT_CASE(a_record_without_periods_is_no_line),
	KUNIT_CASE(status_has_the_books),
	KUNIT_CASE(who_may_not_read_is_refused),
	KUNIT_CASE(lockdown_leaves_no_files),
	{}
};

struct kunit_suite fm_debugfs_suite = {
	.name = "flamemod_debugfs",
	.init = fm_debugfs_begin,
	.exit = fm_held_end,
	.test_cases = fm_debugfs_suite_cases,
};
