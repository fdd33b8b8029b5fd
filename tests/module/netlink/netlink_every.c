// SPDX-License-Identifier: GPL-2.0
/*
 * Requests every operation of the protocol once: see netlink_every.h.
 */
#include <linux/genetlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flamemod.h"
#include "netlink_every.h"
#include "netlink_protocol.h"
#include "netlink_reply.h"

struct asked {
	struct nlmsghdr header;
	struct genlmsghdr genl;
	char attrs[512];
};

static void put(struct asked *asked, uint16_t type, const void *value, uint16_t len)
{
	struct nlattr *attr = (void *)((char *)asked + asked->header.nlmsg_len);

	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + len;
	memcpy(attr + 1, value, len);
	asked->header.nlmsg_len += NLA_ALIGN(attr->nla_len);
}

/* The least value of each number that the request may have. */
static void put_numbers(struct asked *asked, const struct attr_set *set, uint64_t mask)
{
	struct nlattr *nest;
	uint16_t i;

	for (i = 1; i <= set->max; i++) {
		const struct attr_rule *rule = &set->rules[i];
		int bytes = fixed_bytes(rule->kind);

		if (!(mask >> i & 1))
			continue;
		if (bytes > 0)
			put(asked, i, &rule->min, bytes);
		if (rule->kind != KIND_NEST)
			continue;
		nest = (void *)((char *)asked + asked->header.nlmsg_len);
		put(asked, i | NLA_F_NESTED, NULL, 0);
		put_numbers(asked, set_at(rule->nested), ~0ull);
		nest->nla_len = (char *)asked + asked->header.nlmsg_len - (char *)nest;
	}
}

static void ask(int socket, uint16_t family, const struct operation *op, bool dump)
{
	static uint32_t seq;
	_Alignas(8) char bytes[1 << 16];
	const struct nlmsghdr *reply = (const void *)bytes;
	struct answer answer = { .ended = false };
	const char *wrong = NULL;
	struct asked asked = {
		.header = {
			.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN),
			.nlmsg_type = family,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | (dump ? NLM_F_DUMP : 0),
			.nlmsg_seq = ++seq,
		},
		.genl = { .cmd = op->command, .version = FLAMEMOD_GENL_VERSION },
	};
	size_t data = 0;
	ssize_t got;
	int left;

	put_numbers(&asked, set_at(TOP_SET), dump ? op->dump_request : op->do_request);
	if (write(socket, &asked, asked.header.nlmsg_len) < 0)
		return;
	while (!answer.ended && !wrong && (got = recv(socket, bytes, sizeof(bytes), 0)) > 0) {
		left = (int)got;
		for (reply = (const void *)bytes; NLMSG_OK(reply, (unsigned int)left) && !wrong;
		     reply = NLMSG_NEXT(reply, left)) {
			wrong = answer_take(&answer, reply, &asked.header, op, dump);
			if (reply->nlmsg_type >= NLMSG_MIN_TYPE)
				data += reply->nlmsg_len;
		}
	}
	printf("%s%s\t%s\t%zu\t%s\n", op->name, dump ? "-dump" : "",
	       wrong || !answer.ended ? "broken" :
	       answer.error ? strerrorname_np(answer.error) : "done", data,
	       wrong ? wrong : *answer.text ? answer.text : "-");
	answer_deinit(&answer);
}

void netlink_every(int socket, uint16_t family)
{
	size_t i;

	for (i = 0; i < nr_operations; i++) {
		const struct operation *op = operation_at(i);

		if (op->has_do)
			ask(socket, family, op, false);
		if (op->has_dump)
			ask(socket, family, op, true);
	}
}
