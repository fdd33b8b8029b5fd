// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl fleet: look after a store of many hosts' profiles.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "cmd/command.h"
#include "cmd/server.h"
#include "fleet/clickhouse/clickhouse.h"
#include "fleet/clickhouse/roll.h"

#define KEEP_DAYS	30
#define KEEP_DAYS_MAX	3650

#define NSEC_PER_SEC	1000000000ULL
/* All servers of a cluster make the tables; ClickHouse itself waits for 3 minutes. */
#define CLUSTER_TIMEOUT_MS	240000
/* For the sums of an hour, which a server may compute for minutes. */
#define ROLL_TIMEOUT_MS	3600000

enum { OPT_CLUSTER, OPT_KEEP, OPT_LAST };

static const struct command_option options[] = {
	[OPT_CLUSTER] = { "cluster", 0, "NAME", "of init: make the tables on all servers of this cluster; each has all windows" },
	[OPT_KEEP] = { "keep", 0, "DAYS", "of init: let the server remove windows after so many days (default 30)" },
	[OPT_LAST] = { "last", 0, "TIME", "of roll: look only at hours of the last TIME, such as 24h (default: all)" },
	{ 0 }
};

struct request {
	struct server_request server;
	uint64_t keep_days, last_ns;
	const char *url, *cluster;
	const struct action *action;
};

/* What can be done. */
struct action {
	const char *name;
	/* Return: an exit code. */
	int (*act)(struct server *server, const struct request *request);
};

/* ---- init ---- */

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

/* ---- roll ---- */

static int roll(struct server *server, const struct request *request)
{
	struct choice choice = { .from_s = 0 };
	struct roll_tally tally;
	struct error error;
	int err;

	if (request->last_ns)
		choice.from_s = (int64_t)time(NULL) - (int64_t)(request->last_ns / NSEC_PER_SEC);
	if (choice.from_s < 0)
		choice.from_s = 0;
	err = roll_hours(server->sender, &server->target, &choice, &tally, &error);
	printf("rolled up %u hour%s; %u were up to date", tally.rolled,
	       tally.rolled == 1 ? "" : "s", tally.current);
	if (tally.removed)
		printf(", %u removed", tally.removed);
	if (tally.busy)
		printf(", %u left, as windows came all the time", tally.busy);
	putchar('\n');
	return command_printed(err ? command_fail(EXIT_FAILED, "cannot roll up%s: %s",
						  tally.wrong ? " all hours" : "",
						  error.text) : EXIT_DONE);
}

/* ---- all ---- */

static const struct action actions[] = {
	{ "init", init },
	{ "roll", roll },
};

static int parse_option(struct request *request, int option, const char *arg,
			struct error *error)
{
	if (option == OPT_CLUSTER) {
		request->cluster = arg;
		return 0;
	}
	if (option == OPT_KEEP)
		return number_parse(arg, 1, KEEP_DAYS_MAX, &request->keep_days, error);
	return duration_parse(arg, &request->last_ns, error);
}

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	struct error error;
	const char *arg;
	int option;

	while (command_next(command, argc, argv, &option, &arg)) {
		if (option >= COMMAND_SHARED)
			request->server.values[option - COMMAND_SHARED] = arg;
		else if (parse_option(request, option, arg, &error))
			return command_usage(command, "--%s %s", options[option].name,
					     error.text);
	}
	if (argc - optind != 2)
		return command_usage(command, "fleet needs what to do and the URL of a server: name both");
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (!strcmp(argv[optind], actions[i].name))
			request->action = &actions[i];
	request->url = argv[optind + 1];
	if (!request->action)
		return command_usage(command, "fleet cannot %s: it can init and roll",
				     argv[optind]);
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
	if (request.action->act == roll)
		policy.timeout_ms = ROLL_TIMEOUT_MS;
	if (server_open(&server, request.url, &request.server, policy, &error))
		code = command_fail(EXIT_FAILED, "cannot reach the store: %s", error.text);
	else if (server.target.kind != &target_clickhouse)
		code = command_usage(command, "%s is no store: name a clickhouse:// URL",
				     server.target.kind->name);
	else
		code = request.action->act(&server, &request);
	server_close(&server);
	return code;
}

const struct command cmd_fleet = {
	.name = "fleet",
	.args = "init|roll URL",
	.summary = "look after a store of many hosts' profiles",
	.details =
"init makes the database and the tables that flamectl push fills, in ClickHouse of\n"
"version 18.16 or newer. Tables that are there stay as they are, and get what those of\n"
"earlier versions lack.\n"
"With --cluster, all servers of that cluster get them, and send each other what is pushed\n"
"to one of them; that takes ZooKeeper. docs/fleet.md has their configuration.\n"
"\n"
"roll makes the sums of each hour that is over, which flamectl query and fleet: then\n"
"read in place of its windows. Answers stay the same, and come sooner. An hour that got\n"
"a window later is read from its windows until it is rolled up again. Run it every hour,\n"
"from cron or a systemd timer. It may be killed, or run twice at once.\n"
"\n"
"URL is clickhouse://[USER@]HOST[:PORT]/DATABASE; flamectl push --help says more on it.\n"
"\n"
"  flamectl fleet init clickhouse://localhost/fleet\n"
"  flamectl fleet init --keep 90 --token-file token clickhouse://me@db.example/fleet\n"
"  flamectl fleet init --cluster fleet clickhouse://me@db1.example/fleet\n"
"  flamectl fleet roll --last 48h clickhouse://localhost/fleet",
	.options = options,
	.shared = server_options,
	.run = run,
};
