/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The agent in progress, of flamectl agent: its options, and what it holds. These
 * functions print what changes, for the service manager's log.
 */
#ifndef FLAMECTL_CMD_AGENT_H
#define FLAMECTL_CMD_AGENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent/chain.h"
#include "agent/spool.h"
#include "cmd/live_names.h"
#include "cmd/server.h"
#include "fleet/labels.h"
#include "fleet/send.h"
#include "profile/profile.h"
#include "wire/nl.h"

/* Where the spool is if neither an option nor the service manager says. */
#define AGENT_DIRECTORY		"/var/lib/flamemod"

/* More targets than anybody needs. */
#define AGENT_TARGETS_MAX	8

/* The process that sends to a target: see agent_send.c. */
struct agent_sender {
	const char *url;
	pid_t pid;			/* 0: none */
	int pipe;			/* to it */
};

struct agent {
	/* the options */
	struct profile_settings settings;
	unsigned int mask;		/* of SETTING() */
	unsigned int wished;		/* those of mask that are left out if refused */
	uint64_t window_ns;
	const char *directory;
	bool no_load;
	struct live_names names;
	struct spool spool;
	struct agent_sender senders[AGENT_TARGETS_MAX];
	size_t nr_senders;
	struct server_request request;	/* how to reach all targets */
	struct labels labels;
	struct send_policy policy;	/* of one attempt */
	bool drop_in_doubt;
	bool checks;			/* only say what would be sent */
	/* what it holds */
	struct nl *nl;			/* NULL: the module cannot be reached */
	struct chain chain;
	uint64_t named_since_ns;	/* when names began to be collected */
	char trouble[512];		/* what was printed last, "" if all is well */
};

/**
 * agent_boot() - get this run of the kernel. Return: 0, or -errno with @error.
 */
int agent_boot(char boot[WINDOW_BOOT], struct error *error);

/**
 * agent_now() - get the time, as ages of windows need it.
 * @boot: kept, not copied.
 */
struct spool_now agent_now(const char *boot);

/**
 * agent_module_open() - find the module, and let it sample unless it does already. What is
 * started here ends with the agent.
 *
 * Return: 0, or as module_open() and nl_start().
 */
int agent_module_open(struct agent *agent, struct error *error);

/**
 * agent_module_close() - let go of the module, which ends sampling if the agent started it.
 * What was sampled since the last window stays in the module, for the next agent.
 */
void agent_module_close(struct agent *agent);

/** agent_source() - get where windows come from: the module. */
struct chain_source agent_source(struct agent *agent);

/**
 * agent_run() - make windows until a signal comes.
 *
 * Return: an exit code.
 */
int agent_run(struct agent *agent);

/**
 * agent_senders_check() - check that all targets can be sent to as they are given; nothing
 * is sent.
 *
 * Return: 0, or -errno with @error.
 */
int agent_senders_check(const struct agent *agent, struct error *error);

/**
 * agent_senders_tell() - start the processes that send, if they do not run, and tell them
 * that there may be a window.
 *
 * Return: 0, or -errno with @error.
 */
int agent_senders_tell(struct agent *agent, struct error *error);

/** agent_senders_end() - let them send what is there, for some seconds, and end them. */
void agent_senders_end(struct agent *agent);

/**
 * agent_check() - print for each target whether it answers, and what would be sent next.
 *
 * Return: an exit code, EXIT_FAILED if one does not answer.
 */
int agent_check(const struct agent *agent);

/** agent_status() - print what is in the spool. Return: an exit code. */
int agent_status(const struct agent *agent);

#endif /* FLAMECTL_CMD_AGENT_H */
