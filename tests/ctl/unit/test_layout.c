// SPDX-License-Identifier: GPL-2.0
/*
 * Layout: exact places of rectangles, narrow frames, and trees that cannot be laid out.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "folded_text.h"
#include "view/layout.h"

static struct layout *lay(const struct tree *tree, double width, double narrow,
			  bool inverted)
{
	struct layout_options options = {
		.width_px = width, .min_width_px = narrow, .inverted = inverted,
	};
	struct layout *layout = NULL;
	struct error error = { "" };

	if (layout_create(&layout, tree, &options, &error))
		fail_msg("%s", error.text);
	return layout;
}

/* "depth/row name start+weight" of each rectangle */
static void expect_rects(const char *folded, double width, double narrow,
			 bool inverted, const char *expected)
{
	struct tree *tree = unfold(folded);
	struct layout *layout = lay(tree, width, narrow, inverted);
	char text[1024] = "", *to = text;

	for (uint32_t i = 0; i < layout->nr_rects; i++) {
		const struct layout_rect *rect = &layout->rects[i];

		to += sprintf(to, "%u/%u ", rect->depth, rect->row);
		if (rect->collapsed)
			to += sprintf(to, "(%u in %s)", rect->collapsed,
				      tree->nodes[rect->node].name);
		else
			to += sprintf(to, "%s", tree->nodes[rect->node].name);
		to += sprintf(to, " %lu+%lu", (unsigned long)rect->start,
			      (unsigned long)rect->weight);
		if (rect->hidden)
			to += sprintf(to, " hides %lu", (unsigned long)rect->hidden);
		to += sprintf(to, "\n");
		assert_true(fabs(rect->x - rect->start * width / layout->total) < 1e-9);
		assert_true(fabs(rect->width - rect->weight * width / layout->total) < 1e-9);
	}
	assert_string_equal(text, expected);
	layout_destroy(layout);
	tree_destroy(tree);
}

static void lays_by_depth_and_name(void **state)
{
	(void)state;
	expect_rects("b;y 3\nb;x 1\nb 2\na 4\n", 100, 0, false,
		     "0/2 all 0+10\n1/1 a 0+4\n1/1 b 4+6\n"
		     "2/0 x 4+1\n2/0 y 5+3\n");
	expect_rects("b;y 3\nb;x 1\nb 2\na 4\n", 100, 0, true,
		     "0/0 all 0+10\n1/1 a 0+4\n1/1 b 4+6\n"
		     "2/2 x 4+1\n2/2 y 5+3\n");
	expect_rects("a 1\n", 1200, 0.1, false, "0/1 all 0+1\n1/0 a 0+1\n");
}

/* Narrow neighbours become one rectangle if they are wide enough together. */
static void draws_what_was_lost_however_narrow(void **state)
{
	(void)state;
	expect_rects("a;b 997\nc 2\n[lost: overload] 1\n", 1000, 10, true,
		     "0/0 all 0+1000 hides 2\n"
		     "1/1 [lost: overload] 0+1\n"
		     "1/1 a 1+997\n"
		     "2/2 b 1+997\n");
}

static void collapses_what_is_narrow(void **state)
{
	static const char exact[] = "a;x 1\nb 1\nc 1\nd;z 90\ne;y 1\nf 6\n";

	(void)state;
	expect_rects(exact, 100, 1.5, true,
		     "0/0 all 0+100 hides 1\n1/1 (3 in all) 0+3\n1/1 d 3+90\n"
		     "1/1 f 94+6\n2/2 z 3+90\n");
	expect_rects(exact, 100, 1, true,
		     "0/0 all 0+100\n1/1 a 0+1\n1/1 b 1+1\n1/1 c 2+1\n"
		     "1/1 d 3+90\n1/1 e 93+1\n1/1 f 94+6\n"
		     "2/2 x 0+1\n2/2 z 3+90\n2/2 y 93+1\n");
	expect_rects(exact, 100, 3.1, true,
		     "0/0 all 0+100 hides 4\n1/1 d 3+90\n1/1 f 94+6\n2/2 z 3+90\n");
	expect_rects("a 2\nb 2\nc 44\nd 2\ne 2\nf 48\n", 100, 3, false,
		     "0/1 all 0+100\n1/0 (2 in all) 0+4\n1/0 c 4+44\n"
		     "1/0 (2 in all) 48+4\n1/0 f 52+48\n");
	expect_rects("a 97\nb;x 2\nc;y 1\n", 100, 3, false,
		     "0/1 all 0+100\n1/0 a 0+97\n1/0 (2 in all) 97+3\n");
}

/* The root is drawn however high the minimum, and rows are those in use. */
static void keeps_the_root(void **state)
{
	(void)state;
	expect_rects("a;b;c 1\n", 10, 11, false, "0/0 all 0+1 hides 1\n");
}

/* A total above the stacks' sum leaves room at the right. */
static void draws_in_a_total(void **state)
{
	struct layout_options options = { .width_px = 100, .total = 10 };
	struct tree *tree = unfold("a 4\nb 1\n");
	struct layout *layout = NULL;
	struct error error;

	(void)state;
	assert_int_equal(layout_create(&layout, tree, &options, &error), 0);
	assert_int_equal(layout->total, 10);
	assert_true(layout->rects[0].width == 100);
	assert_true(layout->rects[1].width == 40);
	assert_true(layout->rects[2].x == 40 && layout->rects[2].width == 10);
	layout_destroy(layout);
	options.total = 4;
	assert_int_equal(layout_create(&layout, tree, &options, &error), -ERANGE);
	assert_string_equal(error.text, "its weights sum to 5, more than the total of 4 to draw");
	tree_destroy(tree);
}

static uint32_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return *seed >> 33;
}

static struct tree *make_random_tree(uint64_t *seed)
{
	struct tree *tree = tree_create();
	uint32_t id;

	for (unsigned int i = 0; i < 300; i++) {
		char name[8];

		snprintf(name, sizeof(name), "f%u", next_random(seed) % 40);
		tree_add(tree, next_random(seed) % tree->nr_nodes, name,
			 TREE_KERNEL, &id);
		if (next_random(seed) % 3)
			tree->nodes[id].self += next_random(seed) % 1000;
	}
	tree->nodes[id].self++;
	tree_sum(tree);
	return tree;
}

/* Every rectangle is within one of the row before, and none overlaps another. */
static void check_tiling(const struct layout *layout, const struct tree *tree,
			 bool collapsing)
{
	uint64_t end = 0;
	uint32_t above = 0;

	for (uint32_t i = 1; i < layout->nr_rects; i++) {
		const struct layout_rect *rect = &layout->rects[i];
		const struct layout_rect *parent;

		if (rect->depth != rect[-1].depth) {
			assert_int_equal(rect->depth, rect[-1].depth + 1);
			end = 0;
			while (layout->rects[above].depth + 1 != rect->depth)
				above++;
		}
		parent = &layout->rects[above];
		while (parent->start + parent->weight <= rect->start)
			parent = &layout->rects[++above];
		assert_true(rect->start >= end && rect->start >= parent->start);
		end = rect->start + rect->weight;
		assert_true(end <= parent->start + parent->weight);
		assert_true(rect->weight > 0);
		if (rect->collapsed) {
			assert_int_equal(rect->node, parent->node);
			continue;
		}
		assert_int_equal(tree->nodes[rect->node].parent, parent->node);
		assert_true(rect->weight == tree->nodes[rect->node].total);
	}
	if (!collapsing)
		for (uint32_t i = 0; i < layout->nr_rects; i++)
			assert_int_equal(layout->rects[i].collapsed, 0);
}

/* Without a minimum, what is uncovered above a frame is its own weight. */
static void check_selves(const struct layout *layout, const struct tree *tree)
{
	uint64_t *covered = calloc(tree->nr_nodes, sizeof(*covered));

	for (uint32_t i = 1; i < layout->nr_rects; i++)
		covered[tree->nodes[layout->rects[i].node].parent] +=
			layout->rects[i].weight;
	for (uint32_t i = 0; i < layout->nr_rects; i++) {
		const struct layout_rect *rect = &layout->rects[i];

		assert_true(rect->weight - covered[rect->node] ==
			    tree->nodes[rect->node].self);
	}
	free(covered);
}

static void tiles_random_trees(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (unsigned int round = 0; round < 60; round++) {
		struct tree *tree = make_random_tree(&seed);
		struct layout *layout = lay(tree, 1176, 0, false);

		check_tiling(layout, tree, false);
		check_selves(layout, tree);
		layout_destroy(layout);
		layout = lay(tree, 400, 7, true);
		check_tiling(layout, tree, true);
		for (uint32_t i = 0; i < layout->nr_rects; i++)
			assert_true(layout->rects[i].width >= 7);
		layout_destroy(layout);
		tree_destroy(tree);
	}
}

static void takes_a_deep_stack(void **state)
{
	struct tree *tree = tree_create();
	struct layout *layout;
	uint32_t at = 0;

	(void)state;
	for (unsigned int i = 0; i < 100000; i++)
		tree_add(tree, at, "f", TREE_KERNEL, &at);
	tree->nodes[at].self = 1;
	tree_sum(tree);
	layout = lay(tree, 1000, 0.1, false);
	assert_int_equal(layout->nr_rows, 100001);
	assert_int_equal(layout->rects[100000].row, 0);
	layout_destroy(layout);
	tree_destroy(tree);
}

static void refuses_what_has_no_shape(void **state)
{
	struct layout_options options = { .width_px = 100 };
	struct layout *layout = NULL;
	struct tree *tree = tree_create();
	struct error error;
	uint32_t id;

	(void)state;
	tree_add(tree, 0, "a", TREE_KERNEL, &id);
	tree_sum(tree);
	assert_int_equal(layout_create(&layout, tree, &options, &error), -ENODATA);
	assert_string_equal(error.text, "there is no stack with a weight above 0");

	tree->nodes[id].self = UINT64_MAX;
	tree->nodes[0].self = 1;
	tree_sum(tree);
	assert_int_equal(layout_create(&layout, tree, &options, &error), -EOVERFLOW);
	assert_string_equal(error.text, "the weights sum to more than 2^64 - 1");
	assert_null(layout);

	tree->nodes[0].self = 0;
	tree_sum(tree);
	assert_int_equal(layout_create(&layout, tree, &options, &error), 0);
	assert_true(layout->total == UINT64_MAX);
	layout_destroy(layout);
	layout_destroy(NULL);
	tree_destroy(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lays_by_depth_and_name),
		cmocka_unit_test(collapses_what_is_narrow),
		cmocka_unit_test(draws_what_was_lost_however_narrow),
		cmocka_unit_test(keeps_the_root),
		cmocka_unit_test(draws_in_a_total),
		cmocka_unit_test(tiles_random_trees),
		cmocka_unit_test(takes_a_deep_stack),
		cmocka_unit_test(refuses_what_has_no_shape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
