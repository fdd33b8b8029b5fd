/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the kernel's answer with the expected outcome.
 */
#ifndef NETLINK_VERDICT_H
#define NETLINK_VERDICT_H

#include "netlink_judge.h"
#include "netlink_reply.h"

/** reason_is_dropped() - report whether a refusal has no reason, as there were too many. */
bool reason_is_dropped(const struct answer *answer);

/**
 * verdict_check() - compare a complete answer with the expected outcome of its request.
 *
 * Return: NULL if they agree, else a text that says what is wrong.
 */
const char *verdict_check(const struct judgement *j, const struct answer *answer);

#endif /* NETLINK_VERDICT_H */
