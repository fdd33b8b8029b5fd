// SPDX-License-Identifier: GPL-2.0
/*
 * The batches of the module's replies: frames, nodes, tasks and records, with valid and
 * invalid numbers.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <libmnl/libmnl.h>

#include "nl_decoded.h"
#include "profile/cgroup.h"

static void nodes_refer_to_what_came_before(void **state)
{
	uint32_t parent = 4, frame = 2;
	struct reply reply = good_reply;
	struct message m;
	int i;

	(void)state;
	reply.nodes = 5;
	/* refers to itself, to a later node, to a frame that was not sent */
	for (i = 0; i < 3; i++) {
		put_reply(&m, &reply);
		open_nest(&m, FLAMEMOD_A_NODES);
		mnl_attr_put_u32(m.header, FLAMEMOD_A_NODES_FIRST, 4);
		put_differences(&m, FLAMEMOD_A_NODES_PARENT, 1, &parent);
		put_differences(&m, FLAMEMOD_A_NODES_FRAME, 1, &frame);
		close_nest(&m);
		expect_bad(&m, i < 2 ? "node" : "frame 3");
		parent = i == 0 ? UINT32_MAX : 0;
		frame = i == 1 ? 3 : 2;
	}
}

static void batches_follow_each_other(void **state)
{
	static const uint32_t zero;
	struct message m;

	(void)state;
	put_reply(&m, &good_reply);
	open_nest(&m, FLAMEMOD_A_NODES);
	mnl_attr_put_u32(m.header, FLAMEMOD_A_NODES_FIRST, 9);
	put_differences(&m, FLAMEMOD_A_NODES_PARENT, 1, &zero);
	put_differences(&m, FLAMEMOD_A_NODES_FRAME, 1, &zero);
	close_nest(&m);
	expect_bad(&m, "nodes 9 follow where 4 should");
	put_reply(&m, &good_reply);
	open_nest(&m, FLAMEMOD_A_TASKS);
	put_differences(&m, FLAMEMOD_A_TASKS_PID, 1, &zero);
	put_differences(&m, FLAMEMOD_A_TASKS_TID, 1, &zero);
	close_nest(&m);
	expect_bad(&m, "has no first");
	put_reply(&m, &good_reply);
	put_frames(&m);
	expect_bad(&m, "frame 2 is out of order");
}

static void names_and_numbers_are_equally_many(void **state)
{
	static const uint32_t id[] = { 1, 2 };
	static const uint64_t kind[] = { 0, 0 };
	struct message m;
	int names;

	(void)state;
	for (names = 1; names <= 3; names += 2) {
		int i;

		message_begin(&m);
		put_head(&m, &good_reply);
		open_nest(&m, FLAMEMOD_A_FRAMES);
		put_differences(&m, FLAMEMOD_A_FRAMES_ID, 2, id);
		put_column(&m, FLAMEMOD_A_FRAMES_KIND, 2, kind);
		for (i = 0; i < names; i++)
			mnl_attr_put_strz(m.header, FLAMEMOD_A_FRAMES_NAME, "f");
		close_nest(&m);
		expect_bad(&m, names == 1 ? "fewer names" : "more names");
	}
	message_begin(&m);
	put_head(&m, &good_reply);
	open_nest(&m, FLAMEMOD_A_FRAMES);
	put_differences(&m, FLAMEMOD_A_FRAMES_ID, 2, id);
	put_column(&m, FLAMEMOD_A_FRAMES_KIND, 2, kind);
	mnl_attr_put(m.header, FLAMEMOD_A_FRAMES_NAME, 4, "a\0b");
	close_nest(&m);
	expect_bad(&m, "name is not a string");
}

/* Make a batch of records with one column twice; the second has these bytes. */
static void expect_bad_column(uint16_t type, size_t size, const char *bytes,
			      const char *why)
{
	static const uint64_t counts[] = { 1, 2, 3 };
	struct reply reply = good_reply;
	struct message m;

	reply.records = 6;
	message_begin(&m);
	put_head(&m, &reply);
	put_frames(&m);
	put_nodes(&m);
	put_tasks(&m);
	open_nest(&m, FLAMEMOD_A_RECORDS);
	mnl_attr_put_u32(m.header, FLAMEMOD_A_RECORDS_FIRST, 0);
	put_differences(&m, FLAMEMOD_A_RECORDS_NODE, 3, record_nodes);
	put_differences(&m, FLAMEMOD_A_RECORDS_TASK, 3, record_tasks);
	put_column(&m, FLAMEMOD_A_RECORDS_CPU, 3, record_cpus);
	put_column(&m, FLAMEMOD_A_RECORDS_CONTEXT, 3, record_contexts);
	put_column(&m, FLAMEMOD_A_RECORDS_COUNT, 3, counts);
	put_column(&m, FLAMEMOD_A_RECORDS_PERIODS, 3, counts);
	put_column(&m, FLAMEMOD_A_RECORDS_LATE_US, 3, counts);
	/* the last of two equal attributes counts */
	mnl_attr_put(m.header, type, size, bytes);
	close_nest(&m);
	expect_bad(&m, why);
}

static void columns_are_equally_long(void **state)
{
	static const char zeros[8];

	(void)state;
	expect_bad_column(FLAMEMOD_A_RECORDS_NODE, 2, zeros,
			  "column task has 3 elements, its neighbours 2");
	expect_bad_column(FLAMEMOD_A_RECORDS_NODE, 0, zeros, "column node is empty");
	expect_bad_column(FLAMEMOD_A_RECORDS_CPU, 4, zeros, "column cpu has 4");
	expect_bad_column(FLAMEMOD_A_RECORDS_CONTEXT, 2, zeros, "column context has 2");
	expect_bad_column(FLAMEMOD_A_RECORDS_COUNT, 4, zeros, "column count has 4");
	expect_bad_column(FLAMEMOD_A_RECORDS_LATE_US, 2, zeros, "column late-us has 2");
	expect_bad_column(FLAMEMOD_A_RECORDS_EVENT, 4, zeros, "column event has 4");
	expect_bad_column(FLAMEMOD_A_RECORDS_USER_NODE, 2, zeros, "column user-node");
	expect_bad_column(FLAMEMOD_A_RECORDS_FOLLOWED, 2, zeros, "column followed");
	expect_bad_column(FLAMEMOD_A_RECORDS_FIRST, 8, zeros, "first has a size of 8");
	expect_bad_column(FLAMEMOD_A_RECORDS_FIRST, 4, zeros, "3 records of 6");
}

static void numbers_are_within_their_limits(void **state)
{
	(void)state;
	expect_bad_column(FLAMEMOD_A_RECORDS_TASK, 4, "\0\0\0\x80",
			  "column task ends within a number");
	expect_bad_column(FLAMEMOD_A_RECORDS_COUNT, 12,
			  "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\0\0",
			  "column count has a number of more than 64 bits");
	expect_bad_column(FLAMEMOD_A_RECORDS_CPU, 7,
			  "\x80\x80\x80\x80\x10\0\0",
			  "column cpu has 4294967296, which is more than 32 bits");
	expect_bad_column(FLAMEMOD_A_RECORDS_NODE, 3, "\x01\0\0",
			  "column node has 18446744073709551615");
	expect_bad_column(FLAMEMOD_A_RECORDS_EVENT, 3, "\0\x01\0", "unknown event 1");
	expect_bad_column(FLAMEMOD_A_RECORDS_FOLLOWED, 3, "\0\x02\0", "followed by 2");
	expect_bad_column(FLAMEMOD_A_RECORDS_CONTEXT, 4, "\0\x80\x01\0",
			  "unknown context 128");
}

/* Make one record of these numbers. */
static void expect_bad_record(uint32_t node, uint32_t task, uint64_t context,
			      uint64_t event, uint32_t user_node,
			      const char *why)
{
	static const uint64_t one = 1, cpu;
	struct reply reply = good_reply;
	struct message m;

	reply.records = 4;
	put_reply(&m, &reply);
	open_nest(&m, FLAMEMOD_A_RECORDS);
	mnl_attr_put_u32(m.header, FLAMEMOD_A_RECORDS_FIRST, 3);
	put_differences(&m, FLAMEMOD_A_RECORDS_NODE, 1, &node);
	put_differences(&m, FLAMEMOD_A_RECORDS_TASK, 1, &task);
	put_column(&m, FLAMEMOD_A_RECORDS_CPU, 1, &cpu);
	put_column(&m, FLAMEMOD_A_RECORDS_CONTEXT, 1, &context);
	put_column(&m, FLAMEMOD_A_RECORDS_COUNT, 1, &one);
	put_column(&m, FLAMEMOD_A_RECORDS_PERIODS, 1, &one);
	put_column(&m, FLAMEMOD_A_RECORDS_LATE_US, 1, &one);
	put_column(&m, FLAMEMOD_A_RECORDS_EVENT, 1, &event);
	put_differences(&m, FLAMEMOD_A_RECORDS_USER_NODE, 1, &user_node);
	close_nest(&m);
	expect_bad(&m, why);
}

static void records_refer_to_what_came_before(void **state)
{
	(void)state;
	expect_bad_record(4, 0, 0, 0, 0, "node 4 is referred to");
	expect_bad_record(UINT32_MAX, 0, 0, 0, 0, "node 4294967295");
	expect_bad_record(0, 2, 0, 0, 0, "task 2 is referred to");
	expect_bad_record(0, 0, 5, 0, 0, "unknown context 5");
	expect_bad_record(0, 0, 0, 1, 0, "unknown event 1");
	expect_bad_record(0, 0, 0, 0, 4, "node 4 is referred to");
}

/* Put two tasks that are one but for their cgroups. */
static void put_moved_task(struct message *m, size_t size, const char *cgroups)
{
	static const uint32_t ids[] = { 40, 40 };

	put_frames(m);
	put_nodes(m);
	open_nest(m, FLAMEMOD_A_TASKS);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_TASKS_FIRST, 0);
	put_differences(m, FLAMEMOD_A_TASKS_PID, 2, ids);
	put_differences(m, FLAMEMOD_A_TASKS_TID, 2, ids);
	mnl_attr_put_strz(m->header, FLAMEMOD_A_TASKS_COMM, "sh");
	mnl_attr_put_strz(m->header, FLAMEMOD_A_TASKS_COMM, "sh");
	mnl_attr_put(m->header, FLAMEMOD_A_TASKS_CGROUP, size, cgroups);
	close_nest(m);
	put_records(m, false, NULL);
}

static void tasks_are_in_cgroups(void **state)
{
	/* 2^32 + 5, and 2^64 - 1, which is less by 2^32 + 6 */
	static const char cgroups[] = "\x8a\x80\x80\x80\x20\x8b\x80\x80\x80\x20";
	struct nl_decoder *decoder = nl_decoder_create(true);
	struct profile *profile = NULL;
	struct error error;
	struct message m;

	(void)state;
	message_begin(&m);
	put_head(&m, &good_reply);
	put_moved_task(&m, sizeof(cgroups) - 1, cgroups);
	if (decode_message(decoder, &m, &error) || nl_decode_end(decoder, &profile, &error))
		fail_msg("%s", error.text);
	assert_int_equal(profile->nr_tasks, 2);
	assert_string_equal(profile->tasks[0].cgroup, "cgroup 4294967301");
	assert_string_equal(profile->tasks[1].cgroup, CGROUP_OTHER);
	profile_destroy(profile);
	nl_decoder_destroy(decoder);

	message_begin(&m);
	put_head(&m, &good_reply);
	put_moved_task(&m, 1, "\x0a");
	expect_bad(&m, "column cgroup has 1 elements, its neighbours 2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_refer_to_what_came_before),
		cmocka_unit_test(batches_follow_each_other),
		cmocka_unit_test(names_and_numbers_are_equally_many),
		cmocka_unit_test(columns_are_equally_long),
		cmocka_unit_test(numbers_are_within_their_limits),
		cmocka_unit_test(records_refer_to_what_came_before),
		cmocka_unit_test(tasks_are_in_cgroups),
	};

	return cmocka_run_group_tests_name("nl_batch", tests, NULL, NULL);
}
