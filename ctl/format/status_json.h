/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session and its books as JSON, for scripts.
 */
#ifndef FLAMECTL_STATUS_JSON_H
#define FLAMECTL_STATUS_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/events.h"
#include "profile/profile.h"

/**
 * status_json_write() - one JSON object, indented, with a final newline.
 * @live: of a module, whose state is that of now, not of a saved profile.
 *
 * Keys are as in common/flamemod.yaml with '_' for '-'; reasons of losses keep
 * their names. Bytes that are no UTF-8 become U+FFFD, figures past 2^63 that.
 *
 * Return: 0, -ENOMEM or -errno of the stream.
 */
int status_json_write(const struct profile *profile, bool live, FILE *out);

/**
 * status_json_write_events() - the same of the first of @events; where there are
 * several, with a key "events": of each its name, unit and the weight that is stored.
 */
int status_json_write_events(const struct events *events, bool live, FILE *out);

/**
 * status_json_write_line() - the same of a saved profile on a line, with a
 * key "type" of this value.
 */
int status_json_write_line(const struct profile *profile, const char *type,
			   FILE *out);

#endif /* FLAMECTL_STATUS_JSON_H */
