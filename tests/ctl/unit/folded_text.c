// SPDX-License-Identifier: GPL-2.0
/*
 * Trees as folded text: see folded_text.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "folded_text.h"

struct tree *unfold(const char *text)
{
	FILE *in = fmemopen((void *)text, strlen(text), "r");
	struct tree *tree = tree_create();
	struct error error;

	assert_non_null(in);
	assert_non_null(tree);
	if (fold_read(tree, in, &error))
		fail_msg("%s", error.text);
	fclose(in);
	tree_sum(tree);
	return tree;
}

char *folded(const struct tree *tree)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(out);
	assert_int_equal(fold_write(tree, out), 0);
	fclose(out);
	return text;
}

void expect_text(struct tree *tree, const char *expected)
{
	char *text;

	assert_non_null(tree);
	tree_sum(tree);
	text = folded(tree);
	assert_string_equal(text, expected);
	free(text);
	tree_destroy(tree);
}

void expect_nodes(const struct tree *tree, bool *marked, const char *names)
{
	char text[256] = "";

	assert_non_null(marked);
	for (uint32_t i = 0; i < tree->nr_nodes; i++)
		if (marked[i])
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
				 *text ? " " : "", tree->nodes[i].name);
	assert_string_equal(text, names);
	free(marked);
}
