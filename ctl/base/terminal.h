/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The terminal as a screen, and given back as it was however the program ends:
 * by return, by a signal, or by a crash.
 */
#ifndef FLAMECTL_TERMINAL_H
#define FLAMECTL_TERMINAL_H

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

/* The signal that asked for an end, 0 while none did. */
extern volatile sig_atomic_t terminal_ended;

/**
 * terminal_check() - are input and output a terminal?
 * @instead: what to do where they are not.
 *
 * Return: 0, or -ENOTTY with @error saying what is none, and @instead.
 */
int terminal_check(const char *instead, struct error *error);

/**
 * terminal_start() - take it over; after terminal_check().
 *
 * Return: 0, or -ENOENT for a terminal of unknown type.
 */
int terminal_start(struct error *error);

/** terminal_stop() - give it back; fine when it was not taken. */
void terminal_stop(void);

/**
 * terminal_wait() - until a key, a signal, or the time is over.
 *
 * Return: 1 for a key, 0 otherwise, -EIO where nobody sits there any more.
 */
int terminal_wait(unsigned int timeout_ms);

/** terminal_no_color() - is NO_COLOR set, and not empty (no-color.org)? */
bool terminal_no_color(void);

/** terminal_unicode() - can it show more than ASCII? */
bool terminal_unicode(void);

#endif /* FLAMECTL_TERMINAL_H */
