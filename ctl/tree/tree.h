/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call tree with weights: what folded text, graphs and reports are made
 * from. A profile becomes a tree by fold.c; folded text is read into one.
 */
#ifndef FLAMECTL_TREE_H
#define FLAMECTL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "profile/profile.h"

/* What a frame is, for its colour. Names alone decide where no profile does. */
enum tree_kind {
	TREE_ROOT,		/* the tree's own root, "all" */
	TREE_TASK,		/* a grouping level: comm, pid, tid, cpu, context */
	TREE_KERNEL,
	TREE_MODULE,
	TREE_USER,
	TREE_IDLE,
	TREE_LOST,
	TREE_MARK,		/* [truncated], [unknown] */
};

struct tree_node {
	const char *name;	/* owned by the tree */
	enum tree_kind kind;
	uint32_t parent;	/* below this node's own number */
	uint32_t child;		/* the first child, 0 for none */
	uint32_t sibling;	/* the next child of the parent, 0 for none */
	uint64_t self;		/* weight of stacks that end here */
	uint64_t total;		/* self and all below; set by tree_sum() */
};

struct notes;
struct tree_index;		/* private to tree.c */

/* Node 0 is the root. */
struct tree {
	struct tree_node *nodes;
	uint32_t nr_nodes;
	bool ordered;		/* set before the first tree_add(); see there */
	struct tree_index *index;
};

/* As many as a profile has. */
#define TREE_NODES_MAX	PROFILE_NODES_MAX

/* The deepest stack that is read, far above any real one, levels included. */
#define TREE_DEPTH_MAX	16384

/** tree_create() - a tree that is nothing but its root; NULL without memory. */
struct tree *tree_create(void);

/** tree_destroy() - free @tree and its names; NULL is fine. */
void tree_destroy(struct tree *tree);

/**
 * tree_add() - find or make the child of @parent with this name and kind.
 *
 * Of an ordered tree only the child made last is found: children stand in the
 * order of their making, and the same name may come again.
 *
 * Return: 0 with @id set, -ENOMEM, or -EOVERFLOW past TREE_NODES_MAX.
 */
int tree_add(struct tree *tree, uint32_t parent, const char *name,
	     enum tree_kind kind, uint32_t *id);

/**
 * tree_name() - the number of a name, from 0; new ones are added.
 * @text: @length bytes, none of them NUL; copied.
 *
 * Return: 0 with @name set, -ENOMEM, or -EOVERFLOW past 2^32 of them.
 */
int tree_name(struct tree *tree, const char *text, size_t length,
	      uint32_t *name);

/** tree_add_named() - tree_add() of a name by its number. */
int tree_add_named(struct tree *tree, uint32_t parent, uint32_t name,
		   enum tree_kind kind, uint32_t *id);

/**
 * tree_sum() - set every total from the selves, and sort siblings by name, or
 * put those of an ordered tree in their order. To be called once.
 *
 * A total past 2^64 - 1 stays there; layout_create() refuses such a tree.
 */
void tree_sum(struct tree *tree);

/**
 * tree_number_names() - the names' numbers, as of tree_name().
 * @numbers: set to the number of each node's name.
 *
 * Return: how many names there are; nodes that were refused may have left some
 * that are nobody's.
 */
uint32_t tree_number_names(const struct tree *tree, uint32_t *numbers);

/**
 * tree_reverse() - the same stacks, each from its leaf to its root, groups last:
 * who calls what costs. An ordered tree stays in its order.
 * @reversed: set on success, and summed; to be freed before @tree or after.
 *
 * Return: 0, -ENOMEM, or -EOVERFLOW past TREE_NODES_MAX.
 */
int tree_reverse(struct tree **reversed, const struct tree *tree);

/** tree_weight_add() - @a + @b, or 2^64 - 1 where that is more. */
static inline uint64_t tree_weight_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Which levels stand above the stack, in this order. */
enum fold_level { FOLD_COMM, FOLD_PID, FOLD_TID, FOLD_CPU, FOLD_CONTEXT,
		  FOLD_HOST, FOLD_MODULE, FOLD_FUNCTION, FOLD_LEVEL_MAX };

struct fold_options {
	enum fold_level by[FOLD_LEVEL_MAX];
	unsigned int nr_by;
	bool by_count;		/* weight by count instead of periods */
	bool groups_only;	/* no stacks below the levels */
};

/* What --by and --weight take, as struct command_option has it. */
#define FOLD_BY_VALUES		"comm,pid,tid,cpu,context,host,module,function,none"
#define FOLD_WEIGHT_VALUES	"periods count"

/**
 * fold_options_by() - parse "comm,cpu" or "none"; perf's words "dso", "sym" and
 * "symbol" are module and function. -EINVAL names the word.
 */
int fold_options_by(struct fold_options *options, const char *text,
		    struct error *error);

/** fold_level_name() - the word for a level. */
const char *fold_level_name(enum fold_level level);

/**
 * fold_bare() - the one frame that a record without frames is shown as: "[user]",
 * "[idle]", and in the other contexts "[unknown]".
 */
const char *fold_bare(enum flamemod_context context);
enum tree_kind fold_bare_kind(enum flamemod_context context);

/** fold_has_comms() - is the comm of any task known? Else none is shown. */
bool fold_has_comms(const struct profile *profile);

/**
 * fold_profile() - a profile's records and its lost periods as a tree.
 *
 * Lost periods become root frames "[lost: reason]" (below "cpu N" when
 * grouped by CPU), a record without frames what fold_bare() says.
 * Grouping levels are named "comm", "pid N", "tid N", "cpu N", "[context]",
 * "host NAME". The level module is that of the leaf: "[ext4]", "[kernel]" for
 * the core kernel, "[user]" for user mode, and of an imported user frame its
 * object where its name has one: "[vdso]", "libc.so.6". A mark such as
 * "[irqs-off]" belongs to its caller's module. The level function is the leaf,
 * marks included, which weighs what report --flat shows as its self.
 *
 * Return: a summed tree, or NULL with @error: memory is short, or the tree
 * would be larger than tree_add() makes one.
 */
struct tree *fold_profile(const struct profile *profile,
			  const struct fold_options *options,
			  struct error *error);

/**
 * fold_slices() - the same of a profile that has slices, in the order of time.
 *
 * Above the grouping levels stand the slices, named "2.000 to 3.000 s".
 *
 * Return: a summed, ordered tree, or NULL with @error as above.
 */
struct tree *fold_slices(const struct profile *profile,
			 const struct fold_options *options,
			 struct error *error);

/**
 * fold_write() - folded text, one "root;...;leaf weight" line per stack.
 *
 * Each ';' in a name, each character that steers (utf8_steers()), each byte
 * that is no UTF-8, and what would be read back as a lost frame or a second
 * count is written as '_': a line is a stack whatever a comm holds, and
 * harmless wherever it is shown. That loses what it was; a saved profile keeps
 * every byte.
 *
 * Return: 0, -errno of the stream, or -EFBIG for a line that fold_read()
 * would refuse.
 */
int fold_write(const struct tree *tree, FILE *out);

/**
 * fold_read() - the opposite; adds to @tree, which tree_sum() then sums.
 *
 * Blank lines are skipped, and a stack of weight 0 adds nothing. Counts are
 * whole numbers: a weight is exact or refused, never rounded.
 *
 * Return: 0, -errno, or -EBADMSG with @error naming the line's number and
 * what is wrong with it; the tree then holds the lines before it.
 */
int fold_read(struct tree *tree, FILE *in, struct error *error);

/**
 * fold_read_some() - fold_read() of text that has other lines as well, as
 * flamegraph.pl takes it: comments, which begin with '#' and have no count, are
 * passed over, and lines without a count are ignored and noted.
 * @strict: refuse the latter.
 * @notes: gets a note of what was ignored, or NULL.
 *
 * Return: as fold_read(); also -EBADMSG where more lines were ignored than read.
 */
int fold_read_some(struct tree *tree, FILE *in, bool strict,
		   struct notes *notes, struct error *error);

#endif /* FLAMECTL_TREE_H */
