/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds tracepoints by name, as the kernel does not export most of them.
 */
#ifndef _FLAMEMOD_TRACEPOINTS_H
#define _FLAMEMOD_TRACEPOINTS_H

#include <linux/string.h>
#include <linux/tracepoint.h>

#ifdef CONFIG_TRACEPOINTS
struct fm_tracepoint_search {
	const char *name;
	struct tracepoint *found;
};

static inline void fm_tracepoint_match(struct tracepoint *tracepoint, void *data)
{
	struct fm_tracepoint_search *search = data;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

/**
 * fm_tracepoint_find() - find a tracepoint of the kernel, not of a module.
 * @name: its name
 *
 * Context: Process context, may sleep.
 * Return: the tracepoint, or NULL.
 */
static inline struct tracepoint *fm_tracepoint_find(const char *name)
{
	struct fm_tracepoint_search search = { .name = name };

	for_each_kernel_tracepoint(fm_tracepoint_match, &search);
	return search.found;
}
#endif

#endif /* _FLAMEMOD_TRACEPOINTS_H */
