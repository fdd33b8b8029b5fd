// SPDX-License-Identifier: GPL-2.0
/*
 * Load a module with the modprobe program, in builds without libkmod: see
 * modprobe.h.
 *
 * modprobe is run by its absolute path, in /, with a fixed environment: it
 * inherits nothing from the caller of flamectl.
 */
#include "base/modprobe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const places[] = { "/sbin/modprobe", "/usr/sbin/modprobe" };

static bool find(const char *root, char *path, size_t size)
{
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, size, "%s%s", root, places[i]);
		if (!access(path, X_OK))
			return true;
	}
	return false;
}

__attribute__((noreturn))
static void execute(const char *path, const char *name, const char *parameters,
		    int said)
{
	static const char *const environment[] = {
		"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", NULL,
	};
	/*
	 * -b: apply the blacklist to the module's name too, not only to aliases
	 */
	const char *const words[] = { "modprobe", "-b", name, parameters, NULL };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0 && !chdir("/") && dup2(null, STDIN_FILENO) >= 0 &&
	    dup2(said, STDOUT_FILENO) >= 0 && dup2(said, STDERR_FILENO) >= 0)
		execve(path, (char *const *)words, (char *const *)environment);
	_exit(127);
}

/* Read the first line of its output. */
static void listen_to(int fd, char *line, size_t size)
{
	char rest[512];
	size_t used = 0;
	ssize_t got;

	while ((got = read(fd, used + 1 < size ? line + used : rest,
			   used + 1 < size ? size - 1 - used : sizeof(rest)))) {
		if (got < 0 && errno != EINTR)
			break;
		if (got > 0 && used + 1 < size)
			used += (size_t)got;
	}
	line[used] = '\0';
	line[strcspn(line, "\n")] = '\0';
}

static int judge(const char *root, const char *name, const char *path,
		 int status, const char *said, struct error *error)
{
	char loaded[4096];

	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return error_set(error, -EIO, "%.200s: %s", path,
				 *said ? said : "it failed without a message");
	snprintf(loaded, sizeof(loaded), "%s/sys/module/%s", root, name);
	if (access(loaded, F_OK))
		return error_set(error, -EPERM,
				 "%.200s did not load it, so it seems to be blacklisted: see modprobe --showconfig",
				 path);
	return 0;
}

int modprobe_load(const char *root, const char *name, const char *parameters,
		  struct error *error)
{
	char path[4096], said[256] = "";
	int ends[2], status = 0;
	pid_t pid;

	if (!find(root, path, sizeof(path)))
		return error_set(error, -ENOENT, "found neither %s nor %s",
				 places[0], places[1]);
	if (pipe2(ends, O_CLOEXEC))
		return error_set(error, -errno, "no pipe: %s", strerror(errno));
	pid = fork();
	if (!pid)
		execute(path, name, parameters, ends[1]);
	close(ends[1]);
	if (pid > 0) {
		listen_to(ends[0], said, sizeof(said));
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			continue;
	}
	close(ends[0]);
	if (pid < 0)
		return error_set(error, -EAGAIN, "no process for %.200s", path);
	return judge(root, name, path, status, said, error);
}
