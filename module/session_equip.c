// SPDX-License-Identifier: GPL-2.0
/*
 * Allocates the memory of a session's CPUs: tables, and room for learned steps.
 *
 * This happens when a CPU is first sampled, so that a module which is loaded but
 * does not sample uses no memory for tables. A CPU keeps its memory, and its books
 * (see books.h), until unload.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/topology.h>

#include "isolated.h"
#include "session.h"

/* At most a quarter of a CPU's memory is for learned steps. */
#define FM_STEPS_SHARE		4

/* Return: how many bytes of a CPU's memory are for learned steps. */
static size_t fm_session_steps_bytes(const struct fm_session *session)
{
	if (!fm_stack_learns(session->limits.take_stack))
		return 0;
	return fm_learned_fit(session->limits.cpu_bytes / FM_STEPS_SHARE);
}

/**
 * fm_session_find_isolated() - find the isolated CPUs anew, unless sampling runs.
 * @session: locked
 *
 * Context: Process context.
 */
void fm_session_find_isolated(struct fm_session *session)
{
	if (session->state != FLAMEMOD_STATE_RUNNING)
		fm_isolated_find(&session->isolated);
}

/**
 * fm_session_samples() - check whether settings select a CPU.
 * @session: locked
 * @settings: the settings, maybe not the session's own
 * @cpu: the CPU
 *
 * Context: Process context.
 * Return: true when they do.
 */
bool fm_session_samples(const struct fm_session *session,
			const struct fm_settings *settings, unsigned int cpu)
{
	if (settings->usual_cpus)
		return !cpumask_test_cpu(cpu, &session->isolated);
	return cpumask_test_cpu(cpu, &settings->cpus);
}

/**
 * fm_session_nr_sampled() - count the online CPUs that the settings select.
 * @session: locked, or not visible to anybody else
 *
 * Context: Process context.
 * Return: how many.
 */
unsigned int fm_session_nr_sampled(const struct fm_session *session)
{
	unsigned int cpu, nr = 0;

	for_each_online_cpu(cpu)
		nr += fm_session_samples(session, session->settings, cpu);
	return nr;
}

/* Allocate a CPU's tables. Return: 0, or -ENOMEM with nothing allocated. */
static int fm_session_equip_tables(struct fm_session *session, struct fm_cpu *c,
				   unsigned int cpu)
{
	size_t steps_bytes = fm_session_steps_bytes(session);

	if (fm_learned_init(&c->learned, steps_bytes, cpu_to_node(cpu)) ||
	    fm_sampler_init(c, cpu, session->limits.cpu_bytes - steps_bytes,
			    session->ask_drain)) {
		fm_sampler_deinit(c);
		return -ENOMEM;
	}
	fm_sampler_set_period(c, session->period_ns);
	return 0;
}

/**
 * fm_session_equip_objects() - allocate what all CPUs' user stacks share, unless it exists.
 * @session: locked, or in a hotplug callback with session->lock held
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_session_equip_objects(struct fm_session *session)
{
	if (!session->objects)
		session->objects = fm_objects_create(session->limits.rows_bytes,
						     session->limits.user_any_fs);
	return session->objects ? 0 : -ENOMEM;
}

/*
 * Allocate what user stacks need: what all CPUs share when the first one takes them, and
 * the CPU's own. Return: 0, or -ENOMEM with nothing allocated for the CPU.
 */
static int fm_session_equip_user(struct fm_session *session, struct fm_cpu *c)
{
	if (c->maps)
		return 0;
	if (fm_session_equip_objects(session))
		return -ENOMEM;
	return fm_sampler_init_user(c, session->objects, session->limits.user_bytes);
}

/**
 * fm_session_equip() - allocate the memory that a CPU needs to be sampled.
 * @session: locked, or in a hotplug callback with session->lock held
 * @settings: the settings that it will be sampled with
 * @cpu: the CPU, not armed; what it has already is not allocated again
 *
 * Context: Process context, may sleep.
 * Return: 0, or -ENOMEM with nothing newly allocated for the CPU.
 */
int fm_session_equip(struct fm_session *session, const struct fm_settings *settings,
		     unsigned int cpu)
{
	struct fm_cpu *c = session->cpus[cpu];
	bool had_tables = c->has_tables;

	if (!had_tables && fm_session_equip_tables(session, c, cpu))
		return -ENOMEM;
	if (!settings->user_stacks || !fm_session_equip_user(session, c))
		return 0;
	if (!had_tables)
		fm_sampler_deinit(c);
	return -ENOMEM;
}

/* Free the memory of CPUs that were never armed, after a start that failed. */
static void fm_session_unequip(struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	while ((c = fm_session_next_cpu(session, c)))
		if (!c->since_ns)
			fm_sampler_deinit(c);
}

/**
 * fm_session_equip_all() - allocate memory for all online CPUs that will be sampled.
 * @session: stopped, locked
 * @settings: the settings that select them
 *
 * Context: Process context, may sleep.
 * Return: 0, or -ENOMEM; then only CPUs that were sampled before have memory, maybe
 * more than before.
 */
int fm_session_equip_all(struct fm_session *session,
			 const struct fm_settings *settings)
{
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		if (!fm_session_samples(session, settings, cpu) ||
		    !fm_session_equip(session, settings, cpu))
			continue;
		fm_session_unequip(session);
		return -ENOMEM;
	}
	return 0;
}
