/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing a session and its books as JSON, for scripts. The books are the
 * counts of what became of each timer period:
 * fires + missed = stored + filtered + lost.
 */
#ifndef FLAMECTL_STATUS_JSON_H
#define FLAMECTL_STATUS_JSON_H

#include <stdio.h>

#include "profile/clients.h"
#include "profile/events.h"
#include "profile/profile.h"

/**
 * status_json_write() - write the first of @events as one indented JSON object
 * with a final newline. If there are several, a key "events" lists the name,
 * unit and stored weight of each.
 * @others: the state is the module's current one, and these have events attached as
 *	    well; NULL: it is that of a saved profile.
 *
 * Keys are as in common/flamemod.yaml, with '_' for '-'; loss reasons keep
 * their names. Texts and numbers are as base/json.h describes. The caller checks
 * the stream.
 */
void status_json_write(const struct events *events, const struct clients *others,
		       FILE *out);

/**
 * status_json_write_line() - write a saved profile on one line, with a key
 * "type" of value @type. The caller checks the stream.
 */
void status_json_write_line(const struct profile *profile, const char *type,
			    FILE *out);

#endif /* FLAMECTL_STATUS_JSON_H */
