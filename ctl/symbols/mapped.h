/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read files that are mapped into memory, and that their owners may truncate meanwhile:
 * reading what is gone raises SIGBUS, which ends a process that is not prepared.
 */
#ifndef FLAMECTL_SYMBOLS_MAPPED_H
#define FLAMECTL_SYMBOLS_MAPPED_H

#include <stdbool.h>

/**
 * mapped_read() - call a function that reads mapped files.
 * @context: passed to it.
 *
 * If a file was truncated, the function is left in the middle: what it was working on
 * can neither be used nor freed any more.
 *
 * Return: whether the function has returned.
 */
bool mapped_read(void (*function)(void *context), void *context);

#endif /* FLAMECTL_SYMBOLS_MAPPED_H */
