/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A target: a server that profiles are pushed to, and how they are written for it.
 *
 * A target is named by an URL, "clickhouse://HOST:PORT/DB". Its scheme selects a struct
 * target_kind, of which each kind of server has one, in a directory of its own.
 * targets.h has the list.
 *
 * "SCHEME://" means https, except for loopback addresses, to which it means http;
 * "SCHEME+https://" and "SCHEME+http://" ask for one of them, and http to another
 * machine is refused, because everybody on the way could read the token.
 */
#ifndef FLAMECTL_TARGET_H
#define FLAMECTL_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/secret.h"
#include "fleet/id_set.h"
#include "fleet/labels.h"
#include "fleet/send.h"
#include "profile/identity.h"
#include "profile/profile.h"

struct target_kind;

#define TARGET_HOST_MAX		253	/* of DNS */
#define TARGET_PATH_MAX		511
#define TARGET_TOKEN_MAX	SECRET_MAX

struct target {
	const struct target_kind *kind;
	bool tls;
	bool loopback;
	char user[128];			/* "": none was named */
	char host[TARGET_HOST_MAX + 1];	/* without the brackets of an IPv6 address */
	unsigned int port;
	char path[TARGET_PATH_MAX + 1];	/* without the first slash; "" */
	char options[TARGET_PATH_MAX + 1]; /* after "?"; "" */
	char token[TARGET_TOKEN_MAX + 1]; /* see target_read_token(); "": none */
	/* stacks that the server has, see known.h; freed by known_forget() */
	struct id_set known;
	uint64_t known_hour;		/* in which that was found out */
};

/* A window of one host: what is pushed. */
struct target_window {
	const struct profile *profile;
	const struct profile_identity *identity;
	const struct labels *labels;
};

/*
 * Requests to send one after another; if one is not taken, those after it are not
 * sent. Texts and bodies are on the heap and belong to the list.
 */
struct target_requests {
	struct send_request *list;
	size_t nr, room;
	struct id_set stacks;		/* that they have, where stacks are sent by ids */
};

struct target_kind {
	const char *scheme;		/* "clickhouse" */
	const char *name;		/* of the server, for messages: "ClickHouse" */
	unsigned int port, tls_port;	/* if the URL has none */
	/*
	 * Add the requests that push @windows; several are sent together where the
	 * server can take that. Sending all of them again must be harmless where
	 * is_idempotent is set.
	 *
	 * Return: 0, -ENOMEM, -ETIME for a window that is too old for the server, or
	 * another -errno for a window or a target that cannot be written; @error says why.
	 */
	int (*encode)(const struct target *target, const struct target_window *windows,
		      size_t nr, struct target_requests *requests, struct error *error);
	/*
	 * Ask which of these stacks the server has, and will keep for as long as a window
	 * of now; add them to target->known, so that encode() leaves them out. NULL: the
	 * server keeps no stacks by themselves.
	 *
	 * Return: 0 or -errno with @error.
	 */
	int (*ask_known)(struct target *target, struct sender *sender,
			 const struct id_set *stacks, struct error *error);
	/* Add to @error, which is that of a refusal, what to do about it. May be NULL. */
	int (*explain)(const struct target *target, const struct send_answer *answer,
		       struct error *error);
	bool is_idempotent;		/* a request sent twice counts once */
	bool takes_events;		/* other than samples, each as a window of its own */
};

/**
 * target_parse() - parse an URL.
 * @kinds: those to choose from, NULL at the end.
 *
 * A password in the URL is refused: it would be seen in the list of processes.
 *
 * Return: 0, or -EINVAL with @error quoting what is wrong (never a password).
 */
int target_parse(struct target *target, const char *url,
		 const struct target_kind *const *kinds, struct error *error);

/**
 * target_read_token() - read the token, or the password of @user, from a file: its
 * first line.
 *
 * Return: 0, or -errno with @error naming the file; none of its text.
 */
int target_read_token(struct target *target, const char *path, struct error *error);

/**
 * target_option() - get the value of an option of the URL, "?NAME=VALUE&...".
 *
 * Return: whether there is one that fits @size; @value is then set.
 */
bool target_option(const struct target *target, const char *name, char *value,
		   size_t size);

/**
 * target_url() - make the URL of a request: scheme, host and port, then @rest.
 * @rest: starts with a slash; already escaped.
 *
 * Return: the text, which the caller frees, or NULL.
 */
char *target_url(const struct target *target, const char *rest);

/**
 * target_escape() - copy @text with all but letters, digits and "-._~" as %XX, as
 * part of an URL.
 *
 * Return: the copy, which the caller frees, or NULL.
 */
char *target_escape(const char *text);

/**
 * target_requests_add() - add a request.
 * @url: from target_url(); belongs to the list from now on, also on an error.
 * @headers: "Name: value", NULL at the end; or NULL. Copied.
 * @body: on the heap; belongs to the list from now on, also on an error. NULL: GET.
 *
 * Return: 0 with the list's last request to be completed (gzip, judge, ...), or
 * -ENOMEM.
 */
int target_requests_add(struct target_requests *requests, const struct target *target,
			char *url, const char *const *headers, void *body, size_t size);

/** target_requests_deinit() - free all requests; the list is then empty. */
void target_requests_deinit(struct target_requests *requests);

#endif /* FLAMECTL_TARGET_H */
