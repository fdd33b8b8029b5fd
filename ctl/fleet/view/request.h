/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What requests to views have in common: labels, headers, options of the target's URL.
 */
#ifndef FLAMECTL_VIEW_REQUEST_H
#define FLAMECTL_VIEW_REQUEST_H

#include "base/error.h"
#include "fleet/estimate_labels.h"
#include "fleet/target.h"

/* Those of a window, and some that each window has. */
#define VIEW_LABELS_MAX	(LABELS_MAX + 5 + ESTIMATE_LABELS_MAX)

struct view_label {
	const char *name;
	const char *value;
};

struct view_labels {
	struct view_label list[VIEW_LABELS_MAX];
	unsigned int nr;
	/* UTF-8, made from the profile's */
	char *host, *release, *machine, *build;
	struct estimate_labels estimate;
};

/* How a server calls what each window has. */
struct view_words {
	const char *service, *host, *release, *machine, *build;
};

/**
 * view_labels_init() - collect a window's labels: the service, the host, the kernel's
 * release, the machine (uname -m) and the kernel's build (uname -v), then the user's. Those
 * without a value are left out.
 * @window: kept, not copied.
 * @words: what this kind of server calls the labels that a user calls service_name, host,
 *	   release, machine and build. These come from the user if given; the service is else
 *	   "flamemod".
 *
 * Return: 0, to be freed by view_labels_deinit(); -EINVAL with @error for a name that
 * starts with "__", which servers reserve; -ENOMEM.
 */
int view_labels_init(struct view_labels *labels, const struct target_window *window,
		     const struct view_words *words, struct error *error);

/** view_labels_deinit() - free what @labels holds; fine if all is 0. */
void view_labels_deinit(struct view_labels *labels);

/**
 * view_target_check() - check that a target's URL has nothing that is not for this kind.
 * @options: names of its options, NULL at the end.
 *
 * Return: 0, or -EINVAL with @error.
 */
int view_target_check(const struct target *target, const char *const *options,
		      struct error *error);

/**
 * view_encode() - add the requests of each window, for a kind without options of its own.
 * @encode_window: adds those of one window; sets the error if it fails.
 *
 * Return: as target_kind.encode().
 */
int view_encode(const struct target *target, const struct target_window *windows, size_t nr,
		int (*encode_window)(const struct target *target,
				     const struct target_window *window,
				     struct target_requests *requests, struct error *error),
		struct target_requests *requests, struct error *error);

/**
 * view_request_add() - add a request that posts @body.
 * @path: the end of the request's path; the path of the target's URL comes before it.
 * @header: one more header, or NULL.
 * @body: on the heap; belongs to @requests from now on, also on an error.
 *
 * The token, if there is one, is sent as a bearer token (RFC 6750, 2.1).
 *
 * Return: 0 or -ENOMEM.
 */
int view_request_add(struct target_requests *requests, const struct target *target,
		     const char *path, const char *type, const char *header,
		     void *body, size_t size);

/** view_answer_is() - report whether an answer's body has this Content-Type. */
bool view_answer_is(const struct send_answer *answer, const char *type);

#endif /* FLAMECTL_VIEW_REQUEST_H */
