/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The status of a session as text: how it samples, and its books. These are the counts of
 * what became of each timer period: fires + missed = stored + filtered + lost.
 */
#ifndef FLAMECTL_STATUS_TEXT_H
#define FLAMECTL_STATUS_TEXT_H

#include <stdint.h>
#include <stdio.h>

#include "profile/clients.h"
#include "profile/events.h"

/**
 * status_text_write() - write the status of the first event, and list the others.
 * @events: at least one.
 * @others: it is the module's session, and these have events attached as well; NULL: it is
 *	    a file.
 * @now_ns: the time of CLOCK_REALTIME, for when CPUs stood still.
 */
void status_text_write(const struct events *events, const struct clients *others,
		       int64_t now_ns, FILE *out);

#endif /* FLAMECTL_STATUS_TEXT_H */
