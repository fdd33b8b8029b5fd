// SPDX-License-Identifier: GPL-2.0
/*
 * Write what is to be attached into a request: events of tasks, and probes as sources.
 * The module gets numbers, and names of functions.
 */
#include <linux/perf_event.h>
#include <string.h>

#include "wire/nl.h"
#include "wire/nl_private.h"

static void put_operand(struct nlmsghdr *header, uint16_t type,
			const struct probe_operand *operand)
{
	struct nlattr *nest = mnl_attr_nest_start(header, type);

	if (operand->arg)
		mnl_attr_put_u8(header, FLAMEMOD_A_OPERAND_ARGUMENT, (uint8_t)operand->arg);
	else
		mnl_attr_put_u32(header, FLAMEMOD_A_OPERAND_OFFSET, operand->offset);
	mnl_attr_put_u8(header, FLAMEMOD_A_OPERAND_SIZE, (uint8_t)operand->bytes);
	mnl_attr_put_u8(header, FLAMEMOD_A_OPERAND_SIGNED, operand->is_signed);
	mnl_attr_nest_end(header, nest);
}

static void put_condition(struct nlmsghdr *header, const struct probe_condition *condition)
{
	static const enum flamemod_compare compares[] = {
		[PROBE_EQUAL] = FLAMEMOD_COMPARE_EQ, [PROBE_UNEQUAL] = FLAMEMOD_COMPARE_NE,
		[PROBE_LESS] = FLAMEMOD_COMPARE_LT, [PROBE_AT_MOST] = FLAMEMOD_COMPARE_LE,
		[PROBE_MORE] = FLAMEMOD_COMPARE_GT, [PROBE_AT_LEAST] = FLAMEMOD_COMPARE_GE,
		[PROBE_ANY_BIT] = FLAMEMOD_COMPARE_AND,
	};
	struct nlattr *nest = mnl_attr_nest_start(header, FLAMEMOD_A_SOURCE_CONDITION);

	put_operand(header, FLAMEMOD_A_CONDITION_OPERAND, &condition->operand);
	mnl_attr_put_u32(header, FLAMEMOD_A_CONDITION_COMPARE, compares[condition->compare]);
	mnl_attr_put_u64(header, FLAMEMOD_A_CONDITION_VALUE, (uint64_t)condition->value);
	mnl_attr_nest_end(header, nest);
}

/* Return: how many bytes of a record the operands are read from. */
static uint32_t record_bytes(const struct probe *probe)
{
	uint32_t bytes = probe->has_weight ? probe->weight.offset + probe->weight.bytes : 0;

	for (unsigned int i = 0; i < probe->nr_conditions; i++) {
		const struct probe_operand *operand = &probe->conditions[i].operand;

		if (operand->offset + operand->bytes > bytes)
			bytes = operand->offset + operand->bytes;
	}
	return bytes;
}

static void put_perf(struct nlmsghdr *header, const struct probe *probe)
{
	mnl_attr_put_u32(header, FLAMEMOD_A_SOURCE_PERF_TYPE,
			 probe->kind == PROBE_FAULTS ? PERF_TYPE_SOFTWARE :
			 probe->kind == PROBE_COUNTER ? PERF_TYPE_HARDWARE :
			 PERF_TYPE_TRACEPOINT);
	mnl_attr_put_u64(header, FLAMEMOD_A_SOURCE_PERF_CONFIG, probe->config);
	if (probe->period)
		mnl_attr_put_u64(header, FLAMEMOD_A_SOURCE_PERF_PERIOD, probe->period);
	if (record_bytes(probe))
		mnl_attr_put_u32(header, FLAMEMOD_A_SOURCE_RECORD_BYTES, record_bytes(probe));
}

static void put_probe(struct nlmsghdr *header, const struct probe *probe)
{
	static const enum flamemod_source_kind kinds[] = {
		[PROBE_FUNC] = FLAMEMOD_SOURCE_KIND_FUNC,
		[PROBE_LATENCY] = FLAMEMOD_SOURCE_KIND_LATENCY,
		[PROBE_TRACEPOINT] = FLAMEMOD_SOURCE_KIND_PERF,
		[PROBE_FAULTS] = FLAMEMOD_SOURCE_KIND_PERF,
		[PROBE_WAKERS] = FLAMEMOD_SOURCE_KIND_WAKERS,
		[PROBE_COUNTER] = FLAMEMOD_SOURCE_KIND_PERF,
	};
	struct nlattr *nest = mnl_attr_nest_start(header, FLAMEMOD_A_ATTACH_SOURCE);

	mnl_attr_put_u32(header, FLAMEMOD_A_SOURCE_KIND, kinds[probe->kind]);
	mnl_attr_put_strz(header, FLAMEMOD_A_SOURCE_NAME, probe->name);
	mnl_attr_put_strz(header, FLAMEMOD_A_SOURCE_UNIT,
			  strcmp(probe->unit, "nanoseconds") ? probe->unit : "ns");
	if (kinds[probe->kind] == FLAMEMOD_SOURCE_KIND_PERF)
		put_perf(header, probe);
	else if (*probe->target)
		mnl_attr_put_strz(header, FLAMEMOD_A_SOURCE_FUNCTION, probe->target);
	if (probe->has_weight)
		put_operand(header, FLAMEMOD_A_SOURCE_WEIGHT, &probe->weight);
	for (unsigned int i = 0; i < probe->nr_conditions; i++)
		put_condition(header, &probe->conditions[i]);
	if (probe->min_ns)
		mnl_attr_put_u64(header, FLAMEMOD_A_SOURCE_MIN_NS, probe->min_ns);
	mnl_attr_nest_end(header, nest);
}

void nl_put_source(struct nlmsghdr *header, const struct nl_source *source)
{
	struct nlattr *nest = mnl_attr_nest_start(header, FLAMEMOD_A_ATTACH);

	if (source->events)
		mnl_attr_put_u32(header, FLAMEMOD_A_ATTACH_EVENTS, source->events);
	if (source->min_us)
		mnl_attr_put_u32(header, FLAMEMOD_A_ATTACH_MIN_US, source->min_us);
	if (source->states)
		mnl_attr_put_u32(header, FLAMEMOD_A_ATTACH_STATES, source->states);
	if (source->nr_pids)
		mnl_attr_put(header, FLAMEMOD_A_ATTACH_PIDS,
			     source->nr_pids * sizeof(*source->pids), source->pids);
	if (source->followed)
		mnl_attr_put_u8(header, FLAMEMOD_A_ATTACH_FOLLOWED, 1);
	if (source->user_stacks)
		mnl_attr_put_u8(header, FLAMEMOD_A_ATTACH_USER_STACKS, 1);
	for (unsigned int i = 0; i < source->nr_probes; i++)
		put_probe(header, &source->probes[i]);
	mnl_attr_nest_end(header, nest);
}
