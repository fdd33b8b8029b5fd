// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl fleet: look after a store of many hosts' profiles.
 */
#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "base/number.h"
#include "cmd/command.h"
#include "cmd/server.h"
#include "fleet/clickhouse/clickhouse.h"

#define KEEP_DAYS	30
#define KEEP_DAYS_MAX	3650

/* All servers of a cluster make the tables; ClickHouse itself waits for 3 minutes. */
#define CLUSTER_TIMEOUT_MS	240000

enum { OPT_CLUSTER, OPT_KEEP };

static const struct command_option options[] = {
	[OPT_CLUSTER] = { "cluster", 0, "NAME", "of init: make the tables on all servers of this cluster; each has all windows" },
	[OPT_KEEP] = { "keep", 0, "DAYS", "of init: let the server remove windows after so many days (default 30)" },
	{ 0 }
};

struct request {
	struct server_request server;
	uint64_t keep_days;
	const char *action, *url, *cluster;
};

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	struct error error;
	const char *arg;
	int option;

	while (command_next(command, argc, argv, &option, &arg)) {
		if (option >= COMMAND_SHARED)
			request->server.values[option - COMMAND_SHARED] = arg;
		else if (option == OPT_CLUSTER)
			request->cluster = arg;
		else if (number_parse(arg, 1, KEEP_DAYS_MAX, &request->keep_days, &error))
			return command_usage(command, "--%s %s", options[option].name,
					     error.text);
	}
	if (argc - optind != 2)
		return command_usage(command, "fleet needs what to do and the URL of a server: name both");
	request->action = argv[optind];
	request->url = argv[optind + 1];
	if (strcmp(request->action, "init"))
		return command_usage(command, "fleet cannot %s: it can init",
				     request->action);
	return EXIT_DONE;
}

/* Return: an exit code. */
static int init(struct server *server, const struct request *request)
{
	struct schema_server version;
	struct error error;

	if (clickhouse_version(server->sender, &server->target, &version, &error) ||
	    clickhouse_init(server->sender, &server->target, &version,
			    request->cluster, (unsigned int)request->keep_days, &error))
		return command_fail(EXIT_FAILED, "cannot make the tables: %s", error.text);
	if (!schema_expires(&version))
		command_fail(EXIT_DONE, "this server, %u.%u, cannot remove old windows by itself: see docs/fleet.md on how to drop a day",
			     version.major, version.minor);
	return EXIT_DONE;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = { .keep_days = KEEP_DAYS };
	struct send_policy policy = SEND_POLICY_DEFAULT;
	struct server server;
	struct error error;
	int code = parse(command, argc, argv, &request);

	if (code != EXIT_DONE)
		return code;
	if (request.cluster)
		policy.timeout_ms = CLUSTER_TIMEOUT_MS, policy.attempts = 1;
	if (server_open(&server, request.url, &request.server, policy, &error))
		code = command_fail(EXIT_FAILED, "cannot reach the store: %s", error.text);
	else if (server.target.kind != &target_clickhouse)
		code = command_usage(command, "%s is no store: name a clickhouse:// URL",
				     server.target.kind->name);
	else
		code = init(&server, &request);
	server_close(&server);
	return code;
}

const struct command cmd_fleet = {
	.name = "fleet",
	.args = "init URL",
	.summary = "make the tables for the profiles of many hosts",
	.details =
"init makes the database and the tables that flamectl push fills,\n"
"in ClickHouse of version 18.16 or newer. Tables that are there stay as they are.\n"
"With --cluster, all servers of that cluster get them, and send each other what is pushed\n"
"to one of them; that takes ZooKeeper. docs/fleet.md has their configuration.\n"
"URL is clickhouse://[USER@]HOST[:PORT]/DATABASE; flamectl push --help says more on it.\n"
"\n"
"  flamectl fleet init clickhouse://localhost/fleet\n"
"  flamectl fleet init --keep 90 --token-file token clickhouse://me@db.example/fleet\n"
"  flamectl fleet init --cluster fleet clickhouse://me@db1.example/fleet",
	.options = options,
	.shared = server_options,
	.run = run,
};
