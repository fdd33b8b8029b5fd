// SPDX-License-Identifier: GPL-2.0
/*
 * Makes datagrams for the module: see netlink_message.h.
 *
 * A message is built from the tables, and each step may make an error, with a
 * probability that differs from message to message: with 0 it is valid, with a small
 * one it has about one error, with a large one nearly everything is wrong. Values have
 * a probability of their own, so that there are wrong values in well-formed messages.
 */
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>

#include "flamemod.h"
#include "netlink_message.h"
#include "netlink_protocol.h"

#define MESSAGES_MAX	8
#define DEPTH_MAX	12	/* the kernel's own limit is 10 */

struct maker {
	struct datagram *datagram;
	struct random *random;
	uint32_t wrong;		/* in 1000, at each step */
	uint32_t wrong_value;	/* likewise, of what a value means */
};

struct random random_seed(uint64_t seed, uint64_t stream, uint64_t index)
{
	struct random random = { seed ^ stream << 48 ^ index * 0x9e3779b97f4a7c15 };

	random_below(&random, 2);
	return random;
}

/* splitmix64: accepts any seed, and adjacent seeds give unrelated numbers */
static uint64_t random_next(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

uint32_t random_below(struct random *random, uint32_t limit)
{
	return (random_next(random) >> 32) % limit;
}

static uint32_t pick(struct maker *m, uint32_t limit)
{
	return random_below(m->random, limit);
}

static bool goes_wrong(struct maker *m)
{
	return pick(m, 1000) < m->wrong;
}

static bool value_goes_wrong(struct maker *m)
{
	return pick(m, 1000) < m->wrong_value;
}

/* Get room at the end, all zero; NULL if there is none, which is no error. */
static void *append(struct maker *m, size_t len)
{
	struct datagram *d = m->datagram;
	void *at = d->bytes + d->len;

	if (len > sizeof(d->bytes) - d->len)
		return NULL;
	memset(at, 0, len);
	d->len += len;
	return at;
}

static void append_random(struct maker *m, size_t len)
{
	uint8_t *at = append(m, len);

	while (at && len--)
		*at++ = pick(m, 4) ? pick(m, 256) : 0;
}

static void align(struct maker *m)
{
	append(m, NLA_ALIGN(m->datagram->len) - m->datagram->len);
}

static uint64_t some_number(struct maker *m, const struct attr_rule *rule)
{
	uint64_t span = rule->max - rule->min;

	if (value_goes_wrong(m))
		return pick(m, 2) ? rule->max + 1 + pick(m, 3) : rule->min - 1;
	switch (pick(m, 8)) {
	case 0:
		return rule->min;
	case 1:
		/* at the highest rates little time is left for requests */
		return span > 4096 ? rule->min + 4096 : rule->max;
	default:
		return rule->min + random_next(m->random) % ((span > 1024 ? 1024 : span) + 1);
	}
}

static void put_number(struct maker *m, const struct attr_rule *rule)
{
	bool varies = rule->kind == KIND_UINT || rule->kind == KIND_SINT;
	uint64_t number = varies ? pick(m, 1000) : some_number(m, rule);
	int bytes = varies ? 4 : fixed_bytes(rule->kind);
	void *at;

	if (goes_wrong(m))
		bytes = pick(m, 12);
	at = append(m, bytes);
	if (at)
		memcpy(at, &number, bytes < 8 ? bytes : 8);
}

/* Lists of CPUs are the only strings in requests. */
static void put_string(struct maker *m, const struct attr_rule *rule)
{
	static const char *const right[] = { "", "0", "1", "0-1", "0,1", "0-1:1/2", "all" };
	static const char *const wrong[] = { "1-0", "some", "0-", ",,", "0-1:0/0", "99999999999",
		"-1", "0-1:9/1", "4096", "\xff\xfe" };
	const char *text = value_goes_wrong(m) ? wrong[pick(m, sizeof(wrong) / sizeof(*wrong))] :
					   right[pick(m, sizeof(right) / sizeof(*right))];
	size_t len = strlen(text) + 1;
	char *at;

	if (value_goes_wrong(m)) {
		/* around the limit, and far beyond it */
		len = pick(m, 2) ? (rule->max_len ?: 64) - 1 + pick(m, 4) : 1 + pick(m, 5000);
		at = append(m, len);
		if (at)
			memset(at, pick(m, 2) ? ',' : '1', len - !goes_wrong(m));
		return;
	}
	if (goes_wrong(m))
		len--;		/* without a NUL, maybe empty */
	at = append(m, len);
	if (at)
		memcpy(at, text, len);
	if (goes_wrong(m))
		append_random(m, pick(m, 16));
}

static void put_binary(struct maker *m, const struct attr_rule *rule)
{
	uint32_t most = rule->max_len ? rule->max_len / rule->elem_bytes : 16;
	uint32_t nr = pick(m, 4) ? 0 : pick(m, most + 1);
	uint32_t element;
	uint8_t *at;

	if (value_goes_wrong(m))
		nr = most + 1 + pick(m, 3) * pick(m, 200);
	while (nr--) {
		element = 1 + pick(m, 4000);
		if (value_goes_wrong(m))
			element = pick(m, 2) ? 0 : 0x400000 + pick(m, 0xff000000);
		at = append(m, rule->elem_bytes);
		if (at)
			memcpy(at, &element, rule->elem_bytes < 4 ? rule->elem_bytes : 4);
	}
	if (value_goes_wrong(m))
		append_random(m, 1 + pick(m, rule->elem_bytes));
}

static void put_attr(struct maker *m, const struct attr_set *set, uint16_t number, int depth);

/* Flags are rare, because a reset discards everything. */
static bool is_wanted(struct maker *m, const struct attr_rule *rule)
{
	switch (rule->kind) {
	case KIND_FLAG:
		return !pick(m, 6);
	case KIND_NEST:
		return pick(m, 6);
	default:
		return pick(m, 2);
	}
}

static void put_attrs(struct maker *m, const struct attr_set *set, uint64_t mask, int depth)
{
	uint16_t number, from = goes_wrong(m) ? pick(m, set->max + 1) : 0, i;

	for (i = 0; i <= set->max; i++) {
		number = (i + from) % (set->max + 1);
		if (number && mask >> number & 1 && is_wanted(m, &set->rules[number]))
			put_attr(m, set, number, depth);
		if (goes_wrong(m))
			put_attr(m, set, pick(m, set->max + 3), depth);
	}
	if (goes_wrong(m))
		append_random(m, pick(m, 9));
}

static void put_value(struct maker *m, const struct attr_rule *rule, int depth)
{
	const struct attr_set *set;

	switch (rule->kind) {
	case KIND_FLAG:
		if (goes_wrong(m))
			append_random(m, pick(m, 9));
		break;
	case KIND_STRING:
		put_string(m, rule);
		break;
	case KIND_BINARY:
		put_binary(m, rule);
		break;
	case KIND_NEST:
		set = set_at(goes_wrong(m) ? TOP_SET : rule->nested);
		put_attrs(m, set, ~0ull, depth + 1);
		break;
	default:
		put_number(m, rule);
	}
}

static void put_attr(struct maker *m, const struct attr_set *set, uint16_t number, int depth)
{
	const struct attr_rule *rule = rule_find(set, number);
	size_t start = m->datagram->len;
	struct nlattr *attr = append(m, NLA_HDRLEN);

	if (!attr || depth > DEPTH_MAX)
		return;
	attr->nla_type = number;
	if (goes_wrong(m))
		attr->nla_type = pick(m, 0x10000);
	if (rule && rule->kind == KIND_NEST)
		attr->nla_type |= NLA_F_NESTED;
	if (goes_wrong(m))
		attr->nla_type ^= pick(m, 2) ? NLA_F_NESTED : NLA_F_NET_BYTEORDER;
	if (!rule || goes_wrong(m))
		append_random(m, pick(m, 40));
	else
		put_value(m, rule, depth);
	attr->nla_len = m->datagram->len - start;
	if (goes_wrong(m))
		attr->nla_len = pick(m, 2) ? pick(m, 0x10000) : attr->nla_len + pick(m, 9) - 4;
	align(m);
}

/* Stops and resets are rare, so that there is something to request. */
static const struct operation *some_operation(struct maker *m)
{
	const struct operation *op = operation_at(pick(m, nr_operations));

	while (op->has_do && !op->do_reply && op->do_request == 2 && pick(m, 3))
		op = operation_at(pick(m, nr_operations));
	return op;
}

static uint16_t some_flags(struct maker *m, bool dump)
{
	uint16_t flags = NLM_F_REQUEST | (dump ? NLM_F_DUMP : 0);

	if (pick(m, 10))
		flags |= NLM_F_ACK;
	if (!pick(m, 20))
		flags |= NLM_F_ECHO;
	if (goes_wrong(m))
		flags ^= NLM_F_DUMP;
	if (goes_wrong(m))
		flags ^= 1 << pick(m, 16);
	if (goes_wrong(m))
		flags = pick(m, 0x10000);
	return flags;
}

/* Never another family's number, whose answers cannot be judged here. */
static uint16_t no_family(struct maker *m)
{
	static const uint16_t types[] = { NLMSG_NOOP, NLMSG_ERROR, NLMSG_DONE, NLMSG_OVERRUN, 0,
		NLMSG_MIN_TYPE - 1, 0x7fff, 0xffff };

	return types[pick(m, sizeof(types) / sizeof(*types))];
}

static void put_message(struct maker *m, uint16_t family, uint32_t seq)
{
	const struct operation *op = some_operation(m);
	bool dump = op->has_dump && (!op->has_do || pick(m, 2));
	size_t start = m->datagram->len;
	struct nlmsghdr *header = append(m, NLMSG_HDRLEN);
	struct genlmsghdr *genl = append(m, GENL_HDRLEN);
	uint64_t mask = dump ? op->dump_request : op->do_request;

	if (!header || !genl)
		return;
	header->nlmsg_type = goes_wrong(m) ? no_family(m) : family;
	header->nlmsg_flags = some_flags(m, dump);
	header->nlmsg_seq = seq;
	header->nlmsg_pid = pick(m, 2) ? 0 : pick(m, 100000);
	genl->cmd = goes_wrong(m) ? pick(m, 256) : op->command;
	genl->version = pick(m, 4) ? FLAMEMOD_GENL_VERSION : pick(m, 256);
	genl->reserved = goes_wrong(m) ? pick(m, 0x10000) : 0;
	if (m->wrong > 900)
		append_random(m, pick(m, 300));
	else
		put_attrs(m, set_at(TOP_SET), mask, 0);
	if (goes_wrong(m))
		m->datagram->len -= pick(m, m->datagram->len - start);	/* cut off */
	header->nlmsg_len = m->datagram->len - start;
	if (goes_wrong(m))
		header->nlmsg_len = pick(m, 2) ? pick(m, 100) : header->nlmsg_len + pick(m, 64);
	align(m);
}

void datagram_make(struct datagram *datagram, struct random *random, uint16_t family,
		   uint32_t seq)
{
	static const uint32_t wrong[] = { 0, 0, 0, 0, 40, 40, 100, 100, 500, 950 };
	struct maker m = { .datagram = datagram, .random = random };

	datagram->len = 0;
	datagram->nr_messages = pick(&m, 2) ? 1 : 1 + pick(&m, MESSAGES_MAX);
	for (uint32_t i = 0; i < datagram->nr_messages; i++) {
		m.wrong = wrong[pick(&m, sizeof(wrong) / sizeof(*wrong))];
		m.wrong_value = pick(&m, 3) ? m.wrong : 300;
		put_message(&m, family, seq + i);
	}
}
