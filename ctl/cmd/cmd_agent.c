// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl agent: sample all the time, and keep what was sampled in windows on disk.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cmd/agent.h"
#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/module.h"
#include "cmd/shared_options.h"
#include "profile/inclusion.h"
#include "profile/settings.h"
#include "profile/threshold.h"

#define WINDOW_NS	(60ULL * 1000000000)
/* A window costs a dump and some ten writes that wait for the disk. */
#define WINDOW_MIN_NS	1000000000ULL
/* Later windows would be refused by servers that take an hour. */
#define WINDOW_MAX_NS	(3600ULL * 1000000000)
#define MEGABYTE	(1024 * 1024)

enum { OPT_FREQUENCY, OPT_WINDOW, OPT_DIRECTORY, OPT_SIZE, OPT_AGE, OPT_THRESHOLD, OPT_SAMPLE, OPT_SECRET, OPT_NO_USER_STACKS,
       OPT_LABEL, OPT_IN_DOUBT, OPT_CHECK, OPT_OUTPUT, OPT_NO_LOAD };

static const struct command_option options[] = {
	[OPT_FREQUENCY] = { "frequency", 'F', "HZ", "samples per second and CPU, 1..20000 or max (default: as set, 997 at first)" },
	[OPT_WINDOW] = { "window", 0, "TIME", "the length of a window, 1s to 1h (default 60s)" },
	[OPT_DIRECTORY] = { "state-directory", 0, "DIR", "where windows are kept (default " AGENT_DIRECTORY ")" },
	[OPT_SIZE] = { "max-size", 0, "MB", "keep at most so many megabytes of windows (default 256)" },
	[OPT_AGE] = { "max-age", 0, "TIME", "keep windows for at most so long, such as 12h (default 168h)" },
	[OPT_THRESHOLD] = { "threshold", 0, "PERIODS", "keep a random part of the stacks with fewer than PERIODS periods in a window, 2..1000000; weights are adjusted so that sums stay exact (default: keep all)" },
	[OPT_SAMPLE] = { "sample", 0, "1/K", "sample this host in about one hour of K, 1/1 to 1/10000 (default: in all)" },
	[OPT_SECRET] = { "sample-secret", 0, "FILE", "draw the hours of --sample by the first line of FILE, the same on all hosts (default: by the host's name alone)" },
	[OPT_NO_USER_STACKS] = { "no-user-stacks", 0, NULL, "do not take the stacks of programs" },
	[OPT_LABEL] = { "label", 0, "NAME=VALUE", "give all windows that are sent a label; repeat it for more" },
	[OPT_IN_DOUBT] = { "in-doubt", 0, "WHAT", "if a request gets no answer: resend it (default), or drop it",
		"resend drop" },
	[OPT_CHECK] = { "check", 0, NULL, "only print for each URL whether it answers, and what would be sent next" },
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write metrics to FILE instead of stdout: whole or not at all" },
	[OPT_NO_LOAD] = MODULE_NO_LOAD,
	{ 0 }
};

static int parse_window(struct agent *agent, const char *arg, struct error *error)
{
	int err = duration_parse(arg, &agent->window_ns, error);

	if (!err && (agent->window_ns < WINDOW_MIN_NS || agent->window_ns > WINDOW_MAX_NS))
		err = error_set(error, -EINVAL, "%.40s: from 1s to 1h", arg);
	return err;
}

static int parse_size(struct agent *agent, const char *arg, struct error *error)
{
	uint64_t megabytes;
	int err = number_parse(arg, 1, 1 << 20, &megabytes, error);

	if (!err)
		agent->spool.limits.bytes_max = megabytes * MEGABYTE;
	return err;
}

static int parse_threshold(struct agent *agent, const char *arg, struct error *error)
{
	return number_parse(arg, 2, THRESHOLD_MAX, &agent->chain.threshold, error);
}

static int parse_frequency(struct agent *agent, const char *arg, struct error *error)
{
	uint64_t hz;
	int err = settings_hz(arg, &hz, error);

	if (err)
		return err;
	agent->settings.hz = (uint32_t)hz;
	agent->mask |= SETTING(HZ);
	return 0;
}

static int parse_in_doubt(struct agent *agent, const char *arg, struct error *error)
{
	if (strcmp(arg, "resend") && strcmp(arg, "drop"))
		return error_set(error, -EINVAL, "%.40s: must be resend or drop", arg);
	agent->drop_in_doubt = agent->policy.drop_in_doubt = !strcmp(arg, "drop");
	return 0;
}

static int parse_option(struct agent *agent, int option, const char *arg,
			struct error *error)
{
	switch (option) {
	case OPT_FREQUENCY:
		return parse_frequency(agent, arg, error);
	case OPT_WINDOW:
		return parse_window(agent, arg, error);
	case OPT_DIRECTORY:
		agent->directory = arg;
		return *arg ? 0 : error_set(error, -EINVAL, "names no directory");
	case OPT_SIZE:
		return parse_size(agent, arg, error);
	case OPT_AGE:
		return duration_parse(arg, &agent->spool.limits.age_max_ns, error);
	case OPT_THRESHOLD:
		return parse_threshold(agent, arg, error);
	case OPT_SAMPLE:
		return inclusion_parse(arg, &agent->duty.inclusion, error);
	case OPT_SECRET:
		return agent_duty_parse_secret(agent, arg, error);
	case OPT_LABEL:
		return labels_add(&agent->labels, arg, error);
	case OPT_IN_DOUBT:
		return parse_in_doubt(agent, arg, error);
	case OPT_NO_USER_STACKS:
		agent->wished = 0;
		agent->settings.user_stacks = false;
		return 0;
	case OPT_CHECK:
		agent->checks = true;
		return 0;
	case OPT_OUTPUT:
		agent->output = arg;
		return 0;
	default:
		agent->no_load = true;
		return 0;
	}
}

static int parse(const struct command *command, int argc, char **argv, struct agent *agent)
{
	struct error error;
	const char *arg;
	int position;

	while (command_next(command, argc, argv, &position, &arg)) {
		if (position >= COMMAND_LIVE) {
			live_option_add(&agent->names.request, position - COMMAND_LIVE);
			continue;
		}
		if (position >= COMMAND_SHARED) {
			agent->request.values[position - COMMAND_SHARED] = arg;
			continue;
		}
		if (!parse_option(agent, position, arg, &error))
			continue;
		if (options[position].letter)
			return command_usage(command, "-%c %s", options[position].letter,
					     error.text);
		return command_usage(command, "--%s %s", options[position].name, error.text);
	}
	if (agent->names.request.inlines) {
		agent->settings.user_places = true;
		agent->mask |= SETTING(USER_PLACES);
	}
	return 0;
}

static int run_pause(const struct command *command, int argc, char **argv,
		     struct agent *agent)
{
	struct error error;
	uint64_t ns;

	if (optind + 2 != argc)
		return command_usage(command, "pause needs for how long, such as 10m: from 1s to 24h");
	if (duration_parse(argv[optind + 1], &ns, &error))
		return command_usage(command, "pause %s", error.text);
	if (ns < PAUSE_MIN_NS || ns > PAUSE_MAX_NS)
		return command_usage(command, "pause %s: from 1s to 24h", argv[optind + 1]);
	return agent_ask_pause(agent, ns);
}

/* Run what the first operand asks for. Return: its exit code, or -1 if it asks for nothing. */
static int run_word(const struct command *command, int argc, char **argv,
		    struct agent *agent)
{
	const char *word = optind < argc ? argv[optind] : "";

	if (agent->output && strcmp(word, "metrics"))
		return command_usage(command, "-o is for flamectl agent metrics");
	if (!strcmp(word, "pause"))
		return run_pause(command, argc, argv, agent);
	if (optind + 1 == argc && !strcmp(word, "status"))
		return agent_status(agent);
	if (optind + 1 == argc && !strcmp(word, "resume"))
		return agent_ask_resume(agent);
	if (optind + 1 == argc && !strcmp(word, "metrics"))
		return ending_check(agent->output, ENDING_METRICS) ?: agent_metrics(agent);
	return -1;
}

static int run_agent(const struct command *command, int argc, char **argv,
		     struct agent *agent)
{
	int code = parse(command, argc, argv, agent);

	if (code)
		return code;
	code = run_word(command, argc, argv, agent);
	if (code >= 0)
		return code;
	for (; optind < argc; optind++) {
		if (!strstr(argv[optind], "://"))
			return command_usage(command, "%s: it is neither status, metrics, pause or resume nor the URL of a server, such as clickhouse://HOST/DATABASE",
					     argv[optind]);
		if (agent->nr_senders == AGENT_TARGETS_MAX)
			return command_usage(command, "%s: at most %d servers are sent to",
					     argv[optind], AGENT_TARGETS_MAX);
		agent->senders[agent->nr_senders++].url = argv[optind];
	}
	if (agent->checks && !agent->nr_senders)
		return command_usage(command, "--check needs the URL of a server");
	return agent->checks ? agent_check(agent) : agent_run(agent);
}

static int run(const struct command *command, int argc, char **argv)
{
	char *copy = NULL;
	struct agent agent = {
		.settings.user_stacks = true, .mask = SETTING(USER_STACKS),
		.wished = SETTING(USER_STACKS), .window_ns = WINDOW_NS,
		.spool.limits = SPOOL_LIMITS_DEFAULT, .policy = SEND_POLICY_DEFAULT,
		.duty.inclusion = 1, .changes = -1,
	};
	int code;

	agent.policy.attempts = 1;
	agent.directory = agent_directory(&copy);
	code = run_agent(command, argc, argv, &agent);
	free(copy);
	return code;
}

const struct command cmd_agent = {
	.name = "agent",
	.args = "[status | metrics | pause TIME | resume | URL...]",
	.summary = "sample all the time, keep windows of it on disk, and send them",
	.details =
"Runs until it is ended by a signal, best by the service flamectl-agent. Each\n"
"minute what was sampled since the last window is saved as a profile of its own in\n"
"DIR/windows: flamectl merge sums several, and all commands read one. Process and\n"
"thread ids and CPUs are summed; commands, contexts and stacks stay.\n"
"\n"
"If sampling already runs, it is shared; otherwise it is started, and stopped when\n"
"the agent ends. The module is not reset for a window, so record, top and dump work\n"
"beside the agent. Once the profile fills half of the module's memory, the module is\n"
"reset, right after a window was saved.\n"
"\n"
"Windows chain: each begins where the last ended, also if the agent was killed or\n"
"the machine lost power in between. A break is counted: another boot, a module that\n"
"was loaded again, or a reset by somebody else that it could not keep for the agent.\n"
"If there are too many megabytes, neighbours are merged to windows of up to an hour,\n"
"then the oldest are dropped, and counted.\n"
"\n"
"With --threshold, a window has fewer rows, and is an estimate. The agent keeps a random\n"
"part of the stacks with fewer periods than that, and adds the periods of those that it\n"
"leaves out to the others. The books and sums stay exact. Views say that it is an\n"
"estimate.\n"
"\n"
"With --sample 1/8, this host is sampled in about one hour of 8: those for which a hash\n"
"of the secret, the host's name and the hour is a multiple of 8. At the end of such an\n"
"hour the agent makes a window and stops sampling, as for a pause. Windows carry the\n"
"inclusion 1/8, and count 8 times in sums of a fleet. --sample-secret keeps the hours\n"
"from those who only know the host's name.\n"
"\n"
"URL names a server as for flamectl push, with its options in it, such as\n"
"?token-file=PATH; there may be several. Each gets all windows, in their order, by a\n"
"process of its own: a server that does not answer holds up no other. ClickHouse gets\n"
"up to 50 in a request, others each in its own. Windows wait\n"
"in DIR until all have them. After a failure the wait is up to 5 s, later up to 5\n"
"minutes, or as long as the server asks. Without a URL, windows stay until a limit\n"
"is reached.\n"
"\n"
"flamectl agent status prints what is in DIR, and what was counted. flamectl agent\n"
"metrics writes the same for Prometheus: with -o, FILE is replaced as a whole, for\n"
"node-exporter's textfile collector.\n"
"\n"
"flamectl agent pause 10m lets others sample as they want, at another rate for\n"
"example. The agent that runs saves a window, stops sampling and resets the module;\n"
"the command returns when it has. What others had started before the agent goes on.\n"
"TIME is 1s to 24h. After it, or with flamectl agent resume, the agent samples\n"
"again, at the rate that it had. If others then sample at another rate, it waits\n"
"until they end. What the module holds at another rate is removed. The time of a\n"
"pause is in no window, and is counted. An agent that is started again goes on with\n"
"the pause; another start of the machine ends it.\n"
"\n"
"  flamectl agent --label rack=7 'clickhouse://me@db.example/fleet?token-file=/etc/flamemod/token'\n"
"  flamectl agent metrics -o /var/lib/prometheus/node-exporter/flamemod-agent.prom\n"
"  flamectl agent --state-directory /srv/profiles --max-size 1024\n"
"  flamectl merge -o night.pb.gz /var/lib/flamemod/windows/*.pb.gz",
	.options = options,
	.shared = server_options,
	.live = live_options,
	.variables = COMMAND_SERVICE,
	.run = run,
};
