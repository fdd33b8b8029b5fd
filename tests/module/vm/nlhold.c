// SPDX-License-Identifier: GPL-2.0
/*
 * A careless reader: starts a dump on each of many sockets, and reads none.
 *
 *   nlhold SOCKETS
 *
 * Prints "holding" when all requests are sent, then keeps the sockets until it is
 * killed. Half of the dumps are profiles, the others only CPUs.
 */
#include <linux/genetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "flamemod.h"
#include "nlask.h"

int main(int argc, char **argv)
{
	unsigned int sockets = argc == 2 ? atoi(argv[1]) : 0, i;
	struct rlimit files = { sockets + 100, sockets + 100 };
	char buffer[REQUEST_SIZE];
	struct request request;
	struct asker asker;

	if (!sockets) {
		fprintf(stderr, "usage: nlhold SOCKETS\n");
		return 2;
	}
	if (setrlimit(RLIMIT_NOFILE, &files))
		die("be allowed as many files");
	asker_init(&asker, socket_open());
	for (i = 0; i < sockets; i++) {
		request = request_begin(buffer, "dump", asker.family,
					i % 2 ? FLAMEMOD_CMD_PROFILE : FLAMEMOD_CMD_STATUS,
					NLM_F_DUMP);
		asker.socket = socket_open();
		asker_send(&asker, request.header);
	}
	printf("holding\n");
	fflush(stdout);
	pause();
	return 0;
}
