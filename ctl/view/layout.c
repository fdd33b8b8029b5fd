// SPDX-License-Identifier: GPL-2.0
/*
 * Compute rectangles from a call tree, one level at a time: the array of
 * rectangles is also the queue, so that deep stacks cannot overflow anything.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/wording.h"

#include "view/layout.h"

#define FIRST_RECTS 256

struct laying {
	const struct tree *tree;
	const struct layout_options *options;
	struct layout *layout;
	uint32_t max_rects;
};

static double to_px(const struct laying *laying, uint64_t weight)
{
	return (double)weight / (double)laying->layout->total *
	       laying->options->width_px;
}

static bool is_narrow(const struct laying *laying, uint64_t weight)
{
	return to_px(laying, weight) < laying->options->min_width_px;
}

static int add_rect(struct laying *laying, struct layout_rect rect)
{
	struct layout *layout = laying->layout;

	if (layout->nr_rects == LAYOUT_RECTS_MAX)
		return -EOVERFLOW;
	if (layout->nr_rects == laying->max_rects) {
		size_t max = laying->max_rects ? 2 * (size_t)laying->max_rects :
			     FIRST_RECTS;
		struct layout_rect *rects;

		rects = realloc(layout->rects, max * sizeof(*rects));
		if (!rects)
			return -ENOMEM;
		layout->rects = rects;
		laying->max_rects = max;
	}

	rect.x = to_px(laying, rect.start);
	rect.width = to_px(laying, rect.weight);
	layout->rects[layout->nr_rects++] = rect;
	return 0;
}

/*
 * End a run of narrow siblings: they become one rectangle, or are only counted
 * as hidden in @parent if they are too narrow even together.
 */
static int end_run(struct laying *laying, struct layout_rect *run,
		   uint32_t parent)
{
	int err = 0;

	if (run->collapsed && !is_narrow(laying, run->weight))
		err = add_rect(laying, *run);
	else
		laying->layout->rects[parent].hidden += run->weight;
	run->start += run->weight;
	run->weight = 0;
	run->collapsed = 0;
	return err;
}

static int lay_children(struct laying *laying, uint32_t parent)
{
	const struct tree_node *nodes = laying->tree->nodes;
	const struct layout_rect *above = &laying->layout->rects[parent];
	struct layout_rect run = {
		.node = above->node,
		.depth = above->depth + 1,
		.start = above->start,
	};
	int err = 0;

	/* @above is invalid after add_rect(), which may move the array */
	for (uint32_t id = nodes[above->node].child; id && !err;
	     id = nodes[id].sibling) {
		struct layout_rect rect = {
			.node = id,
			.depth = run.depth,
			.weight = nodes[id].total,
		};

		if (!rect.weight)
			continue;
		/* lost periods are never hidden, however few */
		if (is_narrow(laying, rect.weight) &&
		    nodes[id].kind != TREE_LOST) {
			run.weight += rect.weight;
			run.first = run.collapsed++ ? run.first : id;
			continue;
		}
		err = end_run(laying, &run, parent);
		if (err)
			break;
		rect.start = run.start;
		run.start += rect.weight;
		err = add_rect(laying, rect);
	}
	return err ? err : end_run(laying, &run, parent);
}

static int lay_all(struct laying *laying)
{
	struct layout *layout = laying->layout;
	struct layout_rect root = { .weight = layout->total };
	int err = add_rect(laying, root);

	for (uint32_t i = 0; i < layout->nr_rects && !err; i++)
		if (!layout->rects[i].collapsed)
			err = lay_children(laying, i);
	if (err)
		return err;

	layout->nr_rows = layout->rects[layout->nr_rects - 1].depth + 1;
	for (uint32_t i = 0; i < layout->nr_rects; i++) {
		struct layout_rect *rect = &layout->rects[i];

		rect->row = laying->options->inverted ? rect->depth :
			    layout->nr_rows - 1 - rect->depth;
	}
	return 0;
}

/* Sum up the selves, as the tree's own total saturates at the limit. */
static int sum_weights(const struct tree *tree, uint64_t *total,
		       struct error *error)
{
	*total = 0;
	for (uint32_t i = 0; i < tree->nr_nodes; i++)
		if (__builtin_add_overflow(*total, tree->nodes[i].self, total))
			return error_set(error, -EOVERFLOW,
					 "the weights sum to more than 2^64 - 1");
	if (!*total)
		return error_set(error, -ENODATA,
				 "there is no stack with a weight above 0");
	return 0;
}

int layout_create(struct layout **layout, const struct tree *tree,
		  const struct layout_options *options, struct error *error)
{
	struct laying laying = {
		.tree = tree,
		.options = options,
	};
	uint64_t total;
	int err = sum_weights(tree, &total, error);

	if (err)
		return err;
	if (options->total && options->total < total)
		return error_set(error, -ERANGE,
				 "its weights sum to %" PRIu64 ", more than the total of %" PRIu64 " to draw",
				 total, options->total);
	if (options->total)
		total = options->total;
	laying.layout = calloc(1, sizeof(*laying.layout));
	if (!laying.layout)
		return error_set(error, -ENOMEM, "memory is short");
	laying.layout->total = total;

	err = lay_all(&laying);
	if (err) {
		layout_destroy(laying.layout);
		return error_set(error, err, err == -ENOMEM ?
				 "memory is short" :
				 "more than %u frames are wide enough: %s",
				 LAYOUT_RECTS_MAX, WORDING(RAISE_WIDTH));
	}
	*layout = laying.layout;
	return 0;
}

void layout_destroy(struct layout *layout)
{
	if (!layout)
		return;
	free(layout->rects);
	free(layout);
}

const char *layout_rect_name(const struct layout_rect *rect,
			     const struct tree *tree,
			     char text[LAYOUT_NAME_MAX])
{
	if (!rect->collapsed)
		return tree->nodes[rect->node].name;
	snprintf(text, LAYOUT_NAME_MAX, "[%" PRIu32 " narrow frame%s]",
		 rect->collapsed, rect->collapsed > 1 ? "s" : "");
	return text;
}
