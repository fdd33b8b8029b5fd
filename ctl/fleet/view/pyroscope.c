// SPDX-License-Identifier: GPL-2.0
/*
 * Push windows to Pyroscope, by POST /push.v1.PusherService/Push, which takes the
 * protobuf message push.v1.PushRequest. The facts are those of Pyroscope's api/push/v1
 * and pkg/validation at commit 3fe6a457a.
 *
 * A server refuses a profile above its limits, so a window is sent as several profiles
 * where it must be. Each is a request of its own: of a request with several profiles
 * some may be taken and others not.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/number.h"
#include "fleet/view/kinds.h"
#include "fleet/view/pprof.h"
#include "fleet/view/request.h"
#include "profile/origin.h"

/* Pyroscope's defaults for what a profile may have. */
#define SAMPLES_MAX	16000
#define UNPACKED_MAX	(4 << 20)	/* bytes of the pprof message */
#define AGE_MAX_NS	(3600 * NSEC_PER_SEC)
#define AHEAD_MAX_NS	(600 * NSEC_PER_SEC)

/* The longest name of a tenant that Pyroscope takes. */
#define TENANT_MAX	150

/* Numbers of fields. */
enum { PUSH_REQUEST_SERIES = 1 };
enum { SERIES_LABELS = 1, SERIES_SAMPLES = 2 };
enum { LABEL_NAME = 1, LABEL_VALUE = 2 };
enum { RAW_SAMPLE_RAW_PROFILE = 1 };

static const struct view_words words = {
	"service_name", "host", "release", "machine", "build",
};

struct pusher {
	const struct target *target;
	const struct view_stacks *stacks;
	const struct view_labels *labels;
	const char *tenant;		/* a header, or NULL */
	struct target_requests *requests;
};

/* The Connect protocol's errors are JSON: {"code":"resource_exhausted",...}. */
static enum send_verdict judge(const struct send_answer *answer)
{
	if (answer->status == 408)
		return SEND_IS_DOUBTFUL;
	if (answer->status == 422 && strstr(answer->body, "resource_exhausted"))
		return SEND_IS_BUSY;
	/* another server's page is no answer to a push */
	if (answer->status == 200 && !view_answer_is(answer, "application/proto"))
		return SEND_IS_REFUSED;
	return send_judge(answer);
}

static void put_label(struct message *series, struct message *part, const char *name,
		      const char *value)
{
	message_text(part, LABEL_NAME, name);
	message_text(part, LABEL_VALUE, value);
	message_part(series, SERIES_LABELS, part);
}

/* @packed: a gzip'd pprof message */
static int make_body(const struct view_labels *labels, const char *packed, size_t size,
		     struct message *body)
{
	struct message series = { 0 }, part = { 0 };

	put_label(&series, &part, "__name__", "process_cpu");
	for (unsigned int i = 0; i < labels->nr; i++)
		put_label(&series, &part, labels->list[i].name, labels->list[i].value);
	message_bytes(&part, RAW_SAMPLE_RAW_PROFILE, packed, size);
	message_part(&series, SERIES_SAMPLES, &part);
	message_part(body, PUSH_REQUEST_SERIES, &series);
	message_deinit(&series);
	message_deinit(&part);
	return body->err;
}

static int add_request(struct pusher *pusher, const struct message *profile)
{
	struct message body = { 0 };
	size_t size;
	char *packed;
	int err = view_gzip(profile, &packed, &size);

	if (err)
		return err;
	err = make_body(pusher->labels, packed, size, &body);
	free(packed);
	if (err) {
		message_deinit(&body);
		return err;
	}
	err = view_request_add(pusher->requests, pusher->target,
			       "/push.v1.PusherService/Push", "application/proto",
			       pusher->tenant, body.bytes, body.size);
	if (!err)
		pusher->requests->list[pusher->requests->nr - 1].judge = judge;
	return err;
}

/* Add requests for @nr samples: one, or if that is too large those for each half. */
static int push(struct pusher *pusher, uint32_t first, uint32_t nr)
{
	struct message profile = { 0 };
	bool fits = nr <= SAMPLES_MAX;
	int err = 0;

	if (fits) {
		err = view_pprof(pusher->stacks, first, nr, &profile);
		fits = profile.size <= UNPACKED_MAX || nr == 1;
		if (!err && fits)
			err = add_request(pusher, &profile);
		message_deinit(&profile);
	}
	if (!fits && !err)
		err = push(pusher, first, nr / 2) ?:
		      push(pusher, first + nr / 2, nr - nr / 2);
	return err;
}

static int check_time(const struct target *target, const struct target_window *window,
		      struct error *error)
{
	uint64_t most_ns = AGE_MAX_NS;
	char text[32], most[DURATION_TEXT], date[ORIGIN_DATE];
	int64_t begin = window->identity->time_ns, now;
	struct timespec clock;
	struct error why;

	if (target_option(target, "max-age", text, sizeof(text)) &&
	    duration_parse(text, &most_ns, &why))
		return error_set(error, -EINVAL, "?max-age=%.400s", why.text);
	clock_gettime(CLOCK_REALTIME, &clock);
	now = (int64_t)clock.tv_sec * (int64_t)NSEC_PER_SEC + clock.tv_nsec;
	origin_time(date, begin);
	if (now - begin >= (int64_t)most_ns)
		return error_set(error, -ETIME, "it starts at %s, and Pyroscope refuses what is older than %s; if that server takes more, add ?max-age=24h for example to its URL",
				 *date ? date : "no known time",
				 duration_text(most, most_ns));
	if (begin - now >= (int64_t)AHEAD_MAX_NS)
		return error_set(error, -ERANGE, "it starts at %s, and Pyroscope refuses what is more than 10 minutes ahead: is this machine's clock right?",
				 date);
	return 0;
}

static int encode_window(const struct target *target, const struct target_window *window,
			 const char *tenant, struct target_requests *requests,
			 struct error *error)
{
	struct view_stacks stacks;
	struct view_labels labels;
	struct pusher pusher = {
		.target = target, .stacks = &stacks, .labels = &labels,
		.tenant = tenant, .requests = requests,
	};
	int err = check_time(target, window, error) ?:
		  view_labels_init(&labels, window, &words, error);

	if (err)
		return err;
	err = view_stacks_init(&stacks, window, error);
	if (!err) {
		/* a window in which nothing was sampled has nothing to show */
		err = stacks.nr_samples ? push(&pusher, 0, stacks.nr_samples) : 0;
		if (err)
			error_set(error, err, "%s", strerror(-err));
		view_stacks_deinit(&stacks);
	}
	view_labels_deinit(&labels);
	return err;
}

static int encode(const struct target *target, const struct target_window *windows,
		  size_t nr, struct target_requests *requests, struct error *error)
{
	static const char *const options[] = { "tenant", "max-age", NULL };
	char tenant[TENANT_MAX + 1], header[TENANT_MAX + 32];
	bool has_tenant = target_option(target, "tenant", tenant, sizeof(tenant));
	int err = view_target_check(target, options, error);

	snprintf(header, sizeof(header), "X-Scope-OrgID: %s", has_tenant ? tenant : "");
	for (size_t i = 0; i < nr && !err; i++)
		err = encode_window(target, &windows[i], has_tenant ? header : NULL,
				    requests, error);
	return err;
}

const struct target_kind view_pyroscope = {
	.scheme = "pyroscope",
	.name = "Pyroscope",
	.port = 4040,
	.tls_port = 443,
	.encode = encode,
};
