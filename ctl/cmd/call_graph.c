// SPDX-License-Identifier: GPL-2.0
/*
 * Parsing of perf report's -g: see call_graph.h. Its words come in any order: a
 * type, the smallest share to show, the maximal number of entries, an order, a
 * key, a value.
 */
#include "cmd/call_graph.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/percent.h"

enum word {
	WORD_TREE, WORD_FOLDED, WORD_CALLER, WORD_CALLEE, WORD_COUNT,
	WORD_PERIOD, WORD_PERCENT, WORD_FUNCTION, WORD_REFUSED,
};

static const struct {
	const char *text;
	enum word word;
	const char *instead;		/* what to type instead, if refused */
} words[] = {
	{ "tree", WORD_TREE, NULL },
	{ "graph", WORD_TREE, NULL },
	{ "folded", WORD_FOLDED, NULL },
	{ "caller", WORD_CALLER, NULL },
	{ "callee", WORD_CALLEE, NULL },
	{ "count", WORD_COUNT, NULL },
	{ "period", WORD_PERIOD, NULL },
	{ "percent", WORD_PERCENT, NULL },
	{ "function", WORD_FUNCTION, NULL },
	{ "fractal", WORD_REFUSED, "shares are of the total, not of the caller: use -g graph" },
	{ "flat", WORD_REFUSED, "-g folded prints a line for each stack" },
	{ "none", WORD_REFUSED, "--flat lists functions without stacks" },
	{ "address", WORD_REFUSED, "a profile contains names, never addresses: leave it out" },
	{ "srcline", WORD_REFUSED, "a profile contains functions, not lines: leave it out" },
	{ "branch", WORD_REFUSED, "branches are not sampled: leave it out" },
};

#define NR_WORDS	(sizeof(words) / sizeof(words[0]))

/* What was parsed so far. */
struct parsing {
	struct call_graph *graph;
	unsigned int nr_numbers;
	bool by_percent;
};

static int parse_number(struct parsing *parsing, const char *text,
			struct error *error)
{
	struct call_graph *graph = parsing->graph;
	struct error why;

	if (parsing->nr_numbers++ > 1)
		return error_set(error, -EINVAL, "%.40s: it has one number too many",
				 text);
	if (parsing->nr_numbers == 2) {
		if (!strcmp(text, "0"))
			return 0;
		return error_set(error, -EINVAL, "%.40s: the number of entries cannot be limited: limit the share with --threshold 1",
				 text);
	}
	if (percent_parse(text, &graph->threshold_ppm, &why))
		return error_set(error, -EINVAL, "%.200s", why.text);
	graph->has_threshold = true;
	return 0;
}

static int parse_word(struct parsing *parsing, const char *text,
		      struct error *error)
{
	struct call_graph *graph = parsing->graph;
	size_t i;

	if (*text >= '0' && *text <= '9')
		return parse_number(parsing, text, error);
	for (i = 0; i < NR_WORDS && strcmp(words[i].text, text); i++)
		continue;
	if (i == NR_WORDS)
		return error_set(error, -EINVAL, "%.40s: give tree or folded; of perf's words, graph, caller, callee, count and period are accepted too",
				 *text ? text : "nothing");
	switch (words[i].word) {
	case WORD_REFUSED:
		return error_set(error, -EINVAL, "%s: %s", text,
				 words[i].instead);
	case WORD_FOLDED:
		graph->folded = true;
		break;
	case WORD_CALLEE:
		graph->callers = true;
		break;
	case WORD_COUNT:
		graph->by_count = true;
		break;
	case WORD_PERCENT:
		parsing->by_percent = true;
		break;
	default:
		break;
	}
	return 0;
}

int call_graph_parse(struct call_graph *graph, const char *text,
		     struct error *error)
{
	struct parsing parsing = { .graph = graph };
	char word[64];
	int err = 0;

	memset(graph, 0, sizeof(*graph));
	for (; !err; text++) {
		size_t length = strcspn(text, ",");

		snprintf(word, sizeof(word), "%.*s", (int)length, text);
		err = parse_word(&parsing, word, error);
		text += length;
		if (!*text)
			break;
	}
	if (err || !graph->folded)
		return err;
	if (graph->threshold_ppm)
		return error_set(error, -EINVAL, "folded prints all stacks: write 0 in place of a share, or leave it out");
	if (parsing.by_percent)
		return error_set(error, -EINVAL, "percent: folded has weights: count or period");
	graph->has_threshold = false;
	return 0;
}
