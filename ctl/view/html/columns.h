/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile, or folded text whose stacks start with the name of a command, as
 * the columns that a page's script reads (html/data.h describes them).
 */
#ifndef FLAMECTL_HTML_COLUMNS_H
#define FLAMECTL_HTML_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "profile/profile.h"
#include "tree/tree.h"

/* One row of the records' columns. */
struct columns_row {
	uint32_t node, comm, host, cgroup, cpu, context, pid, tid;
	uint64_t weight;
};

struct columns_frame {
	uint32_t name;
	enum tree_kind kind;
};

struct columns_node {
	uint32_t parent, frame;
};

struct columns_lost {
	int64_t cpu;			/* -1: unknown */
	const char *reason;		/* not ended by a NUL */
	size_t length;
	uint64_t weight;
};

struct columns {
	struct intern names;		/* of frames */
	struct intern comms, hosts, cgroups;
	struct columns_frame *frames;
	struct columns_node *nodes;
	struct columns_row *rows;
	struct columns_lost *losses;
	size_t nr_frames, nr_nodes, nr_rows, nr_losses;
	uint64_t total;
	int err;			/* of adding a text */
};

/**
 * columns_of_profile() - make the columns of a profile.
 * Return: 0 or -ENOMEM; the caller calls columns_deinit() in either case.
 */
int columns_of_profile(struct columns *columns, const struct profile *profile);

/** columns_of_tree() - do the same for folded text. */
int columns_of_tree(struct columns *columns, const struct tree *tree);

/** columns_deinit() - free what @columns holds. */
void columns_deinit(struct columns *columns);

#endif /* FLAMECTL_HTML_COLUMNS_H */
