// SPDX-License-Identifier: GPL-2.0
/*
 * Grouping of flamectl top's rows: see top_by.h.
 */
#include "view/terminal/top_by.h"

#include <stdio.h>
#include <string.h>

unsigned int top_by_all(struct fold_options bys[TOP_BYS_MAX])
{
	static const enum fold_level levels[] = {
		FOLD_COMM, FOLD_CPU, FOLD_CONTEXT, FOLD_PID, FOLD_MODULE,
	};
	unsigned int nr = 0;

	bys[nr++] = (struct fold_options) { .nr_by = 0 };
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		bys[nr++] = (struct fold_options) {
			.by = { levels[i] }, .nr_by = 1,
		};
	return nr;
}

int top_by_parse(const char *text, struct fold_options *by,
		 struct error *error)
{
	int err = fold_options_by(by, text, error);

	if (!err && by->nr_by == 1 && by->by[0] == FOLD_FUNCTION)
		by->nr_by = 0;
	return err;
}

bool top_by_same(const struct fold_options *a, const struct fold_options *b)
{
	return a->nr_by == b->nr_by &&
	       !memcmp(a->by, b->by, a->nr_by * sizeof(a->by[0]));
}

const char *top_by_text(char text[TOP_BY_TEXT], const struct fold_options *by)
{
	size_t used = 0;

	if (!by->nr_by) {
		strcpy(text, fold_level_name(FOLD_FUNCTION));
		return text;
	}
	for (unsigned int i = 0; i < by->nr_by && used < TOP_BY_TEXT; i++)
		used += (size_t)snprintf(text + used, TOP_BY_TEXT - used, "%s%s",
					 i ? "," : "",
					 fold_level_name(by->by[i]));
	return text;
}

bool top_by_is_group(const struct fold_options *by, const struct tree *tree,
		     uint32_t node)
{
	bool is_lost = tree->nodes[node].kind == TREE_LOST;
	unsigned int depth = 0;

	while (node && depth <= by->nr_by) {
		node = tree->nodes[node].parent;
		depth++;
	}
	return is_lost ? depth <= by->nr_by : depth == by->nr_by && !node;
}

unsigned int top_by_nodes(const struct tree *tree, uint32_t group,
			  uint32_t nodes[FOLD_LEVEL_MAX])
{
	unsigned int nr = 0, i;

	for (uint32_t at = group; at; at = tree->nodes[at].parent)
		nr++;
	for (i = nr; i--; group = tree->nodes[group].parent)
		if (i < FOLD_LEVEL_MAX)
			nodes[i] = group;
	return nr < FOLD_LEVEL_MAX ? nr : FOLD_LEVEL_MAX;
}

const char *top_by_group_text(char text[TOP_GROUP_TEXT],
			      const struct tree *tree, uint32_t group)
{
	uint32_t nodes[FOLD_LEVEL_MAX];
	unsigned int nr = top_by_nodes(tree, group, nodes);
	size_t used = 0;

	*text = '\0';
	for (unsigned int i = 0; i < nr && used < TOP_GROUP_TEXT; i++)
		used += (size_t)snprintf(text + used, TOP_GROUP_TEXT - used,
					 "%s%s", i ? "  " : "",
					 tree->nodes[nodes[i]].name);
	return text;
}
