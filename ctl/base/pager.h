/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is printed goes through a pager where somebody sits at the terminal.
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
 * pager_start() - start $PAGER, less where there is none, if stdout is a
 * terminal. "" and "cat" stand for no pager. less is told to show colours.
 *
 * Return: 0, with @pager->stream NULL where none is wanted, or -errno.
 */
int pager_start(struct pager *pager, struct error *error);

/**
 * pager_finish() - end what is written, and wait until it was read.
 *
 * Return: 0, -ENOEXEC where there is no such pager, or -errno of the stream. Who leaves the pager early has seen
 * enough; that is no error.
 */
int pager_finish(struct pager *pager);

/**
 * pager_color() - may stdout have colours? Where it is a terminal, but not
 * when NO_COLOR asks for none or TERM is dumb.
 */
bool pager_color(void);

#endif /* FLAMECTL_PAGER_H */
