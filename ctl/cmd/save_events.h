/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Save events as a pprof file, for the commands that make such files.
 */
#ifndef FLAMECTL_SAVE_EVENTS_H
#define FLAMECTL_SAVE_EVENTS_H

#include "profile/events.h"

/**
 * save_events() - write a pprof file, whole or not at all, and print any error.
 * @verb: what the command does, for messages: "cannot @verb: ...".
 * @path: as for output_open().
 *
 * Return: an exit code of exit_code.h.
 */
int save_events(const char *verb, const char *path, const struct events *events);

#endif /* FLAMECTL_SAVE_EVENTS_H */
