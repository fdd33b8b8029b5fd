// SPDX-License-Identifier: GPL-2.0
/*
 * The server that a command talks to: see server.h.
 */
#include "cmd/server.h"

#include <errno.h>
#include <string.h>

#include "fleet/known.h"
#include "fleet/targets.h"

const struct command_option server_options[SERVER_OPTIONS + 1] = {
	[SERVER_TOKEN_FILE] = { "token-file", 0, "FILE", "the token, or the user's password, is the first line of FILE" },
	[SERVER_CA] = { "ca", 0, "FILE", "trust only servers whose certificates come from those in FILE (default: the system's)" },
	[SERVER_CERT] = { "cert", 0, "FILE", "show the server the client certificate in FILE" },
	[SERVER_KEY] = { "key", 0, "FILE", "the client certificate's key (default: in the file of --cert)" },
	{ 0 }
};

/* Return: an option's value from the command line or the URL, or NULL. */
static const char *value_of(struct server *server, const struct server_request *request,
			    enum server_option option)
{
	char *value = server->values[option];

	if (request->values[option])
		return request->values[option];
	return target_option(&server->target, server_options[option].name, value,
			     sizeof(server->values[option])) && *value ? value : NULL;
}

int server_open(struct server *server, const char *url,
		const struct server_request *request, struct send_policy policy,
		struct error *error)
{
	const char *token_file;
	int err;

	memset(server, 0, sizeof(*server));
	err = target_parse(&server->target, url, target_kinds, error);
	if (err)
		return err;
	token_file = value_of(server, request, SERVER_TOKEN_FILE);
	err = token_file ? target_read_token(&server->target, token_file, error) : 0;
	if (err)
		return err;
	policy.secret = server->target.token;
	policy.ca_path = value_of(server, request, SERVER_CA);
	policy.cert_path = value_of(server, request, SERVER_CERT);
	policy.key_path = value_of(server, request, SERVER_KEY);
	return sender_create(&server->sender, &policy, error);
}

void server_close(struct server *server)
{
	sender_destroy(server->sender);
	server->sender = NULL;
	known_forget(&server->target);
	explicit_bzero(server->target.token, sizeof(server->target.token));
}
