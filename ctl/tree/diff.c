// SPDX-License-Identifier: GPL-2.0
/*
 * Combine two call trees into one: see diff.h.
 */
#include "tree/diff.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/percent.h"
#include "base/weight.h"
#include "tree/diff_scale.h"

#define GONE "[gone]"

/* ---- weights ---- */

struct diff_scaled diff_scale(const struct diff_pair *pair,
			      const struct diff_pair *whole, bool normalize)
{
	struct diff_scaled scaled = {
		pair->a, pair->b, whole->a > whole->b ? whole->a : whole->b,
	};

	if (!normalize)
		return scaled;
	scaled.a *= whole->b;
	scaled.b *= whole->a;
	scaled.whole = (unsigned __int128)whole->a * whole->b;
	return scaled;
}

const char *diff_amount(char text[DIFF_TEXT], uint64_t weight, uint64_t whole,
			const char *unit)
{
	char percent[PERCENT_TEXT];

	if (unit)
		return weight_text(text, weight, unit);
	snprintf(text, DIFF_TEXT, "%s", percent_text(percent, weight, whole));
	return text;
}

unsigned int diff_hundredths(unsigned __int128 part, unsigned __int128 whole)
{
	while (whole >> 112) {
		whole >>= 1;
		part >>= 1;
	}
	return (part * 10000 + whole / 2) / whole;
}

const char *diff_change(char text[DIFF_TEXT], const struct diff_pair *pair,
			const struct diff_pair *whole, const char *unit)
{
	struct diff_scaled scaled = diff_scale(pair, whole, !unit);
	bool grew = scaled.b >= scaled.a;
	unsigned __int128 change = grew ? scaled.b - scaled.a :
					  scaled.a - scaled.b;
	unsigned int hundredths = diff_hundredths(change, scaled.whole);
	const char *sign = grew ? "+" : "-";
	char weight[WEIGHT_TEXT];

	if (unit)
		snprintf(text, DIFF_TEXT, "%s%s", change ? sign : "",
			 weight_text(weight, (uint64_t)change, unit));
	else
		snprintf(text, DIFF_TEXT, "%s%u.%02u", hundredths ? sign : "",
			 hundredths / 100, hundredths % 100);
	return text;
}

/* ---- the tree ---- */

/* @images: set for each node of @from to its number in @to; 0 for the root */
static int add_nodes(struct tree *to, const struct tree *from, uint32_t *images)
{
	for (uint32_t i = 1; i < from->nr_nodes; i++) {
		const struct tree_node *node = &from->nodes[i];
		int err = tree_add(to, images[node->parent], node->name,
				   node->kind, &images[i]);

		if (err)
			return err;
	}
	return 0;
}

/*
 * Return: the factor for B's weights in the drawn tree. It is so large that the
 * least weight of A is at least 1 there. Without it, thousands of stacks of a
 * long A would be rounded up to 1 each and fill the picture of a short B.
 */
static uint64_t scale_of(const struct diff_pair *whole)
{
	uint64_t scale = 1;

	while (whole->b * scale < whole->a && whole->a < UINT64_MAX / 100)
		scale *= 10;
	return scale;
}

static uint64_t scale_gone(const struct diff *diff, uint64_t weight)
{
	unsigned __int128 scaled = weight;

	if (!diff->normalize)
		return weight;
	scaled = (scaled * diff->whole.b * diff->scale + diff->whole.a / 2) /
		 diff->whole.a;
	return scaled ? (uint64_t)scaled : 1;
}

/*
 * Add the stacks of A that end in a frame which B does not have, below
 * "[gone]".
 * @images: by node of A, its number in the tree
 * @towers: set by node of A to the number of its copy below "[gone]"
 * @nr_b: all numbers of B's nodes are below it
 */
static int add_gone(struct diff *diff, const struct tree *a,
		    const uint32_t *images, uint32_t *towers, uint32_t nr_b)
{
	struct tree *tree = diff->tree;
	uint32_t i;
	int err = 0;

	/* mark the nodes that are needed, from the leaves up */
	for (i = a->nr_nodes; i-- > 1;)
		if (towers[i] || (a->nodes[i].self && images[i] >= nr_b))
			towers[i] = towers[a->nodes[i].parent] = 1;
	if (towers[0])
		/* TREE_ROOT: a kind that no frame of a profile has */
		err = tree_add(tree, 0, GONE, TREE_ROOT, &towers[0]);
	for (i = 1; i < a->nr_nodes && !err; i++) {
		if (!towers[i])
			continue;
		err = tree_add(tree, towers[a->nodes[i].parent],
			       a->nodes[i].name, a->nodes[i].kind, &towers[i]);
		if (!err && images[i] >= nr_b && a->nodes[i].self)
			tree->nodes[towers[i]].self =
				scale_gone(diff, a->nodes[i].self);
	}
	return err;
}

static int set_pairs(struct diff *diff, const struct tree *a,
		     const struct tree *b, const uint32_t *of_a,
		     const uint32_t *of_b, const uint32_t *towers)
{
	uint32_t i;

	diff->pairs = calloc(diff->tree->nr_nodes, sizeof(*diff->pairs));
	if (!diff->pairs)
		return -ENOMEM;
	for (i = 0; i < a->nr_nodes; i++)
		diff->pairs[of_a[i]].a = a->nodes[i].total;
	for (i = 0; i < b->nr_nodes; i++)
		diff->pairs[of_b[i]].b = b->nodes[i].total;
	for (i = 1; i < a->nr_nodes; i++)
		if (towers[i])
			diff->pairs[towers[i]] = diff->pairs[of_a[i]];
	return 0;
}

static int merge(struct diff *diff, const struct tree *a, const struct tree *b)
{
	uint32_t *of_a = calloc(a->nr_nodes, sizeof(*of_a));
	uint32_t *of_b = calloc(b->nr_nodes, sizeof(*of_b));
	uint32_t *towers = calloc(a->nr_nodes, sizeof(*towers));
	int err = of_a && of_b && towers ? 0 : -ENOMEM;
	uint32_t nr_b;

	if (!err)
		err = add_nodes(diff->tree, b, of_b);
	nr_b = diff->tree->nr_nodes;
	if (!err)
		err = add_nodes(diff->tree, a, of_a);
	for (uint32_t i = 0; i < b->nr_nodes && !err; i++)
		diff->tree->nodes[of_b[i]].self = b->nodes[i].self * diff->scale;
	diff->first_gone = diff->tree->nr_nodes;
	if (!err)
		err = add_gone(diff, a, of_a, towers, nr_b) ?:
		      set_pairs(diff, a, b, of_a, of_b, towers);
	free(of_a);
	free(of_b);
	free(towers);
	return err;
}

int diff_create(struct diff **diff, const struct tree *a, const struct tree *b,
		bool normalize, const char *unit, struct error *error)
{
	struct diff *made;
	int err;

	if (!a->nodes[0].total || !b->nodes[0].total)
		return error_set(error, -ENODATA, "%s has no stack with a weight above 0",
				 a->nodes[0].total ? "B" : "A");
	made = calloc(1, sizeof(*made));
	if (!made)
		return error_set(error, -ENOMEM, "memory is short");
	made->normalize = normalize;
	made->unit = unit;
	made->whole = (struct diff_pair){ a->nodes[0].total, b->nodes[0].total };
	made->scale = normalize ? scale_of(&made->whole) : 1;
	made->tree = tree_create();
	err = made->tree ? merge(made, a, b) : -ENOMEM;
	if (err) {
		diff_destroy(made);
		return error_set(error, err, err == -ENOMEM ?
				 "memory is short" :
				 "together they have more than %u frames",
				 TREE_NODES_MAX);
	}
	tree_sum(made->tree);
	*diff = made;
	return 0;
}

void diff_destroy(struct diff *diff)
{
	if (!diff)
		return;
	tree_destroy(diff->tree);
	free(diff->pairs);
	free(diff);
}
