// SPDX-License-Identifier: GPL-2.0
/*
 * Who runs a program: no user gives a file of others a path.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mount.h>
#include <linux/nsproxy.h>
#include <linux/shmem_fs.h>
#include <linux/user_namespace.h>
#include <kunit/test.h>

#include "program.h"
#include "suites.h"
#include "who.h"

#define FM_OWNER	1000
/* So many that some meet at the same slot of the table. */
#define FM_REALMS	2000

static u64 fm_realm(void)
{
	return fm_runner_of_current(fm_objects).realm;
}

static void all_in_the_machines_namespace_are_together(struct kunit *test)
{
	KUNIT_EXPECT_NOT_NULL(test, fm_machine());
	KUNIT_EXPECT_PTR_EQ(test, fm_objects->machine, fm_machine());
	fm_objects->machine = current->nsproxy->mnt_ns;
	KUNIT_EXPECT_EQ(test, fm_realm(), FM_REALM_MACHINE);
	fm_become(test, FM_OWNER, false);
	KUNIT_EXPECT_EQ(test, fm_realm(), FM_REALM_MACHINE);
	fm_become(test, 0, true);
}

/* Elsewhere each user is apart, and uid 0 of a container is a user. */
static void elsewhere_each_user_is_alone(struct kunit *test)
{
	fm_objects->machine = NULL;
	KUNIT_EXPECT_EQ(test, fm_realm(), FM_REALM_ROOT);
	fm_become(test, 0, false);
	KUNIT_EXPECT_EQ(test, fm_realm(), FM_REALM_USER);
	fm_become(test, FM_OWNER, true);
	KUNIT_EXPECT_EQ(test, fm_realm(), FM_REALM_USER + FM_OWNER);
	fm_become(test, 0, true);
}

/* In a user namespace a process may have uids that its owner chose. */
static void who_owns_a_user_namespace_counts(struct kunit *test)
{
	struct user_namespace *users = kunit_kzalloc(test, sizeof(*users), GFP_KERNEL);
	struct cred cred = {
		.uid = KUIDT_INIT(5),
		.user_ns = users,
		.cap_permitted = CAP_FULL_SET,
	};

	KUNIT_ASSERT_NOT_NULL(test, users);
	users->owner = KUIDT_INIT(FM_OWNER);
	KUNIT_EXPECT_EQ(test, fm_realm_elsewhere(&cred), FM_REALM_USER + FM_OWNER);
	cred.uid = GLOBAL_ROOT_UID;
	KUNIT_EXPECT_EQ(test, fm_realm_elsewhere(&cred), FM_REALM_USER + FM_OWNER);
	/* No uid is taken for the machine's. */
	users->owner = KUIDT_INIT(U32_MAX - 1);
	KUNIT_EXPECT_GT(test, fm_realm_elsewhere(&cred), U32_MAX);
	cred.user_ns = &init_user_ns;
	KUNIT_EXPECT_EQ(test, fm_realm_elsewhere(&cred), FM_REALM_ROOT);
}

static void a_file_has_an_object_in_each_realm(struct kunit *test)
{
	struct inode *inode = file_inode(fm_file);
	struct fm_runner runner = { .realm = FM_REALM_MACHINE, .budget = FM_BUDGET_OF_ROOT };
	struct fm_object *object = fm_objects_find(fm_objects, inode, runner), *other;

	KUNIT_ASSERT_NOT_NULL(test, object);
	KUNIT_EXPECT_PTR_EQ(test, fm_objects_find(fm_objects, inode, runner), object);
	runner.realm = FM_REALM_USER + 1;
	other = fm_objects_find(fm_objects, inode, runner);
	KUNIT_ASSERT_NOT_NULL(test, other);
	KUNIT_EXPECT_PTR_NE(test, other, object);
	runner.realm += BIT_ULL(32);
	KUNIT_EXPECT_PTR_NE(test, fm_objects_find(fm_objects, inode, runner), other);
	/* None is a change of another one. */
	for (runner.realm = FM_REALM_USER; runner.realm < FM_REALM_USER + FM_REALMS;
	     runner.realm++) {
		other = fm_objects_find(fm_objects, inode, runner);
		KUNIT_ASSERT_NOT_NULL(test, other);
		KUNIT_ASSERT_EQ(test, other->older, 0);
	}
	runner.realm = FM_REALM_MACHINE;
	KUNIT_EXPECT_PTR_EQ(test, fm_objects_find(fm_objects, inode, runner), object);
}

/* Open the program through a mount that no namespace has. */
static struct file *fm_open_elsewhere(struct kunit *test)
{
	struct path path = fm_file->f_path;
	struct vfsmount *mount = clone_private_mount(&path);
	struct file *file;

	KUNIT_ASSERT_FALSE(test, IS_ERR(mount));
	path.mnt = mount;
	file = dentry_open(&path, O_RDONLY, current_cred());
	kern_unmount(mount);
	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	return file;
}

static void a_file_may_be_opened_elsewhere(struct kunit *test)
{
	struct file *file = fm_open_elsewhere(test);

	KUNIT_EXPECT_TRUE(test, fm_machine_has(fm_file));
	KUNIT_EXPECT_FALSE(test, fm_machine_has(file));
	fput(file);
	/* What is in memory has no other path. */
	file = shmem_file_setup("memory", PAGE_SIZE, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(file));
	KUNIT_EXPECT_TRUE(test, fm_machine_has(file));
	fput(file);
}

static void fm_answer(struct fm_object *object, struct file *file, struct fm_runner runner)
{
	struct fm_request request = {
		.object = object,
		.file = get_file(file),
		.runner = runner,
	};

	fm_object_answer(fm_objects, &request);
}

static void a_path_from_elsewhere_is_not_the_machines(struct kunit *test)
{
	struct file *elsewhere = fm_open_elsewhere(test);
	struct inode *inode = file_inode(fm_file);
	struct fm_runner user = { .realm = FM_REALM_MACHINE, .budget = 1 };
	struct fm_runner other = { .realm = FM_REALM_MACHINE, .budget = 2 };
	struct fm_object *object = fm_objects_find(fm_objects, inode, user);
	char *buffer = kunit_kzalloc(test, PATH_MAX, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_answer(object, elsewhere, user);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_NEW);
	KUNIT_EXPECT_EQ(test, fm_objects->kept_bytes, 0);
	KUNIT_EXPECT_TRUE(test, fm_object_is_denied(fm_objects, object, user.budget));
	/* Nobody else is. */
	KUNIT_EXPECT_FALSE(test, fm_object_is_denied(fm_objects, object, other.budget));
	fm_answer(object, fm_file, other);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_READY);
	KUNIT_EXPECT_FALSE(test, fm_object_is_denied(fm_objects, object, user.budget));
	KUNIT_ASSERT_NOT_NULL(test, object->file);
	KUNIT_EXPECT_STREQ(test, object->file->shown->path,
			   file_path(fm_file, buffer, PATH_MAX));
	/* Elsewhere, it is one of many. */
	user.realm = FM_REALM_USER + 1;
	object = fm_objects_find(fm_objects, inode, user);
	KUNIT_ASSERT_NOT_NULL(test, object);
	fm_answer(object, elsewhere, user);
	KUNIT_EXPECT_EQ(test, object->state, FM_OBJECT_READY);
	fput(elsewhere);
}

static struct kunit_case fm_user_runner_cases[] = {
	KUNIT_CASE(all_in_the_machines_namespace_are_together),
	KUNIT_CASE(elsewhere_each_user_is_alone),
	KUNIT_CASE(who_owns_a_user_namespace_counts),
	KUNIT_CASE(a_file_has_an_object_in_each_realm),
	KUNIT_CASE(a_file_may_be_opened_elsewhere),
	KUNIT_CASE(a_path_from_elsewhere_is_not_the_machines),
	{}
};

struct kunit_suite fm_user_runner_suite = {
	.name = "flamemod_user_runner",
	.init = fm_program_begin,
	.exit = fm_program_end,
	.test_cases = fm_user_runner_cases,
};
