// SPDX-License-Identifier: GPL-2.0
/*
 * Windows that are sent to Pyroscope, Parca and OTLP: views.py is a server here, which
 * takes them, or refuses them as the real ones do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_profile.h"
#include "view_window.h"

#define TOKEN	"s3cr3t-t0k3n"

static char directory[] = "/tmp/test_view_servers.XXXXXX";
static FILE *server_in;
static unsigned int port;

static const struct send_policy quick = {
	.secret = TOKEN, .attempts = 3, .backoff_ms = 1, .backoff_max_ms = 2,
	.wait_max_ms = 2500, .connect_ms = 5000, .timeout_ms = 20000,
	.answer_max = 1 << 20,
};

/* Push a window of made_profile() to @path of the server; view_error: what was said. */
static int push(const char *scheme, const char *path, unsigned int *attempts)
{
	struct target target = target_of("%s://127.0.0.1:%u%s", scheme, port, path);
	const struct profile_identity identity = last_minute();
	struct profile *profile = made_profile();
	struct target_requests requests = { .nr = 0 };
	const struct labels none = { .nr = 0 };
	struct send_answer answer;
	struct sender *sender;
	int outcome;

	strcpy(target.token, TOKEN);
	assert_int_equal(encode_window(&target, profile, &identity, &none, &requests), 0);
	assert_int_equal(requests.nr, 1);
	assert_int_equal(sender_create(&sender, &quick, &view_error), 0);
	outcome = send_request(sender, &requests.list[0], &answer, &view_error);
	*attempts = answer.attempts;
	send_answer_deinit(&answer);
	sender_destroy(sender);
	target_requests_deinit(&requests);
	profile_destroy(profile);
	assert_null(strstr(view_error.text, TOKEN));
	return outcome;
}

static void expect_push(const char *scheme, const char *path, enum send_outcome outcome,
			unsigned int attempts, const char *message)
{
	unsigned int got = 0;
	int result = push(scheme, path, &got);

	if (result != (int)outcome || got != attempts || !strstr(view_error.text, message))
		fail_msg("%s%s: outcome %d after %u attempts: %s", scheme, path, result,
			 got, view_error.text);
}

static void servers_take_windows(void **state)
{
	char command[256];

	(void)state;
	expect_push("pyroscope", "?tenant=team-1", SEND_TAKEN, 1, "");
	expect_push("parca", "", SEND_TAKEN, 1, "");
	expect_push("otlp", "", SEND_TAKEN, 1, "");
	snprintf(command, sizeof(command),
		 "python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())' http://127.0.0.1:%u/log > %s/read",
		 port, directory);
	assert_int_equal(system(command), 0);
	/* all that was stored and lost: 198 and 25 */
	snprintf(command, sizeof(command),
		 "test $(grep -cE '^(pyroscope team-1|parca None|otlp None) Bearer " TOKEN " .* 223$' %s/read) = 3",
		 directory);
	assert_int_equal(system(command), 0);
}

static void busy_servers_are_asked_again(void **state)
{
	(void)state;
	expect_push("pyroscope", "/answer/busy", SEND_TAKEN, 2, "");
	expect_push("parca", "/answer/busy/", SEND_TAKEN, 2, "");
	expect_push("otlp", "/answer/busy", SEND_TAKEN, 2, "");
	expect_push("pyroscope", "/answer/exhausted", SEND_TAKEN, 2, "");
	/* only Pyroscope had that habit */
	expect_push("parca", "/answer/exhausted", SEND_REFUSED, 1, "answered 422");
}

static void refusals_are_final_and_say_why(void **state)
{
	(void)state;
	expect_push("otlp", "/answer/rejected", SEND_REFUSED, 1,
		    "answered 200: it rejected the profile: no such metric");
	expect_push("otlp", "/answer/warned", SEND_TAKEN, 1, "");
	expect_push("otlp", "/answer/page", SEND_REFUSED, 1,
		    "this is no answer to OTLP profiles: is it the right server?");
	expect_push("pyroscope", "/answer/page", SEND_REFUSED, 1, "answered 200: <html>");
	expect_push("parca", "/answer/page", SEND_REFUSED, 1, "answered 200: <html>");
	expect_push("parca", "/elsewhere", SEND_REFUSED, 1, "answered 404: 404 page not found");
}

static int start(void **state)
{
	char command[128];
	FILE *ports;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(command, sizeof(command), "python3 tests/ctl/unit/views.py serve > %s/port",
		 directory);
	server_in = popen(command, "we");
	assert_non_null(server_in);
	snprintf(command, sizeof(command), "%s/port", directory);
	for (int i = 0; i < 600 && !port; i++) {
		ports = fopen(command, "r");
		if (ports && fscanf(ports, "%u\n", &port) != 1)
			port = 0;
		if (ports)
			fclose(ports);
		usleep(100000);
	}
	assert_true(port > 0);
	return 0;
}

static int stop(void **state)
{
	char command[64];

	(void)state;
	pclose(server_in);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(servers_take_windows),
		cmocka_unit_test(busy_servers_are_asked_again),
		cmocka_unit_test(refusals_are_final_and_say_why),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("view_servers", tests, start, stop);
}
