// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks that a server has: when it is asked, and what is sent then.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "fleet/known.h"

/* A server that is sent stacks 0 to @stacks - 1, and has those below @has. */
static uint32_t stacks, has;
static int answer;
static unsigned int asked, encoded;

static const uint8_t *id_of(uint32_t number)
{
	static uint8_t id[STACK_ID_BYTES];

	memcpy(id, &number, sizeof(number));
	return id;
}

static int encode(const struct target *target, const struct target_window *windows,
		  size_t nr, struct target_requests *requests, struct error *error)
{
	(void)windows;
	(void)nr;
	(void)error;
	encoded++;
	for (uint32_t i = 0; i < stacks; i++)
		if (id_set_find(&target->known, id_of(i)) == MAP_NONE)
			assert_int_equal(id_set_add(&requests->stacks, id_of(i)), 0);
	return 0;
}

static int ask_known(struct target *target, struct sender *sender,
		     const struct id_set *unknown, struct error *error)
{
	(void)sender;
	(void)error;
	asked++;
	for (size_t i = 0; i < unknown->nr && !answer; i++) {
		uint32_t number;

		memcpy(&number, unknown->ids[i], sizeof(number));
		if (number < has)
			assert_int_equal(id_set_add(&target->known, unknown->ids[i]), 0);
	}
	return answer;
}

/* Push once, and remember what was taken. Return: how many stacks are sent. */
static size_t sent(struct target *target, bool is_taken)
{
	struct target_requests requests = { .nr = 0 };
	struct error error;
	size_t nr;

	asked = encoded = 0;
	assert_int_equal(known_encode(target, NULL, NULL, 0, &requests, &error), 0);
	nr = requests.stacks.nr;
	if (is_taken)
		known_add(target, &requests);
	target_requests_deinit(&requests);
	return nr;
}

static void a_server_is_asked_about_many_stacks(void **state)
{
	const struct target_kind kind = { .encode = encode, .ask_known = ask_known };
	struct target target = { .kind = &kind };

	(void)state;
	answer = 0;
	stacks = KNOWN_ASK_MIN - 1;
	has = 100;
	assert_int_equal(sent(&target, false), stacks);
	assert_int_equal(asked, 0);
	stacks = KNOWN_ASK_MIN;
	assert_int_equal(sent(&target, false), stacks - has);
	assert_int_equal(asked, 1);
	assert_int_equal(encoded, 2);
	known_forget(&target);
	/* nothing is left out that the server does not have */
	has = 0;
	assert_int_equal(sent(&target, false), stacks);
	assert_int_equal(asked, 1);
	assert_int_equal(encoded, 1);
	/* no answer: all are sent */
	has = 100;
	answer = -EIO;
	assert_int_equal(sent(&target, false), stacks);
	known_forget(&target);
}

static void what_was_taken_is_known_for_an_hour(void **state)
{
	const struct target_kind kind = { .encode = encode, .ask_known = ask_known };
	struct target target = { .kind = &kind };

	(void)state;
	answer = 0;
	stacks = 1000;
	has = 0;
	assert_int_equal(sent(&target, true), 1000);
	stacks = 1010;
	assert_int_equal(sent(&target, false), 10);
	assert_int_equal(asked, 0);
	known_forget(&target);
	assert_int_equal(sent(&target, true), 1010);
	assert_int_equal(sent(&target, false), 0);
	/* as if that was an hour ago */
	target.known_hour--;
	assert_int_equal(sent(&target, false), 1010);
	known_forget(&target);
}

static void other_servers_are_not_asked(void **state)
{
	const struct target_kind kind = { .encode = encode };
	struct target target = { .kind = &kind };

	(void)state;
	stacks = 1000;
	assert_int_equal(sent(&target, false), 1000);
	assert_int_equal(asked, 0);
	known_forget(&target);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server_is_asked_about_many_stacks),
		cmocka_unit_test(what_was_taken_is_known_for_an_hour),
		cmocka_unit_test(other_servers_are_not_asked),
	};

	return cmocka_run_group_tests_name("known", tests, NULL, NULL);
}
