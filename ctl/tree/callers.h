/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The same tree that tree_reverse() makes, but as one looks into it: callers of
 * what nobody opens are never made, since all of them would be many times what
 * a large tree has.
 */
#ifndef FLAMECTL_CALLERS_H
#define FLAMECTL_CALLERS_H

#include "tree/tree.h"

struct callers;

/**
 * callers_create() - the functions with time of their own, without callers yet.
 * @of: summed, and lives as long.
 *
 * Return: 0 with @callers set, to be freed by callers_destroy(), -ENOMEM, or
 * -EOVERFLOW past TREE_NODES_MAX.
 */
int callers_create(struct callers **callers, const struct tree *of);

/** callers_destroy() - NULL is fine. */
void callers_destroy(struct callers *callers);

/**
 * callers_tree() - what there is of the tree; it grows, and has its totals.
 * Children are in no order.
 */
const struct tree *callers_tree(const struct callers *callers);

/**
 * callers_grow() - make the children of @node, once.
 * @callers: a struct callers, as tree_rows has its grow().
 *
 * Return: as callers_create().
 */
int callers_grow(void *callers, uint32_t node);

#endif /* FLAMECTL_CALLERS_H */
