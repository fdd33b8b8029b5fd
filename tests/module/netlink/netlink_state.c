// SPDX-License-Identifier: GPL-2.0
/*
 * Checks the state of the module: see netlink_state.h.
 */
#include <stdlib.h>
#include <string.h>

#include "flamemod.h"
#include "netlink_attrs.h"
#include "netlink_state.h"

const char *books_add(struct sums *sums, const struct nlattr *nest)
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

const char *state_take(struct profile *p, const struct nlattr *nest)
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
	return books_add(&p->total, m.attrs[FLAMEMOD_A_STATE_BOOKS]);
}
