/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Send one HTTP request and see it through: answers that ask for another attempt are
 * followed, within bounds; all others are reported.
 *
 * Redirects are not followed, because they would carry the token to a server that
 * nobody named. Certificates are always checked. A token is only ever in a header, and
 * is removed from messages even if a server repeats it.
 */
#ifndef FLAMECTL_SEND_H
#define FLAMECTL_SEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct send_policy {
	const char *ca_path;		/* certificates to trust; NULL: the system's */
	const char *cert_path;		/* client certificate, PEM; NULL: none */
	const char *key_path;		/* its key; NULL: in cert_path */
	const char *secret;		/* the token, to remove from messages; or NULL */
	unsigned int attempts;		/* in all, at least 1 */
	uint64_t backoff_ms;		/* see backoff_ms() */
	uint64_t backoff_max_ms;
	uint64_t wait_max_ms;		/* the longest Retry-After that is waited for */
	uint64_t connect_ms;		/* timeouts of one attempt: to connect, */
	uint64_t timeout_ms;		/* and in all */
	/*
	 * A request was sent and no answer came: the server may have taken it. Send it
	 * again (and let the server count it once), or give it up.
	 */
	bool drop_in_doubt;
	size_t answer_max;		/* bytes of an answer that are kept */
};

/* For a command that a person waits for. */
#define SEND_POLICY_DEFAULT { \
	.attempts = 5, .backoff_ms = 500, .backoff_max_ms = 10000, \
	.wait_max_ms = 60000, .connect_ms = 10000, .timeout_ms = 60000, \
	.answer_max = 1 << 20 \
}

struct send_answer {
	long status;			/* of HTTP; 0: there was no answer */
	char *body;			/* ends with a NUL; never NULL after send_request() */
	size_t size;
	bool truncated;			/* the body was longer than answer_max */
	char *headers;			/* lines and trailers, each ended by "\n" */
	size_t headers_size;
	unsigned int attempts;		/* how often it was sent */
	unsigned int doubts;		/* attempts that were sent and not answered */
};

/* What an answer means. */
enum send_verdict {
	SEND_IS_TAKEN,
	SEND_IS_REFUSED,		/* another attempt would be refused as well */
	SEND_IS_BUSY,			/* not taken now, maybe later */
	SEND_IS_DOUBTFUL,		/* a proxy lost it: it may have been taken */
};

struct send_request {
	const char *url;
	const char *const *headers;	/* "Name: value", NULL at the end; or NULL */
	const void *body;		/* to POST; NULL: GET */
	size_t size;
	bool gzip;			/* compress the body, and say so in a header */
	bool http2;			/* speak HTTP/2 from the first byte, for gRPC */
	bool loopback;			/* to this machine: use no proxy */
	/* read an answer; NULL: send_judge() */
	enum send_verdict (*judge)(const struct send_answer *answer);
	/* write what it says into @text, for messages; NULL: the first line of its body */
	void (*explain)(const struct send_answer *answer, char *text, size_t size);
};

enum send_outcome {
	SEND_TAKEN,
	SEND_REFUSED,			/* and it always will be: see answer->status */
	SEND_FAILED,			/* not taken after all attempts; try later */
	SEND_IN_DOUBT,			/* sent, no answer, and policy->drop_in_doubt */
};

struct sender;

/**
 * sender_create() - prepare to send; connections stay open from request to request.
 * @policy: copied; its texts are not and must stay.
 *
 * Return: 0, -ENOMEM, or -ENOSYS if libcurl is not there, with @error.
 */
int sender_create(struct sender **sender, const struct send_policy *policy,
		  struct error *error);

/** sender_destroy() - close connections and free; NULL is fine. */
void sender_destroy(struct sender *sender);

/**
 * send_judge() - read an answer by its status: 2xx is taken; 429 and 503 are busy; 502
 * and 504 are doubtful; all others, redirects among them, are refused.
 */
enum send_verdict send_judge(const struct send_answer *answer);

/**
 * send_request() - send a request, again if need be, and wait for its answer.
 * @answer: filled in, also for refusals; to be given to send_answer_deinit().
 * @error: for all outcomes but SEND_TAKEN: the server, what it answered, and what to
 *	   do.
 *
 * Return: an enum send_outcome, or -errno if the request cannot be made at all, such
 * as -ENOMEM, or -EINVAL for certificate files that cannot be read.
 */
int send_request(struct sender *sender, const struct send_request *request,
		 struct send_answer *answer, struct error *error);

/**
 * send_answer_header() - get the value of a header or trailer of the answer.
 * @value: set to the text, cut to @size - 1 bytes.
 *
 * Return: whether there is one.
 */
bool send_answer_header(const struct send_answer *answer, const char *name,
			char *value, size_t size);

/** send_answer_deinit() - free what the answer holds. */
void send_answer_deinit(struct send_answer *answer);

#endif /* FLAMECTL_SEND_H */
