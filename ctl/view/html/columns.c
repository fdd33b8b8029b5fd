// SPDX-License-Identifier: GPL-2.0
/*
 * Convert a profile or folded text to columns: see view/html/columns.h.
 */
#include "view/html/columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static int columns_init(struct columns *columns, size_t frames, size_t nodes,
			size_t rows, size_t losses)
{
	*columns = (struct columns){
		.frames = calloc(frames + 1, sizeof(*columns->frames)),
		.nodes = calloc(nodes + 1, sizeof(*columns->nodes)),
		.rows = calloc(rows + 1, sizeof(*columns->rows)),
		.losses = calloc(losses + 1, sizeof(*columns->losses)),
	};
	return columns->frames && columns->nodes && columns->rows &&
	       columns->losses ? 0 : -ENOMEM;
}

static void add_frame(struct columns *columns, uint32_t name, enum tree_kind kind)
{
	columns->frames[columns->nr_frames++] = (struct columns_frame){ name, kind };
}

static void add_node(struct columns *columns, uint32_t parent, uint32_t frame)
{
	columns->nodes[columns->nr_nodes++] = (struct columns_node){ parent, frame };
}

static void add_row(struct columns *columns, const struct columns_row *row)
{
	columns->rows[columns->nr_rows++] = *row;
	columns->total = tree_weight_add(columns->total, row->weight);
}

static void add_lost(struct columns *columns, int64_t cpu, const char *reason,
		     size_t length, uint64_t weight)
{
	columns->losses[columns->nr_losses++] = (struct columns_lost){
		.cpu = cpu, .reason = reason, .length = length, .weight = weight,
	};
	columns->total = tree_weight_add(columns->total, weight);
}

/* ---- texts, each once ---- */

static int texts_init(struct columns_texts *texts, size_t most)
{
	texts->nr = 0;
	for (texts->nr_slots = 16; texts->nr_slots < most * 2;)
		texts->nr_slots *= 2;
	texts->slots = calloc(texts->nr_slots, sizeof(*texts->slots));
	texts->held = calloc(most + 1, sizeof(*texts->held));
	return texts->slots && texts->held ? 0 : -ENOMEM;
}

static void texts_deinit(struct columns_texts *texts)
{
	free(texts->slots);
	free(texts->held);
}

static uint32_t texts_find(struct columns_texts *texts, const char *value)
{
	size_t at = hash_text(value) & (texts->nr_slots - 1);

	for (; texts->slots[at]; at = (at + 1) & (texts->nr_slots - 1))
		if (!strcmp(texts->held[texts->slots[at] - 1], value))
			return texts->slots[at] - 1;
	texts->held[texts->nr] = value;
	texts->slots[at] = ++texts->nr;
	return texts->nr - 1;
}

/* ---- a profile ---- */

static enum tree_kind kind_of(enum flamemod_frame_kind kind)
{
	switch (kind) {
	case FLAMEMOD_FRAME_MARK:
		return TREE_MARK;
	case FLAMEMOD_FRAME_USER:
		return TREE_USER;
	case FLAMEMOD_FRAME_MODULE:
		return TREE_MODULE;
	default:
		return TREE_KERNEL;
	}
}

/*
 * Add frames and nodes. The nodes of records without frames, one per context,
 * follow the others.
 */
static void add_stacks(struct columns *columns, const struct profile *profile,
		       struct columns_texts *names)
{
	for (uint32_t i = 0; i < profile->nr_frames; i++)
		add_frame(columns, texts_find(names, profile->frames[i].name),
			  kind_of(profile->frames[i].kind));
	for (unsigned int i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++)
		add_frame(columns, texts_find(names, fold_bare(i)),
			  fold_bare_kind(i));
	for (uint32_t i = 0; i < profile->nr_nodes; i++)
		add_node(columns, profile->nodes[i].parent,
			 profile->nodes[i].frame);
	for (unsigned int i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++)
		add_node(columns, 0, profile->nr_frames + i);
}

static void add_records(struct columns *columns, const struct profile *profile,
			struct columns_texts *comms, struct columns_texts *hosts)
{
	for (uint32_t i = 0; i < profile->nr_records; i++) {
		const struct profile_record *record = &profile->records[i];
		const struct profile_task *task = &profile->tasks[record->task];
		struct columns_row row = {
			.node = record->node ?: profile->nr_nodes + record->context,
			.cpu = record->cpu, .context = record->context,
			.pid = task->pid, .tid = task->tid,
			.weight = record->periods,
		};

		if (!record->periods)
			continue;
		row.comm = texts_find(comms, task->comm);
		row.host = texts_find(hosts, profile_host(profile, task));
		add_row(columns, &row);
	}
}

/* Add lost periods. Those in no CPU's books are given an unknown CPU. */
static void add_losses(struct columns *columns, const struct profile *profile)
{
	for (unsigned int i = 0; i < __FLAMEMOD_LOST_MAX; i++) {
		const char *reason = profile_lost_name(i);
		uint64_t rest = profile->books.lost[i];

		for (uint32_t j = 0; j < profile->nr_cpus; j++) {
			uint64_t lost = profile->cpus[j].books.lost[i];

			if (lost)
				add_lost(columns, profile->cpus[j].cpu, reason,
					 strlen(reason), lost);
			rest -= rest < lost ? rest : lost;
		}
		if (rest)
			add_lost(columns, -1, reason, strlen(reason), rest);
	}
}

/* ---- folded text ---- */

/* Add a frame per node, except commands, which the page groups by. */
static void add_tree_nodes(struct columns *columns, const struct tree *tree,
			   struct columns_texts *names, struct columns_texts *comms,
			   uint32_t *comm_of)
{
	const struct tree_node *nodes = tree->nodes;

	add_node(columns, 0, 0);
	add_frame(columns, texts_find(names, nodes[0].name), TREE_ROOT);
	comm_of[0] = texts_find(comms, "[unknown]");
	for (uint32_t i = 1; i < tree->nr_nodes; i++) {
		bool is_comm = !nodes[i].parent && nodes[i].kind == TREE_TASK;
		uint32_t parent = nodes[i].parent;

		comm_of[i] = is_comm ? texts_find(comms, nodes[i].name) :
			     comm_of[parent];
		if (parent && !nodes[parent].parent &&
		    nodes[parent].kind == TREE_TASK)
			parent = 0;
		add_node(columns, parent, i);
		add_frame(columns, texts_find(names, nodes[i].name),
			  nodes[i].kind);
	}
}

/* Add a lost node; its reason is "overload" in "[lost: overload]". */
static void add_lost_node(struct columns *columns, const struct tree_node *node)
{
	const char *colon = strchr(node->name, ':');
	const char *reason = colon ? colon + 2 : node->name;

	add_lost(columns, -1, reason, strcspn(reason, "]"), node->self);
}

static void add_tree_records(struct columns *columns, const struct tree *tree,
			     const uint32_t *comm_of)
{
	const struct tree_node *nodes = tree->nodes;

	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		bool is_comm = i && !nodes[i].parent && nodes[i].kind == TREE_TASK;

		if (!nodes[i].self)
			continue;
		if (nodes[i].kind == TREE_LOST && !nodes[i].parent)
			add_lost_node(columns, &nodes[i]);
		else
			add_row(columns, &(struct columns_row){
				.node = is_comm ? 0 : i, .comm = comm_of[i],
				.weight = nodes[i].self,
			});
	}
}

int columns_of_profile(struct columns *columns, const struct profile *profile)
{
	size_t bare = __FLAMEMOD_CONTEXT_MAX;
	int err = columns_init(columns, profile->nr_frames + bare,
			       profile->nr_nodes + bare, profile->nr_records,
			       ((size_t)profile->nr_cpus + 1) * __FLAMEMOD_LOST_MAX);

	err = err ?: texts_init(&columns->names, profile->nr_frames + bare);
	err = err ?: texts_init(&columns->comms, profile->nr_tasks);
	err = err ?: texts_init(&columns->hosts, profile->nr_tasks);
	if (err)
		return err;
	add_stacks(columns, profile, &columns->names);
	add_records(columns, profile, &columns->comms, &columns->hosts);
	add_losses(columns, profile);
	return 0;
}

int columns_of_tree(struct columns *columns, const struct tree *tree)
{
	uint32_t *comm_of = calloc(tree->nr_nodes, sizeof(*comm_of));
	int err = columns_init(columns, tree->nr_nodes, tree->nr_nodes,
			       tree->nr_nodes, tree->nr_nodes);

	err = err ?: texts_init(&columns->names, tree->nr_nodes);
	err = err ?: texts_init(&columns->comms, (size_t)tree->nr_nodes + 1);
	err = err ?: texts_init(&columns->hosts, 1);
	if (!comm_of)
		err = -ENOMEM;
	if (!err) {
		add_tree_nodes(columns, tree, &columns->names, &columns->comms, comm_of);
		add_tree_records(columns, tree, comm_of);
		texts_find(&columns->hosts, "[unknown]");
	}
	free(comm_of);
	return err;
}

void columns_deinit(struct columns *columns)
{
	free(columns->frames);
	free(columns->nodes);
	free(columns->rows);
	free(columns->losses);
	texts_deinit(&columns->names);
	texts_deinit(&columns->comms);
	texts_deinit(&columns->hosts);
}
