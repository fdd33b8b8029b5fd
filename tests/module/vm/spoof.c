// SPDX-License-Identifier: GPL-2.0
/*
 * Sends a program a message as if from the kernel, as anyone with CAP_NET_ADMIN can.
 *
 *   spoof PORT
 *
 * Sends the generic netlink socket at PORT a message. Exits with 0 if it was
 * taken, 1 if that socket refuses messages of others, 2 if it cannot be tried.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/netlink.h>

int main(int argc, char **argv)
{
	const struct nlmsghdr message = {
		.nlmsg_len = sizeof(message), .nlmsg_type = NLMSG_DONE,
	};
	struct sockaddr_nl to = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);

	if (fd < 0 || argc != 2)
		return 2;
	to.nl_pid = (unsigned int)strtoul(argv[1], NULL, 10);
	if (sendto(fd, &message, sizeof(message), 0,
		   (const struct sockaddr *)&to, sizeof(to)) >= 0)
		return 0;
	fprintf(stderr, "spoof: %s\n", strerror(errno));
	return errno == ECONNREFUSED ? 1 : 2;
}
