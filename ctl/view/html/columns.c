// SPDX-License-Identifier: GPL-2.0
/*
 * Convert a profile or folded text to columns: see view/html/columns.h.
 */
#include "view/html/columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tree/fold_level.h"

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

/* Get the number of a text; if memory is short, set columns->err. */
static uint32_t number_of(struct columns *columns, struct intern *texts,
			  const char *text)
{
	uint32_t number = 0;
	int err = intern_add(texts, text, strlen(text), &number);

	if (err)
		columns->err = err;
	return number;
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

/* ---- a profile ---- */

/* The numbers of a task's texts, each plus one. */
struct task_texts {
	uint32_t comm, host, cgroup;
};

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
static void add_stacks(struct columns *columns, const struct profile *profile)
{
	struct intern *names = &columns->names;

	for (uint32_t i = 0; i < profile->nr_frames; i++)
		add_frame(columns, number_of(columns, names, profile->frames[i].name),
			  kind_of(profile->frames[i].kind));
	for (unsigned int i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++)
		add_frame(columns, number_of(columns, names, fold_bare(i)),
			  fold_bare_kind(i));
	for (uint32_t i = 0; i < profile->nr_nodes; i++)
		add_node(columns, profile->nodes[i].parent,
			 profile->nodes[i].frame);
	for (unsigned int i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++)
		add_node(columns, 0, profile->nr_frames + i);
}

/* As the level is named in other views. */
static uint32_t number_of_cgroup(struct columns *columns, const struct profile *profile,
				 const struct profile_record *record)
{
	char text[FOLD_LEVEL_TEXT];
	uint32_t number = 0;
	size_t length;
	const char *name = fold_level_text(profile, record, FOLD_CGROUP, text, &length);
	int err = intern_add(&columns->cgroups, name, length, &number);

	if (err)
		columns->err = err;
	return number;
}

/*
 * Add records. @known: by task, the numbers of its texts if they are known;
 * all 0 at first.
 */
static void add_records(struct columns *columns, const struct profile *profile,
			struct task_texts *known)
{
	for (uint32_t i = 0; i < profile->nr_records; i++) {
		const struct profile_record *record = &profile->records[i];
		const struct profile_task *task = &profile->tasks[record->task];
		struct task_texts *texts = &known[record->task];
		struct columns_row row = {
			.node = record->node ?: profile->nr_nodes + record->context,
			.cpu = record->cpu, .context = record->context,
			.pid = task->pid, .tid = task->tid,
			.weight = record->periods,
		};

		if (!record->periods)
			continue;
		if (!texts->comm) {
			texts->comm = 1 + number_of(columns, &columns->comms,
						    task->comm);
			texts->host = 1 + number_of(columns, &columns->hosts,
						    profile_host(profile, task));
			texts->cgroup = 1 + number_of_cgroup(columns, profile, record);
		}
		row.comm = texts->comm - 1;
		row.host = texts->host - 1;
		row.cgroup = texts->cgroup - 1;
		add_row(columns, &row);
	}
}

/* Add lost periods. Those in no CPU's books are given an unknown CPU. */
static void add_losses(struct columns *columns, const struct profile *profile)
{
	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++) {
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
			   uint32_t *comm_of)
{
	struct intern *names = &columns->names, *comms = &columns->comms;
	const struct tree_node *nodes = tree->nodes;

	add_node(columns, 0, 0);
	add_frame(columns, number_of(columns, names, nodes[0].name), TREE_ROOT);
	comm_of[0] = number_of(columns, comms, "[unknown]");
	for (uint32_t i = 1; i < tree->nr_nodes; i++) {
		bool is_comm = !nodes[i].parent && nodes[i].kind == TREE_TASK;
		uint32_t parent = nodes[i].parent;

		comm_of[i] = is_comm ? number_of(columns, comms, nodes[i].name) :
			     comm_of[parent];
		if (parent && !nodes[parent].parent &&
		    nodes[parent].kind == TREE_TASK)
			parent = 0;
		add_node(columns, parent, i);
		add_frame(columns, number_of(columns, names, nodes[i].name),
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
	struct task_texts *known = calloc((size_t)profile->nr_tasks + 1,
					  sizeof(*known));
	int err = columns_init(columns, profile->nr_frames + bare,
			       profile->nr_nodes + bare, profile->nr_records,
			       ((size_t)profile->nr_cpus + 1) * PROFILE_LOST_MAX);

	if (!known)
		err = -ENOMEM;
	if (!err) {
		add_stacks(columns, profile);
		add_records(columns, profile, known);
		add_losses(columns, profile);
		err = columns->err;
	}
	free(known);
	return err;
}

int columns_of_tree(struct columns *columns, const struct tree *tree)
{
	uint32_t *comm_of = calloc(tree->nr_nodes, sizeof(*comm_of));
	int err = columns_init(columns, tree->nr_nodes, tree->nr_nodes,
			       tree->nr_nodes, tree->nr_nodes);

	if (!comm_of)
		err = -ENOMEM;
	if (!err) {
		add_tree_nodes(columns, tree, comm_of);
		add_tree_records(columns, tree, comm_of);
		number_of(columns, &columns->hosts, "[unknown]");
		number_of(columns, &columns->cgroups, "[unknown]");
		err = columns->err;
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
	intern_deinit(&columns->names);
	intern_deinit(&columns->comms);
	intern_deinit(&columns->hosts);
	intern_deinit(&columns->cgroups);
}
