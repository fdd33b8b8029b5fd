// SPDX-License-Identifier: GPL-2.0
/*
 * Contains planted bugs. Each load has one, chosen by the parameter "bug".
 *
 * A debug kernel must complain about each of them. They are of kinds that a sampler
 * could have, in the contexts where it would have them: those of a timer happen in hard
 * interrupt context. "none" does the same without a bug.
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#define SIZE	128

static char *bug = "none";
module_param(bug, charp, 0444);

/* Hides a value from the compiler's optimiser. */
static unsigned int hidden(unsigned int value)
{
	OPTIMIZER_HIDE_VAR(value);
	return value;
}

/* A timer callback to be called once, in hard interrupt context. */
static struct hrtimer timer;
static void (*in_timer)(void);
static DECLARE_COMPLETION(timer_done);

static enum hrtimer_restart fired(struct hrtimer *unused)
{
	in_timer();
	complete(&timer_done);
	return HRTIMER_NORESTART;
}

static void from_timer_do(void (*what)(void))
{
	in_timer = what;
	reinit_completion(&timer_done);
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer.function = fired;
	hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL_HARD);
	wait_for_completion(&timer_done);
	hrtimer_cancel(&timer);
}

static u8 *heap;
static unsigned int heap_bytes;

static void touch_past_the_end(void)
{
	heap[heap_bytes] = 1;
}

static void touch_start(void)
{
	heap[0] = 1;
}

static void timer_out_of_bounds(void)
{
	heap_bytes = SIZE;
	heap = kmalloc(heap_bytes, GFP_KERNEL);
	from_timer_do(touch_past_the_end);
	kfree(heap);
}

static void timer_use_after_free(void)
{
	heap = kmalloc(SIZE, GFP_KERNEL);
	kfree(heap);
	from_timer_do(touch_start);
}

static void vmalloc_out_of_bounds(void)
{
	/* within the page, as beyond it there would be a fault instead */
	heap_bytes = PAGE_SIZE - SIZE;
	heap = vmalloc(heap_bytes);
	from_timer_do(touch_past_the_end);
	vfree(heap);
}

static void write_past_the_stack(void)
{
	u8 here[SIZE], *end = here;

	OPTIMIZER_HIDE_VAR(end);
	end[SIZE] = 1;
	barrier_data(here);
}

static void timer_stack_out_of_bounds(void)
{
	from_timer_do(write_past_the_stack);
}

static DEFINE_MUTEX(lock_a);
static DEFINE_MUTEX(lock_b);

static void sleep_in_atomic(void)
{
	preempt_disable();
	mutex_lock(&lock_a);
	mutex_unlock(&lock_a);
	preempt_enable();
}

static void abba(void)
{
	mutex_lock(&lock_a);
	mutex_lock(&lock_b);
	mutex_unlock(&lock_b);
	mutex_unlock(&lock_a);
	mutex_lock(&lock_b);
	mutex_lock(&lock_a);
	mutex_unlock(&lock_a);
	mutex_unlock(&lock_b);
}

static DEFINE_RAW_SPINLOCK(shared_with_timer);

static void lock_and_unlock(void)
{
	raw_spin_lock(&shared_with_timer);
	raw_spin_unlock(&shared_with_timer);
}

/* Taken here with interrupts on, and there in an interrupt. */
static void lock_in_timer(void)
{
	lock_and_unlock();
	from_timer_do(lock_and_unlock);
}

static int __rcu *published;

static void suspicious_rcu(void)
{
	WARN_ON_ONCE(rcu_dereference(published));
}

static void preemptible_cpu(void)
{
	if (smp_processor_id() >= nr_cpu_ids)
		pr_info("there is no such CPU\n");
}

static enum hrtimer_restart fired_late(struct hrtimer *unused)
{
	return HRTIMER_NORESTART;
}

static void freed_timer(void)
{
	struct hrtimer *armed = kmalloc(sizeof(*armed), GFP_KERNEL);

	hrtimer_init(armed, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	armed->function = fired_late;
	hrtimer_start(armed, ms_to_ktime(60000), HRTIMER_MODE_REL_HARD);
	kfree(armed);
}

static void work_late(struct work_struct *unused)
{
}

static void freed_work(void)
{
	struct delayed_work *armed = kmalloc(sizeof(*armed), GFP_KERNEL);

	INIT_DELAYED_WORK(armed, work_late);
	schedule_delayed_work(armed, 60 * HZ);
	kfree(armed);
}

static struct rcu_head head;

static void rcu_called(struct rcu_head *unused)
{
}

static void rcu_called_twice(void)
{
	rcu_read_lock();
	call_rcu(&head, rcu_called);
	call_rcu(&head, rcu_called);
	rcu_read_unlock();
	rcu_barrier();
}

static void shift_too_far(void)
{
	heap_bytes = 1U << hidden(40);
}

static u32 eight[8];

static void index_too_far(void)
{
	heap_bytes = eight[hidden(8)];
}

static LIST_HEAD(ring);

static void list_deleted_twice(void)
{
	struct list_head entry;

	list_add(&entry, &ring);
	list_del(&entry);
	list_del(&entry);
}

static void leak(void)
{
	int i;

	/* several, because a stale address on a stack may hide one leak */
	for (i = 0; i < 8; i++)
		heap = kmalloc(SIZE, GFP_KERNEL);
	heap = NULL;
}

static unsigned int raced;

static void count_up(struct work_struct *unused)
{
	unsigned int i;

	for (i = 0; i < 1000000; i++) {
		raced++;
		barrier();
	}
}

static DECLARE_WORK(counting, count_up);

static void racing(void)
{
	queue_work(system_unbound_wq, &counting);
	count_up(NULL);
	flush_work(&counting);
}

static void none(void)
{
	heap = kzalloc(SIZE, GFP_KERNEL);
	from_timer_do(touch_start);
	kfree(heap);
	heap = NULL;
	mutex_lock(&lock_a);
	mutex_lock(&lock_b);
	mutex_unlock(&lock_b);
	mutex_unlock(&lock_a);
	rcu_read_lock();
	WARN_ON_ONCE(rcu_dereference(published));
	rcu_read_unlock();
	from_timer_do(lock_and_unlock);
}

static const struct {
	const char *name;
	void (*commit)(void);
} bugs[] = {
	{ "none", none },
	{ "suspicious_rcu", suspicious_rcu },
	{ "preemptible_cpu", preemptible_cpu },
	{ "sleep_in_atomic", sleep_in_atomic },
	{ "abba", abba },
	{ "lock_in_timer", lock_in_timer },
	{ "freed_timer", freed_timer },
	{ "freed_work", freed_work },
	{ "rcu_called_twice", rcu_called_twice },
	{ "shift_too_far", shift_too_far },
	{ "index_too_far", index_too_far },
	{ "list_deleted_twice", list_deleted_twice },
	{ "leak", leak },
	{ "racing", racing },
	{ "timer_out_of_bounds", timer_out_of_bounds },
	{ "timer_use_after_free", timer_use_after_free },
	{ "timer_stack_out_of_bounds", timer_stack_out_of_bounds },
	{ "vmalloc_out_of_bounds", vmalloc_out_of_bounds },
};

static int __init buggy_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bugs); i++) {
		if (!strcmp(bugs[i].name, bug)) {
			bugs[i].commit();
			return 0;
		}
	}
	return -EINVAL;
}

static void __exit buggy_exit(void)
{
}

module_init(buggy_init);
module_exit(buggy_exit);
MODULE_DESCRIPTION("has the bugs that a debug kernel must complain about");
MODULE_LICENSE("GPL");
