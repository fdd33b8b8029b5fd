/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The connection to the module, shared by nl.c and nl_order.c.
 */
#ifndef FLAMECTL_NL_SOCKET_H
#define FLAMECTL_NL_SOCKET_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libmnl/libmnl.h>

struct error;

/* More than the largest request, which names as many sources as there may be. */
#define NL_REQUEST_BYTES	8192

struct nl {
	struct mnl_socket *socket;
	struct mnl_socket *owner;	/* what is owned ends with it; or NULL */
	bool owns;			/* what is started, set and followed from now on is owned */
	struct mnl_socket *follower;	/* following ends with it; may be the owner; or NULL */
	struct mnl_socket *attacher;	/* events are attached as long as it is open; or NULL */
	uint32_t events_epoch;		/* of the attach; 0: not known */
	uint16_t family;
	uint32_t sequence;
	bool answered;			/* the end of the last answer was read */
	bool stale;			/* a part of an answer may be unread */
	const volatile sig_atomic_t *interrupted;
	char request[NL_REQUEST_BYTES];
	char *received;
};

/* Called for each message of an answer. Return: 0 or -errno, with the error set. */
typedef int (*nl_message_fn)(void *data, const void *attributes, size_t size,
			     struct error *error);

/**
 * nl_request_begin() - start a request, in nl->request; attributes may follow.
 *
 * Return: its header.
 */
struct nlmsghdr *nl_request_begin(struct nl *nl, uint16_t type, uint8_t command,
				  uint8_t version, uint16_t flags);

/**
 * nl_exchange() - send the request that nl_request_begin() started, and read the whole
 * answer.
 * @message: called for each message of it; or NULL
 *
 * Return: 0 or -errno.
 */
int nl_exchange(struct nl *nl, nl_message_fn message, void *data, struct error *error);

/**
 * nl_exchange_owned() - send the request that nl_request_begin() started through
 * nl->owner, so that what it asks for ends when that is closed. If no answer comes, it is
 * closed at once.
 *
 * Return: 0 or -errno.
 */
int nl_exchange_owned(struct nl *nl, struct error *error);

/** nl_disown() - close nl->owner; the module undoes what was asked for through it. */
void nl_disown(struct nl *nl);

/**
 * nl_hold() - let following or events end with @socket from now on, and not with the
 * previous socket.
 * @holder: &nl->follower or &nl->attacher
 * @socket: nl->socket, or NULL: they have ended
 */
void nl_hold(struct nl *nl, struct mnl_socket **holder, struct mnl_socket *socket);

#endif /* FLAMECTL_NL_SOCKET_H */
