// SPDX-License-Identifier: GPL-2.0
/*
 * A sampling session: see session.h.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/netlink.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "drain.h"
#include "follow.h"
#include "session.h"

/* How long a fire that is due when it is to be stopped is waited for: 0.1 s. */
#define FM_DISARM_WAITS		200
#define FM_DISARM_WAIT_US	500

/*
 * A third is kept for readers, so that whatever is held can be read: a record
 * takes 48 bytes and one to two 4-byte buckets, its copy 24. Were all of the
 * other two thirds records, their copies would take 24/52 of them: 31 %.
 */
#define FM_READERS_SHARE	3

/**
 * fm_session_create() - a stopped session with nothing in it.
 * @limits: memory and the way stacks are taken
 * @hz: samples per second and CPU, 1..FLAMEMOD_HZ_MAX
 * @max_depth: frames kept of a stack, 1..FLAMEMOD_MAX_DEPTH_MAX
 *
 * Context: Process context, may sleep.
 * Return: the session, or NULL when memory is short.
 */
struct fm_session *fm_session_create(const struct fm_limits *limits, u32 hz,
				     u32 max_depth)
{
	size_t readers = limits->aggregate_bytes / FM_READERS_SHARE;
	struct fm_session *session;
	unsigned int i;

	session = kzalloc(sizeof(*session), GFP_KERNEL);
	if (!session)
		return NULL;
	mutex_init(&session->lock);
	INIT_DELAYED_WORK(&session->drain_work, fm_drain_work);
	INIT_WORK(&session->undo_work, fm_session_undo_work);
	session->limits = *limits;
	session->period_ns = NSEC_PER_SEC / hz;
	session->epoch = 1;
	session->since_ns = ktime_get_ns();
	fm_memory_init(&session->memory, limits->aggregate_bytes - readers);
	fm_memory_init(&session->readers, readers);
	session->cpus = kcalloc(nr_cpu_ids, sizeof(*session->cpus),
				GFP_KERNEL);
	session->settings = kzalloc(sizeof(*session->settings), GFP_KERNEL);
	session->aggregate = fm_aggregate_create(&session->memory);
	session->spare_bytes = fm_memory_used(&session->memory);
	session->spare = fm_aggregate_create(&session->memory);
	/* A drain that waits behind other work is a full table. */
	session->wq = alloc_workqueue("flamemod", WQ_UNBOUND | WQ_HIGHPRI, 0);
	if (fm_owner_init(&session->owner))
		goto destroy;
	if (!session->cpus || !session->settings || !session->aggregate ||
	    !session->spare || !session->wq || fm_symbols_init(&session->symbols, &session->memory))
		goto destroy;
	session->settings->hz = hz;
	session->settings->max_depth = max_depth;
	session->settings->all_cpus = true;
	for_each_possible_cpu(i) {
		session->cpus[i] = kzalloc_node(sizeof(*session->cpus[i]),
						GFP_KERNEL, cpu_to_node(i));
		if (!session->cpus[i])
			goto destroy;
	}
	return session;

destroy:
	fm_session_destroy(session);
	return NULL;
}

/**
 * fm_session_destroy() - free a session.
 * @session: stopped, and out of reach of readers, hotplug and modules
 *
 * Context: Process context, may sleep.
 */
void fm_session_destroy(struct fm_session *session)
{
	struct fm_cpu *c = NULL;
	unsigned int i;

	/* Timers ask for drains and drains read tables: end them in this order. */
	while ((c = fm_session_next_cpu(session, c)))
		fm_sampler_quiesce(c);
	cancel_work_sync(&session->undo_work);
	cancel_delayed_work_sync(&session->drain_work);
	if (session->wq)
		destroy_workqueue(session->wq);
	for (i = 0; session->cpus && i < nr_cpu_ids; i++) {
		if (session->cpus[i])
			fm_sampler_deinit(session->cpus[i]);
		kfree(session->cpus[i]);
	}
	fm_follow_destroy(session->follow);
	fm_symbols_deinit(&session->symbols);
	if (session->aggregate)
		fm_aggregate_put(session->aggregate);
	if (session->spare)
		fm_aggregate_put(session->spare);
	fm_owner_deinit(&session->owner);
	kfree(session->settings);
	kfree(session->cpus);
	mutex_destroy(&session->lock);
	kfree(session);
}

/**
 * fm_session_lock() - keep CPUs and the session as they are.
 * @session: the session
 *
 * Context: Process context, may sleep.
 */
void fm_session_lock(struct fm_session *session)
{
	cpus_read_lock();
	mutex_lock(&session->lock);
}

/**
 * fm_session_unlock() - the opposite of fm_session_lock().
 * @session: the session
 *
 * Context: Process context.
 */
void fm_session_unlock(struct fm_session *session)
{
	mutex_unlock(&session->lock);
	cpus_read_unlock();
}

/**
 * fm_session_next_cpu() - walk over the CPUs that have tables.
 * @session: locked, or out of reach of others
 * @previous: the CPU before, NULL at first
 *
 * Context: Process context.
 * Return: a CPU's sampler, or NULL behind the last.
 */
struct fm_cpu *fm_session_next_cpu(const struct fm_session *session,
				   const struct fm_cpu *previous)
{
	unsigned int i = previous ? previous->cpu + 1 : 0;

	for (; session->cpus && i < nr_cpu_ids; i++)
		if (session->cpus[i] && session->cpus[i]->has_tables)
			return session->cpus[i];
	return NULL;
}

/**
 * fm_session_arm() - sample a CPU, if the settings say so.
 * @session: running, locked
 * @c: an online CPU's sampler, with tables, not armed
 *
 * Context: Process context, may sleep.
 */
void fm_session_arm(struct fm_session *session, struct fm_cpu *c)
{
	if (!fm_session_samples(session->settings, c->cpu))
		return;
	c->max_depth = session->settings->max_depth;
	fm_session_filter(session, c);
	c->take_stack = session->limits.take_stack;
	c->learns = fm_stack_learns(session->limits.take_stack);
	c->learned.text = &session->symbols.text;
	c->learned.verify = session->limits.verify;
	c->learned.verify_in = session->limits.verify;
	smp_call_function_single(c->cpu, fm_sampler_arm, c, 1);
}

/* Its fire that is due, if there is one, is to be the last. */
static void fm_session_ask_disarm(struct fm_cpu *c)
{
	if (!READ_ONCE(c->armed))
		return;
	c->hurried = false;
	smp_call_function_single(c->cpu, fm_sampler_disarm, c, 1);
}

/* That fire came, or is waited for no longer. */
static void fm_session_end_disarm(struct fm_cpu *c)
{
	if (READ_ONCE(c->armed)) {
		c->hurried = true;
		smp_call_function_single(c->cpu, fm_sampler_disarm, c, 1);
	}
	/* From process context this is the one place that cancels a timer in use. */
	hrtimer_cancel(&c->timer);
}

/**
 * fm_session_disarm() - sample a CPU no more. Its books and tables stay.
 * @session: locked
 * @c: an online CPU's sampler
 *
 * Context: Process context, may sleep; at most 0.2 s, where a fire does not come.
 */
void fm_session_disarm(struct fm_session *session, struct fm_cpu *c)
{
	unsigned int i;

	if (!c->armed)
		return;
	fm_session_ask_disarm(c);
	for (i = 0; READ_ONCE(c->armed) && i < FM_DISARM_WAITS; i++)
		usleep_range(FM_DISARM_WAIT_US, 2 * FM_DISARM_WAIT_US);
	fm_session_end_disarm(c);
}

static bool fm_session_any_armed(struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	while ((c = fm_session_next_cpu(session, c)))
		if (READ_ONCE(c->armed))
			return true;
	return false;
}

/**
 * fm_session_disarm_all() - sample no CPU any more.
 * @session: locked
 *
 * As fm_session_disarm(), but the CPUs are waited for together: however many there
 * are, neither the session nor CPU hotplug is held up for longer than by one.
 *
 * Context: Process context, may sleep; at most 0.2 s, where fires do not come.
 */
void fm_session_disarm_all(struct fm_session *session)
{
	struct fm_cpu *c = NULL;
	unsigned int i;

	while ((c = fm_session_next_cpu(session, c)))
		fm_session_ask_disarm(c);
	for (i = 0; fm_session_any_armed(session) && i < FM_DISARM_WAITS; i++)
		usleep_range(FM_DISARM_WAIT_US, 2 * FM_DISARM_WAIT_US);
	while ((c = fm_session_next_cpu(session, c)))
		fm_session_end_disarm(c);
}

/**
 * fm_session_forget_modules() - modules' text has changed.
 * @session: locked
 *
 * Context: Process context, may sleep.
 */
void fm_session_forget_modules(struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	while ((c = fm_session_next_cpu(session, c)))
		if (c->armed)
			smp_call_function_single(c->cpu,
						 fm_sampler_forget_modules,
						 c, 1);
		else
			fm_sampler_forget_modules(c);
}

/**
 * fm_session_break() - stop for good: an invariant failed.
 * @session: locked
 *
 * Context: Process context, may sleep.
 */
void fm_session_break(struct fm_session *session)
{
	session->state = FLAMEMOD_STATE_BROKEN;
	fm_session_disarm_all(session);
}

/**
 * fm_session_books() - a CPU's books at its last swap, since the last reset.
 * @c: the CPU's sampler
 *
 * Context: Under the session's lock.
 * Return: the books, which balance and sum to what the aggregate holds.
 */
struct fm_books fm_session_books(const struct fm_cpu *c)
{
	struct fm_books books = c->swapped;

	books.stored -= c->refused.stored;
	books.truncated -= c->refused.truncated;
	books.lost[FLAMEMOD_LOST_AGGREGATE_FULL] += c->refused.stored;
	fm_books_subtract(&books, &c->base);
	return books;
}

/**
 * fm_session_take_spare() - the aggregate in reserve for the next epoch.
 * @session: locked
 *
 * Its room is kept for the one that is to follow it.
 *
 * Context: Process context.
 * Return: the aggregate, now the caller's, or NULL.
 */
struct fm_aggregate *fm_session_take_spare(struct fm_session *session)
{
	struct fm_aggregate *spare = session->spare;

	if (spare)
		fm_memory_withhold(&session->memory, session->spare_bytes);
	session->spare = NULL;
	return spare;
}

/**
 * fm_session_refill() - have an aggregate in reserve for the next epoch.
 * @session: locked
 *
 * A reset must work above all when the profile is full, and then there is no
 * room for an aggregate beside it, but that which was kept.
 *
 * Context: Process context, may sleep.
 */
void fm_session_refill(struct fm_session *session)
{
	if (session->spare)
		return;
	fm_memory_grant(&session->memory, session->spare_bytes);
	session->spare = fm_aggregate_create(&session->memory);
	if (!session->spare)
		fm_memory_withhold(&session->memory, session->spare_bytes);
}

/**
 * fm_session_forget() - begin a new epoch, as of the last drain.
 * @session: locked, just drained
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM; nothing has changed on an error.
 */
int fm_session_forget(struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	if (!session->spare)
		return -ENOMEM;
	fm_aggregate_put(session->aggregate);
	session->aggregate = fm_session_take_spare(session);
	session->epoch++;
	session->since_ns = ktime_get_ns();
	while ((c = fm_session_next_cpu(session, c))) {
		struct fm_books books = fm_session_books(c);

		fm_books_add(&c->base, &books);
		c->base_sampled_ns = fm_sampler_sampled_ns(c, c->swapped_ns);
		c->base_expected = fm_ticks_passed(&c->ticks, c->base_sampled_ns);
		c->base_overdue = c->swapped_overdue;
	}
	return 0;
}

/**
 * fm_session_reset() - forget what was sampled; go on sampling if it was.
 * @session: the session
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM; nothing has changed on an error.
 */
int fm_session_reset(struct fm_session *session,
		     struct netlink_ext_ack *extack)
{
	int err;

	fm_session_lock(session);
	fm_drain(session, true);
	err = fm_session_forget(session);
	if (err)
		NL_SET_ERR_MSG(extack,
			       "no memory for a new epoch: readers hold the old ones");
	fm_session_unlock(session);
	return err;
}

/**
 * fm_session_memory() - memory held for samples, names and readers.
 * @session: locked
 *
 * Context: Process context.
 * Return: bytes.
 */
size_t fm_session_memory(struct fm_session *session)
{
	size_t bytes = fm_memory_used(&session->memory) +
		       fm_memory_used(&session->readers);
	struct fm_cpu *c = NULL;

	while ((c = fm_session_next_cpu(session, c)))
		bytes += session->limits.cpu_bytes;
	return bytes;
}

/**
 * fm_session_memory_limit() - the most that fm_session_memory() can say.
 * @session: locked
 *
 * Context: Process context.
 * Return: bytes.
 */
size_t fm_session_memory_limit(struct fm_session *session)
{
	size_t bytes = session->limits.aggregate_bytes;
	unsigned int i;

	/* A CPU that is online may be sampled, and one that went offline keeps its tables. */
	for_each_possible_cpu(i)
		if (cpu_online(i) || session->cpus[i]->has_tables)
			bytes += session->limits.cpu_bytes;
	return bytes;
}
