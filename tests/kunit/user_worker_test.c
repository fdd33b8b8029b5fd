// SPDX-License-Identifier: GPL-2.0
/*
 * The worker of user stacks gives each CPU its turn, and each user.
 */
#include <linux/file.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/percpu.h>
#include <linux/sched/mm.h>
#include <kunit/test.h>

#include "../../module/user/copies.h"
#include "first_process.h"
#include "program.h"
#include "redirect.h"
#include "suites.h"
#include "who.h"

/* Where the file is mapped in a process that does not exist. */
#define FM_AT		(16 * FM_CHUNK_BYTES)
/* A CPU that asks without an end ends here. */
#define FM_ASKED_MAX	50

static struct fm_request fm_asked;
static struct fm_copies *fm_taken;

static struct fm_requests *fm_ring(void)
{
	return per_cpu_ptr(fm_objects->requests, cpumask_first(cpu_possible_mask));
}

/* As the timer does, but nothing wakes the worker, which the test runs itself. */
static void fm_ask(void)
{
	struct fm_requests *requests = fm_ring();

	if (requests->head == FM_ASKED_MAX)
		return;
	if (fm_asked.file)
		get_file(fm_asked.file);
	if (fm_asked.mm)
		mmgrab(fm_asked.mm);
	requests->ring[requests->head++ % FM_REQUESTS] = fm_asked;
}

static void fm_work(void)
{
	fm_objects->work.func(&fm_objects->work);
}

static void fm_spend_all(void)
{
	fm_objects->budgets.credit = (struct fm_credit){ -NSEC_PER_SEC, fm_clock() };
}

/* While the worker rests, more requests come. They wait until others had their turn. */
static void a_cpu_that_asks_all_the_time_holds_up_no_other(struct kunit *test)
{
	struct fm_requests *requests = fm_ring();

	fm_asked = (struct fm_request){
		.object = fm_find_file(fm_objects, file_inode(fm_file)),
		.file = fm_file,
		.chunk = U32_MAX,
	};
	KUNIT_ASSERT_NOT_NULL(test, fm_asked.object);
	fm_ask();
	fm_ask();
	fm_spend_all();
	fm_at_sleep = fm_ask;
	fm_work();
	fm_at_sleep = NULL;
	KUNIT_EXPECT_EQ(test, requests->tail, 2);
	KUNIT_EXPECT_EQ(test, requests->head, 4);
	fm_work();
	KUNIT_EXPECT_EQ(test, requests->tail, 4);
	KUNIT_EXPECT_EQ(test, file_count(fm_file), 1);
}

static void fm_take_one_more(void)
{
	fm_taken->next += fm_taken->next < FM_COPIES;
}

/* Likewise for copies of stacks. */
static void a_cpu_that_copies_all_the_time_holds_up_no_other(struct kunit *test)
{
	struct fm_object *object = fm_find_file(fm_objects, file_inode(fm_file));
	struct fm_copy *copy;

	fm_taken = fm_copies_create(NUMA_NO_NODE);
	KUNIT_ASSERT_TRUE(test, object && fm_taken);
	copy = fm_copies_slot(fm_taken, 0);
	copy->regs.ip = FM_AT;
	copy->runner.budget = 1;
	copy->mappings.nr = 1;
	copy->mappings.files[0] = get_file(fm_file);
	copy->mappings.maps[0] = (struct fm_map){
		.start = FM_AT,
		.end = FM_AT + FM_CHUNK_BYTES,
		.delta = -FM_AT,
		.object = object,
		.kind = FM_MAP_OBJECT,
	};
	fm_copies_place(fm_taken, 0)->state = FM_RESULT_AWAITED;
	fm_taken->next = 1;
	fm_spend_all();
	fm_at_sleep = fm_take_one_more;
	fm_copies_walk(fm_objects, fm_taken);
	fm_at_sleep = NULL;
	KUNIT_EXPECT_EQ(test, fm_taken->next, 2);
	KUNIT_EXPECT_EQ(test, fm_taken->walked, 1);
	KUNIT_EXPECT_EQ(test, fm_copies_place(fm_taken, 0)->state, FM_RESULT_DONE);
	/* Whose stack it was pays. */
	KUNIT_EXPECT_GT(test, fm_objects->budgets.of[1].kept_bytes, 0);
	KUNIT_EXPECT_EQ(test, file_count(fm_file), 1);
	fm_copies_destroy(fm_taken);
}

/* A process may keep its mappings locked: to try is not free. */
static void who_locks_his_mappings_pays_for_it(struct kunit *test)
{
	struct fm_budget *budget = &fm_objects->budgets.of[1];
	struct mm_struct *mm = fm_first_mm();
	s64 had_ns;

	KUNIT_ASSERT_NOT_NULL(test, mm);
	fm_asked = (struct fm_request){
		.object = fm_find_file(fm_objects, file_inode(fm_file)),
		.mm = mm,
		.runner.budget = 1,
	};
	KUNIT_ASSERT_NOT_NULL(test, fm_asked.object);
	mmap_write_lock(mm);
	budget->credit = (struct fm_credit){ FM_CREDIT_MAX_NS, fm_clock() };
	had_ns = budget->credit.at_ns;
	fm_nr_waits = 0;
	fm_ask();
	fm_work();
	KUNIT_EXPECT_GT(test, fm_nr_waits, 0);
	KUNIT_EXPECT_GT(test, budget->credit.at_ns, had_ns);
	/* Who had enough is not tried for. */
	budget->credit = (struct fm_credit){ -NSEC_PER_SEC, fm_clock() };
	fm_objects->budgets.credit = (struct fm_credit){ 0, fm_clock() };
	fm_nr_waits = 0;
	fm_ask();
	fm_work();
	mmap_write_unlock(mm);
	KUNIT_EXPECT_EQ(test, fm_nr_waits, 0);
	KUNIT_EXPECT_EQ(test, fm_ring()->tail, 2);
	KUNIT_EXPECT_EQ(test, fm_nr_mms, 0);
	mmput(mm);
}

static struct kunit_case fm_user_worker_cases[] = {
	KUNIT_CASE(a_cpu_that_asks_all_the_time_holds_up_no_other),
	KUNIT_CASE(a_cpu_that_copies_all_the_time_holds_up_no_other),
	KUNIT_CASE(who_locks_his_mappings_pays_for_it),
	{}
};

struct kunit_suite fm_user_worker_suite = {
	.name = "flamemod_user_worker",
	.init = fm_program_begin,
	.exit = fm_program_end,
	.test_cases = fm_user_worker_cases,
};
