/* SPDX-License-Identifier: GPL-2.0 */
/*
 * List a call tree's functions: what each one costs, summed over all callers.
 */
#ifndef FLAMECTL_FLAT_H
#define FLAMECTL_FLAT_H

#include <stdint.h>

#include "tree/tree.h"

struct flat_function {
	const char *name;	/* owned by the tree */
	uint64_t self;		/* of stacks that end in it */
	uint64_t total;		/* of stacks through it, each counted once */
	enum tree_kind kind;	/* the first that was met, if the name is of several */
};

struct flat {
	struct flat_function *functions;	/* largest self first, then by name */
	uint32_t nr_functions;
	uint64_t total;				/* the sum of all selves */
};

/**
 * flat_create() - list the functions of a summed tree.
 * @flat: set on success, to be freed by flat_destroy().
 * @tree: must live as long as the list.
 *
 * Functions are identified by name: the same name in two contexts is one
 * function. Groups, if the tree has any, are listed like functions.
 *
 * Return: 0 or -ENOMEM.
 */
int flat_create(struct flat **flat, const struct tree *tree);

/** flat_create_functions() - do the same without groups. */
int flat_create_functions(struct flat **flat, const struct tree *tree);

/** flat_destroy() - free @flat; NULL is fine. */
void flat_destroy(struct flat *flat);

#endif /* FLAMECTL_FLAT_H */
