// SPDX-License-Identifier: GPL-2.0
/*
 * Searching of names: see search.h.
 */
#include "view/terminal/search.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree_order.h"

/* Flags of a node. */
#define HIT	1
#define BELOW	2		/* there is a hit below it */

static bool has_capital(const char *text)
{
	while (*text && !isupper((unsigned char)*text))
		text++;
	return *text;
}

int search_for(struct search *search, const char *text, struct error *error)
{
	int flags = REG_EXTENDED | REG_NOSUB |
		    (has_capital(text) ? 0 : REG_ICASE);
	char why[128];
	regex_t regex;
	int failed;

	if (strlen(text) > SEARCH_TEXT_MAX)
		return error_set(error, -EINVAL, "%.40s...: at most %d bytes",
				 text, SEARCH_TEXT_MAX);
	failed = *text ? regcomp(&regex, text, flags) : 0;
	if (failed) {
		regerror(failed, &regex, why, sizeof(why));
		return error_set(error, -EINVAL, "/%s: %s", text, why);
	}
	search_deinit(search);
	strcpy(search->text, text);
	search->has_regex = *text;
	if (*text)
		search->regex = regex;
	return 0;
}

int search_for_name(struct search *search, const char *name)
{
	char *copy = strdup(name);

	if (!copy)
		return -ENOMEM;
	search_deinit(search);
	search->name = copy;
	return 0;
}

void search_deinit(struct search *search)
{
	if (search->has_regex)
		regfree(&search->regex);
	free(search->name);
	free(search->hits);
	memset(search, 0, sizeof(*search));
}

bool search_is_any(const struct search *search)
{
	return search->has_regex || search->name;
}

bool search_matches(const struct search *search, const char *name)
{
	if (search->name)
		return !strcmp(search->name, name);
	return search->has_regex && !regexec(&search->regex, name, 0, NULL, 0);
}

/* ---- in a tree ---- */

enum { UNKNOWN, NO, YES };

int search_tree(struct search *search, const struct tree *tree)
{
	uint32_t *names = calloc(tree->nr_nodes, sizeof(*names)), nr_names;
	uint8_t *hits = calloc(tree->nr_nodes, 1), *known = NULL;

	if (names && hits) {
		nr_names = tree_number_names(tree, names);
		known = calloc(nr_names, 1);
	}
	if (!known) {
		free(names);
		free(hits);
		return -ENOMEM;
	}
	for (uint32_t i = 1; i < tree->nr_nodes; i++) {
		uint8_t *is = &known[names[i]];

		if (*is == UNKNOWN)
			*is = search_matches(search, tree->nodes[i].name) ?
			      YES : NO;
		hits[i] = *is == YES ? HIT : 0;
	}
	/* a parent's number is lower than its children's */
	for (uint32_t i = tree->nr_nodes; i-- > 1;)
		if (hits[i])
			hits[tree->nodes[i].parent] |= BELOW;
	free(names);
	free(known);
	free(search->hits);
	search->hits = hits;
	return 0;
}

/* The state of one search. */
struct walk {
	const struct search *search;
	const struct tree *tree;
	uint32_t root;
	struct tree_order order;
};

/* Find the first or last child of @node that is or leads to a hit, or 0. */
static int end_child(struct walk *walk, uint32_t node, bool first,
		     uint32_t *child)
{
	const uint8_t *hits = walk->search->hits;
	int err = tree_order_children(&walk->order, walk->tree, node);
	uint32_t nr = walk->order.nr;

	*child = 0;
	for (uint32_t i = 0; i < nr && !err && !*child; i++) {
		uint32_t at = walk->order.nodes[first ? i : nr - 1 - i];

		if (hits[at])
			*child = at;
	}
	return err;
}

/*
 * Find the next or previous sibling of @node that is or leads to a hit, or 0.
 */
static int beside(struct walk *walk, uint32_t node, bool next,
		  uint32_t *sibling)
{
	const uint8_t *hits = walk->search->hits;
	int err = tree_order_children(&walk->order, walk->tree,
				      walk->tree->nodes[node].parent);
	uint32_t i = 0, nr = walk->order.nr;

	*sibling = 0;
	if (err)
		return err;
	while (i < nr && walk->order.nodes[i] != node)
		i++;
	for (i += next ? 1 : -1U; i < nr && !*sibling; i += next ? 1 : -1U)
		if (hits[walk->order.nodes[i]])
			*sibling = walk->order.nodes[i];
	return 0;
}

/* Find the first hit below @node, in the order of rows; there must be one. */
static int first_below(struct walk *walk, uint32_t node, uint32_t *found)
{
	int err = 0;

	do
		err = end_child(walk, node, true, &node);
	while (!err && !(walk->search->hits[node] & HIT));
	*found = node;
	return err;
}

/* Find the last hit among @node and all below it; there must be one. */
static int last_of(struct walk *walk, uint32_t node, uint32_t *found)
{
	int err = 0;

	while (!err && walk->search->hits[node] & BELOW)
		err = end_child(walk, node, false, &node);
	*found = node;
	return err;
}

static int go_forward(struct walk *walk, uint32_t at, uint32_t *found)
{
	const uint8_t *hits = walk->search->hits;
	uint32_t next;
	int err = 0;

	if (hits[at] & BELOW)
		return first_below(walk, at, found);
	for (; at != walk->root && !err; at = walk->tree->nodes[at].parent) {
		err = beside(walk, at, true, &next);
		if (!err && next && hits[next] & HIT)
			*found = next;
		else if (!err && next)
			return first_below(walk, next, found);
		if (*found)
			break;
	}
	return err;
}

static int go_back(struct walk *walk, uint32_t at, uint32_t *found)
{
	const uint8_t *hits = walk->search->hits;
	uint32_t before;
	int err = 0;

	while (at != walk->root && !err && !*found) {
		err = beside(walk, at, false, &before);
		if (!err && before)
			return last_of(walk, before, found);
		at = walk->tree->nodes[at].parent;
		if (at && hits[at] & HIT)
			*found = at;
	}
	return err;
}

int search_tree_next(const struct search *search, const struct tree *tree,
		     uint32_t root, uint32_t from, bool forward,
		     uint32_t *found)
{
	struct walk walk = { .search = search, .tree = tree, .root = root };
	bool is_hit = root && search->hits[root] & HIT;
	int err;

	*found = 0;
	if (!is_hit && !(search->hits[root] & BELOW))
		return 0;
	err = forward ? go_forward(&walk, from, found) :
			go_back(&walk, from, found);
	/* wrap around */
	if (!err && !*found && !forward)
		err = last_of(&walk, root, found);
	else if (!err && !*found && is_hit)
		*found = root;
	else if (!err && !*found)
		err = first_below(&walk, root, found);
	tree_order_deinit(&walk.order);
	return err;
}

void search_tree_sum(const struct search *search, const struct tree *tree,
		     uint32_t root, uint32_t *nr, uint64_t *weight)
{
	const struct tree_node *nodes = tree->nodes;
	uint32_t at = root;
	bool down = true;

	*nr = 0;
	*weight = 0;
	/*
	 * depth first; hits below a hit are counted, but their weight is
	 * included
	 */
	for (uint32_t heavy = 0;;) {
		if (down && at && search->hits[at] & HIT) {
			++*nr;
			if (!heavy) {
				heavy = at;
				*weight = tree_weight_add(*weight,
							  nodes[at].total);
			}
		}
		if (down && search->hits[at] & BELOW) {
			at = nodes[at].child;
			continue;
		}
		if (heavy == at)
			heavy = 0;
		if (at == root)
			return;
		down = nodes[at].sibling;
		at = down ? nodes[at].sibling : nodes[at].parent;
	}
}
