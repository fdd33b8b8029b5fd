// SPDX-License-Identifier: GPL-2.0
/*
 * Name a server: see target.h.
 */
#include "fleet/target.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/secret.h"
#include "base/vec.h"

static bool is_loopback(const char *host)
{
	struct in_addr v4;
	struct in6_addr v6;

	if (!strcasecmp(host, "localhost"))
		return true;
	if (inet_pton(AF_INET, host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	return inet_pton(AF_INET6, host, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

/* Copy a part of an URL; false if it is too long or has what no such part has. */
static bool copy_part(char *to, size_t size, const char *from, size_t length)
{
	if (length >= size)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isgraph((unsigned char)from[i]) || strchr("\"<>\\^`{|}", from[i]))
			return false;
	memcpy(to, from, length);
	to[length] = '\0';
	return true;
}

/* Choose the kind by its scheme. Return: what follows "://", or NULL. */
static const char *parse_scheme(struct target *target, const char *url,
				const struct target_kind *const *kinds,
				int *asked_tls)
{
	const char *end = strstr(url, "://");
	size_t length;

	*asked_tls = -1;
	if (!end)
		return NULL;
	length = strcspn(url, "+:");
	for (; *kinds && !target->kind; kinds++)
		if (strlen((*kinds)->scheme) == length &&
		    !strncmp((*kinds)->scheme, url, length))
			target->kind = *kinds;
	if (!target->kind)
		return NULL;
	url += length;
	if (!strncmp(url, "+https://", 9))
		*asked_tls = 1;
	else if (!strncmp(url, "+http://", 8))
		*asked_tls = 0;
	else if (url != end)
		return NULL;
	return end + 3;
}

static int unknown_scheme(const char *url, const struct target_kind *const *kinds,
			  struct error *error)
{
	char list[200] = "";

	for (; *kinds; kinds++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s://",
			 *list ? ", " : "", (*kinds)->scheme);
	return error_set(error, -EINVAL,
			 "%.*s: no such kind of server; an URL starts with one of: %s",
			 (int)strcspn(url, "/@"), url, list);
}

/* Parse "[HOST]:PORT" or "HOST:PORT". Return: what is wrong, or NULL. */
static const char *parse_host(struct target *target, const char *text, size_t length)
{
	const char *end = text + length, *host_end, *colon;
	char digits[8];
	uint64_t port;

	if (*text == '[') {
		struct in6_addr v6;

		text++;
		host_end = memchr(text, ']', (size_t)(end - text));
		if (!host_end ||
		    !copy_part(target->host, sizeof(target->host), text,
			       (size_t)(host_end - text)) ||
		    inet_pton(AF_INET6, target->host, &v6) != 1)
			return "an IPv6 address is written as [::1]";
		colon = host_end + 1;
	} else {
		host_end = memchr(text, ':', length) ?: end;
		if (host_end == text ||
		    !copy_part(target->host, sizeof(target->host), text,
			       (size_t)(host_end - text)))
			return "it names no valid host";
		colon = host_end;
	}
	if (colon == end)
		return NULL;
	if (*colon != ':' || (size_t)(end - colon) > sizeof(digits))
		return "the port is a number from 1 to 65535";
	snprintf(digits, sizeof(digits), "%.*s", (int)(end - colon - 1), colon + 1);
	if (number_parse(digits, 1, 65535, &port, NULL))
		return "the port is a number from 1 to 65535";
	target->port = (unsigned int)port;
	return NULL;
}

/* Return: what is wrong, or NULL. */
static const char *parse_rest(struct target *target, const char *text)
{
	size_t length = strcspn(text, "/?#"), user;
	const char *at = memrchr(text, '@', length), *wrong;

	if (at) {
		user = (size_t)(at - text);
		if (memchr(text, ':', user))
			return "a password does not belong into an URL, which others can see: put it into a file that is named as the token's";
		if (!user || !copy_part(target->user, sizeof(target->user), text, user))
			return "the user's name is not valid";
		length -= user + 1;
		text = at + 1;
	}
	wrong = parse_host(target, text, length);
	if (wrong)
		return wrong;
	text += length;
	if (*text == '/') {
		length = strcspn(++text, "?#");
		if (!copy_part(target->path, sizeof(target->path), text, length))
			return "the path is too long, or has a character that an URL cannot have";
		text += length;
	}
	if (*text == '?') {
		length = strcspn(++text, "#");
		if (!copy_part(target->options, sizeof(target->options), text, length))
			return "the options are too long, or have a character that an URL cannot have";
		text += length;
	}
	return *text ? "an URL of a server has no part after \"#\"" : NULL;
}

int target_parse(struct target *target, const char *url,
		 const struct target_kind *const *kinds, struct error *error)
{
	const char *rest, *wrong, *password;
	size_t shown = strlen(url);
	int asked_tls;

	memset(target, 0, sizeof(*target));
	rest = parse_scheme(target, url, kinds, &asked_tls);
	if (!rest)
		return unknown_scheme(url, kinds, error);
	wrong = parse_rest(target, rest);
	if (wrong) {
		password = strchr(rest, ':');
		if (password && memchr(rest, '@', strcspn(rest, "/?#")))
			shown = (size_t)(password - url);
		return error_set(error, -EINVAL, "%.*s: %s",
				 (int)(shown < 200 ? shown : 200), url, wrong);
	}
	target->loopback = is_loopback(target->host);
	target->tls = asked_tls < 0 ? !target->loopback : asked_tls;
	if (!target->tls && !target->loopback)
		return error_set(error, -EINVAL,
				 "%.200s: plain http is only for servers on this machine, as others could read the token on its way: use %s+https://",
				 url, target->kind->scheme);
	if (!target->port)
		target->port = target->tls ? target->kind->tls_port : target->kind->port;
	return 0;
}

int target_read_token(struct target *target, const char *path, struct error *error)
{
	return secret_read(path, "token", target->token, error);
}

bool target_option(const struct target *target, const char *name, char *value,
		   size_t size)
{
	const char *at = target->options;
	size_t length = strlen(name);

	while (*at) {
		size_t part = strcspn(at, "&");

		if (part > length && !strncmp(at, name, length) && at[length] == '=' &&
		    part - length <= size) {
			snprintf(value, size, "%.*s", (int)(part - length - 1),
				 at + length + 1);
			return true;
		}
		at += part + (at[part] == '&');
	}
	return false;
}

char *target_url(const struct target *target, const char *rest)
{
	bool v6 = strchr(target->host, ':');
	char *url;

	if (asprintf(&url, "%s://%s%s%s:%u%s", target->tls ? "https" : "http",
		     v6 ? "[" : "", target->host, v6 ? "]" : "", target->port, rest) < 0)
		return NULL;
	return url;
}

char *target_escape(const char *text)
{
	static const char digits[] = "0123456789ABCDEF";
	char *escaped = malloc(3 * strlen(text) + 1), *to = escaped;

	for (; escaped && *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (isascii(c) && (isalnum(c) || strchr("-._~", c))) {
			*to++ = (char)c;
			continue;
		}
		*to++ = '%';
		*to++ = digits[c >> 4];
		*to++ = digits[c & 15];
	}
	if (escaped)
		*to = '\0';
	return escaped;
}

/* ---- requests ---- */

static void free_headers(char **headers)
{
	for (size_t i = 0; headers && headers[i]; i++)
		free(headers[i]);
	free(headers);
}

/* Return: 0 with @copy set, NULL for no headers; or -ENOMEM. */
static int copy_headers(const char *const *headers, char ***copy)
{
	size_t nr = 0;

	*copy = NULL;
	while (headers && headers[nr])
		nr++;
	if (!nr)
		return 0;
	*copy = calloc(nr + 1, sizeof(**copy));
	for (size_t i = 0; *copy && i < nr; i++) {
		(*copy)[i] = strdup(headers[i]);
		if (!(*copy)[i]) {
			free_headers(*copy);
			*copy = NULL;
		}
	}
	return *copy ? 0 : -ENOMEM;
}

int target_requests_add(struct target_requests *requests, const struct target *target,
			char *url, const char *const *headers, void *body, size_t size)
{
	char **copy = NULL;

	if (!url || vec_reserve(requests->list, requests->room, requests->nr + 1) ||
	    copy_headers(headers, &copy)) {
		free(url);
		free(body);
		return -ENOMEM;
	}
	requests->list[requests->nr++] = (struct send_request){
		.url = url, .headers = (const char *const *)copy,
		.body = body, .size = size, .loopback = target->loopback,
	};
	return 0;
}

void target_requests_deinit(struct target_requests *requests)
{
	for (size_t i = 0; i < requests->nr; i++) {
		free((char *)requests->list[i].url);
		free((void *)requests->list[i].body);
		free_headers((char **)requests->list[i].headers);
	}
	free(requests->list);
	id_set_deinit(&requests->stacks);
	memset(requests, 0, sizeof(*requests));
}
