// SPDX-License-Identifier: GPL-2.0
/*
 * URLs of servers, tokens and labels: what is taken and what is refused.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fleet/labels.h"
#include "fleet/target.h"

static const struct target_kind click = {
	.scheme = "clickhouse", .name = "ClickHouse", .port = 8123, .tls_port = 8443,
};
static const struct target_kind other = {
	.scheme = "other", .name = "Other", .port = 1, .tls_port = 2,
};
static const struct target_kind *const kinds[] = { &click, &other, NULL };

static void urls_are_parsed(void **state)
{
	static const struct {
		const char *url, *base, *user, *path, *options;
	} cases[] = {
		{ "clickhouse://h.example", "https://h.example:8443", "", "", "" },
		{ "clickhouse://h.example:9/db", "https://h.example:9", "", "db", "" },
		{ "clickhouse://localhost", "http://localhost:8123", "", "", "" },
		{ "clickhouse://127.9.9.9:5/", "http://127.9.9.9:5", "", "", "" },
		{ "clickhouse+https://[::1]/a/b?c=d", "https://[::1]:8443", "", "a/b", "c=d" },
		{ "other://[::1]", "http://[::1]:1", "", "", "" },
		{ "other+http://me@localhost?x", "http://localhost:1", "me", "", "x" },
		{ "other://localhost.example", "https://localhost.example:2", "", "", "" },
		{ "other://127.1", "https://127.1:2", "", "", "" },
	};
	struct target target;
	struct error error;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *url;

		if (target_parse(&target, cases[i].url, kinds, &error))
			fail_msg("%s", error.text);
		url = target_url(&target, "");
		assert_string_equal(url, cases[i].base);
		assert_string_equal(target.user, cases[i].user);
		assert_string_equal(target.path, cases[i].path);
		assert_string_equal(target.options, cases[i].options);
		free(url);
	}
}

static void other_urls_are_refused(void **state)
{
	static const struct {
		const char *url, *message;
	} cases[] = {
		{ "http://h", "http:: no such kind of server; an URL starts with one of: clickhouse://, other://" },
		{ "clickhouse", "no such kind of server" },
		{ "clickhouse+ftp://h", "no such kind of server" },
		{ "clickhouse://", "names no valid host" },
		{ "clickhouse://h:0", "port is a number from 1 to 65535" },
		{ "clickhouse://h:65536", "port is a number" },
		{ "clickhouse://h:", "port is a number" },
		{ "clickhouse://[::1", "[::1]" },
		{ "clickhouse://[h]", "[::1]" },
		{ "clickhouse://h/a b", "character" },
		{ "clickhouse://h\n", "no valid host" },
		{ "clickhouse://h/a#b", "\"#\"" },
		{ "clickhouse://@h", "user" },
		{ "clickhouse+http://h.example", "use clickhouse+https://" },
		{ "clickhouse://me:hush@h", "password" },
		{ "clickhouse://me:hush@h:1/x", "password" },
	};
	struct target target;
	struct error error;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (target_parse(&target, cases[i].url, kinds, &error) != -EINVAL ||
		    !strstr(error.text, cases[i].message) || strstr(error.text, "hush"))
			fail_msg("%s: %s", cases[i].url, error.text);
	}
}

static void options_are_found(void **state)
{
	struct target target;
	char value[8];

	(void)state;
	assert_int_equal(target_parse(&target, "other://h?ab=1&a=22&long=12345678&e=",
				      kinds, NULL), 0);
	assert_true(target_option(&target, "a", value, sizeof(value)));
	assert_string_equal(value, "22");
	assert_true(target_option(&target, "e", value, sizeof(value)));
	assert_string_equal(value, "");
	assert_false(target_option(&target, "b", value, sizeof(value)));
	assert_false(target_option(&target, "long", value, sizeof(value)));
}

static void token_is(const char *text, int err, const char *token)
{
	char path[] = "/tmp/test_target.XXXXXX";
	struct target target = { .token = "" };
	struct error error;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(target_read_token(&target, path, &error), err);
	unlink(path);
	assert_string_equal(target.token, token);
	if (err)
		assert_null(strstr(error.text, "hush"));
}

static void tokens_are_read(void **state)
{
	static char longest[TARGET_TOKEN_MAX + 2];
	struct target target;
	struct error error;

	(void)state;
	token_is("hush", 0, "hush");
	token_is("hush\r\nmore\n", 0, "hush");
	token_is("", -EINVAL, "");
	token_is("\nhush\n", -EINVAL, "");
	token_is("hush hush\n", -EINVAL, "");
	memset(longest, 'a', TARGET_TOKEN_MAX);
	token_is(longest, 0, longest);
	longest[TARGET_TOKEN_MAX] = 'a';
	token_is(longest, -EINVAL, "");
	assert_int_equal(target_read_token(&target, "/nonexistent", &error), -ENOENT);
	assert_non_null(strstr(error.text, "/nonexistent"));
}

static void requests_own_their_texts(void **state)
{
	const char *headers[] = { "A: 1", "B: 2", NULL };
	struct target_requests requests = { 0 };
	struct target target;

	(void)state;
	assert_int_equal(target_parse(&target, "other://localhost", kinds, NULL), 0);
	for (int i = 0; i < 10; i++)
		assert_int_equal(target_requests_add(&requests, &target,
						     target_url(&target, "/x"), headers,
						     strdup("body"), 4), 0);
	assert_int_equal(target_requests_add(&requests, &target, NULL, headers,
					     strdup("body"), 4), -ENOMEM);
	assert_int_equal(requests.nr, 10);
	headers[1] = "C: 3";
	assert_string_equal(requests.list[9].headers[1], "B: 2");
	assert_string_equal(requests.list[9].url, "http://localhost:1/x");
	assert_true(requests.list[9].loopback);
	target_requests_deinit(&requests);
	assert_int_equal(requests.nr, 0);
}

static void urls_are_escaped(void **state)
{
	char *text = target_escape("SELECT 'a' -- ~1\xc3\xa9");

	(void)state;
	assert_string_equal(text, "SELECT%20%27a%27%20--%20~1%C3%A9");
	free(text);
}

static void labels_are_in_order(void **state)
{
	struct labels labels = { .nr = 0 };
	struct error error;

	(void)state;
	assert_int_equal(labels_add(&labels, "rack=7", &error), 0);
	assert_int_equal(labels_add(&labels, "_a=x=y", &error), 0);
	assert_int_equal(labels_add(&labels, "site=T\xc3\xbc", &error), 0);
	assert_int_equal(labels_add(&labels, "rack=8", &error), 0);
	assert_int_equal(labels.nr, 3);
	assert_string_equal(labels.list[0].name, "_a");
	assert_string_equal(labels_get(&labels, "_a"), "x=y");
	assert_string_equal(labels_get(&labels, "rack"), "8");
	assert_null(labels_get(&labels, "rac"));
}

static void other_labels_are_refused(void **state)
{
	static const char *const bad[] = {
		"", "rack", "=7", "7a=1", "a-b=1", "a=", "a=\n", "a=\xff", "\xc3\xa9=1",
		"a=\xe2\x80\xae",
	};
	struct labels labels = { .nr = 0 };
	char text[LABEL_VALUE_MAX + 4] = "a=";
	struct error error;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (labels_add(&labels, bad[i], &error) != -EINVAL)
			fail_msg("\"%s\" is taken", bad[i]);
	memset(text + 2, 'v', LABEL_VALUE_MAX + 1);
	assert_int_equal(labels_add(&labels, text, &error), -EINVAL);
	text[LABEL_VALUE_MAX + 2] = '\0';
	assert_int_equal(labels_add(&labels, text, &error), 0);
	for (int i = 1; i < LABELS_MAX; i++) {
		snprintf(text, sizeof(text), "b%d=1", i);
		assert_int_equal(labels_add(&labels, text, &error), 0);
	}
	assert_int_equal(labels_add(&labels, "c=1", &error), -EINVAL);
	assert_string_equal(error.text, "c=1: a profile has at most 16 labels");
	assert_int_equal(labels_add(&labels, "a=2", &error), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(urls_are_parsed),
		cmocka_unit_test(other_urls_are_refused),
		cmocka_unit_test(options_are_found),
		cmocka_unit_test(tokens_are_read),
		cmocka_unit_test(requests_own_their_texts),
		cmocka_unit_test(urls_are_escaped),
		cmocka_unit_test(labels_are_in_order),
		cmocka_unit_test(other_labels_are_refused),
	};

	return cmocka_run_group_tests_name("target", tests, NULL, NULL);
}
