// SPDX-License-Identifier: GPL-2.0
/*
 * Run a command that is forked first and released later: see child.h.
 */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The status of a child that cannot run the command, as of a shell. */
#define STATUS_NOT_RUN		126
#define STATUS_NOT_FOUND	127

static int executable(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return -errno;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	return access(path, X_OK) ? -errno : 0;
}

/*
 * Look for the command where execvp() will look. This detects most commands
 * that cannot be run before anything is started for them; execvp() reports the
 * rest.
 */
static int find(const char *name)
{
	const char *path = getenv("PATH") ?: "/bin:/usr/bin";
	char candidate[PATH_MAX];
	int err = -ENOENT, one;
	size_t length;

	if (!*name || strchr(name, '/'))
		return executable(name);
	for (;; path += length + 1) {
		length = strcspn(path, ":");
		if (snprintf(candidate, sizeof(candidate), "%.*s%s%s",
			     (int)length, path, length ? "/" : "./", name) <
		    (int)sizeof(candidate)) {
			one = executable(candidate);
			if (!one)
				return 0;
			if (one == -EACCES)
				err = one;
		}
		if (!path[length])
			return err;
	}
}

/* These have handlers of the parent, which remove its output. */
static const int end_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

#define NR_END (sizeof(end_signals) / sizeof(end_signals[0]))

/* Fork without a moment in which the child has the parent's handlers. */
static pid_t fork_plain(void)
{
	sigset_t blocked, before;
	struct sigaction old;
	pid_t pid;

	sigemptyset(&blocked);
	for (size_t i = 0; i < NR_END; i++)
		sigaddset(&blocked, end_signals[i]);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	pid = fork();
	/* what is ignored stays so, as under nohup */
	for (size_t i = 0; i < NR_END && !pid; i++)
		if (!sigaction(end_signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			signal(end_signals[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

static void run(char **argv, int go, int failed)
{
	char byte;
	int err;

	/* nothing to read: the parent exited or abandoned this child */
	if (read(go, &byte, 1) != 1)
		_exit(STATUS_NOT_FOUND);
	signal(SIGPIPE, SIG_DFL);
	execvp(argv[0], argv);
	err = errno;
	if (write(failed, &err, sizeof(err)) != sizeof(err))
		_exit(STATUS_NOT_RUN);
	_exit(STATUS_NOT_FOUND);
}

static int cannot_run(struct child *child, const char *name, int err,
		      struct error *error)
{
	child->not_run = err;
	return error_set(error, err, "cannot run %.200s: %s", name,
			 strerror(-err));
}

int child_create(struct child *child, char **argv, struct error *error)
{
	int go[2], failed[2], err = find(argv[0]);
	char comm[16];

	memset(child, 0, sizeof(*child));
	if (err)
		return cannot_run(child, argv[0], err, error);
	if (pipe2(go, O_CLOEXEC))
		return error_set(error, -errno, "no pipe: %s", strerror(errno));
	if (pipe2(failed, O_CLOEXEC)) {
		err = -errno;
		close(go[0]);
		close(go[1]);
		return error_set(error, err, "no pipe: %s", strerror(-err));
	}
	/* set here, so that the child has never had another comm */
	prctl(PR_GET_NAME, comm);
	prctl(PR_SET_NAME, CHILD_COMM);
	child->pid = fork_plain();
	child->forked = child->pid;
	if (child->pid)
		prctl(PR_SET_NAME, comm);
	if (!child->pid) {
		close(go[1]);
		close(failed[0]);
		run(argv, go[0], failed[1]);
	}
	err = child->pid < 0 ? -errno : 0;
	close(go[0]);
	close(failed[1]);
	child->go = go[1];
	child->failed = failed[0];
	if (!err)
		return 0;
	child->pid = 0;
	close(child->go);
	close(child->failed);
	return error_set(error, err, "no process for %.200s: %s", argv[0],
			 strerror(-err));
}

int child_go(struct child *child, char **argv, struct error *error)
{
	ssize_t got;
	int err = 0;

	/* child_ended() detects a child that was killed while it waited */
	(void)!write(child->go, "", 1);
	do {
		got = read(child->failed, &err, sizeof(err));
	} while (got < 0 && errno == EINTR);
	close(child->go);
	close(child->failed);
	child->go = child->failed = -1;
	if (got != sizeof(err))
		return 0;
	while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR)
		continue;
	child->pid = 0;
	return cannot_run(child, argv[0], -err, error);
}

bool child_ended(struct child *child)
{
	if (child->pid &&
	    waitpid(child->pid, &child->status, WNOHANG) == child->pid)
		child->pid = 0;
	return !child->pid;
}

int child_exit_code(const struct child *child)
{
	if (WIFSIGNALED(child->status))
		return 128 + WTERMSIG(child->status);
	return WEXITSTATUS(child->status);
}

void child_abandon(struct child *child)
{
	if (!child->pid)
		return;
	kill(child->pid, SIGTERM);
	child_ended(child);
}
