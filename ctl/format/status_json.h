/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing a session and its books as JSON, for scripts. The books are the
 * counts of what became of each timer period:
 * fires + missed = stored + filtered + lost.
 */
#ifndef FLAMECTL_STATUS_JSON_H
#define FLAMECTL_STATUS_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/events.h"
#include "profile/profile.h"

/**
 * status_json_write() - write one indented JSON object with a final newline.
 * @live: the state is the module's current one, not that of a saved profile.
 *
 * Keys are as in common/flamemod.yaml, with '_' for '-'; loss reasons keep
 * their names. Bytes that are not UTF-8 become U+FFFD; numbers above 2^63 - 1
 * become 2^63 - 1.
 *
 * Return: 0, -ENOMEM or -errno of the stream.
 */
int status_json_write(const struct profile *profile, bool live, FILE *out);

/**
 * status_json_write_events() - write the first of @events, as
 * status_json_write() does. If there are several, a key "events" lists the
 * name, unit and stored weight of each.
 */
int status_json_write_events(const struct events *events, bool live, FILE *out);

/**
 * status_json_write_line() - write a saved profile on one line, with a key
 * "type" of value @type.
 */
int status_json_write_line(const struct profile *profile, const char *type,
			   FILE *out);

#endif /* FLAMECTL_STATUS_JSON_H */
