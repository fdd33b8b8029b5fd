// SPDX-License-Identifier: GPL-2.0
/*
 * Servers of FUSE that do not answer: see dead_server.h.
 */
#include "dead_server.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* The number of all directories but the root. */
#define BELOW	2

int dead_server_mount(const char *path)
{
	int server = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	char options[100];

	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", server);
	if (server >= 0 && mount("dead", path, "fuse", MS_NODEV | MS_NOSUID, options)) {
		close(server);
		return -1;
	}
	return server;
}

static void reply(int server, const struct fuse_in_header *to, int err, void *bytes, size_t nr)
{
	struct fuse_out_header header = {
		.len = (uint32_t)(sizeof(header) + nr), .error = err, .unique = to->unique,
	};
	struct iovec parts[] = { { &header, sizeof(header) }, { bytes, nr } };

	if (writev(server, parts, 2) < 0)
		_exit(1);
}

static void answer(int server, const struct fuse_in_header *request)
{
	struct fuse_attr directory = {
		.ino = request->nodeid, .mode = S_IFDIR | 0755, .nlink = 2, .blksize = 4096,
	};
	struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION,
		.max_write = 4096,
	};
	struct fuse_entry_out entry = { .nodeid = BELOW, .attr = directory };
	struct fuse_attr_out attributes = { .attr = directory };
	struct fuse_statfs_out statfs = { .st = { .bsize = 4096, .namelen = 255 } };

	entry.attr.ino = BELOW;
	switch (request->opcode) {
	case FUSE_INIT:
		return reply(server, request, 0, &init, sizeof(init));
	case FUSE_LOOKUP:
		return reply(server, request, 0, &entry, sizeof(entry));
	case FUSE_GETATTR:
		return reply(server, request, 0, &attributes, sizeof(attributes));
	case FUSE_STATFS:
		return reply(server, request, 0, &statfs, sizeof(statfs));
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
		return;
	}
	reply(server, request, -ENOSYS, NULL, 0);
}

pid_t dead_server_wake(int server)
{
	static union {
		struct fuse_in_header header;
		char bytes[FUSE_MIN_READ_BUFFER];
	} request;
	pid_t pid = fork();

	while (!pid) {
		if (read(server, &request, sizeof(request)) < (ssize_t)sizeof(request.header))
			_exit(1);
		answer(server, &request.header);
	}
	return pid;
}
