// SPDX-License-Identifier: GPL-2.0
/*
 * Makes replies for tests: see nl_reply.h.
 */
#include <stdint.h>
#include <string.h>

#include "nl_reply.h"
#include "profile/profile.h"

void message_begin(struct message *m)
{
	memset(m->bytes, 0, sizeof(m->bytes));
	m->header = mnl_nlmsg_put_header(m->bytes);
	m->nest = NULL;
}

void open_nest(struct message *m, uint16_t type)
{
	m->nest = mnl_attr_nest_start(m->header, type);
}

void close_nest(struct message *m)
{
	mnl_attr_nest_end(m->header, m->nest);
}

void put_column(struct message *m, uint16_t type, size_t nr,
		const uint64_t *numbers)
{
	uint8_t bytes[1024], *to = bytes;

	for (size_t i = 0; i < nr; i++) {
		uint64_t number = numbers[i];

		for (; number >= 128; number /= 128)
			*to++ = 128 + number % 128;
		*to++ = number;
	}
	mnl_attr_put(m->header, type, to - bytes, bytes);
}

void put_differences(struct message *m, uint16_t type, size_t nr,
		     const uint32_t *values)
{
	uint64_t numbers[64];

	for (size_t i = 0; i < nr; i++) {
		int64_t d = (int64_t)values[i] - (i ? values[i - 1] : 0);

		numbers[i] = d < 0 ? -2 * d - 1 : 2 * d;
	}
	put_column(m, type, nr, numbers);
}

/* a sint, of 4 bytes or 8 */
static void put_overdue(struct message *m, int64_t overdue, bool wide)
{
	int32_t narrow = (int32_t)overdue;

	if (wide)
		mnl_attr_put(m->header, FLAMEMOD_A_BOOKS_OVERDUE,
			     sizeof(overdue), &overdue);
	else
		mnl_attr_put(m->header, FLAMEMOD_A_BOOKS_OVERDUE,
			     sizeof(narrow), &narrow);
}

static void put_books(struct message *m, uint16_t type, uint32_t fires,
		      uint32_t lost)
{
	struct nlattr *books = mnl_attr_nest_start(m->header, type), *nest;

	mnl_attr_put_u32(m->header, FLAMEMOD_A_BOOKS_EXPECTED, fires);
	/* a uint of 8 bytes, at no multiple of 8 */
	mnl_attr_put_u64(m->header, FLAMEMOD_A_BOOKS_FIRES, fires);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_BOOKS_STORED, fires - lost);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_BOOKS_LATE, 3 * lost);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_BOOKS_STOLEN, lost);
	put_overdue(m, lost ? -7 : 0, type == FLAMEMOD_A_CPU_BOOKS);
	nest = mnl_attr_nest_start(m->header, FLAMEMOD_A_BOOKS_LOST);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_LOST_OVERLOAD, lost);
	mnl_attr_nest_end(m->header, nest);
	mnl_attr_nest_end(m->header, books);
}

const struct reply good_reply = {
	.frames = 10, .nodes = 4, .tasks = 2, .records = 3,
	.fires = 20, .cpu_fires = 20, .state = FLAMEMOD_STATE_RUNNING,
	.pids = 2,
};

static void put_stacks(struct message *m)
{
	struct nlattr *nest = mnl_attr_nest_start(m->header,
						  FLAMEMOD_A_STATE_STACKS);

	mnl_attr_put_u32(m->header, FLAMEMOD_A_STACKS_LEARNED, 31);
	mnl_attr_put_u64(m->header, FLAMEMOD_A_STACKS_UNWOUND, 32ULL << 32);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_STACKS_STEPS, 33);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_STACKS_VERIFIED, 34);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_STACKS_DIFFERENCES, 35);
	mnl_attr_nest_end(m->header, nest);
}

static void put_pauses(struct message *m, uint32_t bytes)
{
	static const uint64_t callbacks[PROFILE_PAUSES_MAX + 1] = {
		[9] = 50, [10] = 48, [12] = 2,
	};
	struct nlattr *nest = mnl_attr_nest_start(m->header,
						  FLAMEMOD_A_STATE_PAUSES);

	mnl_attr_put(m->header, FLAMEMOD_A_PAUSES_CALLBACKS, bytes, callbacks);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_PAUSES_CALLBACK_NS_MAX, 41);
	mnl_attr_put_u64(m->header, FLAMEMOD_A_PAUSES_SWAP_NS_MAX, 42ULL << 32);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_PAUSES_FORGET_NS_MAX, 43);
	mnl_attr_nest_end(m->header, nest);
}

static void put_kept(struct message *m)
{
	struct nlattr *nest = mnl_attr_nest_start(m->header, FLAMEMOD_A_STATE_KEPT);

	mnl_attr_put_u32(m->header, FLAMEMOD_A_KEPT_READERS, 51);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_KEPT_EPOCHS, 52);
	mnl_attr_put_u64(m->header, FLAMEMOD_A_KEPT_BYTES, 53ULL << 32);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_KEPT_EXPIRED, 54);
	mnl_attr_put_u64(m->header, FLAMEMOD_A_KEPT_RECLAIMED, 55ULL << 32);
	mnl_attr_nest_end(m->header, nest);
}

void put_state(struct message *m, const struct reply *reply)
{
	open_nest(m, FLAMEMOD_A_STATE);
	mnl_attr_put_strz(m->header, FLAMEMOD_A_STATE_VERSION, "1.0");
	mnl_attr_put_u32(m->header, FLAMEMOD_A_STATE_STATE, reply->state);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_STATE_EPOCH, 3);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_STATE_PERIOD_NS, 1003009);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_STATE_RESOLUTION_NS, 1);
	mnl_attr_put_u64(m->header, FLAMEMOD_A_STATE_SINCE_NS, 1ULL << 40);
	mnl_attr_put_u64(m->header, FLAMEMOD_A_STATE_INSTANT_NS, 1ULL << 41);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_STATE_MEMORY_BYTES, 4096);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_STATE_NR_FRAMES, reply->frames);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_STATE_NR_NODES, reply->nodes);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_STATE_NR_TASKS, reply->tasks);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_STATE_NR_RECORDS,
			 reply->records);
	if (reply->irqs_off)
		mnl_attr_put_u8(m->header, FLAMEMOD_A_STATE_IRQS_OFF,
				reply->irqs_off == PROFILE_IRQS_OFF_MARKED);
	if (reply->isolated)
		mnl_attr_put_strz(m->header, FLAMEMOD_A_STATE_ISOLATED,
				  reply->isolated);
	if (reply->nr_isolated)
		mnl_attr_put_u32(m->header, FLAMEMOD_A_STATE_NR_ISOLATED,
				 reply->nr_isolated);
	if (reply->closed) {
		mnl_attr_put_u8(m->header, FLAMEMOD_A_STATE_CLOSED, 1);
		put_kept(m);
	}
	put_books(m, FLAMEMOD_A_STATE_BOOKS, reply->fires, 2);
	if (reply->pauses_bytes) {
		mnl_attr_put_u8(m->header, FLAMEMOD_A_STATE_STEAL_CLOCK,
				reply->pauses_bytes > 13 * sizeof(uint64_t));
		put_stacks(m);
		put_pauses(m, reply->pauses_bytes);
	}
	close_nest(m);
}

void put_settings(struct message *m, const struct reply *reply)
{
	static const uint32_t pids[FLAMEMOD_PIDS_MAX + 1] = { 7, 8 };

	open_nest(m, FLAMEMOD_A_SETTINGS);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_SETTINGS_HZ, 997);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_SETTINGS_MAX_DEPTH, 127);
	mnl_attr_put_u8(m->header, FLAMEMOD_A_SETTINGS_KERNEL_ONLY, 1);
	mnl_attr_put(m->header, FLAMEMOD_A_SETTINGS_PIDS,
		     reply->pids * sizeof(*pids), pids);
	mnl_attr_put_strz(m->header, FLAMEMOD_A_SETTINGS_CPUS, "0-1");
	close_nest(m);
}

/* The latest two of three stalls are listed. */
static void put_stalls(struct message *m)
{
	mnl_attr_put_u32(m->header, FLAMEMOD_A_CPU_NR_STALLS, 3);
	for (uint32_t i = 0; i < 2; i++) {
		struct nlattr *nest = mnl_attr_nest_start(m->header,
							  FLAMEMOD_A_CPU_STALL);

		mnl_attr_put_u64(m->header, FLAMEMOD_A_STALL_FROM_NS, 50 + i);
		mnl_attr_put_u64(m->header, FLAMEMOD_A_STALL_NS, (5ULL << 32) + i);
		mnl_attr_nest_end(m->header, nest);
	}
}

void put_cpu(struct message *m, uint32_t cpu, uint32_t fires,
	     uint32_t lost)
{
	struct nlattr *nest = mnl_attr_nest_start(m->header, FLAMEMOD_A_CPU);

	mnl_attr_put_u32(m->header, FLAMEMOD_A_CPU_CPU, cpu);
	mnl_attr_put_u8(m->header, FLAMEMOD_A_CPU_SAMPLING, 1);
	mnl_attr_put_u64(m->header, FLAMEMOD_A_CPU_SAMPLED_NS, 5ULL << 32);
	put_stalls(m);
	put_books(m, FLAMEMOD_A_CPU_BOOKS, fires, lost);
	mnl_attr_nest_end(m->header, nest);
}

void put_frames(struct message *m)
{
	/* numbers have gaps */
	static const uint32_t ids[] = { 2, 5, 9 };
	static const uint64_t kinds[] = {
		FLAMEMOD_FRAME_KERNEL, FLAMEMOD_FRAME_MODULE,
		FLAMEMOD_FRAME_KERNEL,
	};

	open_nest(m, FLAMEMOD_A_FRAMES);
	put_differences(m, FLAMEMOD_A_FRAMES_ID, 3, ids);
	put_column(m, FLAMEMOD_A_FRAMES_KIND, 3, kinds);
	mnl_attr_put_strz(m->header, FLAMEMOD_A_FRAMES_NAME, "entry");
	mnl_attr_put_strz(m->header, FLAMEMOD_A_FRAMES_NAME, "f [tun]");
	/* some kernels' strings come without their NUL */
	mnl_attr_put(m->header, FLAMEMOD_A_FRAMES_NAME, 4, "leaf");
	close_nest(m);
}

void put_nodes(struct message *m)
{
	static const uint32_t parents[] = { 0, 1, 1 }, frames[] = { 2, 5, 9 };

	open_nest(m, FLAMEMOD_A_NODES);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_NODES_FIRST, 1);
	put_differences(m, FLAMEMOD_A_NODES_PARENT, 3, parents);
	put_differences(m, FLAMEMOD_A_NODES_FRAME, 3, frames);
	close_nest(m);
}

void put_tasks(struct message *m)
{
	static const uint32_t pids[] = { 0, 40 }, tids[] = { 0, 41 };

	open_nest(m, FLAMEMOD_A_TASKS);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_TASKS_FIRST, 0);
	put_differences(m, FLAMEMOD_A_TASKS_PID, 2, pids);
	put_differences(m, FLAMEMOD_A_TASKS_TID, 2, tids);
	mnl_attr_put_strz(m->header, FLAMEMOD_A_TASKS_COMM, "swapper/0");
	mnl_attr_put_strz(m->header, FLAMEMOD_A_TASKS_COMM, "\xff;");
	close_nest(m);
}

const uint32_t record_nodes[] = { 2, 3, 0 };
const uint32_t record_tasks[] = { 1, 1, 0 };
const uint64_t record_cpus[] = { 0, 1, 1 };
const uint64_t record_contexts[] = {
	FLAMEMOD_CONTEXT_TASK, FLAMEMOD_CONTEXT_SOFTIRQ, FLAMEMOD_CONTEXT_USER,
};

void put_records(struct message *m, bool wide, const uint32_t *user_nodes)
{
	static const uint64_t count[] = { 8, 3, 1 }, periods[] = { 10, 6, 2 };
	static const uint64_t late_us[] = { 1ULL << 33, 0, 0 };

	open_nest(m, FLAMEMOD_A_RECORDS);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_RECORDS_FIRST, 0);
	put_differences(m, FLAMEMOD_A_RECORDS_NODE, 3, record_nodes);
	put_differences(m, FLAMEMOD_A_RECORDS_TASK, 3, record_tasks);
	put_column(m, FLAMEMOD_A_RECORDS_CPU, 3, record_cpus);
	put_column(m, FLAMEMOD_A_RECORDS_CONTEXT, 3, record_contexts);
	put_column(m, FLAMEMOD_A_RECORDS_COUNT, 3, count);
	put_column(m, FLAMEMOD_A_RECORDS_PERIODS, 3, periods);
	put_column(m, FLAMEMOD_A_RECORDS_LATE_US, 3, wide ? late_us : count);
	if (user_nodes)
		put_differences(m, FLAMEMOD_A_RECORDS_USER_NODE, 3, user_nodes);
	close_nest(m);
}

void put_head(struct message *m, const struct reply *reply)
{
	mnl_attr_put_u32(m->header, FLAMEMOD_A_SESSION, 0);
	put_settings(m, reply);
	put_state(m, reply);
	put_cpu(m, 0, reply->cpu_fires / 2, 0);
	put_cpu(m, 1, reply->cpu_fires - reply->cpu_fires / 2, 2);
}

void put_reply(struct message *m, const struct reply *reply)
{
	message_begin(m);
	put_head(m, reply);
	put_frames(m);
	put_nodes(m);
	put_tasks(m);
	put_records(m, reply->wide, reply->user_nodes);
}
