// SPDX-License-Identifier: GPL-2.0
/*
 * Checks that the messages of a dump form a consistent profile: see netlink_profile.h.
 *
 * Attributes have already been checked with the tables. Here the rules that the YAML
 * states in words are checked, and whether the attributes agree with each other.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "flamemod.h"
#include "netlink_attrs.h"
#include "netlink_columns.h"
#include "netlink_profile.h"
#include "netlink_state.h"

#define PID_MAX		(1 << 22)	/* the kernel's, of 64 bits */

void profile_deinit(struct profile *profile)
{
	free(profile->frames);
	profile->frames = NULL;
}

static const char *check_name(const char *name)
{
	if (!*name || !strncmp(name, "0x", 2))
		return "a frame has no name";
	for (; *name; name++)
		if (!isascii(*name) || iscntrl(*name))
			return "a frame's name is no text";
	return NULL;
}

/* Columns: the frames' numbers, their kinds. */
static const char *check_frames(struct profile *p, const struct column *c, uint32_t names)
{
	uint32_t i;

	if (!equally_many(c, 2) || names != c->nr)
		return "the columns of frames differ in length";
	for (i = 0; i < c->nr; i++) {
		uint64_t id = c[0].numbers[i];

		if (id >= p->nr_frames || id < p->next_frame)
			return "frame numbers do not rise, or are too high";
		if (c[1].numbers[i] > FLAMEMOD_FRAME_MAX)
			return "a frame is of no kind";
		p->next_frame = id + 1;
		p->frames[id] = 1;
	}
	return NULL;
}

static const char *take_frames(struct profile *p, const struct nlattr *nest)
{
	struct members m = members_of(nest, FLAMEMOD_A_FRAMES_NAME);
	struct column columns[] = {
		differences_of(m.attrs[FLAMEMOD_A_FRAMES_ID]),
		column_of(m.attrs[FLAMEMOD_A_FRAMES_KIND]),
	};
	const char *wrong;

	wrong = free_columns(columns, 2, check_frames(p, columns, m.repeated));
	for_each_attr(attr, data(nest), bytes(nest))
		if (type(attr) == FLAMEMOD_A_FRAMES_NAME && !wrong)
			wrong = check_name(data(attr));
	return wrong;
}

/* Columns: the parents, the frames. */
static const char *check_nodes(struct profile *p, const struct column *c,
			       const struct nlattr *first)
{
	uint32_t i;

	if (!equally_many(c, 2) || !first)
		return "the columns of nodes differ in length";
	if (number(first) != p->nodes)
		return "node numbers do not follow each other";
	for (i = 0; i < c->nr; i++) {
		if (c[0].numbers[i] >= p->nodes + i)
			return "a parent comes behind its child";
		if (c[1].numbers[i] >= p->nr_frames || !p->frames[c[1].numbers[i]])
			return "a node has a frame that was not sent";
	}
	p->nodes += c->nr;
	return NULL;
}

static const char *take_nodes(struct profile *p, const struct nlattr *nest)
{
	struct members m = members_of(nest, 0);
	struct column columns[] = {
		differences_of(m.attrs[FLAMEMOD_A_NODES_PARENT]),
		differences_of(m.attrs[FLAMEMOD_A_NODES_FRAME]),
	};

	return free_columns(columns, 2,
			    check_nodes(p, columns, m.attrs[FLAMEMOD_A_NODES_FIRST]));
}

/* Columns: the pids, the tids. */
static const char *check_tasks(struct profile *p, const struct column *c,
			       const struct members *m)
{
	uint32_t i;

	if (!equally_many(c, 2) || m->repeated != c->nr || !m->attrs[FLAMEMOD_A_TASKS_FIRST])
		return "the columns of tasks differ in length";
	if (number(m->attrs[FLAMEMOD_A_TASKS_FIRST]) != p->tasks)
		return "task numbers do not follow each other";
	for (i = 0; i < c->nr; i++)
		if (c[0].numbers[i] > PID_MAX || c[1].numbers[i] > PID_MAX)
			return "a task's number is above any pid";
	p->tasks += c->nr;
	return NULL;
}

static const char *take_tasks(struct profile *p, const struct nlattr *nest)
{
	struct members m = members_of(nest, FLAMEMOD_A_TASKS_COMM);
	struct column columns[] = {
		differences_of(m.attrs[FLAMEMOD_A_TASKS_PID]),
		differences_of(m.attrs[FLAMEMOD_A_TASKS_TID]),
	};

	return free_columns(columns, 2, check_tasks(p, columns, &m));
}

enum { NODE, TASK, CPU, CONTEXT, COUNT, PERIODS, LATE, NR_COLUMNS };

static const char *check_records(struct profile *p, const struct column *c,
				 const struct nlattr *first)
{
	uint32_t i;

	if (!equally_many(c, NR_COLUMNS) || !first)
		return "the columns of records differ in length";
	if (number(first) != p->records)
		return "record numbers do not follow each other";
	for (i = 0; i < c->nr; i++) {
		if (c[NODE].numbers[i] >= p->nr_nodes)
			return "a record has a node that was not sent";
		if (c[TASK].numbers[i] >= p->nr_tasks)
			return "a record has a task that was not sent";
		if (c[CPU].numbers[i] > UINT16_MAX)
			return "a record is of no CPU";
		if (c[CONTEXT].numbers[i] > FLAMEMOD_CONTEXT_MAX)
			return "a record has no context";
		if (c[COUNT].numbers[i] > c[PERIODS].numbers[i])
			return "a record counts more samples than periods";
		p->periods += c[PERIODS].numbers[i];
	}
	p->records += c->nr;
	return NULL;
}

/* The nodes of user stacks: left out of a batch where no record has one. */
static const char *take_users(struct profile *p, const struct members *m)
{
	struct column columns[] = {
		differences_of(m->attrs[FLAMEMOD_A_RECORDS_USER_NODE]),
		column_of(m->attrs[FLAMEMOD_A_RECORDS_PERIODS]),
	};
	const char *wrong = NULL;
	uint32_t i;

	if (!m->attrs[FLAMEMOD_A_RECORDS_USER_NODE])
		return free_columns(columns, 2, NULL);
	if (!equally_many(columns, 2))
		wrong = "the columns of records differ in length";
	for (i = 0; i < columns[0].nr && !wrong; i++) {
		if (columns[0].numbers[i] >= p->nr_nodes)
			wrong = "a record has a user node that was not sent";
		if (columns[0].numbers[i])
			p->user_periods += columns[1].numbers[i];
	}
	return free_columns(columns, 2, wrong);
}

static const char *take_records(struct profile *p, const struct nlattr *nest)
{
	struct members m = members_of(nest, 0);
	const char *wrong = take_users(p, &m);
	struct column columns[NR_COLUMNS] = {
		[NODE] = differences_of(m.attrs[FLAMEMOD_A_RECORDS_NODE]),
		[TASK] = differences_of(m.attrs[FLAMEMOD_A_RECORDS_TASK]),
		[CPU] = column_of(m.attrs[FLAMEMOD_A_RECORDS_CPU]),
		[CONTEXT] = column_of(m.attrs[FLAMEMOD_A_RECORDS_CONTEXT]),
		[COUNT] = column_of(m.attrs[FLAMEMOD_A_RECORDS_COUNT]),
		[PERIODS] = column_of(m.attrs[FLAMEMOD_A_RECORDS_PERIODS]),
		[LATE] = column_of(m.attrs[FLAMEMOD_A_RECORDS_LATE_US]),
	};

	return free_columns(columns, NR_COLUMNS,
			    wrong ?: check_records(p, columns,
						   m.attrs[FLAMEMOD_A_RECORDS_FIRST]));
}

/* Check the stalls: their number, and the latest ones. */
static const char *check_stalls(const struct nlattr *cpu)
{
	struct members m = members_of(cpu, FLAMEMOD_A_CPU_STALL);

	if (m.repeated > 7 || m.repeated > number(m.attrs[FLAMEMOD_A_CPU_NR_STALLS]))
		return "more stalls are listed than there can be";
	for_each_attr(attr, data(cpu), bytes(cpu)) {
		if (type(attr) != FLAMEMOD_A_CPU_STALL)
			continue;
		m = members_of(attr, 0);
		if (!m.attrs[FLAMEMOD_A_STALL_FROM_NS] ||
		    number(m.attrs[FLAMEMOD_A_STALL_NS]) < 1000000000)
			return "a stall has no time, or is less than a second";
	}
	return NULL;
}

static const char *take_cpu(struct profile *p, const struct nlattr *nest)
{
	struct members m = members_of(nest, 0);
	const char *wrong = check_stalls(nest);
	uint16_t i;

	if (wrong)
		return wrong;
	for (i = 1; i <= FLAMEMOD_A_CPU_MAX; i++)
		if (!m.attrs[i] && i != FLAMEMOD_A_CPU_STALL)
			return "a part of a CPU is missing";
	if (number(m.attrs[FLAMEMOD_A_CPU_SAMPLING]) > 1)
		return "a CPU is neither sampled nor not";
	return books_add(&p->cpus, m.attrs[FLAMEMOD_A_CPU_BOOKS]);
}

const char *profile_take(struct profile *p, const struct nlattr *attr)
{
	uint16_t part = type(attr);

	if (part > FLAMEMOD_A_STATE && !p->has_state)
		return "there is something before the state";
	if (part >= FLAMEMOD_A_STATE && part < p->last_part)
		return "the parts are not in order";
	if (part >= FLAMEMOD_A_STATE)
		p->last_part = part;
	switch (part) {
	case FLAMEMOD_A_SESSION:
		return number(attr) ? "it is of another session" : NULL;
	case FLAMEMOD_A_STATE:
		return p->has_state ? "the state comes twice" : state_take(p, attr);
	case FLAMEMOD_A_CPU:
		return take_cpu(p, attr);
	case FLAMEMOD_A_FRAMES:
		return take_frames(p, attr);
	case FLAMEMOD_A_NODES:
		return take_nodes(p, attr);
	case FLAMEMOD_A_TASKS:
		return take_tasks(p, attr);
	case FLAMEMOD_A_RECORDS:
		return take_records(p, attr);
	default:
		return NULL;
	}
}

static const char *check_head(const struct profile *p, bool with_cpus)
{
	if (!p->has_state)
		return "there was no state";
	if (with_cpus && memcmp(&p->total, &p->cpus, sizeof(p->total)))
		return "the CPUs' books do not sum to the total";
	return NULL;
}

const char *profile_end_frames(const struct profile *p, uint32_t first)
{
	const char *wrong = check_head(p, true);
	uint32_t i;

	if (!wrong && p->last_part > FLAMEMOD_A_FRAMES)
		wrong = "there is more than frames";
	for (i = 0; i < p->nr_frames && !wrong; i++)
		if (p->frames[i] != (i >= first))
			wrong = "these are not all frames from the first one wanted on";
	return wrong;
}

const char *profile_end(const struct profile *p, bool with_cpus, bool with_records,
			bool of_events)
{
	const char *wrong = check_head(p, with_cpus);

	if (wrong || !with_records)
		return wrong;
	if (p->nodes != p->nr_nodes || p->tasks != p->nr_tasks || p->records != p->nr_records)
		return "there are not as many nodes, tasks or records as announced";
	if (of_events && p->periods != p->event_weight)
		return "the records do not sum to the weight stored";
	if (of_events)
		return p->user_periods == p->event_sides ? NULL :
			"the records with a user stack do not sum to what became of them";
	if (p->periods != p->total.stored)
		return "the records do not sum to the periods stored";
	if (p->user_periods != p->user_sides)
		return "the records with a user stack do not sum to what became of them";
	return NULL;
}
