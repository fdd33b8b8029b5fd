/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who runs a program: whose budget pays (budget.h), and whose paths are true.
 *
 * In a user namespace of his own, anyone can show root's files below other paths. A file has the
 * path of the process that was sampled in it first, and flamectl looks for the names of functions
 * below that path. So one user could name what others run. For this reason a file has several
 * objects (object.h): one for the processes in the machine's mount namespace, and for those in
 * other ones, as of services and containers, one for each user. The user is the owner of the
 * user namespace there, if it is not the machine's.
 *
 * A process can hand an open file to another one in any namespace, and the file keeps its path.
 * So the machine's object takes its path only from a file below the root of process 1.
 *
 * Locking: none; see each function's context.
 */
#ifndef _FLAMEMOD_USER_RUNNER_H
#define _FLAMEMOD_USER_RUNNER_H

#include <linux/types.h>

struct cred;
struct file;
struct fm_objects;
struct mnt_namespace;

#define FM_REALM_MACHINE	0	/* the machine's mount namespace */
#define FM_REALM_ROOT		1	/* others, for root (budget.h) */
#define FM_REALM_USER		2	/* + uid; others, for that user */

struct fm_runner {
	u64 realm;
	u8 budget;		/* its number, or FM_BUDGET_OF_CURRENT */
};

struct fm_runner fm_runner_of_current(const struct fm_objects *objects);
u64 fm_realm_elsewhere(const struct cred *cred);
const struct mnt_namespace *fm_machine(void);
bool fm_machine_has(const struct file *file);

#endif /* _FLAMEMOD_USER_RUNNER_H */
