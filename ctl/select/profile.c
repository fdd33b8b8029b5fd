// SPDX-License-Identifier: GPL-2.0
/*
 * Apply a selection to a profile: see select.h.
 *
 * Each name is matched once. Nodes are visited in the order of their numbers,
 * parents first, so each node costs one step however many records end there.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wording.h"
#include "profile/books.h"
#include "profile/records.h"
#include "select/private.h"
#include "tree/half.h"

#define LEFT_OUT	SELECT_LEFT_OUT

/*
 * A struct profile_map would not do: a node that is not shown takes the number of its
 * parent, and a task may be left out.
 */
struct selecting {
	const struct criteria *criteria;
	const struct profile *from;
	struct profile *to;
	bool sliced;			/* keep slices */
	struct profile_cpu *cpus;	/* with the books after the selection */
	uint8_t *states;		/* by node */
	uint8_t *paths;			/* by node: whether --path matches */
	uint8_t *halves;		/* by node: half.h; NULL: both are kept */
	uint32_t *nodes, *tasks;	/* numbers in @to, or LEFT_OUT */
	uint32_t kernel;		/* of HALF_KERNEL_NAME in @to, or 0 */
	uint8_t bare[__FLAMEMOD_CONTEXT_MAX];	/* states of records without frames */
};

static uint8_t state_of_name(const struct criteria *criteria, const char *name)
{
	return select_step(select_begin(criteria),
			   select_matches(criteria, name));
}

static int match_nodes(struct selecting *selecting)
{
	const struct criteria *criteria = selecting->criteria;
	const struct profile *from = selecting->from;
	uint8_t *matches = calloc((size_t)from->nr_frames + 1, 1);
	uint32_t i;

	selecting->states = calloc(from->nr_nodes, 1);
	if (!matches || !selecting->states) {
		free(matches);
		return -ENOMEM;
	}
	for (i = 0; i < from->nr_frames; i++)
		matches[i] = select_matches(criteria,
					    select_shown(from->frames[i].name));
	selecting->states[0] = select_begin(criteria);
	for (i = 1; i < from->nr_nodes; i++)
		selecting->states[i] =
			select_step(selecting->states[from->nodes[i].parent],
				    matches[from->nodes[i].frame]);
	free(matches);
	for (i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++)
		selecting->bare[i] = state_of_name(criteria, fold_bare(i));
	if (select_half(criteria) != HALF_BOTH) {
		half_of_profile(from, &selecting->halves);
		if (!selecting->halves)
			return -ENOMEM;
	}
	return select_asked(criteria, SELECT_PATH) ?
	       select_paths_of_profile(criteria, from, &selecting->paths) : 0;
}

/* ---- records ---- */

/* Return: the periods of a record that --drop-late leaves out. */
static uint64_t dropped(const struct selecting *selecting,
			const struct profile_record *record)
{
	return select_asked(selecting->criteria, SELECT_DROP_LATE) ?
	       profile_late(selecting->from, record) : 0;
}

static bool record_kept(const struct selecting *selecting,
			const struct profile_record *record)
{
	const struct criteria *criteria = selecting->criteria;
	uint64_t late = dropped(selecting, record);
	uint8_t state = selecting->states[record->node];

	if (!record->node)
		state = selecting->bare[record->context];
	if (!select_keeps(state) || selecting->tasks[record->task] == LEFT_OUT ||
	    !select_path_kept(criteria, selecting->paths, record))
		return false;
	if (select_asked(criteria, SELECT_CONTEXT) &&
	    !(criteria->contexts & 1U << record->context))
		return false;
	if (criteria->not_contexts & 1U << record->context)
		return false;
	/* what is late altogether is left out altogether */
	if (late && late == record->periods)
		return false;
	return !select_asked(criteria, SELECT_CPU) ||
	       cpulist_has(&criteria->cpus, record->cpu);
}

/*
 * Move periods that are left out from stored to filtered, in the books (the counts
 * of what became of each timer period) of the record's CPU.
 */
static int filter(struct profile_cpu *cpus, uint32_t nr_cpus,
		  const struct profile_record *record, uint64_t periods,
		  uint64_t truncated)
{
	const struct profile of = { .cpus = cpus, .nr_cpus = nr_cpus };
	struct profile_cpu *cpu = profile_find_cpu(&of, record->cpu);

	return !cpu || books_filter(&cpu->books, periods, truncated) ? -EBADMSG : 0;
}

/* Leave a record out of the books that it is not kept in, or what --drop-late drops. */
static int leave_out(const struct selecting *selecting,
		     struct profile_cpu *cpus, uint32_t nr_cpus,
		     const struct profile_record *record)
{
	const struct profile *from = selecting->from;

	if (record_kept(selecting, record))
		return filter(cpus, nr_cpus, record,
			      dropped(selecting, record), 0);
	return filter(cpus, nr_cpus, record, record->periods,
		      profile_record_truncated(from, record) ? record->count : 0);
}

/* Mark the nodes of records that are kept; filter the periods of all others. */
static int sort_out(struct selecting *selecting)
{
	const struct profile *from = selecting->from;
	uint32_t i;
	int err = 0;

	for (i = 0; i < from->nr_records && !err; i++) {
		const struct profile_record *record = &from->records[i];

		if (record_kept(selecting, record))
			selecting->states[record->node] |= SELECT_USED;
		err = leave_out(selecting, selecting->cpus, from->nr_cpus,
				record);
	}
	if (err)
		return err;
	for (i = from->nr_nodes; i-- > 1;)
		if (selecting->states[i] & SELECT_USED)
			selecting->states[from->nodes[i].parent] |= SELECT_USED;
	return 0;
}

/*
 * Report whether a record has none of its frames: its context says what it is then,
 * but "[unknown]" would be wrong where the kernel half is left out.
 */
static bool is_kernel_only(const struct selecting *selecting,
			   const struct profile_record *record)
{
	return select_half(selecting->criteria) == HALF_USER &&
	       !selecting->nodes[record->node] &&
	       record->context != FLAMEMOD_CONTEXT_USER &&
	       record->context != FLAMEMOD_CONTEXT_IDLE;
}

static int add_kernel_node(struct selecting *selecting)
{
	const struct profile *from = selecting->from;
	uint32_t frame;

	for (uint32_t i = 0; i < from->nr_records; i++)
		if (record_kept(selecting, &from->records[i]) &&
		    is_kernel_only(selecting, &from->records[i]))
			return profile_add_frame(selecting->to, HALF_KERNEL_NAME,
						 FLAMEMOD_FRAME_MARK, &frame) ?:
			       profile_add_node(selecting->to, 0, frame,
						&selecting->kernel);
	return 0;
}

static int select_nodes(struct selecting *selecting)
{
	const struct profile *from = selecting->from;
	uint32_t *nodes = calloc(from->nr_nodes, sizeof(*nodes)), frame;
	int err = nodes ? 0 : -ENOMEM;

	selecting->nodes = nodes;
	for (uint32_t i = 1; i < from->nr_nodes && !err; i++) {
		uint32_t parent = nodes[from->nodes[i].parent];

		nodes[i] = parent;
		if (!(selecting->states[i] & SELECT_USED) ||
		    !(selecting->states[i] & SELECT_SHOWN) ||
		    (selecting->halves && !(selecting->halves[i] &
					    select_half(selecting->criteria))))
			continue;
		err = profile_add_frame_of(selecting->to, from,
					   from->nodes[i].frame, &frame) ?:
		      profile_add_node(selecting->to, parent, frame, &nodes[i]);
	}
	return err ?: add_kernel_node(selecting);
}

/* Return: @record with the numbers of @to. */
static struct profile_record
record_as_it_becomes(const struct selecting *selecting,
		     const struct profile_record *record)
{
	struct profile_record becomes = *record;

	becomes.node = is_kernel_only(selecting, record) ?
		       selecting->kernel : selecting->nodes[record->node];
	becomes.task = selecting->tasks[record->task];
	becomes.periods -= dropped(selecting, record);
	return becomes;
}

static int select_records(struct selecting *selecting)
{
	const struct profile *from = selecting->from;
	int err = 0;

	for (uint32_t i = 0; i < from->nr_records && !err; i++) {
		struct profile_record record;

		if (!record_kept(selecting, &from->records[i])) {
			intervals_leave_out(&selecting->to->meta.intervals, &from->records[i]);
			continue;
		}
		record = record_as_it_becomes(selecting, &from->records[i]);
		err = profile_add_record(selecting->to, &record);
	}
	return err;
}

/* ---- the books ---- */

/* Report whether lost periods are kept: they have a CPU and one frame only. */
static bool lost_kept(const struct criteria *criteria, uint32_t cpu,
		      enum flamemod_lost reason)
{
	char name[64];

	if (select_asked(criteria, SELECT_COMM) ||
	    select_asked(criteria, SELECT_PID) ||
	    select_asked(criteria, SELECT_CGROUP) ||
	    select_asked(criteria, SELECT_CONTEXT))
		return false;
	if (select_asked(criteria, SELECT_CPU) &&
	    !cpulist_has(&criteria->cpus, cpu))
		return false;
	snprintf(name, sizeof(name), "[lost: %s]", profile_lost_name(reason));
	return select_keeps(state_of_name(criteria, name)) &&
	       (!select_asked(criteria, SELECT_PATH) ||
		select_path_matches(criteria, name));
}

static void select_lost(const struct selecting *selecting,
			struct profile_cpu *cpu)
{
	struct profile_books *books = &cpu->books;

	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++) {
		if (!books->lost[i] ||
		    lost_kept(selecting->criteria, cpu->cpu, i))
			continue;
		books->filtered += books->lost[i];
		books->lost[i] = 0;
	}
}

/* Lost hits of an event go with their weight, known or not: it is not known whose they were. */
static void select_lost_hits(const struct selecting *selecting,
			     struct profile_intervals *intervals)
{
	/* an event is of no CPU, so a selection that has some was refused */
	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++)
		if (!lost_kept(selecting->criteria, 0, i))
			intervals_leave_out_lost(intervals, i);
}

static int select_cpus(struct selecting *selecting)
{
	int err = 0;

	select_lost_hits(selecting, &selecting->to->meta.intervals);
	for (uint32_t i = 0; i < selecting->from->nr_cpus && !err; i++) {
		select_lost(selecting, &selecting->cpus[i]);
		err = profile_add_cpu(selecting->to, &selecting->cpus[i]);
	}
	return err;
}

/* ---- slices ---- */

/* @cpus: the slice's CPUs, with the books after the selection */
static int sort_out_slice(const struct selecting *selecting,
			  const struct slice *slice, struct profile_cpu *cpus)
{
	int err = 0;

	for (uint32_t i = 0; i < slice->nr_records && !err; i++)
		err = leave_out(selecting, cpus, slice->nr_cpus,
				&slice->records[i]);
	for (uint32_t i = 0; i < slice->nr_cpus && !err; i++) {
		select_lost(selecting, &cpus[i]);
		err = slices_add_cpu(selecting->to, &cpus[i]) ?:
		      profile_add_cpu(selecting->to, &cpus[i]);
	}
	return err;
}

static int select_slice(struct selecting *selecting, const struct slice *slice)
{
	struct profile_cpu *cpus = calloc((size_t)slice->nr_cpus + 1,
					  sizeof(*cpus));
	int err = cpus ? slices_begin(selecting->to, slice->begin_ns,
				      slice->end_ns) : -ENOMEM;
	struct profile_intervals *intervals = NULL;

	if (!err && slice->nr_cpus)
		memcpy(cpus, slice->cpus, slice->nr_cpus * sizeof(*cpus));
	err = err ?: sort_out_slice(selecting, slice, cpus);
	if (!err) {
		intervals = &slices_last(selecting->to)->intervals;
		*intervals = slice->intervals;
		select_lost_hits(selecting, intervals);
	}
	for (uint32_t i = 0; i < slice->nr_records && !err; i++) {
		struct profile_record record;

		if (!record_kept(selecting, &slice->records[i])) {
			intervals_leave_out(intervals, &slice->records[i]);
			continue;
		}
		record = record_as_it_becomes(selecting, &slice->records[i]);
		err = slices_add_record(selecting->to, slice->begin_ns, &record);
	}
	free(cpus);
	return err;
}

/* The slices' books sum to the profile's, as in any profile that has slices. */
static int select_slices(struct selecting *selecting)
{
	const struct profile *from = selecting->from;
	int err = 0;

	for (uint32_t i = 0; i < from->nr_cpus && !err; i++) {
		struct profile_cpu none = {
			.cpu = from->cpus[i].cpu,
			.sampling = from->cpus[i].sampling,
		};

		err = profile_add_cpu(selecting->to, &none);
	}
	for (uint32_t i = 0; i < from->slices->nr && !err; i++)
		err = select_slice(selecting, &from->slices->list[i]);
	slices_pack(selecting->to);
	return err ?: slices_sum_intervals(selecting->to, 0, selecting->to->slices->nr,
					   &selecting->to->meta.intervals);
}

static int select_all(struct selecting *selecting)
{
	const struct profile *from = selecting->from;

	selecting->to = profile_create();
	selecting->cpus = calloc((size_t)from->nr_cpus + 1,
				 sizeof(*selecting->cpus));
	if (!selecting->to || !selecting->cpus)
		return -ENOMEM;
	if (from->nr_cpus)
		memcpy(selecting->cpus, from->cpus,
		       from->nr_cpus * sizeof(*from->cpus));
	selecting->to->meta = from->meta;
	return match_nodes(selecting) ?:
	       select_tasks(selecting->criteria, from, selecting->to,
			    &selecting->tasks) ?:
	       sort_out(selecting) ?: select_nodes(selecting) ?:
	       select_records(selecting) ?:
	       (selecting->sliced && from->slices ? select_slices(selecting) :
						    select_cpus(selecting));
}

static int replace(struct profile **profile, const struct criteria *criteria,
		   bool sliced, struct error *error)
{
	struct selecting selecting = {
		.criteria = criteria, .from = *profile, .sliced = sliced,
	};
	int err;

	if (criteria->asked == 1U << SELECT_RANGE)
		return 0;
	err = select_all(&selecting);
	free(selecting.cpus);
	free(selecting.states);
	free(selecting.paths);
	free(selecting.halves);
	free(selecting.nodes);
	free(selecting.tasks);
	if (err) {
		profile_destroy(selecting.to);
		return error_set(error, err, "%s", strerror(-err));
	}
	profile_destroy(*profile);
	*profile = selecting.to;
	return 0;
}

/* Refuse to leave out late fires if it is not known what was late. */
static int check_drop_late(const struct criteria *criteria,
			   const struct profile_meta *meta, struct error *error)
{
	if (!select_asked(criteria, SELECT_DROP_LATE))
		return 0;
	if (meta->intervals.known)
		return error_set(error, -EINVAL,
				 "%s works on the samples of the timer, and this is the event %.100s: %s",
				 WORDING(DROP_LATE), profile_event(meta), WORDING(CHOOSE_SAMPLES));
	if (profile_is_imported(meta))
		return error_set(error, -EINVAL,
				 "%s: this profile is not flamemod's, and does not say what was late",
				 WORDING(DROP_LATE));
	if (meta->period_ns == 1)
		return error_set(error, -EINVAL,
				 "%s: this sum of profiles of several rates does not say what was late; use it with each of them",
				 WORDING(DROP_LATE));
	return 0;
}

int select_check_cpus(const struct profile_meta *meta, const char *asked,
		      struct error *error)
{
	if (meta->intervals.known)
		return error_set(error, -EINVAL,
				 "%s works on the samples of the timer, and the event %.100s is counted on all CPUs together: %s",
				 asked, profile_event(meta), WORDING(CHOOSE_SAMPLES));
	if (meta->nr_summed_cpus)
		return error_set(error, -EINVAL,
				 "%s: this profile has a sum of %" PRIu32 " CPU%s, and does not say what was on which: leave it out",
				 asked, meta->nr_summed_cpus,
				 meta->nr_summed_cpus == 1 ? "" : "s");
	return 0;
}

/* Refuse what the profile does not say. */
static int check(const struct criteria *criteria, const struct profile_meta *meta,
		 struct error *error)
{
	int err = check_drop_late(criteria, meta, error);

	if (!err && select_asked(criteria, SELECT_CPU))
		err = select_check_cpus(meta, WORDING(CPU), error);
	return err;
}

int select_profile(const struct selection *selection, struct profile **profile,
		   uint64_t *left_out, struct error *error)
{
	struct criteria criteria;
	uint64_t filtered;
	int err;

	*left_out = 0;
	if (!selection->nr_terms)
		return 0;
	err = criteria_init(&criteria, selection, error) ?:
	      check(&criteria, &(*profile)->meta, error);
	/* if the books balance, no period that is moved can be missing */
	if (!err)
		err = profile_check(*profile, error);
	if (!err && select_asked(&criteria, SELECT_RANGE))
		err = slices_cut(profile, &criteria.range, selection->sliced,
				 error);
	filtered = (*profile)->books.filtered;
	if (!err)
		err = replace(profile, &criteria, selection->sliced, error);
	criteria_deinit(&criteria);
	if (!err)
		*left_out = (*profile)->books.filtered - filtered;
	return err;
}
