/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a report shows stacks, in our words or in those of perf report -g.
 */
#ifndef FLAMECTL_CALL_GRAPH_H
#define FLAMECTL_CALL_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct call_graph {
	bool folded;			/* a line for each stack, else a tree */
	bool callers;			/* from each function to its callers */
	bool by_count;			/* samples, not periods */
	bool has_threshold;
	uint32_t threshold_ppm;
};

/**
 * call_graph_parse() - parse "tree", "folded", or what perf has,
 * "graph,0.5,caller", "folded,0,caller,count".
 *
 * Return: 0, or -EINVAL with @error naming the word and what to type instead.
 */
int call_graph_parse(struct call_graph *graph, const char *text,
		     struct error *error);

#endif /* FLAMECTL_CALL_GRAPH_H */
