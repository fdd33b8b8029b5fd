// SPDX-License-Identifier: GPL-2.0
/*
 * Checks what the kernel sends: see netlink_reply.h.
 */
#include <linux/genetlink.h>
#include <stdio.h>
#include <string.h>

#include "flamemod.h"
#include "netlink_reply.h"

static const void *payload(const struct nlattr *attr)
{
	return (const char *)attr + NLA_HDRLEN;
}

static size_t payload_bytes(const struct nlattr *attr)
{
	return attr->nla_len - NLA_HDRLEN;
}

static const char *check_attrs(const struct attr_set *set, uint64_t mask, const void *bytes,
			       size_t len);

static const char *check_value(const struct attr_rule *rule, const struct nlattr *attr)
{
	size_t len = payload_bytes(attr);
	int fixed = fixed_bytes(rule->kind);
	uint64_t value = 0;

	if (!(attr->nla_type & NLA_F_NESTED) != (rule->kind != KIND_NEST))
		return "an attribute is marked as a nest and is none, or the reverse";
	if (fixed >= 0 && len != (size_t)fixed)
		return "a number has the wrong size";
	if (fixed > 0)
		memcpy(&value, payload(attr), fixed);
	if (fixed > 0 && (value < rule->min || value > rule->max)) {
		fprintf(stderr, "attribute %d is %llu, limits %llu..%llu\n",
			attr->nla_type & NLA_TYPE_MASK, (unsigned long long)value,
			(unsigned long long)rule->min, (unsigned long long)rule->max);
		return "a number is out of its limits";
	}
	if (rule->max_len && len > rule->max_len)
		return "an attribute is longer than its limit";
	switch (rule->kind) {
	case KIND_UINT:
		if (len == 8)
			memcpy(&value, payload(attr), 8);
		return len == 4 || (len == 8 && value > UINT32_MAX) ? NULL :
			"a uint has the wrong size";
	case KIND_SINT:
		if (len == 8)
			memcpy(&value, payload(attr), 8);
		return len == 4 || (len == 8 && (int64_t)value != (int32_t)value) ? NULL :
			"a sint has the wrong size";
	case KIND_STRING:
		return len && memchr(payload(attr), 0, len) == (const char *)payload(attr) + len - 1 ?
			NULL : "a string does not end where its NUL is";
	case KIND_BINARY:
		return len % rule->elem_bytes ? "a column ends within an element" : NULL;
	case KIND_NEST:
		return check_attrs(set_at(rule->nested), ~0ull, payload(attr), len);
	default:
		return NULL;
	}
}

static const char *check_attrs(const struct attr_set *set, uint64_t mask, const void *bytes,
			       size_t len)
{
	const struct attr_rule *rule;
	const struct nlattr *attr;
	const char *wrong = NULL;
	uint64_t seen = 0;
	uint16_t number;

	while (len && !wrong) {
		attr = bytes;
		if (len < NLA_HDRLEN || attr->nla_len < NLA_HDRLEN || (size_t)NLA_ALIGN(attr->nla_len) > len)
			return "an attribute does not fit";
		number = attr->nla_type & NLA_TYPE_MASK;
		rule = rule_find(set, number);
		if (!rule || !(mask >> number & 1))
			return "there is an attribute that the protocol does not have there";
		if (seen >> number & 1 && !rule->repeats)
			return "an attribute stands twice";
		seen |= 1ull << number;
		wrong = check_value(rule, attr);
		bytes = (const char *)bytes + NLA_ALIGN(attr->nla_len);
		len -= NLA_ALIGN(attr->nla_len);
	}
	return wrong;
}

/* The attribute at @offset of a request. */
static const char *point_at(struct answer *answer, const struct nlmsghdr *request, uint32_t offset)
{
	const struct nlattr *attr = (const void *)((const char *)request + offset);

	if (offset < NLMSG_HDRLEN || offset + sizeof(*attr) > request->nlmsg_len)
		return "a refusal points outside the request";
	answer->attr = attr->nla_type & NLA_TYPE_MASK;
	return NULL;
}

/* Read the text and the attribute that come with a refusal. */
static const char *take_reason(struct answer *answer, const struct nlmsghdr *request,
			       const void *bytes, size_t len)
{
	const struct nlattr *attr;
	const char *wrong = NULL;
	uint32_t offset;

	while (len >= NLA_HDRLEN && !wrong) {
		attr = bytes;
		if (attr->nla_len < NLA_HDRLEN || (size_t)NLA_ALIGN(attr->nla_len) > len)
			return "the reason of a refusal does not fit";
		switch (attr->nla_type & NLA_TYPE_MASK) {
		case NLMSGERR_ATTR_MSG:
			if (strnlen(payload(attr), payload_bytes(attr)) + 1 != payload_bytes(attr))
				return "the text of a refusal is no string";
			snprintf(answer->text, sizeof(answer->text), "%s",
				 (const char *)payload(attr));
			break;
		case NLMSGERR_ATTR_OFFS:
			if (payload_bytes(attr) != sizeof(offset))
				return "the place of a refusal is no number";
			memcpy(&offset, payload(attr), sizeof(offset));
			wrong = point_at(answer, request, offset);
			break;
		}
		bytes = (const char *)bytes + NLA_ALIGN(attr->nla_len);
		len -= NLA_ALIGN(attr->nla_len);
	}
	return wrong;
}

static const char *take_end(struct answer *answer, const struct nlmsghdr *reply,
			    const struct nlmsghdr *request, size_t fixed, int error)
{
	answer->ended = true;
	answer->error = -error;
	if (error > 0)
		return "an error has the wrong sign";
	if (!(reply->nlmsg_flags & NLM_F_ACK_TLVS))
		return NULL;
	if (reply->nlmsg_len < NLMSG_LENGTH(fixed))
		return "a refusal is too short";
	return take_reason(answer, request, (const char *)NLMSG_DATA(reply) + fixed,
			   reply->nlmsg_len - NLMSG_LENGTH(fixed));
}

static const char *take_data(struct answer *answer, const struct nlmsghdr *reply,
			     const struct operation *op, bool dump)
{
	const struct genlmsghdr *genl = NLMSG_DATA(reply);
	const char *bytes = (const char *)genl + GENL_HDRLEN;
	uint64_t mask = dump ? op->dump_reply : op->do_reply;
	const char *wrong;
	size_t len;

	if (reply->nlmsg_len < NLMSG_LENGTH(GENL_HDRLEN))
		return "a reply is too short";
	if (genl->cmd != op->command || genl->version != FLAMEMOD_GENL_VERSION || genl->reserved)
		return "a reply's header is another operation's";
	if (!(reply->nlmsg_flags & NLM_F_MULTI) != !dump)
		return "a reply is marked as a part and is none, or the reverse";
	len = reply->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN);
	if (!len)
		return "a reply is empty";
	answer->nr_messages++;
	wrong = check_attrs(set_at(TOP_SET), mask, bytes, len);
	while (len && !wrong) {
		const struct nlattr *attr = (const void *)bytes;

		wrong = profile_take(&answer->profile, attr);
		bytes += NLA_ALIGN(attr->nla_len);
		len -= NLA_ALIGN(attr->nla_len);
	}
	return wrong;
}

void answer_deinit(struct answer *answer)
{
	profile_deinit(&answer->profile);
}

const char *answer_take(struct answer *answer, const struct nlmsghdr *reply,
			const struct nlmsghdr *request, const struct operation *op, bool dump)
{
	const struct nlmsgerr *error = NLMSG_DATA(reply);

	if (answer->ended)
		return "an answer goes on behind its end";
	if (reply->nlmsg_type == NLMSG_ERROR) {
		if (reply->nlmsg_len < NLMSG_LENGTH(sizeof(*error)))
			return "a refusal is too short";
		/* the sockets here request that the request is not sent back */
		if (!(reply->nlmsg_flags & NLM_F_CAPPED))
			return "a refusal brings the request back";
		return take_end(answer, reply, request, sizeof(*error), error->error);
	}
	if (reply->nlmsg_type == NLMSG_DONE) {
		if (!dump || reply->nlmsg_len < NLMSG_LENGTH(sizeof(int)))
			return "an end comes that is none of a dump's";
		return take_end(answer, reply, request, sizeof(int), *(const int *)NLMSG_DATA(reply));
	}
	if (!op)
		return "data comes for no operation";
	return take_data(answer, reply, op, dump);
}
