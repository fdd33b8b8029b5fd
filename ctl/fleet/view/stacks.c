// SPDX-License-Identifier: GPL-2.0
/*
 * Fold a window for views: see stacks.h.
 */
#include "fleet/view/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static int check(const struct profile *profile, struct error *error)
{
	const struct profile_meta *meta = &profile->meta;

	if (meta->intervals.known)
		return error_set(error, -EINVAL, "it is of the event %.64s, and no samples of CPUs",
				 meta->weight_type);
	if (!meta->period_ns || *meta->weight_type)
		return error_set(error, -EINVAL, "its weights are %.64s, not time: views take profiles of time",
				 profile_unit(meta));
	return 0;
}

/* All weights together must fit an int64_t as nanoseconds. */
static int check_sum(const struct profile *profile, const struct tree *folded,
		     struct error *error)
{
	uint64_t ns;

	if (__builtin_mul_overflow(folded->nodes[0].total, profile->meta.period_ns, &ns) ||
	    ns > INT64_MAX)
		return error_set(error, -EOVERFLOW, "its time exceeds 2^63 ns: send shorter windows");
	return 0;
}

/* Add a node of a folded tree, with a name that any server takes. */
static int add_node(struct view_stacks *stacks, const struct tree_node *folded,
		    uint32_t parent, uint32_t *id)
{
	char *name = utf8_clean(folded->name, true);
	int err = name ? tree_add(stacks->tree, parent, name, TREE_USER, id) : -ENOMEM;

	free(name);
	if (!err)
		stacks->tree->nodes[*id].self =
			tree_weight_add(stacks->tree->nodes[*id].self, folded->self);
	return err;
}

/*
 * Copy the tree with names alone: frames of one name are one frame to a server, also a
 * function of the kernel and one of a program.
 */
static int copy(struct view_stacks *stacks, const struct tree *folded)
{
	uint32_t *ids = calloc(folded->nr_nodes, sizeof(*ids));
	int err = 0;

	stacks->tree = tree_create();
	if (!ids || !stacks->tree)
		err = -ENOMEM;
	for (uint32_t i = 1; i < folded->nr_nodes && !err; i++)
		err = add_node(stacks, &folded->nodes[i], ids[folded->nodes[i].parent],
			       &ids[i]);
	free(ids);
	return err;
}

/* Number names, and list the nodes that stacks end at. */
static int list(struct view_stacks *stacks)
{
	const struct tree *tree = stacks->tree;
	uint32_t *depths = calloc(tree->nr_nodes, sizeof(*depths));
	int err = 0;

	stacks->name = calloc(tree->nr_nodes, sizeof(*stacks->name));
	stacks->samples = calloc(tree->nr_nodes, sizeof(*stacks->samples));
	if (!depths || !stacks->name || !stacks->samples)
		err = -ENOMEM;
	for (uint32_t i = 1; i < tree->nr_nodes && !err; i++) {
		const struct tree_node *node = &tree->nodes[i];

		depths[i] = depths[node->parent] + 1;
		if (depths[i] > stacks->depth_max)
			stacks->depth_max = depths[i];
		if (node->self)
			stacks->samples[stacks->nr_samples++] = i;
		err = intern_add(&stacks->names, node->name, strlen(node->name),
				 &stacks->name[i]);
	}
	free(depths);
	return err;
}

int view_stacks_init(struct view_stacks *stacks, const struct target_window *window,
		     struct error *error)
{
	const struct fold_options options = {
		.by = { FOLD_COMM, FOLD_CONTEXT }, .nr_by = 2,
	};
	int err = check(window->profile, error);
	struct tree *folded;

	memset(stacks, 0, sizeof(*stacks));
	if (err)
		return err;
	stacks->window = window;
	folded = fold_profile(window->profile, &options, error);
	if (!folded)
		return -ENOMEM;
	err = check_sum(window->profile, folded, error);
	if (!err) {
		err = copy(stacks, folded) ?: list(stacks);
		if (err)
			error_set(error, err, "%s", strerror(-err));
	}
	tree_destroy(folded);
	if (err)
		view_stacks_deinit(stacks);
	return err;
}

void view_stacks_deinit(struct view_stacks *stacks)
{
	tree_destroy(stacks->tree);
	intern_deinit(&stacks->names);
	free(stacks->name);
	free(stacks->samples);
	memset(stacks, 0, sizeof(*stacks));
}

uint32_t view_stack(const struct view_stacks *stacks, uint32_t sample, uint32_t *names)
{
	const struct tree_node *nodes = stacks->tree->nodes;
	uint32_t nr = 0;

	for (uint32_t node = stacks->samples[sample]; node; node = nodes[node].parent)
		names[nr++] = stacks->name[node];
	return nr;
}
