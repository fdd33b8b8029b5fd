// SPDX-License-Identifier: GPL-2.0
/*
 * Budgets of user stacks: the files of one user leave something to those of others.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/iversion.h>
#include <linux/user_namespace.h>
#include <kunit/test.h>

#include "../../module/compat/compat.h"
#include "../../module/user/object.h"
#include "../../module/user/read.h"
#include "program.h"
#include "redirect.h"
#include "suites.h"
#include "who.h"

#define FM_HALF		(FM_OBJECTS_MAX / 2)
#define FM_MOST		(FM_OBJECTS_MAX / 4 * 3)
#define FM_KEPT		4096
#define FM_NOW_NS	NSEC_PER_SEC

/* A copy of the program's inode, which a test may change: only its attributes are read. */
static struct inode *fm_inode(struct kunit *test)
{
	struct inode *inode = kunit_kzalloc(test, sizeof(*inode), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, inode);
	memcpy(inode, file_inode(fm_file), sizeof(*inode));
	return inode;
}

static void fm_change(struct inode *inode)
{
#ifdef FM_HAVE_INODE_CTIME
	struct timespec64 ctime = inode_get_ctime(inode);

	inode_set_ctime(inode, ctime.tv_sec, ctime.tv_nsec ^ 1);
#else
	inode->i_ctime.tv_nsec ^= 1;
#endif
}

static struct fm_budgets *fm_budgets(struct kunit *test)
{
	struct fm_budgets *budgets = kunit_kzalloc(test, sizeof(*budgets), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, budgets);
	fm_budgets_init(budgets, FM_NOW_NS);
	return budgets;
}

/* Nobody can choose a budget, because a secret is part of the hash. */
static void a_user_has_one_budget(struct kunit *test)
{
	u32 uid, nr = 0, same = 0;
	u8 first, number;
	u64 seen = 0;

	KUNIT_EXPECT_EQ(test, fm_budget_of_uid(fm_objects, 0), FM_BUDGET_OF_ROOT);
	for (uid = 1; uid <= 1000; uid++) {
		fm_objects->secret = 1;
		first = fm_budget_of_uid(fm_objects, uid);
		KUNIT_ASSERT_EQ(test, fm_budget_of_uid(fm_objects, uid), first);
		KUNIT_ASSERT_NE(test, first, FM_BUDGET_OF_ROOT);
		KUNIT_ASSERT_LT(test, first, FM_BUDGETS);
		seen |= BIT_ULL(first);
		fm_objects->secret = 2;
		number = fm_budget_of_uid(fm_objects, uid);
		same += number == first;
	}
	for (; seen; seen &= seen - 1)
		nr++;
	KUNIT_EXPECT_EQ(test, nr, FM_BUDGETS - 1);
	KUNIT_EXPECT_LT(test, same, 100);
}

/* In most containers uid 0 has no right over the machine, or is of another user namespace. */
static void root_of_a_container_is_a_user(struct kunit *test)
{
	struct user_namespace *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	struct cred cred = {
		.uid = GLOBAL_ROOT_UID,
		.user_ns = &init_user_ns,
		.cap_permitted = CAP_FULL_SET,
	};

	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_EXPECT_EQ(test, fm_budget_of(fm_objects, &cred), FM_BUDGET_OF_ROOT);
	cap_lower(cred.cap_permitted, CAP_SYS_ADMIN);
	KUNIT_EXPECT_NE(test, fm_budget_of(fm_objects, &cred), FM_BUDGET_OF_ROOT);
	cap_raise(cred.cap_permitted, CAP_SYS_ADMIN);
	cred.user_ns = other;
	KUNIT_EXPECT_NE(test, fm_budget_of(fm_objects, &cred), FM_BUDGET_OF_ROOT);
	KUNIT_EXPECT_EQ(test, fm_budget_of_current(fm_objects), FM_BUDGET_OF_ROOT);
	fm_become(test, 0, false);
	KUNIT_EXPECT_NE(test, fm_budget_of_current(fm_objects), FM_BUDGET_OF_ROOT);
	fm_become(test, 0, true);
}

static void a_user_has_half_of_the_files(struct kunit *test)
{
	struct fm_budgets *budgets = fm_budgets(test);

	atomic_set(&budgets->of[1].nr, FM_HALF - 1);
	atomic_set(&budgets->nr_users, FM_HALF - 1);
	KUNIT_EXPECT_TRUE(test, fm_budget_add_file(budgets, 1, false));
	KUNIT_EXPECT_FALSE(test, fm_budget_add_file(budgets, 1, false));
	KUNIT_EXPECT_TRUE(test, fm_budget_add_file(budgets, 2, false));
	KUNIT_EXPECT_EQ(test, atomic_read(&budgets->of[2].nr), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&budgets->nr_users), FM_HALF + 1);
	/* Many users have no more than three quarters, and root has the rest. */
	atomic_set(&budgets->nr_users, FM_MOST - 1);
	KUNIT_EXPECT_TRUE(test, fm_budget_add_file(budgets, 3, false));
	KUNIT_EXPECT_FALSE(test, fm_budget_add_file(budgets, 3, false));
	KUNIT_EXPECT_TRUE(test, fm_budget_add_file(budgets, FM_BUDGET_OF_ROOT, false));
	KUNIT_EXPECT_EQ(test, atomic_read(&budgets->nr_users), FM_MOST);
	/* What changes of root's may be users' doing. */
	KUNIT_EXPECT_FALSE(test, fm_budget_add_file(budgets, FM_BUDGET_OF_ROOT, true));
	atomic_set(&budgets->nr_users, 0);
	KUNIT_EXPECT_TRUE(test, fm_budget_add_file(budgets, FM_BUDGET_OF_ROOT, true));
	KUNIT_EXPECT_EQ(test, atomic_read(&budgets->nr_users), 1);
	atomic_set(&budgets->of[FM_BUDGET_OF_ROOT].nr, FM_HALF);
	KUNIT_EXPECT_FALSE(test, fm_budget_add_file(budgets, FM_BUDGET_OF_ROOT, true));
	KUNIT_EXPECT_TRUE(test, fm_budget_add_file(budgets, FM_BUDGET_OF_ROOT, false));
}

static void a_user_has_half_of_what_is_kept(struct kunit *test)
{
	struct fm_budgets *budgets = fm_budgets(test);

	KUNIT_EXPECT_TRUE(test, fm_budget_keep(budgets, 1, FM_KEPT / 2, FM_KEPT));
	KUNIT_EXPECT_FALSE(test, fm_budget_keep(budgets, 1, 1, FM_KEPT));
	KUNIT_EXPECT_FALSE(test, fm_budget_keep(budgets, 2, FM_KEPT / 4 + 1, FM_KEPT));
	KUNIT_EXPECT_TRUE(test, fm_budget_keep(budgets, 2, FM_KEPT / 4, FM_KEPT));
	KUNIT_EXPECT_FALSE(test, fm_budget_keep(budgets, 3, 1, FM_KEPT));
	KUNIT_EXPECT_TRUE(test, fm_budget_keep(budgets, FM_BUDGET_OF_ROOT, FM_KEPT, FM_KEPT));
	fm_budget_unkeep(budgets, FM_BUDGET_OF_ROOT, FM_KEPT);
	KUNIT_EXPECT_FALSE(test, fm_budget_keep(budgets, 3, 1, FM_KEPT));
	fm_budget_unkeep(budgets, 1, FM_KEPT / 2);
	KUNIT_EXPECT_TRUE(test, fm_budget_keep(budgets, 3, 1, FM_KEPT));
	KUNIT_EXPECT_TRUE(test, fm_budget_keep(budgets, 1, FM_KEPT / 2 - 1, FM_KEPT));
}

/* An eighth of a CPU, and the worker a quarter. */
static void a_user_has_half_of_the_time(struct kunit *test)
{
	struct fm_budgets *budgets = fm_budgets(test);
	u64 now_ns = FM_NOW_NS + FM_CREDIT_MAX_NS;

	KUNIT_EXPECT_FALSE(test, fm_budget_is_spent(budgets, 1, FM_NOW_NS));
	KUNIT_EXPECT_EQ(test, fm_budget_pay(budgets, 1, FM_NOW_NS, now_ns, 0), 0);
	KUNIT_EXPECT_EQ(test, budgets->credit.ns, 0);
	KUNIT_EXPECT_FALSE(test, fm_budget_is_spent(budgets, 1, now_ns));
	KUNIT_EXPECT_EQ(test, fm_budget_pay(budgets, 1, now_ns - 1000, now_ns, 0), 4000);
	KUNIT_EXPECT_TRUE(test, fm_budget_is_spent(budgets, 1, now_ns));
	/* What nobody else uses is left to that user. */
	budgets->credit.ns = FM_CREDIT_SPARE_NS;
	KUNIT_EXPECT_FALSE(test, fm_budget_is_spent(budgets, 1, now_ns));
	budgets->credit.ns = FM_CREDIT_SPARE_NS - 1;
	KUNIT_EXPECT_TRUE(test, fm_budget_is_spent(budgets, 1, now_ns));
	budgets->credit.ns = -1000;
	KUNIT_EXPECT_FALSE(test, fm_budget_is_spent(budgets, 2, now_ns));
	KUNIT_EXPECT_FALSE(test, fm_budget_is_spent(budgets, FM_BUDGET_OF_ROOT, now_ns));
	KUNIT_EXPECT_TRUE(test, fm_budget_is_spent(budgets, 1, now_ns + 7999));
	KUNIT_EXPECT_FALSE(test, fm_budget_is_spent(budgets, 1, now_ns + 8000));
	/* What others do is not theirs. */
	fm_budget_pay(budgets, FM_BUDGET_OF_ROOT, now_ns, now_ns + NSEC_PER_SEC, 0);
	KUNIT_EXPECT_EQ(test, budgets->credit.ns, FM_CREDIT_MIN_NS);
	KUNIT_EXPECT_FALSE(test, fm_budget_is_spent(budgets, 2, now_ns));
	KUNIT_EXPECT_FALSE(test, fm_budget_is_spent(budgets, FM_BUDGET_OF_ROOT, now_ns));
}

/* Let the worker have no time to spare. */
static void fm_others_ask(struct fm_budgets *budgets, u64 now_ns)
{
	budgets->credit = (struct fm_credit){ 0, now_ns };
}

/* The worker rests for a moment after a long request. Its user waits until it is paid for. */
static void a_long_request_is_paid_for(struct kunit *test)
{
	struct fm_budgets *budgets = fm_budgets(test);
	u64 now_ns = FM_NOW_NS + NSEC_PER_SEC;

	KUNIT_EXPECT_EQ(test, fm_budget_pay(budgets, 1, FM_NOW_NS, now_ns, 0),
			100 * NSEC_PER_MSEC);
	fm_others_ask(budgets, now_ns + 7 * NSEC_PER_SEC);
	KUNIT_EXPECT_TRUE(test, fm_budget_is_spent(budgets, 1, now_ns + 7 * NSEC_PER_SEC));
	KUNIT_EXPECT_FALSE(test, fm_budget_is_spent(budgets, 1, now_ns + 8 * NSEC_PER_SEC));
	KUNIT_EXPECT_FALSE(test, fm_budget_is_spent(budgets, 2, now_ns));
	/* There is an end of it: a disk may have taken a minute for one page. */
	fm_budget_pay(budgets, 1, now_ns, now_ns + 60 * NSEC_PER_SEC, 0);
	now_ns += 60 * NSEC_PER_SEC;
	fm_others_ask(budgets, now_ns + 31 * NSEC_PER_SEC);
	KUNIT_EXPECT_TRUE(test, fm_budget_is_spent(budgets, 1, now_ns + 31 * NSEC_PER_SEC));
	KUNIT_EXPECT_FALSE(test, fm_budget_is_spent(budgets, 1, now_ns + 32 * NSEC_PER_SEC));
}

/* To read takes little CPU time, so bytes have a price of their own. */
static void what_is_read_is_paid_for(struct kunit *test)
{
	struct fm_budgets *budgets = fm_budgets(test);
	struct fm_request request = { .file = fm_file };
	struct fm_attempt attempt = {
		.objects = fm_objects, .request = &request, .is_local = true,
	};
	u64 tenth = FM_READ_BYTES_S / 10;
	u8 head[64];

	KUNIT_EXPECT_EQ(test, fm_object_read(&attempt, 0, head, sizeof(head)), 0);
	KUNIT_EXPECT_EQ(test, fm_object_read(&attempt, 64, head, 16), 0);
	KUNIT_EXPECT_EQ(test, attempt.bytes, 80);
	fm_budget_pay(budgets, 1, FM_NOW_NS, FM_NOW_NS, tenth);
	KUNIT_EXPECT_EQ(test, budgets->credit.ns / 1000, 75000);
	KUNIT_EXPECT_EQ(test, budgets->of[1].credit.ns / 1000, 75000);
	/* The time is charged if that is more, up to a limit, which reading does not have. */
	fm_budget_pay(budgets, 1, FM_NOW_NS - NSEC_PER_SEC, FM_NOW_NS, tenth);
	KUNIT_EXPECT_EQ(test, budgets->credit.ns, FM_CREDIT_MIN_NS);
	fm_budget_pay(budgets, 1, FM_NOW_NS - NSEC_PER_SEC, FM_NOW_NS, FM_READ_BYTES_S);
	KUNIT_EXPECT_EQ(test, budgets->credit.ns, FM_CREDIT_MIN_NS - 250000000);
}

/* Who runs it first has it counted, and what a change of the content changes counts. */
static void a_file_is_known_by_its_attributes(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	struct inode *inode = fm_inode(test);
	struct fm_runner other;
	u8 budget;

	KUNIT_ASSERT_NOT_NULL(test, object);
	KUNIT_EXPECT_EQ(test, atomic_read(&fm_objects->budgets.nr_users), 0);
	KUNIT_EXPECT_PTR_EQ(test, fm_find_file(fm_objects, inode), object);
	/* Root owns it, but another user runs it. */
	fm_become(test, 1000, true);
	budget = fm_budget_of_current(fm_objects);
	KUNIT_EXPECT_PTR_EQ(test, fm_find_file(fm_objects, inode), object);
	inode->i_ino++;
	object = fm_find_file(fm_objects, inode);
	KUNIT_ASSERT_NOT_NULL(test, object);
	KUNIT_EXPECT_EQ(test, atomic_read(&fm_objects->budgets.of[budget].nr), 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&fm_objects->budgets.nr_users), 1);
	/* It is counted once. */
	KUNIT_EXPECT_PTR_EQ(test, fm_find_file(fm_objects, inode), object);
	KUNIT_EXPECT_EQ(test, atomic_read(&fm_objects->budgets.nr_users), 1);
	inode->i_generation++;
	KUNIT_EXPECT_EQ(test, fm_find_file(fm_objects, inode)->number, 3);
	inode->i_size++;
	KUNIT_EXPECT_EQ(test, fm_find_file(fm_objects, inode)->number, 4);
	atomic64_add(I_VERSION_INCREMENT, &inode->i_version);
	KUNIT_EXPECT_EQ(test, fm_find_file(fm_objects, inode)->number, 5);
	fm_change(inode);
	KUNIT_EXPECT_EQ(test, fm_find_file(fm_objects, inode)->number, 6);
	/* That user has as many as he may have. */
	inode->i_ino++;
	atomic_set(&fm_objects->budgets.of[budget].nr, FM_HALF);
	KUNIT_EXPECT_NULL(test, fm_find_file(fm_objects, inode));
	/* That keeps nobody else from running it. */
	other = fm_runner_of_current(fm_objects);
	other.budget = budget ^ 1;
	KUNIT_EXPECT_NOT_NULL(test, fm_objects_find(fm_objects, inode, other));
	inode->i_ino++;
	fm_become(test, 0, true);
	KUNIT_EXPECT_EQ(test, fm_find_file(fm_objects, inode)->number, 8);
}

/* The kernel's counter has a flag, which is set when it is read. A server's has none. */
static void a_version_counts_without_its_flag(struct kunit *test)
{
	struct super_block *sb = kunit_kzalloc(test, sizeof(*sb), GFP_KERNEL);
	struct inode *inode = fm_inode(test);
	u32 number;

	KUNIT_ASSERT_NOT_NULL(test, sb);
	memcpy(sb, inode->i_sb, sizeof(*sb));
	inode->i_sb = sb;
	sb->s_flags |= SB_I_VERSION;
	atomic64_set(&inode->i_version, I_VERSION_INCREMENT);
	number = fm_find_file(fm_objects, inode)->number;
	atomic64_set(&inode->i_version, I_VERSION_INCREMENT | I_VERSION_QUERIED);
	KUNIT_EXPECT_EQ(test, fm_find_file(fm_objects, inode)->number, number);
	atomic64_set(&inode->i_version, 2 * I_VERSION_INCREMENT);
	KUNIT_EXPECT_NE(test, fm_find_file(fm_objects, inode)->number, number);
	sb->s_flags &= ~SB_I_VERSION;
	atomic64_set(&inode->i_version, 1000);
	number = fm_find_file(fm_objects, inode)->number;
	atomic64_set(&inode->i_version, 1001);
	KUNIT_EXPECT_NE(test, fm_find_file(fm_objects, inode)->number, number);
}

#ifdef FM_HAVE_DISKSEQ
/* An image on a loop device is like the one that was there before, but another file. */
static void another_disk_has_other_files(struct kunit *test)
{
	struct super_block *sb = kunit_kzalloc(test, sizeof(*sb), GFP_KERNEL);
	struct block_device *device = kunit_kzalloc(test, sizeof(*device), GFP_KERNEL);
	struct gendisk *disk = kunit_kzalloc(test, sizeof(*disk), GFP_KERNEL);
	struct inode *inode = fm_inode(test);
	const struct fm_object *first;

	KUNIT_ASSERT_TRUE(test, sb && device && disk);
	memcpy(sb, inode->i_sb, sizeof(*sb));
	inode->i_sb = sb;
	sb->s_bdev = device;
	device->bd_disk = disk;
	disk->diskseq = 5;
	fm_hashes_collide = true;
	first = fm_find_file(fm_objects, inode);
	KUNIT_ASSERT_NOT_NULL(test, first);
	KUNIT_EXPECT_PTR_EQ(test, fm_find_file(fm_objects, inode), first);
	disk->diskseq = 6;
	/* It is no change of the first one, whatever its hash. */
	KUNIT_EXPECT_EQ(test, fm_find_file(fm_objects, inode)->number, first->number + 1);
	KUNIT_EXPECT_EQ(test, fm_find_file(fm_objects, inode)->older, 0);
	fm_hashes_collide = false;
}
#endif

/* Return: the number of the object that a file is now, or 0. */
static u32 fm_number(const struct inode *inode)
{
	const struct fm_object *object = fm_find_file(fm_objects, inode);

	return object ? object->number : 0;
}

/* Anyone can make some of root's files grow, or change, without an end. */
static void a_file_that_changes_leaves_room(struct kunit *test)
{
	struct inode *inode = fm_inode(test);
	loff_t size = inode->i_size;
	u32 i;

	for (i = 0; i < FM_FILE_OBJECTS; i++) {
		inode->i_size = size + i;
		KUNIT_ASSERT_EQ(test, fm_number(inode), i + 1);
	}
	inode->i_size++;
	KUNIT_EXPECT_EQ(test, fm_number(inode), 0);
	/* None was replaced. */
	for (i = 0; i < FM_FILE_OBJECTS; i++) {
		inode->i_size = size + i;
		KUNIT_EXPECT_EQ(test, fm_number(inode), i + 1);
	}
	KUNIT_EXPECT_EQ(test, fm_objects_nr(fm_objects), FM_FILE_OBJECTS);
	/* Those that it was besides the first count as users'. */
	KUNIT_EXPECT_EQ(test, atomic_read(&fm_objects->budgets.nr_users), FM_FILE_OBJECTS - 1);
	/* It may change now and then. */
	inode->i_size++;
	fm_objects->list[FM_FILE_OBJECTS - 1].met_s -= FM_FILE_REST_S - 60;
	KUNIT_EXPECT_EQ(test, fm_number(inode), 0);
	fm_objects->list[FM_FILE_OBJECTS - 1].met_s -= 60;
	KUNIT_EXPECT_EQ(test, fm_number(inode), FM_FILE_OBJECTS + 1);
	KUNIT_EXPECT_EQ(test, fm_number(inode), FM_FILE_OBJECTS + 1);
	inode->i_size++;
	KUNIT_EXPECT_EQ(test, fm_number(inode), 0);
	/* Of those that it was, so many are looked at. */
	inode->i_size = size;
	KUNIT_EXPECT_EQ(test, fm_number(inode), 0);
	/* A new file at its place is another one, as often as it is built, whatever its hash. */
	fm_hashes_collide = true;
	for (i = 0; i < 200; i++) {
		inode->i_generation++;
		KUNIT_EXPECT_EQ(test, fm_number(inode), FM_FILE_OBJECTS + 2 + i);
	}
	fm_hashes_collide = false;
	KUNIT_EXPECT_EQ(test, atomic_read(&fm_objects->budgets.nr_users), FM_FILE_OBJECTS);
}

/* Requests of a user who has had enough are dropped, and later ones are not. */
static void a_user_who_had_enough_waits(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	struct fm_budget *budget = &fm_objects->budgets.of[1];

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_program_budget = 1;
	budget->credit = (struct fm_credit){ -NSEC_PER_SEC, fm_clock() };
	fm_others_ask(&fm_objects->budgets, fm_clock());
	fm_nr_waits = 0;
	fm_program_answer(object, 0);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NEW);
	KUNIT_EXPECT_EQ(test, fm_nr_waits, 0);
	KUNIT_EXPECT_EQ(test, file_count(fm_file), 1);
	budget->credit.ns = FM_CREDIT_MAX_NS;
	fm_program_answer(object, 0);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_READY);
	KUNIT_EXPECT_LT(test, budget->credit.ns, FM_CREDIT_MAX_NS);
	/* What is kept about it is that user's. */
	KUNIT_EXPECT_GT(test, budget->kept_bytes, sizeof(struct fm_object_file));
	KUNIT_EXPECT_EQ(test, budget->kept_bytes, fm_objects->kept_bytes);
}

/* A user who may not keep more leaves a file to the next one who runs it. */
static void what_a_user_cannot_pay_another_can(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	size_t most = fm_objects->max_bytes / 4 / 2;
	u64 paid_ns;

	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_program_budget = 1;
	/* It has room for nothing, and then for one thing less than is kept. */
	fm_objects->budgets.of[1].kept_bytes = most;
	fm_program_answer(object, 0);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NEW);
	KUNIT_EXPECT_EQ(test, fm_objects->kept_bytes, 0);
	/* It is not tried for that user any more. */
	KUNIT_EXPECT_TRUE(test, fm_object_is_denied(fm_objects, object, 1));
	KUNIT_EXPECT_FALSE(test, fm_object_is_denied(fm_objects, object, 2));
	KUNIT_EXPECT_FALSE(test, fm_object_is_denied(fm_objects, object, FM_BUDGET_OF_CURRENT));
	paid_ns = fm_objects->budgets.credit.at_ns;
	fm_objects->budgets.of[1].kept_bytes = 0;
	fm_program_answer(object, 0);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NEW);
	KUNIT_EXPECT_EQ(test, fm_objects->budgets.credit.at_ns, paid_ns);
	object->denied = 0;
	fm_objects->budgets.of[1].kept_bytes =
		most - fm_compat_alloc_bytes(sizeof(struct fm_object_file));
	fm_program_answer(object, 0);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NEW);
	KUNIT_EXPECT_NULL(test, object->file);
	KUNIT_EXPECT_EQ(test, fm_objects->kept_bytes, 0);
	fm_program_budget = 2;
	fm_program_answer(object, 0);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_READY);
	KUNIT_EXPECT_EQ(test, fm_objects->budgets.of[2].kept_bytes, fm_objects->kept_bytes);
	KUNIT_EXPECT_FALSE(test, fm_object_is_denied(fm_objects, object, 1));
}

/* The worker began when it looked for the file of a request that has none. */
static void the_time_to_find_a_file_is_paid_for(struct kunit *test)
{
	struct fm_budget *budget = &fm_objects->budgets.of[1];
	const struct fm_request request = {
		.object = fm_find_file(fm_objects, file_inode(fm_file)),
		.file = fm_file,
		.chunk = U32_MAX,
		.runner.budget = 1,
		.began_ns = fm_clock() - 40 * NSEC_PER_MSEC,
	};

	KUNIT_ASSERT_NOT_NULL(test, request.object);
	fm_object_learn(fm_objects, &request);
	KUNIT_EXPECT_EQ(test, request.object->state, FM_OBJECT_READY);
	KUNIT_EXPECT_LE(test, budget->credit.ns, FM_CREDIT_MAX_NS - 40 * (s64)NSEC_PER_MSEC);
}

static struct kunit_case fm_user_budget_cases[] = {
	KUNIT_CASE(a_user_has_one_budget),
	KUNIT_CASE(root_of_a_container_is_a_user),
	KUNIT_CASE(a_user_has_half_of_the_files),
	KUNIT_CASE(a_user_has_half_of_what_is_kept),
	KUNIT_CASE(a_user_has_half_of_the_time),
	KUNIT_CASE(a_long_request_is_paid_for),
	KUNIT_CASE(what_is_read_is_paid_for),
	KUNIT_CASE(a_file_is_known_by_its_attributes),
	KUNIT_CASE(a_version_counts_without_its_flag),
#ifdef FM_HAVE_DISKSEQ
	KUNIT_CASE(another_disk_has_other_files),
#endif
	KUNIT_CASE(a_file_that_changes_leaves_room),
	KUNIT_CASE(a_user_who_had_enough_waits),
	KUNIT_CASE(what_a_user_cannot_pay_another_can),
	KUNIT_CASE(the_time_to_find_a_file_is_paid_for),
	{}
};

struct kunit_suite fm_user_budget_suite = {
	.name = "flamemod_user_budget",
	.init = fm_program_begin,
	.exit = fm_program_end,
	.test_cases = fm_user_budget_cases,
};
