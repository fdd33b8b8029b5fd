// SPDX-License-Identifier: GPL-2.0
/*
 * What is owned goes through a socket of its own, and with it the process that is followed:
 * if a recorder is killed, the kernel closes its sockets one after the other, and sampling
 * must end no later than its filter. The sockets, and the module's answers, are made up.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/settings.h"
#include "wire/nl.h"

#define SOCKET_CALL(name) name
#include "no_socket.h"

#define FAMILY_ID	33
#define SOCKETS_MAX	4

/* The sockets in the order in which they were opened; a pointer to one is to its entry. */
static struct mnl_socket {
	bool is_open;
	unsigned int nr_requests[FLAMEMOD_CMD_MAX + 1];
	bool had_owner[FLAMEMOD_CMD_MAX + 1];
} sockets[SOCKETS_MAX];
static unsigned int nr_sockets;
static uint32_t sequence;
static uint8_t command;			/* of the last request; 0: for the family */
static int refusal;			/* the answer to all requests */

struct mnl_socket *mnl_socket_open2(int bus, int flags)
{
	(void)bus;
	(void)flags;
	assert_true(nr_sockets < SOCKETS_MAX);
	sockets[nr_sockets].is_open = true;
	return &sockets[nr_sockets++];
}

int mnl_socket_close(struct mnl_socket *socket)
{
	assert_true(socket->is_open);
	socket->is_open = false;
	return 0;
}

ssize_t mnl_socket_sendto(const struct mnl_socket *socket, const void *request, size_t size)
{
	struct mnl_socket *at = &sockets[socket - sockets];
	const struct nlmsghdr *header = request;
	const struct genlmsghdr *generic = mnl_nlmsg_get_payload(header);
	const struct nlattr *attr;

	assert_true(socket->is_open);
	sequence = header->nlmsg_seq;
	command = header->nlmsg_type == FAMILY_ID ? generic->cmd : 0;
	assert_true(command <= FLAMEMOD_CMD_MAX);
	at->nr_requests[command]++;
	mnl_attr_for_each(attr, header, sizeof(*generic))
		if (command && mnl_attr_get_type(attr) == FLAMEMOD_A_OWNER)
			at->had_owner[command] = true;
	return (ssize_t)size;
}

ssize_t mnl_socket_recvfrom(const struct mnl_socket *socket, void *buffer, size_t size)
{
	size_t used = command ? 0 : answer_family(buffer, FAMILY_ID, sequence);

	assert_true(socket->is_open);
	used += answer_end((char *)buffer + used, command ? refusal : 0, sequence);
	assert_true(used <= size);
	return (ssize_t)used;
}

static struct nl *begin(void)
{
	struct error error;
	struct nl *nl;

	memset(sockets, 0, sizeof(sockets));
	nr_sockets = 0;
	refusal = 0;
	assert_int_equal(nl_open(&nl, &error), 0);
	assert_int_equal(nr_sockets, 1);
	return nl;
}

static void end(struct nl *nl)
{
	nl_close(nl);
	for (unsigned int i = 0; i < nr_sockets; i++)
		assert_false(sockets[i].is_open);
}

static void sampling_and_its_filter_share_a_socket(void **state)
{
	const struct profile_settings settings = { .followed_only = true };
	struct nl *nl = begin();
	struct error error;

	(void)state;
	nl_own(nl);
	assert_int_equal(nl_follow(nl, 42, &error), 0);
	assert_int_equal(nl_start(nl, &settings, SETTING(FOLLOWED_ONLY), &error), 0);
	assert_int_equal(nr_sockets, 2);
	assert_int_equal(sockets[1].nr_requests[FLAMEMOD_CMD_FOLLOW], 1);
	assert_true(sockets[1].had_owner[FLAMEMOD_CMD_START]);
	/* it stops what it owns, through the same socket */
	assert_int_equal(nl_stop(nl, &error), 0);
	assert_true(sockets[1].had_owner[FLAMEMOD_CMD_STOP]);
	assert_int_equal(nl_follow(nl, 0, &error), 0);
	assert_int_equal(sockets[1].nr_requests[FLAMEMOD_CMD_FOLLOW], 2);
	assert_true(sockets[1].is_open);
	end(nl);
}

static void its_end_closes_that_alone(void **state)
{
	struct nl *nl = begin();
	struct error error;

	(void)state;
	nl_own(nl);
	/* nothing was started */
	assert_int_equal(nl_end(nl, &error), 0);
	assert_int_equal(sockets[0].nr_requests[FLAMEMOD_CMD_SET], 0);
	assert_int_equal(nl_follow(nl, 42, &error), 0);
	assert_int_equal(nl_start(nl, NULL, 0, &error), 0);
	assert_int_equal(nl_end(nl, &error), 0);
	assert_false(sockets[1].is_open);
	/* the module undoes it before it answers this, whatever the answer is */
	assert_int_equal(sockets[0].nr_requests[FLAMEMOD_CMD_SET], 1);
	assert_false(sockets[0].had_owner[FLAMEMOD_CMD_SET]);
	assert_int_equal(nl_start(nl, NULL, 0, &error), 0);
	assert_int_equal(nr_sockets, 3);
	refusal = EBUSY;
	assert_int_equal(nl_end(nl, &error), 0);
	assert_int_equal(sockets[0].nr_requests[FLAMEMOD_CMD_SET], 2);
	end(nl);
}

/* Without that, all goes through the one socket, and others may stop it. */
static void without_an_owner_there_is_one_socket(void **state)
{
	struct nl *nl = begin();
	struct error error;

	(void)state;
	assert_int_equal(nl_follow(nl, 42, &error), 0);
	assert_int_equal(nl_start(nl, NULL, 0, &error), 0);
	assert_int_equal(nl_stop(nl, &error), 0);
	assert_int_equal(nr_sockets, 1);
	assert_false(sockets[0].had_owner[FLAMEMOD_CMD_START]);
	assert_false(sockets[0].had_owner[FLAMEMOD_CMD_STOP]);
	end(nl);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sampling_and_its_filter_share_a_socket),
		cmocka_unit_test(its_end_closes_that_alone),
		cmocka_unit_test(without_an_owner_there_is_one_socket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
