// SPDX-License-Identifier: GPL-2.0
/*
 * Read folded text as a profile. All frames stay frames, so that the tree is
 * the same as that of the text. The first frame becomes the comm only if that
 * is certain: if the user says so, or if the text looks like our own. Our own
 * text is turned back into what it was written from, as far as the text has it:
 * levels, contexts, kinds and lost periods. bcc's profile -f puts "-" between a
 * program's frames and the kernel's, and its -a appends "_[k]" to the latter.
 */
#include "format/import/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tree/kind.h"
#include "tree/tree.h"

struct folded {
	struct import import;
	const struct tree *tree;
	uint32_t *path;			/* has room for the deepest stack */
	bool bcc;
	bool comm_first;		/* and our other levels follow it */
	bool told;			/* the user said so: it is first even if it is alone */
};

/*
 * Recognise our own text. Everything below a comm is a level such as "pid 12",
 * or some comms have a lone "[user]" or "[idle]", or every root is a host; and
 * no stack consists of a root alone.
 */
static bool is_ours(const struct tree *tree)
{
	const struct tree_node *nodes = tree->nodes;
	uint32_t nr_levels = 0, nr_others = 0, nr_bare = 0, i;
	uint32_t nr_hosts = 0, nr_roots = 0;

	for (i = 1; i < tree->nr_nodes; i++) {
		uint32_t parent = nodes[i].parent;
		/* depth 1: an unknown comm, "[unknown]", is not a level */
		struct kind_state below = { .nr_levels = 1 };
		bool is_level = kind_of_frame(&below, nodes[i].name) == TREE_TASK;

		if (!parent && nodes[i].self && nodes[i].kind != TREE_LOST)
			return false;
		if (!parent && nodes[i].kind != TREE_LOST) {
			nr_roots++;
			nr_hosts += !strncmp(nodes[i].name, "host ", 5);
		}
		if (!parent || nodes[parent].parent)
			continue;
		nr_levels += is_level;
		/* a CPU's lost periods are below its level */
		nr_others += !is_level && nodes[i].kind != TREE_LOST;
		nr_bare += nodes[i].self && (!strcmp(nodes[i].name, "[user]") ||
					     !strcmp(nodes[i].name, "[idle]"));
	}
	return nr_bare || (nr_levels && !nr_others) ||
	       (nr_roots && nr_hosts == nr_roots);
}

static bool is_delimiter(const char *name)
{
	return !strcmp(name, "-") || !strcmp(name, "--");
}

/* Read the number of a level such as "pid 12", if @name is that level. */
static bool level_number(const char *name, const char *level, uint32_t max,
			 uint32_t *number)
{
	uint64_t value;
	size_t length = strlen(level);

	if (strncmp(name, level, length) || name[length] != ' ' ||
	    import_number(name + length + 1, &value) || value > max)
		return false;
	*number = (uint32_t)value;
	return true;
}

static bool level_context(const char *name, int *context)
{
	size_t length = strlen(name);
	unsigned int i;

	for (i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++) {
		const char *word = profile_context_name(i);

		if (*name == '[' && strlen(word) == length - 2 &&
		    !strncmp(name + 1, word, length - 2)) {
			*context = (int)i;
			return true;
		}
	}
	return false;
}

/*
 * @below: number of frames below this one; if there are none, "[idle]" is the
 * stack itself.
 */
static bool read_level(const char *name, size_t below,
		       struct import_sample *sample)
{
	if (!sample->host && !strncmp(name, "host ", 5)) {
		sample->host = strcmp(name + 5, "[unknown]") ? name + 5 : "";
		return true;
	}
	return level_number(name, "pid", UINT32_MAX, &sample->pid) ||
	       level_number(name, "tid", UINT32_MAX, &sample->tid) ||
	       level_number(name, "cpu", UINT16_MAX, &sample->cpu) ||
	       (below && level_context(name, &sample->context));
}

static int push_bcc(struct folded *folded, const char *name, unsigned int kind,
		    bool below)
{
	size_t length = strlen(name);
	char *copy;
	int err;

	if (length > 4 && !strcmp(name + length - 4, "_[k]")) {
		copy = strndup(name, length - 4);
		if (!copy)
			return -ENOMEM;
		err = import_push(&folded->import, copy, FLAMEMOD_FRAME_KERNEL);
		free(copy);
		return err;
	}
	if (below && kind == FLAMEMOD_FRAME_USER)
		kind = FLAMEMOD_FRAME_KERNEL;
	return import_push(&folded->import, name, kind);
}

static unsigned int frame_kind(const struct tree_node *node)
{
	switch (node->kind) {
	case TREE_MODULE:
		return FLAMEMOD_FRAME_MODULE;
	case TREE_USER:
		return FLAMEMOD_FRAME_USER;
	case TREE_KERNEL:
		return FLAMEMOD_FRAME_KERNEL;
	case TREE_TASK:		/* alone, it is the stack */
		return IMPORT_GUESS;
	case TREE_IDLE:
		return strstr(node->name, " [") ? FLAMEMOD_FRAME_MODULE :
						  FLAMEMOD_FRAME_KERNEL;
	default:
		return FLAMEMOD_FRAME_MARK;
	}
}

/* Mark the frames above a delimiter as the program's. */
static void mark_user(struct import *import)
{
	size_t i;

	for (i = 0; i < import->nr_frames; i++)
		if (import->frames[i].kind != FLAMEMOD_FRAME_MARK)
			import->frames[i].kind = FLAMEMOD_FRAME_USER;
}

static int push_node(struct folded *folded, const struct tree_node *node,
		     bool *below)
{
	if (folded->bcc && is_delimiter(node->name)) {
		mark_user(&folded->import);
		*below = true;
		return 0;
	}
	if (folded->bcc)
		return push_bcc(folded, node->name, frame_kind(node), *below);
	return import_push(&folded->import, node->name, frame_kind(node));
}

static int push_frames(struct folded *folded, size_t depth,
		       struct import_sample *sample)
{
	const struct tree_node *node;
	bool levels = folded->comm_first, below = false;
	bool first = levels && depth > 1;
	int err = 0;

	for (; depth && !err; first = false) {
		node = &folded->tree->nodes[folded->path[--depth]];
		if (levels && read_level(node->name, depth, sample))
			continue;
		/* an empty comm is written like this */
		if (first && !strcmp(node->name, "[unknown]"))
			continue;
		if (levels && (depth || folded->told) && node->kind == TREE_TASK &&
		    !*sample->comm) {
			sample->comm = node->name;
			continue;
		}
		levels = false;
		err = push_node(folded, node, &below);
	}
	/* Without frames it would be time in user mode, which nobody said. */
	if (!err && folded->told && levels && *sample->comm)
		err = import_push(&folded->import, "[unknown]",
				  FLAMEMOD_FRAME_MARK);
	return err;
}

/*
 * Drop "[user]" or "[idle]" if it is the only frame: the sample has no kernel stack.
 * "[user]" may have its context above it.
 */
static void drop_bare(struct import *import, struct import_sample *sample)
{
	size_t levels = !!*sample->comm;
	size_t i;

	if (import->nr_frames == 1 && !strcmp(import_name(import, 0), "[idle]")) {
		import_drop(import);
		sample->context = FLAMEMOD_CONTEXT_IDLE;
		return;
	}
	for (i = 0; i < import->nr_frames; i++)
		if (i == 1 + levels || strcmp(import_name(import, i), "[user]"))
			return;
	if (!i)
		return;
	import_drop(import);
	sample->context = FLAMEMOD_CONTEXT_USER;
}

/* Add lost periods. @lost: set to whether @node is one of our reasons. */
static int add_lost(struct folded *folded, const struct tree_node *node,
		    const struct import_sample *sample, bool *lost)
{
	struct profile_cpu cpu = { .cpu = sample->cpu };
	char name[64];
	unsigned int i;

	*lost = false;
	for (i = 0; i < PROFILE_LOST_MAX; i++) {
		snprintf(name, sizeof(name), "[lost: %s]", profile_lost_name(i));
		if (node->kind != TREE_LOST || strcmp(node->name, name))
			continue;
		*lost = true;
		cpu.books.expected = cpu.books.fires = node->self;
		cpu.books.lost[i] = node->self;
		return profile_add_cpu(folded->import.profile, &cpu);
	}
	return 0;
}

static int add_stack(struct folded *folded, uint32_t leaf)
{
	const struct tree_node *node = &folded->tree->nodes[leaf];
	struct import_sample sample = {
		.comm = "", .context = -1,
		.count = node->self, .periods = node->self,
	};
	size_t depth = 0;
	uint32_t at;
	bool lost;
	int err;

	for (at = leaf; at; at = folded->tree->nodes[at].parent)
		folded->path[depth++] = at;
	err = push_frames(folded, depth, &sample);
	if (err)
		return err;
	err = add_lost(folded, node, &sample, &lost);
	if (err || lost) {
		import_drop(&folded->import);
		return err;
	}
	drop_bare(&folded->import, &sample);
	return import_add(&folded->import, &sample);
}

static int add_stacks(struct folded *folded)
{
	uint32_t i;
	int err = 0;

	for (i = 1; i < folded->tree->nr_nodes && !err; i++)
		if (folded->tree->nodes[i].self)
			err = add_stack(folded, i);
	return err;
}

static int read_all(FILE *in, const struct import_options *options,
		    struct profile *profile, struct error *error, bool bcc)
{
	struct tree *tree = tree_create();
	struct folded folded = { .tree = tree, .bcc = bcc };
	int err = tree ? fold_read_some(tree, in, options->strict,
					options->notes, error) : -ENOMEM;

	if (!tree)
		return error_set(error, err, "%s", strerror(-err));
	if (err) {
		tree_destroy(tree);
		return err;
	}
	import_init(&folded.import, in, options, profile, error);
	folded.comm_first = !options->no_comm &&
			    (bcc || options->comm_first || is_ours(tree));
	folded.told = folded.comm_first && options->comm_first;
	folded.path = calloc(TREE_DEPTH_MAX, sizeof(*folded.path));
	err = folded.path ? add_stacks(&folded) : -ENOMEM;
	if (err == -ENOMEM)
		error_set(error, err, "%s", strerror(-err));
	import_period(&folded.import, 0);
	import_deinit(&folded.import);
	free(folded.path);
	tree_destroy(tree);
	return err;
}

int import_folded(FILE *in, const struct import_options *options,
		  struct profile *profile, struct error *error)
{
	return read_all(in, options, profile, error, false);
}

int import_bcc(FILE *in, const struct import_options *options,
	       struct profile *profile, struct error *error)
{
	return read_all(in, options, profile, error, true);
}

/* Only bcc puts a frame "-" between the program's frames and the kernel's. */
bool import_bcc_probe(const char *head, size_t size)
{
	(void)size;
	return strstr(head, ";-;") || strstr(head, ";--;");
}
