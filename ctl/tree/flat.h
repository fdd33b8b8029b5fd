/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call tree as a flat list: what each function costs, wherever it is called.
 */
#ifndef FLAMECTL_FLAT_H
#define FLAMECTL_FLAT_H

#include <stdbool.h>
#include <stdint.h>

#include "tree/tree.h"

struct flat_function {
	const char *name;	/* the tree's */
	uint64_t self;		/* of stacks that end in it */
	uint64_t total;		/* of stacks through it, each counted once */
	bool is_lost;		/* lost periods */
};

struct flat {
	struct flat_function *functions;	/* the largest self first, then by name */
	uint32_t nr_functions;
	uint64_t total;				/* the sum of all selves */
};

/**
 * flat_create() - list the functions of a summed tree, which must live as long.
 *
 * A function is a name: the same name in two contexts is one. Groups, where
 * the tree has any, are listed like functions.
 *
 * Return: 0 with @flat set, to be freed by flat_destroy(), or -ENOMEM.
 */
int flat_create(struct flat **flat, const struct tree *tree);

/** flat_destroy() - NULL is fine. */
void flat_destroy(struct flat *flat);

#endif /* FLAMECTL_FLAT_H */
