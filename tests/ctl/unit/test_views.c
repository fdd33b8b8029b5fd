// SPDX-License-Identifier: GPL-2.0
/*
 * Windows for Pyroscope, Parca and OTLP: views.py, which shares nothing with flamectl,
 * reads the bodies and finds the labels, times and stacks of the profile.
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_profile.h"
#include "view_window.h"

static char directory[] = "/tmp/test_views.XXXXXX";

/* ---- windows ---- */

/* A profile with no command, and one called as a unit is. */
static struct profile *odd_profile(void)
{
	struct profile *profile = made_profile();
	uint32_t node = add_stack(profile, "cpu;nanoseconds;cpu", FLAMEMOD_FRAME_KERNEL);
	uint32_t frame;

	strcpy(profile->meta.origin.arch, "x86_64");
	strcpy(profile->meta.origin.build, "#1 SMP Debian 6.1.140-1 (2025-05-22)");
	add_sampled(profile, node, "samples", 20, 0, FLAMEMOD_CONTEXT_TASK, 9);
	add_sampled(profile, node, "", 21, 0, FLAMEMOD_CONTEXT_TASK, 11);
	/* a frame without a name */
	assert_int_equal(profile_add_frame(profile, "", FLAMEMOD_FRAME_USER, &frame), 0);
	assert_int_equal(profile_add_node(profile, node, frame, &node), 0);
	add_sampled(profile, node, "samples", 20, 0, FLAMEMOD_CONTEXT_TASK, 13);
	/* two functions of one name are one function to a server */
	node = add_stack(profile, "twin", FLAMEMOD_FRAME_KERNEL);
	add_sampled(profile, node, "twins", 23, 0, FLAMEMOD_CONTEXT_TASK, 5);
	node = add_stack(profile, "twin", FLAMEMOD_FRAME_USER);
	add_sampled(profile, node, "twins", 23, 0, FLAMEMOD_CONTEXT_TASK, 6);
	/* in the profile, but of no weight, and of no sample */
	node = add_stack(profile, "entry;light", FLAMEMOD_FRAME_KERNEL);
	add_sampled(profile, node, "feather", 22, 0, FLAMEMOD_CONTEXT_TASK, 0);
	add_stack(profile, "entry;unused;unused_too", FLAMEMOD_FRAME_KERNEL);
	return profile;
}

/* ---- what views.py is to find ---- */

static void put_hex(FILE *out, const char *text)
{
	putc(' ', out);
	for (; *text; text++)
		fprintf(out, "%02x", (unsigned char)*text);
}

static void put_label(FILE *out, const char *name, const char *value)
{
	fprintf(out, "label %s", name);
	put_hex(out, value);
	putc('\n', out);
}

/* Frames from the root, by recursion. */
static void put_frames(FILE *out, const struct profile *profile, uint32_t node)
{
	if (!node)
		return;
	put_frames(out, profile, profile->nodes[node].parent);
	put_hex(out, profile->frames[profile->nodes[node].frame].name);
}

static void put_stack(FILE *out, const struct profile *profile,
		      const struct profile_record *record)
{
	static const char *const bare[__FLAMEMOD_CONTEXT_MAX] = {
		[FLAMEMOD_CONTEXT_USER] = "[user]", [FLAMEMOD_CONTEXT_IDLE] = "[idle]",
	};
	char context[32];

	snprintf(context, sizeof(context), "[%s]", profile_context_name(record->context));
	fprintf(out, "stack %" PRIu64, record->periods);
	put_hex(out, profile->tasks[record->task].comm);
	put_hex(out, context);
	if (record->node)
		put_frames(out, profile, record->node);
	else
		put_hex(out, bare[record->context] ?: "[unknown]");
	putc('\n', out);
}

static void write_expected(const char *path, const struct profile *profile,
			   const struct profile_identity *identity)
{
	FILE *out = fopen(path, "w");
	char lost[64];

	assert_non_null(out);
	fprintf(out, "begin %" PRId64 "\nduration %" PRIu64 "\nperiod %" PRIu64 "\n",
		identity->time_ns, identity->end_ns - identity->begin_ns,
		profile->meta.period_ns);
	for (uint32_t i = 0; i < profile->nr_records; i++)
		if (profile->records[i].periods)
			put_stack(out, profile, &profile->records[i]);
	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++) {
		if (!profile->books.lost[i])
			continue;
		snprintf(lost, sizeof(lost), "[lost: %s]", profile_lost_name(i));
		fprintf(out, "stack %" PRIu64, profile->books.lost[i]);
		put_hex(out, lost);
		putc('\n', out);
	}
	assert_int_equal(fclose(out), 0);
}

static void write_body(const char *path, const struct send_request *request)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_int_equal(fwrite(request->body, 1, request->size, out), request->size);
	assert_int_equal(fclose(out), 0);
}

static void append_label(const char *path, const char *name, const char *value)
{
	FILE *out;

	if (!*value)
		return;
	out = fopen(path, "a");
	assert_non_null(out);
	put_label(out, name, value);
	assert_int_equal(fclose(out), 0);
}

/* Let views.py read all bodies. Return: its exit status. */
static int read_bodies(const char *kind, const char *expected,
		       const struct target_requests *requests)
{
	char command[2048], path[128];
	size_t length;

	length = (size_t)snprintf(command, sizeof(command),
				  "python3 tests/ctl/unit/views.py check %s %s", kind,
				  expected);
	for (size_t i = 0; i < requests->nr; i++) {
		snprintf(path, sizeof(path), "%s/body%zu", directory, i);
		write_body(path, &requests->list[i]);
		length += (size_t)snprintf(command + length, sizeof(command) - length,
					   " %s", path);
	}
	snprintf(command + length, sizeof(command) - length, " >%s/read 2>&1", directory);
	return system(command);
}

/* ---- bodies ---- */

static void expect_labels(const char *expected, const struct target_kind *kind,
			  const struct profile *profile,
			  const struct profile_identity *identity)
{
	bool otel = kind == &view_otlp;

	append_label(expected, otel ? "service.name" : "service_name", "web");
	append_label(expected, otel ? "host.name" : "host", identity->host);
	append_label(expected, otel ? "os.version" : "release", profile->meta.release);
	append_label(expected, "machine", profile->meta.origin.arch);
	append_label(expected, otel ? "os.build_id" : "build", profile->meta.origin.build);
	if (profile->meta.threshold)
		append_label(expected, "threshold", "21");
	if (profile->meta.inclusion)
		append_label(expected, "inclusion", "1/8");
	append_label(expected, "rack", "7 \"\\\xc3\xa4");
}

static void show_read(void)
{
	char command[128];

	snprintf(command, sizeof(command), "tail -n 3 %s/read >&2", directory);
	assert_int_equal(system(command), 0);
}

/* Encode @profile for one kind, and let views.py read it. Return: how many bodies. */
static size_t expect_body(const struct target_kind *kind, const struct profile *profile)
{
	const struct profile_identity identity = last_minute();
	struct target target = target_of("%s://127.0.0.1", kind->scheme);
	struct target_requests requests = { .nr = 0 };
	struct labels labels = { .nr = 0 };
	char expected[64];
	size_t nr;

	assert_int_equal(labels_add(&labels, "rack=7 \"\\\xc3\xa4", &view_error), 0);
	assert_int_equal(labels_add(&labels, "service_name=web", &view_error), 0);
	snprintf(expected, sizeof(expected), "%s/expected", directory);
	write_expected(expected, profile, &identity);
	expect_labels(expected, kind, profile, &identity);
	assert_int_equal(encode_window(&target, profile, &identity, &labels, &requests), 0);
	if (read_bodies(kind->scheme, expected, &requests)) {
		show_read();
		fail_msg("%s", kind->name);
	}
	nr = requests.nr;
	target_requests_deinit(&requests);
	return nr;
}

static void each_body_is_the_window(void **state)
{
	struct profile *profile = odd_profile(), *large = made_large_profile(2000);

	(void)state;
	large->meta.threshold = 21;
	large->meta.inclusion = 8;
	for (size_t i = 0; view_kinds[i]; i++) {
		assert_int_equal(expect_body(view_kinds[i], profile), 1);
		assert_int_equal(expect_body(view_kinds[i], large), 1);
	}
	profile_destroy(profile);
	profile_destroy(large);
}

static void views_py_finds_damage(void **state)
{
	const struct profile_identity identity = last_minute();
	struct profile *profile = odd_profile();
	const struct labels none = { .nr = 0 };
	struct target target = target_of("otlp://127.0.0.1");
	struct target_requests requests = { .nr = 0 };
	char expected[64];
	unsigned int found = 0;
	char *body;

	(void)state;
	snprintf(expected, sizeof(expected), "%s/expected", directory);
	write_expected(expected, profile, &identity);
	append_label(expected, "service.name", "flamemod");
	append_label(expected, "host.name", identity.host);
	append_label(expected, "os.version", profile->meta.release);
	append_label(expected, "machine", profile->meta.origin.arch);
	append_label(expected, "os.build_id", profile->meta.origin.build);
	assert_int_equal(encode_window(&target, profile, &identity, &none, &requests), 0);
	assert_int_equal(requests.nr, 1);
	assert_int_equal(read_bodies("otlp", expected, &requests), 0);
	body = (char *)requests.list[0].body;
	for (size_t i = 0; i < 12; i++) {
		size_t at = i * (requests.list[0].size / 12);

		/* the bytes of the id may be any */
		body[at] ^= 1;
		found += read_bodies("otlp", expected, &requests) != 0;
		body[at] ^= 1;
	}
	assert_true(found >= 11);
	target_requests_deinit(&requests);
	profile_destroy(profile);
}

/* One of few stacks whose names are longer than Pyroscope takes in a profile. */
static struct profile *wide_profile(void)
{
	struct profile *profile = profile_create();
	char name[PROFILE_NAME_MAX + 1];

	assert_non_null(profile);
	profile->meta.period_ns = 1000;
	memset(name, 'x', sizeof(name));
	for (int i = 0; i < 1200; i++) {
		snprintf(name + sizeof(name) - 9, 9, "%08d", i);
		add_sampled(profile, add_stack(profile, name, FLAMEMOD_FRAME_USER), "a", 1,
			    0, FLAMEMOD_CONTEXT_USER, 1);
	}
	return profile;
}

static void a_large_window_is_several_profiles_for_pyroscope(void **state)
{
	struct profile *deep = made_large_profile(17000), *wide = wide_profile();

	(void)state;
	assert_int_equal(expect_body(&view_pyroscope, deep), 2);
	assert_int_equal(expect_body(&view_pyroscope, wide), 2);
	profile_destroy(deep);
	profile_destroy(wide);
}

/* ---- what is refused before it is sent ---- */

static void expect_no_body(const char *url, const struct profile *profile,
			   const struct profile_identity *identity,
			   const char *label, int err, const char *message)
{
	struct target_requests requests = { .nr = 0 };
	struct labels labels = { .nr = 0 };
	struct target target = target_of("%s", url);

	if (label)
		assert_int_equal(labels_add(&labels, label, &view_error), 0);
	assert_int_equal(encode_window(&target, profile, identity, &labels, &requests), err);
	assert_int_equal(requests.nr, 0);
	if (!strstr(view_error.text, message))
		fail_msg("%s: %s", url, view_error.text);
	target_requests_deinit(&requests);
}

static void what_a_server_would_refuse_is_not_sent(void **state)
{
	struct profile *profile = odd_profile(), *empty = profile_create();
	struct profile_identity recent = last_minute(), old = recent, ahead = recent;

	(void)state;
	old.time_ns = now_ns() - (int64_t)(3601 * SEC);
	ahead.time_ns = now_ns() + (int64_t)(700 * SEC);
	expect_no_body("pyroscope://127.0.0.1", profile, &old, NULL, -ETIME,
		       "and Pyroscope refuses what is older than 3600.0 s");
	expect_no_body("pyroscope://127.0.0.1?max-age=30s", profile, &recent, NULL, -ETIME,
		       "older than 30.0 s");
	expect_no_body("pyroscope://127.0.0.1?max-age=24h", profile, &ahead, NULL, -ERANGE,
		       "more than 10 minutes ahead");
	expect_no_body("pyroscope://127.0.0.1?max-age=x", profile, &recent, NULL, -EINVAL,
		       "?max-age=x: a duration such as");
	expect_no_body("pyroscope://127.0.0.1?tenants=x", profile, &recent, NULL, -EINVAL,
		       "?tenants: no such option of Pyroscope; there are tenant, max-age, token-file, ca, cert and key");
	expect_no_body("parca://127.0.0.1?x=1", profile, &recent, NULL, -EINVAL,
		       "?x: no such option of Parca; there are token-file, ca, cert and key");
	expect_no_body("otlp://me@127.0.0.1", profile, &recent, NULL, -EINVAL,
		       "me@: OTLP takes no user");
	for (size_t i = 0; view_kinds[i]; i++) {
		char url[64];

		snprintf(url, sizeof(url), "%s://127.0.0.1", view_kinds[i]->scheme);
		expect_no_body(url, profile, &recent, "__name__=x", -EINVAL,
			       "label __name__: names that start with __ belong to the server");
		/* nothing was sampled: nothing to show, and no error */
		empty->meta.period_ns = 1;
		expect_no_body(url, empty, &recent, NULL, 0, "");
		empty->meta.period_ns = 0;
		expect_no_body(url, empty, &recent, NULL, -EINVAL, "not time");
	}
	profile->meta.period_ns = UINT64_MAX / 2;
	expect_no_body("parca://127.0.0.1", profile, &recent, NULL, -EOVERFLOW,
		       "its time exceeds 2^63 ns");
	profile_destroy(profile);
	profile_destroy(empty);
}

static void an_old_window_is_sent_if_the_server_takes_it(void **state)
{
	struct profile *profile = odd_profile();
	struct profile_identity identity = last_minute();
	struct target target = target_of("pyroscope://127.0.0.1?max-age=24h");
	struct target_requests requests = { .nr = 0 };
	const struct labels none = { .nr = 0 };

	(void)state;
	identity.time_ns -= (int64_t)(7200 * SEC);
	assert_int_equal(encode_window(&target, profile, &identity, &none, &requests), 0);
	assert_int_equal(requests.nr, 1);
	target_requests_deinit(&requests);
	profile_destroy(profile);
}

static void a_window_has_one_id(void **state)
{
	struct profile *profile = odd_profile();
	struct profile_identity identity = last_minute();
	struct target target = target_of("otlp://127.0.0.1");
	struct target_requests requests = { .nr = 0 };
	const struct labels none = { .nr = 0 };
	const struct send_request *list;

	(void)state;
	assert_int_equal(encode_window(&target, profile, &identity, &none, &requests), 0);
	assert_int_equal(encode_window(&target, profile, &identity, &none, &requests), 0);
	identity.epoch++;
	assert_int_equal(encode_window(&target, profile, &identity, &none, &requests), 0);
	list = requests.list;
	assert_int_equal(list[0].size, list[1].size);
	assert_memory_equal(list[0].body, list[1].body, list[0].size);
	assert_int_equal(list[0].size, list[2].size);
	assert_memory_not_equal(list[0].body, list[2].body, list[0].size);
	target_requests_deinit(&requests);
	profile_destroy(profile);
}

static void a_label_replaces_what_each_window_has(void **state)
{
	struct profile *profile = odd_profile();
	const struct profile_identity identity = last_minute();
	struct target target = target_of("parca://127.0.0.1");
	struct target_requests requests = { .nr = 0 };
	struct labels labels = { .nr = 0 };
	char *body;

	(void)state;
	assert_int_equal(labels_add(&labels, "service_name=web", &view_error), 0);
	assert_int_equal(labels_add(&labels, "host=h2", &view_error), 0);
	assert_int_equal(labels_add(&labels, "machine=m2", &view_error), 0);
	assert_int_equal(encode_window(&target, profile, &identity, &labels, &requests), 0);
	body = strndup(requests.list[0].body, requests.list[0].size);
	assert_non_null(body);
	*strstr(body, "\"samples\"") = '\0';
	assert_string_equal(body, "{\"series\":[{\"labels\":{\"labels\":["
			    "{\"name\":\"__name__\",\"value\":\"process_cpu\"},"
			    "{\"name\":\"release\",\"value\":\"6.1.0-42-amd64\"},"
			    "{\"name\":\"build\",\"value\":\"#1 SMP Debian 6.1.140-1 (2025-05-22)\"},"
			    "{\"name\":\"host\",\"value\":\"h2\"},"
			    "{\"name\":\"machine\",\"value\":\"m2\"},"
			    "{\"name\":\"service_name\",\"value\":\"web\"}]},");
	free(body);
	target_requests_deinit(&requests);
	profile_destroy(profile);
}

static int start(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(directory));
	return 0;
}

static int stop(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_body_is_the_window),
		cmocka_unit_test(views_py_finds_damage),
		cmocka_unit_test(a_large_window_is_several_profiles_for_pyroscope),
		cmocka_unit_test(what_a_server_would_refuse_is_not_sent),
		cmocka_unit_test(an_old_window_is_sent_if_the_server_takes_it),
		cmocka_unit_test(a_window_has_one_id),
		cmocka_unit_test(a_label_replaces_what_each_window_has),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("views", tests, start, stop);
}
