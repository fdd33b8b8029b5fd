/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files that a process sees: those of a container are below its own root.
 */
#ifndef FLAMECTL_SYMBOLS_PROCESS_H
#define FLAMECTL_SYMBOLS_PROCESS_H

#include <sys/types.h>

/* Where a path of a process leads. */
enum process_files {
	PROCESS_SAME,		/* to the same file as here */
	PROCESS_OTHER,		/* perhaps to another: it is in another mount namespace */
	PROCESS_DENIED,		/* not known: CAP_SYS_PTRACE is missing */
	PROCESS_GONE,		/* there is no such process any more */
};

/* Room for the path of a process's root, and a NUL. */
#define PROCESS_ROOT	32

/**
 * process_files() - find out where paths of a process lead.
 * @root: set to the directory that is its root, if they lead elsewhere than here.
 *
 * It asks only the kernel, and no file system.
 */
enum process_files process_files(pid_t pid, char root[PROCESS_ROOT]);

#endif /* FLAMECTL_SYMBOLS_PROCESS_H */
