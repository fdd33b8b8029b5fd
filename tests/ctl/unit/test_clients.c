// SPDX-License-Identifier: GPL-2.0
/*
 * Several programs that have events attached: which of them an event is taken from, and
 * what a status says of all.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/status_text.h"
#include "format/status_json.h"
#include "wire/live_clients.h"
#include "wire/live_event.h"
#include "wire/nl.h"

/* What a client has attached; its epoch is its place + 1. */
struct attached {
	uint32_t pid;
	const char *names[3];
	bool has_ended;			/* since the clients were listed */
};

static const struct attached *clients;
static unsigned int nr_clients;
static bool lists, is_attached;		/* the module lists them; this connection is the first */

static struct profile *status_of(uint32_t epoch)
{
	struct profile *profile = profile_create();
	struct profile_meta *meta = &profile->meta;

	assert_non_null(profile);
	meta->events_epoch = lists ? epoch : 0;
	meta->instant_ns = 2000000000;
	for (unsigned int i = 0; lists && i < nr_clients; i++) {
		meta->clients[i] = (struct profile_client){ i + 1, clients[i].pid };
		meta->nr_clients++;
	}
	for (unsigned int i = 0; epoch && clients[epoch - 1].names[i]; i++) {
		struct profile_attached *one = &meta->attached[FLAMEMOD_SOURCE_FIRST + i];

		one->known = true;
		one->since_ns = 1000000000;
		strcpy(one->name, clients[epoch - 1].names[i]);
		strcpy(one->unit, "hits");
	}
	return profile;
}

bool nl_attached(const struct nl *nl)
{
	(void)nl;
	return is_attached;
}

int nl_open(struct nl **nl, struct error *error)
{
	(void)nl;
	return error_set(error, -ENODEV, "not here");
}

void nl_close(struct nl *nl)
{
	(void)nl;
}

int nl_status(struct nl *nl, struct profile **profile, struct error *error)
{
	(void)nl;
	(void)error;
	*profile = status_of(nr_clients != 0);
	return 0;
}

int nl_status_of(struct nl *nl, uint32_t epoch, struct profile **profile,
		 struct error *error)
{
	(void)nl;
	if (clients[epoch - 1].has_ended)
		return error_set(error, -ENODATA, "epoch: not attached any more");
	*profile = status_of(epoch);
	return 0;
}

int nl_dump(struct nl *nl, bool reset, struct profile **profile, struct error *error)
{
	(void)nl;
	(void)error;
	assert_false(reset);
	*profile = profile_create();
	assert_non_null(*profile);
	return 0;
}

int nl_dump_epoch(struct nl *nl, uint32_t epoch, bool reset, struct profile **profile,
		  struct error *error)
{
	(void)epoch;
	return nl_dump(nl, reset, profile, error);
}

int nl_dump_events_of(struct nl *nl, uint32_t epoch, struct events *events,
		      struct error *error)
{
	(void)nl;
	/* without a name for them, those of this connection, or of the only client */
	assert_true(epoch || is_attached || !lists);
	events->nr = 0;
	if (!nr_clients)
		return error_set(error, -ENODATA, "events: none is attached");
	if (!epoch)
		epoch = 1;
	if (clients[epoch - 1].has_ended)
		return error_set(error, -ENODATA, "epoch: not attached any more");
	for (unsigned int i = 0; clients[epoch - 1].names[i]; i++) {
		struct profile *profile = profile_create();

		assert_non_null(profile);
		profile->meta.epoch = epoch;
		assert_int_equal(events_add(events, clients[epoch - 1].names[i], profile), 0);
	}
	return 0;
}

int nl_dump_events(struct nl *nl, struct events *events, struct error *error)
{
	return nl_dump_events_of(nl, 0, events, error);
}

static void begin(const struct attached *list, unsigned int nr, bool listed)
{
	clients = list;
	nr_clients = nr;
	lists = listed;
	is_attached = false;
}

static const struct attached three[] = {
	{ 101, { "func:vfs_read", "latency:vfs_read" } },
	{ 102, { "func:vfs_write", "func:vfs_read" } },
	{ 103, { "page-faults" } },
};

/* Return: the epoch of the client that an event is taken from; 0 for samples; or -errno. */
static int taken_from(const char *name, struct error *error)
{
	struct profile *profile;
	int err = live_event_dump(NULL, name, &profile, error);

	if (err)
		return err;
	err = (int)profile->meta.epoch;
	profile_destroy(profile);
	return err;
}

static void an_event_is_found_with_any_client(void **state)
{
	struct error error;

	(void)state;
	begin(three, 3, true);
	assert_int_equal(taken_from("latency:vfs_read", &error), 1);
	assert_int_equal(taken_from("func:vfs_write", &error), 2);
	assert_int_equal(taken_from("page-faults", &error), 3);
	assert_int_equal(taken_from(NULL, &error), 0);
	assert_int_equal(taken_from("on-cpu", &error), 0);
	assert_int_equal(taken_from("off-cpu", &error), -EINVAL);
	for (unsigned int i = 0; i < 3; i++)
		for (unsigned int j = 0; three[i].names[j]; j++)
			assert_non_null(strstr(error.text, three[i].names[j]));
	/* a name is listed once */
	assert_null(strstr(strstr(error.text, "func:vfs_read") + 1, "func:vfs_read"));
}

static void one_of_several_is_chosen_by_its_process(void **state)
{
	struct error error;

	(void)state;
	begin(three, 3, true);
	assert_int_equal(taken_from("func:vfs_read", &error), -EINVAL);
	assert_non_null(strstr(error.text, "func:vfs_read@PID; they are 101, 102"));
	assert_int_equal(taken_from("func:vfs_read@101", &error), 1);
	assert_int_equal(taken_from("func:vfs_read@102", &error), 2);
	assert_int_equal(taken_from("func:vfs_write@102", &error), 2);
	assert_int_equal(taken_from("func:vfs_read@103", &error), -EINVAL);
	assert_non_null(strstr(error.text, "process 103 does not count func:vfs_read; who does: 101, 102"));
	assert_int_equal(taken_from("on-cpu@101", &error), -EINVAL);
	assert_non_null(strstr(error.text, "on-cpu belongs to no program: leave out @"));
	/* these are names, which no event has */
	assert_int_equal(taken_from("func:vfs_read@", &error), -EINVAL);
	assert_int_equal(taken_from("func:vfs_read@0", &error), -EINVAL);
	assert_int_equal(taken_from("func:vfs_read@1x", &error), -EINVAL);
	assert_non_null(strstr(error.text, "no event func:vfs_read@1x"));
}

static void who_is_attached_sees_its_own(void **state)
{
	struct error error;

	(void)state;
	begin(three, 3, true);
	is_attached = true;
	assert_int_equal(taken_from("func:vfs_read", &error), 1);
	assert_int_equal(taken_from("page-faults", &error), -EINVAL);
}

static void an_older_module_has_one_client(void **state)
{
	struct error error;

	(void)state;
	begin(three, 1, false);
	assert_int_equal(taken_from("func:vfs_read", &error), 1);
	assert_int_equal(taken_from("page-faults", &error), -EINVAL);
	begin(NULL, 0, false);
	assert_int_equal(taken_from("func:vfs_read", &error), -ENODATA);
	assert_string_equal(error.text, "events: none is attached");
}

static void a_client_may_end_meanwhile(void **state)
{
	const struct attached ended[] = {
		{ 101, { "func:vfs_read" }, .has_ended = true },
		{ 102, { "func:vfs_read" } },
	};
	struct error error;

	(void)state;
	begin(ended, 2, true);
	assert_int_equal(taken_from("func:vfs_read", &error), 2);
	begin(ended, 1, true);
	assert_int_equal(taken_from("func:vfs_read", &error), -EINVAL);
	assert_non_null(strstr(error.text, "no event func:vfs_read is attached to the module"));
}

/* Return: what status prints, as JSON or as text; to be freed. */
static char *printed(bool json)
{
	struct events events = { .nr = 0 };
	struct profile *profile;
	struct clients others;
	struct error error;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(nl_status(NULL, &profile, &error), 0);
	assert_int_equal(events_add(&events, "", profile), 0);
	assert_int_equal(live_clients(NULL, profile, &others, &error), 0);
	if (json)
		status_json_write(&events, &others, out);
	else
		status_text_write(&events, &others, 0, out);
	fclose(out);
	clients_deinit(&others);
	events_deinit(&events);
	return text;
}

/* Report whether @text has the parts, one after the other. */
static bool has_in_order(const char *text, const char *const *parts)
{
	for (; *parts; parts++) {
		text = strstr(text, *parts);
		if (!text)
			return false;
		text += strlen(*parts);
	}
	return true;
}

static void a_status_tells_whose_events_they_are(void **state)
{
	static const char *const lines[] = {
		"\nfunc:vfs_read attached by process 101 for 1", "all tasks",
		"\nlatency:vfs_read attached by process 101 for 1",
		"\nfunc:vfs_write attached by process 102 for 1",
		"\nfunc:vfs_read attached by process 102 for 1",
		"\npage-faults attached by process 103 for 1", NULL
	};
	static const char *const members[] = {
		"\"attached\": [", "\"func:vfs_read\"", "\"pid\": 101", "\"latency:vfs_read\"",
		"\"pid\": 101", "\"func:vfs_write\"", "\"pid\": 102", "\"func:vfs_read\"",
		"\"pid\": 102", "\"page-faults\"", "\"pid\": 103", NULL
	};
	char *text;

	(void)state;
	begin(three, 3, true);
	text = printed(false);
	assert_true(has_in_order(text, lines));
	free(text);
	text = printed(true);
	assert_true(has_in_order(text, members));
	free(text);
	/* an older module does not say who it is */
	begin(three, 1, false);
	text = printed(false);
	assert_null(strstr(text, "by process"));
	free(text);
}

static void clients_that_ended_are_not_listed(void **state)
{
	const struct attached ended[] = {
		{ 101, { "func:vfs_read" } },
		{ 102, { "func:vfs_write" }, .has_ended = true },
		{ 103, { "page-faults" } },
	};
	struct clients others;
	struct profile *status;
	struct error error;

	(void)state;
	begin(ended, 3, true);
	assert_int_equal(nl_status(NULL, &status, &error), 0);
	assert_int_equal(live_clients(NULL, status, &others, &error), 0);
	assert_int_equal(others.nr, 1);
	assert_int_equal(clients_pid(&others.list[0]->meta), 103);
	clients_deinit(&others);
	profile_destroy(status);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_is_found_with_any_client),
		cmocka_unit_test(one_of_several_is_chosen_by_its_process),
		cmocka_unit_test(who_is_attached_sees_its_own),
		cmocka_unit_test(an_older_module_has_one_client),
		cmocka_unit_test(a_client_may_end_meanwhile),
		cmocka_unit_test(a_status_tells_whose_events_they_are),
		cmocka_unit_test(clients_that_ended_are_not_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
