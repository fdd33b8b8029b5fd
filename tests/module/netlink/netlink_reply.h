/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel sends: does it keep to the protocol?
 *
 * Functions return NULL where all is well, else what is wrong, in words.
 */
#ifndef NETLINK_REPLY_H
#define NETLINK_REPLY_H

#include <linux/netlink.h>
#include <stddef.h>
#include <stdint.h>

#include "netlink_profile.h"
#include "netlink_protocol.h"

/* What became of one request. */
struct answer {
	bool ended;
	int error;		/* positive errno; 0 when it was done */
	uint16_t attr;		/* what the refusal points at; 0 for nothing */
	char text[160];
	uint32_t nr_messages;	/* with data */
	struct profile profile;
};

/** answer_deinit() - free what an answer holds. */
void answer_deinit(struct answer *answer);

/**
 * answer_take() - one message of an answer.
 * @answer: the answer so far, all zero at first
 * @reply: the message, whole
 * @request: what it answers
 * @op: the request's operation; NULL where it has none
 * @dump: whether it asked for a dump
 */
const char *answer_take(struct answer *answer, const struct nlmsghdr *reply,
			const struct nlmsghdr *request, const struct operation *op, bool dump);

/** addresses_count() - what among the bytes reads as a kernel address. */
size_t addresses_count(const void *bytes, size_t len);

#endif /* NETLINK_REPLY_H */
