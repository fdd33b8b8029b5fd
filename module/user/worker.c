// SPDX-License-Identifier: GPL-2.0
/*
 * The worker of user stacks: answers the timers' requests for rows (object.h), and walks
 * their copies (copies.h). It is created, and ends, with the objects.
 */
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "../compat/compat.h"
#include "fetch.h"
#include "walk.h"

/**
 * fm_copies_walk() - walk a CPU's copies that are not walked yet.
 * @objects: the objects
 * @copies: the CPU's copies
 *
 * Context: Process context, may sleep, in the worker.
 */
void fm_copies_walk(struct fm_objects *objects, struct fm_copies *copies)
{
	/* Pairs with fm_copies_take(): the copy is complete. Later ones have another turn. */
	u32 next = smp_load_acquire(&copies->next), number;

	for (number = copies->walked; number != next; number++) {
		struct fm_copy *copy = fm_copies_slot(copies, number);
		struct fm_result *result = fm_copies_place(copies, number);

		/* Pairs with fm_copies_list(), which asks for another look. */
		if (smp_load_acquire(&copy->mappings.mm))
			return;
		result->nr_frames = 0;
		if (READ_ONCE(result->state) == FM_RESULT_AWAITED &&
		    !READ_ONCE(objects->stopping))
			fm_user_walk_copy(objects, copy, result);
		/* The rows are known now, but something else may have been mapped there. */
		if (copy->mappings.is_other)
			result->nr_frames = 0;
		fm_copy_wipe(copy);
		/* Pairs with fm_copies_result(): the result is complete. */
		if (cmpxchg(&result->state, FM_RESULT_AWAITED, FM_RESULT_DONE) ==
		    FM_RESULT_LEFT)
			/* Pairs with fm_copies_take(): nobody uses it any more. */
			smp_store_release(&result->state, FM_RESULT_FREE);
		/* Pairs with fm_copies_take() and fm_copies_wait(). */
		smp_store_release(&copies->walked, number + 1);
		wake_up(&copies->wait);
	}
}

/**
 * fm_copies_list() - list the mappings of a CPU's copies that the timer could not list.
 * @objects: the objects
 * @copies: the CPU's slots
 *
 * Context: Process context, may sleep, in the worker that lists.
 */
void fm_copies_list(struct fm_objects *objects, struct fm_copies *copies)
{
	/* Pairs with fm_copies_take(). */
	u32 next = smp_load_acquire(&copies->next);

	while (copies->listed != next) {
		struct fm_copy *copy = fm_copies_slot(copies, copies->listed++);
		/* Pairs with fm_mappings_want(): a slot that was used again may be next. */
		struct mm_struct *mm = smp_load_acquire(&copy->mappings.mm);

		if (!mm)
			continue;
		if (!READ_ONCE(objects->stopping))
			fm_mappings_list_wanted(objects, &copy->mappings, copy->runner);
		/* Pairs with fm_copies_walk(): the list is complete. */
		smp_store_release(&copy->mappings.mm, NULL);
		mmdrop(mm);
	}
}

/* Do something with all copies of a CPU. */
static void fm_objects_each_copies(struct fm_objects *objects, unsigned int cpu,
				   void (*function)(struct fm_objects *objects,
						    struct fm_copies *copies))
{
	struct fm_requests *requests = per_cpu_ptr(objects->requests, cpu);
	unsigned int i;

	for (i = 0; i < FM_TAKERS; i++) {
		/* Pairs with fm_objects_copies(). */
		struct fm_copies *copies = smp_load_acquire(&requests->copies[i]);

		if (copies)
			function(objects, copies);
	}
}

/*
 * List mappings while their processes are there. Files are not waited for, so that this
 * is done soon. Process context, may sleep; one run at a time.
 */
static void fm_objects_list_work(struct work_struct *work)
{
	struct fm_objects *objects = container_of(work, struct fm_objects, list_work);
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		fm_objects_each_copies(objects, cpu, fm_copies_list);
	queue_work(system_unbound_wq, &objects->work);
}

/*
 * Find the file of a request that has none, for the user who asks. His process may keep its
 * mappings locked, and this tries for a while, so that is paid for.
 * Return: whether it was found.
 */
static bool fm_objects_open(struct fm_objects *objects, struct fm_request *request)
{
	u64 began_ns = ktime_get_ns();

	if (fm_budget_is_spent(&objects->budgets, request->runner.budget, began_ns))
		return false;
	if (fm_mappings_open(objects, request)) {
		/* It is paid for with the answer. */
		request->began_ns = began_ns;
		return true;
	}
	fm_objects_rest(fm_budget_pay(&objects->budgets, request->runner.budget, began_ns,
				      ktime_get_ns(), 0));
	return false;
}

/* Answer a request, or only drop it at the end. */
static void fm_objects_do(struct fm_objects *objects, struct fm_request *request)
{
	bool is_open = !READ_ONCE(objects->stopping);

	if (request->mm) {
		is_open = is_open && fm_objects_open(objects, request);
		mmdrop(request->mm);
		/* It may be answered once more, after a fetch. */
		request->mm = NULL;
	}
	if (is_open)
		fm_object_answer(objects, request);
	else
		fm_object_drop(request);
}

/*
 * Answer those requests of a CPU that wait now. A process there may ask faster than they are
 * answered, so later ones wait until the other CPUs had their turn: what is requested while
 * the work runs lets it run once more.
 */
static void fm_objects_answer(struct fm_objects *objects, struct fm_requests *requests)
{
	/* Pairs with fm_objects_request(). */
	u32 head = smp_load_acquire(&requests->head);

	while (requests->tail != head) {
		struct fm_request request = requests->ring[requests->tail % FM_REQUESTS];

		/* Pairs with fm_objects_request(): the slot may be used again. */
		smp_store_release(&requests->tail, requests->tail + 1);
		fm_objects_do(objects, &request);
	}
}

/* Answer the CPUs' requests. Process context, may sleep; one run at a time. */
static void fm_objects_work(struct work_struct *work)
{
	struct fm_objects *objects = container_of(work, struct fm_objects, work);
	struct fm_request fetched;
	unsigned int cpu;

	while (fm_fetch_take(objects, &fetched))
		fm_objects_do(objects, &fetched);
	for_each_possible_cpu(cpu) {
		fm_objects_answer(objects, per_cpu_ptr(objects->requests, cpu));
		fm_objects_each_copies(objects, cpu, fm_copies_walk);
	}
}

static void fm_objects_wake(struct irq_work *work)
{
	struct fm_requests *requests = container_of(work, struct fm_requests, wake);

	/* Of no CPU, because reading files may take long. */
	queue_work(system_unbound_wq, &requests->objects->list_work);
}

/**
 * fm_objects_copies() - allocate the memory for a CPU's copies, unless it exists.
 * @objects: the objects, which free them when they are destroyed
 * @cpu: the CPU
 * @taker: who will use them
 *
 * Context: Process context, may sleep. The caller serialises.
 * Return: the copies, or NULL when memory is short.
 */
struct fm_copies *fm_objects_copies(struct fm_objects *objects, unsigned int cpu,
				    enum fm_taker taker)
{
	struct fm_requests *requests = per_cpu_ptr(objects->requests, cpu);
	struct fm_copies *copies = requests->copies[taker];

	if (copies)
		return copies;
	copies = fm_copies_create(cpu_to_node(cpu));
	/* Pairs with fm_objects_work(): they are all zero. */
	smp_store_release(&requests->copies[taker], copies);
	return copies;
}

/**
 * fm_objects_create() - create an empty set of objects.
 * @max_bytes: the most memory for rows and for data kept about files
 * @any_fs: read files of FUSE and network file systems, too
 *
 * Context: Process context, may sleep. CPUs may be kept from coming and going, so this
 * creates no workqueue: that would keep them once more.
 * Return: the objects, or NULL when memory is short.
 */
struct fm_objects *fm_objects_create(size_t max_bytes, bool any_fs)
{
	struct fm_objects *objects = kvzalloc(sizeof(*objects), GFP_KERNEL);
	unsigned int cpu;

	if (!objects)
		return NULL;
	INIT_WORK(&objects->work, fm_objects_work);
	fm_fetches_init(objects);
	INIT_WORK(&objects->list_work, fm_objects_list_work);
	INIT_LIST_HEAD(&objects->lru);
	objects->max_bytes = max_bytes;
	objects->any_fs = any_fs;
	objects->secret = get_random_u32();
	objects->machine = fm_machine();
	fm_budgets_init(&objects->budgets, ktime_get_ns());
	objects->list = kvcalloc(FM_OBJECTS_MAX, sizeof(*objects->list), GFP_KERNEL);
	objects->rows = kvcalloc(FM_CHUNK_ROWS, sizeof(*objects->rows), GFP_KERNEL);
	objects->buffer = kvmalloc(sizeof(*objects->buffer), GFP_KERNEL);
	objects->requests = alloc_percpu(struct fm_requests);
	if (!objects->list || !objects->rows || !objects->buffer ||
	    !objects->requests) {
		fm_objects_destroy(objects);
		return NULL;
	}
	for_each_possible_cpu(cpu) {
		struct fm_requests *requests = per_cpu_ptr(objects->requests, cpu);

		requests->objects = objects;
		/*
		 * It does not wait for a thread on PREEMPT_RT: processes may end meanwhile.
		 * queue_work() takes raw spinlocks only.
		 */
		fm_compat_init_hard_irq_work(&requests->wake, fm_objects_wake);
	}
	return objects;
}

/**
 * fm_objects_destroy() - free all objects.
 * @objects: the objects; no timer uses them any more
 *
 * Context: Process context, may sleep until the worker has read its last file, and servers
 * have answered.
 */
void fm_objects_destroy(struct fm_objects *objects)
{
	unsigned int cpu;
	u32 i;

	WRITE_ONCE(objects->stopping, true);
	if (objects->requests) {
		for_each_possible_cpu(cpu)
			irq_work_sync(&per_cpu_ptr(objects->requests, cpu)->wake);
		flush_work(&objects->list_work);
		flush_work(&objects->work);
		fm_fetches_wait(objects);
		/* Drop what they fetched. */
		flush_work(&objects->work);
	}
	fm_objects_free_chunks(objects);
	for (i = 0; objects->list && i < fm_objects_nr(objects); i++) {
		struct fm_object *object = &objects->list[i];

		kvfree(object->chunks);
		kvfree(object->file ? object->file->index : NULL);
		kfree(object->file);
	}
	for_each_possible_cpu(cpu)
		for (i = 0; objects->requests && i < FM_TAKERS; i++)
			fm_copies_destroy(per_cpu_ptr(objects->requests, cpu)->copies[i]);
	free_percpu(objects->requests);
	kvfree(objects->buffer);
	kvfree(objects->rows);
	kvfree(objects->list);
	kvfree(objects);
}
