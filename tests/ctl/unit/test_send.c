// SPDX-License-Identifier: GPL-2.0
/*
 * Requests to a server that misbehaves: each answer ends as send.h says. misbehaving.py
 * is the server; what it has been sent is in its log.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "fleet/backoff.h"
#include "fleet/send.h"

#define SECRET	"s3cr3t-t0k3n"

struct server {
	pid_t pid;
	int in;				/* it ends when this is closed */
	unsigned int port;
	const char *scheme;
};

static struct server plain = { .scheme = "http" }, tls = { .scheme = "https" };
static char directory[] = "/tmp/test_send.XXXXXX";
static char ca_path[64], key_path[64];

static const struct send_policy quick = {
	.secret = SECRET, .attempts = 3, .backoff_ms = 1, .backoff_max_ms = 2,
	.wait_max_ms = 2500, .connect_ms = 5000, .timeout_ms = 20000,
	.answer_max = 1 << 20,
};

/* ---- the server ---- */

static void start(struct server *server, const char *certificate, const char *key)
{
	char digits[16] = "";
	size_t used = 0;
	int in[2], out[2];

	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	server->pid = fork();
	assert_true(server->pid >= 0);
	if (!server->pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		execlp("python3", "python3", "tests/ctl/unit/misbehaving.py",
		       certificate, key, NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	server->in = in[1];
	while (!strchr(digits, '\n') && used < sizeof(digits) - 1) {
		ssize_t got = read(out[0], digits + used, sizeof(digits) - 1 - used);

		assert_true(got > 0);
		used += (size_t)got;
	}
	close(out[0]);
	server->port = (unsigned int)atoi(digits);
	assert_true(server->port > 0);
}

static void stop(struct server *server)
{
	if (!server->pid)
		return;
	close(server->in);
	waitpid(server->pid, NULL, 0);
}

static int start_all(void **state)
{
	char command[512];

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(ca_path, sizeof(ca_path), "%s/cert.pem", directory);
	snprintf(key_path, sizeof(key_path), "%s/key.pem", directory);
	snprintf(command, sizeof(command),
		 "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout %s -out %s 2>/dev/null",
		 key_path, ca_path);
	assert_int_equal(system(command), 0);
	start(&plain, NULL, NULL);
	start(&tls, ca_path, key_path);
	return 0;
}

static int stop_all(void **state)
{
	(void)state;
	stop(&plain);
	stop(&tls);
	unlink(ca_path);
	unlink(key_path);
	return rmdir(directory);
}

/* ---- requests ---- */

static struct send_answer answer;
static struct error error;

/* Send "the body" to @path of @server. */
static int post(const struct server *server, const char *path,
		const struct send_policy *policy)
{
	static const char *const headers[] = { "Authorization: Bearer " SECRET, NULL };
	struct send_request request = {
		.headers = headers, .body = "the body", .size = 8, .gzip = true,
		.loopback = true,
	};
	struct sender *sender;
	char url[256];
	int outcome;

	snprintf(url, sizeof(url), "%s://127.0.0.1:%u%s", server->scheme,
		 server->port, path);
	request.url = url;
	*error.text = '\0';
	send_answer_deinit(&answer);
	assert_int_equal(sender_create(&sender, policy, &error), 0);
	outcome = send_request(sender, &request, &answer, &error);
	sender_destroy(sender);
	assert_null(strstr(error.text, SECRET));
	return outcome;
}

static void expect(const char *path, enum send_outcome outcome,
		   unsigned int attempts, const char *message)
{
	int got = post(&plain, path, &quick);

	if (got != (int)outcome || answer.attempts != attempts ||
	    !strstr(error.text, message))
		fail_msg("%s: outcome %d after %u attempts: %s", path, got,
			 answer.attempts, error.text);
}

static void what_is_taken_is_sent_once(void **state)
{
	char text[4096];

	(void)state;
	expect("/200", SEND_TAKEN, 1, "");
	assert_string_equal(answer.body, "answer 1\n");
	assert_true(send_answer_header(&answer, "content-length", text, sizeof(text)));
	assert_string_equal(text, "9");
	assert_false(send_answer_header(&answer, "content", text, sizeof(text)));
	expect("/204", SEND_TAKEN, 1, "");
	assert_int_equal(post(&plain, "/log", &quick), SEND_TAKEN);
	assert_non_null(strstr(answer.body, "POST /200 8 gzip flamectl/"));
}

static void refusals_are_final(void **state)
{
	(void)state;
	expect("/400", SEND_REFUSED, 1, "answered 400: answer 1");
	expect("/401", SEND_REFUSED, 1, "answered 401");
	expect("/403", SEND_REFUSED, 1, "answered 403");
	expect("/404", SEND_REFUSED, 1, "answered 404");
	expect("/413", SEND_REFUSED, 1, "answered 413");
	expect("/500", SEND_REFUSED, 1, "answered 500");
	assert_int_equal(answer.status, 500);
}

static void redirects_are_not_followed(void **state)
{
	(void)state;
	expect("/redirect", SEND_REFUSED, 1, "answered 307, which points to /200");
	assert_int_equal(post(&plain, "/log", &quick), SEND_TAKEN);
	assert_null(strstr(answer.body, "/200 8 None"));
}

static void busy_servers_are_asked_again(void **state)
{
	(void)state;
	expect("/503,429,200", SEND_TAKEN, 3, "");
	assert_string_equal(answer.body, "answer 3\n");
	assert_int_equal(answer.doubts, 0);
	expect("/503,503,503,503", SEND_FAILED, 3, "answered 503: answer 3 (3 attempts)");
}

static void retry_after_is_waited_for(void **state)
{
	uint64_t start_ns = clock_monotonic_ns();

	(void)state;
	expect("/429:1,200", SEND_TAKEN, 2, "");
	assert_true(clock_monotonic_ns() - start_ns >= NSEC_PER_SEC);
	start_ns = clock_monotonic_ns();
	/* a date has whole seconds, so that this one is 1 to 2 s away */
	expect("/503@2,200", SEND_TAKEN, 2, "");
	assert_true(clock_monotonic_ns() - start_ns >= NSEC_PER_SEC);
	expect("/429:3600", SEND_FAILED, 1, "asks to wait 3600");
	expect("/503@3600", SEND_FAILED, 1, "asks to wait 3");
}

static void doubts_are_counted(void **state)
{
	struct send_policy drop = quick;

	(void)state;
	expect("/cut,200", SEND_TAKEN, 2, "");
	assert_int_equal(answer.doubts, 1);
	expect("/half,200,200", SEND_TAKEN, 2, "");
	assert_int_equal(answer.doubts, 1);
	expect("/504,502,200", SEND_TAKEN, 3, "");
	assert_int_equal(answer.doubts, 2);
	expect("/cut", SEND_FAILED, 3, "gave no whole answer");
	drop.drop_in_doubt = true;
	assert_int_equal(post(&plain, "/half,204", &drop), SEND_IN_DOUBT);
	assert_int_equal(answer.attempts, 1);
	assert_int_equal(post(&plain, "/504,200,1", &drop), SEND_IN_DOUBT);
	/* a busy server has taken nothing */
	assert_int_equal(post(&plain, "/503,200", &drop), SEND_TAKEN);
}

static void a_hanging_server_ends(void **state)
{
	struct send_policy hasty = quick;
	uint64_t start_ns = clock_monotonic_ns();

	(void)state;
	hasty.timeout_ms = 300;
	hasty.attempts = 2;
	assert_int_equal(post(&plain, "/hang", &hasty), SEND_FAILED);
	assert_int_equal(answer.attempts, 2);
	assert_int_equal(answer.doubts, 2);
	assert_non_null(strstr(error.text, "timed out"));
	assert_true(clock_monotonic_ns() - start_ns >= 600 * 1000000ULL);
}

static void no_server_is_no_doubt(void **state)
{
	struct server nobody = { .scheme = "http", .port = 1 };

	(void)state;
	assert_int_equal(post(&nobody, "/200", &quick), SEND_FAILED);
	assert_int_equal(answer.attempts, 3);
	assert_int_equal(answer.doubts, 0);
	assert_non_null(strstr(error.text, "http://127.0.0.1:1 cannot be reached"));
}

static void long_answers_are_cut(void **state)
{
	(void)state;
	expect("/long", SEND_TAKEN, 1, "");
	assert_true(answer.truncated);
	assert_int_equal(answer.size, quick.answer_max);
}

static void tokens_are_not_repeated(void **state)
{
	(void)state;
	/* post() looks for it in the message */
	expect("/echo", SEND_REFUSED, 1, "Bearer ************");
	/* nor in part, where the message cuts a path */
	expect("/redirect-token", SEND_REFUSED, 1, "xxxBearer/********:");
}

static void certificates_are_checked(void **state)
{
	struct send_policy policy = quick;

	(void)state;
	assert_int_equal(post(&tls, "/200", &policy), SEND_REFUSED);
	assert_int_equal(answer.attempts, 1);
	assert_non_null(strstr(error.text, "certificate"));
	policy.ca_path = ca_path;
	assert_int_equal(post(&tls, "/200", &policy), SEND_TAKEN);
	policy.ca_path = "/nonexistent/ca.pem";
	assert_int_equal(post(&tls, "/200", &policy), -EINVAL);
	assert_non_null(strstr(error.text, "/nonexistent/ca.pem"));
}

/* ---- waiting ---- */

static void retry_after_is_parsed(void **state)
{
	const int64_t now = 1795769377;	/* 2026-11-27 08:49:37 UTC */
	static const struct {
		const char *text;
		int64_t ms;		/* -1: refused */
	} cases[] = {
		{ "0", 0 }, { "120", 120000 },
		{ "Fri, 27 Nov 2026 08:50:37 GMT", 60000 },
		{ "Friday, 27-Nov-26 08:50:37 GMT", 60000 },
		{ "Fri Nov 27 08:50:37 2026", 60000 },
		{ "Fri, 27 Nov 2026 08:48:37 GMT", 0 },
		{ "Fri, 27 Nov 2026 08:50:37 GMT+1", -1 },
		{ "", -1 }, { "-1", -1 }, { "1.5", -1 }, { "soon", -1 },
		{ "99999999999", -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t ms = UINT64_MAX;
		bool taken = backoff_retry_after(cases[i].text, now, &ms);

		if (taken != (cases[i].ms >= 0) || (taken && ms != (uint64_t)cases[i].ms))
			fail_msg("\"%s\": %d, %ju ms", cases[i].text, taken, (uintmax_t)ms);
	}
}

static void waits_double_up_to_a_limit(void **state)
{
	static const uint64_t limits[] = { 100, 200, 400, 500, 500, 500 };

	(void)state;
	for (unsigned int attempt = 0; attempt < 6; attempt++) {
		uint64_t most = 0;

		for (int i = 0; i < 1000; i++) {
			uint64_t ms = backoff_ms(attempt, 100, 500);

			assert_true(ms <= limits[attempt]);
			most = ms > most ? ms : most;
		}
		/* 1000 draws that are all in the lower 90 % have a chance of 1e-46 */
		assert_true(most > limits[attempt] * 9 / 10);
	}
	assert_true(backoff_ms(1000, 100, 500) <= 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_taken_is_sent_once),
		cmocka_unit_test(refusals_are_final),
		cmocka_unit_test(redirects_are_not_followed),
		cmocka_unit_test(busy_servers_are_asked_again),
		cmocka_unit_test(retry_after_is_waited_for),
		cmocka_unit_test(doubts_are_counted),
		cmocka_unit_test(a_hanging_server_ends),
		cmocka_unit_test(no_server_is_no_doubt),
		cmocka_unit_test(long_answers_are_cut),
		cmocka_unit_test(tokens_are_not_repeated),
		cmocka_unit_test(certificates_are_checked),
		cmocka_unit_test(retry_after_is_parsed),
		cmocka_unit_test(waits_double_up_to_a_limit),
	};
	int failed = cmocka_run_group_tests_name("send", tests, start_all, stop_all);

	send_answer_deinit(&answer);
	return failed;
}
