/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that makes code at run time, and its map of that code (jit_map.h). What is
 * known of a process stays when it is gone, so that its map can still be read.
 */
#ifndef FLAMECTL_SYMBOLS_JIT_PROCESS_H
#define FLAMECTL_SYMBOLS_JIT_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "symbols/process.h"

struct jit_process {
	pid_t pid;			/* as this process sees it */
	pid_t own_pid;			/* as it sees itself, which names its map */
	uint64_t started;		/* clock ticks after boot; 0: it was never seen */
	uid_t uid;			/* who may have written its map; unless it was never seen */
	bool is_gone;
	enum process_files files;	/* where its paths led, while it was there */
	int fd;				/* its map, if it is in a container, else -1 */
};

/** jit_process_init() - start with nothing known of process @pid. */
void jit_process_init(struct jit_process *process, pid_t pid);

/** jit_process_look() - look whether the process is there, and what it is. */
void jit_process_look(struct jit_process *process);

/**
 * jit_process_open() - open the process's map, as it sees /tmp.
 * @any_fs: also on network file systems and FUSE.
 * @st: set to what fstat() says of the map.
 *
 * Anyone can write to /tmp. So the map must be a regular file, no link, of the process's
 * user, and not older than the process: another one may have had its id before. The map
 * of a process that was never seen must be root's or that of flamectl's own user.
 *
 * Return: a file descriptor, -ENOENT, -EPERM for another user's, -ESTALE for an older one,
 * -EACCES if the right to look into a container is missing, or as regular_open().
 */
int jit_process_open(struct jit_process *process, bool any_fs, struct stat *st);

/** jit_process_deinit() - close what is open. */
void jit_process_deinit(struct jit_process *process);

#endif /* FLAMECTL_SYMBOLS_JIT_PROCESS_H */
