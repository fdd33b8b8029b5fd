/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Use the terminal as a screen, and restore it however the program ends: by
 * return, by a signal, or by a crash.
 */
#ifndef FLAMECTL_TERMINAL_H
#define FLAMECTL_TERMINAL_H

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

/* The signal that asked the program to end, or 0. */
extern volatile sig_atomic_t terminal_ended;

/**
 * terminal_check() - check that input and output are a terminal.
 * @instead: text for @error: what to do if they are not.
 *
 * Return: 0, or -ENOTTY with @error saying which is not, and @instead.
 */
int terminal_check(const char *instead, struct error *error);

/**
 * terminal_start() - take over the terminal; call terminal_check() before.
 *
 * Return: 0, or -ENOENT for a terminal of unknown type.
 */
int terminal_start(struct error *error);

/** terminal_stop() - restore the terminal; fine if it was not taken over. */
void terminal_stop(void);

/**
 * terminal_wait() - wait for a key or a signal, or until the time is over.
 *
 * Return: 1 for a key, 0 otherwise, -EIO if the terminal is gone.
 */
int terminal_wait(unsigned int timeout_ms);

/**
 * terminal_no_color() - report whether NO_COLOR is set and not empty
 * (no-color.org).
 */
bool terminal_no_color(void);

/**
 * terminal_unicode() - report whether the terminal can show more than ASCII.
 */
bool terminal_unicode(void);

#endif /* FLAMECTL_TERMINAL_H */
