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

/* What users call these labels, for every kind of server: as node-exporter's node_uname_info does. */
static const struct view_words usual = {
	"service_name", "host", "release", "machine", "build",
};

/* Return: what the server calls a label that a user gave. */
static const char *name_of(const struct view_words *words, const char *given)
{
	if (!strcmp(given, usual.service))
		return words->service;
	if (!strcmp(given, usual.host))
		return words->host;
	if (!strcmp(given, usual.release))
		return words->release;
	if (!strcmp(given, usual.machine))
		return words->machine;
	return strcmp(given, usual.build) ? given : words->build;
}

static void add(struct view_labels *labels, const char *name, const char *value)
{
	if (*value)
		labels->list[labels->nr++] = (struct view_label){ name, value };
}

/* Add what each window has, unless the user gave it. */
static void add_usual(struct view_labels *labels, const struct labels *given,
		      const struct view_words *words)
{
	const struct { const char *called, *name, *value; } all[] = {
		{ usual.service, words->service, SERVICE },
		{ usual.host, words->host, labels->host },
		{ usual.release, words->release, labels->release },
		{ usual.machine, words->machine, labels->machine },
		{ usual.build, words->build, labels->build },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!labels_get(given, all[i].called))
			add(labels, all[i].name, all[i].value);
}

int view_labels_init(struct view_labels *labels, const struct target_window *window,
		     const struct view_words *words, struct error *error)
{
	const struct profile_meta *meta = &window->profile->meta;
	const struct labels *given = window->labels;

	memset(labels, 0, sizeof(*labels));
	for (unsigned int i = 0; i < given->nr; i++)
		if (!strncmp(given->list[i].name, "__", 2))
			return error_set(error, -EINVAL, "label %s: names that start with __ belong to the server: choose another name",
					 given->list[i].name);
	labels->host = utf8_clean(window->identity->host, true);
	labels->release = utf8_clean(meta->release, true);
	labels->machine = utf8_clean(meta->origin.arch, true);
	labels->build = utf8_clean(meta->origin.build, true);
	if (!labels->host || !labels->release || !labels->machine || !labels->build) {
		view_labels_deinit(labels);
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	}
	add_usual(labels, given, words);
	estimate_labels(&labels->estimate, meta);
	for (unsigned int i = 0; i < labels->estimate.nr; i++)
		add(labels, labels->estimate.list[i].name, labels->estimate.list[i].value);
	for (unsigned int i = 0; i < given->nr; i++)
		if (!estimate_labels_have(&labels->estimate, given->list[i].name))
			add(labels, name_of(words, given->list[i].name), given->list[i].value);
	return 0;
}

void view_labels_deinit(struct view_labels *labels)
{
	free(labels->host);
	free(labels->release);
	free(labels->machine);
	free(labels->build);
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
