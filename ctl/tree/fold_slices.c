// SPDX-License-Identifier: GPL-2.0
/*
 * Make an ordered call tree of a profile that has slices: each slice is a frame
 * at the root, in the order of time, above the call tree of what was sampled in
 * it.
 */
#include <errno.h>
#include <string.h>

#include "base/number.h"
#include "profile/books.h"
#include "profile/slices.h"
#include "tree/tree.h"

/* Add the call tree @from below a node. Return: as tree_add(). */
static int append(struct tree *to, uint32_t at, const struct tree *from)
{
	const struct tree_node *nodes = from->nodes;
	uint32_t node = 0;
	int err;

	to->nodes[at].self = tree_weight_add(to->nodes[at].self, nodes[0].self);
	for (;;) {
		if (nodes[node].child) {
			node = nodes[node].child;
		} else {
			while (node && !nodes[node].sibling) {
				node = nodes[node].parent;
				at = to->nodes[at].parent;
			}
			if (!node)
				return 0;
			node = nodes[node].sibling;
			at = to->nodes[at].parent;
		}
		err = tree_add(to, at, nodes[node].name, nodes[node].kind, &at);
		if (err)
			return err;
		to->nodes[at].self = nodes[node].self;
	}
}

/*
 * Fold one slice, using its own records and its CPUs' books (the counts of what
 * became of each timer period).
 */
static struct tree *fold_slice(const struct profile *profile,
			       const struct slice *slice,
			       const struct fold_options *options,
			       struct error *error)
{
	struct profile part = *profile;

	part.records = slice->records;
	part.nr_records = slice->nr_records;
	part.cpus = slice->cpus;
	part.nr_cpus = slice->nr_cpus;
	part.meta.intervals = slice->intervals;
	part.meta.intervals.known = profile->meta.intervals.known;
	memset(&part.books, 0, sizeof(part.books));
	/* cannot overflow: they are parts of the profile's, which fits 2^64 */
	for (uint32_t i = 0; i < part.nr_cpus; i++)
		books_add(&part.books, &part.cpus[i].books);
	return fold_profile(&part, options, error);
}

static int add_slice(struct tree *tree, const struct profile *profile,
		     const struct slice *slice,
		     const struct fold_options *options, struct error *error)
{
	struct tree *part = fold_slice(profile, slice, options, error);
	char name[RANGE_TEXT];
	uint32_t at;
	int err;

	if (!part)
		return -ENOMEM;
	range_text(name, profile->meta.range_begin_ns + slice->begin_ns,
		   profile->meta.range_begin_ns + slice->end_ns);
	err = tree_add(tree, 0, name, TREE_TASK, &at);
	if (!err)
		err = append(tree, at, part);
	tree_destroy(part);
	if (err)
		error_set(error, err, err == -ENOMEM ? "memory is short" :
			  "the stacks of its slices together have more than %u frames",
			  TREE_NODES_MAX);
	return err;
}

struct tree *fold_slices(const struct profile *profile,
			 const struct fold_options *options,
			 struct error *error)
{
	struct tree *tree = tree_create();
	int err = 0;

	if (!tree) {
		error_set(error, -ENOMEM, "memory is short");
		return NULL;
	}
	tree->ordered = true;
	for (uint32_t i = 0; i < profile->slices->nr && !err; i++)
		err = add_slice(tree, profile, &profile->slices->list[i],
				options, error);
	if (!err) {
		tree_sum(tree);
		return tree;
	}
	tree_destroy(tree);
	return NULL;
}
