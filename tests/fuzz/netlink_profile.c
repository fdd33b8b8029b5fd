// SPDX-License-Identifier: GPL-2.0
/*
 * What the messages of an answer come to: see netlink_profile.h.
 *
 * Attributes are well-formed by the tables when they come here: what is told
 * of them in words is checked, and that they fit together.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "flamemod.h"
#include "netlink_profile.h"

/* The attributes of a nest by number, the first of those that repeat. */
struct members {
	const struct nlattr *attrs[32];
	uint32_t repeated;	/* how often the one that repeats stands there */
};

#define for_each_attr(attr, begin, len)							\
	for (const struct nlattr *attr = (begin), *end_ = (const void *)((const char *)(begin) + (len)); \
	     attr < end_; attr = (const void *)((const char *)attr + NLA_ALIGN(attr->nla_len)))

static const void *data(const struct nlattr *attr)
{
	return (const char *)attr + NLA_HDRLEN;
}

static size_t bytes(const struct nlattr *attr)
{
	return attr ? attr->nla_len - NLA_HDRLEN : 0;
}

static uint16_t type(const struct nlattr *attr)
{
	return attr->nla_type & NLA_TYPE_MASK;
}

static uint64_t number(const struct nlattr *attr)
{
	uint64_t value = 0;

	if (attr)
		memcpy(&value, data(attr), bytes(attr));
	return value;
}

/* Element @i of a column. */
static uint64_t element(const struct nlattr *column, size_t elem_bytes, uint32_t i)
{
	uint64_t value = 0;

	memcpy(&value, (const char *)data(column) + i * elem_bytes, elem_bytes);
	return value;
}

static struct members members_of(const struct nlattr *nest, uint16_t repeats)
{
	struct members members = { .repeated = 0 };

	for_each_attr(attr, data(nest), bytes(nest)) {
		members.repeated += type(attr) == repeats;
		if (!members.attrs[type(attr)])
			members.attrs[type(attr)] = attr;
	}
	return members;
}

void profile_deinit(struct profile *profile)
{
	free(profile->frames);
	profile->frames = NULL;
}

static const char *add_books(struct sums *sums, const struct nlattr *nest)
{
	struct members m;
	struct sums now = { .lost = 0 };
	uint16_t i;

	if (!nest)
		return "books are missing";
	m = members_of(nest, 0);
	for (i = 1; i <= FLAMEMOD_A_BOOKS_MAX; i++)
		if (!m.attrs[i])
			return "a part of the books is missing";
	now.expected = number(m.attrs[FLAMEMOD_A_BOOKS_EXPECTED]);
	now.fires = number(m.attrs[FLAMEMOD_A_BOOKS_FIRES]);
	now.missed = number(m.attrs[FLAMEMOD_A_BOOKS_MISSED]);
	now.stored = number(m.attrs[FLAMEMOD_A_BOOKS_STORED]);
	now.filtered = number(m.attrs[FLAMEMOD_A_BOOKS_FILTERED]);
	now.truncated = number(m.attrs[FLAMEMOD_A_BOOKS_TRUNCATED]);
	for_each_attr(attr, data(m.attrs[FLAMEMOD_A_BOOKS_LOST]),
		      bytes(m.attrs[FLAMEMOD_A_BOOKS_LOST]))
		now.lost += number(attr);
	if (number(m.attrs[FLAMEMOD_A_BOOKS_ASLEEP]) > now.missed)
		return "more periods were slept through than missed";
	if (now.fires + now.missed != now.stored + now.filtered + now.lost)
		return "the books do not balance";
	sums->expected += now.expected;
	sums->fires += now.fires;
	sums->missed += now.missed;
	sums->stored += now.stored;
	sums->filtered += now.filtered;
	sums->truncated += now.truncated;
	sums->lost += now.lost;
	return NULL;
}

/* Sent where the module learns the unwinder's steps. */
static const char *check_stacks(const struct nlattr *nest)
{
	struct members m;
	uint16_t i;

	if (!nest)
		return NULL;
	m = members_of(nest, 0);
	for (i = 1; i <= FLAMEMOD_A_STACKS_MAX; i++)
		if (!m.attrs[i])
			return "a part of how stacks were taken is missing";
	if (number(m.attrs[FLAMEMOD_A_STACKS_DIFFERENCES]))
		return "learned stacks are not the unwinder's";
	return NULL;
}

static const char *check_pauses(const struct nlattr *nest)
{
	struct members m = members_of(nest, 0);
	uint16_t i;

	for (i = 1; i <= FLAMEMOD_A_PAUSES_MAX; i++)
		if (!m.attrs[i])
			return "a part of the pauses is missing";
	return NULL;
}

static const char *take_state(struct profile *p, const struct nlattr *nest)
{
	struct members m = members_of(nest, 0);
	const char *wrong;
	uint16_t i;

	for (i = 1; i <= FLAMEMOD_A_STATE_MAX; i++)
		if (!m.attrs[i] && i != FLAMEMOD_A_STATE_STACKS)
			return "a part of the state is missing";
	wrong = check_stacks(m.attrs[FLAMEMOD_A_STATE_STACKS]) ?:
		check_pauses(m.attrs[FLAMEMOD_A_STATE_PAUSES]);
	if (wrong)
		return wrong;
	if (number(m.attrs[FLAMEMOD_A_STATE_STATE]) == FLAMEMOD_STATE_BROKEN)
		return "the sampler has found itself inconsistent";
	if (number(m.attrs[FLAMEMOD_A_STATE_MEMORY_BYTES]) >
	    number(m.attrs[FLAMEMOD_A_STATE_MEMORY_LIMIT_BYTES]))
		return "more memory is held than the limit allows";
	p->has_state = true;
	p->nr_frames = number(m.attrs[FLAMEMOD_A_STATE_NR_FRAMES]);
	p->nr_nodes = number(m.attrs[FLAMEMOD_A_STATE_NR_NODES]);
	p->nr_tasks = number(m.attrs[FLAMEMOD_A_STATE_NR_TASKS]);
	p->nr_records = number(m.attrs[FLAMEMOD_A_STATE_NR_RECORDS]);
	p->nodes = 1;	/* the root is not sent */
	p->frames = calloc(p->nr_frames + 1, 1);
	return add_books(&p->total, m.attrs[FLAMEMOD_A_STATE_BOOKS]);
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

static const char *take_frames(struct profile *p, const struct nlattr *nest)
{
	struct members m = members_of(nest, FLAMEMOD_A_FRAMES_NAME);
	const struct nlattr *ids = m.attrs[FLAMEMOD_A_FRAMES_ID];
	const struct nlattr *kinds = m.attrs[FLAMEMOD_A_FRAMES_KIND];
	uint32_t nr = bytes(ids) / 4, i, id;
	const char *wrong;

	if (!nr || bytes(kinds) != nr || m.repeated != nr)
		return "the columns of frames differ in length";
	for (i = 0; i < nr; i++) {
		id = element(ids, 4, i);
		if (id >= p->nr_frames || id < p->next_frame)
			return "frame numbers do not rise, or are too high";
		if (element(kinds, 1, i) > FLAMEMOD_FRAME_MAX)
			return "a frame is of no kind";
		p->next_frame = id + 1;
		p->frames[id] = 1;
	}
	for_each_attr(attr, data(nest), bytes(nest)) {
		if (type(attr) != FLAMEMOD_A_FRAMES_NAME)
			continue;
		wrong = check_name(data(attr));
		if (wrong)
			return wrong;
	}
	return NULL;
}

static const char *take_nodes(struct profile *p, const struct nlattr *nest)
{
	struct members m = members_of(nest, 0);
	const struct nlattr *parents = m.attrs[FLAMEMOD_A_NODES_PARENT];
	const struct nlattr *frames = m.attrs[FLAMEMOD_A_NODES_FRAME];
	uint32_t nr = bytes(parents) / 4, i;

	if (!nr || bytes(frames) / 4 != nr || !m.attrs[FLAMEMOD_A_NODES_FIRST])
		return "the columns of nodes differ in length";
	if (number(m.attrs[FLAMEMOD_A_NODES_FIRST]) != p->nodes)
		return "node numbers do not follow each other";
	for (i = 0; i < nr; i++) {
		if (element(parents, 4, i) >= p->nodes + i)
			return "a parent comes behind its child";
		if (element(frames, 4, i) >= p->nr_frames || !p->frames[element(frames, 4, i)])
			return "a node has a frame that was not sent";
	}
	p->nodes += nr;
	return NULL;
}

static const char *take_tasks(struct profile *p, const struct nlattr *nest)
{
	struct members m = members_of(nest, FLAMEMOD_A_TASKS_COMM);
	uint32_t nr = bytes(m.attrs[FLAMEMOD_A_TASKS_PID]) / 4;

	if (!nr || bytes(m.attrs[FLAMEMOD_A_TASKS_TID]) / 4 != nr || m.repeated != nr ||
	    !m.attrs[FLAMEMOD_A_TASKS_FIRST])
		return "the columns of tasks differ in length";
	if (number(m.attrs[FLAMEMOD_A_TASKS_FIRST]) != p->tasks)
		return "task numbers do not follow each other";
	p->tasks += nr;
	return NULL;
}

static const char *check_record(const struct profile *p, const struct members *m, uint32_t i)
{
	if (element(m->attrs[FLAMEMOD_A_RECORDS_NODE], 4, i) >= p->nr_nodes)
		return "a record has a node that was not sent";
	if (element(m->attrs[FLAMEMOD_A_RECORDS_TASK], 4, i) >= p->nr_tasks)
		return "a record has a task that was not sent";
	if (element(m->attrs[FLAMEMOD_A_RECORDS_CONTEXT], 1, i) > FLAMEMOD_CONTEXT_MAX)
		return "a record has no context";
	return NULL;
}

/* The counts of a batch: in 32 bits, or all of them in 64. */
static const char *add_counts(struct profile *p, const struct members *m, uint32_t nr)
{
	bool wide = m->attrs[FLAMEMOD_A_RECORDS_COUNT_WIDE];
	size_t elem_bytes = wide ? 8 : 4;
	const struct nlattr *count = m->attrs[wide ? FLAMEMOD_A_RECORDS_COUNT_WIDE :
						     FLAMEMOD_A_RECORDS_COUNT];
	const struct nlattr *periods = m->attrs[wide ? FLAMEMOD_A_RECORDS_PERIODS_WIDE :
						       FLAMEMOD_A_RECORDS_PERIODS];
	const struct nlattr *late = m->attrs[wide ? FLAMEMOD_A_RECORDS_LATE_US_WIDE :
						    FLAMEMOD_A_RECORDS_LATE_US];
	uint32_t i;

	if (wide && (m->attrs[FLAMEMOD_A_RECORDS_COUNT] || m->attrs[FLAMEMOD_A_RECORDS_PERIODS] ||
		     m->attrs[FLAMEMOD_A_RECORDS_LATE_US]))
		return "a batch of records has both narrow and wide counts";
	if (bytes(count) != nr * elem_bytes || bytes(periods) != nr * elem_bytes ||
	    bytes(late) != nr * elem_bytes)
		return "the counts of records differ in length";
	for (i = 0; i < nr; i++) {
		if (element(count, elem_bytes, i) > element(periods, elem_bytes, i))
			return "a record counts more samples than periods";
		p->periods += element(periods, elem_bytes, i);
	}
	return NULL;
}

static const char *take_records(struct profile *p, const struct nlattr *nest)
{
	struct members m = members_of(nest, 0);
	uint32_t nr = bytes(m.attrs[FLAMEMOD_A_RECORDS_NODE]) / 4, i;
	const char *wrong = NULL;

	if (!nr || bytes(m.attrs[FLAMEMOD_A_RECORDS_TASK]) / 4 != nr ||
	    bytes(m.attrs[FLAMEMOD_A_RECORDS_CPU]) / 2 != nr ||
	    bytes(m.attrs[FLAMEMOD_A_RECORDS_CONTEXT]) != nr ||
	    !m.attrs[FLAMEMOD_A_RECORDS_FIRST])
		return "the columns of records differ in length";
	if (number(m.attrs[FLAMEMOD_A_RECORDS_FIRST]) != p->records)
		return "record numbers do not follow each other";
	for (i = 0; i < nr && !wrong; i++)
		wrong = check_record(p, &m, i);
	if (wrong)
		return wrong;
	p->records += nr;
	return add_counts(p, &m, nr);
}

static const char *take_cpu(struct profile *p, const struct nlattr *nest)
{
	struct members m = members_of(nest, 0);
	uint16_t i;

	for (i = 1; i <= FLAMEMOD_A_CPU_MAX; i++)
		if (!m.attrs[i])
			return "a part of a CPU is missing";
	if (number(m.attrs[FLAMEMOD_A_CPU_SAMPLING]) > 1)
		return "a CPU is neither sampled nor not";
	return add_books(&p->cpus, m.attrs[FLAMEMOD_A_CPU_BOOKS]);
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
		return p->has_state ? "the state comes twice" : take_state(p, attr);
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

const char *profile_end(const struct profile *p, bool with_cpus, bool with_records)
{
	if (!p->has_state)
		return "there was no state";
	if (with_cpus && memcmp(&p->total, &p->cpus, sizeof(p->total)))
		return "the CPUs' books do not sum to the total";
	if (!with_records)
		return NULL;
	if (p->nodes != p->nr_nodes || p->tasks != p->nr_tasks || p->records != p->nr_records)
		return "there are not as many nodes, tasks or records as announced";
	if (p->periods != p->total.stored)
		return "the records do not sum to the periods stored";
	return NULL;
}
