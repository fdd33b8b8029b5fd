// SPDX-License-Identifier: GPL-2.0
/*
 * One event of the module that runs: see live_event.h.
 */
#include "wire/live_event.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/wording.h"
#include "profile/events.h"

/* What each client has attached. */
struct all {
	struct events list[PROFILE_CLIENTS_MAX];
	uint32_t pids[PROFILE_CLIENTS_MAX];	/* 0: not known */
	unsigned int nr;
};

/* room for the processes of all clients */
#define PIDS_TEXT	(PROFILE_CLIENTS_MAX * 12)

static void all_deinit(struct all *all)
{
	for (unsigned int i = 0; i < all->nr; i++)
		events_deinit(&all->list[i]);
}

/* Get the events of a client, or, with none, of the only one. */
static int dump_client(struct nl *nl, const struct profile_client *client, struct all *all,
		       struct error *error)
{
	int err = nl_dump_events_of(nl, client ? client->epoch : 0, &all->list[all->nr], error);

	if (!err)
		all->pids[all->nr++] = client ? client->pid : 0;
	/* it has ended since it was listed */
	return err == -ENODATA && client ? 0 : err;
}

/* Get the events of this connection, or, if it has none, of all clients. */
static int dump_all(struct nl *nl, struct all *all, struct error *error)
{
	struct profile *status;
	int err;

	if (nl_attached(nl))
		return dump_client(nl, NULL, all, error);
	err = nl_status(nl, &status, error);
	if (err)
		return err;
	/* an older module does not list its only client */
	if (!status->meta.nr_clients)
		err = dump_client(nl, NULL, all, error);
	for (unsigned int i = 0; i < status->meta.nr_clients && !err; i++)
		err = dump_client(nl, &status->meta.clients[i], all, error);
	profile_destroy(status);
	return err;
}

/* Collect the names of all events, each once. Return: how many. */
static unsigned int names_of(const struct all *all, const char **names)
{
	unsigned int nr = 0, before;

	for (unsigned int i = 0; i < all->nr; i++)
		for (unsigned int j = 0; j < all->list[i].nr; j++) {
			names[nr] = all->list[i].list[j].name;
			for (before = 0; before < nr && strcmp(names[before], names[nr]);)
				before++;
			nr += before == nr;
		}
	return nr;
}

/* Divide NAME@PID. Return: the process, or 0 if there is a name alone; @name is set to that. */
static uint32_t divide(const char *given, char name[EVENTS_NAME])
{
	const char *at = strrchr(given, '@');
	struct error unused;
	uint64_t pid = 0;
	size_t length;

	length = at && !number_parse(at + 1, 1, UINT32_MAX, &pid, &unused) ?
		 (size_t)(at - given) : strlen(given);
	if (length >= EVENTS_NAME)
		length = EVENTS_NAME - 1;
	memcpy(name, given, length);
	name[length] = '\0';
	return (uint32_t)pid;
}

static bool has(const struct events *events, const char *name)
{
	for (unsigned int i = 0; i < events->nr; i++)
		if (!strcmp(events->list[i].name, name))
			return true;
	return false;
}

/* Write the processes that have an event: "101, 102". Return: how many they are. */
static unsigned int pids_of(const struct all *all, const char *name, char text[PIDS_TEXT])
{
	unsigned int nr = 0;
	size_t used = 0;

	*text = '\0';
	for (unsigned int i = 0; i < all->nr; i++) {
		if (!has(&all->list[i], name))
			continue;
		used += (size_t)snprintf(text + used, PIDS_TEXT - used, "%s%" PRIu32,
					 nr++ ? ", " : "", all->pids[i]);
	}
	return nr;
}

/* Take an event out, of the client @pid, or if that is 0 of the only one that has it. */
static int take_named(struct all *all, const char *name, uint32_t pid, struct profile **profile,
		      struct error *error)
{
	char pids[PIDS_TEXT];
	unsigned int nr = pids_of(all, name, pids);

	*profile = NULL;
	if (!pid && nr > 1)
		return error_set(error, -EINVAL, "the module: %u programs count %.100s: choose one by its process, %.100s@PID; they are %s",
				 nr, name, name, pids);
	for (unsigned int i = 0; i < all->nr && !*profile; i++)
		if (!pid || all->pids[i] == pid)
			*profile = events_take(&all->list[i], name);
	if (*profile)
		return 0;
	return error_set(error, -EINVAL, "the module: process %" PRIu32 " does not count %.100s; who does: %s",
			 pid, name, pids);
}

/* Take the event @name out of those that are attached, or the samples. */
static int take(struct nl *nl, struct all *all, const char *name, struct profile **profile,
		struct error *error)
{
	const char *names[PROFILE_CLIENTS_MAX * EVENTS_MAX + 1];
	unsigned int nr = names_of(all, names);
	char alone[EVENTS_NAME];
	uint32_t pid = divide(name, alone);
	struct error why;
	int place;

	if (!nr)
		return error_set(error, -EINVAL, "no event %.100s is attached to the module: %s",
				 name, WORDING(ATTACH_EVENT));
	names[nr] = profile_event_name(FLAMEMOD_EVENT_ON_CPU);
	place = events_find(names, nr + 1, alone, &why);
	if (place < 0)
		return error_set(error, place, "the module: %.400s", why.text);
	if ((unsigned int)place == nr && pid)
		return error_set(error, -EINVAL, "the module: %s belongs to no program: leave out @%" PRIu32,
				 names[nr], pid);
	if ((unsigned int)place == nr)
		return nl_dump(nl, false, profile, error);
	return take_named(all, names[place], pid, profile, error);
}

int live_event_dump(struct nl *nl, const char *name, struct profile **profile,
		    struct error *error)
{
	struct all all = { .nr = 0 };
	int err;

	if (!name || !strcmp(name, profile_event_name(FLAMEMOD_EVENT_ON_CPU)))
		return nl_dump(nl, false, profile, error);
	err = dump_all(nl, &all, error) ?: take(nl, &all, name, profile, error);
	all_deinit(&all);
	return err;
}
