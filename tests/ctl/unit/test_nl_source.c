// SPDX-License-Identifier: GPL-2.0
/*
 * Sources of events, such as func:vfs_read: the request, a dump of their hits and wrong
 * statements about them, and files of such events.
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
#include <libmnl/libmnl.h>

#include "format/pprof/pprof.h"
#include "nl_decoded.h"
#include "profile/merge_events.h"
#include "wire/nl_private.h"

#define FUNC	(FLAMEMOD_SOURCE_FIRST + 0)
#define LATENCY	(FLAMEMOD_SOURCE_FIRST + 1)
#define BYTES	(FLAMEMOD_SOURCE_FIRST + 2)
#define NR	6

/* What a dump says; each test spoils one thing. */
struct said {
	const char *unit, *name;	/* of BYTES */
	uint32_t kind, state;		/* the same; of the last record */
	uint32_t event, more;		/* of the last record; hits beyond the records */
};

static const struct said good = {
	.unit = "bytes", .name = "tracepoint:kmem:kmalloc",
	.kind = FLAMEMOD_SOURCE_KIND_PERF, .event = BYTES,
};

/* Of each record: node, task, event, state, count, weight. */
static const uint64_t rows[NR][6] = {
	{ 2, 1, FUNC, 0, 5, 5 },
	{ 3, 1, FUNC, 0, 2, 2 },
	{ 2, 1, LATENCY, 10, 3, 3500 },
	{ 2, 1, LATENCY, 12, 1, 5000 },
	{ 3, 1, LATENCY, 10, 2, 2100 },
	{ 3, 0, BYTES, 0, 4, 256 },
};

static void sum_of(uint32_t event, uint64_t *hits, uint64_t *weight)
{
	*hits = *weight = 0;
	for (unsigned int i = 0; i < NR; i++)
		if (rows[i][2] == event) {
			*hits += rows[i][4];
			*weight += rows[i][5];
		}
}

static void put_tally(struct message *m, uint16_t type, uint64_t stored, uint64_t missed,
		      uint64_t nested)
{
	struct nlattr *nest = mnl_attr_nest_start(m->header, type), *inner;

	mnl_attr_put_u64(m->header, FLAMEMOD_A_EVENT_BOOKS_SEEN,
			 stored + 10 + missed + nested);
	mnl_attr_put_u64(m->header, FLAMEMOD_A_EVENT_BOOKS_STORED, stored);
	mnl_attr_put_u64(m->header, FLAMEMOD_A_EVENT_BOOKS_FILTERED, 10);
	inner = mnl_attr_nest_start(m->header, FLAMEMOD_A_EVENT_BOOKS_LOST);
	if (missed)
		mnl_attr_put_u64(m->header, FLAMEMOD_A_EVENT_LOST_MISSED, missed);
	if (nested)
		mnl_attr_put_u64(m->header, FLAMEMOD_A_EVENT_LOST_NESTED, nested);
	mnl_attr_nest_end(m->header, inner);
	mnl_attr_nest_end(m->header, nest);
}

static void put_event(struct message *m, uint32_t event, const char *name, const char *unit,
		      uint32_t kind, uint32_t more)
{
	struct nlattr *nest = mnl_attr_nest_start(m->header, FLAMEMOD_A_STATE_EVENT);
	uint64_t hits, weight;

	sum_of(event, &hits, &weight);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_EVENT_EVENT, event);
	mnl_attr_put_strz(m->header, FLAMEMOD_A_EVENT_UNIT, unit);
	mnl_attr_put_strz(m->header, FLAMEMOD_A_EVENT_NAME, name);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_EVENT_KIND, kind);
	mnl_attr_put_u64(m->header, FLAMEMOD_A_EVENT_SINCE_NS, (1ULL << 41) - 1000000);
	put_tally(m, FLAMEMOD_A_EVENT_HITS, hits + more, 7, event == BYTES);
	put_tally(m, FLAMEMOD_A_EVENT_WEIGHT, weight, 0, event == BYTES ? 64 : 0);
	mnl_attr_nest_end(m->header, nest);
}

static void put_said(struct message *m, const struct reply *reply, const struct said *said)
{
	struct nlattr *state;

	put_settings(m, reply);
	put_state(m, reply);
	state = m->nest;
	put_event(m, FUNC, "func:vfs_read", "count", FLAMEMOD_SOURCE_KIND_FUNC, 0);
	put_event(m, LATENCY, "latency:vfs_read", "ns", FLAMEMOD_SOURCE_KIND_LATENCY, 0);
	put_event(m, BYTES, said->name, said->unit, said->kind, said->more);
	mnl_attr_nest_end(m->header, state);
	put_cpu(m, 0, reply->cpu_fires / 2, 0);
	put_cpu(m, 1, reply->cpu_fires - reply->cpu_fires / 2, 2);
}

static void put_hits(struct message *m, const struct said *said)
{
	uint64_t column[6][NR], zeros[NR] = { 0 };
	uint32_t nodes[NR], tasks[NR];

	for (uint32_t i = 0; i < NR; i++) {
		for (unsigned int j = 0; j < 6; j++)
			column[j][i] = rows[i][j];
		nodes[i] = (uint32_t)rows[i][0];
		tasks[i] = (uint32_t)rows[i][1];
	}
	column[2][NR - 1] = said->event;
	column[3][NR - 1] = said->state;
	open_nest(m, FLAMEMOD_A_RECORDS);
	mnl_attr_put_u32(m->header, FLAMEMOD_A_RECORDS_FIRST, 0);
	put_differences(m, FLAMEMOD_A_RECORDS_NODE, NR, nodes);
	put_differences(m, FLAMEMOD_A_RECORDS_TASK, NR, tasks);
	put_column(m, FLAMEMOD_A_RECORDS_CPU, NR, zeros);
	put_column(m, FLAMEMOD_A_RECORDS_CONTEXT, NR, zeros);
	put_column(m, FLAMEMOD_A_RECORDS_COUNT, NR, column[4]);
	put_column(m, FLAMEMOD_A_RECORDS_PERIODS, NR, column[5]);
	put_column(m, FLAMEMOD_A_RECORDS_LATE_US, NR, zeros);
	put_column(m, FLAMEMOD_A_RECORDS_EVENT, NR, column[2]);
	put_column(m, FLAMEMOD_A_RECORDS_STATE, NR, column[3]);
	close_nest(m);
}

/* As put_frames(), but the leaf is what calls the tracers of a tracepoint. */
static void put_traced_frames(struct message *m)
{
	static const uint32_t ids[] = { 2, 5, 9 };
	static const uint64_t kinds[] = {
		FLAMEMOD_FRAME_KERNEL, FLAMEMOD_FRAME_MODULE, FLAMEMOD_FRAME_KERNEL,
	};

	open_nest(m, FLAMEMOD_A_FRAMES);
	put_differences(m, FLAMEMOD_A_FRAMES_ID, 3, ids);
	put_column(m, FLAMEMOD_A_FRAMES_KIND, 3, kinds);
	mnl_attr_put_strz(m->header, FLAMEMOD_A_FRAMES_NAME, "kmalloc");
	mnl_attr_put_strz(m->header, FLAMEMOD_A_FRAMES_NAME, "f [tun]");
	mnl_attr_put_strz(m->header, FLAMEMOD_A_FRAMES_NAME, "__traceiter_kmalloc");
	close_nest(m);
}

/* Return: the leaf of a profile's last record. */
static const char *leaf_of(const struct profile *profile)
{
	const struct profile_record *record = &profile->records[profile->nr_records - 1];

	return profile->frames[profile->nodes[record->node].frame].name;
}

static void put_dump(struct message *m, const struct said *said)
{
	struct reply reply = good_reply;

	reply.records = NR;
	message_begin(m);
	put_said(m, &reply, said);
	put_traced_frames(m);
	put_nodes(m);
	put_tasks(m);
	put_hits(m, said);
}

static struct events decoded_said(const struct said *said)
{
	struct message m;

	put_dump(&m, said);
	return decoded_events(&m);
}

static void expect_refused(const struct said *said, const char *why)
{
	struct message m;

	put_dump(&m, said);
	expect_bad_events(&m, why);
}

static void each_source_becomes_an_event(void **state)
{
	struct events events = decoded_said(&good);
	const struct profile *func = events.list[0].profile;
	const struct profile *latency = events.list[1].profile;
	const struct profile *bytes = events.list[2].profile;
	char text[INTERVALS_TEXT];
	unsigned int first, end;

	(void)state;
	assert_int_equal(events.nr, 3);
	assert_string_equal(events.list[0].name, "func:vfs_read");
	assert_string_equal(profile_event(&func->meta), "func:vfs_read");
	assert_string_equal(profile_unit(&func->meta), "hits");
	assert_string_equal(intervals_books(text, func), "func:vfs_read, hits: seen 17 = stored 7 + filtered 10 + lost 0");
	assert_string_equal(intervals_fact(text, func), "24 hits, 7 lost of unknown weight (missed)");
	assert_false(intervals_range(&func->meta.intervals, &first, &end));
	assert_string_equal(profile_unit(&latency->meta), "nanoseconds");
	assert_string_equal(intervals_books(text, latency), "latency:vfs_read: seen 10.61 us = stored 10.60 us + filtered 10 ns + lost 0 ns");
	assert_true(intervals_range(&latency->meta.intervals, &first, &end));
	assert_int_equal(first, 10);
	assert_int_equal(end, 13);
	assert_int_equal(latency->meta.intervals.powers[10], 5);
	assert_int_equal(latency->meta.intervals.powers[11], 0);
	assert_int_equal(latency->meta.intervals.powers[12], 1);
	/* records of one stack are one, whatever time they took */
	assert_int_equal(latency->nr_records, 2);
	assert_string_equal(profile_unit(&bytes->meta), "bytes");
	assert_int_equal(bytes->books.stored, 256);
	assert_int_equal(bytes->meta.period_ns, 0);
	/* a reason that samples do not have is none of theirs */
	assert_int_equal(bytes->books.lost[PROFILE_LOST_OTHER], 64);
	assert_int_equal(profile_lost(&bytes->books), 64);
	assert_string_equal(intervals_books(text, bytes), "tracepoint:kmem:kmalloc, bytes: seen 330 = stored 256 + filtered 10 + lost 64 (other 64)");
	assert_string_equal(intervals_fact(text, bytes), "22 hits, 1 lost (nested), 7 lost of unknown weight (missed)");
	/* what the kernel calls for a tracepoint is no part of its stack, but may be probed */
	assert_string_equal(leaf_of(bytes), "kmalloc");
	assert_string_equal(leaf_of(func), "__traceiter_kmalloc");
	events_deinit(&events);
}

static void wrong_sources_are_refused(void **state)
{
	struct said said = good;

	(void)state;
	said.more = 1;
	expect_refused(&said, "the records of event tracepoint:kmem:kmalloc sum to 4 hits and 256 bytes, its books say 5 and 256");
	said = good;
	said.event = BYTES + 1;
	expect_refused(&said, "of event 11, which is not attached");
	said.event = 5;
	expect_refused(&said, "of event 5, which is not attached");
	said = good;
	said.state = 8;
	expect_refused(&said, "of unknown state 8");
	said.event = LATENCY;
	said.state = 64;
	expect_refused(&said, "of unknown state 64");
	said = good;
	said.unit = "";
	expect_refused(&said, "the event 10 has no unit");
	said = good;
	said.name = "";
	expect_refused(&said, "the event 10 has no name");
	said = good;
	said.kind = __FLAMEMOD_SOURCE_KIND_MAX;
	expect_refused(&said, "the event 10 is of unknown kind 5");
	said.kind = FLAMEMOD_SOURCE_KIND_SWITCHES;
	expect_refused(&said, "the event 10 is of unknown kind 0");
}

static void files_keep_all_of_it(void **state)
{
	const struct events_wanted wanted = { .all = true };
	struct events events = decoded_said(&good), again, sum;
	struct merge_events merge;
	struct error error;
	char *bytes;
	size_t size;
	FILE *file = open_memstream(&bytes, &size);

	(void)state;
	if (pprof_write_events(&events, file, &error))
		fail_msg("%s", error.text);
	fclose(file);
	file = fmemopen(bytes, size, "r");
	if (pprof_read_events(file, "it", &wanted, &again, &error))
		fail_msg("%s", error.text);
	fclose(file);
	free(bytes);
	assert_int_equal(again.nr, events.nr);
	for (unsigned int i = 0; i < events.nr; i++) {
		const struct profile *a = events.list[i].profile, *b = again.list[i].profile;

		assert_string_equal(again.list[i].name, events.list[i].name);
		assert_string_equal(profile_unit(&b->meta), profile_unit(&a->meta));
		assert_memory_equal(&a->books, &b->books, sizeof(a->books));
		assert_memory_equal(&a->meta.intervals, &b->meta.intervals,
				    sizeof(a->meta.intervals));
	}
	merge_events_init(&merge, false, false);
	assert_int_equal(merge_events_add(&merge, &events, "one", &error), 0);
	assert_int_equal(merge_events_add(&merge, &again, "two", &error), 0);
	merge_events_take(&merge, &sum);
	assert_int_equal(sum.list[1].profile->meta.intervals.powers[10], 10);
	assert_int_equal(sum.list[0].profile->books.stored, 14);
	/* functions of different names are different events */
	strcpy(again.list[0].name, "func:vfs_write");
	assert_int_equal(merge_events_add(&merge, &again, "three", &error), -EINVAL);
	merge_events_deinit(&merge);
	events_deinit(&sum);
	events_deinit(&again);
	events_deinit(&events);
}

/* ---- the request ---- */

static uint64_t number_of(const struct nlattr *nest, uint16_t type)
{
	const struct nlattr *attr, *found = NULL;
	uint64_t number = 0;

	mnl_attr_for_each_nested(attr, nest)
		if (mnl_attr_get_type(attr) == type)
			found = attr;
	assert_non_null(found);
	memcpy(&number, mnl_attr_get_payload(found), mnl_attr_get_payload_len(found));
	return number;
}

static const struct nlattr *nest_of(const struct nlattr *nest, uint16_t type)
{
	const struct nlattr *attr, *found = NULL;

	mnl_attr_for_each_nested(attr, nest)
		if (mnl_attr_get_type(attr) == type)
			found = attr;
	return found;
}

static const struct nlattr *request(char *buffer, const char *text)
{
	struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);
	static struct probe probe;
	struct nl_source source = { .probes = &probe, .nr_probes = 1 };
	struct error error;

	assert_int_equal(probe_parse(text, &probe, &error), 0);
	if (probe_reads_record(&probe)) {
		/* as probe_resolve() does */
		probe.config = 423;
		probe.weight.offset = 32;
		probe.weight.bytes = 8;
		probe.conditions[0].operand.offset = 44;
		probe.conditions[0].operand.bytes = 4;
		probe.conditions[0].operand.is_signed = true;
	}
	nl_put_source(header, &source);
	return nest_of(mnl_nlmsg_get_payload(header), FLAMEMOD_A_ATTACH_SOURCE);
}

static void requests_have_numbers(void **state)
{
	char buffer[2048];
	const struct nlattr *source, *nest;

	(void)state;
	source = request(buffer, "func:vfs_read,weight=arg3:s32,unit=bytes");
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_KIND), FLAMEMOD_SOURCE_KIND_FUNC);
	assert_string_equal(mnl_attr_get_str(nest_of(source, FLAMEMOD_A_SOURCE_FUNCTION)), "vfs_read");
	assert_string_equal(mnl_attr_get_str(nest_of(source, FLAMEMOD_A_SOURCE_UNIT)), "bytes");
	nest = nest_of(source, FLAMEMOD_A_SOURCE_WEIGHT);
	assert_int_equal(number_of(nest, FLAMEMOD_A_OPERAND_ARGUMENT), 3);
	assert_int_equal(number_of(nest, FLAMEMOD_A_OPERAND_SIZE), 4);
	assert_int_equal(number_of(nest, FLAMEMOD_A_OPERAND_SIGNED), 1);
	assert_null(nest_of(nest, FLAMEMOD_A_OPERAND_OFFSET));

	source = request(buffer, "latency:vfs_read,min=1ms");
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_KIND), FLAMEMOD_SOURCE_KIND_LATENCY);
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_MIN_NS), 1000000);
	assert_string_equal(mnl_attr_get_str(nest_of(source, FLAMEMOD_A_SOURCE_UNIT)), "ns");

	source = request(buffer, "tracepoint:kmem:kmalloc,weight=bytes_alloc,if=node>=-1");
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_KIND), FLAMEMOD_SOURCE_KIND_PERF);
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_PERF_TYPE), 2);
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_PERF_CONFIG), 423);
	/* to the end of the last field that is read */
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_RECORD_BYTES), 48);
	nest = nest_of(source, FLAMEMOD_A_SOURCE_CONDITION);
	assert_int_equal(number_of(nest, FLAMEMOD_A_CONDITION_COMPARE), FLAMEMOD_COMPARE_GE);
	assert_true((int64_t)number_of(nest, FLAMEMOD_A_CONDITION_VALUE) == -1);
	nest = nest_of(nest, FLAMEMOD_A_CONDITION_OPERAND);
	assert_int_equal(number_of(nest, FLAMEMOD_A_OPERAND_OFFSET), 44);

	source = request(buffer, "page-faults");
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_PERF_TYPE), 1);
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_PERF_CONFIG), 2);
	assert_null(nest_of(source, FLAMEMOD_A_SOURCE_RECORD_BYTES));
	assert_null(nest_of(source, FLAMEMOD_A_SOURCE_WEIGHT));
	assert_null(nest_of(source, FLAMEMOD_A_SOURCE_PERF_PERIOD));

	source = request(buffer, "cache-misses:20011");
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_KIND), FLAMEMOD_SOURCE_KIND_PERF);
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_PERF_TYPE), 0);
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_PERF_CONFIG), 3);
	assert_int_equal(number_of(source, FLAMEMOD_A_SOURCE_PERF_PERIOD), 20011);
	assert_string_equal(mnl_attr_get_str(nest_of(source, FLAMEMOD_A_SOURCE_UNIT)), "misses");
	assert_null(nest_of(source, FLAMEMOD_A_SOURCE_FUNCTION));
	assert_null(nest_of(source, FLAMEMOD_A_SOURCE_RECORD_BYTES));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_source_becomes_an_event),
		cmocka_unit_test(wrong_sources_are_refused),
		cmocka_unit_test(files_keep_all_of_it),
		cmocka_unit_test(requests_have_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
