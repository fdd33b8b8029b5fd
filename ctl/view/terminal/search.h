/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Searching names: by a regular expression, or for one name, and in a tree in
 * the order of its rows, whether they are shown or not.
 */
#ifndef FLAMECTL_SEARCH_H
#define FLAMECTL_SEARCH_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tree/tree.h"

/* The longest expression, in bytes. */
#define SEARCH_TEXT_MAX	128

/* Zeroed, it is for nothing. */
struct search {
	char text[SEARCH_TEXT_MAX + 1];	/* as typed; "" for nothing or one name */
	char *name;			/* the only one that matches, or NULL */
	regex_t regex;
	bool has_regex;
	uint8_t *hits;			/* by node of the tree, or NULL */
};

/**
 * search_for() - an extended regular expression, in any case unless it has a
 * capital letter; "" for nothing.
 *
 * Return: 0, or with nothing changed -EINVAL with @error.
 */
int search_for(struct search *search, const char *text, struct error *error);

/** search_for_name() - this name alone. Return: 0 or -ENOMEM. */
int search_for_name(struct search *search, const char *name);

/** search_deinit() - for nothing; fine after zeroing. */
void search_deinit(struct search *search);

/** search_is_any() - is there anything to search for? */
bool search_is_any(const struct search *search);

/** search_matches() - does it match? Never, where there is nothing to find. */
bool search_matches(const struct search *search, const char *name);

/**
 * search_tree() - look at all names of @tree, each once; before
 * search_tree_next(), and again after the search or the tree has changed.
 *
 * Return: 0 or -ENOMEM.
 */
int search_tree(struct search *search, const struct tree *tree);

/**
 * search_tree_next() - the match that comes after another row, or before it,
 * as rows are sorted; behind the last comes the first.
 * @root: search only this node and what is below it; 0 for all.
 * @from: a node there.
 * @found: set to the node, or 0 where nothing matches.
 *
 * Return: 0 or -ENOMEM.
 */
int search_tree_next(const struct search *search, const struct tree *tree,
		     uint32_t root, uint32_t from, bool forward,
		     uint32_t *found);

/**
 * search_tree_sum() - how many nodes match, and the weight of the stacks
 * through any of them.
 */
void search_tree_sum(const struct search *search, const struct tree *tree,
		     uint32_t root, uint32_t *nr, uint64_t *weight);

#endif /* FLAMECTL_SEARCH_H */
