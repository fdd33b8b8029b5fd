// SPDX-License-Identifier: GPL-2.0
/*
 * Reads what a message asks to attach: see requested.h and common/flamemod.yaml.
 *
 * Everything that a handler relies on is checked here: sizes of operands, that they are
 * in the record or an argument, and that there are not more conditions than it has room
 * for. What a kind of source would not look at is refused.
 */
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/threads.h>
#include <net/netlink.h>

#include "events.h"
#include "policy.h"
#include "reason.h"
#include "requested.h"

/**
 * fm_requested_pids() - read a list of processes or threads.
 * @pids: where to put them
 * @nr: set to their number
 * @attr: the attribute, not longer than @pids
 * @extack: for the reason of a refusal
 *
 * Context: Any.
 * Return: 0 or -EINVAL.
 */
int fm_requested_pids(u32 *pids, u32 *nr, const struct nlattr *attr,
		      struct netlink_ext_ack *extack)
{
	u32 i;

	if (nla_len(attr) % sizeof(u32)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "pids: must be whole 32-bit numbers");
		return -EINVAL;
	}
	*nr = nla_len(attr) / sizeof(u32);
	memcpy(pids, nla_data(attr), nla_len(attr));
	for (i = 0; i < *nr; i++) {
		if (pids[i] && pids[i] <= PID_MAX_LIMIT)
			continue;
		NL_SET_ERR_MSG_ATTR(extack, attr, "pids: there is no such process id");
		return -EINVAL;
	}
	return 0;
}

/* Where an operand is must suit the kind of its source; wakers have none. */
static int fm_requested_place(const struct fm_operand *operand,
			      const struct fm_source_request *source,
			      const struct nlattr *nest, struct netlink_ext_ack *extack)
{
	bool perf = source->kind == FLAMEMOD_SOURCE_KIND_PERF;

	if (perf == !operand->argument) {
		if (!perf || operand->offset + operand->size <= source->record_bytes)
			return 0;
		NL_SET_ERR_MSG_ATTR(extack, nest, "operand: ends after record-bytes");
		return -EINVAL;
	}
	NL_SET_ERR_MSG_ATTR(extack, nest,
			    "operand: must be an argument of func and latency, an offset of perf");
	return -EINVAL;
}

static int fm_requested_operand(struct fm_operand *operand,
				const struct fm_source_request *source,
				const struct nlattr *nest, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[FLAMEMOD_A_OPERAND_MAX + 1], *attr;
	int err;

	err = nla_parse_nested(tb, FLAMEMOD_A_OPERAND_MAX, nest, fm_operand_policy,
			       extack) ?:
	      fm_operand_check(tb, extack);
	if (err)
		return err;
	attr = tb[FLAMEMOD_A_OPERAND_ARGUMENT];
	operand->argument = attr ? nla_get_u8(attr) : 0;
	attr = tb[FLAMEMOD_A_OPERAND_OFFSET];
	if (!attr == !operand->argument) {
		NL_SET_ERR_MSG_ATTR(extack, nest, "operand: must be an argument or an offset");
		return -EINVAL;
	}
	operand->offset = attr ? nla_get_u32(attr) : 0;
	attr = tb[FLAMEMOD_A_OPERAND_SIZE];
	operand->size = attr ? nla_get_u8(attr) : sizeof(u64);
	if (!is_power_of_2(operand->size)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "size: must be 1, 2, 4 or 8");
		return -EINVAL;
	}
	attr = tb[FLAMEMOD_A_OPERAND_SIGNED];
	operand->is_signed = attr && nla_get_u8(attr);
	return fm_requested_place(operand, source, nest, extack);
}

static int fm_requested_condition(struct fm_condition *condition,
				  const struct fm_source_request *source,
				  const struct nlattr *nest,
				  struct netlink_ext_ack *extack)
{
	struct nlattr *tb[FLAMEMOD_A_CONDITION_MAX + 1];
	int err;

	err = nla_parse_nested(tb, FLAMEMOD_A_CONDITION_MAX, nest, fm_condition_policy,
			       extack) ?:
	      fm_condition_check(tb, extack);
	if (err)
		return err;
	if (!tb[FLAMEMOD_A_CONDITION_OPERAND] || !tb[FLAMEMOD_A_CONDITION_COMPARE] ||
	    !tb[FLAMEMOD_A_CONDITION_VALUE]) {
		NL_SET_ERR_MSG_ATTR(extack, nest,
				    "condition: must have an operand, compare and a value");
		return -EINVAL;
	}
	condition->compare = nla_get_u32(tb[FLAMEMOD_A_CONDITION_COMPARE]);
	condition->value = nla_get_u64(tb[FLAMEMOD_A_CONDITION_VALUE]);
	return fm_requested_operand(&condition->operand, source,
				    tb[FLAMEMOD_A_CONDITION_OPERAND], extack);
}

static int fm_requested_conditions(struct fm_source_request *source,
				   const struct nlattr *nest,
				   struct netlink_ext_ack *extack)
{
	struct fm_conditions *conditions = &source->conditions;
	const struct nlattr *attr;
	int err, rest;

	nla_for_each_nested(attr, nest, rest) {
		if (nla_type(attr) != FLAMEMOD_A_SOURCE_CONDITION)
			continue;
		if (conditions->nr == FLAMEMOD_CONDITIONS_MAX) {
			NL_SET_ERR_MSG_ATTR(extack, attr, "condition: there must be at most 8");
			return -E2BIG;
		}
		err = fm_requested_condition(&conditions->all[conditions->nr++], source,
					     attr, extack);
		if (err)
			return err;
	}
	return 0;
}

/* Copy a name. Anyone who reads it later must not be harmed by it. */
static int fm_requested_text(char *to, size_t bytes, const struct nlattr *attr,
			     const char *what, struct netlink_ext_ack *extack)
{
	const char *c;

	if (!attr)
		return 0;
	/* The policy wants an end. */
	strscpy(to, nla_data(attr), bytes);
	for (c = to; *c; c++) {
		if (*c > ' ' && *c < 0x7f)
			continue;
		fm_reason(extack, "%s: must be of printable ASCII characters, without spaces",
			  what);
		return -EINVAL;
	}
	return 0;
}

static int fm_requested_texts(struct fm_source_request *source, struct nlattr *const *tb,
			      struct netlink_ext_ack *extack)
{
	int err;

	err = fm_requested_text(source->name, sizeof(source->name),
				tb[FLAMEMOD_A_SOURCE_NAME], "name", extack) ?:
	      fm_requested_text(source->unit, sizeof(source->unit),
				tb[FLAMEMOD_A_SOURCE_UNIT], "unit", extack) ?:
	      fm_requested_text(source->function, sizeof(source->function),
				tb[FLAMEMOD_A_SOURCE_FUNCTION], "function", extack);
	if (err || *source->name)
		return err;
	NL_SET_ERR_MSG(extack, "name: missing");
	return -EINVAL;
}

static void fm_requested_numbers(struct fm_source_request *source,
				 struct nlattr *const *tb)
{
	const struct nlattr *attr;

	attr = tb[FLAMEMOD_A_SOURCE_MIN_NS];
	source->min_ns = attr ? nla_get_u64(attr) : 0;
	attr = tb[FLAMEMOD_A_SOURCE_PERF_TYPE];
	source->perf_type = attr ? nla_get_u32(attr) : 0;
	attr = tb[FLAMEMOD_A_SOURCE_PERF_CONFIG];
	source->perf_config = attr ? nla_get_u64(attr) : 0;
	attr = tb[FLAMEMOD_A_SOURCE_PERF_PERIOD];
	source->perf_period = attr ? nla_get_u64(attr) : 1;
	attr = tb[FLAMEMOD_A_SOURCE_RECORD_BYTES];
	source->record_bytes = attr ? nla_get_u32(attr) : 0;
}

/* What a kind of source is asked for, beside its kind, its name and its unit. */
struct fm_requested_kind {
	const char *has_none;		/* how to say so */
	u32 attributes;			/* bits of enum flamemod_source_attr */
};

#define FM_REQUESTED(name)	BIT(FLAMEMOD_A_SOURCE_##name)

static const struct fm_requested_kind fm_requested_kinds[] = {
	[FLAMEMOD_SOURCE_KIND_FUNC] = {
		"func has none",
		FM_REQUESTED(FUNCTION) | FM_REQUESTED(WEIGHT) | FM_REQUESTED(CONDITION),
	},
	[FLAMEMOD_SOURCE_KIND_LATENCY] = {
		"latency has none",
		FM_REQUESTED(FUNCTION) | FM_REQUESTED(CONDITION) | FM_REQUESTED(MIN_NS),
	},
	[FLAMEMOD_SOURCE_KIND_PERF] = {
		"perf has none",
		FM_REQUESTED(PERF_TYPE) | FM_REQUESTED(PERF_CONFIG) |
		FM_REQUESTED(PERF_PERIOD) | FM_REQUESTED(RECORD_BYTES) |
		FM_REQUESTED(WEIGHT) | FM_REQUESTED(CONDITION),
	},
	[FLAMEMOD_SOURCE_KIND_WAKERS] = { "wakers have none", FM_REQUESTED(MIN_NS) },
};

static const char * const fm_requested_names[] = {
	[FLAMEMOD_A_SOURCE_FUNCTION] = "function",
	[FLAMEMOD_A_SOURCE_WEIGHT] = "weight",
	[FLAMEMOD_A_SOURCE_CONDITION] = "condition",
	[FLAMEMOD_A_SOURCE_MIN_NS] = "min-ns",
	[FLAMEMOD_A_SOURCE_PERF_TYPE] = "perf-type",
	[FLAMEMOD_A_SOURCE_PERF_CONFIG] = "perf-config",
	[FLAMEMOD_A_SOURCE_PERF_PERIOD] = "perf-period",
	[FLAMEMOD_A_SOURCE_RECORD_BYTES] = "record-bytes",
};

/* Refuse what the kind of a source does not have. */
static int fm_requested_attributes(const struct fm_source_request *source,
				   struct nlattr *const *tb, struct netlink_ext_ack *extack)
{
	const struct fm_requested_kind *kind = &fm_requested_kinds[source->kind];
	unsigned int i;

	static_assert(ARRAY_SIZE(fm_requested_kinds) == __FLAMEMOD_SOURCE_KIND_MAX);
	static_assert(ARRAY_SIZE(fm_requested_names) == FLAMEMOD_A_SOURCE_MAX + 1);
	for (i = 0; i < ARRAY_SIZE(fm_requested_names); i++) {
		if (!tb[i] || !fm_requested_names[i] || kind->attributes & BIT(i))
			continue;
		fm_reason(extack, "%s: %s: %s", source->name, fm_requested_names[i],
			  kind->has_none);
		return -EINVAL;
	}
	return 0;
}

static int fm_requested_source(struct fm_source_request *source,
			       const struct nlattr *nest, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[FLAMEMOD_A_SOURCE_MAX + 1];
	int err;

	err = nla_parse_nested(tb, FLAMEMOD_A_SOURCE_MAX, nest, fm_source_policy,
			       extack) ?:
	      fm_source_check(tb, extack);
	if (err)
		return err;
	if (!tb[FLAMEMOD_A_SOURCE_KIND]) {
		NL_SET_ERR_MSG_ATTR(extack, nest, "kind: missing");
		return -EINVAL;
	}
	source->kind = nla_get_u32(tb[FLAMEMOD_A_SOURCE_KIND]);
	fm_requested_numbers(source, tb);
	err = fm_requested_texts(source, tb, extack) ?:
	      fm_requested_attributes(source, tb, extack);
	if (!err && tb[FLAMEMOD_A_SOURCE_WEIGHT])
		err = fm_requested_operand(&source->weight, source,
					   tb[FLAMEMOD_A_SOURCE_WEIGHT], extack);
	return err ?: fm_requested_conditions(source, nest, extack);
}

/* Return: how many sources a request names. */
static u32 fm_requested_nr(const struct nlattr *nest)
{
	const struct nlattr *attr;
	u32 nr = 0;
	int rest;

	nla_for_each_nested(attr, nest, rest)
		nr += nla_type(attr) == FLAMEMOD_A_ATTACH_SOURCE;
	return nr;
}

static int fm_requested_sources(struct fm_attach *request, const struct nlattr *nest,
				struct netlink_ext_ack *extack)
{
	u32 nr = fm_requested_nr(nest);
	const struct nlattr *attr;
	int err, rest;

	if (!nr)
		return 0;
	if (nr > FLAMEMOD_SOURCES_MAX) {
		fm_reason(extack, "source: there are %u, and at most %u are possible", nr,
			  FLAMEMOD_SOURCES_MAX);
		return -E2BIG;
	}
	request->sources = kcalloc(nr, sizeof(*request->sources), GFP_KERNEL);
	if (!request->sources) {
		NL_SET_ERR_MSG(extack, "source: no memory");
		return -ENOMEM;
	}
	nla_for_each_nested(attr, nest, rest) {
		if (nla_type(attr) != FLAMEMOD_A_ATTACH_SOURCE)
			continue;
		err = fm_requested_source(&request->sources[request->nr_sources++], attr,
					  extack);
		if (err)
			return err;
	}
	return 0;
}

/**
 * fm_requested_parse() - read what a message asks to attach.
 * @request: to fill in, all zero; to be freed on an error, too
 * @nest: the attribute
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0, -EINVAL, -ERANGE, -E2BIG or -ENOMEM.
 */
int fm_requested_parse(struct fm_attach *request, const struct nlattr *nest,
		       struct netlink_ext_ack *extack)
{
	struct nlattr *tb[FLAMEMOD_A_ATTACH_MAX + 1], *attr;
	int err;

	err = nla_parse_nested(tb, FLAMEMOD_A_ATTACH_MAX, nest, fm_attach_policy,
			       extack) ?:
	      fm_attach_check(tb, extack);
	if (err)
		return err;
	attr = tb[FLAMEMOD_A_ATTACH_EVENTS];
	if (!attr && !tb[FLAMEMOD_A_ATTACH_SOURCE]) {
		NL_SET_ERR_MSG(extack, "events: missing, and there is no source");
		return -EINVAL;
	}
	request->events = attr ? nla_get_u32(attr) : 0;
	attr = tb[FLAMEMOD_A_ATTACH_MIN_US];
	if (attr)
		request->min_ns = (u64)nla_get_u32(attr) * NSEC_PER_USEC;
	attr = tb[FLAMEMOD_A_ATTACH_STATES];
	request->states = attr ? nla_get_u32(attr) : FM_TASK_STATES_ALL;
	attr = tb[FLAMEMOD_A_ATTACH_FOLLOWED];
	request->followed = attr && nla_get_u8(attr);
	attr = tb[FLAMEMOD_A_ATTACH_USER_STACKS];
	request->user_stacks = attr && nla_get_u8(attr);
	attr = tb[FLAMEMOD_A_ATTACH_PIDS];
	if (attr)
		err = fm_requested_pids(request->pids, &request->nr_pids, attr, extack);
	return err ?: fm_requested_sources(request, nest, extack);
}

/**
 * fm_requested_free() - free what fm_requested_parse() allocated.
 * @request: read, or all zero
 *
 * Context: Process context.
 */
void fm_requested_free(struct fm_attach *request)
{
	kfree(request->sources);
	request->sources = NULL;
}
