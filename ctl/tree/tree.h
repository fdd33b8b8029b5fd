/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call tree with weights. Folded text, graphs and reports are made from it.
 * fold.c makes a tree of a profile; folded text is read into a tree.
 */
#ifndef FLAMECTL_TREE_H
#define FLAMECTL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "profile/profile.h"

/*
 * What a frame is, for its colour. Derived from names only if there is no
 * profile.
 */
enum tree_kind {
	TREE_ROOT,		/* the tree's own root, "all" */
	TREE_TASK,		/* a grouping level: comm, pid, tid, cpu, cgroup */
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
	uint32_t parent;	/* less than this node's own number */
	uint32_t child;		/* the first child, 0 for none */
	uint32_t sibling;	/* the next child of the parent, 0 for none */
	uint64_t self;		/* weight of stacks that end here */
	uint64_t total;		/* self plus all below; set by tree_sum() */
};

struct notes;
struct tree_index;		/* private to tree.c */

/* Node 0 is the root. */
struct tree {
	struct tree_node *nodes;
	uint32_t nr_nodes;
	bool ordered;		/* set before the first tree_add(), see there */
	struct tree_index *index;
};

/* As many as a profile has. */
#define TREE_NODES_MAX	PROFILE_NODES_MAX

/* The deepest stack that is read, including levels; far above any real one. */
#define TREE_DEPTH_MAX	16384

/**
 * tree_create() - create a tree of only a root.
 *
 * Return: NULL without memory.
 */
struct tree *tree_create(void);

/** tree_destroy() - free @tree and its names; NULL is fine. */
void tree_destroy(struct tree *tree);

/**
 * tree_add() - find or add the child of @parent with this name and kind.
 *
 * In an ordered tree, children keep the order in which they were added and a
 * name may occur again, so only the child added last can be found.
 *
 * Return: 0 with @id set, -ENOMEM, or -EOVERFLOW for more than TREE_NODES_MAX.
 */
int tree_add(struct tree *tree, uint32_t parent, const char *name,
	     enum tree_kind kind, uint32_t *id);

/**
 * tree_find() - find the child of @parent with this name, of any kind, if the
 * children are few. It costs less than tree_add(), which finds it in any case.
 * @text: @length bytes.
 *
 * Return: the child, or 0 for none or many children.
 */
uint32_t tree_find(const struct tree *tree, uint32_t parent, const char *text,
		   size_t length);

/**
 * tree_name() - get the number of a name, from 0; add the name if it is new.
 * @text: @length bytes, none of them NUL; copied.
 *
 * Return: 0 with @name set, -ENOMEM, or -EOVERFLOW for more than 2^28 names.
 */
int tree_name(struct tree *tree, const char *text, size_t length,
	      uint32_t *name);

/** tree_add_named() - as tree_add(), with the name given by its number. */
int tree_add_named(struct tree *tree, uint32_t parent, uint32_t name,
		   enum tree_kind kind, uint32_t *id);

/**
 * tree_sum() - compute all totals and sort siblings by name, or in an ordered
 * tree by the order in which they were added. Call it once.
 *
 * Totals saturate at 2^64 - 1; layout_create() refuses such a tree.
 */
void tree_sum(struct tree *tree);

/**
 * tree_number_names() - get the number, as from tree_name(), of each node's
 * name.
 * @numbers: set, by node.
 *
 * Return: how many names there are, including any left over from nodes that
 * were refused.
 */
uint32_t tree_number_names(const struct tree *tree, uint32_t *numbers);

/**
 * tree_reverse() - make a tree of the same stacks, each from its leaf to its
 * root, groups last. It shows the callers of expensive functions. An ordered
 * tree keeps its order.
 * @reversed: set on success, summed; may be freed before or after @tree.
 *
 * Return: 0, -ENOMEM, or -EOVERFLOW for more than TREE_NODES_MAX.
 */
int tree_reverse(struct tree **reversed, const struct tree *tree);

/** tree_weight_add() - return @a + @b, or 2^64 - 1 if the sum is larger. */
static inline uint64_t tree_weight_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Grouping levels, which are put above the stack in the order asked for. */
enum fold_level { FOLD_COMM, FOLD_PID, FOLD_TID, FOLD_CPU, FOLD_CONTEXT,
		  FOLD_HOST, FOLD_CGROUP, FOLD_MODULE, FOLD_FUNCTION, FOLD_LEVEL_MAX };

struct fold_options {
	enum fold_level by[FOLD_LEVEL_MAX];
	unsigned int nr_by;
	bool by_count;		/* weights are counts instead of periods */
	bool groups_only;	/* no stacks below the levels */
};

/* The values of --by and --weight, in the form of struct command_option. */
#define FOLD_BY_VALUES		"comm,pid,tid,cpu,context,host,cgroup,module,function,none"
#define FOLD_WEIGHT_VALUES	"periods count"

/**
 * fold_options_by() - parse "comm,cpu" or "none"; perf's "dso", "sym" and
 * "symbol" mean module and function. The error of -EINVAL names the word.
 */
int fold_options_by(struct fold_options *options, const char *text,
		    struct error *error);

/** fold_is_by() - report whether a level is one of those that are grouped by. */
bool fold_is_by(const struct fold_options *options, enum fold_level level);

/** fold_level_name() - return the name of a level. */
const char *fold_level_name(enum fold_level level);

/**
 * fold_bare() - return the single frame that stands for a record without
 * frames: "[user]", "[idle]", or in other contexts "[unknown]".
 */
const char *fold_bare(enum flamemod_context context);
enum tree_kind fold_bare_kind(enum flamemod_context context);

/**
 * fold_has_comms() - report whether any task's comm is known; if not, show
 * none.
 */
bool fold_has_comms(const struct profile *profile);

/**
 * fold_check() - check that a profile has what options ask for: that of another program may
 * have no numbers of samples. Ask before a part of it is selected, as that may have none.
 *
 * Return: 0, or -ENODATA with @error.
 */
int fold_check(const struct profile *profile, const struct fold_options *options,
	       struct error *error);

/**
 * fold_profile() - make a tree of a profile's records and its lost periods.
 *
 * Lost periods become root frames "[lost: reason]" (below "cpu N" when grouped
 * by CPU). They stay periods when samples are counted, as it is not known how many samples
 * they would have been; of an event, lost intervals or hits are counted. A record without frames becomes the frame fold_bare() returns.
 *
 * Grouping levels are named "comm", "pid N", "tid N", "cpu N", "[context]",
 * "host NAME". The cgroup level is its path, of a container the short form that
 * cgroup_short() makes; idle time, which is in none, is "[idle]". The module level is the leaf's module: "[ext4]", "[kernel]" for
 * the core kernel, "[user]" for user mode; for a user frame it is the file of its
 * object, or the one in its name, if there is one: "[vdso]", "libc.so.6". A mark
 * such as "[irqs-off]" belongs to its caller's module. The function level is the leaf,
 * even if it is a mark, so its weight is what report --flat shows as self.
 *
 * Return: a summed tree, or NULL with @error: memory is short, or the tree
 * would exceed the limit of tree_add().
 */
struct tree *fold_profile(const struct profile *profile,
			  const struct fold_options *options,
			  struct error *error);

/**
 * fold_slices() - make a tree, in the order of time, of a profile with slices.
 *
 * Like fold_profile(), with the slices above the grouping levels, named "2.000
 * to 3.000 s".
 *
 * Return: a summed, ordered tree, or NULL with @error as above.
 */
struct tree *fold_slices(const struct profile *profile,
			 const struct fold_options *options,
			 struct error *error);

/**
 * fold_write() - write folded text, one "root;...;leaf weight" line per stack.
 *
 * Some characters are written as '_', so that each line is one stack whatever a
 * comm holds, and harmless wherever it is shown: each ';' in a name, each
 * control character (utf8_steers()), each byte that is not UTF-8, and what
 * would be read back as a lost frame or a second count. The original is lost; a
 * saved profile keeps every byte.
 *
 * Return: 0, -errno of the stream, or -EFBIG for a line that fold_read() would
 * refuse.
 */
int fold_write(const struct tree *tree, FILE *out);

/**
 * fold_read() - read folded text and add it to @tree; call tree_sum()
 * afterwards.
 *
 * Blank lines are skipped, and a stack of weight 0 adds nothing. Counts must be
 * whole numbers: a weight is never rounded; other counts are refused.
 *
 * Return: 0, -errno, or -EBADMSG with @error naming the line's number and
 * what is wrong with it; the tree then holds the lines before it.
 */
int fold_read(struct tree *tree, FILE *in, struct error *error);

/**
 * fold_read_some() - read folded text that has other lines too, as
 * flamegraph.pl does: comments (lines that start with '#' and have no count)
 * are skipped; other lines without a count are ignored and noted.
 * @strict: refuse such other lines.
 * @notes: gets a note of what was ignored, or NULL.
 *
 * Return: as fold_read(); also -EBADMSG if more lines were ignored than read.
 */
int fold_read_some(struct tree *tree, FILE *in, bool strict,
		   struct notes *notes, struct error *error);

#endif /* FLAMECTL_TREE_H */
