// SPDX-License-Identifier: GPL-2.0
/*
 * Say for each target of the agent what would be sent, and whether it answers: see agent.h.
 */
#include "cmd/agent.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cmd/command.h"

/* Ask for the page of a server that needs no right. Return: whether it answers. */
static bool check_answer(const struct server *server, struct error *error)
{
	struct send_request request = { .loopback = server->target.loopback };
	struct send_answer answer = { .status = 0 };
	char *url = target_url(&server->target, "/");
	bool answers;
	int outcome;

	if (!url)
		return !error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	request.url = url;
	outcome = send_request(server->sender, &request, &answer, error);
	free(url);
	answers = outcome >= 0 && answer.status;
	if (answers)
		printf("answers (HTTP status %ld)\n", answer.status);
	send_answer_deinit(&answer);
	return answers;
}

/* Return: 0, or -errno with @error. */
static int print_requests(const struct agent *agent, const struct server *server,
			  const struct profile *profile, struct error *error)
{
	struct target_requests requests = { .nr = 0 };
	struct profile_identity identity;
	const struct target_window window = { profile, &identity, &agent->labels };
	uint64_t bytes = 0;
	int err = profile_identify(profile, &identity, error) ?:
		  server->target.kind->encode(&server->target, &window, 1, &requests, error);

	for (size_t i = 0; i < requests.nr; i++)
		bytes += requests.list[i].size;
	if (!err)
		printf("  the oldest window that it does not have: %" PRIu32 " records, %zu request%s of %"
		       PRIu64 " bytes before compression\n", profile->nr_records, requests.nr,
		       requests.nr == 1 ? "" : "s", bytes);
	target_requests_deinit(&requests);
	return err;
}

static int print_window(const struct agent *agent, const struct server *server,
			const char *url, struct error *error)
{
	struct spool spool = { .limits = SPOOL_LIMITS_DEFAULT };
	struct spool_sending sending;
	int found = spool_open(&spool, agent->directory, false, error), err = 0;

	if (!found)
		found = spool_peek(&spool, url, &sending, error);
	/* without the directory there is no window yet */
	if (!found || found == -ENOENT)
		printf("  no window waits for it\n");
	else if (found < 0)
		err = found;
	if (found == 1) {
		err = print_requests(agent, server, sending.profile, error);
		profile_destroy(sending.profile);
	}
	spool_close(&spool);
	return err;
}

static bool check(const struct agent *agent, const char *url)
{
	struct server server;
	struct error error = { "" };
	bool good;

	utf8_print(url, stdout);
	fputs(": ", stdout);
	good = !server_open(&server, url, &agent->request, agent->policy, &error);
	good = good && check_answer(&server, &error);
	if (!good) {
		utf8_print(error.text, stdout);
		putchar('\n');
	} else if (print_window(agent, &server, url, &error)) {
		good = false;
		fputs("  cannot be written for it: ", stdout);
		utf8_print(error.text, stdout);
		putchar('\n');
	}
	server_close(&server);
	return good;
}

int agent_check(const struct agent *agent)
{
	int code = EXIT_DONE;

	for (size_t i = 0; i < agent->nr_senders; i++)
		if (!check(agent, agent->senders[i].url))
			code = EXIT_FAILED;
	return command_printed(code);
}
