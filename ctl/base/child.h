/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A command that waits to be let go, so that what measures it can be started
 * before its first instruction.
 */
#ifndef FLAMECTL_CHILD_H
#define FLAMECTL_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct child {
	pid_t pid;		/* 0: none, or reaped */
	int go;			/* written to let it go */
	int failed;		/* read for the errno of its execvp() */
	int status;		/* of waitpid(), once reaped */
	int not_run;		/* 127: it is not there, 126: it cannot be run; else 0 */
};

/**
 * child_create() - fork, and wait; the command is looked for first.
 * @argv: the command and its arguments, NULL at the end; kept.
 *
 * Return: 0, or -errno with @error saying what cannot be run and why. Where
 * that is the command's fault, child->not_run is the exit code for it.
 */
int child_create(struct child *child, char **argv, struct error *error);

/** child_go() - let it run @argv. Return: 0, or as child_create(). */
int child_go(struct child *child, char **argv, struct error *error);

/** child_ended() - has it ended? Reaps it then. Does not wait. */
bool child_ended(struct child *child);

/** child_exit_code() - as a shell's $?: 128 + N for signal N. */
int child_exit_code(const struct child *child);

/** child_abandon() - it never ran, or is to end: SIGTERM, and no more. */
void child_abandon(struct child *child);

#endif /* FLAMECTL_CHILD_H */
