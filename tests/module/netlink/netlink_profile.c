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
#include "netlink_profile.h"

#define PID_MAX		(1 << 22)	/* the kernel's, of 64 bits */

/* The attributes of a nest by number, the first of those that repeat. */
struct members {
	const struct nlattr *attrs[32];
	uint32_t repeated;	/* how often the repeated attribute occurs */
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

/* With a sign, of 4 bytes or 8. */
static int64_t signed_number(const struct nlattr *attr)
{
	uint64_t value = number(attr);

	return bytes(attr) == 4 ? (int32_t)value : (int64_t)value;
}

/* Decode a column. Return: its numbers, which the caller frees. */
struct column {
	uint64_t *numbers;
	uint32_t nr;
	const char *wrong;
};

/* As the YAML's doc says: 7 bits per byte, in as few bytes as possible. */
static struct column column_of(const struct nlattr *attr)
{
	const uint8_t *at = attr ? data(attr) : NULL, *end = at + bytes(attr);
	struct column column = {
		.numbers = calloc(bytes(attr) + 1, sizeof(*column.numbers)),
	};
	unsigned int shift = 0;

	for (; at < end; at++) {
		if (shift > 63 || (shift == 63 && *at > 1))
			column.wrong = "a number is past 64 bits";
		else
			column.numbers[column.nr] |= (uint64_t)(*at & 127) << shift;
		if (shift && !*at)
			column.wrong = "a number takes more bytes than it needs";
		shift = *at > 127 ? shift + 7 : 0;
		column.nr += !shift;
	}
	if (shift)
		column.wrong = "a column ends within a number";
	return column;
}

/* The same for differences; odd numbers are negative. */
static struct column differences_of(const struct nlattr *attr)
{
	struct column column = column_of(attr);
	uint64_t last = 0;
	uint32_t i;

	for (i = 0; i < column.nr; i++) {
		uint64_t number = column.numbers[i];

		last += number % 2 ? -(number / 2) - 1 : number / 2;
		column.numbers[i] = last;
	}
	return column;
}

static const char *free_columns(struct column *columns, uint32_t nr, const char *wrong)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		wrong = columns[i].wrong ?: wrong;
		free(columns[i].numbers);
	}
	return wrong;
}

static bool equally_many(const struct column *columns, uint32_t nr)
{
	uint32_t i;

	for (i = 1; i < nr; i++)
		if (columns[i].nr != columns[0].nr)
			return false;
	return columns[0].nr;
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
	now.overdue = signed_number(m.attrs[FLAMEMOD_A_BOOKS_OVERDUE]);
	if (now.expected != now.fires + now.missed + (uint64_t)now.overdue)
		return "what was counted and what is overdue is not what is expected";
	sums->overdue += now.overdue;
	sums->expected += now.expected;
	sums->fires += now.fires;
	sums->missed += now.missed;
	sums->stored += now.stored;
	sums->filtered += now.filtered;
	sums->truncated += now.truncated;
	sums->lost += now.lost;
	return NULL;
}

/* Sent if the module learns the unwinder's steps. */
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

/* Sent where user stacks are taken. */
static const char *check_user_stacks(struct profile *p, const struct nlattr *nest)
{
	struct members m;
	uint16_t i;

	if (!nest)
		return NULL;
	m = members_of(nest, 0);
	for (i = 1; i <= FLAMEMOD_A_USER_STACKS_MAX; i++)
		if (!m.attrs[i])
			return "a part of how user stacks were taken is missing";
	for (i = 0; i < FLAMEMOD_USER_AWAY; i++)
		p->user_sides += number(m.attrs[FLAMEMOD_A_USER_STACKS_WHOLE + i]);
	if (number(m.attrs[FLAMEMOD_A_USER_STACKS_ROWS_BYTES]) >
	    number(m.attrs[FLAMEMOD_A_USER_STACKS_ROWS_LIMIT_BYTES]))
		return "unwind tables have more memory than the limit allows";
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

/* Return whether an attribute of the state may be missing. */
static bool is_optional(uint16_t attr)
{
	return attr == FLAMEMOD_A_STATE_STACKS || attr == FLAMEMOD_A_STATE_ISOLATED ||
	       attr == FLAMEMOD_A_STATE_NR_ISOLATED ||
	       attr == FLAMEMOD_A_STATE_USER_STACKS || attr == FLAMEMOD_A_STATE_EVENT ||
	       attr == FLAMEMOD_A_STATE_EVENTS_EPOCH || attr == FLAMEMOD_A_STATE_CLIENT ||
	       attr == FLAMEMOD_A_STATE_CLOSED;
}

static const char *check_isolated(const struct members *m)
{
	const struct nlattr *nr = m->attrs[FLAMEMOD_A_STATE_NR_ISOLATED];

	if (nr && !number(nr))
		return "no CPUs are isolated, and their number is sent";
	if (m->attrs[FLAMEMOD_A_STATE_ISOLATED] && !nr)
		return "isolated CPUs are listed without their number";
	return NULL;
}

/* Check sums of an event. Return: what is stored in *stored. */
static const char *check_event_sums(const struct nlattr *nest, uint64_t *stored)
{
	struct members m, lost;
	uint64_t sum;
	uint16_t i;

	if (!nest)
		return "an event has no books";
	m = members_of(nest, 0);
	lost = members_of(m.attrs[FLAMEMOD_A_EVENT_BOOKS_LOST], 0);
	*stored = number(m.attrs[FLAMEMOD_A_EVENT_BOOKS_STORED]);
	sum = *stored + number(m.attrs[FLAMEMOD_A_EVENT_BOOKS_FILTERED]) +
	      number(m.attrs[FLAMEMOD_A_EVENT_BOOKS_BELOW]);
	for (i = 1; i <= FLAMEMOD_A_EVENT_LOST_MAX; i++)
		sum += number(lost.attrs[i]);
	return number(m.attrs[FLAMEMOD_A_EVENT_BOOKS_SEEN]) == sum ?
		NULL : "the books of an event do not balance";
}

/* The sum of an array of 64-bit numbers; 0 without one. */
static uint64_t sum_of(const struct nlattr *attr)
{
	uint64_t value, sum = 0;
	size_t at;

	for (at = 0; attr && at + sizeof(value) <= bytes(attr); at += sizeof(value)) {
		memcpy(&value, (const char *)data(attr) + at, sizeof(value));
		sum += value;
	}
	return sum;
}

/* Clients are told apart by their epochs. */
static const char *check_clients(const struct nlattr *state)
{
	uint64_t epochs[FLAMEMOD_EVENT_CLIENTS_MAX], epoch;
	unsigned int nr = 0;

	for_each_attr(attr, data(state), bytes(state)) {
		struct members m;

		if (type(attr) != FLAMEMOD_A_STATE_CLIENT)
			continue;
		m = members_of(attr, 0);
		epoch = number(m.attrs[FLAMEMOD_A_CLIENT_EPOCH]);
		if (!epoch || !number(m.attrs[FLAMEMOD_A_CLIENT_PID]))
			return "a client has no epoch or no process";
		for (unsigned int i = 0; i < nr; i++)
			if (epochs[i] == epoch)
				return "two clients have the same epoch";
		if (nr == FLAMEMOD_EVENT_CLIENTS_MAX)
			return "there are more clients than may be";
		epochs[nr++] = epoch;
	}
	return NULL;
}

static const char *check_events(struct profile *p, const struct nlattr *state)
{
	const char *wrong = check_clients(state);
	bool has_epoch = members_of(state, 0).attrs[FLAMEMOD_A_STATE_EVENTS_EPOCH];

	for_each_attr(attr, data(state), bytes(state)) {
		struct members m;
		uint64_t stored = 0;

		if (type(attr) != FLAMEMOD_A_STATE_EVENT || wrong)
			continue;
		if (!has_epoch)
			return "events are listed without their epoch";
		m = members_of(attr, 0);
		if (number(m.attrs[FLAMEMOD_A_EVENT_BROKEN]))
			return "events have found themselves inconsistent";
		wrong = check_event_sums(m.attrs[FLAMEMOD_A_EVENT_HITS], &stored) ?:
			check_event_sums(m.attrs[FLAMEMOD_A_EVENT_WEIGHT], &stored);
		p->event_weight += stored;
		p->event_sides += sum_of(m.attrs[FLAMEMOD_A_EVENT_USER_SIDES]);
	}
	return wrong;
}

static const char *take_state(struct profile *p, const struct nlattr *nest)
{
	struct members m = members_of(nest, FLAMEMOD_A_STATE_EVENT);
	const char *wrong;
	uint16_t i;

	for (i = 1; i <= FLAMEMOD_A_STATE_MAX; i++)
		if (!m.attrs[i] && !is_optional(i))
			return "a part of the state is missing";
	wrong = check_stacks(m.attrs[FLAMEMOD_A_STATE_STACKS]) ?:
		check_isolated(&m) ?:
		check_user_stacks(p, m.attrs[FLAMEMOD_A_STATE_USER_STACKS]) ?:
		check_pauses(m.attrs[FLAMEMOD_A_STATE_PAUSES]) ?:
		check_events(p, nest);
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

const char *profile_end(const struct profile *p, bool with_cpus, bool with_records,
			bool of_events)
{
	if (!p->has_state)
		return "there was no state";
	if (with_cpus && memcmp(&p->total, &p->cpus, sizeof(p->total)))
		return "the CPUs' books do not sum to the total";
	if (!with_records)
		return NULL;
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
