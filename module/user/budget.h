/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the processes of one user may use: how many files are told apart, the memory that is
 * kept about them, and the worker's time.
 *
 * Anyone can make files, and can run those of others, so that without budgets one user could
 * leave nothing to the others. So the user whose process meets a file first has it counted,
 * and whose process asks for rows pays for them, whoever owns the file. What one user cannot
 * pay for, another one still can.
 *
 * Root has budget 0, which only the totals limit: processes of uid 0 that have CAP_SYS_ADMIN,
 * as those in most containers have not. But users can change some files that root runs:
 * link() sets the time of change, and a login makes wtmp grow. A file that has changed
 * therefore counts for root, too. Each other user has one of the other budgets, by a keyed
 * hash of the real uid: some users share one. A user gets half of the files, of the memory
 * and of the time at most; of the time also what others leave. All but root together get
 * three quarters of the files and of the memory.
 *
 * Copies of stacks (copies.h) are divided alike.
 *
 * Locking: files are counted in any context, without locks. The rest belongs to the worker.
 */
#ifndef _FLAMEMOD_USER_BUDGET_H
#define _FLAMEMOD_USER_BUDGET_H

#include <linux/atomic.h>
#include <linux/time64.h>
#include <linux/types.h>

struct cred;
struct fm_objects;

#define FM_BUDGETS		64
#define FM_BUDGET_OF_ROOT	0
#define FM_BUDGET_OF_CURRENT	U8_MAX	/* to be found when it is needed */

#define FM_CREDIT_MAX_NS	(100 * NSEC_PER_MSEC)
/*
 * After a request that took long, such as from a slow disk, the worker rests for a tenth of
 * a second. The user who asked waits for as long as pays for it, 32 s at most.
 */
#define FM_CREDIT_MIN_NS	(-25 * NSEC_PER_MSEC)
#define FM_CREDIT_USER_MIN_NS	(-4 * NSEC_PER_SEC)
#define FM_CREDIT_SHARE		4	/* of a CPU, for the worker */
#define FM_CREDIT_USER_SHARE	8	/* of a CPU, for one user */
/* The worker answers those who had their share, too, as long as it has so much credit. */
#define FM_CREDIT_SPARE_NS	(FM_CREDIT_MAX_NS / 2)
#define FM_READ_BYTES_S		(32u << 20)	/* that the worker reads in a second */

/* CPU time that may be used. It grows by a share of the time that passes. */
struct fm_credit {
	s64 ns;
	u64 at_ns;		/* when @ns was computed */
};

struct fm_budget {
	atomic_t nr;		/* files; for root those that have changed */
	size_t kept_bytes;	/* for the worker */
	struct fm_credit credit;	/* for the worker */
};

struct fm_budgets {
	struct fm_budget of[FM_BUDGETS];
	atomic_t nr_users;	/* these files of all, root too */
	size_t users_bytes;	/* for the worker: kept about them */
	struct fm_credit credit;	/* of the worker */
};

void fm_budgets_init(struct fm_budgets *budgets, u64 now_ns);
bool fm_cred_is_root(const struct cred *cred);
u8 fm_budget_of(const struct fm_objects *objects, const struct cred *cred);
u8 fm_budget_of_current(const struct fm_objects *objects);
bool fm_budget_add_file(struct fm_budgets *budgets, u8 number, bool is_changed);
bool fm_budget_keep(struct fm_budgets *budgets, u8 number, size_t bytes, size_t max_bytes);
void fm_budget_unkeep(struct fm_budgets *budgets, u8 number, size_t bytes);
bool fm_budget_is_spent(const struct fm_budgets *budgets, u8 number, u64 now_ns);
u64 fm_budget_pay(struct fm_budgets *budgets, u8 number, u64 began_ns, u64 now_ns, u64 bytes);

#endif /* _FLAMEMOD_USER_BUDGET_H */
