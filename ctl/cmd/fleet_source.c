// SPDX-License-Identifier: GPL-2.0
/*
 * A fleet as the source of a view: see fleet_source.h.
 */
#include "cmd/fleet_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/exit_code.h"

#define PREFIX	"fleet:"

/* The sum of many hosts' stacks may be large. */
#define ANSWER_MAX	(1UL << 30)
#define TIMEOUT_MS	300000

bool fleet_source_is(const char *path)
{
	return !strncmp(path, PREFIX, strlen(PREFIX));
}

int fleet_source_choice(struct choice *choice, const char *path, struct error *error)
{
	if (fleet_source_is(path))
		path += strlen(PREFIX);
	return choice_parse(choice, path, (int64_t)time(NULL), error);
}

int fleet_source_open(struct server *server, const struct server_request *request,
		      struct error *error)
{
	static const struct server_request none;
	struct send_policy policy = SEND_POLICY_DEFAULT;
	const char *url = getenv("FLAMECTL_FLEET");
	int err;

	memset(server, 0, sizeof(*server));
	if (!url || !*url)
		return error_set(error, -EINVAL, "$FLAMECTL_FLEET is not set: set it to the URL of the store, such as clickhouse://localhost/fleet");
	policy.answer_max = ANSWER_MAX;
	policy.timeout_ms = TIMEOUT_MS;
	err = server_open(server, url, request ?: &none, policy, error);
	if (!err && server->target.kind != &target_clickhouse)
		err = error_set(error, -EINVAL, "$FLAMECTL_FLEET: %s is no store that can be asked: name a clickhouse:// URL",
				server->target.kind->name);
	return err;
}

static int choose_event(struct choice *choice, const char *name, struct error *error)
{
	struct error why;
	int err = choice_set_event(choice, name, &why);

	return err ? error_set(error, err, "--event %.200s", why.text) : 0;
}

int fleet_source_load(const char *path, const char *event, struct fleet_keys keys,
		      struct profile **profile, struct error *error)
{
	struct choice choice;
	struct server server = { .sender = NULL };
	struct error why;
	int err = fleet_source_choice(&choice, path, &why) ?:
		  (event ? choose_event(&choice, event, &why) : 0) ?:
		  fleet_source_open(&server, NULL, &why) ?:
		  clickhouse_read(server.sender, &server.target, &choice, keys,
				  profile, &why);

	server_close(&server);
	if (!err)
		return EXIT_DONE;
	error_set(error, err, "%.150s: %.340s", path, why.text);
	return EXIT_FAILED;
}
