// SPDX-License-Identifier: GPL-2.0
/*
 * What requests to views have in common: see request.h.
 */
#include "fleet/view/request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"

#define SERVICE	"flamemod"

/* What users call these labels, for every kind of server. */
static const struct view_words usual = { "service_name", "host", "release" };

/* Return: what the server calls a label that a user gave. */
static const char *name_of(const struct view_words *words, const char *given)
{
	if (!strcmp(given, usual.service))
		return words->service;
	if (!strcmp(given, usual.host))
		return words->host;
	return strcmp(given, usual.release) ? given : words->release;
}

static void add(struct view_labels *labels, const char *name, const char *value)
{
	if (*value)
		labels->list[labels->nr++] = (struct view_label){ name, value };
}

int view_labels_init(struct view_labels *labels, const struct target_window *window,
		     const struct view_words *words, struct error *error)
{
	const struct labels *given = window->labels;

	memset(labels, 0, sizeof(*labels));
	for (unsigned int i = 0; i < given->nr; i++)
		if (!strncmp(given->list[i].name, "__", 2))
			return error_set(error, -EINVAL, "label %s: names that start with __ belong to the server: choose another name",
					 given->list[i].name);
	labels->host = utf8_clean(window->identity->host, true);
	labels->release = utf8_clean(window->profile->meta.release, true);
	if (!labels->host || !labels->release) {
		view_labels_deinit(labels);
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	}
	if (!labels_get(given, usual.service))
		add(labels, words->service, SERVICE);
	if (!labels_get(given, usual.host))
		add(labels, words->host, labels->host);
	if (!labels_get(given, usual.release))
		add(labels, words->release, labels->release);
	for (unsigned int i = 0; i < given->nr; i++)
		add(labels, name_of(words, given->list[i].name), given->list[i].value);
	return 0;
}

void view_labels_deinit(struct view_labels *labels)
{
	free(labels->host);
	free(labels->release);
	memset(labels, 0, sizeof(*labels));
}

/* Options that an URL of every kind may have; the command that opens it reads them. */
static const char *const any_kinds[] = { "token-file", "ca", "cert", "key", NULL };

static bool is_option(const char *text, size_t length, const char *const *options)
{
	for (; *options; options++)
		if (strlen(*options) == length && !strncmp(*options, text, length))
			return true;
	return false;
}

int view_target_check(const struct target *target, const char *const *options,
		      struct error *error)
{
	const char *name = target->kind->name, *at = target->options;
	char list[128] = "";

	for (size_t i = 0; options[i]; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s, ",
			 options[i]);
	if (*target->user)
		return error_set(error, -EINVAL, "%.100s@: %s takes no user: its token alone says who sends",
				 target->user, name);
	while (*at) {
		size_t part = strcspn(at, "&"), length = strcspn(at, "=&");

		if (!is_option(at, length, options) && !is_option(at, length, any_kinds))
			return error_set(error, -EINVAL, "?%.*s: no such option of %s; there are %stoken-file, ca, cert and key",
					 (int)(length < 64 ? length : 64), at, name, list);
		at += part + (at[part] == '&');
	}
	return 0;
}

int view_encode(const struct target *target, const struct target_window *windows, size_t nr,
		int (*encode_window)(const struct target *target,
				     const struct target_window *window,
				     struct target_requests *requests, struct error *error),
		struct target_requests *requests, struct error *error)
{
	static const char *const no_options[] = { NULL };
	int err = view_target_check(target, no_options, error);

	for (size_t i = 0; i < nr && !err; i++)
		err = encode_window(target, &windows[i], requests, error);
	return err;
}

int view_request_add(struct target_requests *requests, const struct target *target,
		     const char *path, const char *type, const char *header,
		     void *body, size_t size)
{
	size_t length = strlen(target->path);
	char *rest = NULL, *url = NULL, *content = NULL, *token = NULL;
	int err = -ENOMEM;

	while (length && target->path[length - 1] == '/')
		length--;
	if (asprintf(&rest, "%s%.*s%s", length ? "/" : "", (int)length, target->path,
		     path) < 0)
		rest = NULL;
	if (asprintf(&content, "Content-Type: %s", type) < 0)
		content = NULL;
	if (asprintf(&token, "Authorization: Bearer %s", target->token) < 0)
		token = NULL;
	if (rest && content && token) {
		const char *headers[4] = { content };
		unsigned int nr = 1;

		if (*target->token)
			headers[nr++] = token;
		if (header)
			headers[nr++] = header;
		url = target_url(target, rest);
		err = target_requests_add(requests, target, url, headers, body, size);
	} else {
		free(body);
	}
	if (token)
		explicit_bzero(token, strlen(token));
	free(token);
	free(content);
	free(rest);
	return err;
}

bool view_answer_is(const struct send_answer *answer, const char *type)
{
	char text[128];
	size_t length = strlen(type);

	return send_answer_header(answer, "Content-Type", text, sizeof(text)) &&
	       !strncasecmp(text, type, length) && (!text[length] || text[length] == ';' ||
						   text[length] == ' ');
}
