// SPDX-License-Identifier: GPL-2.0
/*
 * Find descriptions of tracepoints: see tracefs.h.
 */
#include "probe/tracefs.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static const char *const places[] = {
	"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
};

int tracefs_find(const char *root, char *path, size_t size, struct error *error)
{
	char events[PATH_MAX];
	bool is_closed = false;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (snprintf(path, size, "%s%s", root, places[i]) >= (int)size ||
		    snprintf(events, sizeof(events), "%s/events", path) >= (int)sizeof(events))
			return error_set(error, -ENAMETOOLONG, "%.200s: the name is too long", root);
		if (!access(events, X_OK))
			return 0;
		is_closed |= errno == EACCES;
	}
	if (is_closed)
		return error_set(error, -EACCES, "the kernel's tracepoints are listed in %s, which only root may read: run as root, or let root give its group access (mount -o remount,gid=GID %s)",
				 places[0], places[0]);
	return error_set(error, -EOPNOTSUPP, "the kernel's tracepoints are listed in tracefs, which is not mounted on %s: mount -t tracefs nodev %s",
			 places[0], places[0]);
}

int tracefs_open_format(const char *root, const char *target, FILE **in, struct error *error)
{
	const char *colon = strchr(target, ':');
	char tracefs[PATH_MAX], path[PATH_MAX];
	int err = tracefs_find(root, tracefs, sizeof(tracefs), error);

	if (err)
		return err;
	if (!colon || snprintf(path, sizeof(path), "%s/events/%.*s/%s/format", tracefs,
			       (int)(colon - target), target, colon + 1) >= (int)sizeof(path))
		return error_set(error, -EINVAL, "%.100s: a tracepoint is SYSTEM:NAME", target);
	*in = fopen(path, "re");
	if (*in)
		return 0;
	err = -errno;
	if (err == -ENOENT)
		return error_set(error, -EOPNOTSUPP, "this kernel has no tracepoint %.100s: ls %.150s/events lists systems, and each directory there its tracepoints",
				 target, tracefs);
	return error_set(error, err, "cannot read %.200s: %s", path, strerror(-err));
}
