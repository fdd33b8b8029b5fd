/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Quote the words of a command so that it can be pasted into a shell.
 */
#ifndef FLAMECTL_SHELL_WORD_H
#define FLAMECTL_SHELL_WORD_H

#include <stdio.h>

/**
 * shell_put_word() - write @word so that a shell reads it as one word,
 * unchanged.
 *
 * It is quoted only if necessary. Characters that cannot be shown are escaped
 * within $'...', which bash, zsh, ksh and POSIX.1-2024 know.
 */
void shell_put_word(FILE *out, const char *word);

#endif /* FLAMECTL_SHELL_WORD_H */
