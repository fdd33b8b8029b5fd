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
#include "agent/duty.h"
#include "agent/pause.h"
#include "agent/spool.h"
#include "base/secret.h"
#include "cmd/live_names.h"
#include "cmd/name_search.h"
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

/* In which hours it samples: see agent_duty.c. */
struct agent_duty {
	/* the options */
	uint64_t inclusion;
	char secret[SECRET_MAX + 1];	/* "": none */
	/* what it holds */
	struct duty hours;
	bool is_off;			/* in this hour */
	bool is_first;			/* no window of this boot is known */
	bool has_changed;		/* the next window began with another inclusion */
	uint32_t hz;			/* the rate before it went off duty; 0: not known */
};

struct agent {
	/* the options */
	struct profile_settings settings;
	unsigned int mask;		/* of SETTING() */
	/* settings of mask that are optional: left out if the module refuses them */
	unsigned int wished;
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
	struct agent_duty duty;
	bool checks;			/* only say what would be sent */
	const char *output;		/* of metrics; NULL: stdout */
	/* what it holds */
	struct nl *nl;			/* NULL: the module cannot be reached */
	struct nl *dumps;		/* what windows are made of; NULL: not opened yet */
	bool keeps_none;		/* the module is older, and keeps no closed epochs */
	bool started;			/* sampling, by this agent */
	struct chain chain;
	struct name_search search;	/* of agent_names_look() */
	uint64_t watchdog_ns;		/* when to tell the service manager next that it runs */
	uint64_t named_since_ns;	/* when names began to be collected */
	struct pause pause;		/* the one that it is in; ->begun is 0 if in none */
	int changes;			/* inotify's descriptor of the directory; -1: none */
	uint32_t resume_hz;		/* the rate to start at after a pause; 0: as set */
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
 * agent_module_reach() - find the module, and let it do what it does.
 *
 * Return: 0, or as module_open().
 */
int agent_module_reach(struct agent *agent, struct error *error);

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

/**
 * agent_module_stop() - stop sampling, unless others had started it before the agent did.
 *
 * Return: 0 with pause->shared and pause->hz set, or -errno with @error.
 */
int agent_module_stop(struct agent *agent, struct pause *pause, struct error *error);

/**
 * agent_module_was_reset() - report whether others have reset the module since the last
 * window. What it keeps of that is to be had for 5 minutes.
 */
bool agent_module_was_reset(const struct agent *agent);

/** agent_watch() - tell the service manager that the agent runs, if that is due. */
void agent_watch(struct agent *agent, uint64_t now_ns);

/** agent_source() - get where windows come from: the module. */
struct chain_source agent_source(struct agent *agent);

/** agent_names_begin() - begin to collect names of user functions. */
void agent_names_begin(struct agent *agent);

/** agent_names_due_ns() - return when to call agent_names_look() next; UINT64_MAX: never. */
uint64_t agent_names_due_ns(const struct agent *agent);

/**
 * agent_names_look() - look for names of what runs now, if that is due.
 * @end_ns: when to stop, at the latest.
 */
void agent_names_look(struct agent *agent, uint64_t now_ns, uint64_t end_ns);

/**
 * agent_names_allow() - give the names of the windows that are made now their time, some
 * seconds. Those that are not found in it may be in later windows.
 */
void agent_names_allow(struct agent *agent);

/**
 * agent_names_learn() - look for the names of all in a window's dump, as long as
 * agent_names_allow() has allowed.
 *
 * Return: 0, or -ENOMEM with @error.
 */
int agent_names_learn(struct agent *agent, const struct profile *dump, struct error *error);

/** agent_names_give() - name the functions of a window. Return: as live_names_give(). */
int agent_names_give(struct agent *agent, struct profile *profile, struct error *error);

/** agent_names_end() - free what is held. */
void agent_names_end(struct agent *agent);

/**
 * agent_directory() - get the directory of the agent that the service manager runs.
 * @copy: the caller frees it when it no longer uses the result
 */
const char *agent_directory(char **copy);

/** agent_pause_now() - get the time, as pauses need it. @boot: kept, not copied. */
struct pause_now agent_pause_now(const char *boot);

/**
 * agent_pause_watch() - learn at once from now on that somebody changed the pause. Where
 * that cannot be, it is seen with the next window.
 */
void agent_pause_watch(struct agent *agent);

/** agent_pause_changed() - report whether somebody changed it since the last call. */
bool agent_pause_changed(const struct agent *agent);

/**
 * agent_pause_check() - begin the pause that somebody asked for, or end the one that is
 * over.
 *
 * Return: 0, or -errno with @error; then the next call tries again.
 */
int agent_pause_check(struct agent *agent, struct error *error);

/** agent_pause_due_ns() - return in how long the pause is over; 0: it is, UINT64_MAX: none. */
uint64_t agent_pause_due_ns(const struct agent *agent);

/** agent_real_ns() - return CLOCK_REALTIME. */
int64_t agent_real_ns(void);

/** agent_duty_parse_secret() - read the secret. Return: as secret_read(). */
int agent_duty_parse_secret(struct agent *agent, const char *path, struct error *error);

/**
 * agent_duty_prepare() - get to know this host's hours, and what an earlier agent did.
 *
 * Return: 0, or -errno with @error.
 */
int agent_duty_prepare(struct agent *agent, struct error *error);

/**
 * agent_duty_check() - stop sampling if this host takes no part in this hour, or go on if
 * it does. After agent_pause_check().
 *
 * Return: 0, or -errno with @error; then the next call tries again.
 */
int agent_duty_check(struct agent *agent, struct error *error);

/**
 * agent_duty_due_ns() - return in how long to call agent_duty_check() at the latest; 0: at
 * once, UINT64_MAX: never.
 */
uint64_t agent_duty_due_ns(const struct agent *agent);

/**
 * agent_ask_pause() - let the agent that runs pause, and wait until it does.
 *
 * Prints what it does then. Return: an exit code.
 */
int agent_ask_pause(struct agent *agent, uint64_t ns);

/** agent_ask_resume() - let it go on, and wait until it does. Return: an exit code. */
int agent_ask_resume(struct agent *agent);

/**
 * agent_memory_init() - let large pieces of memory go back to the system when they are
 * freed. By default the C library keeps them, once one was freed: it fits a program that
 * allocates as much again soon, and not in a minute. And bound what programs take whose
 * symbols are read.
 */
void agent_memory_init(void);

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

/** agent_metrics() - write what is in the spool for Prometheus. Return: an exit code. */
int agent_metrics(const struct agent *agent);

/** agent_status() - print what is in the spool. Return: an exit code. */
int agent_status(const struct agent *agent);

#endif /* FLAMECTL_CMD_AGENT_H */
