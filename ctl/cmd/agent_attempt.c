// SPDX-License-Identifier: GPL-2.0
/*
 * Send windows once, and note what became of them: see agent_attempt.h.
 */
#include "cmd/agent_attempt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fleet/backoff.h"
#include "fleet/known.h"
#include "fleet/send.h"
#include "profile/identity.h"

/* A server that asks for more is asked again after so long. */
#define ASKED_MOST_MS	3600000

static void read_retry_after(const struct send_answer *answer, struct attempt *attempt)
{
	char text[64];
	uint64_t ms;

	if (send_answer_header(answer, "Retry-After", text, sizeof(text)) &&
	    backoff_retry_after(text, (int64_t)time(NULL), &ms))
		attempt->asked_ms = ms < ASKED_MOST_MS ? ms : ASKED_MOST_MS;
}

static void send_requests(struct server *server, const struct target_requests *requests,
			  struct attempt *attempt)
{
	for (size_t i = 0; i < requests->nr && attempt->outcome == SEND_TAKEN; i++) {
		struct send_answer answer;

		attempt->outcome = send_request(server->sender, &requests->list[i],
						&answer, &attempt->error);
		attempt->status = answer.status;
		attempt->is_doubtful |= answer.doubts > 0;
		read_retry_after(&answer, attempt);
		send_answer_deinit(&answer);
	}
}

/* Write the requests of all windows. Return: 0 or -errno with @error. */
static int encode(struct server *server, const struct labels *labels,
		  const struct spool_sending *sending, size_t nr,
		  struct target_requests *requests, struct error *error)
{
	struct profile_identity *identities = calloc(nr, sizeof(*identities));
	struct target_window *windows = calloc(nr, sizeof(*windows));
	int err = identities && windows ? 0 : error_set(error, -ENOMEM, "%s",
							strerror(ENOMEM));

	for (size_t i = 0; i < nr && !err; i++) {
		err = profile_identify(sending[i].profile, &identities[i], error);
		windows[i] = (struct target_window){
			sending[i].profile, &identities[i], labels,
		};
	}
	err = err ?: known_encode(&server->target, server->sender, windows, nr, requests, error);
	free(identities);
	free(windows);
	return err;
}

/*
 * Is it the window that the server refuses? Other refusals are about the token, the
 * address or the server: windows wait until somebody has mended that.
 */
static bool is_about_window(const struct attempt *attempt)
{
	const long bad = 400, too_large = 413, bad_type = 415, bad_content = 422;

	return attempt->outcome == SEND_REFUSED &&
	       (!attempt->status || attempt->status == bad || attempt->status == too_large ||
		attempt->status == bad_type || attempt->status == bad_content);
}

void attempt_make(struct server *server, const struct labels *labels,
		  const struct spool_sending *sending, size_t nr, struct attempt *attempt)
{
	struct target_requests requests = { .nr = 0 };
	int err;

	memset(attempt, 0, sizeof(*attempt));
	/* an earlier doubt stays until these windows are settled */
	attempt->is_doubtful = sending->is_doubtful;
	err = encode(server, labels, sending, nr, &requests, &attempt->error);
	/* what cannot be written for this target now never can */
	attempt->outcome = !err ? SEND_TAKEN : err == -ENOMEM ? err : SEND_REFUSED;
	attempt->is_too_old = err == -ETIME;
	if (!err)
		send_requests(server, &requests, attempt);
	if (attempt->outcome == SEND_TAKEN)
		known_add(&server->target, &requests);
	else
		known_forget(&server->target);
	attempt->is_split = nr > 1 && is_about_window(attempt);
	target_requests_deinit(&requests);
}

bool attempt_is_settled(const struct attempt *attempt)
{
	return attempt->outcome == SEND_TAKEN || attempt->outcome == SEND_IN_DOUBT ||
	       is_about_window(attempt);
}

int attempt_note(struct spool *spool, const char *target,
		 const struct spool_sending *sending, size_t nr,
		 const struct attempt *attempt, struct error *error)
{
	enum spool_outcome outcome = SPOOL_TAKEN;

	if (attempt->is_split || !attempt_is_settled(attempt))
		return spool_failed(spool, target, attempt->is_split ? NULL :
				    attempt->error.text, attempt->is_doubtful, error);
	if (attempt->outcome == SEND_IN_DOUBT)
		outcome = SPOOL_DOUBTFUL;
	else if (attempt->outcome != SEND_TAKEN)
		outcome = attempt->is_too_old ? SPOOL_TOO_OLD : SPOOL_REFUSED;
	return spool_done_batch(spool, target, sending, nr, outcome, (uint64_t)time(NULL),
				error);
}
