/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does what the kernel did agree with the judgement?
 */
#ifndef NETLINK_VERDICT_H
#define NETLINK_VERDICT_H

#include "netlink_judge.h"
#include "netlink_reply.h"

/**
 * verdict_check() - hold a whole answer against what must become of a request.
 *
 * Return: NULL where they agree, else what is wrong, in words.
 */
const char *verdict_check(const struct judgement *j, const struct answer *answer);

#endif /* NETLINK_VERDICT_H */
