// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl start, stop, reset and set: send orders to the module. The module
 * decides whether an order is valid now; its error text is shown.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/module.h"
#include "cmd/reach.h"
#include "profile/settings.h"
#include "wire/nl.h"

enum { START_CPUS, START_FREQUENCY, START_NO_LOAD };
enum { SET_CPUS = START_CPUS };

/* The request that a command sends. */
typedef int (*order_fn)(struct nl *nl, const struct profile_settings *settings,
			unsigned int mask, struct error *error);

/* Refuse processes that would not be sampled: see reach.h. */
static int check_reach(struct nl *nl, const struct profile_settings *settings,
		       unsigned int mask, struct error *error)
{
	struct profile *status;
	int err;

	if (!(mask & SETTING(PIDS)))
		return 0;
	err = nl_status(nl, &status, error);
	if (err)
		return err;
	err = reach_check(&status->meta, settings, mask, error);
	profile_destroy(status);
	return err;
}

static int send_order(const char *verb, order_fn order,
		      const struct profile_settings *settings,
		      unsigned int mask, bool may_load)
{
	char said[MODULE_SAID_MAX];
	struct error error;
	struct nl *nl;
	int err;

	err = module_open(&nl, may_load, said, &error);
	command_note(said);
	if (!err) {
		err = check_reach(nl, settings, mask, &error) ?:
		      order(nl, settings, mask, &error);
		nl_close(nl);
	}
	if (err)
		return command_fail(exit_code_of(err), "cannot %s: %s", verb,
				    error.text);
	return EXIT_DONE;
}

static int order_stop(struct nl *nl, const struct profile_settings *settings,
		      unsigned int mask, struct error *error)
{
	(void)settings;
	(void)mask;
	return nl_stop(nl, error);
}

static int order_reset(struct nl *nl, const struct profile_settings *settings,
		       unsigned int mask, struct error *error)
{
	(void)settings;
	(void)mask;
	return nl_reset(nl, error);
}

static int run_bare(const struct command *command, int argc, char **argv,
		    order_fn order)
{
	int code = command_no_operands(command, argc, argv);

	return code ?: send_order(command->name, order, NULL, 0, false);
}

static int run_stop(const struct command *command, int argc, char **argv)
{
	return run_bare(command, argc, argv, order_stop);
}

static int run_reset(const struct command *command, int argc, char **argv)
{
	return run_bare(command, argc, argv, order_reset);
}

static int cpus_option(const struct command *command, const char *list,
		       struct profile_settings *settings, unsigned int *mask)
{
	struct error error;

	if (settings_cpus(settings, list, &error))
		return command_usage(command, "-C %s", error.text);
	*mask |= SETTING(CPUS);
	return 0;
}

static int frequency_option(const struct command *command, const char *rate,
			    struct profile_settings *settings, unsigned int *mask)
{
	struct error error;
	char hz[64];

	snprintf(hz, sizeof(hz), "hz=%.50s", rate);
	if (settings_assign(settings, mask, hz, &error))
		return command_usage(command, "-F %s", error.text + strlen("hz="));
	return 0;
}

/* Parse everything before anything is sent. */
static int run_settings(const struct command *command, int argc, char **argv,
			order_fn order)
{
	struct profile_settings settings = { 0 };
	unsigned int mask = 0;
	struct error error;
	const char *arg;
	int position, code, i;
	/* only start may load the module; set needs a loaded one */
	bool may_load = order == nl_start;

	while (command_next(command, argc, argv, &position, &arg)) {
		if (position == START_NO_LOAD) {
			may_load = false;
			continue;
		}
		code = position == START_CPUS ?
		       cpus_option(command, arg, &settings, &mask) :
		       frequency_option(command, arg, &settings, &mask);
		if (code)
			return code;
	}
	for (i = optind; i < argc; i++)
		if (settings_assign(&settings, &mask, argv[i], &error))
			return command_usage(command, "%s", error.text);
	if (order == nl_set && !mask)
		return command_usage(command, "no setting is given: name one or more, such as hz=997");
	return send_order(command->name, order, &settings, mask, may_load);
}

static int run_start(const struct command *command, int argc, char **argv)
{
	return run_settings(command, argc, argv, nl_start);
}

static int run_set(const struct command *command, int argc, char **argv)
{
	return run_settings(command, argc, argv, nl_set);
}

static const struct command_option start_options[] = {
	[START_CPUS] = { "cpu", 'C', "LIST", "sample these CPUs, such as 0-3,8, or all, as cpus=LIST" },
	[START_FREQUENCY] = { "frequency", 'F', "HZ", "samples per second and CPU, 1..20000 or max, as hz=HZ" },
	[START_NO_LOAD] = MODULE_NO_LOAD,
	{ 0 }
};

static const struct command_option set_options[] = {
	[SET_CPUS] = { "cpu", 'C', "LIST", "sample these CPUs, such as 0-3,8, or all, as cpus=LIST" },
	{ 0 }
};

#define SETTINGS_HELP \
"Settings:\n" \
"  hz=N             samples per second and CPU, 1..20000 or max\n" \
"  max-depth=N      frames of a stack to keep, from the leaf, 1..127\n" \
"  exclude-idle=0|1 leave out idle time\n" \
"  kernel-only=0|1  leave out time in user mode\n" \
"  user-stacks=0|1  take the stacks of programs as well: 1 if loaded as a module, on\n" \
"                   x86-64 and arm64, unless loaded with user_stacks=0\n" \
"  user-places=0|1  keep the places in functions of programs apart, for --inlines\n" \
"  pids=N,...       only these processes or threads, at most 16; pids= for all\n" \
"  cpus=LIST        only these CPUs, such as 0-3,8; all for all that there are;\n" \
"                   cpus= for all that are not isolated\n" \
"CPUs are isolated by the kernel's parameters isolcpus= and nohz_full=. They are\n" \
"not sampled, and not interrupted while sampling runs, unless cpus names them.\n" \
"They can change only while sampling is stopped, and the rate only while the module\n" \
"has no samples: see flamectl reset. Settings that are not given stay as they are."

#define SETTINGS_NAMES "hz max-depth exclude-idle kernel-only user-stacks user-places pids cpus"

const struct command cmd_start = {
	.name = "start",
	.args = "[NAME=VALUE...]",
	.summary = "start sampling, after changing settings",
	.details =
"Sampling goes on until flamectl stop. Earlier samples are kept.\n\n"
"If the module is installed but not loaded, and you are root, start loads it first\n"
"and reports that.\n\n"
SETTINGS_HELP,
	.options = start_options,
	.names = SETTINGS_NAMES,
	.run = run_start,
};

const struct command cmd_set = {
	.name = "set",
	.args = "NAME=VALUE...",
	.summary = "change settings: all that are given or, on an error, none",
	.details = SETTINGS_HELP,
	.options = set_options,
	.names = SETTINGS_NAMES,
	.run = run_set,
};

const struct command cmd_stop = {
	.name = "stop",
	.summary = "stop sampling; the samples stay in the module",
	.run = run_stop,
};

const struct command cmd_reset = {
	.name = "reset",
	.summary = "delete the module's samples; sampling goes on if it runs",
	.run = run_reset,
};
