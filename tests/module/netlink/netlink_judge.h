/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computes the expected outcome of a request from common/flamemod.yaml and the rules of
 * netlink, independently of the module, to compare with the kernel's answer.
 */
#ifndef NETLINK_JUDGE_H
#define NETLINK_JUDGE_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum verdict {
	VERDICT_PASSED_OVER,	/* no request: at most acknowledged */
	VERDICT_VALID,		/* done, or refused because of the session's state */
	VERDICT_NOT_OURS,	/* refused by netlink itself, maybe without a message */
	VERDICT_MALFORMED,	/* refused by the kernel's parser, with a text */
	VERDICT_OUT_OF_LIMITS,	/* refused by the module, which names an attribute */
	NR_VERDICTS
};

struct judgement {
	const struct nlmsghdr *message;
	enum verdict verdict;
	const struct operation *op;	/* if the command exists */
	bool dump;
	/* out of limits: bits of the attributes that the answer may name */
	uint64_t top, settings;
	bool deep;		/* something is, further inside */
};

#define JUDGEMENTS_MAX	64

/* What depends on the kernel's version and configuration. */
struct kernel_rules {
	bool strict;		/* reserved bytes and flags are refused; since v6.1 */
	uint32_t pid_limit;	/* no process has a higher id */
};

/**
 * judge() - compute the expected outcome of each message of a datagram.
 * @bytes: the datagram, aligned as netlink messages are
 * @len: its length
 * @family: the number of the module's family
 * @rules: the kernel's
 * @judgements: where to put what is found, JUDGEMENTS_MAX of them
 *
 * Return: how many messages the kernel will see in it.
 */
size_t judge(const void *bytes, size_t len, uint16_t family,
	     const struct kernel_rules *rules, struct judgement *judgements);

#endif /* NETLINK_JUDGE_H */
