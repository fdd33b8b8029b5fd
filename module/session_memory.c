// SPDX-License-Identifier: GPL-2.0
/*
 * How much memory a session uses, and may use: for samples, names, readers, user stacks
 * and events.
 */
#include <linux/cpumask.h>

#include "events.h"
#include "session.h"

/**
 * fm_session_memory() - compute the memory used for samples, names and readers.
 * @session: locked
 *
 * Context: Process context.
 * Return: bytes.
 */
size_t fm_session_memory(struct fm_session *session)
{
	size_t bytes = fm_memory_used(&session->memory) +
		       fm_memory_used(&session->readers);
	struct fm_events *events = NULL;
	struct fm_cpu *c = NULL;

	if (session->objects)
		bytes += fm_objects_bytes(session->objects);
	while ((events = fm_events_next(session, events)))
		bytes += fm_events_memory(events);
	while ((c = fm_session_next_cpu(session, c)))
		bytes += fm_session_cpu_bytes(session, c->maps);
	return bytes;
}

/**
 * fm_session_memory_limit() - compute the limit of fm_session_memory().
 * @session: locked
 *
 * Context: Process context.
 * Return: bytes.
 */
size_t fm_session_memory_limit(struct fm_session *session)
{
	bool user = session->objects || session->settings->user_stacks;
	size_t bytes = session->limits.aggregate_bytes;
	struct fm_events *events = NULL;
	unsigned int i;

	/* An online CPU may be sampled later; an offline one keeps the tables it has. */
	for_each_possible_cpu(i)
		if (cpu_online(i) || session->cpus[i]->has_tables)
			bytes += fm_session_cpu_bytes(session, user);
	if (user)
		bytes += FM_OBJECTS_BYTES + session->limits.rows_bytes;
	while ((events = fm_events_next(session, events)))
		bytes += fm_events_memory_limit(events);
	return bytes;
}
