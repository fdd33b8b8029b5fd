// SPDX-License-Identifier: GPL-2.0
/*
 * Requests a dump, reads its first part, and then nothing more until it is killed.
 *
 *   stall [READERS]
 *
 * READERS sockets (default 1) stall, each in its own dump. Prints a line when all do. A
 * dump that ends with its first part cannot stall, which is an error here.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flamemod.h"
#include "nlask.h"

static void stall(void)
{
	char buffer[REQUEST_SIZE];
	struct asker asker;
	struct request request;
	const struct nlmsghdr *reply;
	ssize_t got;
	int left;

	asker_init(&asker, socket_open());
	request = request_begin(buffer, "dump", asker.family,
				FLAMEMOD_CMD_PROFILE, NLM_F_DUMP);
	asker_send(&asker, request.header);
	/* Small, so that the rest of the dump stays in the kernel. */
	got = mnl_socket_recvfrom(asker.socket, asker.reply, asker.reply_size);
	if (got < 0)
		die("receive");
	left = (int)got;
	for (reply = (const void *)asker.reply; mnl_nlmsg_ok(reply, left);
	     reply = mnl_nlmsg_next(reply, &left)) {
		if (reply->nlmsg_type != NLMSG_ERROR &&
		    reply->nlmsg_type != NLMSG_DONE)
			continue;
		fprintf(stderr, "stall: the dump ended at once\n");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	int readers = argc > 1 ? atoi(argv[1]) : 1;

	while (readers-- > 0)
		stall();
	printf("stalled\n");
	fflush(stdout);
	pause();
	return 0;
}
