// SPDX-License-Identifier: GPL-2.0
/*
 * Tell the service manager how this process does: see notify.h.
 */
#include "base/notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number.h"

int notify_send(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = path ? strlen(path) : 0;
	socklen_t size;
	int fd, err = 0;

	if (!length)
		return 0;
	if ((*path != '/' && *path != '@') || length >= sizeof(address.sun_path))
		return -EINVAL;
	memcpy(address.sun_path, path, length);
	/* the name of an abstract socket starts with a NUL, which is written as "@" */
	if (*path == '@')
		address.sun_path[0] = '\0';
	size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (*path == '/'));
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
		   size) < 0)
		err = -errno;
	close(fd);
	return err;
}

uint64_t notify_watchdog_ns(void)
{
	const char *period = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
	uint64_t number;

	if (pid && (number_parse(pid, 1, INT32_MAX, &number, NULL) ||
		    (pid_t)number != getpid()))
		return 0;
	if (!period || number_parse(period, 1, UINT64_MAX / NSEC_PER_USEC, &number, NULL))
		return 0;
	return number * NSEC_PER_USEC;
}
