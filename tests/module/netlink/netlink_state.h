/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks the state of the module, and books. Functions return NULL if everything is right,
 * else a text that says what is wrong.
 */
#ifndef NETLINK_STATE_H
#define NETLINK_STATE_H

#include "netlink_profile.h"

/** books_add() - check books, and add them to sums. */
const char *books_add(struct sums *sums, const struct nlattr *nest);

/** state_take() - check the state, and note in a profile what it announces. */
const char *state_take(struct profile *p, const struct nlattr *nest);

#endif /* NETLINK_STATE_H */
