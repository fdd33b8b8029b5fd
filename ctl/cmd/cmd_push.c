// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl push: send saved profiles to a server that holds those of many hosts. All
 * files are read before the first is sent, in turn, so that a file that cannot be read
 * leaves nothing half sent.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cmd/command.h"
#include "cmd/server.h"
#include "cmd/source.h"
#include "fleet/known.h"
#include "fleet/target.h"
#include "profile/identity.h"

/* Windows in one request. ClickHouse wants few large inserts. */
#define BATCH	50
#define BATCH_MAX	1000

enum { OPT_LABEL, OPT_BATCH, OPT_IN_DOUBT, OPT_ATTEMPTS, OPT_TIMEOUT };

static const struct command_option options[] = {
	[OPT_LABEL] = { "label", 0, "NAME=VALUE", "give all windows a label; repeat it for more" },
	[OPT_BATCH] = { "batch", 0, "WINDOWS", "send up to so many in one request, 1 to 1000 (default 50)" },
	[OPT_IN_DOUBT] = { "in-doubt", 0, "WHAT", "if a request gets no answer: resend it (default), or drop it",
		"resend drop" },
	[OPT_ATTEMPTS] = { "attempts", 0, "NUMBER", "send a request up to so many times, 1 to 100 (default 5)" },
	[OPT_TIMEOUT] = { "timeout", 0, "TIME", "wait so long for an answer (default 60s)" },
	{ 0 }
};

struct request {
	struct server_request server;
	struct load_request load;
	struct live_request live;
	struct labels labels;
	struct send_policy policy;
	uint64_t batch;
	const char *url;
	char **paths;
	int nr_paths;
};

/* What became of the windows. */
struct tally {
	uint64_t taken, in_doubt, requests;
	uint64_t twice;			/* maybe: taken again after no answer */
};

static int parse_in_doubt(struct request *request, const char *text,
			  struct error *error)
{
	if (strcmp(text, "resend") && strcmp(text, "drop"))
		return error_set(error, -EINVAL, "%.40s: must be resend or drop", text);
	request->policy.drop_in_doubt = !strcmp(text, "drop");
	return 0;
}

static int parse_timeout(struct request *request, const char *text, struct error *error)
{
	uint64_t ns;
	int err = duration_parse(text, &ns, error);

	if (!err)
		request->policy.timeout_ms = ns / 1000000;
	return err;
}

/*
 * Return: 0, or -EINVAL; @error is the text to print after the option's name.
 */
static int parse_option(struct request *request, int option, const char *arg,
			struct error *error)
{
	uint64_t attempts;
	int err;

	switch (option) {
	case OPT_LABEL:
		return labels_add(&request->labels, arg, error);
	case OPT_BATCH:
		return number_parse(arg, 1, BATCH_MAX, &request->batch, error);
	case OPT_IN_DOUBT:
		return parse_in_doubt(request, arg, error);
	case OPT_ATTEMPTS:
		err = number_parse(arg, 1, 100, &attempts, error);
		if (!err)
			request->policy.attempts = (unsigned int)attempts;
		return err;
	default:
		return parse_timeout(request, arg, error);
	}
}

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	struct error error;
	const char *arg;
	int option;

	while (command_next(command, argc, argv, &option, &arg)) {
		if (option >= COMMAND_LIVE) {
			live_option_add(&request->live, option - COMMAND_LIVE);
		} else if (option >= COMMAND_READS) {
			if (load_option_add(&request->load, option - COMMAND_READS, arg,
					    &error))
				return command_usage(command, "%s", error.text);
		} else if (option >= COMMAND_SHARED) {
			request->server.values[option - COMMAND_SHARED] = arg;
		} else if (parse_option(request, option, arg, &error)) {
			return command_usage(command, "--%s %s", options[option].name,
					     error.text);
		}
	}
	if (argc - optind < 2)
		return command_usage(command, "push needs the URL of a server and files: name both");
	request->url = argv[optind];
	request->paths = argv + optind + 1;
	request->nr_paths = argc - optind - 1;
	return EXIT_DONE;
}

/* ---- windows ---- */

/* Profiles that are read, and what each one is. */
struct batch {
	struct target_window windows[BATCH_MAX];
	struct profile_identity identities[BATCH_MAX];
	size_t nr;
	const char *path;		/* of the last one */
};

static void batch_clear(struct batch *batch)
{
	for (size_t i = 0; i < batch->nr; i++)
		profile_destroy((struct profile *)batch->windows[i].profile);
	batch->nr = 0;
}

/* Drop all events but samples, which servers that take no others get. Return: an exit code. */
static int keep_samples(struct events *events, const struct target_kind *kind,
			const char *path, struct error *error)
{
	const char *names[EVENTS_MAX];
	char text[EVENTS_TEXT];
	struct profile *samples = NULL;
	unsigned int nr = events_names(events, names);

	for (unsigned int i = 0; i < events->nr && !samples; i++) {
		if (events->list[i].profile->meta.intervals.known)
			continue;
		samples = events->list[i].profile;
		events->list[i].profile = NULL;
	}
	events_text(text, names, nr, 0);
	events_deinit(events);
	if (samples)
		return events_add(events, "", samples) ? EXIT_FAILED : EXIT_DONE;
	error_set(error, -EINVAL, "%.150s: it has no samples of CPUs, and %s takes nothing else; a clickhouse:// store takes its events: %.200s",
		  path, kind->name, text);
	return EXIT_FAILED;
}

/*
 * Read a file's windows: one for each event that the server takes.
 *
 * Return: an exit code; with EXIT_DONE the caller frees @events.
 */
static int read_windows(const struct request *request, const struct target_kind *kind,
			const char *path, struct events *events,
			struct profile_identity identities[EVENTS_MAX],
			struct error *error)
{
	struct notes notes = { .nr = 0 };
	struct error why;
	int code = source_load_events(&path, 1, &request->load, &request->live, &notes,
				      events, error);

	if (code != EXIT_DONE)
		return code;
	command_notes(&notes);
	if (!kind->takes_events)
		code = keep_samples(events, kind, path, error);
	if (code != EXIT_DONE)
		return code;
	for (unsigned int i = 0; i < events->nr; i++) {
		if (!profile_identify(events->list[i].profile, &identities[i], &why))
			continue;
		events_deinit(events);
		error_set(error, -EINVAL, "%.150s: %s", path, why.text);
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

/* ---- sending ---- */

/* What became of the requests for some windows. */
struct sent {
	size_t nr;			/* that were sent, the last one among them */
	unsigned int doubts;		/* times that one was sent and not answered */
	long status;			/* of the last answer */
};

/* Return: an enum send_outcome or -errno. */
static int send_all(struct server *server, const struct target_requests *requests,
		    struct sent *sent, struct tally *tally, struct error *error)
{
	int outcome = SEND_TAKEN;

	for (; sent->nr < requests->nr && outcome == SEND_TAKEN; sent->nr++) {
		struct send_answer answer;

		outcome = send_request(server->sender, &requests->list[sent->nr], &answer,
				       error);
		tally->requests += answer.attempts;
		sent->doubts += answer.doubts;
		sent->status = answer.status;
		if (outcome == SEND_REFUSED && server->target.kind->explain)
			server->target.kind->explain(&server->target, &answer, error);
		send_answer_deinit(&answer);
	}
	return outcome;
}

/* Say what a server has taken that counts what it is sent again twice. */
static void warn_of_twice(const struct target_kind *kind, const struct sent *sent,
			  size_t nr_requests, int outcome, struct tally *tally)
{
	if (kind->is_idempotent)
		return;
	if (outcome == SEND_TAKEN && sent->doubts)
		tally->twice++;
	if (outcome != SEND_TAKEN && sent->nr > 1)
		command_fail(EXIT_FAILED, "warning: %s took %zu of the window's %zu parts; it counts them twice if the window is pushed again",
			     kind->name, sent->nr - 1, nr_requests);
}

/* Send windows; if together they are too large for the server, in halves. */
static int push(struct server *server, const struct target_window *windows, size_t nr,
		struct tally *tally, struct error *error)
{
	const struct target_kind *kind = server->target.kind;
	struct target_requests requests = { 0 };
	const long too_large = 413;
	struct sent sent = { 0 };
	int outcome = known_encode(&server->target, server->sender, windows, nr, &requests,
				   error);

	if (!outcome) {
		outcome = send_all(server, &requests, &sent, tally, error);
		warn_of_twice(kind, &sent, requests.nr, outcome, tally);
		if (outcome == SEND_TAKEN)
			known_add(&server->target, &requests);
		else
			known_forget(&server->target);
	}
	target_requests_deinit(&requests);
	if (outcome == SEND_REFUSED && sent.status == too_large && nr > 1)
		return push(server, windows, nr / 2, tally, error) ?:
		       push(server, windows + nr / 2, nr - nr / 2, tally, error);
	if (outcome == SEND_TAKEN)
		tally->taken += nr;
	if (outcome != SEND_IN_DOUBT)
		return outcome;
	tally->in_doubt += nr;
	command_fail(EXIT_FAILED, "warning: %zu windows are dropped, as they may have been taken: %s",
		     nr, error->text);
	return 0;
}

/* Return: an exit code. */
static int push_batch(struct server *server, struct batch *batch, struct tally *tally)
{
	struct error error;
	int outcome = push(server, batch->windows, batch->nr, tally, &error);
	/* what cannot be sent at all is a matter of the file */
	const char *path = outcome < 0 && batch->nr == 1 ? batch->path : NULL;

	batch_clear(batch);
	if (!outcome)
		return EXIT_DONE;
	if (path)
		return command_fail(EXIT_FAILED, "cannot push %s: %s", path, error.text);
	return command_fail(EXIT_FAILED, "cannot push%s: %s",
			    outcome == SEND_FAILED ? " now" : "", error.text);
}

/* Look at all files before anything is sent. Return: an exit code. */
static int check_all(const struct request *request, const struct target_kind *kind)
{
	for (int i = 0; i < request->nr_paths; i++) {
		struct profile_identity identities[EVENTS_MAX];
		struct events events;
		struct error error;
		int code;

		if (source_is_live(request->paths[i]) || !strcmp(request->paths[i], "-"))
			continue;	/* these can be read only once */
		code = read_windows(request, kind, request->paths[i], &events, identities,
				    &error);
		if (code != EXIT_DONE)
			return command_fail(code, "cannot push %s", error.text);
		events_deinit(&events);
	}
	return EXIT_DONE;
}

/* Add a window, whose profile is taken over; push the batch if it is full. */
static int push_window(const struct request *request, struct server *server,
		       struct batch *batch, struct profile *profile,
		       const struct profile_identity *identity, struct tally *tally)
{
	size_t at = batch->nr++;

	batch->identities[at] = *identity;
	batch->windows[at] = (struct target_window){
		profile, &batch->identities[at], &request->labels,
	};
	return batch->nr == request->batch ? push_batch(server, batch, tally) : EXIT_DONE;
}

/* Return: an exit code. */
static int push_all(const struct request *request, struct server *server,
		    struct batch *batch, struct tally *tally)
{
	int code = EXIT_DONE;

	for (int i = 0; i < request->nr_paths && code == EXIT_DONE; i++) {
		struct profile_identity identities[EVENTS_MAX];
		struct events events;
		struct error error;

		code = read_windows(request, server->target.kind, request->paths[i], &events,
				    identities, &error);
		if (code != EXIT_DONE)
			return command_fail(code, "cannot push %s", error.text);
		batch->path = request->paths[i];
		for (unsigned int j = 0; j < events.nr && code == EXIT_DONE; j++) {
			struct profile *profile = events.list[j].profile;

			events.list[j].profile = NULL;
			code = push_window(request, server, batch, profile, &identities[j],
					   tally);
		}
		events_deinit(&events);
	}
	return code == EXIT_DONE && batch->nr ? push_batch(server, batch, tally) : code;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = {
		.policy = SEND_POLICY_DEFAULT, .batch = BATCH,
	};
	struct batch *batch = calloc(1, sizeof(*batch));
	struct tally tally = { 0 };
	struct server server;
	struct error error;
	int code = batch ? parse(command, argc, argv, &request) : EXIT_FAILED;

	if (code != EXIT_DONE) {
		free(batch);
		return code;
	}
	if (server_open(&server, request.url, &request.server, request.policy, &error))
		code = command_fail(EXIT_FAILED, "cannot push: %s", error.text);
	/* what was taken must not be sent again with what was not */
	else if (!server.target.kind->is_idempotent)
		request.batch = 1;
	code = code ?: check_all(&request, server.target.kind);
	code = code ?: push_all(&request, &server, batch, &tally);
	if (code == EXIT_DONE || tally.taken)
		printf("pushed %" PRIu64 " window%s in %" PRIu64 " request%s\n",
		       tally.taken, tally.taken == 1 ? "" : "s", tally.requests,
		       tally.requests == 1 ? "" : "s");
	if (tally.twice)
		command_fail(EXIT_DONE, "warning: %s may count %" PRIu64 " of them twice: it did not answer at first, and has no way to know a window",
			     server.target.kind->name, tally.twice);
	server_close(&server);
	batch_clear(batch);
	free(batch);
	return command_printed(code ?: tally.in_doubt ? EXIT_FAILED : EXIT_DONE);
}

const struct command cmd_push = {
	.name = "push",
	.args = "URL FILE...|live|-",
	.summary = "send profiles to a server that holds those of many hosts",
	.details =
"URL names the server, clickhouse://[USER@]HOST[:PORT]/DATABASE, whose tables flamectl\n"
"fleet init has made. It is reached by https, except on this machine. FILE is a saved\n"
"profile: what one host recorded from one instant to another, a window. A window is\n"
"known by its host, boot, epoch and start, and counts once however often it is pushed;\n"
"if a later one has the same start, as a dump that has grown does, the longest counts.\n"
"live is the module's profile; the names of its functions are looked up here.\n"
"Sums and profiles of other programs are no windows and are refused. Each event of a\n"
"file is a window of its own: samples, and what record -e and --off-cpu add.\n"
"\n"
"Other servers show profiles: pyroscope://HOST, parca://HOST and otlp://HOST\n"
"(OpenTelemetry profiles, v1development, experimental), with a port and a path if need\n"
"be. They do not notice that they have a window already: what is pushed to them twice\n"
"counts twice. They get each window in a request of its own, without books, with the command\n"
"and the context as the outermost frames, and with the labels service_name (flamemod,\n"
"if not given), host and release. They get samples alone. Pyroscope takes windows of the last hour; if yours\n"
"takes older ones, add ?max-age=24h; ?tenant=NAME names a tenant.\n"
"\n"
"Processes, threads and CPUs are not sent; commands, contexts, stacks and books are.\n"
"ClickHouse gets cgroups as well with ?cgroups=yes in the URL. A\n"
"busy server is asked again, after the time that it asks for. A password or token is\n"
"read from a file, because others can see command lines. The URL may have the options\n"
"in it: clickhouse://me@db.example/fleet?token-file=/etc/flamemod/token.\n"
"\n"
"  flamectl push clickhouse://localhost/fleet monday/*.pb.gz\n"
"  flamectl push --label rack=7 --token-file token clickhouse://me@db.example/fleet a.pb.gz\n"
"  flamectl push --label service_name=web pyroscope://localhost now.pb.gz",
	.options = options,
	.shared = server_options,
	.reads = load_options,
	.live = live_options,
	.run = run,
};
