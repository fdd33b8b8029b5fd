// SPDX-License-Identifier: GPL-2.0
/*
 * Convert the samples of a saved profile to records: exactly if the file is
 * ours, else as far as possible.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/pprof/layout.h"
#include "format/pprof/locations.h"
#include "format/pprof/reader.h"
#include "format/pprof/samples.h"
#include "profile/books.h"
#include "profile/slices.h"
#include "tree/tree.h"

/* Limits of one stack, and of all stacks, as a file may be hostile. */
#define FRAMES_MAX	(TREE_DEPTH_MAX - FOLD_LEVEL_MAX)
#define NODES_MAX	PROFILE_NODES_MAX

/* The labels of a sample. */
struct labels {
	const char *comm, *context, *lost, *host, *cgroup;
	int64_t pid, tid, cpu;
	int64_t slice;			/* negative if there is none */
};

static enum pprof_label_role role_of(const struct pprof_reader *r, const char *key)
{
	static const struct {
		const char *key;
		enum pprof_label_role role;
		bool ours_only, others_only;
	} roles[] = {
		{ "comm", PPROF_ROLE_COMM },
		{ "thread", PPROF_ROLE_COMM, .others_only = true },
		{ "context", PPROF_ROLE_CONTEXT },
		{ "lost", PPROF_ROLE_LOST, .ours_only = true },
		{ "host", PPROF_ROLE_HOST, .ours_only = true },
		{ "cgroup", PPROF_ROLE_CGROUP },
		{ "pid", PPROF_ROLE_PID },
		{ "tid", PPROF_ROLE_TID },
		{ "cpu", PPROF_ROLE_CPU },
		{ PPROF_SLICE_KEY, PPROF_ROLE_SLICE },
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (!strcmp(key, roles[i].key) &&
		    !(r->ours ? roles[i].others_only : roles[i].ours_only))
			return roles[i].role;
	return PPROF_ROLE_OTHER;
}

/* Get the role of a sample's label number @at. Return: 0 or -EBADMSG. */
static int find_role(struct pprof_reader *r, int64_t key, size_t at,
		     enum pprof_label_role *role)
{
	const char *text;

	/* 0 is of a place without a label yet, and the index of "" */
	if (at < PPROF_KNOWN_LABELS && key && r->known.labels[at].key == key) {
		*role = r->known.labels[at].role;
		return 0;
	}
	text = pprof_string(r, key);
	if (!text)
		return -EBADMSG;
	*role = role_of(r, text);
	if (at < PPROF_KNOWN_LABELS) {
		r->known.labels[at].key = key;
		r->known.labels[at].role = *role;
	}
	return 0;
}

/* Read a sample's label number @at. */
static int read_label(struct pprof_reader *r, const struct pprof_label *label,
		      size_t at, struct labels *labels)
{
	enum pprof_label_role role;
	int err = find_role(r, label->key, at, &role);
	const char *text = err ? NULL : pprof_string(r, label->str);

	if (!text)
		return -EBADMSG;
	switch (role) {
	case PPROF_ROLE_COMM:
		labels->comm = text;
		break;
	case PPROF_ROLE_CONTEXT:
		labels->context = text;
		break;
	case PPROF_ROLE_LOST:
		labels->lost = text;
		break;
	case PPROF_ROLE_HOST:
		labels->host = text;
		break;
	case PPROF_ROLE_CGROUP:
		labels->cgroup = text;
		break;
	case PPROF_ROLE_PID:
		labels->pid = label->num;
		break;
	case PPROF_ROLE_TID:
		labels->tid = label->num;
		break;
	case PPROF_ROLE_CPU:
		labels->cpu = label->num;
		break;
	case PPROF_ROLE_SLICE:
		labels->slice = label->num;
		break;
	case PPROF_ROLE_OTHER:
		break;
	}
	return 0;
}

static int read_labels(struct pprof_reader *r,
		       const struct pprof_sample *sample, struct labels *labels)
{
	size_t i;
	int err = 0;

	*labels = (struct labels){ .slice = -1 };
	for (i = 0; i < sample->n_label && !err; i++)
		err = read_label(r, &r->message->labels[sample->label + i], i,
				 labels);
	if (err)
		return err;
	if (labels->pid >= 0 && labels->pid <= UINT32_MAX &&
	    labels->tid >= 0 && labels->tid <= UINT32_MAX &&
	    labels->cpu >= 0 && labels->cpu <= UINT16_MAX)
		return 0;
	if (r->ours)
		return error_set(r->error, -EBADMSG,
				 "a sample's pid, tid or cpu is out of range");
	labels->pid = labels->tid = labels->cpu = 0;
	return 0;
}

/* Add one location on top of those in r->steps, away from the root. */
static int read_step(struct pprof_reader *r, uint64_t location)
{
	struct pprof_step step = { .location = location };
	size_t place = pprof_find_location(r, location), frame;
	const struct pprof_stack *stack;
	int err;

	if (place == SIZE_MAX)
		return error_set(r->error, -EBADMSG, "location %" PRIu64
				 " is referred to, there is none", location);
	stack = &r->stacks[place];
	if (r->nr_steps) {
		step.node = r->steps[r->nr_steps - 1].node;
		step.depth = r->steps[r->nr_steps - 1].depth;
	}
	if (stack->nr > FRAMES_MAX - step.depth || r->profile->nr_nodes > NODES_MAX)
		return error_set(r->error, -EBADMSG, "a stack is deeper than %d frames, or there are more than %u calls",
				 FRAMES_MAX, NODES_MAX);
	step.depth += (uint32_t)stack->nr;
	err = pprof_pay(r, stack->work);
	for (frame = 0; frame < stack->nr && !err; frame++)
		err = profile_add_node(r->profile, step.node,
				       r->frames[stack->first + frame],
				       &step.node);
	if (!err)
		r->steps[r->nr_steps++] = step;
	return err;
}

static int reserve_steps(struct pprof_reader *r, size_t nr)
{
	struct pprof_step *steps;

	if (nr <= r->max_steps)
		return 0;
	steps = reallocarray(r->steps, 2 * nr, sizeof(*steps));
	if (!steps)
		return -ENOMEM;
	r->steps = steps;
	r->max_steps = 2 * nr;
	return 0;
}

/*
 * Find or add the call tree node of a sample's locations, which are leaf first.
 */
static int read_stack(struct pprof_reader *r,
		      const struct pprof_sample *sample, uint32_t *node)
{
	const uint64_t *leaf = r->message->location_ids + sample->location_id;
	size_t nr = sample->n_location_id, same = 0;
	int err = reserve_steps(r, nr);

	if (err)
		return err;
	while (same < nr && same < r->nr_steps &&
	       r->steps[same].location == leaf[nr - 1 - same])
		same++;
	r->nr_steps = same;
	while (r->nr_steps < nr && !err)
		err = read_step(r, leaf[nr - 1 - r->nr_steps]);
	*node = nr && !err ? r->steps[nr - 1].node : 0;
	return err;
}

void pprof_samples_deinit(struct pprof_reader *r)
{
	free(r->steps);
	r->steps = NULL;
	r->nr_steps = r->max_steps = 0;
	memset(&r->known, 0, sizeof(r->known));
}

static int read_value(const struct pprof_reader *r, const struct pprof_sample *sample,
		      size_t place, uint64_t *value)
{
	int64_t held;

	*value = 0;
	if (sample->n_value != r->message->n_sample_type)
		return error_set(r->error, -EBADMSG,
				 "a sample has %u values, there are %zu types",
				 sample->n_value, r->message->n_sample_type);
	if (place == SIZE_MAX)
		return 0;
	held = r->message->values[sample->value + place];
	if (held < 0)
		return error_set(r->error, -EBADMSG, "a sample's value is negative");
	*value = (uint64_t)held;
	return 0;
}

static int read_values(const struct pprof_reader *r,
		       const struct pprof_sample *sample,
		       struct profile_record *record)
{
	const struct pprof_places *places = &r->places;
	uint64_t period_ns = r->profile->meta.period_ns ?: 1;
	int err;

	err = read_value(r, sample, places->count, &record->count) ?:
	      read_value(r, sample, places->weight, &record->periods) ?:
	      read_value(r, sample, places->late, &record->late_us);
	if (!err && !r->ours && places->scale &&
	    __builtin_mul_overflow(record->periods, places->scale,
				   &record->periods))
		return error_set(r->error, -EBADMSG, "the samples sum to more than 2^64");
	if (err || !r->ours)
		return err;
	if (record->periods % period_ns)
		return error_set(r->error, -EBADMSG, "a sample's cpu is not a multiple of the period of %"
				 PRIu64 " ns", period_ns);
	record->periods /= period_ns;
	return 0;
}

static int read_context(struct pprof_reader *r, const struct labels *labels,
			struct profile_record *record)
{
	const struct profile *p = r->profile;
	struct pprof_known *known = &r->known;
	unsigned int i;

	if (labels->context && labels->context == known->context_text) {
		record->context = known->context;
		return 0;
	}
	for (i = 0; labels->context && i < __FLAMEMOD_CONTEXT_MAX; i++)
		if (!strcmp(labels->context, profile_context_name(i))) {
			record->context = known->context = i;
			known->context_text = labels->context;
			return 0;
		}
	if (r->ours)
		return error_set(r->error, -EBADMSG, "a sample's context is unknown");
	record->context = FLAMEMOD_CONTEXT_TASK;
	if (!record->node || p->frames[p->nodes[record->node].frame].kind ==
			     FLAMEMOD_FRAME_USER)
		record->context = FLAMEMOD_CONTEXT_USER;
	return 0;
}

/*
 * Name the program for a file without a comm: the first mapping is its
 * executable.
 */
static const char *program(const struct pprof_reader *r)
{
	const struct pprof_decoded *m = r->message;
	const char *file = NULL, *base;

	if (m->n_mapping)
		file = pprof_string(r, m->mapping[0].filename);
	if (!file || !*file)
		return "unknown";
	base = strrchr(file, '/');
	return base && base[1] ? base + 1 : file;
}

static int add_task(struct pprof_reader *r, const struct labels *labels,
		    uint32_t *task)
{
	struct profile_task added = {
		.pid = (uint32_t)labels->pid, .tid = (uint32_t)labels->tid,
		.comm = labels->comm, .host = labels->host ?: "",
		.cgroup = labels->cgroup ?: "",
	};
	struct pprof_known_task *known;
	int err;

	if (!added.comm)
		added.comm = r->ours ? "" : program(r);
	known = &r->known.tasks[((uintptr_t)added.comm + 31 * added.pid + 7 * added.tid) %
				PPROF_KNOWN_TASKS];
	if (known->comm == added.comm && known->host == added.host &&
	    known->cgroup == added.cgroup && known->pid == added.pid &&
	    known->tid == added.tid) {
		*task = known->task;
		return pprof_pay(r, known->work);
	}
	*known = (struct pprof_known_task){
		.host = added.host, .cgroup = added.cgroup,
		.pid = added.pid, .tid = added.tid,
		.work = strlen(added.comm) + strlen(added.host) + strlen(added.cgroup),
	};
	err = pprof_pay(r, known->work) ?:
	      profile_intern_task(r->profile, &added, &known->task);
	if (err)
		return err;
	known->comm = added.comm;
	*task = known->task;
	return 0;
}

/* Make up books that balance, for another program's file: all was stored. */
static int add_books(struct pprof_reader *r,
		     const struct profile_record *record)
{
	struct profile_cpu cpu = { .cpu = record->cpu };

	if (r->ours)
		return 0;
	cpu.books.expected = record->periods;
	cpu.books.fires = record->periods;
	cpu.books.stored = record->periods;
	return profile_add_cpu(r->profile, &cpu);
}

/* Add a record to its slice, if the file has slices. */
static int add_to_slice(struct pprof_reader *r, int64_t begin_ns,
			const struct profile_record *record)
{
	int err;

	if (!r->ours || !r->profile->slices)
		return 0;
	err = begin_ns < 0 ? -ENOENT :
	      slices_add_record(r->profile, (uint64_t)begin_ns, record);
	return err == -ENOENT ?
	       error_set(r->error, -EBADMSG, "a sample names a slice that does not exist") :
	       err;
}

static int read_record(struct pprof_reader *r, const struct pprof_sample *sample,
		       const struct labels *labels)
{
	struct profile_record record = { .cpu = (uint32_t)labels->cpu };
	int err = read_values(r, sample, &record);

	/* a sample of other events */
	if (!err && r->layout == PPROF_LAYOUT_EVENTS && !record.count &&
	    !record.periods)
		return 0;
	err = err ?:
	      read_stack(r, sample, &record.node) ?:
	      read_context(r, labels, &record) ?:
	      add_task(r, labels, &record.task) ?:
	      add_books(r, &record) ?:
	      profile_add_record(r->profile, &record) ?:
	      add_to_slice(r, labels->slice, &record);
	if (err == -EOVERFLOW)
		return error_set(r->error, -EBADMSG, "the samples sum to more than 2^64");
	return err;
}

static int read_lost(struct pprof_reader *r, const struct pprof_sample *sample,
		     const struct labels *labels, struct profile *lost)
{
	struct profile_cpu cpu = { .cpu = (uint32_t)labels->cpu };
	struct profile_record record = { 0 };
	unsigned int i;
	int err;

	err = read_values(r, sample, &record);
	if (err)
		return err;
	for (i = 0; i < PROFILE_LOST_MAX; i++)
		if (!strcmp(labels->lost, profile_lost_name(i)))
			break;
	if (i == PROFILE_LOST_MAX)
		return error_set(r->error, -EBADMSG, "lost: %.60s is unknown",
				 labels->lost);
	if (r->layout == PPROF_LAYOUT_EVENTS && !record.periods)
		return 0;
	cpu.books.lost[i] = record.periods;
	err = profile_add_cpu(lost, &cpu);
	return err == -EOVERFLOW ?
	       error_set(r->error, -EBADMSG, "the samples sum to more than 2^64") : err;
}

/*
 * Check that the lost samples equal the books. These samples are there for
 * other programs to show.
 */
static int check_lost(const struct pprof_reader *r, const struct profile *lost)
{
	uint32_t i, other;

	for (i = 0, other = 0; i < r->profile->nr_cpus; i++) {
		const struct profile_cpu *cpu = &r->profile->cpus[i];
		struct profile_books none = { 0 };
		const struct profile_books *books = &none;

		if (other < lost->nr_cpus && lost->cpus[other].cpu == cpu->cpu)
			books = &lost->cpus[other++].books;
		if (memcmp(books->lost, cpu->books.lost, sizeof(books->lost)))
			break;
	}
	if (i == r->profile->nr_cpus && other == lost->nr_cpus)
		return 0;
	return error_set(r->error, -EBADMSG,
			 "its lost samples do not sum to its books: it may have been changed by another program");
}

int pprof_read_samples(struct pprof_reader *r)
{
	struct profile *lost = profile_create();
	struct labels labels;
	size_t i;
	int err = 0;

	if (!lost)
		return -ENOMEM;
	for (i = 0; i < r->message->n_sample && !err; i++) {
		const struct pprof_sample *sample = &r->message->sample[i];

		err = read_labels(r, sample, &labels);
		if (err)
			break;
		err = labels.lost ? read_lost(r, sample, &labels, lost) :
				    read_record(r, sample, &labels);
	}
	if (!err && r->ours)
		err = check_lost(r, lost);
	profile_destroy(lost);
	return err;
}
