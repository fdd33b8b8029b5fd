// SPDX-License-Identifier: GPL-2.0
/*
 * Computes the expected outcome of a request: see netlink_judge.h.
 *
 * The rules of attributes are those of strict checking, which the kernel uses for new
 * families: sizes are exact, unknown attributes and trailing bytes are refused, and
 * exactly nests have the flag of a nest. If an attribute is repeated, the last one
 * counts, but the kernel's parser checks each.
 */
#include <linux/genetlink.h>
#include <string.h>

#include "flamemod.h"
#include "netlink_judge.h"
#include "netlink_protocol.h"

/* The last attribute of each number in one set. */
struct found {
	const struct nlattr *attrs[64];
	bool malformed;
};

static const void *payload(const struct nlattr *attr)
{
	return (const char *)attr + NLA_HDRLEN;
}

static size_t payload_bytes(const struct nlattr *attr)
{
	return attr->nla_len - NLA_HDRLEN;
}

static struct found find(const struct attr_set *set, uint64_t mask, const void *bytes, size_t len);

static bool is_well_formed(const struct attr_rule *rule, const struct nlattr *attr)
{
	size_t len = payload_bytes(attr);
	int fixed = fixed_bytes(rule->kind);

	if (!(attr->nla_type & NLA_F_NESTED) != (rule->kind != KIND_NEST))
		return false;
	if (fixed >= 0)
		return len == (size_t)fixed;
	switch (rule->kind) {
	case KIND_STRING:
		return memchr(payload(attr), 0, len);
	case KIND_NEST:
		return !len || (len >= NLA_HDRLEN &&
				!find(set_at(rule->nested), ~0ull, payload(attr), len).malformed);
	default:
		return true;
	}
}

/* Check the attributes allowed by @mask, up to where the strict parser would stop. */
static struct found find(const struct attr_set *set, uint64_t mask, const void *bytes, size_t len)
{
	struct found found = { .malformed = false };
	const struct attr_rule *rule;
	const struct nlattr *attr;
	uint16_t number;
	size_t step;

	while (len >= NLA_HDRLEN) {
		attr = bytes;
		if (attr->nla_len < NLA_HDRLEN || attr->nla_len > len)
			break;
		number = attr->nla_type & NLA_TYPE_MASK;
		rule = rule_find(set, number);
		if (!rule || !(mask >> number & 1) || !is_well_formed(rule, attr)) {
			found.malformed = true;
			return found;
		}
		found.attrs[number] = attr;
		step = NLA_ALIGN(attr->nla_len);
		if (step >= len)
			return found;
		bytes = (const char *)bytes + step;
		len -= step;
	}
	found.malformed = len > 0;
	return found;
}

static bool is_in_limits(const struct attr_rule *rule, const struct nlattr *attr)
{
	uint64_t value = 0;

	if (rule->kind <= KIND_U64) {
		memcpy(&value, payload(attr), payload_bytes(attr));
		return value >= rule->min && value <= rule->max;
	}
	return !rule->max_len || payload_bytes(attr) <= rule->max_len;
}

static bool are_pids(const struct nlattr *attr, uint32_t limit)
{
	const char *at = payload(attr);
	size_t len = payload_bytes(attr);
	uint32_t pid;

	for (; len >= sizeof(pid); at += sizeof(pid), len -= sizeof(pid)) {
		memcpy(&pid, at, sizeof(pid));
		if (!pid || pid > limit)
			return false;
	}
	return !len;
}

/* Check lists of CPUs as far as this does not depend on the machine. */
static bool may_be_cpus(const struct nlattr *attr)
{
	const char *text = payload(attr);

	return !*text || !strcmp(text, "all") || strspn(text, "0123456789-,:/N") == strlen(text);
}

static uint64_t out_of_limits(const struct attr_set *set, const struct found *found)
{
	uint64_t bad = 0;
	uint16_t i;

	for (i = 1; i <= set->max; i++)
		if (found->attrs[i] && !is_in_limits(&set->rules[i], found->attrs[i]))
			bad |= 1ull << i;
	return bad;
}

/* Check what the YAML only says in words: valid pids, valid lists of CPUs. */
static uint64_t against_words(const struct attr_set *set, const struct found *found,
			      const struct kernel_rules *rules)
{
	uint64_t bad = 0;
	uint16_t i;

	for (i = 1; i <= set->max; i++) {
		if (!found->attrs[i])
			continue;
		if ((set->rules[i].kind == KIND_BINARY &&
		     !are_pids(found->attrs[i], rules->pid_limit)) ||
		    (set->rules[i].kind == KIND_STRING && !may_be_cpus(found->attrs[i])))
			bad |= 1ull << i;
	}
	return bad;
}

/* Is anything out of its limits in a nest, or in one of its nests? */
static bool is_deep_wrong(const struct attr_set *set, const void *bytes, size_t len)
{
	while (len >= NLA_HDRLEN) {
		const struct nlattr *attr = bytes;
		const struct attr_rule *rule = rule_find(set, attr->nla_type & NLA_TYPE_MASK);
		size_t step = NLA_ALIGN(attr->nla_len);

		if (!is_in_limits(rule, attr) ||
		    (rule->kind == KIND_NEST && payload_bytes(attr) &&
		     is_deep_wrong(set_at(rule->nested), payload(attr), payload_bytes(attr))))
			return true;
		if (step >= len)
			break;
		bytes = (const char *)bytes + step;
		len -= step;
	}
	return false;
}

/* Check the sources of a request to attach; it needs one, or events. */
static void judge_sources(struct judgement *j, const struct attr_set *set,
			  const struct found *found, const struct nlattr *nest)
{
	if (!found->attrs[FLAMEMOD_A_ATTACH_SOURCE]) {
		if (!found->attrs[FLAMEMOD_A_ATTACH_EVENTS])
			j->settings |= 1ull << FLAMEMOD_A_ATTACH_EVENTS;
		return;
	}
	j->deep = is_deep_wrong(set, payload(nest), payload_bytes(nest));
}

static void judge_attributes(struct judgement *j, const struct kernel_rules *rules,
			     const void *bytes, size_t len)
{
	const struct attr_set *top = set_at(TOP_SET), *nested;
	uint64_t mask = j->dump ? j->op->dump_request : j->op->do_request;
	struct found found = find(top, mask, bytes, len), inner;
	const struct nlattr *attr;
	uint16_t i;

	j->verdict = VERDICT_MALFORMED;
	if (found.malformed)
		return;
	j->top = out_of_limits(top, &found);
	/* a request to follow must name a process */
	if (!strcmp(j->op->name, "follow") && !found.attrs[FLAMEMOD_A_FOLLOW])
		j->top |= 1ull << FLAMEMOD_A_FOLLOW;
	for (i = 1; i <= top->max; i++) {
		attr = found.attrs[i];
		if (!(mask >> i & 1) || top->rules[i].kind != KIND_NEST)
			continue;
		/* a request to set must name a setting, one to attach what to attach */
		if (!attr && (!strcmp(j->op->name, "set") || !strcmp(j->op->name, "attach")))
			j->top |= 1ull << i;
		if (!attr)
			continue;
		nested = set_at(top->rules[i].nested);
		inner = find(nested, ~0ull, payload(attr), payload_bytes(attr));
		j->settings = out_of_limits(nested, &inner) |
			      against_words(nested, &inner, rules);
		if (!strcmp(j->op->name, "attach"))
			judge_sources(j, nested, &inner, attr);
	}
	j->verdict = j->top || j->settings || j->deep ? VERDICT_OUT_OF_LIMITS : VERDICT_VALID;
}

static void judge_message(struct judgement *j, uint16_t family, const struct kernel_rules *rules)
{
	const struct nlmsghdr *header = j->message;
	const struct genlmsghdr *genl = NLMSG_DATA(header);
	uint16_t flags = header->nlmsg_flags;

	j->verdict = VERDICT_PASSED_OVER;
	if (!(flags & NLM_F_REQUEST) || header->nlmsg_type < NLMSG_MIN_TYPE)
		return;
	j->verdict = VERDICT_NOT_OURS;
	if (header->nlmsg_type != family || header->nlmsg_len < NLMSG_LENGTH(GENL_HDRLEN))
		return;
	j->dump = (flags & NLM_F_DUMP) == NLM_F_DUMP;
	if (j->dump)
		flags &= ~NLM_F_DUMP;
	if (rules->strict && (genl->reserved || flags & ~(NLM_F_REQUEST | NLM_F_ACK | NLM_F_ECHO)))
		return;
	j->op = operation_find(genl->cmd);
	if (!j->op || !(j->dump ? j->op->has_dump : j->op->has_do))
		return;
	judge_attributes(j, rules, (const char *)genl + GENL_HDRLEN,
			 header->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN));
}

size_t judge(const void *bytes, size_t len, uint16_t family,
	     const struct kernel_rules *rules, struct judgement *judgements)
{
	const struct nlmsghdr *header;
	size_t nr = 0, step;

	while (len >= NLMSG_HDRLEN && nr < JUDGEMENTS_MAX) {
		header = bytes;
		if (header->nlmsg_len < NLMSG_HDRLEN || header->nlmsg_len > len)
			break;
		judgements[nr] = (struct judgement){ .message = header };
		judge_message(&judgements[nr++], family, rules);
		step = NLMSG_ALIGN(header->nlmsg_len);
		if (step >= len)
			break;
		bytes = (const char *)bytes + step;
		len -= step;
	}
	return nr;
}
