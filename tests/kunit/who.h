/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who runs a program: what user stacks may use is divided among users.
 */
#ifndef _FM_WHO_H
#define _FM_WHO_H

#include <linux/capability.h>
#include <linux/cred.h>
#include <kunit/test.h>

#include "../../module/user/object.h"

/* Find a file's object, for the current task's user. */
static inline struct fm_object *fm_find_file(struct fm_objects *objects,
					     const struct inode *inode)
{
	return fm_objects_find(objects, inode, fm_runner_of_current(objects));
}

/* Return: the budget of a user. */
static inline u8 fm_budget_of_uid(const struct fm_objects *objects, u32 uid)
{
	const struct cred cred = {
		.uid = KUIDT_INIT(uid),
		.user_ns = &init_user_ns,
		.cap_permitted = CAP_FULL_SET,
	};

	return fm_budget_of(objects, &cred);
}

/* Be another user, with the rights of root or without the one that makes root. */
static inline void fm_become(struct kunit *test, u32 uid, bool has_rights)
{
	struct cred *cred = prepare_creds();

	KUNIT_ASSERT_NOT_NULL(test, cred);
	cred->uid = KUIDT_INIT(uid);
	if (has_rights)
		cap_raise(cred->cap_permitted, CAP_SYS_ADMIN);
	else
		cap_lower(cred->cap_permitted, CAP_SYS_ADMIN);
	/* A task can only use a right that it is permitted. */
	cred->cap_effective = cap_intersect(cred->cap_effective, cred->cap_permitted);
	commit_creds(cred);
}

#endif /* _FM_WHO_H */
