/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Print the tables of commands in forms other than --help: manual pages and
 * shell completions.
 */
#ifndef FLAMECTL_PAGES_H
#define FLAMECTL_PAGES_H

#include <stdio.h>
#include <time.h>

#include "cmd/command.h"

/**
 * pages_man() - write a manual page, in mdoc.
 * @command: the page flamectl-NAME(1), or NULL for flamectl(1).
 * @all: every command, NULL at the end.
 * @date: of the page.
 */
void pages_man(const struct command *command, const struct command *const *all,
	       time_t date, FILE *out);

/**
 * pages_bash() - write the completion of bash; the two below do so for zsh and
 * fish.
 */
void pages_bash(const struct command *const *all, FILE *out);
void pages_zsh(const struct command *const *all, FILE *out);
void pages_fish(const struct command *const *all, FILE *out);

#endif /* FLAMECTL_PAGES_H */
