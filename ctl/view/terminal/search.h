/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Searching of names: by a regular expression or for one exact name; in a tree,
 * in the order of its rows, whether these are shown or not.
 */
#ifndef FLAMECTL_SEARCH_H
#define FLAMECTL_SEARCH_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tree/tree.h"

/* Limit of the expression's length, in bytes. */
#define SEARCH_TEXT_MAX	128

/* A search; if zeroed, for nothing. */
struct search {
	char text[SEARCH_TEXT_MAX + 1];	/* as typed; "" for nothing or a name */
	char *name;			/* the exact name to find, or NULL */
	regex_t regex;
	bool has_regex;
	uint8_t *hits;			/* by node of the tree, or NULL */
};

/**
 * search_for() - set the search to an extended regular expression, which
 * ignores case unless it has a capital letter; "" for nothing.
 *
 * Return: 0, or -EINVAL with @error and nothing changed.
 */
int search_for(struct search *search, const char *text, struct error *error);

/** search_for_name() - search for this exact name. Return: 0 or -ENOMEM. */
int search_for_name(struct search *search, const char *name);

/** search_deinit() - search for nothing and free all; it may be zeroed. */
void search_deinit(struct search *search);

/** search_is_any() - report whether there is anything to search for. */
bool search_is_any(const struct search *search);

/** search_matches() - report whether @name matches; false if not searching. */
bool search_matches(const struct search *search, const char *name);

/**
 * search_tree() - match all names of @tree, each once. Call it before
 * search_tree_next(), and again after the search or the tree has changed.
 *
 * Return: 0 or -ENOMEM.
 */
int search_tree(struct search *search, const struct tree *tree);

/**
 * search_tree_next() - find the next or previous match, in the order of sorted
 * rows; wraps around.
 * @root: search only this node and all below it; 0 for all.
 * @from: a node there.
 * @found: set to the node, or 0 if nothing matches.
 *
 * Return: 0 or -ENOMEM.
 */
int search_tree_next(const struct search *search, const struct tree *tree,
		     uint32_t root, uint32_t from, bool forward,
		     uint32_t *found);

/**
 * search_tree_sum() - count the nodes that match, and sum up the weight of the
 * stacks through any of them.
 */
void search_tree_sum(const struct search *search, const struct tree *tree,
		     uint32_t root, uint32_t *nr, uint64_t *weight);

#endif /* FLAMECTL_SEARCH_H */
