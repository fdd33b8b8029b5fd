// SPDX-License-Identifier: GPL-2.0
/*
 * Access to a session's state: its lock, its CPUs and their books, the aggregate of
 * the current epoch and the memory that all of it uses. See session.h; books.h
 * explains the books, which count what became of each timer period.
 */
#include <linux/cpu.h>
#include <linux/ktime.h>

#include "session.h"

/**
 * fm_session_lock() - prevent changes to the session and to online CPUs.
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
 * fm_session_unlock() - undo fm_session_lock().
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
 * fm_session_runs() - check whether sampling runs.
 * @session: not locked
 *
 * Context: Process context, may sleep.
 * Return: true if it did just now.
 */
bool fm_session_runs(struct fm_session *session)
{
	bool runs;

	fm_session_lock(session);
	runs = session->state == FLAMEMOD_STATE_RUNNING;
	fm_session_unlock(session);
	return runs;
}

/**
 * fm_session_watch() - register probes of tracepoints from a start to the next stop.
 * @session: not locked; sampling may just have started or ended
 *
 * Registering patches the kernel's text, which interrupts all CPUs. So it happens here
 * alone, except that a process may also be followed while nothing is sampled.
 *
 * A stop that an owner's closed socket causes is always followed by
 * fm_session_undo_work(), which calls this.
 *
 * Context: Process context, may sleep.
 */
void fm_session_watch(struct fm_session *session)
{
	if (session->watch_idle)
		session->watch_idle(session);
	if (session->watch_follow)
		session->watch_follow(session);
}

/**
 * fm_session_next_cpu() - iterate over the CPUs that have tables.
 * @session: locked, or not visible to anybody else
 * @previous: the previous CPU, NULL to start
 *
 * Context: Process context.
 * Return: the next CPU's sampler, or NULL after the last.
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
 * fm_session_books() - compute a CPU's books since the last reset, at its last swap.
 * @c: the CPU's sampler
 *
 * Context: Under the session's lock.
 * Return: the books. They balance, and over all CPUs they sum to what the
 * aggregate holds.
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
 * fm_session_take_spare() - take the reserve aggregate, for the next epoch.
 * @session: locked
 *
 * Its memory is withheld from the limit, for the reserve that will replace it.
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
 * fm_session_refill() - allocate the reserve aggregate, for the next epoch.
 * @session: locked
 *
 * A reset must work even when the profile is full. Only the memory that was
 * withheld for the reserve is available then.
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
 * fm_session_forget() - start a new epoch, as of the last drain.
 * @session: locked, just drained, with a spare aggregate
 *
 * See fm_kept_end_epoch() for those who still want the old one.
 *
 * Context: Process context, may sleep.
 */
void fm_session_forget(struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	fm_aggregate_put(session->aggregate);
	session->aggregate = fm_session_take_spare(session);
	session->epoch++;
	memset(session->sides, 0, sizeof(session->sides));
	session->since_ns = ktime_get_ns();
	while ((c = fm_session_next_cpu(session, c))) {
		struct fm_books books = fm_session_books(c);

		fm_books_add(&c->base, &books);
		c->base_sampled_ns = fm_sampler_sampled_ns(c, c->swapped_ns);
		c->base_expected = fm_ticks_passed(&c->ticks, c->base_sampled_ns);
		c->base_overdue = c->swapped_overdue;
	}
}
