// SPDX-License-Identifier: GPL-2.0
/*
 * Send one HTTP request and see it through: see send.h.
 */
#include "fleet/send.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/gzip.h"
#include "base/number.h"
#include "base/vec.h"
#include "fleet/backoff.h"
#include "fleet/curl.h"

/* Headers that flamectl takes from any server. */
#define HEADERS_MAX	(64 * 1024)

/* What is quoted of an answer's body. */
#define QUOTE_BYTES	160

struct sender {
	struct send_policy policy;
	const struct curl_library *lib;
	void *curl;
	char curl_error[CURL_ERROR_TEXT];
};

/* One attempt's way of ending. */
struct attempt {
	enum send_verdict verdict;
	char why[sizeof(((struct error *)0)->text)];
};

int sender_create(struct sender **sender, const struct send_policy *policy,
		  struct error *error)
{
	const struct curl_library *lib;
	int err = curl_library(&lib, error);
	struct sender *new;

	if (err)
		return err;
	new = calloc(1, sizeof(*new));
	if (!new)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	new->policy = *policy;
	new->lib = lib;
	new->curl = lib->easy_init();
	if (!new->curl) {
		free(new);
		return error_set(error, -ENOMEM, "libcurl cannot start: %s",
				 strerror(ENOMEM));
	}
	*sender = new;
	return 0;
}

void sender_destroy(struct sender *sender)
{
	if (!sender)
		return;
	sender->lib->easy_cleanup(sender->curl);
	free(sender);
}

/* ---- what comes back ---- */

struct receiver {
	struct send_answer *answer;
	size_t body_room, headers_room, body_max;
	bool is_short_of_memory;
};

static size_t take_body(char *bytes, size_t size, size_t nr, void *data)
{
	struct receiver *receiver = data;
	struct send_answer *answer = receiver->answer;
	size_t all = size * nr, kept = all;

	if (kept > receiver->body_max - answer->size) {
		kept = receiver->body_max - answer->size;
		answer->truncated = true;
	}
	if (vec_reserve(answer->body, receiver->body_room, answer->size + kept + 1)) {
		receiver->is_short_of_memory = true;
		return 0;
	}
	memcpy(answer->body + answer->size, bytes, kept);
	answer->size += kept;
	answer->body[answer->size] = '\0';
	return kept == all ? all : 0;
}

/* Called with one line at a time; the lines of "100 Continue" come first. */
static size_t take_header(char *line, size_t size, size_t nr, void *data)
{
	struct receiver *receiver = data;
	struct send_answer *answer = receiver->answer;
	size_t all = size * nr, kept = all;

	while (kept && (line[kept - 1] == '\r' || line[kept - 1] == '\n'))
		kept--;
	if (kept > 5 && !strncmp(line, "HTTP/", 5))
		answer->headers_size = 0;
	if (answer->headers_size + kept + 1 > HEADERS_MAX)
		return all;
	if (vec_reserve(answer->headers, receiver->headers_room,
			answer->headers_size + kept + 1)) {
		receiver->is_short_of_memory = true;
		return 0;
	}
	memcpy(answer->headers + answer->headers_size, line, kept);
	answer->headers_size += kept;
	answer->headers[answer->headers_size++] = '\n';
	return all;
}

bool send_answer_header(const struct send_answer *answer, const char *name,
			char *value, size_t size)
{
	const char *line = answer->headers;
	const char *end = line ? line + answer->headers_size : NULL;
	size_t length = strlen(name);

	for (const char *next; line < end; line = next + 1) {
		const char *text = line + length + 1;

		next = memchr(line, '\n', (size_t)(end - line));
		if ((size_t)(next - line) <= length || line[length] != ':' ||
		    strncasecmp(line, name, length))
			continue;
		while (text < next && (*text == ' ' || *text == '\t'))
			text++;
		snprintf(value, size, "%.*s", (int)(next - text), text);
		return true;
	}
	return false;
}

void send_answer_deinit(struct send_answer *answer)
{
	free(answer->body);
	free(answer->headers);
	memset(answer, 0, sizeof(*answer));
}

enum send_verdict send_judge(const struct send_answer *answer)
{
	switch (answer->status) {
	case 200 ... 299:
		return SEND_IS_TAKEN;
	case 429:
	case 503:
		return SEND_IS_BUSY;
	case 502:
	case 504:
		return SEND_IS_DOUBTFUL;
	default:
		return SEND_IS_REFUSED;
	}
}

/* ---- what is said about it ---- */

/* Copy one line of @text, without control characters, into @quote. */
static void quote_line(char *quote, size_t size, const char *text)
{
	size_t nr = 0;

	while (*text && (unsigned char)*text <= ' ')
		text++;
	while (*text && *text != '\n' && nr + 1 < size) {
		quote[nr++] = (unsigned char)*text < ' ' ? ' ' : *text;
		text++;
	}
	quote[nr] = '\0';
}

/* Replace each @secret in @text, which has @size bytes, by stars. */
static void hide(char *text, size_t size, const char *secret)
{
	size_t length = secret ? strlen(secret) : 0;
	char *end = text + size;

	if (!length || !size)
		return;
	for (char *at = text; (at = memmem(at, (size_t)(end - at), secret, length));
	     at += length)
		memset(at, '*', length);
}

/* Return: scheme, host and port of @url, as messages name the server. */
static void name_server(char *name, size_t size, const char *url)
{
	const char *host = strstr(url, "://");
	size_t length = host ? (size_t)(host - url) + 3 : 0;

	length += strcspn(url + length, "/?#");
	snprintf(name, size, "%.*s", (int)length, url);
}

/* Say what was answered. Secrets are hidden before texts are cut, which may leave a part. */
static void say_answer(struct attempt *attempt, const struct sender *sender,
		       const struct send_request *request,
		       const struct send_answer *answer, const char *server)
{
	char quote[QUOTE_BYTES], location[QUOTE_BYTES], text[QUOTE_BYTES];

	hide(answer->body, answer->size, sender->policy.secret);
	hide(answer->headers, answer->headers_size, sender->policy.secret);
	if (request->explain)
		request->explain(answer, text, sizeof(text));
	quote_line(quote, sizeof(quote), request->explain ? text : answer->body);
	if (answer->status / 100 == 3 &&
	    send_answer_header(answer, "Location", location, sizeof(location))) {
		snprintf(attempt->why, sizeof(attempt->why),
			 "%.150s answered %ld, which points to %s: redirects are not followed, name the right server",
			 server, answer->status, location);
		return;
	}
	snprintf(attempt->why, sizeof(attempt->why), "%.150s answered %ld%s%s",
		 server, answer->status, *quote ? ": " : "", quote);
}

/* ---- one attempt ---- */

static void set_options(struct sender *sender, const struct send_request *request,
			struct curl_slist *headers, const void *body, size_t size,
			struct receiver *receiver)
{
	int (*set)(void *curl, int option, ...) = sender->lib->easy_setopt;
	const struct send_policy *policy = &sender->policy;
	void *curl = sender->curl;

	sender->lib->easy_reset(curl);
	set(curl, CURL_OPT_URL, request->url);
	set(curl, CURL_OPT_PROTOCOLS, (long)(CURL_PROTOCOL_HTTP | CURL_PROTOCOL_HTTPS));
	set(curl, CURL_OPT_FOLLOWLOCATION, 0L);
	set(curl, CURL_OPT_USERAGENT, "flamectl/" FLAMECTL_VERSION);
	set(curl, CURL_OPT_CONNECTTIMEOUT_MS, (long)policy->connect_ms);
	set(curl, CURL_OPT_TIMEOUT_MS, (long)policy->timeout_ms);
	set(curl, CURL_OPT_ERRORBUFFER, sender->curl_error);
	set(curl, CURL_OPT_HTTPHEADER, headers);
	set(curl, CURL_OPT_WRITEFUNCTION, take_body);
	set(curl, CURL_OPT_WRITEDATA, receiver);
	set(curl, CURL_OPT_HEADERFUNCTION, take_header);
	set(curl, CURL_OPT_HEADERDATA, receiver);
	if (policy->ca_path)
		set(curl, CURL_OPT_CAINFO, policy->ca_path);
	if (policy->cert_path) {
		set(curl, CURL_OPT_SSLCERT, policy->cert_path);
		set(curl, CURL_OPT_SSLKEY, policy->key_path ?: policy->cert_path);
	}
	if (request->loopback)
		set(curl, CURL_OPT_NOPROXY, "*");
	if (request->http2)
		set(curl, CURL_OPT_HTTP_VERSION, (long)CURL_HTTP_2_PRIOR_KNOWLEDGE);
	if (body) {
		set(curl, CURL_OPT_POST, 1L);
		set(curl, CURL_OPT_POSTFIELDSIZE_LARGE, (int64_t)size);
		set(curl, CURL_OPT_POSTFIELDS, body);
	} else {
		set(curl, CURL_OPT_HTTPGET, 1L);
	}
}

/* Did it fail before anything of the request was sent? */
static bool was_unsent(struct sender *sender, int result)
{
	long sent = 0;

	switch (result) {
	case CURL_RESULT_COULDNT_RESOLVE_PROXY:
	case CURL_RESULT_COULDNT_RESOLVE_HOST:
	case CURL_RESULT_COULDNT_CONNECT:
	case CURL_RESULT_SSL_CONNECT_ERROR:
	case CURL_RESULT_PEER_FAILED_VERIFICATION:
		return true;
	default:
		sender->lib->easy_getinfo(sender->curl, CURL_INFO_REQUEST_SIZE, &sent);
		return !sent;
	}
}

/* Failures of this machine's files or memory, which no attempt can change. */
static int local_failure(int result, const struct receiver *receiver)
{
	if (receiver->is_short_of_memory || result == CURL_RESULT_OUT_OF_MEMORY)
		return -ENOMEM;
	if (result == CURL_RESULT_SSL_CERTPROBLEM ||
	    result == CURL_RESULT_SSL_CACERT_BADFILE)
		return -EINVAL;
	return 0;
}

/* Take part in a failed attempt's story: what libcurl says of it. */
static void read_failure(struct sender *sender, int result, const char *server,
			 struct attempt *attempt)
{
	const char *what = *sender->curl_error ? sender->curl_error :
			   sender->lib->easy_strerror(result);
	bool unsent = was_unsent(sender, result);

	hide(sender->curl_error, strlen(sender->curl_error), sender->policy.secret);
	attempt->verdict = unsent ? SEND_IS_BUSY : SEND_IS_DOUBTFUL;
	if (result == CURL_RESULT_PEER_FAILED_VERIFICATION)
		attempt->verdict = SEND_IS_REFUSED;
	snprintf(attempt->why, sizeof(attempt->why), "%.150s %s: %.200s", server,
		 unsent ? "cannot be reached" : "was sent the request, but gave no whole answer",
		 what);
}

/* Return: 0 with @attempt set, or -errno with it saying why. */
static int try_once(struct sender *sender, const struct send_request *request,
		    struct curl_slist *headers, const void *body, size_t size,
		    struct send_answer *answer, struct attempt *attempt)
{
	struct receiver receiver = {
		.answer = answer, .body_max = sender->policy.answer_max,
	};
	char server[256];
	int result, err;

	free(answer->body);
	free(answer->headers);
	answer->headers = NULL;
	answer->size = answer->headers_size = 0;
	answer->status = 0;
	answer->truncated = false;
	answer->body = calloc(1, 1);
	receiver.body_room = 1;
	if (!answer->body)
		return -ENOMEM;
	name_server(server, sizeof(server), request->url);
	*sender->curl_error = '\0';
	set_options(sender, request, headers, body, size, &receiver);
	answer->attempts++;
	result = sender->lib->easy_perform(sender->curl);
	sender->lib->easy_getinfo(sender->curl, CURL_INFO_RESPONSE_CODE,
				  &answer->status);
	err = local_failure(result, &receiver);
	if (result == CURL_RESULT_WRITE_ERROR && answer->truncated)
		result = CURL_RESULT_OK;
	if (result != CURL_RESULT_OK) {
		answer->status = 0;
		read_failure(sender, result, server, attempt);
	} else {
		attempt->verdict = (request->judge ?: send_judge)(answer);
		say_answer(attempt, sender, request, answer, server);
	}
	if (attempt->verdict == SEND_IS_DOUBTFUL)
		answer->doubts++;
	return err;
}

/* ---- attempt after attempt ---- */

static void sleep_ms(uint64_t ms)
{
	struct timespec left = {
		.tv_sec = (time_t)(ms / 1000),
		.tv_nsec = (long)(ms % 1000) * 1000000,
	};

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/*
 * Wait as long as the server asks, or as long as chance says.
 *
 * Return: whether to try again; if not, @why has the reason added.
 */
static bool wait_for_next(const struct send_policy *policy,
			  const struct send_answer *answer, struct attempt *attempt)
{
	uint64_t ms = backoff_ms(answer->attempts - 1, policy->backoff_ms,
				 policy->backoff_max_ms);
	char text[64], asked[DURATION_TEXT], most[DURATION_TEXT];
	size_t length = strlen(attempt->why);
	uint64_t asked_ms;

	if (answer->attempts >= policy->attempts) {
		snprintf(attempt->why + length, sizeof(attempt->why) - length,
			 " (%u attempt%s)", answer->attempts,
			 answer->attempts == 1 ? "" : "s");
		return false;
	}
	if (answer->status &&
	    send_answer_header(answer, "Retry-After", text, sizeof(text)) &&
	    backoff_retry_after(text, (int64_t)time(NULL), &asked_ms)) {
		if (asked_ms > policy->wait_max_ms) {
			snprintf(attempt->why + length,
				 sizeof(attempt->why) - length,
				 "; it asks to wait %s, and at most %s are waited: try again later",
				 duration_text(asked, asked_ms * 1000000),
				 duration_text(most, policy->wait_max_ms * 1000000));
			return false;
		}
		/* not all hosts at the same moment */
		ms = asked_ms + backoff_ms(0, policy->backoff_ms, policy->backoff_ms);
	}
	sleep_ms(ms);
	return true;
}

static int see_through(struct sender *sender, const struct send_request *request,
		       struct curl_slist *headers, const void *body, size_t size,
		       struct send_answer *answer, struct error *error)
{
	struct attempt attempt = { 0 };
	int err;

	do {
		err = try_once(sender, request, headers, body, size, answer, &attempt);
		if (err)
			return error_set(error, err, "%s", *attempt.why ?
					 attempt.why : strerror(-err));
		if (attempt.verdict == SEND_IS_TAKEN)
			return SEND_TAKEN;
		error_set(error, 0, "%s", attempt.why);
		if (attempt.verdict == SEND_IS_REFUSED)
			return SEND_REFUSED;
		if (attempt.verdict == SEND_IS_DOUBTFUL && sender->policy.drop_in_doubt)
			return SEND_IN_DOUBT;
	} while (wait_for_next(&sender->policy, answer, &attempt));
	error_set(error, 0, "%s", attempt.why);
	return SEND_FAILED;
}

/* Return: the list with one more header, or NULL; the old one is then freed. */
static struct curl_slist *append(const struct curl_library *lib,
				 struct curl_slist *list, const char *text)
{
	struct curl_slist *longer = lib->slist_append(list, text);

	if (!longer)
		lib->slist_free_all(list);
	return longer;
}

static struct curl_slist *make_headers(const struct curl_library *lib,
				       const struct send_request *request)
{
	/* no "Expect: 100-continue", for which libcurl would wait a second */
	struct curl_slist *list = append(lib, NULL, "Expect:");

	if (list && request->gzip && request->body)
		list = append(lib, list, "Content-Encoding: gzip");
	for (size_t i = 0; list && request->headers && request->headers[i]; i++)
		list = append(lib, list, request->headers[i]);
	return list;
}

static int compress(const void *bytes, size_t size, char **packed,
		    size_t *packed_size)
{
	FILE *out = open_memstream(packed, packed_size);
	struct gzip *gzip = out ? gzip_create(out) : NULL;
	int err = gzip ? gzip_write(gzip, bytes, size) : -ENOMEM;

	if (!err)
		err = gzip_finish(gzip);
	gzip_destroy(gzip);
	if (out && fclose(out) && !err)
		err = -ENOMEM;
	return err;
}

int send_request(struct sender *sender, const struct send_request *request,
		 struct send_answer *answer, struct error *error)
{
	struct curl_slist *headers = make_headers(sender->lib, request);
	const void *body = request->body;
	size_t size = request->size;
	char *packed = NULL;
	int err = headers ? 0 : -ENOMEM;

	memset(answer, 0, sizeof(*answer));
	if (!err && body && request->gzip) {
		err = compress(body, size, &packed, &size);
		body = packed;
	}
	if (err)
		error_set(error, err, "%s", strerror(-err));
	else
		err = see_through(sender, request, headers, body, size, answer, error);
	free(packed);
	sender->lib->slist_free_all(headers);
	return err;
}
