// SPDX-License-Identifier: GPL-2.0
/*
 * Takes any comm, and works in the kernel until it is killed.
 *
 *   named COMM
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd;

	if (argc != 2 || prctl(PR_SET_NAME, argv[1])) {
		fputs("usage: named COMM\n", stderr);
		return 2;
	}
	for (;;) {
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return 1;
		close(fd);
	}
}
