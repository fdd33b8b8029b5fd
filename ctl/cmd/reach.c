// SPDX-License-Identifier: GPL-2.0
/*
 * Compare the CPUs that processes may run on with those that are sampled: see
 * reach.h.
 *
 * A process may be moved to other CPUs later. Then it is sampled there, or not; only
 * what is known to fail at the start is refused.
 */
#include "cmd/reach.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "profile/settings.h"

/* Room for the CPUs in a message. */
#define LIST_MAX	64

/* What is sampled, and what the CPUs of one or more threads are. */
struct reach {
	const char *cpus;		/* the setting */
	bool running;			/* settings cannot change now */
	struct cpulist sampled;
	struct cpulist allowed;		/* of the threads so far */
};

/*
 * Get the CPUs that will be sampled. Return: false for all of them, or if it is not
 * known which.
 */
static bool find_sampled(struct reach *reach, const struct profile_meta *now)
{
	struct cpulist isolated = { 0 };

	if (!strcmp(reach->cpus, SETTINGS_ALL_CPUS))
		return false;
	if (*reach->cpus)
		return !cpulist_add(&reach->sampled, reach->cpus);
	if (!*now->isolated || cpulist_add(&isolated, now->isolated))
		return false;
	for (size_t i = 0; i < sizeof(isolated.words) / sizeof(isolated.words[0]); i++)
		reach->sampled.words[i] = ~isolated.words[i];
	return true;
}

/* Add the CPUs of a thread. Return: false if they cannot be read. */
static bool add_thread(struct reach *reach, pid_t tid)
{
	struct cpulist cpus = { 0 };

	if (sched_getaffinity(tid, sizeof(cpus.words), (cpu_set_t *)cpus.words))
		return false;
	for (size_t i = 0; i < sizeof(cpus.words) / sizeof(cpus.words[0]); i++)
		reach->allowed.words[i] |= cpus.words[i];
	return true;
}

/* Is it a process, and not a thread of one? */
static bool is_process(uint32_t pid)
{
	char path[64], line[128];
	unsigned long tgid = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/status", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Tgid: %lu", &tgid) == 1)
			break;
	if (file)
		fclose(file);
	return tgid == pid;
}

/* Add the CPUs of all threads of a process. */
static void add_threads(struct reach *reach, uint32_t pid)
{
	const struct dirent *entry;
	char path[64];
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task", pid);
	tasks = opendir(path);
	while (tasks && (entry = readdir(tasks)))
		if (entry->d_name[0] != '.')
			add_thread(reach, (pid_t)strtol(entry->d_name, NULL, 10));
	if (tasks)
		closedir(tasks);
}

static int refuse(const struct reach *reach, const char *who,
		  struct error *error)
{
	uint32_t nr = cpulist_count(&reach->allowed);
	char list[LIST_MAX];

	cpulist_print(&reach->allowed, list, sizeof(list));
	return error_set(error, -EINVAL,
			 "%s may only run on CPU%s %s, which %s: %s-C %s samples %s, -C all samples all CPUs",
			 who, nr > 1 ? "s" : "", list, *reach->cpus ?
			 "the setting cpus leaves out" : nr > 1 ?
			 "are isolated and not sampled" :
			 "is isolated and not sampled",
			 reach->running ? "flamectl stop, then " : "", list,
			 nr > 1 ? "them" : "it");
}

static int check_pid(struct reach *reach, uint32_t pid, struct error *error)
{
	char who[32];

	memset(&reach->allowed, 0, sizeof(reach->allowed));
	if (!add_thread(reach, (pid_t)pid) ||
	    cpulist_meets(&reach->allowed, &reach->sampled))
		return 0;
	if (is_process(pid))
		add_threads(reach, pid);
	if (cpulist_meets(&reach->allowed, &reach->sampled))
		return 0;
	snprintf(who, sizeof(who), "pid %" PRIu32, pid);
	return refuse(reach, who, error);
}

/* Set up @reach. Return: false if there is nothing to refuse. */
static bool begin(struct reach *reach, const struct profile_meta *now,
		  const struct profile_settings *wanted, unsigned int mask)
{
	memset(reach, 0, sizeof(*reach));
	reach->running = now->state == FLAMEMOD_STATE_RUNNING;
	reach->cpus = mask & SETTING(CPUS) ? wanted->cpus : now->settings.cpus;
	return find_sampled(reach, now);
}

int reach_check(const struct profile_meta *now,
		const struct profile_settings *wanted, unsigned int mask,
		struct error *error)
{
	const struct profile_settings *settings =
		mask & SETTING(PIDS) ? wanted : &now->settings;
	struct reach reach;
	int err = 0;

	if (!begin(&reach, now, wanted, mask))
		return 0;
	for (unsigned int i = 0; i < settings->nr_pids && !err; i++)
		err = check_pid(&reach, settings->pids[i], error);
	return err;
}

int reach_check_command(const struct profile_meta *now,
			const struct profile_settings *wanted,
			unsigned int mask, pid_t pid, struct error *error)
{
	struct reach reach;

	if (!begin(&reach, now, wanted, mask) || !add_thread(&reach, pid) ||
	    cpulist_meets(&reach.allowed, &reach.sampled))
		return 0;
	return refuse(&reach, "the command", error);
}
