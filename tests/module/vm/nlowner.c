// SPDX-License-Identifier: GPL-2.0
/*
 * nlowner: start sampling that ends with this program.
 *
 *   nlowner PORT    through a socket with that port
 *
 * Sockets with the same port, but of another network namespace or protocol,
 * come and go before it prints "others closed". Then it waits to be killed, or
 * for the end of its input.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "flamemod.h"
#include "nlask.h"

static struct mnl_socket *open_at(int protocol, uint32_t port)
{
	struct mnl_socket *socket = mnl_socket_open(protocol);

	if (!socket || mnl_socket_bind(socket, 0, port))
		die("bind a socket to the port");
	return socket;
}

static void close_elsewhere(uint32_t port)
{
	int status = 0;
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		if (unshare(CLONE_NEWNET))
			die("make a network namespace");
		mnl_socket_close(open_at(NETLINK_GENERIC, port));
		_exit(0);
	}
	if (waitpid(pid, &status, 0) < 0 || status)
		exit(1);
}

int main(int argc, char **argv)
{
	char buffer[REQUEST_SIZE];
	struct request request;
	struct answer answer;
	struct asker asker;
	uint32_t port;

	if (argc != 2)
		return 2;
	port = (uint32_t)strtoul(argv[1], NULL, 0);
	asker_init(&asker, open_at(NETLINK_GENERIC, port));
	request = request_begin(buffer, "start", asker.family,
				FLAMEMOD_CMD_START, 0);
	mnl_attr_put(request.header, FLAMEMOD_A_OWNER, 0, NULL);
	answer = asker_ask(&asker, request.header);
	if (answer.error) {
		fprintf(stderr, "nlowner: start: %s\n", answer.text);
		return 1;
	}
	/* the first child has a copy of our socket, and closes it as well */
	close_elsewhere(port);
	mnl_socket_close(open_at(NETLINK_ROUTE, port));
	printf("others closed\n");
	fflush(stdout);
	while (getchar() != EOF)
		continue;
	asker_deinit(&asker);
	return 0;
}
