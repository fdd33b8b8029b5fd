/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends requests to the module, one at a time, and keeps the whole answer.
 *
 * For test programs: an unexpected failure ends the program with a message.
 */
#ifndef NLASK_H
#define NLASK_H

#include <libmnl/libmnl.h>
#include <stddef.h>
#include <stdint.h>

#define REQUEST_SIZE	8192

struct asker {
	struct mnl_socket *socket;
	uint16_t family;
	uint32_t seq;
	char *reply;
	size_t reply_size;
};

struct answer {
	int error;		/* positive errno; 0 if it was done */
	int attr;		/* the attribute that the refusal names, 0 for none */
	char text[256];
	size_t messages, bytes, addresses;
};

/* One request under construction, in a buffer of REQUEST_SIZE. */
struct request {
	const char *name;
	struct nlmsghdr *header;
	struct nlattr *settings;
};

/** die() - print "nlbad: cannot @what: " and errno's text, and exit with 1. */
void die(const char *what) __attribute__((noreturn));

/** socket_open() - open and bind a generic netlink socket. */
struct mnl_socket *socket_open(void);

/** socket_of_nobody() - get one that a process without rights has opened. */
struct mnl_socket *socket_of_nobody(void);

/** nobody_become() - give up all rights. */
void nobody_become(void);

/** asker_init() - prepare to send through @socket; finds the module's family. */
void asker_init(struct asker *asker, struct mnl_socket *socket);

/** asker_deinit() - close the socket, and free what asker_init() allocated. */
void asker_deinit(struct asker *asker);

/** asker_send() - send a request, with the next sequence number. */
void asker_send(struct asker *asker, struct nlmsghdr *header);

/** asker_ask() - send a request, and receive its whole answer. */
struct answer asker_ask(struct asker *asker, struct nlmsghdr *header);

/**
 * asker_must() - send a request that the module must do.
 *
 * If it is refused, print the answer as answer_tell() does, and exit with 1.
 */
void asker_must(struct asker *asker, const struct request *request);

/** asker_detach() - detach this socket's events; as asker_must() if that is refused. */
void asker_detach(struct asker *asker);

/** asker_run() - send a request and give each reply to @take. */
void asker_run(struct asker *asker, struct nlmsghdr *header, mnl_cb_t take,
	       void *data);

/**
 * request_begin() - start a request for @command in a buffer of REQUEST_SIZE.
 *
 * Checking is strict over the whole message, so that a request differs from a
 * good one in exactly what is then added.
 */
struct request request_begin(char *buffer, const char *name, uint16_t family,
			     uint8_t command, uint16_t flags);

/** answer_tell() - print one line: name, errno, text, attribute. */
void answer_tell(const char *name, const struct answer *answer);

#endif /* NLASK_H */
