// SPDX-License-Identifier: GPL-2.0
/*
 * A status that lists who has events attached.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <libmnl/libmnl.h>

#include "nl_decoded.h"
#include "profile/clients.h"
#include "wire/nl_private.h"

/* Who has events attached, and that these are the second one's. */
static void put_clients(struct message *m, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		struct nlattr *nest = mnl_attr_nest_start(m->header, FLAMEMOD_A_STATE_CLIENT);

		mnl_attr_put_u32(m->header, FLAMEMOD_A_CLIENT_EPOCH, 7 + i);
		mnl_attr_put_u32(m->header, FLAMEMOD_A_CLIENT_PID, 100 + i);
		mnl_attr_nest_end(m->header, nest);
	}
	if (nr)
		mnl_attr_put_u32(m->header, FLAMEMOD_A_STATE_EVENTS_EPOCH, 8);
}

/* Decode a status with so many clients. Return: it, to be freed. */
static struct profile *status_with(unsigned int nr)
{
	struct reply reply = good_reply;
	struct nlattr *state;
	struct message m;

	message_begin(&m);
	put_settings(&m, &reply);
	put_state(&m, &reply);
	/* reopen the nest, which is the last attribute */
	state = m.nest;
	put_clients(&m, nr);
	mnl_attr_nest_end(m.header, state);
	put_cpu(&m, 0, reply.cpu_fires / 2, 0);
	put_cpu(&m, 1, reply.cpu_fires - reply.cpu_fires / 2, 2);
	return decoded(&m, false);
}

static void clients_are_listed(void **state)
{
	struct profile *profile = status_with(0);

	(void)state;
	assert_int_equal(profile->meta.nr_clients, 0);
	assert_int_equal(clients_pid(&profile->meta), 0);
	profile_destroy(profile);
	profile = status_with(3);
	assert_int_equal(profile->meta.nr_clients, 3);
	assert_int_equal(profile->meta.events_epoch, 8);
	assert_int_equal(clients_pid(&profile->meta), 101);
	profile_destroy(profile);
	/* a newer module may have more than there is room for */
	profile = status_with(PROFILE_CLIENTS_MAX + 1);
	assert_int_equal(profile->meta.nr_clients, PROFILE_CLIENTS_MAX);
	assert_int_equal(profile->meta.clients[PROFILE_CLIENTS_MAX - 1].pid,
			 100 + PROFILE_CLIENTS_MAX - 1);
	profile_destroy(profile);
}

/* A state that comes again lists the same clients, not more. */
static void a_state_that_comes_again_replaces_them(void **state)
{
	struct reply reply = good_reply;
	struct profile_meta meta = { 0 };
	struct error error;
	struct message m;

	(void)state;
	message_begin(&m);
	put_settings(&m, &reply);
	put_state(&m, &reply);
	put_clients(&m, 2);
	mnl_attr_nest_end(m.header, m.nest);
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(nl_decode_events(m.nest, &meta, &error), 0);
		assert_int_equal(meta.nr_clients, 2);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(clients_are_listed),
		cmocka_unit_test(a_state_that_comes_again_replaces_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
