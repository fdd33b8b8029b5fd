// SPDX-License-Identifier: GPL-2.0
/*
 * Reading perf.data files through perf script: see perf_data.h.
 *
 * Its stderr goes to a file in memory, not to a second pipe: nobody would read
 * that pipe while the first one is read.
 */
#include "format/perf_data.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* How much of perf's stderr is shown: its end. */
#define SHOWN_MAX 300

extern char **environ;

static int fail(struct error *error, int err, const char *path)
{
	/* perf before 4.16 has no -F +FIELD; the only loss would be the pid */
	if (err == ENOENT)
		return error_set(error, -err, "a perf.data file, which only perf can read, and perf is not in PATH: run on a machine with perf: perf script --header -F +pid -i %.100s > perf.txt, and give perf.txt to flamectl",
				 path);
	return error_set(error, -err, "cannot run perf script: %s",
			 strerror(err));
}

static int spawn(struct perf_data *data, const char *path, int to)
{
	/* posix_spawnp() does not write to them, whatever its prototype says */
	const char *const argv[] = {
		"perf", "--no-pager", "script", "--header", "-F", "+pid", "-i",
		path, NULL
	};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t signals;
	int err = posix_spawn_file_actions_init(&actions);

	if (err)
		return err;
	err = posix_spawnattr_init(&attributes);
	if (err) {
		posix_spawn_file_actions_destroy(&actions);
		return err;
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGPIPE);
	err = posix_spawnattr_setsigdefault(&attributes, &signals) ?:
	      posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF) ?:
	      posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO) ?:
	      posix_spawn_file_actions_adddup2(&actions, data->complaints,
					       STDERR_FILENO) ?:
	      posix_spawnp(&data->pid, argv[0], &actions, &attributes,
			   (char *const *)argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return err;
}

int perf_data_open(struct perf_data *data, const char *path,
		   struct error *error)
{
	const char *given = strcmp(path, "-") ? path : "/proc/self/fd/0";
	int ends[2], err;

	data->complaints = memfd_create("perf script", MFD_CLOEXEC);
	if (data->complaints < 0)
		return fail(error, errno, path);
	if (pipe2(ends, O_CLOEXEC)) {
		err = errno;
		close(data->complaints);
		return fail(error, err, path);
	}
	err = spawn(data, given, ends[1]);
	close(ends[1]);
	data->text = err ? NULL : fdopen(ends[0], "r");
	if (data->text)
		return 0;
	if (!err) {
		err = errno;
		kill(data->pid, SIGKILL);
		waitpid(data->pid, NULL, 0);
	}
	close(ends[0]);
	close(data->complaints);
	return fail(error, err, path);
}

/* Read the end of perf's stderr, as one line. */
static void read_complaints(const struct perf_data *data,
			    char text[SHOWN_MAX + 1])
{
	off_t size = lseek(data->complaints, 0, SEEK_END);
	off_t from = size > SHOWN_MAX ? size - SHOWN_MAX : 0;
	ssize_t got = pread(data->complaints, text, SHOWN_MAX, from);

	text[got > 0 ? got : 0] = '\0';
	while (*text && strchr(" \n", text[strlen(text) - 1]))
		text[strlen(text) - 1] = '\0';
	for (; *text; text++)
		if (*text == '\n')
			*text = ' ';
}

int perf_data_close(struct perf_data *data, bool read_all, struct error *error)
{
	char text[SHOWN_MAX + 1];
	int status = 0;

	fclose(data->text);
	if (!read_all)
		kill(data->pid, SIGKILL);
	while (waitpid(data->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	read_complaints(data, text);
	close(data->complaints);
	if (!read_all || (WIFEXITED(status) && !WEXITSTATUS(status)))
		return 0;
	return error_set(error, -EBADMSG, "perf script failed with %s %d%s%s",
			 WIFEXITED(status) ? "exit code" : "signal",
			 WIFEXITED(status) ? WEXITSTATUS(status) :
					     WTERMSIG(status),
			 *text ? ": " : "", text);
}
