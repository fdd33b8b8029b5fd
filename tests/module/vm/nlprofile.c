// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a dump of events: see nlprofile.h.
 */
#include <inttypes.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nlprofile.h"

#define FRAMES		65536
#define NODES		65536
#define TASKS		16384

static struct {
	char *frames[FRAMES];
	uint32_t parent[NODES], frame[NODES], tid[TASKS];
	char comm[TASKS][16];
	struct profile_times times;
	void (*take)(const struct profile_record *record);
} profile;

static uint64_t attr_number(const struct nlattr *attr)
{
	return mnl_attr_get_payload_len(attr) == 8 ? mnl_attr_get_u64(attr) :
						     mnl_attr_get_u32(attr);
}

struct column {
	const uint8_t *at, *end;
	uint64_t last;
};

static struct column column_of(const struct nlattr *attr)
{
	struct column column = { 0 };

	if (attr) {
		column.at = mnl_attr_get_payload(attr);
		column.end = column.at + mnl_attr_get_payload_len(attr);
	}
	return column;
}

static uint64_t column_next(struct column *column)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	if (column->at == column->end)
		return 0;
	do
		value |= (uint64_t)(*column->at & 0x7f) << shift;
	while (shift += 7, *column->at++ & 0x80);
	return value;
}

static uint64_t column_difference(struct column *column)
{
	uint64_t value = column_next(column);

	column->last += value & 1 ? ~(value >> 1) : value >> 1;
	return column->last;
}

static void take_frames(const struct nlattr *nest)
{
	const struct nlattr *attr;
	struct column ids = { 0 };

	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) == FLAMEMOD_A_FRAMES_ID)
			ids = column_of(attr);
		if (mnl_attr_get_type(attr) == FLAMEMOD_A_FRAMES_NAME)
			profile.frames[column_difference(&ids) % FRAMES] =
				strdup(mnl_attr_get_str(attr));
	}
}

static void table_of(const struct nlattr *nest, const struct nlattr **table, int max)
{
	const struct nlattr *attr;

	memset(table, 0, sizeof(*table) * (size_t)(max + 1));
	mnl_attr_for_each_nested(attr, nest)
		if (mnl_attr_get_type(attr) <= max)
			table[mnl_attr_get_type(attr)] = attr;
}

static void take_nodes(const struct nlattr *nest)
{
	const struct nlattr *table[FLAMEMOD_A_NODES_MAX + 1];
	struct column parent, frame;
	uint32_t node;

	table_of(nest, table, FLAMEMOD_A_NODES_MAX);
	parent = column_of(table[FLAMEMOD_A_NODES_PARENT]);
	frame = column_of(table[FLAMEMOD_A_NODES_FRAME]);
	for (node = mnl_attr_get_u32(table[FLAMEMOD_A_NODES_FIRST]);
	     parent.at != parent.end && node < NODES; node++) {
		profile.parent[node] = (uint32_t)column_difference(&parent);
		profile.frame[node] = (uint32_t)column_difference(&frame);
	}
}

static void take_tasks(const struct nlattr *nest)
{
	const struct nlattr *table[FLAMEMOD_A_TASKS_MAX + 1], *attr;
	uint32_t first, task;
	struct column tid;

	table_of(nest, table, FLAMEMOD_A_TASKS_MAX);
	first = task = mnl_attr_get_u32(table[FLAMEMOD_A_TASKS_FIRST]);
	tid = column_of(table[FLAMEMOD_A_TASKS_TID]);
	for (; tid.at != tid.end && task < TASKS; task++)
		profile.tid[task] = (uint32_t)column_difference(&tid);
	mnl_attr_for_each_nested(attr, nest)
		if (mnl_attr_get_type(attr) == FLAMEMOD_A_TASKS_COMM && first < TASKS)
			snprintf(profile.comm[first++], 16, "%s", mnl_attr_get_str(attr));
}

static void print_stack(uint32_t node)
{
	if (!node)
		return;
	print_stack(profile.parent[node]);
	printf(";%s", profile.frames[profile.frame[node]]);
}

static void take_records(const struct nlattr *nest)
{
	const struct nlattr *table[FLAMEMOD_A_RECORDS_MAX + 1];
	struct column node, task, weight, event, state, number, cpu, context;

	table_of(nest, table, FLAMEMOD_A_RECORDS_MAX);
	node = column_of(table[FLAMEMOD_A_RECORDS_NODE]);
	task = column_of(table[FLAMEMOD_A_RECORDS_TASK]);
	weight = column_of(table[FLAMEMOD_A_RECORDS_PERIODS]);
	number = column_of(table[FLAMEMOD_A_RECORDS_COUNT]);
	cpu = column_of(table[FLAMEMOD_A_RECORDS_CPU]);
	context = column_of(table[FLAMEMOD_A_RECORDS_CONTEXT]);
	event = column_of(table[FLAMEMOD_A_RECORDS_EVENT]);
	state = column_of(table[FLAMEMOD_A_RECORDS_STATE]);
	while (node.at != node.end) {
		uint32_t leaf = (uint32_t)column_difference(&node);
		uint32_t t = (uint32_t)column_difference(&task);
		uint64_t e = column_next(&event), s = column_next(&state);
		uint64_t w = column_next(&weight), n = column_next(&number);
		struct profile_record record = {
			leaf, profile.tid[t % TASKS], profile.comm[t % TASKS], column_next(&cpu),
			column_next(&context), e, s, n, w,
		};

		printf("stack %" PRIu64 " %" PRIu64 " %s-%u", e, s, record.comm, record.tid);
		print_stack(leaf);
		printf(" %" PRIu64 " %" PRIu64 "\n", n, w);
		printf("context %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", e,
		       record.context, record.cpu, n);
		if (profile.take)
			profile.take(&record);
	}
}

static void print_sums(uint32_t event, const char *what, const struct nlattr *nest)
{
	const struct nlattr *table[FLAMEMOD_A_EVENT_LOST_MAX + 1], *attr;
	int i;

	printf("books %u %s", event, what);
	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) != FLAMEMOD_A_EVENT_BOOKS_LOST) {
			printf(" %" PRIu64, attr_number(attr));
			continue;
		}
		table_of(attr, table, FLAMEMOD_A_EVENT_LOST_MAX);
		for (i = 1; i <= FLAMEMOD_A_EVENT_LOST_MAX; i++)
			printf(" %" PRIu64, table[i] ? attr_number(table[i]) : 0);
	}
	printf("\n");
}

static void take_event(const struct nlattr *nest)
{
	const struct nlattr *table[FLAMEMOD_A_EVENT_MAX + 1], *kind, *suspended;
	uint32_t event;

	table_of(nest, table, FLAMEMOD_A_EVENT_MAX);
	event = mnl_attr_get_u32(table[FLAMEMOD_A_EVENT_EVENT]);
	kind = table[FLAMEMOD_A_EVENT_KIND];
	suspended = table[FLAMEMOD_A_EVENT_SUSPENDED_NS];
	printf("event %u %s %s %u %" PRIu64 "\n", event,
	       mnl_attr_get_str(table[FLAMEMOD_A_EVENT_NAME]),
	       mnl_attr_get_str(table[FLAMEMOD_A_EVENT_UNIT]),
	       kind ? mnl_attr_get_u32(kind) : 0, suspended ? attr_number(suspended) : 0);
	print_sums(event, "hits", table[FLAMEMOD_A_EVENT_HITS]);
	print_sums(event, "weight", table[FLAMEMOD_A_EVENT_WEIGHT]);
	printf("broken %u\n", mnl_attr_get_u8(table[FLAMEMOD_A_EVENT_BROKEN]));
}

static void take_state(const struct nlattr *nest)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case FLAMEMOD_A_STATE_SINCE_NS:
			profile.times.since_ns = attr_number(attr);
			break;
		case FLAMEMOD_A_STATE_INSTANT_NS:
			profile.times.instant_ns = attr_number(attr);
			break;
		case FLAMEMOD_A_STATE_EVENT:
			take_event(attr);
			break;
		default:
			break;
		}
	}
}

static int take_message(const struct nlmsghdr *reply, void *data)
{
	const struct nlattr *attr;

	(void)data;
	mnl_attr_for_each(attr, reply, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case FLAMEMOD_A_STATE:
			take_state(attr);
			break;
		case FLAMEMOD_A_FRAMES:
			take_frames(attr);
			break;
		case FLAMEMOD_A_NODES:
			take_nodes(attr);
			break;
		case FLAMEMOD_A_TASKS:
			take_tasks(attr);
			break;
		case FLAMEMOD_A_RECORDS:
			take_records(attr);
			break;
		default:
			break;
		}
	}
	return MNL_CB_OK;
}

struct profile_times profile_print(struct asker *asker,
				   void (*take)(const struct profile_record *record))
{
	static char buffer[REQUEST_SIZE];
	struct request request;

	profile.take = take;
	request = request_begin(buffer, "dump", asker->family, FLAMEMOD_CMD_PROFILE,
				NLM_F_DUMP);
	mnl_attr_put(request.header, FLAMEMOD_A_EVENTS, 0, NULL);
	asker_run(asker, request.header, take_message, NULL);
	return profile.times;
}
