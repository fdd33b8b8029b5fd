// SPDX-License-Identifier: GPL-2.0
/*
 * Find the root of a process: see process.h. Mount namespaces are compared and not
 * roots: the module's paths begin at the root of a namespace, also for a process that
 * has called chroot() in it.
 */
#include "symbols/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* More than "mnt:[4026531841]" needs. */
#define NAMESPACE	64

static int read_namespace(const char *path, char text[NAMESPACE])
{
	ssize_t nr = readlink(path, text, NAMESPACE - 1);

	if (nr < 0)
		return -errno;
	text[nr] = '\0';
	return 0;
}

enum process_files process_files(pid_t pid, char root[PROCESS_ROOT])
{
	char path[64], own[NAMESPACE], other[NAMESPACE];
	int err;

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", (int)pid);
	err = read_namespace(path, other);
	if (err)
		return err == -EACCES || err == -EPERM ? PROCESS_DENIED : PROCESS_GONE;
	if (!read_namespace("/proc/self/ns/mnt", own) && !strcmp(own, other))
		return PROCESS_SAME;
	snprintf(root, PROCESS_ROOT, "/proc/%d/root", (int)pid);
	return PROCESS_OTHER;
}
