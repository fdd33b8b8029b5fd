/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a report shows stacks: parsing of our words, or of those of perf report
 * -g.
 */
#ifndef FLAMECTL_CALL_GRAPH_H
#define FLAMECTL_CALL_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct call_graph {
	bool folded;			/* a line per stack, else a tree */
	bool callers;			/* from functions to callers */
	bool by_count;			/* count samples, not periods */
	bool has_threshold;
	uint32_t threshold_ppm;
};

/**
 * call_graph_parse() - parse "tree" or "folded", or perf's words, such as
 * "graph,0.5,caller" or "folded,0,caller,count".
 *
 * Return: 0, or -EINVAL with @error naming the word and what to type instead.
 */
int call_graph_parse(struct call_graph *graph, const char *text,
		     struct error *error);

#endif /* FLAMECTL_CALL_GRAPH_H */
