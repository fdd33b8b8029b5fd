/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of a command that is to be pasted into a shell.
 */
#ifndef FLAMECTL_SHELL_WORD_H
#define FLAMECTL_SHELL_WORD_H

#include <stdio.h>

/**
 * shell_put_word() - write @word so that a shell takes it as one word, and as
 * it is: in quotes where it must be. What cannot be shown becomes an escape, by
 * $'...', which bash, zsh, ksh and POSIX.1-2024 know.
 */
void shell_put_word(FILE *out, const char *word);

#endif /* FLAMECTL_SHELL_WORD_H */
