/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks that what the kernel sends agrees with the protocol.
 *
 * Functions return NULL if everything is right, else a text that says what is wrong.
 */
#ifndef NETLINK_REPLY_H
#define NETLINK_REPLY_H

#include <linux/netlink.h>
#include <stddef.h>
#include <stdint.h>

#include "netlink_profile.h"
#include "netlink_protocol.h"

/* The outcome of one request. */
struct answer {
	bool ended;
	int error;		/* positive errno; 0 if it was done */
	uint16_t attr;		/* the attribute that the refusal names; 0: none */
	char text[160];
	uint32_t nr_messages;	/* with data */
	struct profile profile;
};

/** answer_deinit() - free the memory of an answer. */
void answer_deinit(struct answer *answer);

/**
 * answer_take() - add a message to an answer, and check it.
 * @answer: the answer so far, all zero at first
 * @reply: the complete message
 * @request: the request that it answers
 * @op: the request's operation, or NULL
 * @dump: whether a dump was requested
 */
const char *answer_take(struct answer *answer, const struct nlmsghdr *reply,
			const struct nlmsghdr *request, const struct operation *op, bool dump);

#endif /* NETLINK_REPLY_H */
