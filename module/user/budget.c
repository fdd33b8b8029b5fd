// SPDX-License-Identifier: GPL-2.0
/*
 * What the processes of one user may use: see budget.h.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/jhash.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/user_namespace.h>

#include "object.h"

/* To read FM_READ_BYTES_S costs the credit that the worker gets in a second. */
#define FM_READ_NS(bytes)	((bytes) * (NSEC_PER_SEC / FM_CREDIT_SHARE) / FM_READ_BYTES_S)

/**
 * fm_budgets_init() - begin with nothing used.
 * @budgets: the budgets, all zero
 * @now_ns: the time now
 *
 * Context: Any.
 */
void fm_budgets_init(struct fm_budgets *budgets, u64 now_ns)
{
	unsigned int i;

	budgets->credit = (struct fm_credit){ FM_CREDIT_MAX_NS, now_ns };
	for (i = 0; i < FM_BUDGETS; i++)
		budgets->of[i].credit = budgets->credit;
}

/**
 * fm_cred_is_root() - ask whether a process is root's.
 * @cred: its credentials
 *
 * Context: Any; the caller keeps @cred alive.
 * Return: false for one who is only called root in a container.
 */
bool fm_cred_is_root(const struct cred *cred)
{
	return uid_eq(cred->uid, GLOBAL_ROOT_UID) && cred->user_ns == &init_user_ns &&
	       cap_raised(cred->cap_permitted, CAP_SYS_ADMIN);
}

/**
 * fm_budget_of() - find a user's budget.
 * @objects: the objects, whose secret keeps users from choosing
 * @cred: the credentials of a process of that user
 *
 * Context: Any; the caller keeps @cred alive.
 * Return: the number of the budget.
 */
u8 fm_budget_of(const struct fm_objects *objects, const struct cred *cred)
{
	if (fm_cred_is_root(cred))
		return FM_BUDGET_OF_ROOT;
	return 1 + jhash_1word(__kuid_val(cred->uid), objects->secret) % (FM_BUDGETS - 1);
}

/**
 * fm_budget_of_current() - find the budget of the user who runs the current task.
 * @objects: the objects
 *
 * Context: Any.
 * Return: the number of the budget.
 */
u8 fm_budget_of_current(const struct fm_objects *objects)
{
	u8 number;

	rcu_read_lock();
	number = fm_budget_of(objects, __task_cred(current));
	rcu_read_unlock();
	return number;
}

/**
 * fm_budget_add_file() - count a file that was not met before, or not as it is now.
 * @budgets: the budgets
 * @number: the budget of who runs it
 * @is_changed: whether it was met before it changed
 *
 * Context: Any.
 * Return: false if that user has too many, or all users and files that changed are.
 */
bool fm_budget_add_file(struct fm_budgets *budgets, u8 number, bool is_changed)
{
	struct fm_budget *budget = &budgets->of[number];

	if (number == FM_BUDGET_OF_ROOT && !is_changed)
		return true;
	/* Several CPUs may add at the same time, and then some more than the limit. */
	if (atomic_read(&budget->nr) >= FM_OBJECTS_MAX / 2 ||
	    atomic_read(&budgets->nr_users) >= FM_OBJECTS_MAX * 3 / 4)
		return false;
	atomic_inc(&budget->nr);
	atomic_inc(&budgets->nr_users);
	return true;
}

/**
 * fm_budget_keep() - charge memory that is kept about a file.
 * @budgets: the budgets
 * @number: the budget of who asked
 * @bytes: the memory
 * @max_bytes: the most that may be kept in all, which the caller checks
 *
 * Context: The worker.
 * Return: false if that user, or all but root, would have too much.
 */
bool fm_budget_keep(struct fm_budgets *budgets, u8 number, size_t bytes, size_t max_bytes)
{
	struct fm_budget *budget = &budgets->of[number];

	if (number == FM_BUDGET_OF_ROOT)
		return true;
	if (budget->kept_bytes + bytes > max_bytes / 2 ||
	    budgets->users_bytes + bytes > max_bytes / 4 * 3)
		return false;
	budget->kept_bytes += bytes;
	budgets->users_bytes += bytes;
	return true;
}

/**
 * fm_budget_unkeep() - give back memory that was charged.
 * @budgets: the budgets
 * @number: the budget of who asked
 * @bytes: the memory
 *
 * Context: The worker.
 */
void fm_budget_unkeep(struct fm_budgets *budgets, u8 number, size_t bytes)
{
	if (number == FM_BUDGET_OF_ROOT)
		return;
	budgets->of[number].kept_bytes -= bytes;
	budgets->users_bytes -= bytes;
}

/* Return: the credit now, of one that grows by a CPU's time divided by @share. */
static s64 fm_credit_now(const struct fm_credit *credit, u64 now_ns, u32 share)
{
	return min_t(s64, credit->ns + (s64)((now_ns - credit->at_ns) / share),
		     FM_CREDIT_MAX_NS);
}

/*
 * A request costs its time, which leaves @min_ns at least, or what the bytes that it read
 * cost if that is more.
 */
static s64 fm_credit_pay(struct fm_credit *credit, u64 time_ns, u64 bytes, u64 now_ns, u32 share,
			 s64 min_ns)
{
	s64 had_ns = fm_credit_now(credit, now_ns, share);

	credit->ns = min_t(s64, max_t(s64, had_ns - (s64)time_ns, min_ns),
			   had_ns - (s64)FM_READ_NS(bytes));
	credit->at_ns = now_ns;
	return credit->ns;
}

/**
 * fm_budget_is_spent() - ask whether a user has had his share of the worker.
 * @budgets: the budgets
 * @number: the budget of who asks
 * @now_ns: the time now
 *
 * Context: The worker.
 * Return: whether a request is to be dropped; a later sample asks again. It is not while
 * others leave the worker enough credit.
 */
bool fm_budget_is_spent(const struct fm_budgets *budgets, u8 number, u64 now_ns)
{
	return number != FM_BUDGET_OF_ROOT &&
	       fm_credit_now(&budgets->of[number].credit, now_ns, FM_CREDIT_USER_SHARE) < 0 &&
	       fm_credit_now(&budgets->credit, now_ns, FM_CREDIT_SHARE) < FM_CREDIT_SPARE_NS;
}

/**
 * fm_budget_pay() - charge the worker's time for a request, and what it read.
 * @budgets: the budgets
 * @number: the budget of who asked
 * @began_ns: when the worker began with the request
 * @now_ns: the time now
 * @bytes: what it read
 *
 * Context: The worker.
 * Return: how long the worker has to sleep, in nanoseconds, until it has credit again.
 */
u64 fm_budget_pay(struct fm_budgets *budgets, u8 number, u64 began_ns, u64 now_ns, u64 bytes)
{
	u64 time_ns = now_ns - began_ns;
	s64 left_ns = fm_credit_pay(&budgets->credit, time_ns, bytes, now_ns, FM_CREDIT_SHARE,
				    FM_CREDIT_MIN_NS);

	if (number != FM_BUDGET_OF_ROOT)
		fm_credit_pay(&budgets->of[number].credit, time_ns, bytes, now_ns,
			      FM_CREDIT_USER_SHARE, FM_CREDIT_USER_MIN_NS);
	return left_ns < 0 ? -left_ns * FM_CREDIT_SHARE : 0;
}
