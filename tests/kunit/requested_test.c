// SPDX-License-Identifier: GPL-2.0
/*
 * What a message asks to attach: what is read of it, and what is refused.
 */
#include <linux/string.h>
#include <net/netlink.h>
#include <linux/perf_event.h>
#include <kunit/test.h>

#include "../../module/events.h"
#include "../../module/requested.h"
#include "allocations.h"
#include "suites.h"

#define FM_BYTES	16384

/* A message under construction: nests that are open, in the order of their beginning. */
static struct {
	u8 bytes[FM_BYTES];
	struct nlattr *open[4];
	unsigned int nr_open;
	u32 end;
} fm_message;

static struct fm_attach fm_request;

static void *fm_put(u16 type, const void *payload, u16 bytes)
{
	struct nlattr *attr = (void *)fm_message.bytes + fm_message.end;

	attr->nla_type = type;
	attr->nla_len = nla_attr_size(bytes);
	memcpy(nla_data(attr), payload, bytes);
	fm_message.end += nla_total_size(bytes);
	return attr;
}

static void fm_open(u16 type)
{
	fm_message.open[fm_message.nr_open++] = fm_put(type | NLA_F_NESTED, NULL, 0);
}

static void fm_close(void)
{
	struct nlattr *nest = fm_message.open[--fm_message.nr_open];

	nest->nla_len = (void *)fm_message.bytes + fm_message.end - (void *)nest;
}

static void fm_put_u8(u16 type, u8 value)
{
	fm_put(type, &value, sizeof(value));
}

static void fm_put_u32(u16 type, u32 value)
{
	fm_put(type, &value, sizeof(value));
}

static void fm_put_u64(u16 type, u64 value)
{
	fm_put(type, &value, sizeof(value));
}

static void fm_put_text(u16 type, const char *text)
{
	fm_put(type, text, strlen(text) + 1);
}

static void fm_open_source(u32 kind)
{
	fm_open(FLAMEMOD_A_ATTACH_SOURCE);
	fm_put_u32(FLAMEMOD_A_SOURCE_KIND, kind);
	fm_put_text(FLAMEMOD_A_SOURCE_NAME, "name");
	if (kind == FLAMEMOD_SOURCE_KIND_FUNC || kind == FLAMEMOD_SOURCE_KIND_LATENCY)
		fm_put_text(FLAMEMOD_A_SOURCE_FUNCTION, "function");
}

/* The rest of an operand that is not as usual is put between these. */
static void fm_open_operand(u16 type, u8 argument)
{
	fm_open(type);
	if (argument)
		fm_put_u8(FLAMEMOD_A_OPERAND_ARGUMENT, argument);
}

static void fm_put_condition(u8 argument, u32 compare, u64 value)
{
	fm_open(FLAMEMOD_A_SOURCE_CONDITION);
	fm_open_operand(FLAMEMOD_A_CONDITION_OPERAND, argument);
	fm_close();
	fm_put_u32(FLAMEMOD_A_CONDITION_COMPARE, compare);
	fm_put_u64(FLAMEMOD_A_CONDITION_VALUE, value);
	fm_close();
}

static int fm_begin(struct kunit *test)
{
	fm_allocations_init(test);
	memset(&fm_message, 0, sizeof(fm_message));
	memset(&fm_request, 0, sizeof(fm_request));
	fm_open(FLAMEMOD_A_ATTACH);
	return 0;
}

static void fm_end(struct kunit *test)
{
	fm_requested_free(&fm_request);
	fm_allocations_exit(test);
}

static int fm_parse(struct netlink_ext_ack *extack)
{
	while (fm_message.nr_open)
		fm_close();
	return fm_requested_parse(&fm_request, (void *)fm_message.bytes, extack);
}

static void an_old_request_is_as_before(struct kunit *test)
{
	const u32 pids[] = { 17, 18 };

	fm_put_u32(FLAMEMOD_A_ATTACH_EVENTS, 14);
	KUNIT_ASSERT_EQ(test, fm_parse(NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_request.events, 14);
	KUNIT_EXPECT_EQ(test, fm_request.states, FM_TASK_STATES_ALL);
	KUNIT_EXPECT_EQ(test, fm_request.min_ns, 0);
	KUNIT_EXPECT_EQ(test, fm_request.nr_pids, 0);
	KUNIT_EXPECT_EQ(test, fm_request.nr_sources, 0);
	KUNIT_EXPECT_FALSE(test, fm_request.followed);
	fm_message.nr_open = 1;
	fm_put_u32(FLAMEMOD_A_ATTACH_MIN_US, 5);
	fm_put_u32(FLAMEMOD_A_ATTACH_STATES, 6);
	fm_put(FLAMEMOD_A_ATTACH_PIDS, pids, sizeof(pids));
	fm_put_u8(FLAMEMOD_A_ATTACH_FOLLOWED, 1);
	KUNIT_ASSERT_EQ(test, fm_parse(NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_request.min_ns, 5000);
	KUNIT_EXPECT_EQ(test, fm_request.states, 6);
	KUNIT_EXPECT_EQ(test, fm_request.nr_pids, 2);
	KUNIT_EXPECT_EQ(test, fm_request.pids[1], 18);
	KUNIT_EXPECT_TRUE(test, fm_request.followed);
}

static void sources_are_as_requested(struct kunit *test)
{
	const struct fm_source_request *source;

	fm_open_source(FLAMEMOD_SOURCE_KIND_FUNC);
	fm_put_text(FLAMEMOD_A_SOURCE_UNIT, "bytes");
	fm_open_operand(FLAMEMOD_A_SOURCE_WEIGHT, 3);
	fm_put_u8(FLAMEMOD_A_OPERAND_SIZE, 4);
	fm_put_u8(FLAMEMOD_A_OPERAND_SIGNED, 1);
	fm_close();
	fm_put_condition(1, FLAMEMOD_COMPARE_GT, 4096);
	fm_put_condition(2, FLAMEMOD_COMPARE_AND, 8);
	fm_close();
	fm_open_source(FLAMEMOD_SOURCE_KIND_LATENCY);
	fm_put_u64(FLAMEMOD_A_SOURCE_MIN_NS, 1000000);
	fm_close();
	fm_open_source(FLAMEMOD_SOURCE_KIND_PERF);
	fm_put_u32(FLAMEMOD_A_SOURCE_PERF_TYPE, 2);
	fm_put_u64(FLAMEMOD_A_SOURCE_PERF_CONFIG, 1ULL << 40);
	fm_put_u64(FLAMEMOD_A_SOURCE_PERF_PERIOD, 100);
	fm_put_u32(FLAMEMOD_A_SOURCE_RECORD_BYTES, 16);
	fm_open(FLAMEMOD_A_SOURCE_WEIGHT);
	fm_put_u32(FLAMEMOD_A_OPERAND_OFFSET, 8);
	fm_close();
	fm_close();
	KUNIT_ASSERT_EQ(test, fm_parse(NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_request.nr_sources, 3);
	KUNIT_EXPECT_EQ(test, fm_request.events, 0);
	source = &fm_request.sources[0];
	KUNIT_EXPECT_EQ(test, source->kind, FLAMEMOD_SOURCE_KIND_FUNC);
	KUNIT_EXPECT_STREQ(test, source->name, "name");
	KUNIT_EXPECT_STREQ(test, source->unit, "bytes");
	KUNIT_EXPECT_STREQ(test, source->function, "function");
	KUNIT_EXPECT_EQ(test, source->weight.argument, 3);
	KUNIT_EXPECT_EQ(test, source->weight.size, 4);
	KUNIT_EXPECT_TRUE(test, source->weight.is_signed);
	KUNIT_ASSERT_EQ(test, source->conditions.nr, 2);
	KUNIT_EXPECT_EQ(test, source->conditions.all[0].operand.argument, 1);
	KUNIT_EXPECT_EQ(test, source->conditions.all[0].operand.size, 8);
	KUNIT_EXPECT_FALSE(test, source->conditions.all[0].operand.is_signed);
	KUNIT_EXPECT_EQ(test, source->conditions.all[0].compare, FLAMEMOD_COMPARE_GT);
	KUNIT_EXPECT_EQ(test, source->conditions.all[0].value, 4096);
	KUNIT_EXPECT_EQ(test, source->conditions.all[1].compare, FLAMEMOD_COMPARE_AND);
	source = &fm_request.sources[1];
	KUNIT_EXPECT_EQ(test, source->min_ns, 1000000);
	KUNIT_EXPECT_EQ(test, source->weight.size, 0);
	KUNIT_EXPECT_EQ(test, source->perf_period, 1);
	source = &fm_request.sources[2];
	KUNIT_EXPECT_EQ(test, source->perf_type, 2);
	KUNIT_EXPECT_EQ(test, source->perf_config, 1ULL << 40);
	KUNIT_EXPECT_EQ(test, source->perf_period, 100);
	KUNIT_EXPECT_EQ(test, source->record_bytes, 16);
	KUNIT_EXPECT_EQ(test, source->weight.offset, 8);
	KUNIT_EXPECT_EQ(test, source->weight.argument, 0);
}

/* What perf can be asked for: what it takes, and what is refused before it is asked. */
static void some_events_of_perf_are_possible(struct kunit *test)
{
	static const struct {
		u32 type, record_bytes;
		u64 config, period;
		int err;
	} cases[] = {
		{ PERF_TYPE_HARDWARE, 0, PERF_COUNT_HW_CPU_CYCLES, 1000, 0 },
		{ PERF_TYPE_HARDWARE, 0, PERF_COUNT_HW_MAX - 1, 1000, 0 },
		{ PERF_TYPE_HARDWARE, 0, PERF_COUNT_HW_MAX, 1000, -EOPNOTSUPP },
		{ PERF_TYPE_HARDWARE, 0, PERF_COUNT_HW_CPU_CYCLES, 999, -ERANGE },
		{ PERF_TYPE_HARDWARE, 8, PERF_COUNT_HW_CPU_CYCLES, 1000, -EINVAL },
		{ PERF_TYPE_RAW, 0, 0, 1000, -EOPNOTSUPP },
		{ PERF_TYPE_SOFTWARE, 0, PERF_COUNT_SW_PAGE_FAULTS, 1, 0 },
		{ PERF_TYPE_SOFTWARE, 8, PERF_COUNT_SW_PAGE_FAULTS, 1, -EINVAL },
		{ PERF_TYPE_SOFTWARE, 0, PERF_COUNT_SW_CPU_CLOCK, 1, -EOPNOTSUPP },
		{ PERF_TYPE_TRACEPOINT, 8, 1, 1, 0 },
		{ PERF_TYPE_TRACEPOINT, 8, 1, 0, -EINVAL },
		{ PERF_TYPE_TRACEPOINT, 8, 1, 1000, -EINVAL },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct fm_source_request request = {
			.kind = FLAMEMOD_SOURCE_KIND_PERF, .name = "name",
			.perf_type = cases[i].type, .perf_config = cases[i].config,
			.perf_period = cases[i].period, .record_bytes = cases[i].record_bytes,
		};

		KUNIT_EXPECT_EQ_MSG(test, fm_source_possible(&request, NULL), cases[i].err,
				    "case %u", i);
	}
}

/* Ways to build a message that is refused. */
static void fm_empty(void)
{
}

static void fm_bad_events(void)
{
	fm_put_u32(FLAMEMOD_A_ATTACH_EVENTS, 17);
}

static void fm_no_kind(void)
{
	fm_open(FLAMEMOD_A_ATTACH_SOURCE);
	fm_put_text(FLAMEMOD_A_SOURCE_NAME, "name");
}

static void fm_no_name(void)
{
	fm_open(FLAMEMOD_A_ATTACH_SOURCE);
	fm_put_u32(FLAMEMOD_A_SOURCE_KIND, FLAMEMOD_SOURCE_KIND_FUNC);
}

static void fm_switches_as_source(void)
{
	fm_open_source(FLAMEMOD_SOURCE_KIND_SWITCHES);
}

static void fm_hostile_name(void)
{
	fm_open(FLAMEMOD_A_ATTACH_SOURCE);
	fm_put_u32(FLAMEMOD_A_SOURCE_KIND, FLAMEMOD_SOURCE_KIND_FUNC);
	fm_put_text(FLAMEMOD_A_SOURCE_NAME, "a\033[2Jb");
}

static void fm_hostile_function(void)
{
	fm_open(FLAMEMOD_A_ATTACH_SOURCE);
	fm_put_u32(FLAMEMOD_A_SOURCE_KIND, FLAMEMOD_SOURCE_KIND_FUNC);
	fm_put_text(FLAMEMOD_A_SOURCE_NAME, "name");
	fm_put_text(FLAMEMOD_A_SOURCE_FUNCTION, "vfs read");
}

static void fm_too_many_sources(void)
{
	unsigned int i;

	for (i = 0; i <= FLAMEMOD_SOURCES_MAX; i++) {
		fm_open_source(FLAMEMOD_SOURCE_KIND_FUNC);
		fm_close();
	}
}

static void fm_too_many_conditions(void)
{
	unsigned int i;

	fm_open_source(FLAMEMOD_SOURCE_KIND_FUNC);
	for (i = 0; i <= FLAMEMOD_CONDITIONS_MAX; i++)
		fm_put_condition(1, FLAMEMOD_COMPARE_EQ, 1);
}

static void fm_half_a_condition(void)
{
	fm_open_source(FLAMEMOD_SOURCE_KIND_FUNC);
	fm_open(FLAMEMOD_A_SOURCE_CONDITION);
	fm_put_u32(FLAMEMOD_A_CONDITION_COMPARE, FLAMEMOD_COMPARE_EQ);
	fm_put_u64(FLAMEMOD_A_CONDITION_VALUE, 1);
}

static void fm_no_comparison(void)
{
	fm_open_source(FLAMEMOD_SOURCE_KIND_FUNC);
	fm_put_condition(1, 7, 1);
}

static void fm_weight_of(u32 kind, u8 argument, u32 offset, u8 size)
{
	fm_open_source(kind);
	if (kind == FLAMEMOD_SOURCE_KIND_PERF)
		fm_put_u32(FLAMEMOD_A_SOURCE_RECORD_BYTES, 16);
	fm_open_operand(FLAMEMOD_A_SOURCE_WEIGHT, argument);
	if (offset != U32_MAX)
		fm_put_u32(FLAMEMOD_A_OPERAND_OFFSET, offset);
	if (size)
		fm_put_u8(FLAMEMOD_A_OPERAND_SIZE, size);
}

static void fm_seventh_argument(void)
{
	fm_weight_of(FLAMEMOD_SOURCE_KIND_FUNC, 7, U32_MAX, 0);
}

static void fm_odd_size(void)
{
	fm_weight_of(FLAMEMOD_SOURCE_KIND_FUNC, 1, U32_MAX, 3);
}

static void fm_nowhere(void)
{
	fm_weight_of(FLAMEMOD_SOURCE_KIND_FUNC, 0, U32_MAX, 0);
}

static void fm_both(void)
{
	fm_weight_of(FLAMEMOD_SOURCE_KIND_FUNC, 1, 8, 0);
}

static void fm_field_of_a_call(void)
{
	fm_weight_of(FLAMEMOD_SOURCE_KIND_FUNC, 0, 8, 0);
}

static void fm_argument_of_a_record(void)
{
	fm_weight_of(FLAMEMOD_SOURCE_KIND_PERF, 1, U32_MAX, 0);
}

static void fm_beyond_the_record(void)
{
	fm_weight_of(FLAMEMOD_SOURCE_KIND_PERF, 0, 13, 4);
}

static void fm_weight_of_wakers(void)
{
	fm_weight_of(FLAMEMOD_SOURCE_KIND_WAKERS, 1, U32_MAX, 0);
}

static void fm_weight_of_latency(void)
{
	fm_weight_of(FLAMEMOD_SOURCE_KIND_LATENCY, 1, U32_MAX, 0);
}

static void fm_condition_of_wakers(void)
{
	fm_open_source(FLAMEMOD_SOURCE_KIND_WAKERS);
	fm_put_condition(1, FLAMEMOD_COMPARE_EQ, 1);
}

static void fm_function_of(u32 kind)
{
	fm_open_source(kind);
	fm_put_text(FLAMEMOD_A_SOURCE_FUNCTION, "function");
}

static void fm_function_of_wakers(void)
{
	fm_function_of(FLAMEMOD_SOURCE_KIND_WAKERS);
}

static void fm_function_of_perf(void)
{
	fm_function_of(FLAMEMOD_SOURCE_KIND_PERF);
}

static void fm_minimum_of_func(void)
{
	fm_open_source(FLAMEMOD_SOURCE_KIND_FUNC);
	fm_put_u64(FLAMEMOD_A_SOURCE_MIN_NS, 0);
}

static void fm_minimum_of_perf(void)
{
	fm_open_source(FLAMEMOD_SOURCE_KIND_PERF);
	fm_put_u64(FLAMEMOD_A_SOURCE_MIN_NS, 1);
}

static void fm_type_of_func(void)
{
	fm_open_source(FLAMEMOD_SOURCE_KIND_FUNC);
	fm_put_u32(FLAMEMOD_A_SOURCE_PERF_TYPE, 0);
}

static void fm_config_of_latency(void)
{
	fm_open_source(FLAMEMOD_SOURCE_KIND_LATENCY);
	fm_put_u64(FLAMEMOD_A_SOURCE_PERF_CONFIG, 0);
}

static void fm_period_of_wakers(void)
{
	fm_open_source(FLAMEMOD_SOURCE_KIND_WAKERS);
	fm_put_u64(FLAMEMOD_A_SOURCE_PERF_PERIOD, 1);
}

static void fm_record_of_func(void)
{
	fm_open_source(FLAMEMOD_SOURCE_KIND_FUNC);
	fm_put_u32(FLAMEMOD_A_SOURCE_RECORD_BYTES, 16);
}

static const struct fm_wrong_case {
	const char *name;
	void (*build)(void);
	int err;
	const char *says;
} fm_wrong_cases[] = {
	{ "nothing", fm_empty, -EINVAL, "events: missing, and there is no source" },
	{ "events", fm_bad_events, -ERANGE, "events: must be 2..14" },
	{ "no kind", fm_no_kind, -EINVAL, "kind: missing" },
	{ "no name", fm_no_name, -EINVAL, "name: missing" },
	{ "switches", fm_switches_as_source, -ERANGE, "kind: must be 1..4" },
	{ "a hostile name", fm_hostile_name, -EINVAL, "name: must be of printable" },
	{ "a hostile function", fm_hostile_function, -EINVAL, "function: must be of printable" },
	{ "too many sources", fm_too_many_sources, -E2BIG, "source: there are 17, and at most 16" },
	{ "too many conditions", fm_too_many_conditions, -E2BIG,
	  "condition: there must be at most 8" },
	{ "half a condition", fm_half_a_condition, -EINVAL, "condition: must have" },
	{ "no comparison", fm_no_comparison, -ERANGE, "compare: must be 0..6" },
	{ "a seventh argument", fm_seventh_argument, -ERANGE, "argument: must be 1..6" },
	{ "an odd size", fm_odd_size, -EINVAL, "size: must be 1, 2, 4 or 8" },
	{ "an operand nowhere", fm_nowhere, -EINVAL, "operand: must be an argument or" },
	{ "an operand in two places", fm_both, -EINVAL, "operand: must be an argument or" },
	{ "a field of a call", fm_field_of_a_call, -EINVAL, "operand: must be an argument of" },
	{ "an argument of a record", fm_argument_of_a_record, -EINVAL,
	  "operand: must be an argument of" },
	{ "a field beyond the record", fm_beyond_the_record, -EINVAL,
	  "operand: ends after record-bytes" },
	{ "a weight of wakers", fm_weight_of_wakers, -EINVAL, "name: weight: wakers have none" },
	{ "a weight of latency", fm_weight_of_latency, -EINVAL, "name: weight: latency has none" },
	{ "a condition of wakers", fm_condition_of_wakers, -EINVAL,
	  "name: condition: wakers have none" },
	{ "a function of wakers", fm_function_of_wakers, -EINVAL,
	  "name: function: wakers have none" },
	{ "a function of perf", fm_function_of_perf, -EINVAL, "name: function: perf has none" },
	{ "a minimum of func", fm_minimum_of_func, -EINVAL, "name: min-ns: func has none" },
	{ "a minimum of perf", fm_minimum_of_perf, -EINVAL, "name: min-ns: perf has none" },
	{ "a type of func", fm_type_of_func, -EINVAL, "name: perf-type: func has none" },
	{ "a config of latency", fm_config_of_latency, -EINVAL,
	  "name: perf-config: latency has none" },
	{ "a period of wakers", fm_period_of_wakers, -EINVAL,
	  "name: perf-period: wakers have none" },
	{ "a record of func", fm_record_of_func, -EINVAL, "name: record-bytes: func has none" },
};

FM_ARRAY_PARAM(wrong);

static void what_is_wrong_is_named(struct kunit *test)
{
	const struct fm_wrong_case *c = test->param_value;
	struct netlink_ext_ack extack = {};

	c->build();
	KUNIT_EXPECT_EQ(test, fm_parse(&extack), c->err);
	KUNIT_ASSERT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_TRUE(test, strstarts(extack._msg, c->says));
}

static void wakers_have_a_minimum(struct kunit *test)
{
	fm_open_source(FLAMEMOD_SOURCE_KIND_WAKERS);
	fm_put_u64(FLAMEMOD_A_SOURCE_MIN_NS, 7);
	KUNIT_ASSERT_EQ(test, fm_parse(NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_request.sources[0].min_ns, 7);
}

static void a_field_may_end_with_the_record(struct kunit *test)
{
	fm_weight_of(FLAMEMOD_SOURCE_KIND_PERF, 0, 12, 4);
	KUNIT_EXPECT_EQ(test, fm_parse(NULL), 0);
}

static void without_memory_it_is_refused(struct kunit *test)
{
	struct netlink_ext_ack extack = {};

	fm_open_source(FLAMEMOD_SOURCE_KIND_FUNC);
	fm_allocations_fail(1);
	KUNIT_ASSERT_EQ(test, fm_parse(&extack), -ENOMEM);
	KUNIT_EXPECT_STREQ(test, extack._msg, "source: no memory");
}

static struct kunit_case fm_requested_tests[] = {
	KUNIT_CASE(an_old_request_is_as_before),
	KUNIT_CASE(sources_are_as_requested),
	KUNIT_CASE(some_events_of_perf_are_possible),
	KUNIT_CASE_PARAM(what_is_wrong_is_named, fm_wrong_gen_params),
	KUNIT_CASE(wakers_have_a_minimum),
	KUNIT_CASE(a_field_may_end_with_the_record),
	KUNIT_CASE(without_memory_it_is_refused),
	{}
};

struct kunit_suite fm_requested_suite = {
	.name = "flamemod_requested",
	.init = fm_begin,
	.exit = fm_end,
	.test_cases = fm_requested_tests,
};
