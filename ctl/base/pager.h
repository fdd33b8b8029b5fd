/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Send output through a pager if stdout is a terminal.
 */
#ifndef FLAMECTL_PAGER_H
#define FLAMECTL_PAGER_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"

struct pager {
	FILE *stream;	/* to write to; NULL: there is no pager */
	pid_t pid;
};

/**
 * pager_start() - start a pager if stdout is a terminal.
 *
 * Runs $PAGER, or less if that is not set; "" and "cat" mean no pager. less is
 * run with options that show colours.
 *
 * Return: 0, with @pager->stream NULL if no pager is wanted, or -errno.
 */
int pager_start(struct pager *pager, struct error *error);

/**
 * pager_finish() - end the output and wait until the user leaves the pager.
 *
 * Return: 0, -ENOEXEC if the pager cannot be run, or -errno of the stream. It
 * is no error if the user leaves the pager early.
 */
int pager_finish(struct pager *pager);

/**
 * pager_color() - report whether stdout may have colours: it is a terminal,
 * NO_COLOR is not set, and TERM is not dumb.
 */
bool pager_color(void);

#endif /* FLAMECTL_PAGER_H */
