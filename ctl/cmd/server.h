/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The server that a command talks to: its URL, and the options that say how to reach it.
 */
#ifndef FLAMECTL_SERVER_H
#define FLAMECTL_SERVER_H

#include "base/error.h"
#include "cmd/option.h"
#include "fleet/send.h"
#include "fleet/target.h"

/* The options of all commands that talk to a server. */
enum server_option {
	SERVER_TOKEN_FILE,
	SERVER_CA,
	SERVER_CERT,
	SERVER_KEY,
	SERVER_OPTIONS,
};

extern const struct command_option server_options[SERVER_OPTIONS + 1];

/* The value of each option that was given, kept, not copied; NULL: not given. */
struct server_request {
	const char *values[SERVER_OPTIONS];
};

struct server {
	struct target target;
	struct sender *sender;
	/* options of the URL, which come after those of the command line */
	char values[SERVER_OPTIONS][TARGET_PATH_MAX + 1];
};

/**
 * server_open() - parse the URL, read the token, and prepare to send.
 * @policy: how to send; certificates and the token are filled in.
 *
 * An option that was not given is taken from the URL, "?token-file=PATH&ca=PATH", so
 * that an URL in the environment is enough.
 *
 * Return: 0, or -errno with @error. Call server_close() in both cases.
 */
int server_open(struct server *server, const char *url,
		const struct server_request *request, struct send_policy policy,
		struct error *error);

/** server_close() - close connections and forget the token. */
void server_close(struct server *server);

#endif /* FLAMECTL_SERVER_H */
