/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files that a process sees: those of a container are below its own root.
 */
#ifndef FLAMECTL_SYMBOLS_PROCESS_H
#define FLAMECTL_SYMBOLS_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* Where a path of a process leads. */
enum process_files {
	PROCESS_SAME,		/* to the same file as here, or below process_outer_root() */
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

/**
 * process_outer_root() - find out whether flamectl runs in a chroot.
 * @root: set to the directory that is the root of its mount namespace, if it does.
 *
 * Return: false if it does not, or if that is not known: without CAP_SYS_PTRACE, or if
 * process 1 is in another mount namespace.
 */
bool process_outer_root(char root[PROCESS_ROOT]);

#endif /* FLAMECTL_SYMBOLS_PROCESS_H */
