// SPDX-License-Identifier: GPL-2.0
/*
 * What is written for ClickHouse: its format, ids of stacks, rows of windows, tables of
 * old and new servers, and what its answers mean.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "fleet/clickhouse/clickhouse.h"
#include "fleet/clickhouse/cluster.h"
#include "fleet/clickhouse/rowbinary.h"
#include "fleet/clickhouse/schema.h"
#include "fleet/folded_rows.h"
#include "fleet/known.h"
#include "fleet/targets.h"
#include "made_profile.h"
#include "profile/join.h"

static void expect_hash(const char *text, size_t times, const char *expected)
{
	uint8_t hash[SHA256_BYTES];
	char hex[2 * SHA256_BYTES + 1];
	struct sha256 sha;

	sha256_init(&sha);
	for (size_t i = 0; i < times; i++)
		sha256_add(&sha, text, strlen(text));
	sha256_end(&sha, hash);
	for (size_t i = 0; i < SHA256_BYTES; i++)
		sprintf(hex + 2 * i, "%02x", hash[i]);
	assert_string_equal(hex, expected);
}

/* The examples of FIPS 180-4, from csrc.nist.gov, and lengths around a block's end. */
static void hashes_are_those_of_the_standard(void **state)
{
	(void)state;
	expect_hash("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	expect_hash("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	expect_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
		    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	expect_hash("aaaaaaaaaa", 100000,
		    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	/* sha256sum of coreutils: 55, 63 and 64 times "a" */
	expect_hash("a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
	expect_hash("a", 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
	expect_hash("a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

static void values_are_read_as_written(void **state)
{
	static const uint64_t lengths[] = { 0, 1, 127, 128, 300, 16384 };
	struct rowbinary out = { NULL };
	struct rowbinary_reader in;
	const double pi = 3.25;
	uint64_t bits;
	char *text;

	(void)state;
	memcpy(&bits, &pi, sizeof(bits));
	rowbinary_number(&out, 0x0102030405060708, 8);
	rowbinary_number(&out, 300, 2);
	rowbinary_text(&out, "h\xc3\xb6st");
	rowbinary_number(&out, bits, 8);
	assert_int_equal(out.size, 8 + 2 + 6 + 8);
	assert_int_equal(out.bytes[0], 8);
	assert_int_equal(out.bytes[10], 5);
	in = (struct rowbinary_reader){ out.bytes, out.bytes + out.size, false };
	assert_int_equal(rowbinary_take_number(&in, 8), 0x0102030405060708);
	assert_int_equal(rowbinary_take_number(&in, 2), 300);
	text = rowbinary_take_text(&in);
	assert_string_equal(text, "h\xc3\xb6st");
	free(text);
	assert_true(rowbinary_take_double(&in) == pi);
	assert_false(in.failed);
	assert_int_equal(rowbinary_take_number(&in, 1), 0);
	assert_true(in.failed);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		char *bytes;

		out.size = 0;
		rowbinary_length(&out, lengths[i]);
		bytes = calloc(1, out.size + lengths[i]);
		memcpy(bytes, out.bytes, out.size);
		in = (struct rowbinary_reader){ bytes, bytes + out.size + lengths[i], false };
		assert_int_equal(rowbinary_take_length(&in), lengths[i]);
		/* one byte less than it says */
		if (lengths[i]) {
			in = (struct rowbinary_reader){ bytes, bytes + out.size + lengths[i] - 1, false };
			assert_int_equal(rowbinary_take_length(&in), 0);
			assert_true(in.failed);
		}
		free(bytes);
	}
	free(out.bytes);
}

static void no_length_is_believed(void **state)
{
	static const char endless[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
	struct rowbinary_reader in = { endless, endless + sizeof(endless), false };

	(void)state;
	assert_int_equal(rowbinary_take_length(&in), 0);
	assert_true(in.failed);
	assert_null(rowbinary_take_text(&in));
}

static const uint8_t *id_of(const struct stack_ids *ids, const struct profile *profile,
			    const char *leaf)
{
	for (uint32_t i = 1; i < profile->nr_nodes; i++)
		if (!strcmp(profile->frames[profile->nodes[i].frame].name, leaf))
			return ids->hashes[i];
	fail_msg("no %s", leaf);
	return NULL;
}

static void ids_are_of_frames_alone(void **state)
{
	struct profile *one = made_profile(), *other = profile_create();
	struct stack_ids of_one, of_other;
	static const uint8_t none[STACK_ID_BYTES];
	uint32_t frame, node;

	(void)state;
	/* other numbers for the same stacks */
	assert_int_equal(profile_add_frame(other, "first", FLAMEMOD_FRAME_KERNEL, &frame), 0);
	assert_int_equal(profile_add_node(other, 0, frame, &node), 0);
	assert_int_equal(profile_join(other, one, NULL), 0);
	/* the same name, of another kind */
	assert_int_equal(profile_add_frame(other, "entry", FLAMEMOD_FRAME_MARK, &frame), 0);
	assert_int_equal(profile_add_node(other, 0, frame, &node), 0);
	assert_int_equal(stack_ids_make(&of_one, one), 0);
	assert_int_equal(stack_ids_make(&of_other, other), 0);
	assert_memory_equal(of_one.hashes[0], none, STACK_ID_BYTES);
	assert_memory_equal(id_of(&of_one, one, "vfs_read"), id_of(&of_other, other, "vfs_read"),
			    STACK_ID_BYTES);
	assert_memory_not_equal(id_of(&of_one, one, "vfs_read"),
				id_of(&of_one, one, "entry"), STACK_ID_BYTES);
	assert_memory_not_equal(of_other.hashes[node], id_of(&of_one, one, "entry"),
				STACK_ID_BYTES);
	stack_ids_deinit(&of_one);
	stack_ids_deinit(&of_other);
	profile_destroy(one);
	profile_destroy(other);
}

static void rows_sum_what_differs_by_process_and_cpu(void **state)
{
	struct profile *profile = made_profile();
	struct profile_record record = { .context = FLAMEMOD_CONTEXT_TASK, .periods = 3, .count = 2,
					 .late_us = 5 };
	struct folded_rows rows;
	uint64_t periods = 0, count = 0, late_us = 0;
	uint32_t i, task;

	(void)state;
	for (i = 0; i < 4; i++) {
		assert_int_equal(profile_add_task(profile, 1000 + i, 1000 + i, i < 3 ? "many" : "one",
						  &task), 0);
		record.task = task;
		record.cpu = i % 2;
		assert_int_equal(profile_add_record(profile, &record), 0);
	}
	assert_int_equal(folded_rows_make(&rows, profile, false), 0);
	for (i = 0; i < rows.nr; i++) {
		periods += rows.list[i].periods;
		count += rows.list[i].count;
		late_us += rows.list[i].late_us;
		if (!strcmp(rows.list[i].comm, "many"))
			assert_int_equal(rows.list[i].periods, 9);
		if (!strcmp(rows.list[i].comm, "one"))
			assert_int_equal(rows.list[i].late_us, 5);
	}
	for (i = 0; i < profile->nr_records; i++) {
		periods -= profile->records[i].periods;
		count -= profile->records[i].count;
		late_us -= profile->records[i].late_us;
	}
	assert_true(!periods && !count && !late_us);
	i = (uint32_t)rows.nr;
	folded_rows_deinit(&rows);
	/* with cgroups, a task of another one is another row */
	assert_int_equal(profile_intern_task(profile, &(struct profile_task){
			.pid = 1, .tid = 1, .comm = "many", .host = "", .cgroup = "/a",
		}, &record.task), 0);
	assert_int_equal(profile_add_record(profile, &record), 0);
	assert_int_equal(folded_rows_make(&rows, profile, false), 0);
	assert_int_equal(rows.nr, i);
	folded_rows_deinit(&rows);
	assert_int_equal(folded_rows_make(&rows, profile, true), 0);
	assert_int_equal(rows.nr, i + 1);
	assert_string_equal(rows.list[i].cgroup, "/a");
	folded_rows_deinit(&rows);
	profile_destroy(profile);
}

static void old_servers_get_simpler_tables(void **state)
{
	static const struct schema_server debian = { 18, 16 }, first = { 19, 6 },
					  last = { 19, 5 }, now = { 26, 1 };
	static const char *const ttl[SCHEMA_STATEMENTS] = {
		"TTL time + INTERVAL 7 DAY", "TTL seen + INTERVAL 37 DAY",
		"TTL toDateTime(hour * 3600) + INTERVAL 7 DAY",
	};

	(void)state;
	assert_false(schema_expires(&debian));
	assert_false(schema_expires(&last));
	assert_true(schema_expires(&first));
	for (size_t i = 0; i < SCHEMA_STATEMENTS; i++) {
		char *old = schema_statement(i, &debian, 7), *new = schema_statement(i, &now, 7);

		assert_null(strpbrk(old, "{}"));
		assert_null(strpbrk(new, "{}"));
		assert_null(strstr(old, "CODEC"));
		assert_null(strstr(old, "TTL"));
		assert_null(strstr(old, "LowCardinality"));
		assert_non_null(strstr(new, "CODEC(ZSTD(1))"));
		assert_non_null(strstr(new, ttl[i]));
		assert_non_null(strstr(new, "LowCardinality(String)"));
		free(old);
		free(new);
	}
}

static void expect_on_cluster(const char *statement, const char *expected)
{
	char *made = cluster_statement(statement, "c-1", "base");

	assert_string_equal(made, expected);
	free(made);
}

static void a_cluster_has_replicated_tables(void **state)
{
	static const struct schema_server debian = { 18, 16 };
	static const char *const names[] = { "", "a b", "a'b", "\xc3\xa4", "a/b",
		"12345678901234567890123456789012345678901234567890123456789012345" };
	struct error error;

	(void)state;
	expect_on_cluster("CREATE DATABASE IF NOT EXISTS base",
			  "CREATE DATABASE IF NOT EXISTS base ON CLUSTER 'c-1'");
	expect_on_cluster("CREATE TABLE IF NOT EXISTS some (a Array(b)\n) ENGINE = MergeTree() ORDER BY a",
			  "CREATE TABLE IF NOT EXISTS some ON CLUSTER 'c-1' (a Array(b)\n) ENGINE = ReplicatedMergeTree('/clickhouse/tables/flamemod/base/some', '{replica}') ORDER BY a");
	expect_on_cluster("CREATE TABLE IF NOT EXISTS some (a Date) ENGINE = ReplacingMergeTree(a) ORDER BY (a, b)",
			  "CREATE TABLE IF NOT EXISTS some ON CLUSTER 'c-1' (a Date) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/flamemod/base/some', '{replica}', a) ORDER BY (a, b)");
	for (size_t i = 0; i < SCHEMA_STATEMENTS; i++) {
		char *plain = schema_statement(i, &debian, 7);
		char *made = cluster_statement(plain, "c", "base");

		assert_non_null(strstr(made, " ON CLUSTER 'c' ("));
		assert_non_null(strstr(made, ") ENGINE = Replicated"));
		assert_non_null(strstr(made, "('/clickhouse/tables/flamemod/base/"));
		free(made);
		free(plain);
	}
	assert_int_equal(cluster_check("fleet_1.a-b", &error), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(cluster_check(names[i], &error), -EINVAL);
		assert_non_null(strstr(error.text, "the name of a cluster has 1 to 64 letters"));
	}
}

static enum send_verdict judged(long status, const char *body)
{
	const struct send_answer answer = {
		.status = status, .body = (char *)body, .size = strlen(body),
	};

	return clickhouse_judge(&answer);
}

static void answers_are_understood(void **state)
{
	(void)state;
	assert_int_equal(judged(200, ""), SEND_IS_TAKEN);
	assert_int_equal(judged(500, "Code: 242, e.displayText() = DB::Exception"), SEND_IS_BUSY);
	assert_int_equal(judged(500, "Code: 252. DB::Exception: Too many parts"), SEND_IS_BUSY);
	assert_int_equal(judged(500, "Code: 62, syntax"), SEND_IS_REFUSED);
	assert_int_equal(judged(500, "Code: 319, unknown"), SEND_IS_DOUBTFUL);
	assert_int_equal(judged(500, "proxy"), SEND_IS_REFUSED);
	assert_int_equal(judged(503, "proxy"), SEND_IS_BUSY);
	assert_int_equal(judged(504, ""), SEND_IS_DOUBTFUL);
	assert_int_equal(judged(403, "Code: 242"), SEND_IS_REFUSED);
}

/*
 * The row of a window with this threshold and inclusion, and labels of these names. Its owner
 * frees it.
 */
static struct target_requests row_of_estimate(uint64_t threshold, uint64_t inclusion)
{
	struct profile *profile = made_profile();
	struct target_requests requests = { 0 };
	struct profile_identity identity;
	struct labels labels = { .nr = 0 };
	struct target_window window = { profile, &identity, &labels };
	struct target target;
	struct error error;

	assert_int_equal(target_parse(&target, "clickhouse://localhost/db", target_kinds, &error), 0);
	assert_int_equal(labels_add(&labels, "rack=7", &error), 0);
	assert_int_equal(labels_add(&labels, "threshold=user", &error), 0);
	assert_int_equal(labels_add(&labels, "inclusion=mine", &error), 0);
	assert_int_equal(profile_identify(profile, &identity, &error), 0);
	profile->meta.threshold = threshold;
	profile->meta.inclusion = inclusion;
	assert_int_equal(target_clickhouse.encode(&target, &window, 1, &requests, &error), 0);
	profile_destroy(profile);
	return requests;
}

static void an_estimate_has_a_label_that_no_user_replaces(void **state)
{
	struct target_requests exact = row_of_estimate(0, 0), drawn = row_of_estimate(21, 8);
	const struct send_request *row = &exact.list[1];
	const double one = 1, eighth = 0.125;

	(void)state;
	assert_non_null(memmem(row->body, row->size, "\003\016inclusion=mine\006rack=7\016threshold=user", 38));
	assert_non_null(memmem(row->body, row->size, &one, sizeof(one)));
	assert_null(memmem(row->body, row->size, &eighth, sizeof(eighth)));
	row = &drawn.list[1];
	assert_non_null(memmem(row->body, row->size, "\003\014threshold=21\015inclusion=1/8\006rack=7", 35));
	assert_non_null(memmem(row->body, row->size, &eighth, sizeof(eighth)));
	target_requests_deinit(&exact);
	target_requests_deinit(&drawn);
}

/* Tables of earlier versions take samples, so these do without the columns of events. */
static void an_event_has_columns_that_samples_do_without(void **state)
{
	static const char has[] = "\007off-cpu\013nanoseconds\015";
	struct {
		uint8_t length;
		uint64_t lost[PROFILE_LOST_MAX];
	} __attribute__((packed)) row = { .length = PROFILE_LOST_MAX };
	struct profile *samples = made_profile(), *event = made_profile();
	struct target_requests requests = { 0 };
	struct profile_identity identity;
	struct labels labels = { .nr = 0 };
	struct target_window windows[] = {
		{ samples, &identity, &labels }, { event, &identity, &labels },
	};
	struct target target;
	struct error error;

	(void)state;
	assert_int_equal(target_parse(&target, "clickhouse://localhost/db", target_kinds, &error), 0);
	assert_int_equal(profile_identify(samples, &identity, &error), 0);
	assert_int_equal(target_clickhouse.encode(&target, windows, 1, &requests, &error), 0);
	assert_null(strstr(requests.list[1].url, "traits"));
	target_requests_deinit(&requests);
	event->meta.period_ns = 1;
	event->meta.intervals = (struct profile_intervals){ .known = true, .seen = 77 };
	strcpy(event->meta.weight_type, "off-cpu");
	assert_int_equal(target_clickhouse.encode(&target, windows, 2, &requests, &error), 0);
	assert_non_null(strstr(requests.list[1].url, "traits"));
	assert_non_null(memmem(requests.list[1].body, requests.list[1].size, has, sizeof(has) - 1));
	target_requests_deinit(&requests);
	/* what was lost for a reason that samples do not have */
	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++)
		row.lost[i] = event->books.lost[i] = i + 1;
	assert_int_equal(target_clickhouse.encode(&target, &windows[1], 1, &requests, &error), 0);
	assert_non_null(memmem(requests.list[1].body, requests.list[1].size, &row, sizeof(row)));
	target_requests_deinit(&requests);
	/* a weight that is no time */
	event->meta.period_ns = 0;
	strcpy(event->meta.weight_unit, "bytes");
	assert_int_equal(profile_identify(event, &identity, &error), 0);
	assert_int_equal(target_clickhouse.encode(&target, &windows[1], 1, &requests, &error), 0);
	assert_non_null(memmem(requests.list[1].body, requests.list[1].size, "\007off-cpu\005bytes\015", 15));
	target_requests_deinit(&requests);
	profile_destroy(samples);
	profile_destroy(event);
}

static void stacks_of_several_windows_are_sent_once(void **state)
{
	struct profile *profile = made_profile();
	struct profile_identity identity;
	const struct labels labels = { .nr = 0 };
	struct target_window windows[2];
	struct target_requests one = { 0 }, two = { 0 };
	struct target target;
	struct error error;

	(void)state;
	assert_int_equal(target_parse(&target, "clickhouse://me@localhost/db", target_kinds, &error), 0);
	strcpy(target.token, "hush");
	assert_int_equal(profile_identify(profile, &identity, &error), 0);
	strcpy(profile->meta.origin.build, "#7 SMP");
	windows[0] = windows[1] = (struct target_window){ profile, &identity, &labels };
	assert_int_equal(target_clickhouse.encode(&target, windows, 1, &one, &error), 0);
	assert_int_equal(target_clickhouse.encode(&target, windows, 2, &two, &error), 0);
	assert_int_equal(one.nr, 2);
	assert_non_null(strstr(one.list[0].url, "/?database=db&query=INSERT%20INTO%20stacks%20"));
	assert_non_null(memmem(one.list[1].body, one.list[1].size, "\001\014build=#7 SMP", 14));
	assert_string_equal(one.list[0].headers[0], "X-ClickHouse-User: me");
	assert_string_equal(one.list[0].headers[1], "X-ClickHouse-Key: hush");
	assert_int_equal(two.nr, 2);
	assert_int_equal(two.list[0].size, one.list[0].size);
	assert_int_equal(two.list[1].size, 2 * one.list[1].size);
	/* what the server has is left out */
	assert_true(one.stacks.nr > 1);
	assert_int_equal(two.stacks.nr, one.stacks.nr);
	target_requests_deinit(&two);
	assert_int_equal(id_set_add(&target.known, one.stacks.ids[1]), 0);
	assert_int_equal(target_clickhouse.encode(&target, windows, 1, &two, &error), 0);
	assert_int_equal(two.nr, 2);
	assert_int_equal(two.stacks.nr, one.stacks.nr - 1);
	assert_true(two.list[0].size < one.list[0].size);
	assert_int_equal(two.list[1].size, one.list[1].size);
	target_requests_deinit(&two);
	known_add(&target, &one);
	assert_int_equal(target_clickhouse.encode(&target, windows, 1, &two, &error), 0);
	assert_int_equal(two.nr, 1);
	assert_non_null(strstr(two.list[0].url, "INSERT%20INTO%20profiles%20"));
	target_requests_deinit(&two);
	known_forget(&target);
	assert_int_equal(target_clickhouse.encode(&target, windows, 1, &two, &error), 0);
	assert_int_equal(two.nr, 2);
	target_requests_deinit(&one);
	target_requests_deinit(&two);
	identity.time_ns = INT64_MAX;
	assert_int_equal(target_clickhouse.encode(&target, windows, 1, &one, &error), -EINVAL);
	assert_non_null(strstr(error.text, "after 2106"));
	target_requests_deinit(&one);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_are_those_of_the_standard),
		cmocka_unit_test(values_are_read_as_written),
		cmocka_unit_test(no_length_is_believed),
		cmocka_unit_test(ids_are_of_frames_alone),
		cmocka_unit_test(rows_sum_what_differs_by_process_and_cpu),
		cmocka_unit_test(old_servers_get_simpler_tables),
		cmocka_unit_test(a_cluster_has_replicated_tables),
		cmocka_unit_test(answers_are_understood),
		cmocka_unit_test(an_estimate_has_a_label_that_no_user_replaces),
		cmocka_unit_test(an_event_has_columns_that_samples_do_without),
		cmocka_unit_test(stacks_of_several_windows_are_sent_once),
	};

	return cmocka_run_group_tests_name("clickhouse", tests, NULL, NULL);
}
