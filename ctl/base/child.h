/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Run a command that waits until it is released, so that sampling can start
 * before the command's first instruction.
 */
#ifndef FLAMECTL_CHILD_H
#define FLAMECTL_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/* The child's comm until it runs the command: in brackets, as service managers do it. */
#define CHILD_COMM	"(flamectl)"

struct child {
	pid_t pid;		/* 0: none, or reaped */
	pid_t forked;		/* the same, also once it was reaped */
	int go;			/* pipe: a byte written here releases it */
	int failed;		/* pipe: its execvp() errno is read here */
	int status;		/* from waitpid(), once reaped */
	int not_run;		/* -errno if the command cannot be run, else 0 */
};

/**
 * child_create() - look for the command, then fork a child that waits.
 * @argv: the command and its arguments, NULL at the end; kept.
 *
 * Return: 0, or -errno with @error saying what cannot be run and why. If the
 * command is the cause, child->not_run is the same -errno.
 */
int child_create(struct child *child, char **argv, struct error *error);

/** child_go() - let the child run @argv. Return: as child_create(). */
int child_go(struct child *child, char **argv, struct error *error);

/**
 * child_ended() - report whether the child has ended; reap it then. Never
 * waits.
 */
bool child_ended(struct child *child);

/**
 * child_exit_code() - return its exit code as a shell's $?: 128 + N for signal
 * N.
 */
int child_exit_code(const struct child *child);

/**
 * child_abandon() - drop a child that never ran, or send SIGTERM to one that
 * did.
 */
void child_abandon(struct child *child);

#endif /* FLAMECTL_CHILD_H */
