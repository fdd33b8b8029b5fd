// SPDX-License-Identifier: GPL-2.0
/*
 * A process that makes code at run time: see jit_process.h.
 */
#include "symbols/jit_process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "symbols/regular.h"

/* A map may seem to be so much older than its process, as clocks are set. */
#define OLDER_SECONDS	2

/* More than a line of /proc/PID/stat or the first half of /proc/PID/status needs. */
#define TEXT_BYTES	4096

void jit_process_init(struct jit_process *process, pid_t pid)
{
	*process = (struct jit_process){
		.pid = pid, .own_pid = pid, .files = PROCESS_GONE, .fd = -1,
	};
}

void jit_process_deinit(struct jit_process *process)
{
	if (process->fd >= 0)
		close(process->fd);
	process->fd = -1;
}

static bool read_proc(pid_t pid, const char *file, char text[TEXT_BYTES])
{
	char path[64];
	ssize_t nr;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	nr = read(fd, text, TEXT_BYTES - 1);
	close(fd);
	text[nr > 0 ? nr : 0] = '\0';
	return nr > 0;
}

/* Return: when a process started, in clock ticks after boot; 0 if it is gone. */
static uint64_t start_of(pid_t pid)
{
	char text[TEXT_BYTES], *at;

	/* the command is in parentheses, and may have any in it */
	at = read_proc(pid, "stat", text) ? strrchr(text, ')') : NULL;
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

/* Return: the last number of a line of /proc/PID/status. */
static long last_number(const char *text, const char *line)
{
	const char *at = strstr(text, line), *end;
	long number = -1;

	if (!at)
		return -1;
	at += strlen(line);
	for (end = at + strcspn(at, "\n"); at < end; at += strspn(at, " \t")) {
		char *next;

		number = strtol(at, &next, 10);
		if (next == at)
			break;
		at = next;
	}
	return number;
}

void jit_process_look(struct jit_process *process)
{
	char text[TEXT_BYTES], root[PROCESS_ROOT];
	uint64_t started = start_of(process->pid);
	enum process_files files;
	long uid, own_pid;

	if (!started || !read_proc(process->pid, "status", text) ||
	    (process->started && process->started != started)) {
		/* or its id is another process's now */
		process->is_gone = true;
		return;
	}
	uid = last_number(text, "\nUid:");
	own_pid = last_number(text, "\nNSpid:");
	if (uid < 0)
		return;
	process->started = started;
	process->uid = (uid_t)uid;
	if (own_pid > 0)
		process->own_pid = (pid_t)own_pid;
	/* one that has ended and was not waited for sees no files */
	files = process_files(process->pid, root);
	if (files != PROCESS_GONE)
		process->files = files;
}

/* Was the map written before the process started? */
static bool is_older(const struct jit_process *process, const struct stat *st)
{
	struct timespec now, up;
	long ticks = sysconf(_SC_CLK_TCK);

	if (!process->started || ticks <= 0 || clock_gettime(CLOCK_REALTIME, &now) ||
	    clock_gettime(CLOCK_BOOTTIME, &up))
		return false;
	return st->st_mtim.tv_sec + OLDER_SECONDS <
	       now.tv_sec - up.tv_sec + (time_t)(process->started / (uint64_t)ticks);
}

static int check(const struct jit_process *process, const struct stat *st)
{
	bool is_own = process->started ? st->st_uid == process->uid :
					 !st->st_uid || st->st_uid == geteuid();

	if (!is_own)
		return -EPERM;
	return is_older(process, st) ? -ESTALE : 0;
}

static int open_at(const struct jit_process *process, const char *directory, bool any_fs,
		   struct stat *st)
{
	const struct regular_root root = { directory, any_fs };
	char path[64];
	int fd, err;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)process->own_pid);
	fd = regular_open(&root, path, REGULAR_NO_LINK, st);
	err = fd < 0 ? fd : check(process, st);
	if (fd >= 0 && err)
		close(fd);
	return err ?: fd;
}

/* Open the map as the process sees it, which may have a root of its own. */
static int open_in(const struct jit_process *process, bool any_fs, struct stat *st)
{
	char root[PROCESS_ROOT];

	snprintf(root, sizeof(root), "/proc/%d/root", (int)process->pid);
	return open_at(process, root, any_fs, st);
}

/* Is its /tmp the one that is here? If that is not known, its number tells. */
static bool has_our_tmp(const struct jit_process *process)
{
	return process->files == PROCESS_DENIED ? process->own_pid == process->pid :
						  process->files != PROCESS_OTHER;
}

int jit_process_open(struct jit_process *process, bool any_fs, struct stat *st)
{
	int fd = process->is_gone ? -ENOENT : open_in(process, any_fs, st);

	if ((fd == -ENOENT || fd == -EACCES) && has_our_tmp(process))
		fd = open_at(process, "", any_fs, st);
	if (fd >= 0 && process->files == PROCESS_OTHER) {
		jit_process_deinit(process);
		process->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	}
	if (fd >= 0 || process->fd < 0)
		return fd;
	/* its /tmp is gone, or it has removed the map */
	if (fstat(process->fd, st))
		return -errno;
	fd = fcntl(process->fd, F_DUPFD_CLOEXEC, 0);
	return fd < 0 ? -errno : fd;
}
