/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stacks that a server is known to have, and need not be sent again with each window.
 *
 * What was sent is remembered, and for many unknown stacks the server is asked. Both is
 * forgotten after an hour, or when a request is not taken, because somebody may have
 * made the server's tables anew.
 */
#ifndef FLAMECTL_KNOWN_H
#define FLAMECTL_KNOWN_H

#include "fleet/target.h"

/*
 * The server is asked about so many unknown stacks or more: an id takes 16 bytes, a stack
 * about 100 when compressed. With less, a question takes longer than the stacks.
 */
#define KNOWN_ASK_MIN	256

/**
 * known_encode() - make the requests that push windows, without stacks that the server
 * has.
 *
 * A server that does not answer the question is sent all stacks.
 *
 * Return: as target_kind.encode().
 */
int known_encode(struct target *target, struct sender *sender,
		 const struct target_window *windows, size_t nr,
		 struct target_requests *requests, struct error *error);

/** known_add() - remember the stacks of requests that were all taken. */
void known_add(struct target *target, const struct target_requests *requests);

/** known_forget() - remember none. */
void known_forget(struct target *target);

#endif /* FLAMECTL_KNOWN_H */
