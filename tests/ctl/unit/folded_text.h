/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees as folded text, for tests.
 */
#ifndef FOLDED_TEXT_H
#define FOLDED_TEXT_H

#include <stdbool.h>

#include "tree/tree.h"

/** unfold() - read folded text, which must be valid. Return: the summed tree, to be freed. */
struct tree *unfold(const char *text);

/** folded() - write a summed tree as folded text. Return: the text, to be freed. */
char *folded(const struct tree *tree);

/** expect_text() - sum a tree, fail unless it is written as @expected, and free it. */
void expect_text(struct tree *tree, const char *expected);

/** expect_nodes() - fail unless these are the marked nodes: "a b". @marked is freed. */
void expect_nodes(const struct tree *tree, bool *marked, const char *names);

#endif /* FOLDED_TEXT_H */
