/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One attempt to send windows of the spool to a server, and what is noted of it.
 */
#ifndef FLAMECTL_CMD_AGENT_ATTEMPT_H
#define FLAMECTL_CMD_AGENT_ATTEMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/spool.h"
#include "base/error.h"
#include "cmd/server.h"
#include "fleet/labels.h"

/* What became of it. */
struct attempt {
	int outcome;			/* an enum send_outcome, or -errno */
	long status;			/* of HTTP, or 0 */
	bool is_doubtful;		/* the server may have taken them */
	bool is_too_old;		/* refused, as the server takes no window of that time */
	bool is_split;			/* refused together: send them in smaller batches */
	uint64_t asked_ms;		/* the server asks to wait so long; 0: it does not */
	struct error error;
};

/** attempt_make() - send @nr windows, once. @attempt: set. */
void attempt_make(struct server *server, const struct labels *labels,
		  const struct spool_sending *sending, size_t nr, struct attempt *attempt);

/**
 * attempt_is_settled() - report whether to go on at once: the windows are sent, given up, or
 * to be sent in smaller batches.
 */
bool attempt_is_settled(const struct attempt *attempt);

/** attempt_note() - note it in the target's cursor. Return: 0, or -errno with @error. */
int attempt_note(struct spool *spool, const char *target,
		 const struct spool_sending *sending, size_t nr,
		 const struct attempt *attempt, struct error *error);

#endif /* FLAMECTL_CMD_AGENT_ATTEMPT_H */
