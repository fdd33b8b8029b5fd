/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What must become of a request, by common/flamemod.yaml and by the rules of
 * netlink: a second opinion, to hold against what the kernel did.
 */
#ifndef NETLINK_JUDGE_H
#define NETLINK_JUDGE_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum verdict {
	VERDICT_PASSED_OVER,	/* no request: at most acknowledged */
	VERDICT_VALID,		/* done, or refused for the state things are in */
	VERDICT_NOT_OURS,	/* refused by netlink itself, perhaps without a word */
	VERDICT_MALFORMED,	/* refused by the kernel's parser, with a text */
	VERDICT_OUT_OF_LIMITS,	/* refused by the module, which names an attribute */
	NR_VERDICTS
};

struct judgement {
	const struct nlmsghdr *message;
	enum verdict verdict;
	const struct operation *op;	/* where the command is one */
	bool dump;
	/* out of limits: what may be named, as bits, by number */
	uint64_t top, settings;
};

#define JUDGEMENTS_MAX	64

/* What the kernel's version and build decide. */
struct kernel_rules {
	bool strict;		/* reserved bytes and flags are refused; since v6.1 */
	uint32_t pid_limit;	/* no process has a higher id */
};

/**
 * judge() - what must become of the messages of a datagram.
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
