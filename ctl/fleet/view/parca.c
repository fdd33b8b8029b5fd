// SPDX-License-Identifier: GPL-2.0
/*
 * Push windows to Parca, by POST /api/profiles/writeraw, which takes the message
 * parca.profilestore.v1alpha1.WriteRawRequest as JSON. The facts are those of Parca's
 * proto/ and pkg/normalizer at commit 3b5647cd9.
 *
 * Parca takes the same by gRPC. JSON needs no HTTP/2 on the way, says with an HTTP status
 * what became of it, and is a third larger.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "fleet/view/kinds.h"
#include "fleet/view/pprof.h"
#include "fleet/view/request.h"

/* The largest message that Parca's gRPC server takes; JSON becomes one there. */
#define MESSAGE_MAX	(64 << 20)

static const struct view_words words = {
	"service_name", "host", "release", "machine", "build",
};

/* A page of another server is no answer to a push. */
static enum send_verdict judge(const struct send_answer *answer)
{
	if (answer->status == 200 && !view_answer_is(answer, "application/json"))
		return SEND_IS_REFUSED;
	return send_judge(answer);
}

/* Return: the bytes in base64 (RFC 4648), which the caller frees, or NULL. */
static char *base64(const char *bytes, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *from = (const unsigned char *)bytes;
	char *text = malloc((size + 2) / 3 * 4 + 1), *to = text;

	if (!text)
		return NULL;
	for (size_t i = 0; i < size; i += 3) {
		uint32_t three = (uint32_t)from[i] << 16;

		if (i + 1 < size)
			three |= (uint32_t)from[i + 1] << 8;
		if (i + 2 < size)
			three |= from[i + 2];
		*to++ = digits[three >> 18];
		*to++ = digits[three >> 12 & 63];
		*to++ = i + 1 < size ? digits[three >> 6 & 63] : '=';
		*to++ = i + 2 < size ? digits[three & 63] : '=';
	}
	*to = '\0';
	return text;
}

static void put_label(struct json *json, const char *name, const char *value)
{
	json_open_object(json, NULL);
	json_text(json, "name", name);
	json_text(json, "value", value);
	json_close(json);
}

static void put_request(struct json *json, const struct view_labels *labels,
			const char *profile)
{
	json_open_object(json, NULL);
	json_open_array(json, "series");
	json_open_object(json, NULL);
	json_open_object(json, "labels");
	json_open_array(json, "labels");
	put_label(json, "__name__", "process_cpu");
	for (unsigned int i = 0; i < labels->nr; i++)
		put_label(json, labels->list[i].name, labels->list[i].value);
	json_close(json);
	json_close(json);
	json_open_array(json, "samples");
	json_open_object(json, NULL);
	json_text(json, "rawProfile", profile);
	json_close(json);
	json_close(json);
	json_close(json);
	json_close(json);
	json_close(json);
}

static int make_body(const struct view_labels *labels, const char *packed, size_t size,
		     char **body, size_t *body_size)
{
	char *profile = base64(packed, size);
	FILE *out = profile ? open_memstream(body, body_size) : NULL;
	struct json json = { .out = out };
	int err = 0;

	if (out) {
		put_request(&json, labels, profile);
		err = ferror(out) ? -ENOMEM : 0;
		if (fclose(out))
			err = -ENOMEM;
		if (err)
			free(*body);
	}
	free(profile);
	return out ? err : -ENOMEM;
}

static int add_request(const struct target *target, const struct view_stacks *stacks,
		       const struct view_labels *labels,
		       struct target_requests *requests, struct error *error)
{
	struct message profile = { 0 };
	char *packed = NULL, *body;
	size_t size = 0, body_size;
	int err = view_pprof(stacks, 0, stacks->nr_samples, &profile);

	if (!err && !view_gzip(&profile, &packed, &size)) {
		if (size > MESSAGE_MAX)
			err = error_set(error, -E2BIG, "it is %zu bytes, and Parca takes %d at most: send shorter windows",
					size, MESSAGE_MAX);
		else
			err = make_body(labels, packed, size, &body, &body_size);
		free(packed);
	} else {
		err = -ENOMEM;
	}
	message_deinit(&profile);
	if (err)
		return err;
	err = view_request_add(requests, target, "/api/profiles/writeraw",
			       "application/json", NULL, body, body_size);
	if (!err)
		requests->list[requests->nr - 1].judge = judge;
	return err;
}

static int encode_window(const struct target *target, const struct target_window *window,
			 struct target_requests *requests, struct error *error)
{
	struct view_labels labels;
	struct view_stacks stacks;
	int err = view_labels_init(&labels, window, &words, error);

	if (err)
		return err;
	err = view_stacks_init(&stacks, window, error);
	if (!err) {
		if (stacks.nr_samples)
			err = add_request(target, &stacks, &labels, requests, error);
		if (err == -ENOMEM)
			error_set(error, err, "%s", strerror(-err));
		view_stacks_deinit(&stacks);
	}
	view_labels_deinit(&labels);
	return err;
}

static int encode(const struct target *target, const struct target_window *windows,
		  size_t nr, struct target_requests *requests, struct error *error)
{
	return view_encode(target, windows, nr, encode_window, requests, error);
}

const struct target_kind view_parca = {
	.scheme = "parca",
	.name = "Parca",
	.port = 7070,
	.tls_port = 443,
	.encode = encode,
};
