// SPDX-License-Identifier: GPL-2.0
/*
 * Match whole stacks against --path: the frames from the root to the leaf,
 * joined by ';' as in folded text, without comm and weight. Each node at which
 * a stack ends is matched once, however many records end there. A frame's name is
 * not copied; the text of a stack is built in one buffer for all stacks.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "select/private.h"

/* The frames of one stack, pushed from the leaf to the root, and their text. */
struct path {
	const char **names;
	uint32_t nr, max_names;
	char *text;
	size_t size;
};

static int push(struct path *path, const char *name)
{
	if (path->nr == path->max_names) {
		uint32_t room = path->max_names ? 2 * path->max_names : 128;
		const char **names = reallocarray(path->names, room,
						  sizeof(*names));

		if (!names)
			return -ENOMEM;
		path->names = names;
		path->max_names = room;
	}
	path->names[path->nr++] = name;
	return 0;
}

/*
 * Join the pushed frames and clear them. Return: whether they match, or
 * -ENOMEM.
 */
static int join_and_match(const struct criteria *criteria, struct path *path)
{
	size_t needed = 1, used = 0;

	for (uint32_t i = 0; i < path->nr; i++)
		needed += strlen(path->names[i]) + 1;
	if (needed > path->size) {
		char *text = realloc(path->text, 2 * needed);

		if (!text)
			return -ENOMEM;
		path->text = text;
		path->size = 2 * needed;
	}
	path->text[0] = '\0';
	while (path->nr) {
		const char *name = path->names[--path->nr];

		if (used)
			path->text[used++] = ';';
		used = (size_t)(stpcpy(path->text + used, name) - path->text);
	}
	return select_path_matches(criteria, path->text);
}

static void path_deinit(struct path *path)
{
	free(path->names);
	free(path->text);
}

static int match_node(const struct criteria *criteria,
		      const struct profile *profile, uint32_t node,
		      struct path *path)
{
	int err = 0;

	for (; node && !err; node = profile->nodes[node].parent)
		err = push(path, select_shown(profile->frames[
					profile->nodes[node].frame].name));
	return err ?: join_and_match(criteria, path);
}

int select_paths_of_profile(const struct criteria *criteria,
			    const struct profile *profile, uint8_t **paths)
{
	uint8_t *known = calloc(profile->nr_nodes, 1);
	struct path path = { 0 };
	int matches = 0;

	*paths = known;
	if (!known)
		return -ENOMEM;
	for (uint32_t i = 0; i < profile->nr_records && matches >= 0; i++) {
		uint32_t node = profile->records[i].node;

		/* known[]: 1 means no match, 2 means a match */
		if (!node || known[node])
			continue;
		matches = match_node(criteria, profile, node, &path);
		known[node] = matches > 0 ? 2 : 1;
	}
	path_deinit(&path);
	return matches < 0 ? matches : 0;
}

bool select_path_kept(const struct criteria *criteria, const uint8_t *paths,
		      const struct profile_record *record)
{
	if (!select_asked(criteria, SELECT_PATH))
		return true;
	return record->node ? paths[record->node] == 2 :
	       select_path_matches(criteria, fold_bare(record->context));
}

int select_paths_of_tree(const struct criteria *criteria,
			 const struct tree *tree, uint8_t **paths)
{
	const struct tree_node *nodes = tree->nodes;
	uint8_t *known = calloc(tree->nr_nodes, 1);
	struct path path = { 0 };
	int matches = 0;

	*paths = known;
	if (!known)
		return -ENOMEM;
	for (uint32_t i = 1; i < tree->nr_nodes && matches >= 0; i++) {
		if (!nodes[i].self)
			continue;
		for (uint32_t at = i; at && matches >= 0; at = nodes[at].parent)
			matches = push(&path, nodes[at].name);
		if (matches >= 0)
			matches = join_and_match(criteria, &path);
		known[i] = matches > 0;
	}
	path_deinit(&path);
	return matches < 0 ? matches : 0;
}
